"""What is asked of lists, sets and dicts by name: membership, length, the value at a key; and sets made of lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeGuard

from tallystick.core.functions import FUNCTIONS, RAISE, Function
from tallystick.core.terms import Operator, Term, apply_function, ite
from tallystick.core.types import BOOL, INT, TEXT, BasicType, Type
from tallystick.frontends.pyspark.named_functions.coding import decoded, encoded
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError, PureType, is_totally_ordered
from tallystick.frontends.pyspark.values.coded_types import CodedType, coded_type
from tallystick.frontends.pyspark.values.describing import basic, show_type
from tallystick.frontends.pyspark.values.kinds import Value
from tallystick.frontends.pyspark.values.nominal_types import content, wrapped
from tallystick.frontends.pyspark.values.options import MISSING, common_type, converted, unified
from tallystick.frontends.pyspark.values.record_types import plain_type

_SET_OF: Final = "python set of"
_MADE_OF: dict[str, CodedType] = {}
"""The functions that make sets, and what of."""


def is_coded(value: Value, *kinds: str) -> TypeGuard[Term]:
    """Whether a value is a list, set, tuple of any length or dict by name, of one of the kinds."""
    return isinstance(value, Term) and isinstance(value.type, CodedType) and (not kinds or value.type.kind in kinds)


def member(container: Term, value: Value, place: Place) -> Term:
    """`value in container`."""
    container = _looked_through(container)
    of = _type(container)
    key, held = _key(of, value, place), _pure(of, place)
    there: Callable[[Any, Any], bool] = lambda whole, one: one in whole  # noqa: E731
    return _asked("has", held, container, (key,), BOOL, there, raises=False)


def length(container: Term, place: Place) -> Term:
    """`len(container)`."""
    of = _type(container)
    return _asked("len", _pure(of, place), container, (), INT, len, raises=False)


def value_at(container: Term, key: Value, place: Place) -> Term:
    """`d[key]` of a dict, which raises KeyError where there is no such key."""
    value = _value(container, key, place)
    return ite(member(container, key, place), value, apply_function(RAISE, value.type))  # type: ignore[arg-type]


def get(container: Term, given: list[Value], place: Place) -> Term:
    """`d.get(key)` and `d.get(key, default)`."""
    if not 1 <= len(given) <= 2:
        raise place.error("`get` takes a key and a default")
    value = _value(container, given[0], place)
    default = basic(given[1], place, "the default of `get`") if len(given) > 1 else MISSING
    both = unified(value, default)
    if both is None:
        types = f"{show_type(value.type)} or {show_type(default.type)}"
        raise place.error(f"this look-up gives {types}", "give a default of the values' type")
    return ite(member(container, given[0], place), *both)


def as_set(container: Term, place: Place) -> Term:
    """`set(container)` of a list, set or tuple of any length."""
    of = _type(container)
    made = coded_type("set", of.item, show_type(of.item))
    if of.kind == "set":
        return container
    held, gives = _pure(of, place), _pure(made, place)
    name = f"{_SET_OF} {held}"
    _MADE_OF[name] = of
    if name not in FUNCTIONS:
        code: Callable[[str], Any] = lambda text: encoded(gives, set(decoded(held, (text,))), made)[0]  # noqa: E731
        FUNCTIONS[name] = Function((TEXT,), TEXT, code, raises=False)
    return wrapped(made, apply_function(name, TEXT, content(container)))


def as_sorted(container: Term, place: Place) -> Term:
    """`sorted(container)` of a list, set or tuple of any length."""
    of = _type(container)
    made = coded_type("list", of.item, show_type(of.item))
    held, gives = _pure(of, place), _pure(made, place)
    if not is_totally_ordered(held.of[0]):
        raise place.error(f"`sorted` needs what Python orders, and this is {show_type(of.item)}")
    name = f"python sorted of {held}"
    if name not in FUNCTIONS:
        code: Callable[[str], Any] = lambda text: encoded(gives, sorted(decoded(held, (text,))), made)[0]  # noqa: E731
        FUNCTIONS[name] = Function((TEXT,), TEXT, code, raises=False)
    return wrapped(made, apply_function(name, TEXT, content(container)))


def _looked_through(container: Term) -> Term:
    """The list or tuple that a set is made of, which has the same items."""
    code = content(container)
    if code.operator is Operator.APPLY and code.parameter[0] in _MADE_OF:  # type: ignore[index]
        return wrapped(_MADE_OF[code.parameter[0]], code.arguments[0])  # type: ignore[index]
    return container


def _type(container: Term) -> CodedType:
    assert isinstance(container.type, CodedType)
    return container.type


def _pure(of: Type, place: Place) -> PureType:
    try:
        return pure_type(of, {})
    except NotPureError as problem:
        raise place.error(problem.message) from None


def _key(of: CodedType, value: Value, place: Place) -> Term:
    """A value as one of the type of the items, or keys."""
    wanted = of.item.components[0] if of.kind == "dict" else of.item  # type: ignore[union-attr]
    term = basic(value, place, "what is looked up")
    if common_type(wanted, term.type) != wanted:
        message = f"a look-up of {show_type(term.type)} in {of} is not supported"
        raise place.error(message, f"look up values of type {show_type(wanted)}")
    return converted(term, wanted)


def _value(container: Term, key: Value, place: Place) -> Term:
    """The value at a key that is there."""
    of = _type(container)
    gives = of.item.components[1]  # type: ignore[union-attr]
    held, core = _pure(of, place), plain_type(gives)

    def value(whole: Any, one: Any) -> Any:
        return encoded(held.of[1], whole[one], core)  # type: ignore[arg-type]

    return _asked("value", held, container, (_key(of, key, place),), gives, value, raises=True)


def _asked(
    what: str,
    held: PureType,
    container: Term,
    keys: tuple[Term, ...],
    gives: BasicType,
    answer: Callable[..., Any],
    raises: bool,
) -> Term:
    """A question about a container, perhaps about a key, as a function by name."""
    by = held.of[0]
    types: tuple[BasicType, ...] = tuple(plain_type(each.type) for each in keys)  # type: ignore[misc]
    name = f"python {what} of {held} of {', '.join(map(str, types))} gives {plain_type(gives)}"
    if name not in FUNCTIONS:

        def value(code: str, *asked: Any) -> Any:
            return answer(decoded(held, (code,)), *(decoded(by, each) for each in asked))

        FUNCTIONS[name] = Function((TEXT, *types), plain_type(gives), value, raises=raises)  # type: ignore[arg-type]
    return apply_function(name, gives, content(container), *keys)
