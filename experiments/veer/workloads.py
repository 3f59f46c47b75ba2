"""The pairs of Veer's evaluation: workflows, their edits, right and wrong, and those of figures 26 to 28."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tallystick.dataflow.pair import Pair, paired
from tallystick.experiments.veer import imitations, tpcds
from tallystick.experiments.veer.editing import (
    Operators,
    operator,
    with_empty_project,
    with_filter,
    with_filter_moved,
    with_property,
)
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.workflows.meanings import read_operators

WORKFLOWS: Final[dict[str, Operators]] = {
    "W1": tpcds.W1,
    "W2": tpcds.W2,
    "W3": tpcds.W3,
    "W4": tpcds.W4,
    "W5": imitations.W5,
    "W6": imitations.W6,
    "W7": imitations.W7,
    "W8": imitations.W8,
}
ABOUT: Final = {
    "W1": "TPC-DS Q40",
    "W2": "TPC-DS Q18",
    "W3": "TPC-DS Q71",
    "W4": "TPC-DS Q33",
    "W5": "films: other and original names",
    "W6": "films of some directors",
    "W7": "tweets about tobacco",
    "W8": "tweets about fires",
}


@dataclass(frozen=True)
class Size:
    """How large a workflow is: operators with its sources, and links."""

    operators: int
    links: int


def size_of(operators: Operators) -> Size:
    """The size of a workflow."""
    names = {each.name for each in operators}
    sources = {read for each in operators for read in each.inputs if read not in names}
    return Size(len(operators) + len(sources), sum(len(each.inputs) for each in operators))


def pair_of(name: str, new: Operators, old: Operators | None = None) -> Pair:
    """A workflow and another version of it."""
    sources = tpcds.SOURCES if name in ("W1", "W2", "W3", "W4") else imitations.SOURCES
    schema = read_schema(sources, SPARK)
    versions = [read_operators(each, schema, SPARK, path=name) for each in (old or WORKFLOWS[name], new)]
    return replace(paired(versions[0], versions[1]), functions=imitations.FUNCTIONS)


def equivalent_edits() -> dict[str, Operators]:
    """For each workflow a version with two edits that change nothing: mostly Calcite's pushFilterPastJoin, which
    deletes a filter and inserts one; in W7 past a function of each row. In W8 a function of the user's moves."""
    return {
        "W1": with_filter_moved(tpcds.W1, "price_to", "of_item"),
        "W2": with_filter_moved(tpcds.W2, "educated", "of_customer"),
        "W3": with_filter_moved(tpcds.W3, "managed", "of_item"),
        "W4": with_empty_project(with_empty_project(tpcds.W4, "made"), "sold", "empty_project_2"),
        "W5": with_filter_moved(imitations.W5, "films", "named"),
        "W6": with_empty_project(with_empty_project(imitations.W6, "comedies"), "wanted", "empty_project_2"),
        "W7": with_filter_moved(imitations.W7, "influential", "judged"),
        "W8": with_filter_moved(imitations.W8, "about_fire", "judged"),
    }


def inequivalent_edits() -> dict[str, Operators]:
    """For each workflow a version with two edits that matter: further conditions, other aggregates, other columns."""
    w1 = with_property(tpcds.W1, "price_to", condition="i_current_price <= 1.59")
    w2 = with_property(tpcds.W2, "in_year", condition="d_year = 1999")
    w3 = with_property(tpcds.W3, "managed", condition="i_manager_id = 2")
    w4 = with_property(tpcds.W4, "may", condition="d_moy = 6")
    w5 = with_property(imitations.W5, "compared", columns={"region": "region", "more": "others"})
    w6 = with_property(imitations.W6, "shown", columns={"person": "person", "name": "person", "year": "year"})
    w7 = with_property(imitations.W7, "rates", values={"tweets": "COUNT(*)", "liked": "MAX(likes)"})
    w8 = with_property(imitations.W8, "shown", columns={"county": "county", "fires": "worst", "worst": "worst"})
    return {
        "W1": with_filter(w1, "stored", "cs_sales_price > 0"),
        "W2": with_filter(w2, "now", "cs_quantity > 1"),
        "W3": with_filter(w3, "sold", "ext_price > 0"),
        "W4": with_filter(w4, "sold", "total > 0"),
        "W5": with_filter(w5, "films", "year > 1990"),
        "W6": with_filter(w6, "recent", "year <= 2010"),
        "W7": with_filter(w7, "plain", "likes >= 1"),
        "W8": with_filter(w8, "plain", "likes >= 1"),
    }


def three_edits() -> Operators:
    """W3 of table 6: pushFilterPastJoin before the union, and an empty projection after it."""
    return with_empty_project(with_filter_moved(tpcds.W3, "managed", "of_item"), "web_dated")


def at_distance(hops: int) -> Operators:
    """W2 of figure 26: two empty projections with so many operators of one input between them."""
    chain = ("of_item", "born", "in_year", "in_state")
    first = with_empty_project(tpcds.W2, "of_item")
    after = "empty_project" if hops == 0 else chain[hops]
    return with_empty_project(first, after, "empty_project_2")


def with_changes(number: int) -> Operators:
    """W1 of figure 27: one to four changes."""
    edited = with_empty_project(tpcds.W1, "split")
    if number >= 2:
        edited = with_empty_project(edited, "dated", "empty_project_2")
    if number >= 3:
        edited = with_empty_project(edited, "price_to", "empty_project_3")
    return with_empty_project(edited, "stored", "empty_project_4") if number >= 4 else edited


def with_operators(number: int) -> tuple[Operators, Operators]:
    """W2 of figure 28 with so many operators, and a version with two edits."""
    old = tpcds.W2
    for extra in range(number - size_of(old).operators):
        old = with_filter(old, "now", f"cs_quantity > {extra}", f"more_{extra}")
    return old, with_empty_project(with_empty_project(old, "of_item"), "in_year", "empty_project_2")


def long_workflow(number: int) -> tuple[Operators, Operators]:
    """A workflow of so many operators, parts of W2 one after the other, and a version with two edits: in the first part
    a filter is moved past a join, in the last one an empty projection is inserted."""
    made: list[Operators] = []
    part = 0
    total = 3
    while total + 9 <= number:
        p = f"p{part}_"
        block = (
            operator(f"{p}female", "filter", "customer_demographics", condition=f"cd_dep_count > {part}"),
            operator(f"{p}bought", "join", "catalog_sales", f"{p}female", kind="inner",
                     condition="cs_bill_cdemo_sk = cd_demo_sk"),
            operator(f"{p}recent", "filter", f"{p}bought", condition="cs_sold_date_sk > 10"),
            operator(f"{p}of_item", "join", f"{p}recent", "item", kind="inner", condition="cs_item_sk = i_item_sk"),
            operator(f"{p}priced", "filter", f"{p}of_item", condition="i_current_price > 1"),
            operator(f"{p}short", "project", f"{p}priced", columns={"id": "i_item_id", "quantity": "cs_quantity"}),
            operator(f"{p}many", "filter", f"{p}short", condition="quantity > 2"),
            operator(f"{p}sums", "aggregate", f"{p}many", keys=["id"], values={"total": "SUM(quantity)"}),
            operator(f"{p}result", "sink", f"{p}sums"),
        )  # fmt: skip
        made.append(block)
        total += len(block)
        part += 1
    old = tuple(each for block in made for each in block)
    last = f"p{part - 1}_"
    new = with_empty_project(with_filter_moved(old, "p0_recent", "p0_of_item"), f"{last}short")
    return old, new
