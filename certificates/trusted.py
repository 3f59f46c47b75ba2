"""Which modules can change the answer that an audit prints, and how many lines they have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from typing import Final

AUDIT: Final = ("tallystick.certificates.audit",)
"""Reads a certificate, has it checked, and says what was found."""
KINDS: Final = {
    "programs": ("tallystick.certificates.claims", "tallystick.certificates.program_reader"),
    "queries": ("tallystick.certificates.queries.claims", "tallystick.certificates.queries.proof_reader"),
    "dataflows": ("tallystick.certificates.dataflows.claims", "tallystick.certificates.dataflows.reader"),
}
"""For each kind of certificates, what checks them and what reads them."""
_ROOT: Final = os.path.dirname(os.path.dirname(__file__))
_IMPORT: Final = re.compile(r"^( *)from (tallystick[\w.]*) import (\([^)]*\)|[^(\n]*)$", re.MULTILINE)
"""An import, as the modules of Tallystick write it: its indentation, the module, and names in it."""


def trusted_modules(roots: Iterable[str] = AUDIT, inside: bool = False) -> dict[str, int]:
    """The modules that are loaded with the roots, with their numbers of physical lines.

    What a module imports inside of a function is loaded where it is needed: it counts if `inside`, else not.
    """
    found: dict[str, int] = {}
    names = list(roots)
    for name in names:
        if name not in found and (path := _path(name)) is not None:
            found[name], imported = _read(path, inside)
            if name.count(".") > 1:
                names.append(name.rpartition(".")[0])  # its package, which is imported first
            names += imported
    return dict(sorted(found.items()))


def all_of(kind: str) -> dict[str, int]:
    """All modules that the audit of some certificate of a kind loads."""
    checks, reads = KINDS[kind]
    found = trusted_modules((*AUDIT, reads)) | trusted_modules((checks,), inside=True)
    return dict(sorted(found.items()))


@cache
def _path(name: str) -> str | None:
    """The file of a module; None where a name in a module has none."""
    place = os.path.join(_ROOT, *name.split(".")[1:])
    return next((path for path in (f"{place}.py", f"{place}/__init__.py") if os.path.isfile(path)), None)


@cache
def _read(path: str, inside: bool) -> tuple[int, list[str]]:
    """The physical lines of a module, and the modules that it imports, and names in them, which may be modules."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = [(module, names) for blanks, module, names in _IMPORT.findall(text) if inside or not blanks]
    imported = [module for module, _ in found]
    imported += [f"{module}.{each}" for module, names in found for each in re.findall(r"\w+", names)]
    return len(text.splitlines()), imported
