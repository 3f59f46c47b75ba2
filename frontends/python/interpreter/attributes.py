"""Attributes: of what the program made itself, any that leads nowhere else; of anything else, what has a row."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from enum import Enum, EnumMeta
from types import GeneratorType, MethodType
from typing import Any, Final

from tallystick.frontends.python.interpreter.closures import Closure
from tallystick.frontends.python.interpreter.limits import UnreadError
from tallystick.frontends.python.library.table import row_of_method

PREFIX: Final = "interpreted:"
"""What the names of modules begin with that are interpreted, by which their classes are known."""
SPARK: Final = "pyspark"
"""The name of the module with Spark's classes, which all programs share."""
_SPECIAL: Final = frozenset(
    f"__{name}__"
    for name in [
        "abs",
        "add",
        "and",
        "bool",
        "call",
        "class",
        "contains",
        "delitem",
        "doc",
        "enter",
        "eq",
        "exit",
        "float",
        "floordiv",
        "format",
        "ge",
        "getitem",
        "gt",
        "hash",
        "iadd",
        "iand",
        "imul",
        "init",
        "int",
        "invert",
        "ior",
        "isub",
        "iter",
        "itruediv",
        "ixor",
        "le",
        "len",
        "lshift",
        "lt",
        "matmul",
        "members",
        "mod",
        "module",
        "mul",
        "name",
        "ne",
        "neg",
        "new",
        "next",
        "or",
        "pos",
        "post_init",
        "pow",
        "qualname",
        "radd",
        "rand",
        "repr",
        "reversed",
        "rfloordiv",
        "rmod",
        "rmul",
        "ror",
        "rshift",
        "rsub",
        "rtruediv",
        "rxor",
        "set_name",
        "setitem",
        "str",
        "sub",
        "truediv",
        "wrapped",
        "xor",
        "init_subclass",
        "class_getitem",
        "match_args",
        "missing",
        "index",
        "round",
        "annotations",
        "dataclass_fields",
        "fields",
        "getattr",
        "setattr",
        "get",
        "set",
        "delete",
        "cause",
        "context",
        "notes",
        "slots",
        "dict",
    ]
)
"""Names with two underscores that lead to nothing but methods and values of the program."""
_OF_EXCEPTIONS: Final = ("args", "with_traceback", "add_note", "name", "value", "doc", "msg", "pos", "lineno", "colno")


class Module:
    """A module: one that is interpreted, with its values, or one of Python's, whose names have rows."""

    def __init__(self, name: str, find: Callable[[str], Any]) -> None:
        self.__name__, self._find = name, find

    def __getattr__(self, name: str) -> Any:
        return object.__getattribute__(self, "_find")(name)


def module_of(module: Module) -> Any:
    """What has the values of a module: of one that is interpreted, its machine."""
    return getattr(object.__getattribute__(module, "_find"), "__self__", None)


class Silent:
    """What is called for an effect that no value shows: a logger, a storage level."""

    def __getattr__(self, name: str) -> Any:
        return Silent()

    def __call__(self, *given: Any, **named: Any) -> Any:
        return None


def made_here(of: type) -> bool:
    """Whether a class is one of the program, or derived from one."""
    return any(str(each.__module__).startswith(PREFIX) for each in of.__mro__) or (
        issubclass(of, tuple) and hasattr(of, "_fields")
    )


def attribute(of: Any, name: str) -> Any:
    """`of.name`; raises UnreadError where it may lead out of what is interpreted."""
    kind = type(of)
    if kind in (Module, Silent):
        return getattr(of, name)
    if kind is super or isinstance(of, Enum | EnumMeta) or made_here(kind) or (isinstance(of, type) and made_here(of)):
        if name.startswith("__") and name.endswith("__") and name not in _SPECIAL:
            raise UnreadError(f"the attribute `{name}`")
        return getattr(of, name)
    if kind is Closure:
        if name in vars(of) or not name.startswith("__"):
            return getattr(of, name)
        raise UnreadError(f"the attribute `{name}` of a function")
    if row_of_method(kind, name) is not None or (isinstance(of, type) and row_of_method(of, name) is not None):
        return getattr(of, name)
    if _is_known(of, name) or not hasattr(of, name):
        return getattr(of, name)
    raise UnreadError(f"`{name}` of a value of the class `{kind.__name__}`")


def _is_known(of: Any, name: str) -> bool:
    """Whether an attribute is one of those that values of Python's without rows have."""
    if name in ("__name__", "__class__", "__doc__"):
        return True
    match of:
        case BaseException():
            return name in _OF_EXCEPTIONS
        case property() | functools.cached_property():
            return name in ("setter", "getter", "deleter", "fget", "func")
        case GeneratorType():
            return name in ("close", "__next__", "__iter__")
        case functools.partial():
            return name in ("func", "args", "keywords")
        case MethodType():
            return name == "__self__" or (name == "__func__" and isinstance(of.__func__, Closure))
        case functools._lru_cache_wrapper():
            return name in ("cache_clear", "__wrapped__")
    return of is itertools.chain and name == "from_iterable"


def set_attribute(of: Any, name: str, value: Any) -> None:
    """`of.name = value`, of what the program made itself; raises UnreadError for classes and modules of Python's."""
    _require_own(of, name)
    setattr(of, name, value)


def delete_attribute(of: Any, name: str) -> None:
    """`del of.name`."""
    _require_own(of, name)
    delattr(of, name)


def _is_of_program(of: type) -> bool:
    """Whether a class is one of the program, and none of Spark's, which all programs share."""
    return made_here(of) and of.__module__ != f"{PREFIX}{SPARK}"


def _require_own(of: Any, name: str) -> None:
    own = _is_of_program(of) if isinstance(of, type) else not isinstance(of, Module | Silent)
    dunder = name.startswith("__") and name not in _SPECIAL
    if not own or dunder or (name in ("__class__", "__dict__")) or isinstance(of, type(len) | type(attribute)):
        raise UnreadError(f"an assignment to the attribute `{name}`")


def getter(of: Any, name: Any, *default: Any) -> Any:
    """`getattr`."""
    try:
        return attribute(of, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has(of: Any, name: str) -> bool:
    """`hasattr`."""
    try:
        attribute(of, name)
    except AttributeError:
        return False
    return True


def attribute_getter(*names: str) -> Callable[[Any], Any]:
    """`operator.attrgetter`, by rows."""

    def get(of: Any) -> Any:
        found = [functools.reduce(attribute, name.split("."), of) for name in names]
        return found[0] if len(found) == 1 else tuple(found)

    operator.attrgetter(*names)  # raises where names are no texts
    return get


def method_caller(name: str, /, *given: Any, **named: Any) -> Callable[[Any], Any]:
    """`operator.methodcaller`, by rows."""
    return lambda of: attribute(of, name)(*given, **named)
