"""A failing case as Python to be pasted into a file of tests, where it runs again and fails again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pprint import pformat
from typing import Any

from tallystick.streaming.evaluation import CaseRun
from tallystick.streaming.letters import INPUT
from tallystick.streaming.report import Report

_INDENT = "    "


def case_as_code(report: Report, run: CaseRun, width: int) -> list[str]:
    """Return lines for the end of a report: a test of the one case, up to where it failed, or, for a function that is a
    test already, the case as an example of it. Records whose text is no Python cannot be pasted, which is said."""
    last = run.error.batch if run.error is not None and run.error.batch else len(run.steps)
    streams = {name: [list(batch) for batch in prefix[: last or None]] for name, prefix in run.case.inputs.items()}
    imports = _imports(streams.values(), report.module)
    value: Any = streams[INPUT] if set(streams) == {INPUT} else streams
    if not _is_python(repr(value)):
        return ["The case cannot be pasted as a test: the text of its records is no Python."]
    if report.test is not None:
        code = _assigned("@example(case=", value, ")", width - len(_INDENT))
        head = f"The case as an example, to be put above {report.test}:"
        return [head, "", *_indented([*imports, "from hypothesis import example", "", *code], 1)]
    code = [*imports, "from tallystick.streaming import for_all_streams, prefixes", ""]
    code += _assigned("case = ", value, "", width - 2 * len(_INDENT))
    code += _check(report, width - 2 * len(_INDENT))
    return ["The case as a test:", "", f"{_INDENT}def test_case():", *_indented(code, 2)]


def _check(report: Report, width: int) -> list[str]:
    engine = "" if report.engine == "local" else f", engine={report.engine!r}"
    quantified, checked = f"for_all_streams(prefixes.constant(case){engine})", f"({report.subject})({report.name})"
    if len(quantified + checked) + len(".check()") <= width:
        return [f"{quantified}{checked}.check()"]
    return [f"every = {quantified}", f"every{checked}.check()"]


def _assigned(before: str, value: Any, after: str, width: int) -> list[str]:
    """Return the value between two texts, in lines of a width."""
    first, *more = pformat(value, width=width - len(before), compact=True).splitlines()
    lines = [before + first, *(" " * len(before) + line for line in more)]
    lines[-1] += after
    return lines


def _indented(lines: Iterable[str], depth: int) -> list[str]:
    return [f"{_INDENT * depth}{line}".rstrip() for line in lines]


def _imports(values: Iterable[Any], module: str) -> list[str]:
    """Return the imports that the texts of values need in a module: of what they are instances of."""
    found: set[str] = set()
    for each in _parts(values):
        of, text = type(each), repr(each)
        if of is float and text.lstrip("-") in ("inf", "nan"):
            found.add(f"from math import {text.lstrip('-')}")
        elif of.__module__ in ("builtins", module):
            continue
        elif text.startswith(f"{of.__module__}."):
            found.add(f"import {of.__module__.partition('.')[0]}")
        elif text.startswith(f"{of.__name__}("):
            found.add(f"from {of.__module__} import {of.__name__}")
    return sorted(found, reverse=True)


def _parts(values: Iterable[Any]) -> Iterator[Any]:
    """Values and what is in them."""
    for each in values:
        yield each
        if isinstance(each, Mapping):
            yield from _parts([*each.keys(), *each.values()])
        elif isinstance(each, list | tuple | set | frozenset):
            yield from _parts(each)
        elif is_dataclass(each):
            yield from _parts(getattr(each, part.name) for part in fields(each))


def _is_python(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def name_among(names: Mapping[str, Any], value: Any) -> str | None:
    """Return a name of the value in a module, or None."""
    return next((name for name, each in names.items() if each is value and name != "_"), None)
