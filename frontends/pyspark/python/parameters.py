"""Parameters of functions of the source: the values that a call gives them, and their default values."""

from __future__ import annotations

import ast

from tallystick.core.terms import Term, constant, tuple_of
from tallystick.core.types import BOOL, is_basic
from tallystick.frontends.pyspark.python.one_time import is_used_once, kept
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.source import Function, Place
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Closure, Frame, Record, Spread, Table, Value


def bind_parameters(
    reader: Reading, function: Closure, place: Place, given: list[Value], named: dict[str, Value]
) -> dict[str, Value]:
    """The parameters' values for a call; raises SourceError when the arguments do not fit the parameters."""
    arguments = function.node.args
    positional = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    by_name = {each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    everything = [*positional, *(each.arg for each in arguments.kwonlyargs)]
    takes = f"{function.shown} takes {_counted(everything)}"
    further, others = given[len(positional) :], {name: named[name] for name in named if name not in by_name}
    if further and arguments.vararg is None:
        raise place.error(f"{takes}, and gets {len(given)} by position")
    if others and arguments.kwarg is None:
        raise place.error(f"{takes}, none of which can be given as `{next(iter(others))}=`")
    values = {name: _given(name, value, function, place) for name, value in zip(positional, given, strict=False)}
    for name, value in named.items():
        if name in values:
            raise place.error(f"`{name}` is given twice")
        if name not in others:
            values[name] = _given(name, value, function, place)
    values = {**{name: value for name, value in _defaults(reader, function).items() if name not in values}, **values}
    missing = [name for name in everything if name not in values]
    if missing:
        raise place.error(f"{takes}, and `{missing[0]}` is missing")
    if arguments.vararg is not None:
        values[arguments.vararg.arg] = _together([kept(each, place) for each in further])
    if arguments.kwarg is not None:
        values[arguments.kwarg.arg] = Table(
            tuple((constant(name), kept(value, place)) for name, value in others.items())
        )
    return values


def _given(name: str, value: Value, function: Closure, place: Place) -> Value:
    """The value of a parameter; lists of unknown length and groups may be generators, if they are used once."""
    if isinstance(value, Spread | Group) and is_used_once(name, function.node):
        return value
    return kept(value, place)


def _together(items: list[Value]) -> Value:
    """The tuple of some values, which is one of the language where they are."""
    terms = [each for each in items if isinstance(each, Term) and is_basic(each.type)]
    is_tuple = bool(terms) and len(terms) == len(items) and [each.type for each in terms] != [BOOL]
    return tuple_of(*terms) if is_tuple else Record(tuple(items))


def _defaults(reader: Reading, function: Closure) -> dict[str, Value]:
    """The default values of parameters."""
    return default_values(reader, function.node, function.frame) if function.defaults is None else function.defaults


def default_values(reader: Reading, function: ast.FunctionDef | ast.Lambda, frame: Frame) -> dict[str, Value]:
    """The default values of a function's parameters, where it is made."""
    source = frame.scope.source
    return {
        name: kept(reader.evaluate(default, frame), source.place(default))
        for name, default in default_nodes(function).items()
    }


def default_nodes(function: ast.FunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by their names."""
    arguments = function.args
    positional = zip(reversed([*arguments.posonlyargs, *arguments.args]), reversed(arguments.defaults), strict=False)
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {each.arg: node for each, node in (*positional, *by_name) if node is not None}


def refuse_special_parameters(function: Function, place: Place) -> None:
    """Raise SourceError for starred parameters of a program, of which no input can be given."""
    for starred in (function.args.vararg, function.args.kwarg):
        if starred is not None:
            raise Place(place.source, starred).error("`*` parameters of a program are not supported", "name each one")


def _counted(names: list[str]) -> str:
    if not names:
        return "no arguments"
    listed = ", ".join(f"`{name}`" for name in names)
    return f"the argument{'s' * (len(names) > 1)} {listed}"
