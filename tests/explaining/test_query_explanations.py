"""Explanations of verdicts about queries: what each of them must tell, in all formats."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from tallystick.certificates.rules import OF_BOTH, OF_QUERIES, bag, one, rule
from tallystick.certificates.rules import sum as sums
from tallystick.cli import main
from tallystick.core.terms import conjunction, disjunction, equal, is_none, negation, row, value_of
from tallystick.core.types import INT, OptionType
from tallystick.decision.queries.deciding import ProofLimits, Proved, by_structure
from tallystick.experiments.sql_suites.own_pairs import own_pairs
from tallystick.explaining import FORMATS
from tallystick.explaining.document import Document, Section
from tallystick.explaining.queries import walkthrough
from tallystick.explaining.queries.notation import null_safe
from tallystick.explaining.queries.proof import RULES, in_words
from tallystick.queries.certifying import certified
from tallystick.queries.checking import check_sql, decided

SCHEMA = """
CREATE TABLE customer (id INT PRIMARY KEY, city VARCHAR(20));
CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL REFERENCES customer (id), total INT CHECK (total > 0));
"""
JOINED = "SELECT o.id FROM orders o JOIN customer c ON o.customer = c.id"
THEMES = ("joins", "groups", "counting", "subqueries", "sets", "lists", "null_logic", "windows")


def explained(left: str, right: str) -> Document:
    return walkthrough(check_sql(left, right, schema=SCHEMA, timeout=5))


def explained_by_structure(left: str, right: str) -> Document:
    """With a proof that names subqueries, as `decide` finds it for longer queries."""
    verdict = check_sql(left, right, schema=SCHEMA, timeout=5)
    pair = verdict.pair
    proof = by_structure(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=60))
    assert isinstance(proof, Proved)
    made, report = certified(pair, proof)
    assert report
    return walkthrough(replace(verdict, proof=proof, certificate=made))


def text(document: Document) -> str:
    return FORMATS["text"](document)


def test_every_rule_for_queries_is_explained() -> None:
    assert set(RULES) == set(map(rule, (*OF_QUERIES, *OF_BOTH)))


def test_every_premise_of_a_rule_for_queries_is_said_in_words() -> None:
    about = [
        kind(*[0 if field.type == "int" else "left" for field in dataclasses.fields(kind)])
        for module in (bag, one, sums)
        for kind in vars(module).values()
        if dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__ and not hasattr(kind, "requirements")
    ]
    assert len(about) == 12
    assert all(in_words(each) for each in about)
    with pytest.raises(ValueError, match="no rule for queries has a premise"):
        in_words("something else")


def test_a_join_that_a_foreign_key_makes_superfluous() -> None:
    page = text(explained(JOINED, "SELECT id FROM orders"))
    assert page.startswith("the left query ≡ the right query\n================================\n\nEquivalent: ")
    assert "    ⟨o0: orders, c1: customer | o0.customer = c1.id ↦ (o0.id,)⟩\n" in page
    assert "(1) inner join of orders and customer:" in page
    assert "Rule ONE takes away c1: customer\n" in page
    used = page[page.index("Constraints used") :]
    assert "- customer has the key (id)\n" in used
    assert "- orders (customer) refers to customer (id)\n" in used
    assert "The kernel has checked this proof, from a certificate of " in used


def test_subqueries_that_are_named_exchanged_and_pulled_are_told() -> None:
    grouped = "SELECT c.city, o.total, count(*) AS n FROM orders o JOIN customer c ON o.customer = c.id"
    groups = "GROUP BY c.city, o.total"
    page = text(
        explained_by_structure(
            f"WITH t AS ({grouped} {groups}) SELECT a.city, b.n FROM t a JOIN t b ON a.city = b.city"
            " WHERE a.total = 1 AND b.total = 2 ORDER BY a.city LIMIT 9",
            f"SELECT a.city, b.n FROM ({grouped} WHERE o.total = 1 AND c.city IS NOT NULL {groups}) a JOIN"
            f" ({grouped} WHERE o.total = 2 AND c.city IS NOT NULL GROUP BY o.total, c.city) b ON a.city = b.city"
            " ORDER BY a.city LIMIT 9",
        )
    )
    told = page[page.index("\nProof\n") :]
    assert "subquery 0 is what a subquery returns\n" in told
    assert "On the left, a subquery gives way to one that returns the same\n" in told
    assert "a condition on groups or partitions holds for all rows of each\n" in told
    assert "What is left of both queries is the same, whatever" in told
    assert "- orders has the key (id)\n" not in told
    assert "The kernel has checked this proof, from a certificate of " in told


def test_no_constraint_is_named_where_none_is_used() -> None:
    page = text(explained("SELECT city FROM customer WHERE id > 1", "SELECT city FROM customer WHERE NOT id <= 1"))
    assert "No key, foreign key or CHECK is used." in page


def test_a_check_is_named_where_it_is_used() -> None:
    page = text(explained("SELECT id FROM orders WHERE total > -1", "SELECT id FROM orders WHERE total IS NOT NULL"))
    assert "- CHECK, for each row o0: ¬(o0.total is not NULL ∧ o0.total ≤ 0)\n" in page
    assert "each row of orders satisfies its CHECK number 1" in page[page.index("Constraints used") :]


def test_a_counterexample_comes_first() -> None:
    document = explained(JOINED, "SELECT o.id FROM orders o, customer c")
    assert [block.title for block in document.blocks if isinstance(block, Section)][:2] == ["Counterexample", "Queries"]
    page = text(document)
    assert "Inequivalent: there is a database on which the queries return different rows." in page
    assert "the left query returns    the right query returns" in page
    assert "Proof" not in page.splitlines()


def test_what_is_unknown_says_what_was_tried() -> None:
    rows = "SELECT id FROM orders UNION ALL SELECT id FROM orders"
    document = walkthrough(
        check_sql(f"{rows} LIMIT 3", f"SELECT * FROM ({rows}) AS r LIMIT 3 OFFSET 0", schema=SCHEMA, timeout=0.5)
    )
    if "≡" not in document.title:
        assert "What was tried" in text(document)


def test_literals_with_brackets_are_laid_out() -> None:
    left = "SELECT id FROM customer WHERE city <> 'a(⟨ ↦ ) ∧ ' AND city <> '⟩))' AND city <> 'a long text, and more'"
    for name, write in FORMATS.items():
        assert write(explained(left, f"{left} AND id = id")), name


def test_null_safe_equality_is_recognised_and_nothing_else() -> None:
    a, b, c = (row(number, OptionType(INT)) for number in range(3))
    here = [negation(is_none(each)) for each in (a, b, c)]
    both = conjunction(is_none(a), is_none(b))
    equation = equal(value_of(a), value_of(b))
    assert null_safe(disjunction(both, conjunction(here[0], here[1], equation))) == (a, b)
    assert null_safe(disjunction(both, conjunction(here[0], here[2], equation))) is None
    assert null_safe(disjunction(both, conjunction(here[0], here[1], equal(value_of(a), value_of(c))))) is None
    assert null_safe(disjunction(both, conjunction(here[0], equation))) is None
    assert null_safe(disjunction(both, equation)) is None
    assert null_safe(equation) is None


@pytest.fixture(scope="module")
def documents() -> list[tuple[str, Document]]:
    chosen: dict[str, list[tuple[str, Document]]] = {}
    for pair in own_pairs():
        theme = pair.name.partition("/")[0]
        if theme in THEMES and len(chosen.setdefault(theme, [])) < 4:
            chosen[theme].append((pair.name, walkthrough(decided(pair.read(), 2.0))))
    return [each for theme in chosen.values() for each in theme]


def test_text_is_at_most_80_columns_wide_but_for_the_users_own_lines(documents: list[tuple[str, Document]]) -> None:
    assert len(documents) >= 24
    own = {
        f"    {line.rstrip()}" for pair in own_pairs() for side in (pair.left, pair.right) for line in side.split("\n")
    }
    for name, document in documents:
        wide = [line for line in text(document).splitlines() if len(line) > 80 and line not in own]
        assert not wide, name


def test_pages_of_html_are_well_formed(documents: list[tuple[str, Document]]) -> None:
    for name, document in documents:
        parser = _Balanced()
        parser.feed(FORMATS["html"](document))
        assert parser.open == [], name


class _Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_an_explanation_is_the_same_each_time() -> None:
    assert text(explained(JOINED, "SELECT id FROM orders")) == text(explained(JOINED, "SELECT id FROM orders"))


def test_the_commands_explain_queries() -> None:
    arguments = [JOINED, "SELECT id FROM orders", "--schema", SCHEMA]
    explanation = CliRunner().invoke(main, ["explain", *arguments])
    assert explanation.exit_code == 0
    checked = CliRunner().invoke(main, ["check", *arguments, "--explain"])
    assert checked.output.endswith(f"\n\n{explanation.output}")
    without = CliRunner().invoke(main, ["explain", *arguments[:2]])
    assert without.exit_code != 0
    assert "queries need --schema" in without.output


def test_a_counterexample_is_tables_on_a_page_and_lines_in_a_text() -> None:
    document = explained("SELECT city FROM customer", "SELECT DISTINCT city FROM customer WHERE id <> 7")
    page = FORMATS["html"](document)
    assert "<caption>customer</caption><tr><th>id</th><th>city</th></tr>" in page
    assert '<td>7</td><td class="null">NULL</td>' in page
    assert 'returns</caption><tr><th>city</th></tr><tr><td class="null" colspan="1">no rows' in page
    assert "    customer:\n    id  city\n    --  ----\n    7   NULL\n" in text(document)


def test_the_lines_that_changed_are_shown_where_texts_are_alike() -> None:
    left = "SELECT id\nFROM orders\nWHERE total > 1\nORDER BY id"
    document = explained(left, left.replace("> 1", ">= 2"))
    assert "    SELECT id\n      FROM orders\n    - WHERE total > 1\n    + WHERE total >= 2\n" in text(document)
    assert "```diff\n  SELECT id\n" in FORMATS["markdown"](document)
    page = FORMATS["html"](document)
    assert "<del>- WHERE total &gt; 1\n</del><ins>+ WHERE total &gt;= 2\n</ins>" in page
    assert "line by line" not in text(explained("SELECT id FROM orders", "SELECT DISTINCT id FROM orders"))
