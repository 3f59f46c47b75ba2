"""Normal forms of bags and of what is made from them, by rules ONE and INSIDE, from the inside out (untrusted).

Queries of one meaning differ most in how their parts are written: two texts of one CTE, a join or an IN, a filter that
is negated or not. Each bag inside of a bag is chased as rule ONE opens it; monomials that a condition tells apart
become one; slots and conditions get an order. Equal parts are then mostly one term, each made so once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallystick.certificates.evidence import Refutation, Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules import Rule
from tallystick.certificates.rules.inside import Inside
from tallystick.certificates.rules.matching import Group, Match, Placed
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.binders import element_type, fresh_rows, instantiate, slots_of, summation
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, negation
from tallystick.decision.queries.proofs.matching import assignments
from tallystick.decision.queries.proofs.ordering import ordered
from tallystick.decision.queries.proofs.shapes import Shape
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.opened import Opened, opened
from tallystick.decision.queries.trees.slots import conjuncts

if TYPE_CHECKING:
    from tallystick.decision.queries.proofs.bags import MonomialProver

OF_BAGS = (
    Operator.EXISTS,
    Operator.SUM,
    Operator.EXTREMUM,
    Operator.AGGREGATE,
    Operator.LIMIT,
    Operator.EXCEPT_ALL,
    Operator.INTERSECT_ALL,
    Operator.OPAQUE_BAG,
)
MOST_ROUNDS = 3
"""So often the parts of a monomial are looked at again, after it was chased."""


@dataclass(frozen=True, slots=True)
class Change:
    """A step that changes the left side of a goal, with its evidence and first subproofs; the rest is one subgoal."""

    rule: Rule
    evidence: tuple[Refutation, ...] = ()
    subproofs: tuple[Step, ...] = ()


Normal = tuple[Term, tuple[Change, ...]]
"""An equal term, and the changes that lead to it."""


def after(changes: Iterable[Change], side: str, last: Step) -> Step:
    """The proof of a goal that some changes of one side turn into the goal that `last` proves."""
    proof = last
    for change in reversed(tuple(changes)):
        rule = replace(change.rule, side=side)  # type: ignore[call-arg, type-var]
        proof = Step(rule, change.evidence, (*change.subproofs, proof))
    return proof


class Normaliser:
    """Makes normal forms, each once."""

    def __init__(self, monomials: MonomialProver) -> None:
        self._monomials = monomials
        self._known: dict[tuple[object, ...], Normal] = {}

    def bag(self, bag: Term, context: Goal) -> Normal:
        """The normal form of a bag under the rows and the hypothesis of a goal."""
        if bag.operator is not Operator.SUMMATION:
            return bag, ()
        key = (bag, context.hypothesis, context.rows)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._bag(bag, replace(context, left=bag, right=bag))
        return known

    def _bag(self, bag: Term, context: Goal) -> Normal:
        changes: list[Change] = []
        for _ in range(MOST_ROUNDS):
            before = bag
            for index in range(len(bag.arguments)):
                if index < len(bag.arguments):
                    bag = self._parts(bag, index, context, changes)
                if index < len(bag.arguments):
                    bag = self._chased(bag, index, context, changes)
            if bag is before:
                break
        for last in (self._merged, self._ordered):
            bag = last(bag, context, changes)
        return bag, tuple(changes)

    def _apply(self, bag: Term, context: Goal, change: Change, changes: list[Change]) -> Term:
        """What a change makes of a bag."""
        rest = change.rule.requirements(replace(context, left=bag)).subgoals[-1].goal
        assert isinstance(rest, Goal)
        changes.append(change)
        left: Term = rest.left
        return left

    def _chased(self, bag: Term, index: int, context: Goal, changes: list[Change]) -> Term:
        shape = Shape(context, element_type(bag), False)
        for step in self._monomials.steps(shape, bag.arguments[index]):
            change = Change(replace(step.rule, monomial=index), step.evidence, step.subproofs)
            bag = self._apply(bag, context, change, changes)
        return bag

    # What bags are inside of a monomial

    def _parts(self, bag: Term, index: int, context: Goal, changes: list[Change]) -> Term:
        done: set[Term] = set()
        while index < len(bag.arguments):
            found = next(self._changed_parts(bag.arguments[index], index, context, done), None)
            if found is None:
                break
            bag = self._apply(bag, context, found, changes)
        return bag

    def _changed_parts(self, monomial: Term, index: int, context: Goal, done: set[Term]) -> Iterator[Change]:
        rows = fresh_rows(monomial, len(context.rows))
        instance = instantiate(monomial, rows)
        for place, part in enumerate((*instance.sources, instance.condition, instance.head)):
            around = replace(context, rows=(*context.rows, *instance.sources[:place]))
            for term in _outermost(part):
                if term not in done:
                    done.add(term)
                    new, changes = self._term(term, around)
                    if new is not term:
                        proof = after(changes, "left", Step(Reflexive()))
                        yield Change(Inside("left", (index, place), term, new), (), (proof,))

    def _term(self, term: Term, context: Goal) -> Normal:
        """The normal form of a function of bags."""
        changes: list[Change] = []
        current = term
        for place, argument in enumerate(term.arguments):
            bag, below = self.bag(argument, context)
            if bag is not argument:
                proof = after(below, "left", Step(Reflexive()))
                change = Change(Inside("left", (place,), argument, bag), (), (proof,))
                current = self._apply(current, replace(context, right=term), change, changes)
        return current, tuple(changes)

    # Monomials beside each other

    def _merged(self, bag: Term, context: Goal, changes: list[Change]) -> Term:
        """⟨x̄ | φ ∧ ψ ↦ h⟩ and ⟨x̄ | φ ∧ ¬ψ ↦ h⟩ are one monomial."""
        found = True
        while found:
            found = False
            for left, one in enumerate(bag.arguments):
                for right in range(left + 1, len(bag.arguments)):
                    merged = _complementary(one, bag.arguments[right], len(context.rows))
                    if merged is None:
                        continue
                    others = [place for place in range(len(bag.arguments)) if place not in (left, right)]
                    both, slots = merged
                    new = summation((both.monomial, *(bag.arguments[place] for place in others)), element_type(bag))
                    every = tuple(range(len(slots)))
                    group = Group((Placed(left, every), Placed(right, slots)), (Placed(0, every),))
                    pairs = tuple(
                        Match(place, 1 + number, tuple(range(slots_of(bag.arguments[place]))))
                        for number, place in enumerate(others)
                    )
                    changed = self._by_bag(bag, new, context, pairs, (group,), changes)
                    if changed is not None:
                        bag, found = changed, True
                        break
                if found:
                    break
        return bag

    def _ordered(self, bag: Term, context: Goal, changes: list[Change]) -> Term:
        """Slots, conditions and monomials in an order that their form determines."""
        made = ordered(bag, len(context.rows))
        if made.bag is bag:
            return bag
        return self._by_bag(bag, made.bag, context, made.pairs, (), changes) or bag

    def _by_bag(
        self,
        bag: Term,
        new: Term,
        context: Goal,
        pairs: tuple[Match, ...],
        groups: tuple[Group, ...],
        changes: list[Change],
    ) -> Term | None:
        shape = Shape(context, element_type(bag), False)
        goal = replace(context, left=bag, right=new)
        proof = self._monomials.prover.step(goal, shape.rule(pairs, groups))
        if isinstance(proof, Missing):
            return None
        return self._apply(bag, context, Change(Inside("left", (), bag, new), (), (proof,)), changes)


def _complementary(left: Term, right: Term, first: int) -> tuple[Opened, tuple[int, ...]] | None:
    """The monomial that two are together, and the slots of the left one that those of the right one are."""
    one = opened(left, first)
    if not one.conditions:
        return None
    for slots in assignments(one, right, lambda mine, other: mine is other):
        instance = instantiate(right, tuple(one.rows[place] for place in slots))
        other = frozenset(conjuncts(instance.condition))
        mine = frozenset(one.conditions)
        extra, missing = mine - other, other - mine
        if instance.head is one.head and len(extra) == len(missing) == 1:
            (fact,), (denied,) = extra, missing
            if negation(fact) is denied:
                return replace(one, conditions=tuple(part for part in one.conditions if part is not fact)), slots
    return None


def _outermost(term: Term) -> Iterator[Term]:
    """The functions of bags in a term that stand in no other."""
    waiting, seen = [term], {term}
    while waiting:
        node = waiting.pop()
        if node.operator in OF_BAGS:
            yield node
            continue
        fresh = [argument for argument in reversed(node.arguments) if argument not in seen]
        seen.update(fresh)
        waiting += fresh
