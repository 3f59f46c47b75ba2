"""The state of a search for one proof by MEMBERS, and what asks for refutation trees: invariants by induction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tallystick.certificates.evidence import Evidence
from tallystick.certificates.exports.coq_members import (
    Because,
    Defined,
    Induct,
    Law,
    Types,
    parameter,
    parameters,
)
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.rules.normal import Reading
from tallystick.core.binders import element_type
from tallystick.core.terms import Term, apply, substitute
from tallystick.decision.prover import Prover
from tallystick.members.bags import member
from tallystick.members.theory import Theory, Uses

Called = tuple[Defined, tuple[Term, ...]]
"""A function with arguments."""


@dataclass(frozen=True, slots=True)
class FoldLaws:
    """Laws about a fold: that it is what its reading says, what holds of any element, and what sums are equal to."""

    is_read: int
    met: int | None
    sums: tuple[int, ...]

    @property
    def of_result(self) -> tuple[int, ...]:
        """Those that speak of no element."""
        return (self.is_read, *self.sums)


@dataclass(slots=True)
class Search:
    """A search for one proof: laws are known by their numbers.

    Attributes:
        readings: of the folds of both programs.
        always: the laws without parameters.
        met: the laws about any element of a bag, by the bag.
        made_of: the first of the laws about what the elements of a bag are made of, by the bag.
        equations: the laws that two sums are equal, by their parameters.
        buckets: the laws about what a by-key fold accumulates for any key, by the fold.
        taken: the instances by which an element with a key is in that key's bucket, by the by-key fold.
        sums: those over a bag that is made of no others, by their parameters and the bag.
        items: elements of bags that were given names.
    """

    theory: Theory
    prover: Prover
    readings: dict[Term, Reading]
    always: list[int] = field(default_factory=list)
    met: dict[Term, list[int]] = field(default_factory=dict)
    made_of: dict[Term, int] = field(default_factory=dict)
    equations: dict[Types, list[int]] = field(default_factory=dict)
    buckets: dict[Term, tuple[int, ...]] = field(default_factory=dict)
    taken: dict[Term, Callable[[Term, Term], Uses]] = field(default_factory=dict)
    sums: dict[tuple[Types, Term], list[Defined]] = field(default_factory=dict)
    items: dict[Term, list[Term]] = field(default_factory=dict)

    def because(self, hypotheses: Sequence[Term], goal: Term, uses: Uses = ()) -> Because | None:
        """Evidence for a goal, if it follows from these instances of laws."""
        answer = self.prover.answer(self.theory.premise(hypotheses, goal, uses))
        return Because(uses, answer) if isinstance(answer, Evidence) and not isinstance(answer, Oracle) else None

    def induct(self, over: Types, calls: Sequence[Called], of: Callable[..., Term], uses: Uses = ()) -> int | None:
        """The number of the law that `of` holds of what folds over one bag return (`coq/Induction.v`).

        None where no proof by induction over the elements is found.
        """
        bodies = [each.with_arguments(given) for each, given in calls]
        states = parameters([body.type for body in bodies], len(over))  # type: ignore[misc]
        bag = bodies[0].arguments[2]
        item = parameter(len(over) + len(states), element_type(bag))
        invariant = of(*states)

        def put(values: Sequence[Term]) -> Term:
            return substitute(invariant, dict(zip(states, values, strict=True)))

        base = self.because((), put([body.arguments[0] for body in bodies]))
        after = [apply(body.arguments[1], item, state) for body, state in zip(bodies, states, strict=True)]
        known = member(self.theory, over, bag)(*parameters(over), item)
        step = self.because([invariant, known], put(after), uses) if base else None
        if base is None or step is None:
            return None
        numbered = tuple((self.theory.number(each), given) for each, given in calls)
        says = put([each(*given) for each, given in calls])
        return self.theory.add(Induct(over, numbered, invariant, base, step), Law(over, says))
