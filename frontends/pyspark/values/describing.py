"""What values are, in words and in Python's notation, and what they are as terms."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tallystick.core.errors import FragmentError
from tallystick.core.terms import Operator, Term, build, element, project
from tallystick.core.types import (
    BagType,
    BasicType,
    BoolType,
    IntType,
    OptionType,
    RationalType,
    TextType,
    TupleType,
    Type,
    is_basic,
)
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.dictionaries import dictionary_of
from tallystick.frontends.pyspark.values.groups import Firsts, Gathered, Group, GroupDictionary, PerhapsGroup, Products
from tallystick.frontends.pyspark.values.kinds import (
    Broadcast,
    Builtin,
    Choice,
    Closure,
    Collected,
    ConstantSet,
    Dictionary,
    DictionaryOfGroups,
    EnumClass,
    Flags,
    Generator,
    Grouped,
    GroupJoin,
    Growing,
    Ignored,
    Instance,
    Interval,
    Listing,
    Literals,
    Module,
    Objects,
    Outer,
    Partial,
    Pattern,
    Pieces,
    Raises,
    Ranked,
    Record,
    RecordClass,
    Setting,
    Sorted,
    SparkContextValue,
    Spread,
    StatCounter,
    Table,
    Taken,
    Tally,
    Unusable,
    Value,
    WiderSet,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType
from tallystick.frontends.pyspark.values.options import NONE, is_option
from tallystick.frontends.pyspark.values.record_types import RecordType, record_of

_AT_THE_DRIVER: Final = "supported are len, sum, min, max, any, all, sorted, dict, and comprehensions over it"


def show_type(of: Type) -> str:
    """A type in Python's notation."""
    match of:
        case IntType():
            return "int"
        case BoolType():
            return "bool"
        case RecordType() | NominalType():
            return str(of)
        case TupleType((_, value)) if is_option(of):
            return f"{show_type(value)} | None"
        case TupleType(components):
            if of == NONE:
                return "None"
            return f"tuple[{', '.join(map(show_type, components))}]"
        case BagType(element):
            return f"RDD[{show_type(element)}]"
        case TextType():
            return "str"
        case RationalType():
            return "float"
        case OptionType():
            raise FragmentError(f"no RDD program has values of type {of}")


def leaves(of: Type) -> int:
    """How many values without parts a value of a type holds, or an element of a bag type."""
    match of:
        case TupleType(components):
            return sum(map(leaves, components))
        case BagType(element):
            return leaves(element)
    return 1


def describe(value: Value) -> str:
    """What a value is, for messages."""
    match value:
        case Term():
            return f"of type {show_type(value.type)}"
        case Closure() | Builtin() | Partial():
            return "a function"
        case RecordClass():
            return "a class"
        case Instance(made):
            return f"an object of the class `{made.name}`"
        case Module():
            return "a module"
        case Listing():
            return "a list"
        case Interval():
            return "a range whose bounds are not constant"
        case Pieces() | Spread():
            return "a list of unknown length"
        case Tally():
            return "a Counter of a list of unknown length"
        case Flags():
            return "a flag of regular expressions"
        case Pattern():
            return "a regular expression"
        case Generator():
            return "a generator"
        case ConstantSet():
            return "a set"
        case WiderSet():
            return "a set of an RDD's elements and constants"
        case Table():
            return "a dictionary of constants"
        case Group():
            return "a group of values"
        case GroupDictionary():
            return "a dictionary of a group"
        case Products():
            return "a list of what is made of pairs of items of groups"
        case Gathered(kind):
            return f"a {kind} of values of one call"
        case Firsts():
            return "a list of the first items of a group"
        case Record():
            return "a tuple with groups of values"
        case Grouped(at_driver=at_driver):
            return "a list of groups" if at_driver else "an RDD of groups"
        case PerhapsGroup():
            return "a group of values, or None"
        case GroupJoin():
            return "an RDD of pairs and groups"
        case Outer(method):
            return f"an RDD that `{method}` made, in which rows may have no partner"
        case SparkContextValue(is_session):
            return "a SparkSession" if is_session else "a SparkContext"
        case Broadcast():
            return "a broadcast variable"
        case Literals():
            return "an RDD of literals"
        case Dictionary(kind=kind):
            return "a set of the elements of an RDD" if kind == "set" else "a dictionary"
        case DictionaryOfGroups():
            return "a dictionary of lists or sets"
        case Taken():
            return "a list of some elements of an RDD, which depends on their order"
        case Growing():
            return "an empty dictionary"
        case StatCounter():
            return "what `stats` gives"
        case Setting():
            return "a storage level"
        case Raises():
            return "an exception"
        case Ignored():
            return "a function without a result"
        case EnumClass():
            return "a class"
        case Sorted():
            return "an RDD in an order"
        case Ranked() | Collected():
            return "a list of the elements of an RDD"
        case Objects(value):
            return f"an RDD of what is {describe(value)}"
        case Choice(reason=reason):
            return f"a value that {reason}"
        case Unusable():
            return "a value that is not supported"


def what_to_do_with(value: Value) -> str:
    """What a value that is no term may be used for, as a hint; "" for others."""
    match value:
        case Choice():
            return "only the truth of `and` and `or` is read where the operands differ in type: write `a if c else b`"
        case Generator():
            return "make a list of it"
        case Pieces() | Spread():
            return "supported of such a list are constant indices, len, unpacking, and to return it to `flatMap`"
        case ConstantSet():
            return "supported of a set of constants are `in`, loops, and len, sum, min, max, any and all"
        case Table():
            return "supported of a dictionary of constants are `in`, `d[k]`, `d.get(k)`, and loops over it"
        case Group():
            return "supported of a group are sum, len, min, max, any, all, set, sorted, list, comprehensions over it"
        case Grouped():
            return "return `mapValues(sorted)` or `mapValues(list)` of it, or a value of each group"
        case PerhapsGroup():
            return "test it for None before: `group or []`, `sum(group) if group else 0`"
        case GroupJoin():
            return "make a value of each, by `mapValues`, or join before `groupByKey`"
        case Dictionary():
            return f"{_AT_THE_DRIVER}; where functions on elements look things up, join the RDD that it is made of"
        case DictionaryOfGroups():
            return "supported of a dictionary of lists or sets are loops over its `items()`, and `d[key]` for its keys"
        case StatCounter():
            return "take its `mean()`, its `stdev()` and the like"
        case Ranked():
            return "supported of a list in an order are `[:n]`, comprehensions that keep each item, and to return it"
        case Collected():
            return f"{_AT_THE_DRIVER}; in functions on elements, join the RDD"
        case Taken():
            return "only its length and its truth are read: write `sortBy(…)` before it, or `takeOrdered` and `top`"
        case Literals():
            return "SparkLite has no constant bags: `cartesian` and joins with literals are supported"
    return ""


def as_bag(value: Value) -> Value:
    """An RDD in an order as the bag of its elements; any other value as it is."""
    if isinstance(value, Sorted):
        pairs = value.pairs
        assert isinstance(pairs.type, BagType)
        return build(Operator.MAP, (project(element(pairs.type.element), 1), pairs))
    return value


def basic(value: Value, place: Place, what: str) -> Term:
    """The value as a term of a basic type."""
    if isinstance(value, Term) and is_basic(value.type):
        return value
    if isinstance(value, Table) and (made := dictionary_term(value)) is not None:
        return made
    if isinstance(value, Instance) and (made := object_term(value)) is not None:
        return made
    message = f"{what} must be an int, a bool, a str or a tuple of these, and is {describe(value)}"
    raise place.error(message, what_to_do_with(value))


def object_term(value: Instance) -> Term | None:
    """An object of a plain class as a term; None where it has no attributes, or one that is no term."""
    parts = {name: object_term(each) if isinstance(each, Instance) else each for name, each in value.attributes.items()}
    terms = {name: each for name, each in parts.items() if isinstance(each, Term) and is_basic(each.type)}
    if not terms or len(terms) < len(parts):
        return None
    types = tuple(basic_type(each) for each in terms.values())
    return record_of(RecordType(types, tuple(terms), "object", value.made), *terms.values())


def dictionary_term(table: Table) -> Term | None:
    """A dictionary as a term; None where a key is no text, or a value is no term."""
    entries: dict[str, Term] = {}
    for key, value in table.entries:
        term = dictionary_term(value) if isinstance(value, Table) else value
        name = constant_value(key)
        if not (isinstance(name, str) and isinstance(term, Term) and is_basic(term.type)):
            return None
        entries[name] = term
    return dictionary_of(entries) if entries else None


def basic_type(term: Term) -> BasicType:
    """The type of a term that is known to be no bag."""
    if isinstance(term.type, BagType):
        raise TypeError("a bag where a basic value was checked for")
    return term.type


def is_rdd(value: Value) -> bool:
    """Whether a value is an RDD, perhaps of groups."""
    return isinstance(value, Grouped | GroupJoin | Outer | Literals | Objects | Sorted) or (
        isinstance(value, Term) and isinstance(value.type, BagType)
    )


def constant_value(value: Value) -> int | str | Fraction | None:
    """The value that a term is, if it is a constant."""
    constant = value.parameter if isinstance(value, Term) and value.operator is Operator.CONSTANT else None
    return constant if isinstance(constant, int | str | Fraction) else None


def literal(value: Value) -> int | bool | None:
    """The number or truth value that a term is, if it is a constant."""
    constant = value.parameter if isinstance(value, Term) and value.operator is Operator.CONSTANT else None
    return constant if isinstance(constant, int) else None
