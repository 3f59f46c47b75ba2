"""Which modules can change the answer that an audit prints, and how many lines they have."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

AUDIT: Final = ("tallystick.certificates.audit",)
"""Reads a certificate, has it checked, and says what was found."""
KINDS: Final = {
    "programs": ("tallystick.certificates.claims", "tallystick.certificates.program_reader"),
    "queries": ("tallystick.certificates.queries.claims", "tallystick.certificates.queries.proof_reader"),
    "dataflows": ("tallystick.certificates.dataflows.claims", "tallystick.certificates.dataflows.reader"),
}
"""For each kind of certificates, what checks them and what reads them."""
_ROOT: Final = Path(__file__).parents[1]


def trusted_modules(roots: Iterable[str] = AUDIT, inside: bool = False) -> dict[str, int]:
    """The modules that are loaded with the roots, with their numbers of physical lines.

    What a module imports inside of a function is loaded where it is needed: it counts if `inside`, else not.
    """
    found: dict[str, int] = {}
    names = list(roots)
    for name in names:
        if name not in found and (path := _path(name)) is not None:
            text = path.read_text(encoding="utf-8")
            found[name] = len(text.splitlines())
            if name.count(".") > 1:
                names.append(name.rpartition(".")[0])  # its package, which is imported first
            names += [each for each in _imported(text, inside) if each.startswith("tallystick.")]
    return dict(sorted(found.items()))


def all_of(kind: str) -> dict[str, int]:
    """All modules that the audit of some certificate of a kind loads."""
    checks, reads = KINDS[kind]
    found = trusted_modules((*AUDIT, reads)) | trusted_modules((checks,), inside=True)
    return dict(sorted(found.items()))


def _path(name: str) -> Path | None:
    """The file of a module; None where a name in a module has none."""
    _, *parts = name.split(".")
    place = _ROOT.joinpath(*parts)
    return next((path for path in (place.with_suffix(".py"), place.joinpath("__init__.py")) if path.is_file()), None)


@cache
def _imported(text: str, inside: bool) -> list[str]:
    """The modules that a module imports, and names in them, which may be modules."""
    tree = ast.parse(text)
    found = (node for node in (ast.walk(tree) if inside else tree.body) if isinstance(node, ast.ImportFrom))
    nodes = [node for node in found if node.module]
    return [name for node in nodes for name in (str(node.module), *(f"{node.module}.{a.name}" for a in node.names))]
