"""Python's truth of values: what `if`, `and`, `or`, `not`, `any`, `all` and `bool` ask."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, equal, ite, negation
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT
from tallystick.frontends.pyspark.python.one_time import is_one_time
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.describing import basic, constant_value, literal
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary
from tallystick.frontends.pyspark.values.enums import as_value
from tallystick.frontends.pyspark.values.groups import HAS_GROUP, Firsts, Group, GroupDictionary, PerhapsGroup
from tallystick.frontends.pyspark.values.kinds import (
    Choice,
    Collected,
    ConstantSet,
    Dictionary,
    DictionaryOfGroups,
    Listing,
    Ranked,
    Table,
    Taken,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import EXACT, PARTIAL_FLOATS, TIMEDELTA, NominalType, content
from tallystick.frontends.pyspark.values.options import NONE, given, is_option, is_tuple, present
from tallystick.frontends.pyspark.values.partial_floats import is_nan, lifted


def truth(value: Value, place: Place, what: str) -> Term:
    """The formula that says that Python finds a value true.

    Booleans are what they are; a number is true unless it is 0, None is false, a tuple has components and is true, as
    dates and members of enums are; a list or group is true if an item is there. Raises SourceError for values of which
    Python's truth is not read.
    """
    if is_one_time(value):
        raise place.error(f"{what} is a generator, which Python always finds true", "make a list of it")
    match value:
        case Listing(items) | Firsts(items):
            return disjunction(*(condition for condition, _ in items))
        case ConstantSet(items):
            return constant(bool(items))
        case Table(entries):
            return constant(bool(entries))
        case Group():
            return value.is_there(place)
        case PerhapsGroup():
            return HAS_GROUP
        case GroupDictionary(keys):
            return keys.is_there(place)
        case Collected() | Dictionary():
            found = (value if isinstance(value, Collected) else value.items).asked("bool", place)
            return _truth_of(basic(found, place, what), place, what)
        case DictionaryOfGroups(keys=keys):
            return truth(keys, place, what)
        case Ranked(of=whole) if whole is not None:
            return truth(whole, place, what)
        case Taken(of, most):
            return truth(of, place, what) if most else FALSE
        case Choice(condition, then, otherwise):
            return ite(condition, truth(then, place, what), truth(otherwise, place, what))
    return _truth_of(basic(value, place, what), place, what)


def _truth_of(term: Term, place: Place, what: str) -> Term:
    if term.type == BOOL:
        return term
    if term.type == INT:
        known = literal(term)
        return negation(equal(term, constant(0))) if known is None else constant(known != 0)
    if term.type == TEXT:
        text = constant_value(term)
        return negation(equal(term, constant(""))) if text is None else constant(text != "")
    if term.type == RATIONAL:
        number = constant_value(term)
        return negation(equal(term, constant(Fraction(0)))) if number is None else constant(number != 0)
    if term.type == NONE:
        return FALSE
    if isinstance(term.type, CodedType):
        return negation(equal(content(term), constant("[]")))
    if is_nan(term):
        there, holds = lifted(lambda each: _truth_of(each, place, what), [term])
        return disjunction(negation(there), holds)
    if isinstance(term.type, NominalType):
        if term.type in PARTIAL_FLOATS:
            raise place.error(f"the truth of {what} is not read, which may be inf", "test `stats().count()`")
        if term.type.is_mixed:
            return _truth_of(basic(as_value(term), place, what), place, what)
        return _truth_of(content(term), place, what) if term.type in (*EXACT, TIMEDELTA) else TRUE
    if is_option(term.type):
        return conjunction(present(term), _truth_of(given(term), place, what))
    if is_tuple(term.type) or is_dictionary(term):
        return TRUE
    raise place.error(f"the truth of {what} is not read", "compare it with a value")
