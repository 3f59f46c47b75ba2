"""Large subterms that a term repeats, named: terms are graphs, but formulas are trees, which would repeat them too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tallystick.core.terms import Operator, Term, equal, simplified, subterms
from tallystick.core.types import BOOL, is_basic

LARGE = 100
"""The size of subterms, as trees, that are worth a name when they are repeated."""


def shared(term: Term, name: Callable[[Term], Term]) -> tuple[Term, tuple[Term, ...]]:
    """The term with variables, that `name` gives, for its large repeated subterms; and variable = subterm for each.

    These definitions determine the variables. As trees, the results are about as large as the term is as a graph.
    """
    uses = _uses(term)
    sizes: dict[Term, int] = {}
    replaced: dict[Term, Term] = {}
    definitions: list[Term] = []
    for node in subterms(term):
        arguments = tuple(replaced[argument] for argument in node.arguments)
        kept = node if arguments == node.arguments else simplified(node.operator, arguments, node.parameter)
        sizes[node] = 1 + sum(sizes[argument] for argument in node.arguments)
        if sizes[node] > LARGE and uses[node] > 1 and is_basic(node.type):
            replaced[node], sizes[node] = name(node), 1
            definitions.append(equal(replaced[node], kept))
        else:
            replaced[node] = kept
    return replaced[term], tuple(definitions)


def _uses(term: Term) -> Counter[Term]:
    """How often a formula for the term needs each subterm: conditions with their negations."""
    uses: Counter[Term] = Counter()
    for node in subterms(term):
        twice = node.operator is Operator.EQUAL and node.arguments[0].type == BOOL
        for place, argument in enumerate(node.arguments):
            uses[argument] += 2 if twice or (node.operator is Operator.ITE and place == 0) else 1
    return uses
