"""Calls of RDD methods: their arguments, read by the names that PySpark gives its parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from tallystick.core.terms import TRUE, Operator, Term, accumulator, element, project
from tallystick.core.types import BagType, BasicType, TupleType, Type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.folds import FoldCall, Merge
from tallystick.frontends.pyspark.rdds.lineages import is_marking
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.describing import (
    as_bag,
    basic,
    basic_type,
    describe,
    show_type,
    what_to_do_with,
)
from tallystick.frontends.pyspark.values.held_lists import rows_of
from tallystick.frontends.pyspark.values.kinds import Frame, Generator, Listing, Literals, Record, Value
from tallystick.frontends.pyspark.values.nominal_types import PARTIAL_FLOATS, NominalType
from tallystick.frontends.pyspark.values.options import (
    MISSING,
    common_type,
    common_type_of,
    component_count,
    converted,
    holds_options,
    is_tuple,
)
from tallystick.frontends.pyspark.values.record_types import RecordType, unhashable_in


def _constant(accepts: Callable[[object], bool]) -> Callable[[ast.expr], bool]:
    return lambda node: isinstance(node, ast.Constant) and accepts(node.value)


def _is_positive(value: object) -> bool:
    return type(value) is int and value > 0


TUNING: Final[dict[str, tuple[str, Callable[[ast.expr], bool]]]] = {
    "depth": ("a positive int", _constant(_is_positive)),
    "blocking": ("True or False", _constant(lambda value: type(value) is bool)),
    "numPartitions": ("a positive int", _constant(_is_positive)),
    "minPartitions": ("None or a positive int", _constant(lambda value: value is None or _is_positive(value))),
    "numSlices": ("None or a positive int", _constant(lambda value: value is None or _is_positive(value))),
    "numPartitions=None": ("None or a positive int", _constant(lambda value: value is None or _is_positive(value))),
    "prefetchPartitions": ("True or False", _constant(lambda value: type(value) is bool)),
    "preservesPartitioning": ("False", _constant(lambda value: value is False)),
    "shuffle": ("True or False", _constant(lambda value: type(value) is bool)),
}
"""Parameters that only tune the execution, and the arguments for which they change no result."""
TUNED: Final = "#"
"""Before what such a parameter is, among the arguments of a call that is read with marks (see `lineages`)."""


@dataclass(frozen=True)
class Signature:
    """A method's name and parameters, read from a text such as "join(other, numPartitions=None)"."""

    text: str
    name: str
    parameters: dict[str, str]  # a parameter's name -> the text of its default, or ""

    @classmethod
    def of(cls, text: str) -> Signature:
        """The signature that a text describes."""
        name, _, listed = text.rstrip(")").partition("(")
        pairs = [each.strip().partition("=") for each in listed.split(",") if each.strip()]
        return cls(text, name, {parameter: default for parameter, _, default in pairs})

    def tuning(self, parameter: str) -> tuple[str, Callable[[ast.expr], bool]] | None:
        """What a parameter that only tunes the execution may be; None for any other parameter."""
        return TUNING.get(f"{parameter}={self.parameters[parameter]}", TUNING.get(parameter))


def require_hashable(of: Type, place: Place, what: str) -> None:
    """Raise SourceError for a type whose values Python cannot hash."""
    if (found := unhashable_in(of)) is not None:
        if isinstance(found, RecordType) and found.kind == "dict":
            raise place.error(f"{what} holds a dictionary, which has no hash", "make a tuple of its values")
        if isinstance(found, CodedType):
            raise place.error(f"{what} is of type {found}, which has no hash", "make a tuple of it")
        if found in PARTIAL_FLOATS:
            raise place.error(f"{what} may be nan, which equals nothing, or inf", "test `stats().count()` before")
        if isinstance(found, NominalType):
            message = f"{what} is of the class `{found}`, whose objects are told apart by which object they are"
            raise place.error(message, "take texts of it")
        if found.kind == "object":
            message = f"{what} is an object of the class `{found}`, and these are told apart by which object it is"
            raise place.error(message, "make it a frozen dataclass")
        raise place.error(f"{what} is of the dataclass `{found}`, which has no hash", "write `@dataclass(frozen=True)`")


@dataclass(frozen=True)
class Call:
    """A call of an RDD method: the RDD, and its arguments by the names of PySpark's parameters."""

    reader: Reading
    receiver: Term | None
    name: str
    place: Place
    arguments: dict[str, tuple[Place, Value]]

    @property
    def bag(self) -> Term:
        """The RDD; there is none of a SparkContext, nor of literals."""
        assert self.receiver is not None
        return self.receiver

    @property
    def element(self) -> BasicType:
        """The type of the RDD's elements."""
        return element_of(self.bag)

    @property
    def pair(self) -> tuple[BasicType, BasicType]:
        """The types of key and value; raises SourceError unless the elements are pairs."""
        return self.pair_of(self.bag, self.place)

    def pair_of(self, bag: Term, place: Place) -> tuple[BasicType, BasicType]:
        """The types of key and value of an RDD's elements; raises SourceError unless they are pairs."""
        match bag.type:
            case BagType(TupleType((key, value)) as of) if is_tuple(of):
                require_hashable(key, place, "a key")
                return key, value
        raise place.error(f"`{self.name}` needs an RDD of pairs, and this is {describe(bag)}")

    def with_one_key_type(self, parameter: str) -> tuple[Term, Term]:
        """This RDD and another, both of pairs whose keys have one type; raises SourceError when they have none."""
        other, place = self.rdd(parameter), self.arguments[parameter][0]
        pairs = self.pair, self.pair_of(other, place)
        key = common_type(pairs[0][0], pairs[1][0])
        if key is None:
            keys = f"keys of type {show_type(pairs[0][0])} with keys of type {show_type(pairs[1][0])}"
            raise place.error(f"`{self.name}` of {keys}", "the keys of both must have one type")
        first, second = (BagType(TupleType((key, value))) for _, value in pairs)  # type: ignore[arg-type]
        return converted(self.bag, first), converted(other, second)

    def condition(self, parameter: str, value: Term) -> Term:
        """When Python finds true what the function of a filter returns."""
        place, function = self.arguments[parameter]
        return self.reader.condition_of(function, place, value)

    def rdd(self, parameter: str) -> Term:
        """An argument that is an RDD."""
        place, value = self.arguments[parameter]
        value = as_bag(value)
        if isinstance(value, Term) and isinstance(value.type, BagType):
            return value
        raise place.error(f"`{self.name}` needs an RDD here, and this is {describe(value)}", what_to_do_with(value))

    def literals(self, parameter: str) -> Literals | None:
        """An argument that is an RDD of literals; None for any other."""
        _, value = self.arguments[parameter]
        return value if isinstance(value, Literals) else None

    def value(self, parameter: str) -> Term:
        """An argument of a basic type."""
        place, value = self.arguments[parameter]
        return basic(value, place, f"`{parameter}`")

    def apply(self, parameter: str, *values: Term) -> Term:
        """The result of the function that is given as an argument, on these values."""
        place, function = self.arguments[parameter]
        return basic(self.reader.udf(function, place, *values), place, "what this function returns")

    def items(self, parameter: str, value: Term, may_be_empty: bool = False) -> list[tuple[Term, Term]]:
        """The items of the list or tuple that a function returns, each with the condition under which it is there.

        Raises SourceError when there is never one, unless `may_be_empty`.
        """
        place, function = self.arguments[parameter]
        return self.listed(parameter, self.reader.udf(function, place, value), may_be_empty)

    def listed(self, parameter: str, result: Value, may_be_empty: bool = False) -> list[tuple[Term, Term]]:
        """The items of a list or tuple that a function returned, as `items` gives them."""
        place, _ = self.arguments[parameter]
        if isinstance(result, Generator):
            result = Listing(result.items)
        if isinstance(result, Record):
            result = rows_of(result) or result
        if isinstance(result, Term) and is_tuple(result.type):
            result = Listing(tuple((TRUE, project(result, index)) for index in range(component_count(result))))
        if not isinstance(result, Listing):
            message = f"this function must return a list or a tuple, and returns what is {describe(result)}"
            raise place.error(message, "return a list or tuple of fixed length, or `[…] if c else […]` of these")
        if may_be_empty and not result.items:
            return []
        types = [item.type for _, item in result.items]
        of = common_type_of(types) if types else None
        if of is None:
            shown = " and ".join(sorted(set(map(show_type, types))))
            message = f"the items have types {shown}" if types else "the list is always empty"
            raise place.error(message, "return items of one type, at least one on some path")
        return [(condition, converted(item, of)) for condition, item in result.items]

    def step(self, parameter: str, initial: Term, folded: BasicType) -> tuple[Term, Term]:
        """Initial value and UDF of a fold, of one type: the smallest that holds `initial` and what the UDF returns."""
        state, udf = self.widened(
            parameter, initial, lambda state: self.apply(parameter, accumulator(state), element(folded))
        )
        return converted(initial, state), udf

    def widened(self, parameter: str, first: Term, udf: Callable[[BasicType], Term]) -> tuple[BasicType, Term]:
        """The smallest type of states that holds `first` and what the UDF over states of it returns, and that UDF."""
        state = basic_type(first)
        while True:
            result = udf(state)
            wider = common_type(state, result.type)
            if wider is None or isinstance(wider, BagType):
                message = f"this function returns {show_type(result.type)}, but the fold starts from "
                raise self.arguments[parameter][0].error(message + show_type(first.type), "both have one type")
            if wider == state:
                return state, converted(result, state)
            state = wider

    def merge(self, parameter: str, state: BasicType) -> Term:
        """A function as one that merges results of partitions, over accumulator and element of the fold's type."""
        result = self.apply(parameter, accumulator(state), element(state))
        if common_type(state, result.type) != state:
            message = f"this function returns {show_type(result.type)} for results of type {show_type(state)}"
            raise self.arguments[parameter][0].error(message, "both have one type")
        return converted(result, state)

    def step_as_merge(self, parameter: str, state: BasicType, folded: BasicType) -> Merge:
        """How a fold whose step also merges does that; raises SourceError where Python would on a None."""
        if state == folded or not (holds_options(state) or holds_options(folded)):
            return "step"
        place, _ = self.arguments[parameter]
        try:
            return self.merge(parameter, state)
        except SourceError as problem:
            message = f"Spark also gives this function results of partitions, where {problem.message}"
            raise place.error(
                message, "write `aggregate` or `aggregateByKey`, whose second function takes these"
            ) from None

    def folded(
        self,
        aggregate: Term,
        merge: Merge,
        result: Term | None = None,
        *,
        two_functions: bool = False,
        parts: tuple[Term, ...] = (),
    ) -> Term:
        """An aggregate that the method makes, noted with what Spark makes of the results of partitions."""
        source, (line, column) = self.place.source, self.place.position
        where = source.file, *source.shown(line), column
        self.reader.folds.append(FoldCall(self.name, aggregate, merge, result, *where, two_functions, parts))
        return aggregate


T = TypeVar("T")


def attempted(reader: Reading, read: Callable[[], T]) -> T | None:
    """What a reading gives; None where it is refused, and then nothing is noted of it."""
    before = reader.noted()
    try:
        return read()
    except SourceError:
        reader.forget(before)
        return None


def element_of(bag: Term) -> BasicType:
    """The type of the elements of a term that is known to be a bag."""
    if not isinstance(bag.type, BagType):
        raise TypeError("a basic value where an RDD was checked for")
    return bag.type.element


def read_arguments(
    reader: Reading, signature: Signature, node: ast.Call, method: Place, frame: Frame
) -> dict[str, tuple[Place, Value]]:
    """The arguments of a call by parameter; those that only tune the execution are checked and left out."""
    source = method.source
    keywords = [(each.arg or "", source.place(each.value), each.value) for each in node.keywords]
    by_position = [(source.place(each), each) for each in node.args]
    arguments: dict[str, tuple[Place, Value]] = {}
    for parameter, (place, value) in _by_parameter(signature, method, by_position, keywords).items():
        if not _only_tunes(signature, parameter, place, value):
            arguments[parameter] = place, reader.evaluate(value, frame)
        elif is_marking():
            arguments[f"{TUNED}{parameter}={ast.unparse(value)}"] = place, MISSING
    return arguments


_Given = TypeVar("_Given")


def _by_parameter(
    signature: Signature,
    method: Place,
    by_position: list[tuple[Place, _Given]],
    by_name: list[tuple[str, Place, _Given]],
) -> dict[str, tuple[Place, _Given]]:
    """What is given for each parameter; raises SourceError where a call does not fit the signature."""
    parameters, takes = list(signature.parameters), f"`{signature.text}`"
    if len(by_position) > len(parameters):
        raise by_position[len(parameters)][0].error(f"one argument too many for {takes}")
    found: dict[str, tuple[Place, _Given]] = {}
    pairs = zip(parameters, by_position, strict=False)
    for parameter, place, value in [*((name, *given) for name, given in pairs), *by_name]:
        if parameter not in parameters:
            raise place.error(f"`{parameter}` is no argument that is supported of {takes}")
        if parameter in found:
            raise place.error(f"`{parameter}` is given twice to {takes}")
        found[parameter] = place, value
    for parameter, default in signature.parameters.items():
        if not default and parameter not in found:
            raise method.error(f"`{parameter}` is missing: {takes}")
    return found


def _only_tunes(signature: Signature, parameter: str, place: Place, value: ast.expr) -> bool:
    """Whether an argument only tunes the execution; raises SourceError where it may do more."""
    tuning = signature.tuning(parameter)
    if tuning is not None and not tuning[1](value):
        raise place.error(f"`{parameter}` must be {tuning[0]}", "it may only tune the execution")
    return tuning is not None


def bound_arguments(
    signature: Signature, method: Place, given: list[Value], named: dict[str, Value]
) -> dict[str, tuple[Place, Value]]:
    """The same of a call whose arguments are known by their values."""
    by_position, by_name = [(method, each) for each in given], [(name, method, each) for name, each in named.items()]
    arguments: dict[str, tuple[Place, Value]] = {}
    for parameter, (place, value) in _by_parameter(signature, method, by_position, by_name).items():
        known = value.parameter if isinstance(value, Term) and value.operator is Operator.CONSTANT else value
        known = None if value is MISSING else known
        if not _only_tunes(signature, parameter, place, ast.Constant(known)):  # type: ignore[arg-type]
            arguments[parameter] = place, value
        elif is_marking():
            arguments[f"{TUNED}{parameter}={known!r}"] = place, MISSING
    return arguments


def method_place(place: Place) -> Place:
    """The place of the method's name, where `place` is that of `rdd.method`."""
    node = place.node
    if not isinstance(node, ast.Attribute):
        return place
    name = ast.Name(node.attr, ast.Load())
    name.lineno = name.end_lineno = node.end_lineno or node.lineno
    name.end_col_offset = node.end_col_offset or 0
    name.col_offset = max(name.end_col_offset - len(node.attr.encode()), 0)
    return Place(place.source, name)
