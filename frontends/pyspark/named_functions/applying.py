"""A function of the source as one of which proofs know nothing: a term that applies it by the hash of its text."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from tallystick.core.functions import FUNCTIONS, Function
from tallystick.core.terms import Operator, Term, apply_function
from tallystick.core.types import BasicType
from tallystick.frontends.pyspark.named_functions.arguments import Argument, argument
from tallystick.frontends.pyspark.named_functions.coding import encoded
from tallystick.frontends.pyspark.named_functions.generators import with_lists, yields
from tallystick.frontends.pyspark.named_functions.outside import Outside
from tallystick.frontends.pyspark.named_functions.pure_types import Records, term_type
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Resolve
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.frontends.pyspark.values.kinds import Builtin, Closure, Value
from tallystick.frontends.pyspark.values.record_types import plain_type

_PREFIX: Final = "python "


_constants: dict[str, tuple[int | str, ...]] = {}


def name_of(term: Term) -> str | None:
    """The name of the function that a term applies and only this process knows; None for other terms."""
    if term.operator not in (Operator.APPLY, Operator.EXPAND):
        return None
    name = str(term.parameter[0])  # type: ignore[index]
    return name if _PREFIX in name else None


def constants_of(name: str) -> tuple[int | str, ...]:
    """The integers and texts that stand in pure code, by its name."""
    return _constants.get(name, ())


def _constants_in(node: Any) -> list[int | str]:
    if not isinstance(node, tuple):
        return []
    if len(node) == 2 and node[0] == "const":
        return [node[1]] if type(node[1]) in (int, str) else []
    return [found for each in node for found in _constants_in(each)]


def applied(reader: Reading, function: Closure, place: Place, values: dict[str, Value]) -> Term:
    """What a function of the source gives for the values of its parameters, as a function without a meaning.

    Raises NotPureError where the function is not known to be pure, deterministic and of a known type.
    """
    records: Records = {}
    outside = Outside(reader, function, records)
    names = [each.arg for each in (*function.node.args.posonlyargs, *function.node.args.args)]
    if set(names) != set(values):
        raise NotPureError(function.node, "functions with a fixed number of parameters are supported")
    node = function.node
    if node is reader.flattened:
        node = with_lists(node)
    elif yields(node):
        raise NotPureError(node, "generators that are not understood are supported in `flatMap` alone")
    given = {name: values[name] for name in names} | outside.captured()
    return _of_code(node, given, outside.resolve, records, place, reader)


def applied_builtin(function: Builtin, place: Place, value: Term) -> Term:
    """What a function of Python's own gives for a value; raises NotPureError."""
    if not hasattr(builtins, function.name):
        raise NotPureError(None, f"`{function.name}` is not supported in pure code")
    called = ast.parse(f"lambda x: {function.name}(x)", mode="eval").body
    assert isinstance(called, ast.Lambda)
    return _of_code(called, {"x": value}, lambda _: None, {}, place)


def _of_code(
    node: ast.Lambda | ast.FunctionDef,
    given: dict[str, Value],
    resolve: Resolve,
    records: Records,
    place: Place,
    reader: Reading | None = None,
) -> Term:
    arguments = [argument(each, records, place, reader) for each in given.values()]
    code = pure_code(node, [(name, each.of) for name, each in zip(given, arguments, strict=True)], resolve)
    gives = term_type(code.gives, records)
    terms = [term for each in arguments for term in each.terms]
    return apply_function(_registered(code, arguments, gives, terms), gives, *terms)


def _registered(code: PureCode, arguments: Sequence[Argument], gives: BasicType, terms: Sequence[Term]) -> str:
    """The name of the function, whose values are computed by pure code's own interpreter."""
    takes = tuple(plain_type(each.type) for each in terms)
    core: BasicType = plain_type(gives)  # type: ignore[assignment]
    shapes = ", ".join(each.shape for each in arguments)
    text = f"{code.text} of {shapes} as {', '.join(map(str, takes))} gives {core}"
    name = _PREFIX + sha256(text.encode(errors="surrogatepass")).hexdigest()
    if name not in FUNCTIONS:
        ends = [sum(len(each.terms) for each in arguments[:index]) for index in range(len(arguments) + 1)]

        def value(*given: Any) -> Any:
            found = [each.value(given[ends[i] : ends[i + 1]]) for i, each in enumerate(arguments)]
            return encoded(code.gives, code.value(*found), core)

        _constants[name] = tuple(dict.fromkeys(_constants_in(code.code)))
        FUNCTIONS[name] = Function(takes, core, value, raises=True)  # type: ignore[arg-type]
    return name
