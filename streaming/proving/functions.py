"""The functions of a program and of a formula as terms over their arguments, read from their source text."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from tallystick.core.answers import Valid
from tallystick.core.errors import FragmentError
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    ite,
    less_equal,
    negation,
    project,
    substitute,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BasicType, TupleType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.functions import apply_function
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Value
from tallystick.frontends.pyspark.values.options import (
    MISSING,
    common_type,
    common_type_of,
    converted,
    default_of,
    given,
    is_option,
    missing,
    optional,
    present,
    some,
)
from tallystick.streaming.describe import describe
from tallystick.streaming.proving.recording import NotUnderstoodError
from tallystick.streaming.proving.texts import answer, is_decidable

Function = Callable[..., Any]
_SIMPLE_RECORDS: dict[Any, BasicType] = {int: INT, bool: BOOL, str: TEXT}
#: How often the type of states may become wider, for values that may be None in some places.
_WIDER = 6
_ARITHMETIC = (
    "of numbers, proofs know integers: sums, multiples by constants, quotients and remainders by constants, and "
    "comparisons"
)


def type_of_records(of: Any) -> BasicType:
    """The type that `streams_of` was given, as a core type."""
    if of in _SIMPLE_RECORDS:
        return _SIMPLE_RECORDS[of]
    given = get_args(of)
    if get_origin(of) in (typing.Union, types.UnionType) and len(given) == 2 and type(None) in given:
        return optional(type_of_records(next(part for part in given if part is not type(None))))
    parts = () if Ellipsis in given else tuple(map(type_of_records, given))
    if get_origin(of) is not tuple or not parts or parts == (BOOL,):
        raise NotUnderstoodError(f"records of {of!r}: proofs know int, bool, str, Optional[…] and tuples of these")
    return TupleType(parts)


def _read(function: Function, arguments: list[Value]) -> tuple[Value, Place]:
    """The result of a function for arguments, of which none makes it raise."""
    try:
        found = apply_function(function, lambda _: arguments)
    except SourceError as problem:
        raise NotUnderstoodError(_text(function, problem)) from problem
    _refuse_raising(function, found.conditions, TRUE)
    return found.value, found.place


def _text(function: Function, problem: SourceError) -> str:
    return f"the function {describe(function)} is not read: {problem}"


def _refuse_raising(function: Function, conditions: tuple[Term, ...], known: Term) -> None:
    for condition in conditions:
        if not is_valid(implies(known, condition)):
            raise NotUnderstoodError(f"the function {describe(function)} may raise")


def is_valid(formula: Term) -> bool:
    """Whether a formula is known to hold for all values of its variables."""
    try:
        return isinstance(answer(formula), Valid)
    except FragmentError:
        return False


def value_of(function: Function, *arguments: Term) -> Term:
    """What a function returns: a value of a basic type."""
    value, place = _read(function, list(arguments))
    return _plain(function, _of_source(function, lambda: basic(value, place, "what this function returns")))


def truth_of(function: Function, argument: Term) -> Term:
    """Whether Python finds true what a function returns."""
    value, place = _read(function, [argument])
    return _linear(function, _of_source(function, lambda: truth(value, place, "what this function returns")))


def items_from(function: Function, argument: Term) -> list[tuple[Term, Term]]:
    """The items of what a function returns, each with the condition under which it is there; all of one type."""
    value, place = _read(function, [argument])

    def items() -> list[tuple[Term, Term]]:
        return [(there, basic(item, place, "an item")) for there, item in items_of(value, place)]

    found = _of_source(function, items)
    of = common_type_of([item.type for _, item in found]) if found else None
    if of is None:
        raise NotUnderstoodError(f"the function {describe(function)} returns items of no one type, or none")
    return [(_linear(function, there), _plain(function, converted(item, of))) for there, item in found]


def _plain(function: Function, value: Term) -> Term:
    return _linear(function, value)


def _linear(function: Function, term: Term) -> Term:
    """A term that Presburger arithmetic has: the reader knows more, such as products, texts and exact quotients."""
    if not is_decidable(term):
        beyond = next(part for part in subterms(term) if not is_decidable(part))
        raise NotUnderstoodError(f"the function {describe(function)} {_computed_by(beyond)}; {_ARITHMETIC}")
    return term


def _computed_by(term: Term) -> str:
    """What a term that linear arithmetic does not have computes, as a verb and its object."""
    match term.operator, term.parameter:
        case Operator.MULTIPLY, _:
            return "multiplies two values, neither of them a constant"
        case Operator.APPLY, ("floor quotient" | "remainder" | "quotient" | "exact quotient", _):
            return "divides by a value that is no constant"
        case Operator.APPLY, (name, _):
            return f"calls `{name}`"
        case _ if term.type == RATIONAL:
            return "makes fractions, as `/` and floats do"
        case _:
            return f"makes values of type {term.type}"


def _of_source(function: Function, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except SourceError as problem:
        raise NotUnderstoodError(_text(function, problem)) from problem


def literal(record: Any, of: Any) -> Term:
    """A record as a term of a type; a record of another type is not understood."""
    if is_option(of):
        return missing(_given(of)) if record is None else some(literal(record, _given(of)))
    if isinstance(of, TupleType) and type(record) is tuple and len(record) == len(of.components):
        return tuple_of(*map(literal, record, of.components))
    if isinstance(of, TupleType) or _SIMPLE_RECORDS.get(type(record)) != of:
        raise NotUnderstoodError(f"the record {record!r} in the formula is not one of the stream's")
    return constant(record)  # type: ignore[arg-type]


def plain_value(value: Any, of: BasicType) -> Any:
    """The Python value that a value of a type stands for."""
    if is_option(of):
        return plain_value(value[1], _given(of)) if value[0][0] else None
    return tuple(map(plain_value, value, of.components)) if isinstance(of, TupleType) else value


def canonical(value: Term) -> Term:
    """That what stands in the place of each missing value is the smallest of its type, as the reader has it."""
    of = value.type
    if is_option(of):
        alone = same(given(value), default_of(_given(of)))  # type: ignore[arg-type]
        return conjunction(canonical(given(value)), implies(negation(present(value)), alone))
    if not isinstance(of, TupleType):
        return TRUE
    return conjunction(TRUE, *(canonical(project(value, place)) for place in range(len(of.components))))


def _given(of: Any) -> BasicType:
    return of.components[1]


@dataclass(frozen=True)
class Asked:
    """What a builtin makes of the new values, or of what a comprehension makes of each.

    * `name` is "bool", "len", "sum", "any", "all", "max" or "min".
    * `items` are what there is for one value, the variable `item`, each with the condition under which it is there.
    """

    name: str
    item: Term
    items: tuple[tuple[Term, Term], ...]

    @property
    def is_of_values(self) -> bool:
        """Whether it is of the values themselves."""
        return self.items == ((TRUE, self.item),)

    def of(self, value: Term) -> list[tuple[Term, Term]]:
        """The items for a value."""
        replaced = {self.item: value}
        return [(substitute(there, replaced), substitute(item, replaced)) for there, item in self.items]


@dataclass(frozen=True)
class Update:
    """What a function of `updateStateByKey` does, over variables.

    * `numbers` are what it asks of the list of new values, each with the variable that stands for it.
    * `before` are whether there was a state, and which.
    * `there` and `state` are whether there is one afterwards, and which.
    """

    numbers: dict[Asked, Term]
    before: tuple[Term, Term]
    there: Term
    state: Term


@dataclass
class _NewValues:
    """The list of new values, of which only what Python's builtins make of it can be used."""

    of: BasicType
    require: Callable[[Term], None]
    asked: dict[Asked, Term] = field(default_factory=dict)

    def group(self) -> Group:
        item = variable("a new value", self.of)
        return Group(item, ((TRUE, item),), self.ask, "list", at_least_one=False)

    def ask(self, name: str, group: Group, place: Place) -> Term:
        """The variable for what a builtin makes of the list; it does not depend on the order of the values."""
        if group.base is not None:
            what = f"`{name}` of what is made of the new values is not supported"
            raise place.error(what, "use `map`, `filter` and `reduceByKey` before `updateStateByKey`")
        kinds = {item.type for _, item in group.items}
        if name in ("any", "all"):
            if not kinds <= {BOOL, INT}:
                raise place.error(f"`{name}` of values that are no numbers", "use numbers")
            return self._variable(name, group, BOOL)
        if name == "sum":
            if not kinds <= {BOOL, INT}:
                raise place.error("`sum` of values that are no numbers", "use numbers")
            return self._variable(name, group, INT)
        if name in ("max", "min"):
            if kinds != {INT}:
                raise place.error(f"`{name}` of values that are no ints", "use ints")
            there, best = self._variable("bool", group, BOOL), self._variable(name, group, INT)
            self.require(there)
            return build(Operator.ITE, (there, best, best))  # where there is none, it raises
        if name in ("len", "bool"):
            return self._variable(name, group, INT if name == "len" else BOOL)
        raise place.error(f"`{name}` of the new values is not supported")

    def _variable(self, name: str, group: Group, of: BasicType) -> Term:
        key = Asked(name, group.item, group.items)
        number = f" {len(self.asked)}" if not key.is_of_values else ""
        return self.asked.setdefault(key, variable(f"{name} of the new values{number}", of))


def update_of(function: Function, of: BasicType) -> Update:
    """What a function makes of new values of a type and a state before; its states have the smallest type that does."""
    state: BasicType | None = None
    for _ in range(_WIDER):
        found = _updated(function, of, state)
        wider = common_type(found.state.type, state) if state is not None else found.state.type
        if wider is None:
            raise NotUnderstoodError(f"the function {describe(function)} returns states of no one type")
        if wider == state:
            _plain(function, found.state)
            return found
        state = basic_type(found.state) if state is None else wider  # type: ignore[assignment]
    raise NotUnderstoodError(f"the function {describe(function)} returns states of ever larger types")


def _updated(function: Function, of: BasicType, state: BasicType | None) -> Update:
    there, old = variable("there was a state", BOOL), variable("the state before", state or INT)
    before: Term = MISSING
    if state is not None:
        before = tuple_of(tuple_of(there), ite(there, old, default_of(state)))
    asked: dict[Asked, Term] = {}

    def arguments(require: Callable[[Term], None]) -> list[Value]:
        return [_NewValues(of, require, asked).group(), before]

    try:
        found = apply_function(function, arguments)
        result = basic(found.value, found.place, "the state that this function returns")
    except SourceError as problem:
        raise NotUnderstoodError(_text(function, problem)) from problem
    _refuse_raising(function, found.conditions, conjunction(*_always_true(asked)))
    target = optional(result.type if state is None else _common(function, result, state))  # type: ignore[arg-type]
    if not is_option(target):
        raise NotUnderstoodError(f"the function {describe(function)} never returns a state")
    result = converted(result, target)
    for term in (each for part in asked for pair in part.items for each in pair):
        _linear(function, term)
    return Update(asked, (there, old), _linear(function, present(result)), _linear(function, given(result)))


def _common(function: Function, result: Term, state: BasicType) -> BasicType:
    of = common_type(optional(state), result.type)
    if of is None:
        raise NotUnderstoodError(f"the function {describe(function)} returns states of no one type")
    return of  # type: ignore[return-value]


def _always_true(asked: dict[Asked, Term]) -> list[Term]:
    known: list[Term] = []
    for part, number in asked.items():
        if part.name == "len":
            known.append(less_equal(constant(0), number))
            there = asked.get(Asked("bool", part.item, part.items))
            known += [equal(there, less_equal(constant(1), number))] if there is not None else []
    return known


@dataclass(frozen=True)
class Combined:
    """How a function combines two values: it adds them, component by component, or it chooses one of them.

    `result` is over the variables `left` and `right`.
    """

    adds: bool
    left: Term
    right: Term
    result: Term

    def of(self, left: Term, right: Term) -> Term:
        """The result for two values."""
        return substitute(self.result, {self.left: left, self.right: right})


def combination_of(function: Function, of: BasicType) -> Combined:
    """How a function combines two values, if the order and the grouping of values do not matter.

    A function that always returns one of its arguments, whatever their order, has among the values of a batch one that
    wins against all others.
    """
    left, right, third = (variable(name, of) for name in ("the left value", "the right value", "a third value"))
    both = value_of(function, left, right)
    if both.type == of:
        parts = zip(leaves_of(both), leaves_of(left), leaves_of(right), strict=True)
        if all(whole.type == INT and is_valid(equal(whole, add(*two))) for whole, *two in parts):
            return Combined(True, left, right, both)
        combine = Combined(False, left, right, both).of
        laws = [
            disjunction(same(both, left), same(both, right)),
            same(both, combine(right, left)),
            same(combine(both, third), combine(left, combine(right, third))),
        ]
        if all(map(is_valid, laws)):
            return Combined(False, left, right, both)
    what = "neither adds its arguments nor chooses one of them whatever their order"
    raise NotUnderstoodError(f"the function {describe(function)} of a reduction {what}")


def refuse_no_inverse(function: Function, inverse: Function, of: BasicType) -> None:
    """Refuse a reduction of windows unless the function adds, and the inverse takes away what it has added."""
    if not combination_of(function, of).adds:
        raise NotUnderstoodError(f"the function {describe(function)} of a window with an inverse does not add")
    left, right = variable("the window before", of), variable("what has left it", of)
    rest = value_of(inverse, left, right)
    parts = zip(leaves_of(rest), leaves_of(left), leaves_of(right), strict=False)
    if rest.type != of or not all(is_valid(equal(add(each, gone), whole)) for each, whole, gone in parts):
        what = f"does not take away what {describe(function)} adds"
        raise NotUnderstoodError(f"the inverse function {describe(inverse)} {what}")


def same(left: Term, right: Term) -> Term:
    """Whether two values of one type are equal, component by component."""
    return conjunction(*(equal(*pair) for pair in zip(leaves_of(left), leaves_of(right), strict=True)))


def leaves_of(term: Term) -> list[Term]:
    """The numbers and truth values that a value is made of."""
    if not isinstance(term.type, TupleType):
        return [term]
    return [leaf for index in range(len(term.type.components)) for leaf in leaves_of(project(term, index))]
