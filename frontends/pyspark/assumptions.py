"""Under which assumptions a core program means what its source means: these are in the certificate, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tallystick.core.exceptions import may_raise
from tallystick.core.functions import RAISE
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BagType, OptionType, RationalType, TupleType, Type
from tallystick.frontends.pyspark.values.nominal_types import DECIMAL, EXACT

EXACT_FLOATS: Final = "floating-point numbers are exact"
EXACT_DECIMALS: Final = "decimals are exact"
NO_ERRORS: Final = "no expression raises an error"


def raises(term: Term) -> bool:
    """Whether a term is a place where a program raises."""
    return term.operator is Operator.APPLY and term.parameter[0] == RAISE  # type: ignore[index]


def assumed(terms: Iterable[Term]) -> frozenset[str]:
    """What is assumed where a program has these terms, whose types still say their classes."""
    nodes = {node for term in terms for node in subterms(term)}
    types = {node.type for node in nodes}
    found: set[str] = set()
    if any(map(_has_decimals, types)):
        found.add(EXACT_DECIMALS)
    if any(map(_has_floats, types)) or (not found and any(isinstance(of, RationalType) for of in types)):
        found.add(EXACT_FLOATS)
    if any(map(may_raise, nodes)):
        found.add(NO_ERRORS)
    return frozenset(found)


def _has_decimals(of: Type) -> bool:
    return of == DECIMAL or any(map(_has_decimals, _parts(of)))


def _has_floats(of: Type) -> bool:
    """Whether values of a tuple or bag type have floats in them; the content of a Decimal or Fraction is none."""
    return any(isinstance(part, RationalType) or _has_floats(part) for part in _parts(of)) and of not in EXACT


def _parts(of: Type) -> tuple[Type, ...]:
    match of:
        case TupleType(components):
            return components
        case BagType(element):
            return (element,)
        case OptionType(inner):
            return (inner,)
    return ()
