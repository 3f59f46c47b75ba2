"""Rules BAG and SUM, with rule ONE before them: two bags, or two sums, of monomials are equal (untrusted).

Monomials are matched as they are first. What finds no partner is chased (`chase`), opening what can be opened, and
matched again; then anew, closing what can be closed. What is left must be empty, or equal together with all others of
its sources (rule BAG, hint b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, product
from typing import Literal

from tallystick.certificates.evidence import Refutation, Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.rules.limit_map import LimitMap
from tallystick.certificates.rules.matching import Group, Match, Placed
from tallystick.certificates.rules.one import One
from tallystick.core.binders import element_type, every, instantiate, slots_of
from tallystick.core.errors import KernelError, TallystickError
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, Term, equal, row, subterms
from tallystick.decision.queries.proofs.chase import MonomialContext, closed, guesses
from tallystick.decision.queries.proofs.limits import limited, widened
from tallystick.decision.queries.proofs.matching import assignments
from tallystick.decision.queries.proofs.proving import Prover
from tallystick.decision.queries.proofs.shapes import Shape
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.opened import Opened, opened
from tallystick.decision.queries.trees.slots import conjuncts

BLOCKS = (Operator.LIMIT, Operator.EXCEPT_ALL, Operator.INTERSECT_ALL, Operator.OPAQUE_BAG)
MOST_STEPS = 40
"""At most so many steps of rule ONE on one monomial."""
MOST_GROUPED = 80
"""At most so many monomials are compared together."""
MOST_ALIGNMENTS = 6
"""At most so many alignments of the slots of grouped monomials are tried."""
MODES = ("match", "open", "close", "keep", "values", "attained", "under", "beneath")
"""Match as they are; open EXISTS where possible; close slots where possible, first those that the head does not read,
and where the head has their columns; open EXISTS for the rows in which extrema of the head are attained; open EXISTS,
and close slots under the head of a monomial on the other side, in what is no part of something else; the same without
opening anything."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A step that replaces a monomial: a rule about the only monomial on the left, its evidence and first subproofs."""

    rule: One | LimitMap
    replacement: Term
    evidence: tuple[Refutation, ...] = ()
    subproofs: tuple[Step, ...] = ()


@dataclass(slots=True)
class Side:
    """A monomial on one side: what it is after some steps, and whether it has its partner."""

    original: Term
    current: Term
    steps: tuple[Applied, ...] = ()
    empty: bool = False


@dataclass(slots=True)
class _State:
    shape: Shape
    left: list[Side]
    right: list[Side]
    pairs: dict[int, Match] = field(default_factory=dict)

    def unmatched(self) -> tuple[list[Side], list[Side]]:
        """The monomials on the left and on the right that have no partner and may have rows."""
        matched = {match.right for match in self.pairs.values()}
        left = [side for index, side in enumerate(self.left) if index not in self.pairs and not side.empty]
        return left, [side for index, side in enumerate(self.right) if index not in matched and not side.empty]


class MonomialProver:
    """Proves goals about bags and sums of monomials.

    Attributes:
        prover: finds the evidence for premises.
    """

    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self._chased: dict[tuple[object, ...], tuple[Term, tuple[Applied, ...]]] = {}

    def prove(self, shape: Shape, left: tuple[Term, ...], right: tuple[Term, ...]) -> Step | Missing:
        """A proof that both lists of monomials have one bag, or one sum; or what is missing."""
        state = _State(shape, [Side(one, one) for one in left], [Side(one, one) for one in right])
        missing = Missing("")
        for mode in MODES:
            left_over = state.unmatched()
            if mode == "attained" and not any(_has_extremum(side.original) for side in chain(*left_over)):
                continue
            if mode == "under" and shape.context.rows:
                break
            if mode != "match":
                for side in chain(*left_over):
                    side.current, side.steps = self._chased_in(mode, shape, side.original)
            if mode in ("under", "beneath") and not self._close_under(shape, *left_over):
                continue
            self._pair(state)
            found = self._finish(state)
            if isinstance(found, Step):
                return self._with_steps(state, found)
            missing = found
        return missing

    # Rule ONE

    def chased(self, shape: Shape, monomial: Term) -> Term:
        """What the steps of rule ONE that open all that they can make of a monomial."""
        return self._chase(shape, monomial, "open")[0]

    def steps(self, shape: Shape, monomial: Term) -> tuple[Applied, ...]:
        """The steps of rule ONE that open all that they can."""
        return self._chase(shape, monomial, "open")[1]

    def _chased_in(self, mode: str, shape: Shape, monomial: Term) -> tuple[Term, tuple[Applied, ...]]:
        if mode == "beneath":
            return monomial, ()
        return self._chase(shape, monomial, "open" if mode == "under" else mode)

    def _chase(self, shape: Shape, monomial: Term, mode: str) -> tuple[Term, tuple[Applied, ...]]:
        key = (monomial, mode, shape.context.hypothesis, shape.context.rows, shape.sums)
        known = self._chased.get(key)
        if known is None:
            steps: list[Applied] = []
            refuted: set[object] = set()
            while len(steps) < MOST_STEPS:
                step = self._step(shape, monomial, mode, refuted)
                if step is None:
                    break
                steps.append(step)
                monomial = step.replacement
            known = self._chased[key] = monomial, tuple(steps)
        return known

    def _step(self, shape: Shape, monomial: Term, mode: str, refuted: set[object]) -> Applied | None:
        alone = shape.goal((monomial,), ())
        first = len(alone.rows)
        outer = [(self.prover.theory.row(number, source), source) for number, source in enumerate(alone.rows)]
        context = MonomialContext(tuple(conjuncts(alone.hypothesis)), tuple(outer))
        current = opened(monomial, first)
        fresh = first + len(current.rows)
        for number, source in enumerate(current.sources):
            step = self._widened(alone, source, current, number)
            if step is not None:
                return step
        for guess in guesses(self.prover.theory, current, context, fresh, mode):
            replacement = guess.replacement.monomial
            rule = One("left", 0, replacement, guess.slots, guess.opening)
            if rule in refuted or guess.replacement.condition is FALSE or replacement is monomial:
                continue
            try:
                evidence = self.prover.evidence(alone, rule)
            except KernelError:
                continue
            if not isinstance(evidence, Missing):
                self.prover.used[guess.name] += 1
                return Applied(rule, replacement, evidence)
            refuted.add(rule)
        return None

    def _widened(self, alone: Goal, source: Term, current: Opened, slot: int) -> Applied | None:
        """A LIMIT over all columns of the rows that it is made from, once these are chased themselves."""
        made = limited(source)
        if made is None:
            return None
        number = len(alone.rows) + slot
        bag = source.arguments[0]
        rows = (*alone.rows, *current.sources[:slot])
        shape = Shape(replace(alone, left=bag, right=bag, rows=rows), element_type(bag), False)
        chased = self.chased(shape, made)
        wide = widened(source, chased, len(alone.rows) + len(current.rows), number)
        if wide is None:
            return None
        for determined in (True, False):
            step = self._limit_map(alone, LimitMap("left", 0, slot, wide.bag, wide.image, determined))
            if step is not None:
                return step
        return None

    def _limit_map(self, alone: Goal, rule: LimitMap) -> Applied | None:
        """A step of rule LIMIT-MAP; with ties, only where no other step says how LIMIT breaks them."""
        try:
            required = rule.requirements(alone)
        except TallystickError:
            return None
        image, rest = required.subgoals
        evidence = self.prover.evidence(alone, rule)
        if isinstance(evidence, Missing) or not self.prover.may_choose(required.choices):
            return None
        proof = self.prover.lemmas.bags(image.goal)  # type: ignore[arg-type]
        changed: Term = rest.goal.left  # type: ignore[union-attr]
        monomials = changed.arguments[0].arguments if alone.left.operator is Operator.SUM else changed.arguments
        if isinstance(proof, Missing) or not monomials:  # the condition turned out to be false
            return None
        self.prover.choices.update(required.choices)
        self.prover.used["LIMIT"] += 1
        return Applied(rule, monomials[0], evidence, (proof,))

    def _close_under(self, shape: Shape, left: list[Side], right: list[Side]) -> bool:
        """Close rows of monomials that are cases of one over fewer rows, under its head; whether there are any.

        So ⟨x, y | φ ↦ y.v⟩ + ⟨x | ¬Ex(y | φ) ↦ NULL⟩ is compared with ⟨x ↦ (max(y | φ ↦ y.v), NULL without)⟩.
        """
        first = len(shape.context.rows)
        found = False
        for sides, others in ((left, right), (right, left)):
            large = [(side, opened(side.current, first)) for side in sides]
            small = [side.current for side in others]
            for side, current in large:
                for each in small:
                    steps = self._valued(shape, current, each)
                    wide = opened(steps[-1].replacement, first) if steps else current
                    step = self._closed_under(shape, wide, each)
                    if step is not None:
                        side.current, side.steps, found = step.replacement, (*side.steps, *steps, step), True
                        break
        return found

    def _valued(self, shape: Shape, large: Opened, small: Term) -> tuple[Applied, ...]:
        """The step of rule ONE that gives a monomial slots for those columns of its head which are ★-slots of another,
        where that has no others."""
        columns = _valued_columns(small, len(shape.context.rows))
        heads = large.head.arguments if large.head.operator is Operator.TUPLE else (large.head,)
        is_wide = max(columns, default=-1) < len(heads)  # else the head is a row of a source, as a whole
        if not columns or not is_wide or any(source.operator is Operator.EVERY for source in large.sources):
            return ()
        first = max((row.parameter[0] for row in large.rows), default=len(shape.context.rows) - 1) + 1  # type: ignore[index]
        values = [heads[column] for column in columns]
        slots = tuple(row(first + number, value.type) for number, value in enumerate(values))  # type: ignore[arg-type]
        wide = Opened(
            (*large.rows, *slots),
            (*large.sources, *(every(value.type) for value in values)),  # type: ignore[arg-type]
            (*large.conditions, *map(equal, slots, values)),
            large.head,
        )
        number = len(large.rows)
        rule = One("left", 0, wide.monomial, tuple(range(number, number + len(slots))), True)
        try:
            evidence = self.prover.evidence(shape.goal((large.monomial,), ()), rule)
        except KernelError:
            return ()
        return () if isinstance(evidence, Missing) else (Applied(rule, wide.monomial, evidence),)

    def _closed_under(self, shape: Shape, large: Opened, small: Term) -> Applied | None:
        """A step of rule ONE that closes the rows which a smaller monomial does not have, under that one's head."""
        number, wanted = len(large.rows), slots_of(small)
        if not 0 < wanted < number:
            return None
        goal = shape.goal((large.monomial,), ())
        for kept in islice(combinations(range(number), wanted), MOST_ALIGNMENTS):
            part = large.only(kept)
            for slots in islice(assignments(part, small, self._same_source(shape.context)), 2):
                instance = instantiate(small, tuple(part.rows[slot] for slot in slots))
                rest = tuple(index for index in range(number) if index not in kept)
                shorter = closed(large, rest, instance.head)
                rule = One("left", 0, shorter.monomial, rest, False)
                if not shorter.is_in_order:
                    continue
                try:
                    evidence = self.prover.evidence(goal, rule)
                except KernelError:
                    continue
                if not isinstance(evidence, Missing):
                    self.prover.used["closing"] += 1
                    return Applied(rule, shorter.monomial, evidence)
        return None

    def _with_steps(self, state: _State, last: Step) -> Step:
        proof = last
        ends: tuple[tuple[Literal["left", "right"], list[Side]], ...] = (("right", state.right), ("left", state.left))
        for name, sides in ends:
            for index in reversed(range(len(sides))):
                for step in reversed(sides[index].steps):
                    rule = replace(step.rule, side=name, monomial=index)
                    proof = Step(rule, step.evidence, (*step.subproofs, proof))
        return proof

    # Rules BAG and SUM

    def _pair(self, state: _State) -> None:
        """Find partners for monomials without one."""
        free = set(range(len(state.right))) - {match.right for match in state.pairs.values()}
        for index, side in enumerate(state.left):
            if index not in state.pairs and not side.empty:
                match = self._partner(state, index, sorted(free))
                if match is not None:
                    state.pairs[index] = match
                    free.discard(match.right)

    def _partner(self, state: _State, index: int, candidates: list[int]) -> Match | None:
        shape, one = state.shape, state.left[index].current
        current = opened(one, len(shape.context.rows))
        for candidate in candidates:
            other = state.right[candidate].current
            for slots in assignments(current, other, self._same_source(shape.context)):
                goal = shape.goal((one,), (other,))
                if not isinstance(self.prover.evidence(goal, shape.rule((Match(0, 0, slots),), ())), Missing):
                    return Match(index, candidate, slots)
        return None

    def _finish(self, state: _State) -> Step | Missing:
        """End the proof where every monomial has its partner, is empty, or belongs to an equal group."""
        shape = state.shape
        for side in chain(*state.unmatched()):
            goal = shape.goal((side.current,), ())
            side.empty = not isinstance(self.prover.evidence(goal, shape.rule((), ())), Missing)
        left = {i: side.current for i, side in enumerate(state.left) if i not in state.pairs and not side.empty}
        matched = {match.right for match in state.pairs.values()}
        right = {i: side.current for i, side in enumerate(state.right) if i not in matched and not side.empty}
        goal = shape.goal((side.current for side in state.left), (side.current for side in state.right))
        pairs = tuple(state.pairs.values())
        missing = Missing("monomials without partners have different sources")
        for groups in self._groups(shape, left, right):
            found = self.prover.step(goal, shape.rule(pairs, groups))
            if isinstance(found, Step):
                if groups:
                    self.prover.used["group"] += 1
                return found
            missing = found
        return missing

    def _groups(self, shape: Shape, left: dict[int, Term], right: dict[int, Term]) -> Iterator[tuple[Group, ...]]:
        """Groupings of monomials by their sources, with alignments of their slots."""
        if len(left) + len(right) > MOST_GROUPED:
            return
        first = len(shape.context.rows)
        by_sources: dict[tuple[Term, ...], list[tuple[bool, int, Term]]] = {}
        for is_left, monomials in ((True, left), (False, right)):
            for index, monomial in monomials.items():
                key = tuple(sorted(opened(monomial, first).sources, key=id))
                by_sources.setdefault(key, []).append((is_left, index, monomial))
        alternatives = [list(islice(self._alignments(shape, members), 3)) for members in by_sources.values()]
        yield from islice(product(*alternatives), MOST_ALIGNMENTS)

    def _alignments(self, shape: Shape, members: list[tuple[bool, int, Term]]) -> Iterator[Group]:
        base = opened(members[0][2], len(shape.context.rows))
        same = self._same_source(shape.context)
        choices = [[tuple(range(len(base.rows)))]]
        choices += [list(islice(assignments(base, member, same), 2)) for _, _, member in members[1:]]
        for chosen in product(*choices):
            placed = [
                (is_left, Placed(index, slots)) for (is_left, index, _), slots in zip(members, chosen, strict=True)
            ]
            yield Group(
                tuple(member for is_left, member in placed if is_left),
                tuple(member for is_left, member in placed if not is_left),
            )

    def _same_source(self, context: Goal) -> Callable[[Term, Term], bool]:
        """Whether two sources are the same, or blocks that are equal by rule CONG."""

        def same(one: Term, other: Term) -> bool:
            if one is other:
                return True
            scope = len(context.rows)
            if any(row.parameter[0] >= scope for row in one.rows | other.rows):  # type: ignore[index, operator]
                return False
            alike = one.operator is other.operator and one.parameter == other.parameter and one.operator in BLOCKS
            if not alike or len(one.arguments) != len(other.arguments) or one.type != other.type:
                return False
            return isinstance(self.prover.lemmas.prove(replace(context, left=one, right=other)), Step)

        return same


def _valued_columns(monomial: Term, first: int) -> list[int]:
    """The columns of a head that are the slots of a monomial, all of them ★, in their order; none for others."""
    parts = opened(monomial, first)
    heads = parts.head.arguments if parts.head.operator is Operator.TUPLE else (parts.head,)
    if any(source.operator is not Operator.EVERY for source in parts.sources) or not {*parts.rows} <= {*heads}:
        return []
    return [heads.index(slot) for slot in parts.rows]


def _has_extremum(monomial: Term) -> bool:
    return any(part.operator is Operator.EXTREMUM for part in subterms(monomial.arguments[-1]))
