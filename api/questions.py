"""What questions about programs are made of, and the prover that answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from tallystick.decision.service.process import ProverProcess

Reference = str | Callable[..., Any]
"""A PySpark function: itself, or "path.py:function"."""

Solver = Literal["auto", "z3", "cvc5", "cooper"]
ReplayOn = Literal["reference", "spark"]

shared_prover = ProverProcess()
"""Shared by the questions of this process that do not bring their own."""
