"""Types of records: tuples whose components have names, as NamedTuples and dataclasses have.

While a program is read, the type of a record says its class, so that `order.amount` can be found and a dataclass is no
tuple. What the program means in the end has plain tuples: `erased` takes the names away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from tallystick.core.terms import Operator, Parameter, Term, build
from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import PARTIAL_FLOATS, NominalType

if TYPE_CHECKING:
    from tallystick.frontends.pyspark.values.kinds import RecordClass

RecordKind = Literal["NamedTuple", "dataclass", "dict", "list", "object"]


@dataclass(frozen=True, slots=True)
class RecordType(TupleType):
    """A tuple type whose components are the fields of a class of the source.

    Attributes:
        names: of the fields, in order.
        kind: a NamedTuple is a tuple, and equals every tuple with equal components; a dataclass equals its own kind, as
            does a dictionary with constant keys, which are the names, and a list of a fixed number of items. An object
            of a plain class equals nothing but itself, so it is never compared.
        definition: the class; two classes are two types.
    """

    names: tuple[str, ...]
    kind: RecordKind
    definition: RecordClass

    def __str__(self) -> str:
        return self.definition.name


def record_of(of: RecordType, *components: Term) -> Term:
    """The record of a type with these components."""
    return build(Operator.TUPLE, components, of)


def alike(of: Type, *components: Term) -> Term:
    """A tuple with other components of the types that a tuple type says: a record if it is one's."""
    return build(Operator.TUPLE, components, of if isinstance(of, RecordType) else None)


def dataclasses_in(of: Type) -> list[RecordType]:
    """The types of dataclass records and dictionaries within a type, in order."""
    match of:
        case TupleType(components):
            inside = [found for each in components for found in dataclasses_in(each)]
            return [of, *inside] if isinstance(of, RecordType) and of.kind != "NamedTuple" else inside
        case BagType(element):
            return dataclasses_in(element)
    return []


def unhashable_in(of: Type) -> RecordType | NominalType | None:
    """A type within a type whose values cannot be keys, nor elements of a set; None where there is none."""
    match of:
        case NominalType(by_identity=True) | CodedType(is_hashable=False):
            return of
        case NominalType() if of in PARTIAL_FLOATS:
            return of
        case CodedType(item=item):
            return unhashable_in(item)
        case RecordType(kind="dataclass" | "dict" | "list" | "object", definition=made) if not made.frozen:
            return of
        case TupleType(components):
            return next(filter(None, map(unhashable_in, components)), None)
    return None


def dataclass_in(of: Type) -> RecordType | None:
    """A dataclass within a type whose objects may change; None where there is none."""
    match of:
        case RecordType(kind="dataclass" | "object", definition=made) if not made.frozen:
            return of
        case TupleType(components):
            return next(filter(None, map(dataclass_in, components)), None)
    return None


def holds_objects(of: Type) -> bool:
    """Whether values of a type are, or hold, objects of plain classes."""
    match of:
        case RecordType(kind="object") | NominalType(by_identity=True):
            return True
        case TupleType(components):
            return any(map(holds_objects, components))
        case BagType(element):
            return holds_objects(element)
    return False


def plain_type(of: Type) -> Type:
    """A type without names of fields."""
    match of:
        case TupleType(components):
            return TupleType(tuple(map(plain_type, components)))  # type: ignore[arg-type]
        case BagType(element):
            return BagType(plain_type(element))  # type: ignore[arg-type]
    return of


_TYPED: Final = (Operator.ELEMENT, Operator.ACCUMULATOR, Operator.BOTTOM)


def eraser() -> Callable[[Term], Term]:
    """A function from terms to the same terms over plain tuples, which remembers what it did."""
    done: dict[Term, Term] = {}

    def erased(term: Term) -> Term:
        if term not in done:
            arguments = tuple(map(erased, term.arguments))
            done[term] = build(term.operator, arguments, _plain_parameter(term.operator, term.parameter))
        return done[term]

    return erased


def _plain_parameter(operator: Operator, parameter: Parameter) -> Parameter:
    if operator is Operator.TUPLE:
        return None
    if operator in _TYPED:
        return plain_type(parameter)  # type: ignore
    if operator in (Operator.VARIABLE, Operator.APPLY, Operator.EXPAND):
        name, of = parameter  # type: ignore
        return name, plain_type(of)  # type: ignore[arg-type]
    return parameter
