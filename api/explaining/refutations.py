"""Refutation trees in readable steps: what is assumed, which cases there are, and why each is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tallystick.certificates.evidence import (
    Apply,
    Case,
    Check,
    Cut,
    Evidence,
    Extremum,
    Farkas,
    Foreign,
    Key,
    Lemma,
    Member,
    Multipliers,
    Open,
    Refutation,
    Sign,
    Split,
    Use,
)
from tallystick.certificates.facts import Disjunction, Fact, Facts
from tallystick.certificates.forms import Literal
from tallystick.certificates.proofs import Oracle
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
    return narrated(Narration(_conditionals(formula)), formula, evidence)


def narrated(narration: Narration, formula: Term, evidence: Refutation) -> Items:
    """The lines of a whole refutation, cut off after STEP_LIMIT."""
    narration.facts.assume((formula, False))
    steps = list(narration.told(_lines(narration, evidence)))
    if len(steps) > STEP_LIMIT:
        left_out = len(steps) - STEP_LIMIT
        lines = "line" if left_out == 1 else "lines"
        steps = [*steps[:STEP_LIMIT], (0, f"… and {left_out} more {lines} of the same kind, in the certificate.")]
    return Items(tuple(steps))


def _lines(narration: Narration, evidence: Refutation) -> Iterator[Step]:
    for of, name in narration.names.items():
        yield 0, f"Write `{narration.write(name)}` for `{narration.definition(of)}`."
    yield 0, "Assume that the formula fails."
    yield from narration.known(0, evidence, 0)
    yield from narration.steps(evidence, 0)


def _conditionals(formula: Term) -> dict[Term, Term]:
    """A name for each integer that a conditional chooses, innermost first."""
    names = Names(formula)
    found = [node for node in subterms(formula) if node.operator is Operator.ITE and node.type == INT]
    return {node: variable(names.fresh(f"c{index}"), INT) for index, node in enumerate(found, 1)}


@dataclass
class Narration:
    """A refutation while it is told: names for conditionals, and the facts of the branch."""

    names: dict[Term, Term]
    facts: Facts = field(default_factory=Facts)

    def write(self, term: Term) -> str:
        """The text of a term."""
        return term_text(term)

    def told(self, lines: Iterator[Step]) -> Iterator[Step]:
        """The lines as they are to be read."""
        return lines

    def steps(self, node: Refutation, depth: int) -> Iterator[Step]:
        """The lines about a node whose facts have been told."""
        if isinstance(node, Farkas):
            contradiction = combination(self.facts, node.multipliers)
            sign = "<" if contradiction.strict else "≤"
            yield depth, f"Impossible: {_sum(node.multipliers)} says `{contradiction.constant} {sign} 0`."
            return
        if not isinstance(node, Case | Split | Cut):
            yield from self.other_steps(node, depth)
            return
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

    def other_steps(self, node: Refutation, depth: int) -> Iterator[Step]:
        """The lines about a node that refutations for programs over input bags do not have: an error."""
        raise FragmentError(f"a refutation of a program over input bags has no {type(node).__name__}")

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
        for number in sorted(used(node)):
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
                return f"{self.linear({unknown: -coefficient})} {'>' if fact.strict else '≥'} {constant}"
        sign = "<" if fact.strict else "≤"
        return f"{self.linear(coefficients)} {sign} {-constant}" if coefficients else f"{constant} {sign} 0"

    def linear(self, coefficients: dict[Term, int]) -> str:
        """A sum of multiples of unknowns, what is added before what is taken away."""
        parts = []
        for unknown, coefficient in sorted(coefficients.items(), key=lambda part: part[1] < 0):
            one = self.renamed(unknown)  # a text has a place in the order, but no multiples
            shown = self.write(one if abs(coefficient) == 1 else build(Operator.SCALE, (one,), abs(coefficient)))
            parts.append((" - " if coefficient < 0 else " + ") + shown)
        whole = "".join(parts)
        return whole[3:] if whole.startswith(" + ") else f"-{whole[3:]}"

    def literals(self, literals: tuple[Literal, ...], grouped: bool = False) -> str:
        """Formulas that hold together."""
        texts = " ∧ ".join(self.literal(term, holds) for term, holds in literals)
        return f"({texts})" if grouped else texts

    def literal(self, term: Term, holds: bool) -> str:
        """A formula that holds, or the negation of one that fails."""
        return self.write(self.renamed(term if holds else negation(term)))

    def renamed(self, term: Term) -> Term:
        """A term with conditionals by their names."""
        return rebuild(term, self.names, inside=True, make=build)

    def definition(self, conditional: Term) -> str:
        """A conditional with those inside it by their names."""
        return self.write(build(Operator.ITE, tuple(map(self.renamed, conditional.arguments))))


def used(node: Refutation) -> set[int]:
    """The numbers of the facts that a refutation mentions."""
    match node:
        case Case(number, parts) | Open(number, parts):
            return {number}.union(*map(used, parts))
        case Split(_, _, below, above):
            return used(below) | used(above)
        case Cut(multipliers, rest):
            return used(rest).union(number for number, _ in multipliers)
        case Farkas(multipliers):
            return {number for number, _ in multipliers}
        case Lemma(hypotheses=hypotheses, rest=rest):
            return used(rest).union(hypotheses)
        case Use() | Extremum() | Key() | Foreign() | Check() | Member() | Apply() | Sign():
            return used(node.rest)


def _sum(multipliers: Multipliers) -> str:
    return " + ".join(f"({number})" if factor == 1 else f"{factor}·({number})" for number, factor in multipliers)
