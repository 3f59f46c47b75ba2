"""Where Python may raise for a function that a term applies."""

from __future__ import annotations

import pytest
from tallystick.core.exceptions import may_raise
from tallystick.core.functions import RAISE
from tallystick.core.terms import Operator, Term, apply_function, build, constant, element, tuple_of, variable
from tallystick.core.types import INT, TEXT, BagType

WORD, LINES = element(TEXT), variable("r", BagType(TEXT))


def expanded(name: str, *of: Term) -> Term:
    return build(Operator.EXPAND, (tuple_of(*of), LINES), (name, TEXT))


@pytest.mark.parametrize(
    ("term", "raises"),
    [
        (apply_function(RAISE, INT), True),
        (apply_function("int", INT, WORD), True),
        (apply_function("len", INT, WORD), False),
        (apply_function("nothing is known of this", INT, WORD), True),
        (expanded("words", WORD), False),
        (expanded("nothing is known of this", WORD), True),
        (expanded("pieces", WORD, constant(","), constant(-1)), False),
        (expanded("pieces", WORD, constant(""), constant(-1)), True),
        (expanded("pieces", WORD, WORD, constant(-1)), True),
        (expanded("set of pieces", WORD, constant(""), constant(-1)), True),
        (expanded("set of pieces", WORD, constant("-"), constant(-1)), False),
        (WORD, False),
    ],
)
def test_what_may_raise(term: Term, raises: bool) -> None:
    assert may_raise(term) is raises
