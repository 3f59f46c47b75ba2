"""Statements of the source, and the calls that run them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation, project
from tallystick.frontends.pyspark import arithmetic
from tallystick.frontends.pyspark.constructs import construct
from tallystick.frontends.pyspark.options import component_count, is_tuple
from tallystick.frontends.pyspark.reading import Reading
from tallystick.frontends.pyspark.source import Function, Place
from tallystick.frontends.pyspark.values import Closure, Frame, Record, Unusable, Value, describe

_NO_RETURN: Final = "return a value on every path; give each `if` an `else`"
SUPPORTED: Final = "supported are assignments, `if` / `elif` / `else`, `return`, `def`, `import` and `pass`"


@dataclass(frozen=True)
class Outcome:
    """What a block does: `value` is returned where the condition `returned` holds; else control goes on."""

    returned: Term = FALSE
    value: Value | None = None


GOES_ON: Final = Outcome()
Parts = Value | list["Parts"]


def run(reader: Reading, function: Closure, frame: Frame) -> Value:
    """The value that a function returns, its parameters being bound in `frame`."""
    node, source = function.node, function.source
    if isinstance(node, ast.Lambda):
        return reader.evaluate(node.body, frame)
    refuse_decorators(node, source.place(node))
    value = run_block(reader, node.body, frame).value
    end = falls_through(node.body)
    if end is not None or value is None:
        message = f"`{node.name}` can end without `return`, and then returns None"
        raise source.place(end or node).error(message, _NO_RETURN)
    if isinstance(value, Unusable):
        raise source.place(node.body[-1]).error(f"the value returned {value.reason}", value.hint)
    return value


def falls_through(block: Sequence[ast.stmt]) -> ast.stmt | None:
    """The statement after which control can reach the end of a block, or None when each path returns."""
    last = block[-1]
    if isinstance(last, ast.Return):
        return None
    if not isinstance(last, ast.If):
        return last
    if not last.orelse:
        return last
    return falls_through(last.body) or falls_through(last.orelse)


def run_block(reader: Reading, block: Sequence[ast.stmt], frame: Frame) -> Outcome:
    """Run the statements of a block; their bindings stay in `frame`."""
    outcome = GOES_ON
    for index, statement in enumerate(block):
        place = frame.scope.source.place(statement)
        with reader.nested(place), reader.assuming(negation(outcome.returned)):
            after = run_statement(reader, statement, frame, place)
        outcome = _then(reader, outcome, after)
        if index + 1 < len(block) and falls_through([statement]) is None:
            raise frame.scope.source.place(block[index + 1]).error("this is never reached", "remove it")
        if outcome.returned is TRUE:  # Python never runs the rest
            return outcome
    return outcome


def _then(reader: Reading, first: Outcome, second: Outcome) -> Outcome:
    """Both blocks in turn. The second is read even where the first returned: its only effect is to raise."""
    if first.value is None or second.value is None:
        return second if first.value is None else first
    value = reader.merge(first.returned, first.value, second.value, "every value returned")
    return Outcome(disjunction(first.returned, second.returned), value)


def run_statement(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> Outcome:
    """Run one statement."""
    match statement:
        case ast.Return(value=ast.expr() as value):
            return Outcome(TRUE, reader.evaluate(value, frame))
        case ast.Return():
            raise place.error("`return` without a value returns None", "write `return None` if it is meant")
        case ast.If():
            return _if(reader, statement, frame)
        case ast.Assign(targets=targets, value=value):
            parts = _parts(reader, targets, value, frame)
            for target in targets:
                _bind(target, parts, frame)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            _bind(target, reader.evaluate(value, frame), frame)
        case ast.AnnAssign(target=ast.Name()) | ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            pass
        case ast.AugAssign(target=ast.Name(id=name), op=operation, value=value):
            old = reader.names.lookup(name, frame, place)
            new = reader.evaluate(value, frame)
            frame.values[name] = arithmetic.combine(place, type(operation), old, new)
        case ast.Expr(value=value):
            reader.evaluate(value, frame)
        case ast.FunctionDef():
            frame.values[statement.name] = reader.closure(statement, frame)
        case ast.Import() | ast.ImportFrom():
            frame.values.update(reader.names.imported(statement, frame.scope.source))
        case _:
            raise place.error(f"{construct(statement)} is not supported", SUPPORTED)
    return GOES_ON


def _parts(reader: Reading, targets: Sequence[ast.expr], value: ast.expr, frame: Frame) -> Parts:
    """The value to bind targets to. A tuple that every target takes apart is a list: it may hold RDDs."""
    if isinstance(value, ast.Tuple) and all(_match(target, value) for target in targets):
        columns = zip(*(target.elts for target in targets if isinstance(target, ast.Tuple | ast.List)), strict=True)
        return [_parts(reader, each, part, frame) for each, part in zip(columns, value.elts, strict=True)]
    return reader.evaluate(value, frame)


def _match(target: ast.expr, value: ast.Tuple) -> bool:
    if not isinstance(target, ast.Tuple | ast.List):
        return False
    starred = any(isinstance(each, ast.Starred) for each in (*target.elts, *value.elts))
    return not starred and len(target.elts) == len(value.elts)


def _bind(target: ast.expr, value: Parts, frame: Frame) -> None:
    place = frame.scope.source.place(target)
    match target:
        case ast.Tuple(elts=targets) | ast.List(elts=targets) if isinstance(value, list):
            for each, part in zip(targets, value, strict=True):
                _bind(each, part, frame)
        case _ if isinstance(value, list):
            raise TypeError("only tuples take lists apart")
        case ast.Name(id=name):
            frame.values[name] = value
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            items: Sequence[Value]
            if isinstance(value, Record):
                items = value.items
            elif isinstance(value, Term) and is_tuple(value.type):
                items = [project(value, index) for index in range(component_count(value))]
            else:
                raise place.error(f"only tuples can be unpacked, and this is {describe(value)}")
            size = len(items)
            for each in targets:
                if isinstance(each, ast.Starred):
                    raise frame.scope.source.place(each).error("`*` targets are not supported")
            if len(targets) != size:
                raise place.error(f"a tuple with {size} components is unpacked into {len(targets)} names")
            for each, item in zip(targets, items, strict=True):
                _bind(each, item, frame)
        case _:
            raise place.error("only names and tuples of names can be assigned to")


def _if(reader: Reading, statement: ast.If, frame: Frame) -> Outcome:
    where = frame.scope.source.place(statement.test)
    condition = arithmetic.boolean(reader.evaluate(statement.test, frame), where, "the condition of `if`")
    if condition in (TRUE, FALSE):  # Python never runs the other
        return run_block(reader, statement.body if condition is TRUE else statement.orelse, frame)
    before = frame.values
    frame.values = dict(before)
    with reader.assuming(condition):
        then, after_then = run_block(reader, statement.body, frame), frame.values
    frame.values = dict(before)
    with reader.assuming(negation(condition)):
        otherwise, after_otherwise = run_block(reader, statement.orelse, frame), frame.values
    if statement.orelse and falls_through(statement.orelse) is None:
        frame.values = after_then
    elif falls_through(statement.body) is None:
        frame.values = after_otherwise
    else:
        frame.values = {
            name: _merged(reader, condition, after_then.get(name), after_otherwise.get(name))
            for name in {**after_then, **after_otherwise}
        }
    returned = disjunction(conjunction(condition, then.returned), conjunction(negation(condition), otherwise.returned))
    if then.value is None or otherwise.value is None:
        return Outcome(returned, otherwise.value if then.value is None else then.value)
    return Outcome(returned, reader.merge(condition, then.value, otherwise.value, "every value returned"))


def _merged(reader: Reading, condition: Term, then: Value | None, otherwise: Value | None) -> Value:
    if then is None or otherwise is None:
        return Unusable("is assigned in one branch only", "assign it in both branches, or before the `if`")
    return reader.merge(condition, then, otherwise, "the variable")


def bind_parameters(function: Closure, place: Place, given: list[Value], named: dict[str, Value]) -> dict[str, Value]:
    """The parameters' values for a call; raises SourceError when the arguments do not fit the parameters."""
    arguments = function.node.args
    refuse_special_parameters(function.node, function.source.place(function.node))
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    by_name = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    everything = [*positional, *(each.arg for each in arguments.kwonlyargs)]
    takes = f"{function.shown} takes {_counted(everything)}"
    if len(given) > len(positional):
        raise place.error(f"{takes}, and gets {len(given)} by position")
    values = dict(zip(positional, given, strict=False))
    for name, value in named.items():
        if name not in by_name:
            raise place.error(f"{takes}, none of which can be given as `{name}=`")
        if name in values:
            raise place.error(f"`{name}` is given twice")
        values[name] = value
    missing = [name for name in everything if name not in values]
    if missing:
        raise place.error(f"{takes}, and `{missing[0]}` is missing")
    return values


def refuse_decorators(function: Function, place: Place) -> None:
    """Raise SourceError for decorators, which run where the function is defined."""
    if isinstance(function, ast.FunctionDef) and function.decorator_list:
        where = place.source.place(function.decorator_list[0])
        raise where.error("decorators are not supported", "call the function that the decorator makes")


def refuse_special_parameters(function: Function, place: Place) -> None:
    """Raise SourceError for default values and starred parameters."""
    arguments = function.args
    for default in (*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)):
        raise Place(place.source, default).error("default values are not supported", "give every argument")
    for starred in (arguments.vararg, arguments.kwarg):
        if starred is not None:
            raise Place(place.source, starred).error("`*` parameters are not supported", "name each one")


def _counted(names: list[str]) -> str:
    if not names:
        return "no arguments"
    listed = ", ".join(f"`{name}`" for name in names)
    return f"the argument{'s' * (len(names) > 1)} {listed}"
