"""Claims that print alike are equal: whoever reads what an audit prints knows what was checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice, product

import pytest
from dataflow.test_cut_rule import certificate as flow
from dataflow.test_cut_rule import draw
from tallystick.certificates.audit import described
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.queries.printing import table_lines
from tallystick.certificates.reader import read
from tallystick.certificates.words import filled, quoted
from tallystick.core.errors import TallystickError
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlType
from tallystick.core.terms import build, constant, tuple_of
from tallystick.core.types import INT, TupleType

from certificates import examples
from certificates.claim_mutants import AnyCertificate, claim_of, mutants
from certificates.query_samples import SAMPLES, sample

PROGRAMS = (
    *(examples.totals_by_key, examples.different_bags, examples.different_values, examples.congruent),
    *(examples.sum_over_a_union, examples.halves, examples.by_a_middle),
)


def opaque() -> DataflowCertificate:
    made = flow()
    return replace(made, new=(*made.new, draw("d", True), draw("e")), result=made.claims)


CLAIMS: dict[str, Callable[[], AnyCertificate]] = {
    **{name: lambda name=name: read(sample(name)[1]) for name in SAMPLES},
    **{each.__name__: each for each in PROGRAMS},
    "dataflow": flow,
    "opaque operators": opaque,
}
FEW = (
    "a list",
    "functions and dates",
    "an outer join",
    "totals_by_key",
    "different_bags",
    "opaque operators",
)


def printed(certificate: AnyCertificate) -> str | None:
    """What a report prints of a claim, broken into lines; None where it cannot be printed, and so is not accepted."""
    try:
        return str(described(certificate)).rpartition("\noracles")[0]
    except (TallystickError, ValueError):
        return None


def alike(certificate: AnyCertificate, others: Iterable[AnyCertificate]) -> int:
    """How many claims were printed; fails where two print alike that are not equal."""
    found = {printed(certificate): repr(claim_of(certificate))}
    number = 0
    for other in others:
        text, claim = printed(other), repr(claim_of(other))
        if text is not None:
            number += 1
            assert found.setdefault(text, claim) == claim, text
    return number


@pytest.mark.parametrize("name", FEW)
def test_claims_that_print_alike_are_equal(name: str) -> None:
    """Each tenth of them: all of them go through `test_all_claims_that_print_alike_are_equal`."""
    made = CLAIMS[name]()
    assert alike(made, islice(mutants(made), 0, 700, 10)) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_all_claims_that_print_alike_are_equal(name: str) -> None:
    made = CLAIMS[name]()
    assert alike(made, mutants(made)) >= 20


def test_columns_of_one_name_are_told_apart_in_keys() -> None:
    made = CLAIMS["a check"]()
    twice = (Column("a", INTEGER), Column("a", INTEGER), Column("b", INTEGER))
    tables = [Table("x", twice, (key,)) for key in ((0,), (1,), (2,))]
    claims = [replace(made, catalogue=Catalogue((*made.catalogue.tables, table))) for table in tables]  # type: ignore[call-arg, union-attr]
    texts = [printed(claim) or "" for claim in claims]
    assert [text.partition("  key (#0'a')")[1] != "" for text in texts] == [True, False, False]
    assert "  key (#1'a')" in texts[1]
    assert "  key ('b')" in texts[2]


@pytest.mark.parametrize("of", [INTEGER, DECIMAL, DATE, TIMESTAMP, TEXT])
def test_ranges_of_columns_are_told_apart(of: SqlType) -> None:
    bounds = (
        None,
        *(sign * end for sign in (1, -1) for end in (1, 9, 127, 128, 999, 10**6, 999_999, 2**31 - 1, 2**31)),
    )
    ranges = [Range(scale, *ends) for scale in range(-6, 4) for ends in product(bounds, repeat=2)]
    ranges += [Range(length=length) for length in (0, 1, 20)]
    shown: dict[str, Range] = {}
    for each in filter(lambda room: room.is_of(of), ranges):
        table = Table("t", (Column("c", of, True, each),))
        text = "".join(table_lines(table, Catalogue((table,))))
        assert shown.setdefault(text, each) == each, text
    assert shown


def test_tuples_say_of_which_type_they_are() -> None:
    made = examples.filter_and_map()
    pair = tuple_of(constant(1), constant(2))
    same = build(Operator.TUPLE, pair.arguments, TupleType((INT, INT)))
    claims = [replace(made, left=replace(made.left, expression=each)) for each in (pair, same)]
    assert printed(claims[0]) != printed(claims[1])


def test_quoted_texts_can_be_read_back() -> None:
    texts = ["a b", "a  b", "a   b", "  ", " ", "a\\x20b", "a \\x20b", "a'b", 'a"b', "a\nb", "a\u2028b"]
    shown = [quoted(text) for text in texts]
    assert [eval(each) for each in shown] == texts
    assert not any("  " in each for each in shown)


def test_lines_are_broken_at_blanks_alone() -> None:
    words = [f"{'long-' * number}word" for number in range(40)]
    lines = filled("claim", "\n".join((" ".join(words), "second line"))).splitlines()
    assert " ".join(line.strip() for line in lines) == " ".join(("claim    ", *words, "second line"))
    assert [line for line in lines[1:] if not line.startswith(" " * 16)] == [" " * 10 + "second line"]
