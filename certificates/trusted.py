"""Which modules an accepted audit relies on, and how many lines they have."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from tallystick.certificates import kernel, reader

ROOTS = (kernel.__name__, reader.__name__)
"""The kernel proves the claim that the reader reads."""


def trusted_modules(roots: tuple[str, ...] = ROOTS) -> dict[str, int]:
    """The modules that `roots` import, directly or not, with their numbers of lines: all lines but blank ones."""
    found: dict[str, int] = {}
    names = list(roots)
    for name in names:
        if name in sys.modules and name not in found:
            text = Path(sys.modules[name].__file__ or "").read_text(encoding="utf-8")
            found[name] = sum(1 for line in text.splitlines() if line.strip())
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tallystick."):
                    names += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return dict(sorted(found.items()))
