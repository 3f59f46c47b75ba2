"""Folds as linear systems: every step adds values of the element alone; and what a goal observes of the sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from tallystick.certificates.judgements import Premise
from tallystick.certificates.rules.fold import fold_transitions
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.core.monomials import rows_of
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.formulas import atoms
from tallystick.core.presburger.unimodular import independent
from tallystick.core.terms import (
    TRUE,
    Term,
    add,
    aggregates,
    constant,
    equal,
    free_variables,
    scale,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, TupleType, Type, default_value
from tallystick.decision.inputs import random_value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.runs import literal
from tallystick.decision.methods.affine_invariants import components, linear_equation, null_space
from tallystick.decision.methods.no_agg import find_matching
from tallystick.decision.outcome import MethodContext

SAMPLES = 8
"""How many elements of each step, besides one for each form, suggest which forms depend on others."""

Form = tuple[int, ...]
"""The coefficients of a linear form, one for each component."""


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """Accumulators that start from `initial` and to which each step adds the value of its terms.

    Attributes:
        leaves: the integer components of the accumulators.
        initial: their initial values.
        added: for each step, what it adds to each component, terms over its slots.
        sources: for each step, the input bags that it takes an element from.
    """

    leaves: tuple[Term, ...]
    initial: tuple[Term, ...]
    added: tuple[tuple[Term, ...], ...]
    sources: tuple[tuple[Term, ...], ...]

    @property
    def components(self) -> Iterator[LinearSystem]:
        """Each component as a system of its own."""
        for index, (leaf, start) in enumerate(zip(self.leaves, self.initial, strict=True)):
            yield LinearSystem((leaf,), (start,), tuple((step[index],) for step in self.added), self.sources)


def linear_system(induction: Induction, context: MethodContext) -> LinearSystem | None:
    """The folds of an induction as a linear system; None unless they are one without basic parameters in a step."""
    states = induction.accumulators
    leaves = tuple(leaf for state in states for leaf in components(state))
    if not leaves or any(leaf.type != INT for leaf in leaves):
        return None
    transitions = fold_transitions(induction.folds, states)
    at_zero = {state: literal(default_value(state.type)) for state in states}  # type: ignore[arg-type]
    added: list[tuple[Term, ...]] = []
    for change in transitions.steps:
        moved = [part for state in states for part in components(change.after.get(state, state))]
        step = tuple(substitute(part, at_zero) for part in moved)
        if any(free_variables(part) - part.rows for part in step):
            return None
        same = (equal(part, add(leaf, more)) for part, leaf, more in zip(moved, leaves, step, strict=True))
        if not isinstance(context.prover.evidence(same), tuple):
            return None
        added.append(step)
    initial = tuple(part for state in states for part in components(transitions.initial[state]))
    return LinearSystem(leaves, initial, tuple(added), tuple(change.sources for change in transitions.steps))


@dataclass(frozen=True, slots=True)
class Observation:
    """What a goal depends on of the sums of a linear system: few forms are easier to describe than all components.

    Attributes:
        totals: a variable for the sum of each component.
        claims: what has to hold of the totals for the sides of the goal to agree; nothing when folds are left.
        forms: linear forms of totals: with the relations, they tell all that the claims depend on; all without claims.
        relations: linear forms of totals that are 0, whatever the elements are.
        system: what each step adds to the forms. A form of sums is a sum of its values, so that nothing is lost.
    """

    totals: tuple[Term, ...]
    claims: tuple[Premise, ...]
    forms: tuple[Form, ...]
    relations: tuple[Form, ...]
    system: LinearSystem

    @classmethod
    def of(cls, induction: Induction, system: LinearSystem, context: MethodContext) -> Observation:
        """What the goal of an induction depends on."""
        totals = tuple(variable(f"total{number}", INT) for number in range(len(system.leaves)))
        claims = _claims(induction, totals, system.initial)
        forms, relations = _independent(_observed(totals, claims), system, context)

        def combined(parts: tuple[Term, ...]) -> tuple[Term, ...]:
            return tuple(combination(form, parts) for form in forms)

        added = tuple(map(combined, system.added))
        seen = LinearSystem(combined(system.leaves), combined(system.initial), added, system.sources)
        return cls(totals, claims, forms, relations, seen)


def _observed(totals: tuple[Term, ...], claims: tuple[Premise, ...]) -> tuple[Form, ...]:
    """The forms of totals that claims depend on; each total without claims, or when the forms are as many."""
    conversion = Conversion()
    names = [name for total in totals for name in conversion.unknowns(total)]
    found = [atom for claim in claims for atom in atoms(conversion.formula(claim.formula, positive=False))]
    rows = dict.fromkeys(tuple(atom.term.coefficient(name) for name in names) for atom in found)
    forms = independent(sorted(rows, key=lambda row: sum(map(abs, row))))
    if claims and len(forms) < len(totals):
        return tuple(forms)
    return tuple(tuple(int(i == j) for j in range(len(totals))) for i in range(len(totals)))


def _independent(
    forms: tuple[Form, ...], system: LinearSystem, context: MethodContext
) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    """Forms without those whose sums the others determine; and forms that are 0, which say how.

    Linear relations between the values that random elements add are candidates, and hold when every step keeps them.
    """
    added = [tuple(combination(form, step) for form in forms) for step in system.added]
    kept, relations = list(forms), []
    for vector in null_space(_samples(added, system)) if forms else ():
        holds = (linear_equation([0, *vector], list(step)) for step in added)
        if len(kept) > 1 and isinstance(context.prover.evidence(holds), tuple):
            last = max(index for index, entry in enumerate(vector) if entry)
            kept.remove(forms[last])
            columns = zip(*forms, strict=True)
            relations.append(tuple(sum(a * b for a, b in zip(vector, column, strict=True)) for column in columns))
    return tuple(kept), tuple(relations)


def _samples(added: Sequence[tuple[Term, ...]], system: LinearSystem) -> list[list[int]]:
    """What random elements of each step add to some forms."""
    generator = Random(1)
    rows: list[list[int]] = []
    for step, sources in zip(added, system.sources, strict=True):
        values, slots = compiled(step, rows_of(sources)), rows_of(sources)
        rows += [
            [*values([random_value(slot.type, generator) for slot in slots])]  # type: ignore[misc]
            for _ in range(len(step) + SAMPLES)
        ]
    return rows


def _claims(induction: Induction, totals: tuple[Term, ...], initial: tuple[Term, ...]) -> tuple[Premise, ...]:
    """What the conclusion of an induction says when each component has its initial value plus its total."""
    rest = induction.conclusion(TRUE)
    if aggregates(rest.left) or aggregates(rest.right):
        return ()
    leaves = (name if start is constant(0) else add(name, start) for name, start in zip(totals, initial, strict=True))

    def value(of: Type) -> Term:
        return tuple_of(*map(value, of.components)) if isinstance(of, TupleType) else next(leaves)

    states = {state: value(state.type) for state in induction.accumulators}
    required = NoAgg(find_matching(rest)).requirements(rest).premises
    return tuple(replace(premise, formula=substitute(premise.formula, states)) for premise in required)


def combination(form: Form, parts: tuple[Term, ...]) -> Term:
    """The value of a linear form where its arguments are some terms."""
    summands = [
        part if factor == 1 else scale(factor, part) for factor, part in zip(form, parts, strict=True) if factor
    ]
    return add(*summands) if len(summands) > 1 else summands[0]
