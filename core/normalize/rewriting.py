"""What the passes share: rewriting a term from its leaves up, and names for new variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tallystick.core.terms import Operator, Parameter, Term, free_variables

Make = Callable[[Operator, tuple[Term, ...], Parameter], Term]


def bottom_up(term: Term, make: Make) -> Term:
    """The term with each subterm, arguments first, made anew by `make`."""
    done: dict[Term, Term] = {}

    def visit(node: Term) -> Term:
        if node not in done:
            done[node] = make(node.operator, tuple(map(visit, node.arguments)), node.parameter)
        return done[node]

    return visit(term)


class Names:
    """Names that no variable of a formula has, each given once."""

    def __init__(self, formula: Term) -> None:
        self.taken = {variable.parameter[0] for variable in free_variables(formula)}  # type: ignore[index]

    def fresh(self, wanted: str) -> str:
        """`wanted`, followed by as many primes as it takes."""
        while wanted in self.taken:
            wanted += "'"
        self.taken.add(wanted)
        return wanted


def in_order(variables: Iterable[Term]) -> list[Term]:
    """Variables by name, then by type."""
    return sorted(variables, key=lambda term: (term.parameter[0], str(term.type)))  # type: ignore[index]
