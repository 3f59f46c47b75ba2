"""The logic LTLss of Riesco and Rodríguez-Hortalá: syntax, semantics, evaluation and word generation."""

from tallystick.streaming.logic import text

__all__ = ["text"]
