"""Explanations of verdicts about queries, in the formats of `tallystick.explaining`.

Reading order: walkthrough.py (the whole), normal_forms.py (operator by operator), proof.py (rules and premises),
evidence.py (refutation trees with rows), notation.py (how terms are written).
"""

from __future__ import annotations

from tallystick.explaining.queries.walkthrough import walkthrough

__all__ = ["walkthrough"]
