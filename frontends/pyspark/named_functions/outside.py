"""What names outside of pure code stand for, by the reader's own look-up."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tallystick.core.terms import TRUE, Operator, Term
from tallystick.core.types import BagType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.named_functions.coding import decoded
from tallystick.frontends.pyspark.named_functions.pure_types import Records, pure_type
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.scopes import imported_name, scope_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.uninterpreted.names import (
    Compiled,
    Constant,
    Helper,
    Imported,
    Known,
    RecordClass,
    Resolve,
)
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.kinds import Closure, ConstantSet, Frame, Listing, Table, Value
from tallystick.frontends.pyspark.values.nominal_types import DATE, DATETIME, TIMEDELTA
from tallystick.frontends.pyspark.values.options import is_tuple
from tallystick.frontends.pyspark.values.record_types import RecordType

_MOST_HELPERS: Final = 12
"""Functions that are made inside of each other."""


class Outside:
    """The names around a function."""

    def __init__(self, reader: Reading, function: Closure, records: Records, depth: int = 0) -> None:
        self._reader = reader
        self._function = function
        self._records = records
        self._depth = depth
        self._frame = Frame(scope_of(function.source, function.node), {}, function.frame, function.made_at)

    def captured(self) -> dict[str, Term]:
        """The names outside whose values are terms that are not constant, in the order of their first place."""
        own = self._frame.scope.bindings
        names = [each.id for each in _names_in_order(self._function.node) if each.id not in own]
        found: dict[str, Term] = {}
        for name in dict.fromkeys(names):
            value = self._value(name, refuse=False) if self._is_bound(name) else None
            if isinstance(value, Term) and not isinstance(value.type, BagType) and _constant(value) is None:
                found[name] = value
        return found

    def resolve(self, name: str) -> Known | None:
        """What a name stands for, None for builtins; raises NotPureError where pure code has no such thing."""
        if not self._is_bound(name):
            if hasattr(builtins, name):
                return None
            raise NotPureError(None, f"the name `{name}` is not defined")
        if (imported := self._imported(name)) is not None:
            return Imported(imported)
        value = self._value(name)
        match value:
            case kinds.RecordClass() if value.decorated and value.fields:
                return self._record_class(value)
            case Closure():
                return Helper(value.node, self._of_helper(value))
            case kinds.Module(source=None):
                return Imported(value.name)
            case kinds.Pattern(text):
                return Compiled(text)
        known = None if value is None else _constant(value)
        if known is None:
            raise NotPureError(None, f"`{name}` is {describe(value)}, which pure code does not use")  # type: ignore[arg-type]
        return known

    def _record_class(self, value: kinds.RecordClass) -> RecordClass:
        try:
            return RecordClass(pure_type(self._reader.record_type(value, self._place), self._records))
        except SourceError as problem:
            raise NotPureError(None, problem.message) from None

    @property
    def _place(self) -> Place:
        return self._function.source.place(self._function.node)

    def _of_helper(self, helper: Closure) -> Resolve:
        """The names around a helper; raises NotPureError where its values are not seen from its text."""
        if self._depth >= _MOST_HELPERS:
            raise NotPureError(helper.node, "these functions call too many others")
        return Outside(self._reader, helper, self._records, self._depth + 1).resolve

    def _is_bound(self, name: str) -> bool:
        frame = self._function.frame
        while frame is not None:
            if name in frame.scope.bindings or "*" in frame.scope.bindings:
                return True
            frame = frame.parent
        return False

    def _value(self, name: str, refuse: bool = True) -> Value | None:
        try:
            return self._reader.names.lookup(name, self._frame, self._place)
        except SourceError as problem:
            if refuse:
                raise NotPureError(None, problem.message) from None
            return None

    def _imported(self, name: str) -> str | None:
        """The full name that one import of a module of Python binds to a name."""
        frame = self._function.frame
        while frame is not None and name not in frame.scope.bindings:
            if "*" in frame.scope.bindings:
                return None
            frame = frame.parent
        bound = [] if frame is None else frame.scope.bindings[name]
        if frame is None or len(bound) != 1 or not bound[0].direct or bound[0].typing_only:
            return None
        statement = bound[0].statement
        full = imported_name(statement, name)
        if full is None or not self._reader.names.is_of_library(statement, frame.scope.source):
            return None
        if not frame.static and (bound[0].effect > self._function.made_at or name not in frame.values):
            return None
        return full


def _names_in_order(node: ast.AST) -> list[ast.Name]:
    """The names that a function uses, in the order of the text."""
    names = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    return sorted(names, key=lambda each: (each.lineno, each.col_offset))


def _constant(value: Value) -> Constant | None:
    """A constant of the source by value; None for what is none."""
    match value:
        case Term(operator=Operator.CONSTANT) if isinstance(value.parameter, bool | int | str | Fraction):
            return Constant(value.parameter)
        case Term(operator=Operator.TUPLE, arguments=(Term(operator=Operator.CONSTANT) as number,)) if value.type in (
            DATE,
            DATETIME,
            TIMEDELTA,
        ):
            return Constant(decoded(pure_type(value.type, {}), (number.parameter,)))
        case Term(operator=Operator.TUPLE) if is_tuple(value.type) and not isinstance(value.type, RecordType):
            return _together(list(value.arguments), tuple)
        case Listing(items) if type(value) is Listing and all(there is TRUE for there, _ in items):
            return _together([item for _, item in items], list)
        case ConstantSet(items):
            return _together(list(items), set)
        case Table(entries):
            keys = _together([key for key, _ in entries], list)
            values = _together([each for _, each in entries], list)
            if keys is not None and values is not None:
                return Constant(dict(zip(keys.value, values.value, strict=True)))  # type: ignore[call-overload]
    return None


def _together(items: Sequence[Value], kind: type) -> Constant | None:
    found = [_constant(each) for each in items]
    if any(each is None for each in found):
        return None
    return Constant(kind(each.value for each in found))  # type: ignore[union-attr]
