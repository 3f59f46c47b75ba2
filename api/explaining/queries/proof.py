"""A proof about queries in words: monomials that are matched, rows that are merged, premises and why they are valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tallystick.certificates.evidence import Oracle
from tallystick.certificates.judgements import Goal, related
from tallystick.certificates.obligations import Node, Obligation, derived
from tallystick.certificates.rules import (
    again,
    bag,
    inside,
    limit_map,
    limit_push,
    one,
    reflexive,
    symmetric,
    transitive,
)
from tallystick.certificates.rules import sum as sums
from tallystick.certificates.rules.flattening import flatten
from tallystick.certificates.rules.matching import Group, Match
from tallystick.core.binders import fresh_rows, instantiate, slots_of
from tallystick.core.operators import Operator
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.terms import TRUE, Term
from tallystick.explaining.document import Block, Formula, Items, Paragraph, Section
from tallystick.explaining.layout import laid_out
from tallystick.explaining.queries.evidence import Found, evidence_steps
from tallystick.explaining.queries.notation import Notation

MOST_LEMMAS = 12
"""How many lemmas are explained."""


def proof_blocks(goal: Goal, proof: Any, catalogue: Catalogue) -> tuple[tuple[Block, ...], Found]:
    """The blocks that explain a proof that the kernel has accepted, and what its evidence uses."""
    telling = _Telling(Notation(catalogue), Found())
    blocks = telling.derivation(derived(goal, proof))
    lemmas: list[Block] = []
    for number in range(1, MOST_LEMMAS + 1):  # a lemma may rest on others, which are found while it is told
        if len(telling.found.lemmas) < number:
            break
        about, step = telling.found.lemmas[number - 1]
        told = telling.derivation(derived(about, step))
        lemmas.append(Section(f"Lemma {number}", (telling.judgement(about), *told), folded=True))
    left_out = len(telling.found.lemmas) - len(lemmas)
    if left_out:
        lemmas.append(Paragraph(f"… and {left_out} more lemmas of the same kind."))
    return (*blocks, *lemmas), telling.found


class _Telling:
    """Tells a proof; `found` collects what its evidence uses."""

    def __init__(self, notation: Notation, found: Found) -> None:
        self.notation, self.found = notation, found

    def derivation(self, node: Node) -> tuple[Block, ...]:
        """The blocks about a step and those below it."""
        return RULES[type(node.step.rule)](self, node, node.step.rule)

    def judgement(self, goal: Goal) -> Formula:
        """Γ ⊢ left ≡ right, without Γ where it is true."""
        words = self.notation.over(goal.rows)
        given = "" if goal.hypothesis is TRUE else f"{words.text(goal.hypothesis)} ⊢ "
        return Formula(laid_out(f"{given}{words.text(goal.left)} ≡ {words.text(goal.right)}"))

    def formula(self, term: Term, rows: tuple[Term, ...]) -> Formula:
        return Formula(laid_out(self.notation.over(rows).text(term)))

    def one(self, node: Node, rule: one.One) -> tuple[Block, ...]:
        goal = related(node.goal)
        side = goal.left if rule.side == "left" else goal.right
        summed = side.arguments[0] if side.operator in (Operator.SUM, Operator.EXTREMUM) else side
        present = summed.arguments[rule.monomial]
        larger = rule.replacement if rule.opening else present
        rows = ", ".join(self.slots(larger, rule.slots, goal))
        what = "an implied condition" if not rule.slots else f"`{rows}`"
        does = "adds" if rule.opening else "takes away"
        text = f"Rule ONE {does} {what}"
        because = "what is taken away follows from the rest." if not rule.slots else "there is exactly one such row."
        blocks = (
            Paragraph(f"Monomial {rule.monomial + 1} on the {rule.side}: {because} It becomes"),
            self.formula(rule.replacement, goal.rows),
            *self.premises(node),
        )
        return (Section(text, blocks, folded=True), *self.derivation(node.subproofs[0]))

    def slots(self, monomial: Term, chosen: tuple[int, ...], goal: Goal) -> list[str]:
        """Slots of a monomial with their sources; keys that make them unique are noted."""
        rows = fresh_rows(monomial, len(goal.rows))
        opened = instantiate(monomial, rows)
        words = self.notation.over((*goal.rows, *opened.sources))
        for place in chosen:
            table = self.notation.table(opened.sources[place])
            if table is not None and len(table.keys) == 1:
                columns = ", ".join(table.columns[column].name for column in table.keys[0])
                self.found.constraint(f"{table.name} has the key ({columns})")
        return [f"{words.write(rows[place])}: {words.write(opened.sources[place])}" for place in chosen]

    def bag(self, node: Node, rule: bag.Bag) -> tuple[Block, ...]:
        goal = related(node.goal)
        text = "Rule BAG: the monomials of both sides correspond, so that each row is returned equally often."
        return (Paragraph(text), *self.matched(goal, rule.pairs, rule.groups), *self.premises(node), *self.below(node))

    def sum(self, node: Node, rule: sums.Sum) -> tuple[Block, ...]:
        goal = related(node.goal)
        text = "Rule SUM: the monomials of both sides correspond, and contribute the same to the sums."
        return (Paragraph(text), *self.matched(goal, rule.pairs, rule.groups), *self.premises(node), *self.below(node))

    def matched(self, goal: Goal, pairs: tuple[Match, ...], groups: tuple[Group, ...]) -> tuple[Block, ...]:
        """Which monomials and slots correspond."""
        left, right = (_monomials(side, len(goal.rows)) for side in (goal.left, goal.right))
        entries = [(0, self.pair(goal, match, left[match.left], right[match.right])) for match in pairs]
        for group in groups:
            sides = (", ".join(str(each.monomial + 1) for each in side) for side in (group.left, group.right))
            numbers = " with ".join(each or "none" for each in sides)
            entries.append((0, f"together, over the same rows: monomials {numbers}"))
        return (Items(tuple(entries)),) if entries else ()

    def pair(self, goal: Goal, match: Match, left: Term, right: Term) -> str:
        """Two matched monomials and their slots, the same rows on both sides."""
        first = len(goal.rows)
        rows = fresh_rows(left, first)
        words = self.notation.over((*goal.rows, *instantiate(left, rows).sources))
        others = fresh_rows(right, first)
        there = self.notation.over((*goal.rows, *instantiate(right, others).sources))
        same = [
            f"`{words.write(rows[place])}` is `{there.write(others[slot])}`" for slot, place in enumerate(match.slots)
        ]
        slots = f": {', '.join(same)}" if slots_of(left) else ", without rows"
        return f"monomial {match.left + 1} on the left with monomial {match.right + 1} on the right{slots}"

    def limit_map(self, node: Node, rule: limit_map.LimitMap) -> tuple[Block, ...]:
        images, rest = node.subproofs
        text = (
            "What LIMIT hands on is the image of what it hands on of more columns, by a function that keeps its order."
        )
        where = Paragraph(f"Slot {rule.slot + 1} of monomial {rule.monomial + 1} on the {rule.side}. {text}")
        told = (self.judgement(related(images.goal)), *self.derivation(images), *self.premises(node))
        inside = Section("The bags that are limited", told)
        title = "Rule LIMIT-MAP moves a computation out of a LIMIT"
        return (Section(title, (where, inside), folded=True), *self.derivation(rest))

    def limit_push(self, node: Node, rule: limit_push.LimitPush) -> tuple[Block, ...]:
        numbers = ", ".join(str(at + 1) for at, _ in rule.slots)
        where = Paragraph(
            f"In monomials {numbers} of the LIMIT on the {rule.side}: it looks at no more rows than that below takes."
        )
        title = "Rule LIMIT-PUSH leaves out a LIMIT below a LIMIT"
        blocks = (where, *self.premises(node))
        return (Section(title, blocks, folded=True), *self.derivation(node.subproofs[0]))

    def inside(self, node: Node, rule: inside.Inside) -> tuple[Block, ...]:
        part, rest = node.subproofs
        title = f"Rule INSIDE puts equals for equals on the {rule.side}"
        blocks = (self.judgement(related(part.goal)), *self.derivation(part))
        return (Section(title, blocks, folded=True), *self.derivation(rest))

    def transitive(self, node: Node, _: transitive.Transitive) -> tuple[Block, ...]:
        return (Paragraph("Rule TRANS: both sides equal a third."), *self.below(node))

    def symmetric(self, node: Node, _: symmetric.Symmetric) -> tuple[Block, ...]:
        return (Paragraph("Rule SYM: the sides change places."), *self.derivation(node.subproofs[0]))

    def reflexive(self, _node: Node, _rule: reflexive.Reflexive) -> tuple[Block, ...]:
        return (Paragraph("Rule REFLEXIVE: both sides have the same normal form."),)

    def again(self, _node: Node, _rule: again.Again) -> tuple[Block, ...]:
        return (Paragraph("Rule AGAIN: as was shown above."),)

    def below(self, node: Node) -> tuple[Block, ...]:
        """A section for each subgoal."""
        return tuple(
            Section("Equal parts", (self.judgement(related(each.goal)), *self.derivation(each)), folded=True)
            for each in node.subproofs
        )

    def premises(self, node: Node) -> tuple[Block, ...]:
        goal = related(node.goal)
        return tuple(self.premise(number, goal, each) for number, each in enumerate(node.obligations, 1))

    def premise(self, number: int, goal: Goal, obligation: Obligation) -> Section:
        premise = obligation.premise
        title = f"Premise {number}: {in_words(premise.about)}"
        if premise.formula is TRUE:
            return Section(title, (Paragraph("Nothing is left to show once the formula is simplified."),))
        assert not isinstance(obligation.evidence, Oracle)  # no search for queries asks a solver
        steps = evidence_steps(goal, premise, obligation.evidence, self.notation, self.found)
        evidence = Section("Evidence: its negation is impossible", (steps,), folded=True)
        return Section(title, (self.formula(premise.formula, (*goal.rows, *premise.rows)), evidence), folded=True)


def in_words(about: object) -> str:
    """What a premise says, with monomials numbered from 1; raises ValueError for one that no rule has."""
    match about:
        case bag.ConditionHolds(monomial, side):
            return f"where the condition of monomial {monomial + 1} on the {side} holds, that of its partner does"
        case bag.HeadsAgree():
            return "matched monomials return the same row"
        case bag.CountsAgree(group, member):
            return f"what member {member + 1} of group {group + 1} returns is as frequent on both sides"
        case bag.Empty(side, monomial) | sums.WeighsNothing(side, monomial):
            nothing = "returns nothing" if isinstance(about, bag.Empty) else "contributes nothing"
            return f"monomial {monomial + 1} on the {side} {nothing}"
        case sums.Weighs(monomial, side):
            return f"monomial {monomial + 1} on the {side} contributes only where its partner does"
        case sums.WeightsAgree():
            return "matched monomials contribute the same"
        case sums.TotalsAgree(group):
            return f"the monomials of group {group + 1} contribute the same on both sides"
        case one.Unique() | one.HeadsAgree() | one.Necessary() | one.Sufficient():
            return str(about)
        case limit_map.Determined() | limit_push.KeysAgree() | limit_push.RowsExist():
            return str(about)
    raise ValueError(f"no rule for queries has a premise {about!r}")


def _monomials(side: Term, first: int) -> tuple[Term, ...]:
    return side.arguments if side.operator is Operator.SUMMATION else tuple(flatten(side, first))


RULES: dict[type, Callable[[_Telling, Node, Any], tuple[Block, ...]]] = {
    bag.Bag: _Telling.bag,
    sums.Sum: _Telling.sum,
    one.One: _Telling.one,
    limit_map.LimitMap: _Telling.limit_map,
    limit_push.LimitPush: _Telling.limit_push,
    inside.Inside: _Telling.inside,
    transitive.Transitive: _Telling.transitive,
    symmetric.Symmetric: _Telling.symmetric,
    reflexive.Reflexive: _Telling.reflexive,
    again.Again: _Telling.again,
}
"""What explains each rule about queries."""
