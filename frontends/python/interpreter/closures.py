"""Functions of Core Python as callables, and the boxes of variables that they share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from types import MethodType
from typing import Any, NamedTuple

from tallystick.frontends.python.interpreter.limits import MOST_CALLS, LimitError
from tallystick.frontends.python.interpreter.running import Frame, Returned, Run
from tallystick.frontends.python.syntax import Function

_NO_VALUE = object()


class Box:
    """A variable that functions share; without `value` until it is bound."""

    __slots__ = ("value",)
    value: Any


class Closure:
    """A function with its default values and the boxes that it captured; a method where a class has it."""

    __slots__ = ("__dict__", "__weakref__", "_boxes", "_by_name", "_code", "_defaults", "_machine")

    def __init__(
        self, machine: Run, code: Function, boxes: Frame, defaults: tuple[Any, ...], by_name: dict[str, Any]
    ) -> None:
        self._machine, self._code, self._boxes = machine, code, boxes
        self._defaults, self._by_name = defaults, by_name
        self.__name__ = self.__qualname__ = code.name
        self.__doc__ = None

    def __get__(self, of: Any, owner: type | None = None) -> Any:
        return self if of is None else MethodType(self, of)

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        machine, code = self._machine, self._code
        machine.clock.step()
        machine.clock.depth += 1
        try:
            if machine.clock.depth > MOST_CALLS:
                raise LimitError("calls are nested too deeply")
            frame: Frame = dict(self._boxes)
            for slot in code.cells:
                frame[slot] = Box()
            for slot, value in self._bound(arguments, keywords).items():
                if slot in code.cells:
                    frame[slot].value = value
                else:
                    frame[slot] = value
            if code.is_generator:
                return machine.generate(code.body, frame)
            end = machine.run(code.body, frame)
            return end.value if isinstance(end, Returned) else None
        finally:
            machine.clock.depth -= 1

    def _bound(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """The values of the parameters, as Python binds them; raises TypeError."""
        code = self._code
        values = dict(zip(code.positional, arguments, strict=False))
        if len(arguments) > len(code.positional) and code.star is None:
            counts = f"{len(code.positional)} positional arguments but {len(arguments)} were given"
            raise TypeError(self._says(f"takes {counts}"))
        if keywords or code.keyword_only or len(values) < len(code.positional):
            self._bind_by_name(values, keywords)
        if code.star is not None:
            values[code.star] = arguments[len(code.positional) :]
        if code.stars is not None:
            known = {*code.positional[code.positional_only :], *code.keyword_only}
            values[code.stars] = {name: value for name, value in keywords.items() if name not in known}
        return values

    def _bind_by_name(self, values: dict[str, Any], keywords: dict[str, Any]) -> None:
        code = self._code
        by_name = {*code.positional[code.positional_only :], *code.keyword_only}
        for name, value in keywords.items():
            if name in by_name:
                if name in values:
                    raise TypeError(self._says(f"got multiple values for argument '{name}'"))
                values[name] = value
            elif code.stars is None:
                raise TypeError(self._says(f"got an unexpected keyword argument '{name}'"))
        missing = [*repeat(_NO_VALUE, len(code.positional) - len(self._defaults)), *self._defaults]
        default = dict(zip(code.positional, missing, strict=True)) | self._by_name
        for name in (*code.positional, *code.keyword_only):
            if name not in values:
                value = default.get(name, _NO_VALUE)
                if value is _NO_VALUE:
                    raise TypeError(self._says(f"missing a required argument: '{name}'"))
                values[name] = value

    def _says(self, what: str) -> str:
        return f"{self.__qualname__}() {what}"


class Parts(NamedTuple):
    """What a function is made of: its module, its code, the boxes that it captured, and its default values."""

    machine: Run
    code: Function
    boxes: Frame
    defaults: tuple[Any, ...]
    by_name: dict[str, Any]


def parts_of(closure: Closure) -> Parts:
    """What a function is made of."""
    return Parts(closure._machine, closure._code, closure._boxes, closure._defaults, closure._by_name)


def bound(closure: Closure, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """The values of a function's parameters in a call, as Python binds them; raises TypeError."""
    return closure._bound(arguments, keywords)


def captured(frame: Frame, slots: tuple[str, ...]) -> Frame:
    """The boxes of a frame that a function or a class sees."""
    return {slot: frame[slot] for slot in slots}


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a callable is a function of the program, perhaps bound to an object."""
    return isinstance(getattr(function, "__func__", function), Closure)
