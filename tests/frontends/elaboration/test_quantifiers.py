"""IN, ANY and ALL of a query as they are written out, against their meaning by brute force."""

from __future__ import annotations

from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import pytest
from tallystick.core.queries.expressions import Expression, Literal
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import UNIT, Project, Values
from tallystick.core.queries.types import INTEGER, ColumnType
from tallystick.frontends.elaboration.quantifiers import for_all, for_any, is_in

TESTS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
VALUES = (None, 0, 1)
BAGS = [bag for size in range(4) for bag in product(VALUES, repeat=size)]


def valued(expression: Expression) -> object:
    ((value,),) = rows_of(Project(UNIT, (expression,)), {})
    return value


def literal(value: int | None) -> Literal:
    return Literal(value, INTEGER)


def table(*rows: tuple[int | None, ...], width: int = 1) -> Values:
    return Values(rows, (ColumnType(INTEGER, True),) * width)


def greatest(truths: list[bool | None]) -> bool | None:
    """The disjunction: true if one is, else NULL if one is, else false."""
    return True if True in truths else None if None in truths else False


def least(truths: list[bool | None]) -> bool | None:
    """The conjunction."""
    return False if False in truths else None if None in truths else True


@pytest.mark.parametrize("operator", TESTS)
def test_any_is_the_disjunction_of_the_comparisons_and_all_the_conjunction(operator: Any) -> None:
    for value, bag in product(VALUES, BAGS):
        truths = [None if None in (value, each) else TESTS[operator](value, each) for each in bag]
        rows = table(*((each,) for each in bag))
        assert valued(for_any(operator, literal(value), rows)) is greatest(truths)
        assert valued(for_all(operator, literal(value), rows)) is least(truths)
        if operator == "=":
            assert valued(is_in((literal(value),), rows)) is greatest(truths)


def test_a_row_is_in_a_query_if_all_of_its_columns_are_equal_to_those_of_one_row() -> None:
    pairs = list(product(VALUES, repeat=2))
    for left, size in product(pairs, range(3)):
        for rows in product(pairs, repeat=size):
            truths = [
                least([None if None in each else each[0] == each[1] for each in zip(left, r, strict=True)])
                for r in rows
            ]
            assert valued(is_in(tuple(map(literal, left)), table(*rows, width=2))) is greatest(truths)
