"""Instances: the formulas that the nodes of `evidence.Added` add to a branch, for those who search and explain."""

from __future__ import annotations

from tallystick.certificates.evidence import Added
from tallystick.certificates.facts import Facts
from tallystick.core.terms import Term


def added(facts: Facts, node: Added) -> Term:
    """The formula that a node adds to a branch; raises RefutationError when the branch does not have what it names."""
    return node.added(facts)
