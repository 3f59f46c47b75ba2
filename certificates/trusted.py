"""Which modules can change the answer that an audit prints, and how many lines they have."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

AUDIT = ("tallystick.certificates.audit",)
"""Reads a certificate, has the kernel check it, and says what was found."""

KERNEL = ("tallystick.certificates.kernel",)
"""Makes theorems."""

QUERY_KERNEL = ("tallystick.certificates.queries.kernel",)
"""Makes theorems about queries: with their compilation, and their reference interpreter."""

OF_QUERIES = "tallystick.certificates.queries"
"""The package that audits of certificates about queries alone load, with what it alone imports."""

OF_DATAFLOWS = "tallystick.certificates.dataflows"
"""The same for certificates about dataflows, whose audits load that of queries, too."""

NOT_LOADED = {"dataflow": (), "sql": (OF_DATAFLOWS,), "spark": (OF_QUERIES, OF_DATAFLOWS)}
"""The packages that an audit does not load, by semantics; "spark" stands for all of programs."""


def trusted_modules(roots: tuple[str, ...] = AUDIT, without: tuple[str, ...] = ()) -> dict[str, int]:
    """The modules that the roots, which are loaded, import, directly or not, with their numbers of physical lines.

    Those of the packages `without`, and what they alone import, are left out.
    """
    found: dict[str, int] = {}
    names = list(roots)
    for name in names:
        left_out = any(f"{name}.".startswith(f"{package}.") for package in without)
        if name in sys.modules and name not in found and not left_out:
            text = Path(sys.modules[name].__file__ or "").read_text(encoding="utf-8")
            found[name] = len(text.splitlines())
            if name.count(".") > 1:
                names.append(name.rpartition(".")[0])  # its package, which is imported first
            names += [each for each in _imported(text) if each.startswith("tallystick.")]
    return dict(sorted(found.items()))


@cache
def _imported(text: str) -> list[str]:
    """The modules that a module's text imports, and names in them, which may be modules."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.module]
    return [name for node in nodes for name in (str(node.module), *(f"{node.module}.{a.name}" for a in node.names))]
