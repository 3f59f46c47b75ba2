"""Operators of Core Python: Python's own, where what they make is small."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tallystick.frontends.python.interpreter import limits

_SEVERAL: Final = (str, bytes, bytearray)
_OF_THEMSELVES: Final = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes of which a pattern with one part matches the value itself."""


def _guarded(guard: Callable[[Any, Any], None], apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def guarded(left: Any, right: Any) -> Any:
        guard(left, right)
        return apply(left, right)

    return guarded


def _concatenated(*parts: str) -> str:
    limits.require(sum(map(len, parts)) <= limits.MOST_ITEMS, "a long text")
    return "".join(parts)


def _put(whole: dict[Any, Any], key: Any, value: Any) -> None:
    whole[key] = value


def values_at(subject: Any, *keys: Any) -> tuple[Any, ...] | None:
    """What a mapping has under keys; None where it lacks one, or is none."""
    if isinstance(subject, Mapping) and all(key in subject for key in keys):
        return tuple(subject[key] for key in keys)
    return None


def items_of(subject: Any, known: tuple[int, int | None]) -> tuple[Any, ...] | None:
    """The items of a sequence for so many parts of a pattern, one of them starred; None where it does not match."""
    count, star = known
    if not isinstance(subject, Sequence) or isinstance(subject, _SEVERAL):
        return None
    items = tuple(subject)
    if star is None:
        return items if len(items) == count else None
    after = len(items) - (count - 1 - star)
    return (*items[:star], list(items[star:after]), *items[after:]) if len(items) >= count - 1 else None


def parts_of(subject: Any, of: Any, known: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """What an object has for the parts of a class pattern, by place and by name; None where it does not match."""
    count, *names = known
    if not isinstance(subject, of):
        return None
    if count == 1 and not hasattr(of, "__match_args__") and issubclass(of, _OF_THEMSELVES):
        first: tuple[Any, ...] = (subject,)
    else:
        by_place = getattr(of, "__match_args__", ())
        if count > len(by_place):
            raise TypeError(f"{of.__name__}() accepts {len(by_place)} positional sub-patterns ({count} given)")
        names = [*by_place[:count], *names]
        first = ()
    if not all(hasattr(subject, each) for each in names):
        return None
    return (*first, *(getattr(subject, each) for each in names))


_IN_PLACE: Final = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "&": operator.iand, "|": operator.ior, "^": operator.ixor,
    "<<": operator.ilshift, ">>": operator.irshift, "@": operator.imatmul,
}  # fmt: skip
_BINARY: Final = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "@": operator.matmul, **{f"{k}=": f for k, f in _IN_PLACE.items()},
}  # fmt: skip
_GUARDS: Final = {
    "+": limits.total, "*": limits.product, "**": limits.power, "<<": limits.shifted,
    "%": lambda left, right: limits.formatted(left),
}  # fmt: skip
OPERATORS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType({
    **{k: _guarded(_GUARDS[g], f) if (g := k.rstrip("=")) in _GUARDS else f for k, f in _BINARY.items()},
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
    "neg": operator.neg, "pos": operator.pos, "~": operator.invert, "not": operator.not_,
    "item": operator.getitem, "slice": slice, "concat": _concatenated,
    "format": _guarded(lambda value, spec: limits.formatted(spec), format),
    "iterator": iter, "append": list.append, "add": set.add, "put": _put,
    "values at": values_at, "items of": items_of, "parts of": parts_of,
})  # fmt: skip
