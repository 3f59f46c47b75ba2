"""Instances: the formulas that the nodes of `evidence.Added` add to a branch (trusted; THEORY-SQL section 3).

Each is true of every database that satisfies the catalogue, of all rows in scope and of every meaning of the unknown
functions. `added` is the only door: search and checker ask it alike. Rows of a branch are named by their numbers,
binders by the number of their unknown. What a node means is in its file of `nodes/`, loaded for trees that have it.
"""

from __future__ import annotations

from tallystick.certificates.evidence import Added, Apply, Check, Extremum, Foreign, Key, Member, Sign, Use
from tallystick.certificates.facts import Facts
from tallystick.core.errors import RefutationError
from tallystick.core.terms import Term


def added(facts: Facts, node: Added) -> Term:
    """The formula that a node adds to a branch; raises RefutationError when the branch does not have what it names."""
    formula = _instance(facts, node)
    facts.budget.spend_on(formula)
    return formula


def _instance(facts: Facts, node: Added) -> Term:
    match node:
        case Use():
            from tallystick.certificates.nodes.use import use

            return use(facts, node)
        case Extremum():
            from tallystick.certificates.nodes.extremum import extremum

            return extremum(facts, node)
        case Key():
            from tallystick.certificates.nodes.key import key

            return key(facts, node)
        case Foreign():
            from tallystick.certificates.nodes.foreign import foreign

            return foreign(facts, node)
        case Check():
            from tallystick.certificates.nodes.check import check

            return check(facts, node)
        case Member():
            from tallystick.certificates.nodes.member import member

            return member(facts, node)
        case Apply():
            from tallystick.certificates.nodes.apply import apply

            return apply(facts, node)
        case Sign():
            from tallystick.certificates.nodes.sign import sign

            return sign(facts, node)
    raise RefutationError(f"a refutation has no {type(node).__name__}")
