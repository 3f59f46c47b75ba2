"""Claims with one field of one node changed: what a fuzzer of printing, and of audits, goes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from tallystick.certificates.annotations import Allowed
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.proofs import ASSUMPTIONS, Certificate
from tallystick.certificates.queries.certificates import QueryCertificate
from tallystick.certificates.term_reader import with_terms
from tallystick.core.errors import TallystickError
from tallystick.core.queries.expressions import Expression, Literal, Not
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.syntax import Distinct, Query
from tallystick.core.queries.types import BOOLEAN
from tallystick.core.terms import Term, build
from tallystick.core.types import BOOL, INT, BagType, OptionType, TupleType

AnyCertificate = Certificate | QueryCertificate | DataflowCertificate
NO_CLAIM = ("sources", "producer", "one_values")
"""The parts of certificates that claims do not have; the proofs in `result` are no part either."""
ANNOTATIONS = with_terms(names={"Query": Query, "Expression": Expression})
TYPES = (INT, BOOL, OptionType(INT), TupleType((INT,)), BagType(INT), BagType(BOOL))


def claim_of(certificate: AnyCertificate) -> tuple[Any, ...]:
    """What two certificates have in common whose claims are equal."""
    result: Any = certificate.result if certificate.verdict == "inequivalent" else "equivalent"
    if isinstance(certificate, DataflowCertificate):
        result = certificate.claims
    names = [each.name for each in fields(certificate) if each.name not in (*NO_CLAIM, "result")]
    return (*(getattr(certificate, name) for name in names), result)


def mutants(certificate: AnyCertificate) -> Iterator[AnyCertificate]:
    """Certificates with one field of the claim changed."""
    allowed = ANNOTATIONS.fields(type(certificate))
    for each in fields(certificate):
        if each.name in (*NO_CLAIM, "semantics") or (each.name == "result" and certificate.verdict == "equivalent"):
            continue
        given, kind = getattr(certificate, each.name), allowed[each.name]
        sentences = each.name == "assumptions" and isinstance(certificate, Certificate)
        for value in _subsets(given) if sentences else _changed(given, kind):
            yield replace(certificate, **{each.name: value})


def _subsets(assumptions: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield from (
        tuple(each for each in ASSUMPTIONS if (each in assumptions) is (each != other)) for other in ASSUMPTIONS
    )


def _changed(value: Any, allowed: Allowed | None) -> Iterator[Any]:
    """Values that differ in one field, or in one part, of those that the constructors take."""
    for other in _others(value, allowed):
        if type(other) is not type(value) or other != value:
            yield other
    if isinstance(value, tuple):
        kinds = _items(allowed, len(value))
        for place, part in enumerate(value):
            for other in _changed(part, kinds[place]):
                yield (*value[:place], other, *value[place + 1 :])
    elif isinstance(value, Term):
        yield from _changed_terms(value)
    elif isinstance(value, dict):
        for part in _changed(tuple(value.items()), None):
            yield from _made(lambda part=part: dict(part))
    elif is_dataclass(value):
        kinds = ANNOTATIONS.fields(type(value))
        for each in fields(value):
            for other in _changed(getattr(value, each.name), kinds[each.name]):
                yield from _made(lambda each=each, other=other: replace(value, **{each.name: other}))


def _items(allowed: Allowed | None, size: int) -> list[Allowed | None]:
    if allowed is None or allowed.items is None:
        return [None] * size
    return list(allowed.items) * size if allowed.many else list(allowed.items)


def _others(value: Any, allowed: Allowed | None) -> Iterator[Any]:
    """Other values that may stand in the place of one, whatever its parts are."""
    if allowed is not None:
        yield from dict.fromkeys(allowed.choices.values())
        if type(None) in allowed.scalars:
            yield None
        if value is None:
            yield from (1,) if int in allowed.scalars else ()
            yield from ((), ((0,),)) if allowed.items else ()
            yield from (Range(0, 0, 1), Range(length=1)) if allowed.record(Range.__name__) else ()
            yield from (Literal(True, BOOLEAN),) if allowed.record(Literal.__name__) else ()
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value)
    elif isinstance(value, Fraction):
        yield from (value + 1, value / 2)
    elif isinstance(value, str) and (allowed is None or not allowed.choices):
        yield from (f"{value}x", f"{value} ", f" {value}", value[:-1], value.upper(), f"{value}'", f"{value}'), ('")
    elif isinstance(value, Enum):
        yield from type(value)
    elif isinstance(value, tuple):
        yield from (value[1:], value[:-1], (*value, *value[-1:]), value[::-1])
    elif isinstance(value, Query):
        yield Distinct(value)
    elif is_dataclass(value) and hasattr(value, "operands") and getattr(value, "type", None) is BOOLEAN:
        yield Not(value)  # type: ignore[arg-type]
    elif value in TYPES:
        yield from TYPES


def _changed_terms(term: Term) -> Iterator[Term]:
    for parameter in _changed(term.parameter, None):
        yield from _made(lambda parameter=parameter: build(term.operator, term.arguments, parameter))
    if term.operator.value == "tuple" and term.parameter is None:
        yield from _made(lambda: build(term.operator, term.arguments, term.type))  # type: ignore[arg-type]
    for arguments in _changed(term.arguments, None):
        yield from _made(lambda arguments=arguments: build(term.operator, arguments, term.parameter))


def _made(make: Any) -> Iterator[Any]:
    """What is made, if it can be."""
    try:
        yield make()
    except (TallystickError, TypeError, AttributeError, KeyError, IndexError, ValueError):
        return
