"""Explanations: a pair of programs walked through, as text, Markdown, LaTeX or a page of HTML.

Reading order: document.py (what an explanation is made of), walkthrough.py (the whole), derivation.py (proofs),
refutations.py (their evidence), evaluation.py (counterexamples), errata.py, layout.py (long formulas), and one module
for each format. Queries are explained in a room of their own, queries/, for the same formats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tallystick.checking import check_programs
from tallystick.comparing import comparison
from tallystick.explaining.document import Document
from tallystick.explaining.html_format import to_html
from tallystick.explaining.latex_format import to_latex
from tallystick.explaining.markdown_format import to_markdown
from tallystick.explaining.text_format import to_text
from tallystick.explaining.walkthrough import walkthrough
from tallystick.frontends.pyspark import Reference, SourceProgram
from tallystick.validation import that_counts
from tallystick.verdict import Verdict

__all__ = ["FORMATS", "Document", "explain", "explained", "walkthrough"]

FORMATS: Mapping[str, Callable[[Document], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "latex": to_latex,
    "html": to_html,
}


def explain(before: Reference, after: Reference, *, types: str | None = None, **options: Any) -> Document:
    """The explanation of how two PySpark functions compare; options and errors are those of `check_programs`."""
    left, right = that_counts(before, types), that_counts(after, types)
    return explained_programs(left, right, check_programs(left, right, **options))


def explained(before: Reference, after: Reference, verdict: Verdict, types: str | None = None) -> Document:
    """The explanation of a verdict that `check` has given about two PySpark functions."""
    return explained_programs(that_counts(before, types), that_counts(after, types), verdict)


def explained_programs(left: SourceProgram, right: SourceProgram, verdict: Verdict) -> Document:
    """The explanation of a verdict about two programs as they were read."""
    compared = comparison(left, right, verdict.as_sets, verdict.semantics)
    return walkthrough(compared.left, compared.right, verdict)
