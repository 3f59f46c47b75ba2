"""What Python programs import, with signatures, types and errors."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import typing
from collections.abc import Iterator
from types import ModuleType

import tallystick
import tallystick.streaming
from tables import attributes, code, first_sentence, prose, table
from tallystick.core.errors import TallystickError
from tallystick.failures import code as code_of

PUBLIC = (tallystick, tallystick.streaming)
"""Modules whose `__all__` programs may use."""
HOMES = (
    "certificates.exports.auditors",
    "checking",
    "comparing",
    "configuration",
    "core.presburger.syntax",
    "experiments.suite_files",
    "experiments.suites",
    "frontends.errors",
    "frontends.pyspark.sets",
    "misreading",
    "options",
    "output",
    "reductions.errors",
    "replay.catalyst.process",
    "replay.errors",
    "replay.sql_engines",
    "streaming.errors",
    "validation",
)
"""Where the errors are defined that end commands, or leave functions of PUBLIC."""
STATUSES = (
    (0, "equivalent, accepted, safe, or unchanged"),
    (1, "inequivalent, rejected, unsafe, or changed"),
    (2, "unknown"),
    (3, "bad input, or output that cannot be written"),
    (4, "a defect of Tallystick, such as a text that an engine reads otherwise"),
    (130, "interrupted"),
)


def python() -> str:
    """All that the public modules export."""
    parts = ["Python", "Importing `tallystick` loads neither a solver nor Spark. The package has types (`py.typed`)."]
    for module in PUBLIC:
        parts += [f"## {module.__name__}", prose(module.__doc__)]
        for name in sorted(module.__all__, key=str.lower):
            parts += _exported(module, name)
    return "\n\n".join(part for part in parts if part)


def _exported(module: ModuleType, name: str) -> Iterator[str]:
    thing = getattr(module, name)
    yield f"### {name}"
    if inspect.isclass(thing):
        yield from _class(thing)
    elif inspect.isfunction(thing):
        yield from _function(thing)
    elif inspect.ismodule(thing):
        yield prose(thing.__doc__)
        for each, found in vars(thing).items():
            if inspect.isfunction(found) and not each.startswith("_") and found.__module__ == thing.__name__:
                yield f"#### {name}.{each}"
                yield from _function(found)
    elif name == "__version__":
        yield "The version that is installed, as a text."
    else:
        yield code(repr(thing)) if isinstance(thing, str) else f"A `{type(thing).__name__}`: {thing}."


def _function(function: typing.Any) -> Iterator[str]:
    signatures = typing.get_overloads(function) or [function]
    yield "```python\n" + "\n".join(_signature(each, function.__name__) for each in signatures) + "\n```"
    yield prose(function.__doc__)


def _signature(function: typing.Any, name: str) -> str:
    signature = inspect.signature(function)
    parts, keywords = [], False
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not keywords:
            parts.append("*")
        keywords = keywords or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        star = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        default = "" if each.default is each.empty else f" = {_default(each.default)}"
        type_ = "" if each.annotation is each.empty else f": {_type(each.annotation)}"
        parts.append(f"{star}{each.name}{type_}{default if type_ else default.replace(' ', '')}")
    returned = "" if signature.return_annotation is signature.empty else f" -> {_type(signature.return_annotation)}"
    line = f"{name}({', '.join(parts)}){returned}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned}"


def _type(annotation: typing.Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _default(value: typing.Any) -> str:
    if isinstance(value, enum.Enum):
        return str(value)
    text = repr(value)
    return "..." if " at 0x" in text or text.startswith("<") or len(text) > 60 else text


def _class(of: type) -> Iterator[str]:
    text = (of.__doc__ or "").partition("\nAttributes:")[0].partition("\n    Attributes:")[0]
    if issubclass(of, enum.Enum):
        yield prose(text)
        yield "\n".join(f"* `{of.__name__}.{each.name}`: {each.value!r}" for each in of)
        return
    if issubclass(of, Exception):
        yield f"An exception, also a `{of.__mro__[1].__name__}`."
    yield prose(text) if not text.startswith(f"{of.__name__}(") else ""
    said = attributes(of.__doc__)
    if dataclasses.is_dataclass(of):
        rows = [[code(each.name), code(_type(each.type)), said.get(each.name, "")] for each in dataclasses.fields(of)]
        yield table(("attribute", "type", "what it is"), (row for row in rows if not row[0].startswith("`_")))
    elif said:
        yield table(("attribute", "what it is"), ([code(name), text] for name, text in said.items()))
    members = [(name, each) for name, each in vars(of).items() if not name.startswith("_") and _is_method(each)]
    if members:
        yield table(("member", "what it does"), (_member(name, each) for name, each in members))


def _is_method(thing: object) -> bool:
    return inspect.isfunction(thing) or isinstance(thing, property | classmethod | staticmethod)


def _member(name: str, thing: typing.Any) -> list[str]:
    function = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
    shown = " ".join(_signature(function, name).split()).replace("( ", "(").replace(", )", ")")
    shown = shown.replace("(self, ", "(").replace("(self)", "()").replace("(cls, ", "(")
    if isinstance(thing, property):
        shown = shown.replace("()", "", 1).replace(" -> ", ": ")
    return [code(shown), prose(function.__doc__)]


def errors() -> str:
    """The classes of errors, and the statuses that commands end with."""
    rows = sorted(_row(each) for home in HOMES for each in _defined(importlib.import_module(f"tallystick.{home}")))
    return "\n\n".join(
        [
            "Errors and exit statuses",
            "What is wrong is said in a sentence, with its place in the text where there is one. In Python it is an "
            "exception that is also the builtin of which it is a case. With `--json`, a command prints "
            '`"verdict": "error"`, and the code below ([JSON](json.md)).',
            table(("code", "exception", "also", "what it says"), rows),
            "Without an exception of its own: `usage` (the command line), `file` (a file that cannot be read), "
            "`not-installed` (a library, with the extra that brings it), and `internal`.",
            "## Exit statuses",
            table(("status", "meaning"), ([str(status), said] for status, said in STATUSES)),
        ]
    )


def _defined(module: ModuleType) -> Iterator[type[Exception]]:
    for each in vars(module).values():
        if inspect.isclass(each) and issubclass(each, Exception) and each.__module__ == module.__name__:
            yield each


def _row(of: type[Exception]) -> list[str]:
    also = next((each.__name__ for each in of.__mro__ if each.__module__ == "builtins"), "")
    known = code_of(of) if issubclass(of, TallystickError) else ""
    return [code(known), code(of.__name__), code("" if also == "Exception" else also), first_sentence(of.__doc__)]
