"""Values that may be None, as core values: Optional[T] is ((present,), value), and None alone is ((False,),).

A value that is missing has the smallest value of its type in its place, so that equal values have one code. The source
cannot make the tuple of one bool that marks an option (`values.basic` and `types` refuse it), so a type says by its
shape whether it is an option. Python has one None: an option of an option is the option itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply_function,
    build,
    conjunction,
    constant,
    default_term,
    element,
    ite,
    less_equal,
    negation,
    project,
    to_rational,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, BasicType, TupleType, Type, Value, default_value
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import PARTIAL_FLOATS, NominalType, content, wrapped
from tallystick.frontends.pyspark.values.record_types import RecordType, alike

MARK: Final = TupleType((BOOL,))
NONE: Final = TupleType((MARK,))
"""The type of an expression that is always None."""
MISSING: Final = tuple_of(tuple_of(FALSE))
"""None, of the type NONE."""


def optional(of: BasicType) -> TupleType:
    """The type of values of a type, or None."""
    return of if is_option(of) or of == NONE else TupleType((MARK, of))  # type: ignore[return-value]


def is_option(of: Type) -> bool:
    """Whether a type holds None beside other values."""
    return isinstance(of, TupleType) and len(of.components) == 2 and of.components[0] == MARK


def is_tuple(of: Type) -> bool:
    """Whether a type is one of Python's tuples."""
    if isinstance(of, RecordType):
        return of.kind == "NamedTuple"
    if isinstance(of, NominalType):
        return False
    return isinstance(of, TupleType) and not is_option(of) and of not in (NONE, MARK)


def component_count(term: Term) -> int:
    """How many components a term has that is known to be a tuple."""
    if not isinstance(term.type, TupleType):
        raise TypeError("no tuple where one was checked for")
    return len(term.type.components)


def leaves(term: Term) -> list[Term]:
    """The parts of a term that have no parts."""
    if not isinstance(term.type, TupleType):
        return [term]
    return [leaf for index in range(len(term.type.components)) for leaf in leaves(project(term, index))]


def holds_options(of: Type) -> bool:
    """Whether values of a type have codes that are not all of its values: those of None, enums, lists and dicts."""
    if isinstance(of, NominalType):
        return bool(of.members) or isinstance(of, CodedType)
    if isinstance(of, BagType):
        return holds_options(of.element)
    return isinstance(of, TupleType) and (of == MARK or any(map(holds_options, of.components)))


def present(option: Term) -> Term:
    """Whether a value is not None; it is of an option type."""
    return project(project(option, 0), 0)


def given(option: Term) -> Term:
    """The value of an option that is not None."""
    return project(option, 1)


def some(value: Term) -> Term:
    """A value as an option."""
    return tuple_of(tuple_of(TRUE), value)


def missing(of: BasicType) -> Term:
    """None as an option of values of a type."""
    return tuple_of(tuple_of(FALSE), default_of(of))


def default_of(of: BasicType) -> Term:
    """The smallest value of a type, of that very type: a date is no tuple."""
    if not isinstance(of, TupleType):
        return default_term(of)
    parts = [default_of(each) for each in of.components]
    return wrapped(of, *parts) if isinstance(of, NominalType) else alike(of, *parts)


def literal_of(value: Value) -> Term:
    """A plain value as a term."""
    return tuple_of(*map(literal_of, value)) if isinstance(value, tuple) else constant(value)


def is_none(value: Term) -> Term:
    """Whether a value of any basic type is None."""
    if value.type == NONE:
        return TRUE
    return negation(present(value)) if is_option(value.type) else FALSE


def common_type(left: Type, right: Type) -> Type | None:
    """The smallest type of which the values of both are; None when there is none."""
    match left, right:
        case _ if left == right:
            return left
        case BagType(first), BagType(second):
            of = common_type(first, second)
            return BagType(of) if of is not None else None  # type: ignore[arg-type]
        case (BagType(), _) | (_, BagType()):
            return None
    for one, other in ((left, right), (right, left)):
        if one in PARTIAL_FLOATS and other in (INT, RATIONAL):
            return one
    if {left, right} == {INT, RATIONAL}:  # equal ints and floats are equal, and have one hash
        return RATIONAL
    if NONE in (left, right):
        return optional(right if left == NONE else left)
    if is_option(left) or is_option(right):
        of = common_type(*(each.components[1] if is_option(each) else each for each in (left, right)))  # type: ignore
        return optional(of) if of is not None else None  # type: ignore[arg-type]
    if isinstance(left, RecordType) and isinstance(right, RecordType) and left.kind == right.kind == "dict":
        parts = [common_type(one, other) for one, other in zip(left.components, right.components, strict=False)]
        same = left.names == right.names and None not in parts
        return RecordType(tuple(parts), left.names, left.kind, left.definition) if same else None  # type: ignore[arg-type]
    if is_tuple(left) and is_tuple(right) and len(left.components) == len(right.components):  # type: ignore
        parts = [common_type(one, other) for one, other in zip(left.components, right.components, strict=True)]  # type: ignore
        return TupleType(tuple(parts)) if None not in parts else None  # type: ignore[arg-type]
    return None


def converted(term: Term, to: Type) -> Term:
    """The same Python value as a term of a type that `common_type` gave for its own."""
    if term.type == to:
        return term
    if to == RATIONAL:
        known = term.parameter if term.operator is Operator.CONSTANT else None
        return to_rational(term) if known is None else constant(Fraction(known))  # type: ignore[arg-type]
    if isinstance(to, NominalType):
        return wrapped(to, tuple_of(TRUE, converted(term, RATIONAL)))
    if isinstance(to, BagType):
        assert isinstance(term.type, BagType)
        return build(Operator.MAP, (converted(element(term.type.element), to.element), term))
    assert isinstance(to, TupleType)
    if is_option(to):
        of = to.components[1]
        if term.type == NONE:
            return missing(of)
        if is_option(term.type):
            return ite(present(term), some(converted(given(term), of)), missing(of))
        return some(converted(term, of))
    return alike(to, *(converted(project(term, index), part) for index, part in enumerate(to.components)))


def common_type_of(types: Iterable[Type]) -> Type | None:
    """The common type of one or more types; None when there is none."""
    first, *others = types
    of: Type | None = first
    for other in others:
        of = common_type(of, other) if of is not None else None
    return of


def unified(left: Term, right: Term) -> tuple[Term, Term] | None:
    """Both as terms of one type; None when they have none in common."""
    of = common_type(left.type, right.type)
    return None if of is None else (converted(left, of), converted(right, of))


def canonical(term: Term) -> Term:
    """The value of an input, whatever it has in the place of what is missing."""
    if isinstance(term.type, BagType):
        each = element(term.type.element)
        return build(Operator.MAP, (canonical(each), term)) if holds_options(term.type) else term
    if not holds_options(term.type):
        return term
    if isinstance(term.type, CodedType):
        return wrapped(term.type, apply_function(term.type.input_code, TEXT, content(term)))
    if isinstance(term.type, NominalType):
        number, last = project(term, 0), len(term.type.members) - 1
        inside = conjunction(less_equal(constant(0), number), less_equal(number, constant(last)))
        return wrapped(term.type, ite(inside, number, constant(0)))
    if term.type == NONE:
        return MISSING
    assert isinstance(term.type, TupleType)
    if is_option(term.type):
        return ite(present(term), some(canonical(given(term))), missing(term.type.components[1]))
    return alike(term.type, *(canonical(project(term, index)) for index in range(len(term.type.components))))


def implies_literal(known: Term, literal: Term) -> bool:
    """Whether a condition surely implies another, by its connectives alone."""
    if literal is TRUE:
        return True
    atoms = [
        (each.arguments[0], False) if each.operator is Operator.NOT else (each, True) for each in _conjuncts(known)
    ]
    negated = literal.operator is Operator.NOT
    denied = literal.arguments[0] if negated else literal
    assumed: dict[Term, bool | None] = {**dict(atoms), denied: negated}
    return any(
        _truth(atom, assumed if atom is denied else {**assumed, atom: None}) is (not holds) for atom, holds in atoms
    )


def _conjuncts(term: Term) -> Iterator[Term]:
    if term.operator is Operator.AND:
        for each in term.arguments:
            yield from _conjuncts(each)
    else:
        yield term


def _truth(term: Term, assumed: dict[Term, bool | None]) -> bool | None:
    """The truth value that follows from what is assumed of its parts."""
    value = assumed.get(term)
    if value is not None:
        return value
    match term.operator:
        case Operator.CONSTANT:
            return term is TRUE
        case Operator.NOT:
            inner = _truth(term.arguments[0], assumed)
            return None if inner is None else not inner
        case Operator.AND | Operator.OR:
            parts = {_truth(each, assumed) for each in term.arguments}
            decisive = term.operator is Operator.OR
            return decisive if decisive in parts else (None if None in parts else not decisive)
    return None


def narrowed(term: Term, known: Term) -> Term:
    """The same Python value, of a type without None where a condition implies that it is not None."""
    of = term.type
    if is_option(of):
        there = present(term)
        known_there = there is not FALSE and implies_literal(known, there)
        return narrowed(given(term), known) if known_there else term
    if isinstance(of, RecordType) or not (is_tuple(of) and holds_options(of)):
        return term
    parts = [project(term, index) for index in range(len(of.components))]  # type: ignore[union-attr]
    fewer = [narrowed(part, known) for part in parts]
    return term if fewer == parts else tuple_of(*fewer)


def python_value(value: Any) -> Any:
    """The Python value that a core value stands for; a bag's elements likewise."""
    if isinstance(value, dict):
        result: dict[Any, int] = {}
        for each, count in value.items():
            shown = python_value(each)
            result[shown] = result.get(shown, 0) + count
        return result
    if isinstance(value, list):
        return list(map(python_value, value))
    if not isinstance(value, tuple):
        return value
    match value:
        case ((True,), there):
            return python_value(there)
        case ((False,), _) | ((False,),):
            return None
    return tuple(map(python_value, value))


def in_order(value: Any) -> Any:
    """A sort key of values of one type, in which None comes first."""
    if isinstance(value, tuple):
        return 1, tuple(map(in_order, value))
    return (0, 0) if value is None else (1, value)


def core_value(value: Any, of: Type) -> Any:
    """The core value of a type that stands for a Python value; a bag is element -> multiplicity."""
    if isinstance(of, BagType):
        return {core_value(each, of.element): count for each, count in value.items()}
    if of == NONE:
        return ((False,),)
    if is_option(of):
        inner = of.components[1]  # type: ignore[union-attr]
        return ((False,), default_value(inner)) if value is None else ((True,), core_value(value, inner))
    if isinstance(of, TupleType):
        return tuple(core_value(each, part) for each, part in zip(value, of.components, strict=True))
    return value
