"""The search for refutation trees (untrusted). Reading order: answers, simplex, lattice, tableau."""

from tallystick.certificates.search.answers import Countermodel, GaveUp, Limits
from tallystick.certificates.search.tableau import search

__all__ = ["Countermodel", "GaveUp", "Limits", "search"]
