"""What went wrong, as data: a code by which programs know it, and the sentence for people with its place."""

from __future__ import annotations

import os
import re
from typing import Any

import click
from tallystick.core.errors import TallystickError

INTERNAL = "internal"
"""The code of what Tallystick does not expect."""


def code(of: type[BaseException]) -> str:
    """The code of a class of errors: the words of its name, without "error" at the end."""
    if issubclass(of, TallystickError):
        return "-".join(re.findall("[A-Z][a-z]*", of.__name__.removesuffix("Error"))).lower()
    known = {click.ClickException: "usage", ModuleNotFoundError: "not-installed", OSError: "file"}
    return next((code for kind, code in known.items() if issubclass(of, kind)), INTERNAL)


def to_json(error: BaseException, message: str) -> dict[str, Any]:
    """An error that ends a command, with its place in a text where there is one."""
    place = {name: getattr(error, name, None) or None for name in ("path", "line", "column", "hint")}
    return {"code": code(type(error)), "message": message, **place}


def reported(command: str, form: str, error: BaseException, message: str) -> str:
    """An error that ends a command as a report of one line (`tallystick.reports`)."""
    from tallystick.reports import FORMS, Entry

    found = to_json(error, message)
    path = found["path"] if found["path"] and os.path.exists(found["path"]) else ""
    entry = Entry(path or command, "error", message, path, found["line"] or 0, found["column"] or 0)
    return next(write for name, write in FORMS.items() if name == form)(command, [entry])
