"""What statements of Core Python do.

A statement ends normally (None), with a value that is returned, with `break` or `continue`, or with an exception. Of
the body of a generator, what yields runs as a generator of CPython's, and the rest as anywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from itertools import islice
from typing import Any, Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter import attributes
from tallystick.frontends.python.interpreter.expressions import CLASS_BODY, unbound, value
from tallystick.frontends.python.interpreter.limits import LimitError, StopError, UnreadError
from tallystick.frontends.python.interpreter.running import End, Frame, Returned, Run

Yielding = Generator[Any, None, End]


def run(machine: Run, body: core.Body, frame: Frame) -> End:
    """Run statements that do not yield."""
    step = machine.clock.step
    for node in body:
        step()
        end = _RUNS[type(node)](machine, node, frame)
        if end is not None:
            return end
    return None


def generate(machine: Run, body: core.Body, frame: Frame) -> Yielding:
    """Run statements of which some yield."""
    for node in body:
        machine.clock.step()
        if type(node) in _GENERATES and machine.yields(node):
            end = yield from _GENERATES[type(node)](machine, node, frame)
        else:
            end = _RUNS[type(node)](machine, node, frame)
        if end is not None:
            return end
    return None


def store(machine: Run, target: core.Place, given: Any, frame: Frame) -> None:
    """Assign to a name."""
    match target:
        case core.Local(slot):
            frame[slot] = given
        case core.CellVariable(slot, _):
            frame[slot].value = given
        case core.OfClass(name):
            frame[CLASS_BODY][name] = given
        case core.Global(name):
            machine.globals[name] = given


def _unread(machine: Run, node: core.Unread, frame: Frame) -> End:
    raise UnreadError(f"{node.what}, line {node.line}")


def _assign(machine: Run, node: core.Assign, frame: Frame) -> End:
    store(machine, node.target, value(machine, node.value, frame), frame)
    return None


def _unpack(machine: Run, node: core.Unpack, frame: Frame) -> End:
    count, star = len(node.targets), node.star
    given = iter(value(machine, node.value, frame))
    if star is None:
        found = list(islice(given, count + 1))
        if len(found) > count:
            raise ValueError(f"too many values to unpack (expected {count})")
        if len(found) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
    else:
        found = list(machine.clock.counted(given))
        if len(found) < count - 1:
            raise ValueError(f"not enough values to unpack (expected at least {count - 1}, got {len(found)})")
        after = len(found) - (count - 1 - star)
        found = [*found[:star], found[star:after], *found[after:]]
    for target, item in zip(node.targets, found, strict=True):
        store(machine, target, item, frame)
    return None


def _set_item(machine: Run, node: core.SetItem, frame: Frame) -> End:
    given = value(machine, node.value, frame)
    whole = value(machine, node.of, frame)
    whole[value(machine, node.index, frame)] = given
    return None


def _set_attribute(machine: Run, node: core.SetAttribute, frame: Frame) -> End:
    given = value(machine, node.value, frame)
    attributes.set_attribute(value(machine, node.of, frame), node.name, given)
    return None


def _delete(machine: Run, node: core.Delete, frame: Frame) -> End:
    match node.target:
        case core.Apply(_, (of, index)):
            whole = value(machine, of, frame)
            del whole[value(machine, index, frame)]
        case core.Attribute(of, name):
            attributes.delete_attribute(value(machine, of, frame), name)
        case target:
            _unbind(machine, target, frame, must_exist=True)  # type: ignore[arg-type]
    return None


def _unbind(machine: Run, target: core.Place, frame: Frame, must_exist: bool) -> None:
    match target:
        case core.Local(slot):
            there, error = frame.pop(slot, machine) is not machine, unbound(slot)
        case core.CellVariable(slot, is_free):
            there = hasattr(frame[slot], "value")
            error = NameError(f"cannot access free variable '{slot}'") if is_free else unbound(slot)
            if there:
                del frame[slot].value
        case core.OfClass(slot):
            there, error = slot in frame[CLASS_BODY], NameError(f"name '{slot}' is not defined")
            if there:
                del frame[CLASS_BODY][slot]
        case core.Global(slot):
            there = machine.globals.pop(slot, machine) is not machine
            error = NameError(f"name '{slot}' is not defined")
    if must_exist and not there:
        raise error


def _do(machine: Run, node: core.Do, frame: Frame) -> End:
    value(machine, node.value, frame)
    return None


def _import_all(machine: Run, node: core.ImportAll, frame: Frame) -> End:
    machine.globals.update(machine.world.all_names(node.module, node.level, machine))
    return None


def _branch(machine: Run, node: core.Branch, frame: Frame) -> End:
    return run(machine, node.then if value(machine, node.test, frame) else node.otherwise, frame)


def _for(machine: Run, node: core.For, frame: Frame) -> End:
    for item in value(machine, node.iterable, frame):
        machine.clock.step()
        store(machine, node.target, item, frame)
        end = run(machine, node.body, frame)
        if end is not None and end != "continue":
            return None if end == "break" else end
    return run(machine, node.otherwise, frame)


def _while(machine: Run, node: core.While, frame: Frame) -> End:
    while value(machine, node.test, frame):
        machine.clock.step()
        end = run(machine, node.body, frame)
        if end is not None and end != "continue":
            return None if end == "break" else end
    return run(machine, node.otherwise, frame)


def _leave(machine: Run, node: core.Leave, frame: Frame) -> End:
    return node.how


def _return(machine: Run, node: core.Return, frame: Frame) -> End:
    return Returned(value(machine, node.value, frame))


def _raise(machine: Run, node: core.Raise, frame: Frame) -> End:
    if node.value is None:
        handled = sys.exc_info()[1]
        raise RuntimeError("No active exception to reraise") if handled is None else handled
    raised = value(machine, node.value, frame)
    if node.cause is not None:
        raise raised from value(machine, node.cause, frame)
    raise raised


def _try(machine: Run, node: core.Try, frame: Frame) -> End:
    """`finally` runs after a body that ended in any way, but where the run stops."""
    try:
        end = _handled(machine, node, frame)
    except StopError:
        raise
    except BaseException:
        last = run(machine, node.final, frame)
        if last is not None:
            return last
        raise
    last = run(machine, node.final, frame)
    return end if last is None else last


def _handled(machine: Run, node: core.Try, frame: Frame) -> End:
    try:
        end = run(machine, node.body, frame)
    except (StopError, RecursionError) as stop:
        raise _stop(stop) from None
    except BaseException as error:
        handler = _handler(machine, node, error, frame)
        if handler is None:
            raise
        try:
            return run(machine, handler.body, frame)
        finally:
            if handler.target is not None:
                _unbind(machine, handler.target, frame, must_exist=False)
    return run(machine, node.otherwise, frame) if end is None else end


def _stop(error: BaseException) -> BaseException:
    """What ends the run: the interpreter's own depth is no exception of the program."""
    return error if isinstance(error, StopError) else LimitError("calls are nested too deeply")


def _handler(machine: Run, node: core.Try, error: BaseException, frame: Frame) -> core.Handler | None:
    """The handler that catches an exception, its name bound to that."""
    for each in node.handlers:
        if each.kinds is None or isinstance(error, value(machine, each.kinds, frame)):
            if each.target is not None:
                store(machine, each.target, error, frame)
            return each
    return None


def _entered(machine: Run, node: core.With, frame: Frame) -> Callable[..., Any]:
    """Enter a context: what leaves it again."""
    manager = value(machine, node.manager, frame)
    enter, leave = (getattr(type(manager), name, None) for name in ("__enter__", "__exit__"))
    if enter is None or leave is None:
        raise TypeError(f"'{type(manager).__name__}' object does not support the context manager protocol")
    store(machine, node.target, enter(manager), frame)
    return lambda error: leave(manager, error and type(error), error, error and error.__traceback__)


def _with(machine: Run, node: core.With, frame: Frame) -> End:
    leave = _entered(machine, node, frame)
    try:
        end = run(machine, node.body, frame)
    except (StopError, RecursionError) as stop:
        raise _stop(stop) from None
    except BaseException as error:
        if not leave(error):
            raise
        return None
    leave(None)
    return end


def _yield(machine: Run, node: core.Yield, frame: Frame) -> Yielding:
    yield value(machine, node.value, frame)
    return None


def _generate_branch(machine: Run, node: core.Branch, frame: Frame) -> Yielding:
    body = node.then if value(machine, node.test, frame) else node.otherwise
    return (yield from generate(machine, body, frame))


def _generate_for(machine: Run, node: core.For, frame: Frame) -> Yielding:
    for item in value(machine, node.iterable, frame):
        machine.clock.step()
        store(machine, node.target, item, frame)
        end = yield from generate(machine, node.body, frame)
        if end is not None and end != "continue":
            return None if end == "break" else end
    return (yield from generate(machine, node.otherwise, frame))


def _generate_while(machine: Run, node: core.While, frame: Frame) -> Yielding:
    while value(machine, node.test, frame):
        machine.clock.step()
        end = yield from generate(machine, node.body, frame)
        if end is not None and end != "continue":
            return None if end == "break" else end
    return (yield from generate(machine, node.otherwise, frame))


def _generate_try(machine: Run, node: core.Try, frame: Frame) -> Yielding:
    try:
        end = yield from _generate_handled(machine, node, frame)
    except StopError:
        raise
    except BaseException:
        last = yield from generate(machine, node.final, frame)
        if last is not None:
            return last
        raise
    last = yield from generate(machine, node.final, frame)
    return end if last is None else last


def _generate_handled(machine: Run, node: core.Try, frame: Frame) -> Yielding:
    try:
        end = yield from generate(machine, node.body, frame)
    except (StopError, RecursionError) as stop:
        raise _stop(stop) from None
    except BaseException as error:
        handler = _handler(machine, node, error, frame)
        if handler is None:
            raise
        try:
            return (yield from generate(machine, handler.body, frame))
        finally:
            if handler.target is not None:
                _unbind(machine, handler.target, frame, must_exist=False)
    return (yield from generate(machine, node.otherwise, frame)) if end is None else end


def _generate_with(machine: Run, node: core.With, frame: Frame) -> Yielding:
    leave = _entered(machine, node, frame)
    try:
        end = yield from generate(machine, node.body, frame)
    except (StopError, RecursionError) as stop:
        raise _stop(stop) from None
    except BaseException as error:
        if not leave(error):
            raise
        return None
    leave(None)
    return end


_RUNS: Final[dict[type, Callable[..., End]]] = {
    core.Unread: _unread, core.Assign: _assign, core.Unpack: _unpack, core.SetItem: _set_item,
    core.SetAttribute: _set_attribute, core.Delete: _delete, core.Do: _do, core.ImportAll: _import_all,
    core.Branch: _branch, core.For: _for, core.While: _while, core.Leave: _leave, core.Return: _return,
    core.Raise: _raise, core.Try: _try, core.With: _with,
}  # fmt: skip
_GENERATES: Final[dict[type, Callable[..., Yielding]]] = {
    core.Yield: _yield, core.Branch: _generate_branch, core.For: _generate_for, core.While: _generate_while,
    core.Try: _generate_try, core.With: _generate_with,
}  # fmt: skip
