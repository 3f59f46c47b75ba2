"""Compiles the paper to build/paper/tallystick.pdf; paper/generate.py has to run first.

The fonts are those that come with Typst, and the time stamp is fixed: the same records give the same file.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import typst

ROOT = Path(__file__).parents[1]
PDF = ROOT / "build" / "paper" / "tallystick.pdf"


def compile_paper() -> None:
    """Writes the PDF; raises typst.TypstError, which says where, when the text or a record file is at fault."""
    typst.compile(
        str(ROOT / "paper" / "main.typ"),
        output=str(PDF),
        root=str(ROOT),
        ignore_system_fonts=True,
        timestamp=int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()),
    )


if __name__ == "__main__":
    compile_paper()
    print(PDF.relative_to(ROOT))
