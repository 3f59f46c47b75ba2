"""The values of expressions of Core Python."""

from __future__ import annotations

from collections.abc import Callable
from types import new_class
from typing import Any, Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter import limits
from tallystick.frontends.python.interpreter.attributes import attribute
from tallystick.frontends.python.interpreter.closures import Box, Closure, captured
from tallystick.frontends.python.interpreter.limits import StopError, UnreadError
from tallystick.frontends.python.interpreter.operators import OPERATORS
from tallystick.frontends.python.interpreter.running import Frame, Run
from tallystick.frontends.python.scopes import OWN_CLASS

CLASS_BODY: Final = "."
"""The slot of a frame that has the names of a class while its body runs."""


class Unknown:
    """What a name of a module stands for that could not be computed: reading it stops the run."""

    def __init__(self, why: str) -> None:
        self.why = why


def value(machine: Run, node: core.Node, frame: Frame) -> Any:
    """The value of an expression in a frame."""
    return _VALUES[type(node)](machine, node, frame)


def _unread(machine: Run, node: core.Unread, frame: Frame) -> Any:
    raise UnreadError(f"{node.what}, line {node.line}")


def _const(machine: Run, node: core.Const, frame: Frame) -> Any:
    if type(node.value) is float:
        machine.clock.made(node.value)
    return node.value


def _local(machine: Run, node: core.Local, frame: Frame) -> Any:
    try:
        return _known(frame[node.slot])
    except KeyError:
        raise unbound(node.slot) from None


def unbound(slot: str) -> UnboundLocalError:
    """What a function raises that uses a variable before it has a value."""
    return UnboundLocalError(f"cannot access local variable '{slot}' where it is not associated with a value")


def _cell(machine: Run, node: core.CellVariable, frame: Frame) -> Any:
    try:
        return _known(frame[node.slot].value)
    except AttributeError:
        if not node.is_free:
            raise unbound(node.slot) from None
        message = (
            f"cannot access free variable '{node.slot}' where it is not associated with a value in enclosing scope"
        )
        raise NameError(message) from None


def _known(found: Any) -> Any:
    if type(found) is Unknown:
        raise UnreadError(found.why)
    return found


def _of_class(machine: Run, node: core.OfClass, frame: Frame) -> Any:
    body = frame[CLASS_BODY]
    return body[node.name] if node.name in body else machine.global_value(node.name)


def _global(machine: Run, node: core.Global | core.Builtin, frame: Frame) -> Any:
    return _known(machine.global_value(node.name))


def _builtin(machine: Run, node: core.Builtin, frame: Frame) -> Any:
    return machine.global_value(node.name)


def _import(machine: Run, node: core.Import, frame: Frame) -> Any:
    return machine.world.module(node.module, node.level, machine)


def _import_name(machine: Run, node: core.ImportName, frame: Frame) -> Any:
    return machine.world.imported(node.module, node.level, node.name, machine)


def items(machine: Run, nodes: tuple[core.Node, ...], frame: Frame) -> list[Any]:
    """The values of expressions, some of them starred."""
    found: list[Any] = []
    for each in nodes:
        if isinstance(each, core.Star):
            found.extend(machine.clock.counted(value(machine, each.of, frame)))
        else:
            found.append(_VALUES[type(each)](machine, each, frame))
    return found


def _tuple(machine: Run, node: core.TupleOf, frame: Frame) -> Any:
    return tuple(items(machine, node.items, frame))


def _new(machine: Run, node: core.New, frame: Frame) -> Any:
    if node.kind == "list":
        return items(machine, node.items, frame)
    if node.kind == "set":
        return set(items(machine, node.items, frame))
    made: dict[Any, Any] = {}
    for each in node.items:
        if isinstance(each, core.Star):
            made.update(value(machine, each.of, frame))
        else:
            key, of = value(machine, each, frame)
            made[key] = of
    return made


def _apply(machine: Run, node: core.Apply, frame: Frame) -> Any:
    found = OPERATORS[node.operator](*[_VALUES[type(each)](machine, each, frame) for each in node.operands])
    if type(found) is float:
        machine.clock.made(found)
    return found


def _call(machine: Run, node: core.Call, frame: Frame) -> Any:
    function = value(machine, node.function, frame)
    arguments = items(machine, node.arguments, frame)
    keywords: dict[str, Any] = {}
    for name, each in node.keywords:
        given = value(machine, each, frame)
        more = {name: given} if name != "**" else {key: given[key] for key in given.keys()}  # noqa: SIM118
        if twice := keywords.keys() & more.keys():
            raise TypeError(f"got multiple values for keyword argument '{min(twice)}'")
        keywords |= more
    machine.clock.step()
    limits.call(function, arguments)
    found = function(*arguments, **keywords)
    if type(found) is float:
        machine.clock.made(found)
    return found


def _attribute(machine: Run, node: core.Attribute, frame: Frame) -> Any:
    return attribute(value(machine, node.of, frame), node.name)


def _if(machine: Run, node: core.If, frame: Frame) -> Any:
    return value(machine, node.then if value(machine, node.test, frame) else node.otherwise, frame)


def _block(machine: Run, node: core.Block, frame: Frame) -> Any:
    machine.run(node.body, frame)
    return value(machine, node.value, frame)


def _closure(machine: Run, node: core.MakeClosure, frame: Frame) -> Any:
    defaults = tuple(value(machine, each, frame) for each in node.defaults)
    by_name = {name: value(machine, each, frame) for name, each in node.keyword_defaults}
    return Closure(machine, node.function, captured(frame, node.function.captured), defaults, by_name)


_METHODS_OF_CLASSES: Final = frozenset({"__class_getitem__", "__init_subclass__"})
"""Class methods without the decorator, as Python has them."""


def _class(machine: Run, node: core.MakeClass, frame: Frame) -> Any:
    bases = tuple(items(machine, node.bases, frame))
    keywords = {name: value(machine, each, frame) for name, each in node.keywords}
    itself = Box()

    def fill(body: dict[str, Any]) -> None:
        inner: Frame = {**captured(frame, node.captured), OWN_CLASS: itself, CLASS_BODY: body}
        body["__module__"], body["__qualname__"] = machine.name, node.name
        if node.annotated:
            body["__annotations__"] = {}
        machine.run(node.body, inner)
        for name, annotation in node.annotated:
            body["__annotations__"][name] = _annotation(machine, annotation, inner)
        for name in _METHODS_OF_CLASSES & body.keys():
            if isinstance(body[name], Closure):
                body[name] = classmethod(body[name])

    made = new_class(node.name, bases, keywords, fill)
    itself.value = made
    return made


def _annotation(machine: Run, node: core.Node, frame: Frame) -> Any:
    """The class that an annotation means; `object` where it means none here, as for a class that is defined later."""
    try:
        found = value(machine, node, frame)
    except (StopError, Exception):
        return object
    return object if isinstance(found, str) else found


_VALUES: Final[dict[type, Callable[..., Any]]] = {
    core.Unread: _unread, core.Const: _const, core.Local: _local, core.CellVariable: _cell, core.OfClass: _of_class,
    core.Global: _global, core.Builtin: _builtin, core.Import: _import, core.ImportName: _import_name,
    core.TupleOf: _tuple, core.New: _new, core.Apply: _apply, core.Call: _call, core.Attribute: _attribute,
    core.If: _if, core.Block: _block, core.MakeClosure: _closure, core.MakeClass: _class,
}  # fmt: skip
