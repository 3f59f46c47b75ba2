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

OF_QUERIES = (*QUERY_KERNEL, "tallystick.certificates.queries.claims", "tallystick.certificates.queries.comparing")
"""What audits of certificates about queries alone call."""

OF_DATAFLOWS = tuple(f"tallystick.certificates.dataflows.{name}" for name in ("kernel", "claims", "proofs"))
"""What audits of certificates about dataflows alone call."""

NOT_CALLED: dict[str, tuple[str, ...]] = {"dataflow": (), "sql": OF_DATAFLOWS, "spark": (*OF_QUERIES, *OF_DATAFLOWS)}
"""What an audit of a certificate does not call, by its semantics; "spark" stands for all of programs."""


def trusted_modules(roots: tuple[str, ...] = AUDIT, without: tuple[str, ...] = ()) -> dict[str, int]:
    """The modules that the roots, which are loaded, import, directly or not, with their numbers of physical lines.

    Modules `without` which nothing is called, and what they alone import, are left out.
    """
    found: dict[str, int] = {}
    names = list(roots)
    for name in names:
        if name in sys.modules and name not in found and name not in without:
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
