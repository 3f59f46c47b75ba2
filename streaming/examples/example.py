"""An example of the paper: a generator, a right program, a formula, and planted faults that the formula
finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.properties import Property
from tallystick.streaming.report import Settings


@dataclass(frozen=True)
class Example:
    """A property of the paper, with `cases` as many as the paper runs and, for Fig. 1, the paper's
    seconds."""

    name: str
    source: str
    generator: st.SearchStrategy[Any]
    subject: Any
    formula: Formula
    faults: Mapping[str, Any]
    cases: int = 10
    paper_seconds: int | None = None

    def property_of(self, subject: Any, **changes: Any) -> Property:
        """Return the property for the right program or a faulty one; `changes` are changed settings."""
        return Property(self.generator, subject, self.formula, Settings(**{"examples": self.cases, **changes}))
