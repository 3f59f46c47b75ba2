"""Proofs by BAG that two normal forms of queries have the same rows: the search (`certificates/exports/coq_facts.py`).

Instances of what is known of rows are listed until a refutation tree is found for their consequences: existences are
opened, and used on all rows in scope; keys, foreign keys and checks are applied to all rows. Coq checks what is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product
from time import monotonic

from tallystick.certificates.exports.coq_facts import (
    BagProof,
    Because,
    Constraint,
    Context,
    Fact,
    Pair,
    Variable,
)
from tallystick.certificates.exports.coq_forms import Forms, Monomial, packed, types_of
from tallystick.certificates.exports.coq_members import parameter
from tallystick.certificates.proofs import Evidence, Oracle
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, TRUE, Term, equal, substitute, subterms
from tallystick.decision.prover import NO_SOLVER, Prover

MOST_ROWS = 6
"""How many rows may be in scope before existences are opened no more."""
MOST_USES = 60
"""How many instances of one existence are listed."""
MOST_ORDERS = 24
"""How many orders of slots are tried."""
MOST_PERMUTATIONS = 5_040
"""How many are looked at, whether or not the tables fit."""
SECONDS = 30.0
"""How long a proof is searched for."""


@dataclass
class FormSearch:
    """A search for one proof by BAG."""

    forms: Forms
    constraints: Sequence[Constraint]
    prover: Prover

    def because(self, monomial: Monomial, hypotheses: Sequence[Term], goal: Term) -> Because | None:
        """Why a goal follows for each choice of rows for the slots of a monomial."""
        variables = [Variable(of, source, TRUE) for source, of in monomial.over]
        context = Context(self.forms, self.constraints, variables)
        for facts in self._stages(context, (*hypotheses, goal)):
            for fact in facts:
                context.take(fact)
            answer = self.prover.answer(context.premise(hypotheses, goal))
            if isinstance(answer, Evidence) and not isinstance(answer, Oracle):
                return Because(tuple(context.steps), answer)
        return None

    def _stages(self, context: Context, formulas: Sequence[Term]) -> Iterator[list[Fact]]:
        """Nothing; uses and keys; what is opened, with uses and keys; what is referred to, and all once more."""
        yield []
        done = set[Fact]()
        opened = set[Term]()
        for stage in range(4):
            if stage in (1, 3):
                fresh = [call for call in self._calls(context, formulas) if call not in opened]
                opened.update(fresh)
                if len(context.variables) < MOST_ROWS:
                    yield from self._one_by_one(Fact("Open", self._number(call), call.arguments) for call in fresh)
            if stage == 2:
                rows = range(len(context.variables))
                yield from self._one_by_one([*self._constraints(context, "ForeignKey", "Referred", rows)])
            facts = [*self._uses(context, formulas), *self._keys(context)]
            facts += self._constraints(context, "Check", "Checked", range(len(context.variables)))
            new = [fact for fact in facts if fact not in done]
            done.update(new)
            if new:
                yield new

    @staticmethod
    def _one_by_one(facts: Iterator[Fact] | Sequence[Fact]) -> Iterator[list[Fact]]:
        found = [*facts]
        if found:
            yield found

    def _number(self, call: Term) -> int:
        names = [each.name for each in self.forms.functions]
        return names.index(call.parameter[0])  # type: ignore[index]

    def _calls(self, context: Context, formulas: Sequence[Term]) -> list[Term]:
        names = {each.name for each in self.forms.functions}
        found = dict.fromkeys(
            part
            for formula in (*formulas, *context.known)
            for part in subterms(formula)
            if part.operator is Operator.APPLY and part.parameter[0] in names  # type: ignore[index]
        )
        return list(found)

    def _uses(self, context: Context, formulas: Sequence[Term]) -> Iterator[Fact]:
        for call in self._calls(context, formulas):
            number = self._number(call)
            rows = [
                [
                    place
                    for place, each in enumerate(context.variables)
                    if (each.source, each.of) == slot and each.guard is not call
                ]
                for slot in self.forms.functions[number].over
            ]
            for chosen in islice(product(*rows), MOST_USES):
                yield Fact("Use", number, call.arguments, chosen)

    def _keys(self, context: Context) -> Iterator[Fact]:
        for number, constraint in enumerate(self.constraints):
            if constraint.data.constructor == "Key":
                rows = [place for place, each in enumerate(context.variables) if each.source == constraint.table]
                for pair in combinations(rows, 2):
                    yield Fact("KeyOf", number, (), pair)

    def _constraints(self, context: Context, of: str, name: str, rows: range) -> Iterator[Fact]:
        for number, constraint in enumerate(self.constraints):
            if constraint.data.constructor == of:
                for place in rows:
                    if context.variables[place].source == constraint.table:
                        yield Fact(name, number, (), (place,))

    def pair(self, left: Monomial, right: Monomial, numbers: tuple[int, int]) -> Pair | None:
        """A proof that two monomials make the same rows."""
        slots = range(len(left.over))
        if sorted(left.over, key=repr) != sorted(right.over, key=repr):
            return None
        fitting = (
            order
            for order in islice(permutations(slots), MOST_PERMUTATIONS)
            if tuple(left.over[i] for i in order) == right.over
        )
        for order in islice(fitting, MOST_ORDERS):
            places = {
                parameter(place, of): parameter(order[place], of) for place, of in enumerate(types_of(right.over))
            }
            condition, head = substitute(right.condition, places), substitute(packed(right.heads), places)
            questions = (
                ((left.condition,), equal(packed(left.heads), head)),
                ((left.condition,), condition),
                ((condition,), left.condition),
            )
            found: list[Because] = []
            for hypotheses, goal in questions:
                because = self.because(left, hypotheses, goal)
                if because is None:
                    break
                found.append(because)
            else:
                same_head, forth, back = found
                return Pair(*numbers, order, (forth, back, same_head))
        return None

    def bags(self, left: Sequence[Monomial], right: Sequence[Monomial]) -> BagProof | None:
        """A proof that two sums of monomials have the same rows, if one is found."""
        pairs: list[Pair] = []
        free = dict(enumerate(right))
        lonely = []
        for number, monomial in enumerate(left):
            found = (self.pair(monomial, other, (number, place)) for place, other in free.items())
            pair = next((each for each in found if each is not None), None)
            if pair is None:
                lonely.append((number, monomial))
            else:
                pairs.append(pair)
                del free[pair.right]
        sides: list[tuple[tuple[int, Because], ...]] = []
        for side in (lonely, list(free.items())):
            reasons = [(number, self.because(each, (each.condition,), FALSE)) for number, each in side]
            if any(because is None for _, because in reasons):
                return None
            sides.append(tuple((number, because) for number, because in reasons if because is not None))
        return BagProof(tuple(pairs), (sides[0], sides[1]))


def bag_proof(
    forms: Forms, constraints: Sequence[Constraint], left: Sequence[Monomial], right: Sequence[Monomial]
) -> BagProof | None:
    """A proof that two sums of monomials have the same rows, if one is found."""
    return FormSearch(forms, constraints, Prover(NO_SOLVER, monotonic() + SECONDS)).bags(left, right)
