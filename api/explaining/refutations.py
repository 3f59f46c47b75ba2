"""Refutation trees in readable steps: what is assumed, which cases there are, and why each is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tallystick.certificates.evidence import Case, Cut, Farkas, Multipliers, Refutation, Split
from tallystick.certificates.facts import Disjunction, Fact, Facts
from tallystick.certificates.forms import Literal
from tallystick.certificates.proofs import Evidence, Oracle
from tallystick.certificates.refutation import branches, combination
from tallystick.core.errors import FragmentError
from tallystick.core.normalize.rewriting import Names
from tallystick.core.terms import Operator, Term, build, negation, rebuild, subterms, variable
from tallystick.core.types import BOOL, INT
from tallystick.explaining.document import Items, term_text

STEP_LIMIT = 40
"""How many lines of one refutation are shown."""

Step = tuple[int, str]


def refutation_steps(formula: Term, evidence: Evidence) -> Items:
    """Why a formula is valid, from evidence that the kernel has accepted; facts that no step uses are left out."""
    if isinstance(evidence, Oracle):
        return Items(((0, f"No evidence but the word of {evidence.solver}, which is believed."),))
    narration = _Narration(_conditionals(formula))
    narration.facts.assume((formula, False))
    steps = [
        *((0, f"Write `{term_text(name)}` for `{narration.definition(of)}`.") for of, name in narration.names.items()),
        (0, "Assume that the formula fails."),
        *narration.known(0, evidence, 0),
        *narration.steps(evidence, 0),
    ]
    if len(steps) > STEP_LIMIT:
        left_out = len(steps) - STEP_LIMIT
        steps = [*steps[:STEP_LIMIT], (0, f"… and {left_out} more lines of the same kind, in the certificate.")]
    return Items(tuple(steps))


def _conditionals(formula: Term) -> dict[Term, Term]:
    """A name for each integer that a conditional chooses, innermost first."""
    names = Names(formula)
    found = [node for node in subterms(formula) if node.operator is Operator.ITE and node.type == INT]
    return {node: variable(names.fresh(f"c{index}"), INT) for index, node in enumerate(found, 1)}


@dataclass(frozen=True, slots=True)
class _Narration:
    """A refutation while it is told: the facts of the branch, and names for conditionals."""

    names: dict[Term, Term]
    facts: Facts = field(default_factory=Facts)

    def steps(self, node: Refutation, depth: int) -> Iterator[Step]:
        """The lines about a node whose facts have been told."""
        if isinstance(node, Farkas):
            contradiction = combination(self.facts, node.multipliers)
            yield depth, f"Impossible: {_sum(node.multipliers)} says `{contradiction.constant} ≤ 0`."
            return
        if not isinstance(node, Case | Split | Cut):
            raise FragmentError(f"a refutation of a program over input bags has no {type(node).__name__}")
        titles = list(self.titles(node))
        for title, (assumed, child) in zip(titles, branches(self.facts, node), strict=True):
            inner = depth if isinstance(node, Cut) else depth + 1
            yield depth, title
            with self.facts.branch():
                before = len(self.facts.facts)
                for fact in assumed:
                    self.facts.add(fact)
                yield from self.known(before, child, inner)
                yield from self.steps(child, inner)

    def titles(self, node: Case | Split | Cut) -> Iterator[str]:
        """A line for each branch of a node, in order."""
        match node:
            case Case(number):
                disjunction = self.facts.facts[number]
                assert isinstance(disjunction, Disjunction)  # the kernel has accepted this tree
                for index, literals in enumerate(disjunction.branches, 1):
                    yield f"Case {index} of {len(disjunction.branches)} of ({number}): `{self.literals(literals)}`."
            case Split(coefficients, bound):
                unknowns = tuple(self.facts.unknowns)
                form = self.linear({unknowns[number]: coefficient for number, coefficient in coefficients})
                yield f"Split: `{form} ≤ {bound}`."
                yield f"Split: `{form} ≥ {bound + 1}`."
            case Cut(multipliers):
                yield f"Cut: {_sum(multipliers)}, divided by the common factor and rounded."

    def known(self, start: int, node: Refutation, depth: int) -> Iterator[Step]:
        """The facts from number `start` on that a refutation uses."""
        for number in sorted(_used(node)):
            if start <= number < len(self.facts.facts):
                yield depth, f"({number}) `{self.fact(self.facts.facts[number])}`"

    def fact(self, fact: Fact) -> str:
        """A fact: an inequality with its constant on the right, or a disjunction."""
        if isinstance(fact, Disjunction):
            return " ∨ ".join(self.literals(branch, len(branch) > 1) for branch in fact.branches)
        coefficients, constant = dict(fact.coefficients), fact.constant
        if len(coefficients) == 1:
            [(unknown, coefficient)] = coefficients.items()
            if unknown.type == BOOL and (coefficient, constant) in ((-1, 1), (1, 0)):
                return self.literal(unknown, coefficient < 0)
            if coefficient < 0:
                return f"{self.linear({unknown: -coefficient})} ≥ {constant}"
        return f"{self.linear(coefficients)} ≤ {-constant}" if coefficients else f"{constant} ≤ 0"

    def linear(self, coefficients: dict[Term, int]) -> str:
        """A sum of multiples of unknowns, what is added before what is taken away."""
        parts = []
        for unknown, coefficient in sorted(coefficients.items(), key=lambda part: part[1] < 0):
            multiple = build(Operator.SCALE, (self.renamed(unknown),), abs(coefficient))
            shown = term_text(multiple if abs(coefficient) > 1 else self.renamed(unknown))
            parts.append((" - " if coefficient < 0 else " + ") + shown)
        whole = "".join(parts)
        return whole[3:] if whole.startswith(" + ") else f"-{whole[3:]}"

    def literals(self, literals: tuple[Literal, ...], grouped: bool = False) -> str:
        """Formulas that hold together."""
        texts = " ∧ ".join(self.literal(term, holds) for term, holds in literals)
        return f"({texts})" if grouped else texts

    def literal(self, term: Term, holds: bool) -> str:
        """A formula that holds, or the negation of one that fails."""
        return term_text(self.renamed(term if holds else negation(term)))

    def renamed(self, term: Term) -> Term:
        """A term with conditionals by their names."""
        return rebuild(term, self.names, inside=True, make=build)

    def definition(self, conditional: Term) -> str:
        """A conditional with those inside it by their names."""
        return term_text(build(Operator.ITE, tuple(map(self.renamed, conditional.arguments))))


def _used(node: Refutation) -> set[int]:
    """The numbers of the facts that a refutation mentions."""
    match node:
        case Case(number, parts):
            return {number}.union(*map(_used, parts))
        case Split(_, _, below, above):
            return _used(below) | _used(above)
        case Cut(multipliers, rest):
            return _used(rest).union(number for number, _ in multipliers)
        case Farkas(multipliers):
            return {number for number, _ in multipliers}
    raise FragmentError(f"a refutation of a program over input bags has no {type(node).__name__}")


def _sum(multipliers: Multipliers) -> str:
    return " + ".join(f"({number})" if factor == 1 else f"{factor}·({number})" for number, factor in multipliers)
