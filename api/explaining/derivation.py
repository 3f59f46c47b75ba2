"""A proof in words: for each step its rule, what the reader has to know of it, its premises and why they are valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tallystick.certificates.judgements import Goal, OneValue, equivalence, related
from tallystick.certificates.obligations import Node, Obligation
from tallystick.certificates.rules import (
    by_key,
    congruence,
    distinct,
    fold,
    no_agg,
    normal,
    order,
    partition,
    reflexive,
    symmetric,
    transitive,
)
from tallystick.core.definedness import CONNECTIVES
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import rows_of
from tallystick.core.normalize import trace
from tallystick.core.pretty import with_named_rows
from tallystick.core.program_terms import program_terms
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.terms import TRUE, Operator, Term, build, implies, rebuild, subterms
from tallystick.core.types import BagType
from tallystick.explaining.document import (
    Block,
    Formula,
    Items,
    Paragraph,
    Section,
    formula,
    quoted,
    term_text,
)
from tallystick.explaining.layout import laid_out
from tallystick.explaining.queries.proof import proof_blocks
from tallystick.explaining.refutations import refutation_steps

_PASSES = {
    "strictness": "whatever is computed from ⊥ is ⊥",
    "conditionals": "a conditional becomes a case distinction",
    "absence": "⊥ = ⊥ is true, and ⊥ equals nothing else",
    "tuples": "tuples are equal when their components are, and a term equals itself",
    "division": "quotients and remainders get names",
}


def derivation(node: Node) -> tuple[Block, ...]:
    """The blocks that explain a proof that the kernel has accepted."""
    return RULES[type(node.step.rule)](node, node.step.rule)


def _no_agg(node: Node, rule: no_agg.NoAgg) -> tuple[Block, ...]:
    goal = equivalence(node.goal)
    blocks: list[Block] = [Paragraph(f"Rule NOAGG: no aggregate is left. {_in_words(goal, rule.matching)}")]
    compared = paper_formula(goal, rule.matching)
    if compared is not None:
        blocks += [
            Paragraph("The papers' formula, over arbitrary elements, where ⊥ stands for no element:"),
            formula(compared),
            *normal_form(compared),
        ]
    return (*blocks, *_premises(node, with_normal_form=compared is None))


def _distinct(node: Node, _: distinct.Distinct) -> tuple[Block, ...]:
    text = "Rule SET: both sides repeat nothing, so they are equal when each has the elements of the other."
    return (Paragraph(text), *_premises(node, with_normal_form=False))


def _in_words(goal: Goal, matching: no_agg.Matching | None) -> str:
    if not isinstance(goal.left.type, BagType):
        return "Both sides are values, and equal as they stand."
    if matching is None:
        return (
            "For each number of slots, the values of both sides form the same bag, "
            "over all orders in which elements may fill the slots."
        )
    if len(matching) == 1:
        return "What both sides make of the same arbitrary elements is equal, or both make nothing."
    pairs = ", ".join(f"{left} with {right}" for left, (right, _) in enumerate(matching))
    return f"The summands of both sides pair off ({pairs}), and each pair makes the same of the same elements."


def paper_formula(goal: Goal, matching: no_agg.Matching | None) -> Term | None:
    """φ(P₁) = φ(P₂), with ⊥, under the goal's hypothesis; None unless both sides have one program term to compare."""
    if matching is None or len(matching) != 1:
        return None
    [one], [other] = program_terms(goal.left), program_terms(goal.right)
    [(_, places)] = matching
    slots = rows_of(one.sources)
    renamed = {slot: slots[place] for slot, place in zip(slots, places, strict=True)}
    same = build(Operator.EQUAL, (one.term, rebuild(other.term, renamed, inside=True, make=build)))
    return with_named_rows(implies(goal.hypothesis, same), one.sources)


def normal_form(of: Term) -> tuple[Block, ...]:
    """𝒩 pass by pass: the formula after each pass that changes it; nothing when none does."""
    try:
        steps = trace(of)
    except FragmentError as error:
        return (Paragraph(f"𝒩 does not apply: {error}."),)
    blocks: list[Block] = []
    for name, after in steps:
        if after is not of:
            blocks += [Paragraph(f"{name}: {_PASSES[name]}"), formula(after)]
        of = after
    return (Section("𝒩, pass by pass", tuple(blocks), folded=True),) if blocks else ()


def _fold(node: Node, rule: fold.Fold) -> tuple[Block, ...]:
    folds = zip(rule.accumulators, rule.folds, strict=True)
    return (
        Paragraph(
            "Rule FOLD: induction over the elements. What is true of the initial values, and stays true with every "
            "element, is true of the results."
        ),
        Items(tuple((0, f"{quoted(state)} stands for {quoted(term)}") for state, term in folds)),
        Paragraph("Invariant:"),
        formula(rule.invariant),
        *_premises(node),
        *_below(node, "Under the invariant both sides agree"),
    )


def _by_key(node: Node, rule: by_key.ByKey) -> tuple[Block, ...]:
    entries = []
    for term, bucket in zip(rule.folds, rule.buckets, strict=True):
        names = ", ".join(map(term_text, bucket.variables))
        entries.append((0, f"`({names})` are key, existence and value of a bucket of {quoted(term)}"))
    return (
        Paragraph(
            "Rule BYKEY: buckets of both sides pair off, as keys agree; induction over the elements of such a pair."
        ),
        Items(tuple(entries)),
        Paragraph("Invariant:"),
        formula(rule.invariant),
        *_premises(node),
    )


def _congruence(node: Node, rule: congruence.Congruence) -> tuple[Block, ...]:
    text = f"Rule CONG: equal parts of both sides are replaced by one new input, {quoted(rule.fresh)}."
    return (Paragraph(text), *_below(node, "The parts are equal", "The rest is equal"))


def _transitive(node: Node, _: transitive.Transitive) -> tuple[Block, ...]:
    return (
        Paragraph("Rule TRANS: both sides equal a third."),
        *_below(node, "The first equals it", "The second equals it"),
    )


def _symmetric(node: Node, _: symmetric.Symmetric) -> tuple[Block, ...]:
    [mirrored] = node.subproofs
    return (Paragraph("Rule SYM: the sides change places."), *derivation(mirrored))


def _reflexive(_node: Node, _rule: reflexive.Reflexive) -> tuple[Block, ...]:
    return (Paragraph("Rule REFLEXIVE: both sides are the same term."),)


def _one_value(node: Node, rule: order.Order | partition.Partition) -> tuple[Block, ...]:
    goal = node.goal
    fold_text = quoted(goal.fold) if isinstance(goal, OneValue) else ""
    what = "partitioning" if isinstance(rule, partition.Partition) else "order of the elements"
    return (
        Paragraph(f"Rule {type(rule).__name__.upper()}: {fold_text} has one value in every {what}. Invariant:"),
        formula(rule.invariant),
        *_premises(node, with_normal_form=False),
    )


def _normal(node: Node, rule: normal.Normal) -> tuple[Block, ...]:
    [forms] = node.subproofs
    told, _ = proof_blocks(related(forms.goal), forms.step, Catalogue(()))
    return (
        Paragraph(
            "Rule NORMAL: what each fold returns is a function of sums, minima and maxima over what it folds, which "
            "premises show by induction. So both sides are sums of monomials, as queries are."
        ),
        Items(
            tuple(
                (
                    0,
                    f"{quoted(each.fold)} is {quoted(each.result)} of whether there are elements, and of "
                    f"{_measures_text(each)}",
                )
                for each in rule.readings
            )
        ),
        Items(tuple((0, premise_in_words(each.premise.about)) for each in node.obligations)),
        Section("The sums of monomials are equal", told),
    )


def _measures_text(reading: normal.Reading) -> str:
    bases = (*reading.among, *[0] * (len(reading.measures) - len(reading.among)))
    told = [
        f"{kind} of {quoted(of)}" + (f" where measure {base} is attained" if base else "")
        for (kind, of), base in zip(reading.measures, bases, strict=True)
    ]
    return ", ".join(told) or "nothing else"


RULES: dict[type, Callable[[Node, Any], tuple[Block, ...]]] = {
    no_agg.NoAgg: _no_agg,
    distinct.Distinct: _distinct,
    fold.Fold: _fold,
    by_key.ByKey: _by_key,
    congruence.Congruence: _congruence,
    transitive.Transitive: _transitive,
    symmetric.Symmetric: _symmetric,
    reflexive.Reflexive: _reflexive,
    order.Order: _one_value,
    partition.Partition: _one_value,
    normal.Normal: _normal,
}
"""What explains each rule of the kernel."""


def judgement(goal: Goal) -> Formula:
    """Γ ⊢ P₁ ≡ P₂, without Γ where it is true."""
    given = "" if goal.hypothesis is TRUE else f"{term_text(goal.hypothesis)} ⊢ "
    return Formula(laid_out(f"{given}{term_text(goal.left)} ≡ {term_text(goal.right)}"))


def _below(node: Node, *titles: str) -> tuple[Block, ...]:
    """A section for each subgoal, under its title."""
    pairs = zip(titles, node.subproofs, strict=True)
    return tuple(Section(title, (judgement(equivalence(each.goal)), *derivation(each))) for title, each in pairs)


def _premises(node: Node, with_normal_form: bool = True) -> tuple[Block, ...]:
    return tuple(_premise(number, each, with_normal_form) for number, each in enumerate(node.obligations, 1))


def _premise(number: int, obligation: Obligation, with_normal_form: bool) -> Section:
    statement = with_named_rows(obligation.premise.formula, obligation.premise.rows)
    title = f"Premise {number}: {premise_in_words(obligation.premise.about)}"
    if statement is TRUE:
        return Section(title, (Paragraph("Nothing is left to show once the formula is simplified."),))
    normal = normal_form(statement) if with_normal_form and _is_compound(statement) else ()
    steps = refutation_steps(statement, obligation.evidence)
    evidence = Section("Evidence: its negation is impossible", (steps,), folded=True)
    return Section(title, (formula(statement), *normal, evidence))


def _is_compound(statement: Term) -> bool:
    """Whether a formula has anything for 𝒩 to remove."""
    plain = (*CONNECTIVES, Operator.EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.VARIABLE, Operator.CONSTANT)
    return any(node.operator not in (*plain, Operator.ADD, Operator.SCALE) for node in subterms(statement))


def premise_in_words(about: object) -> str:
    """What a premise says; raises ValueError for one that no rule about programs has."""
    match about:
        case no_agg.ValuesEqual():
            return "Both sides have the same value."
        case no_agg.LeftIsRight():
            return "Where the left term exists, so does the right one, with the same value."
        case no_agg.RightIsLeft():
            return "Where the right term exists, so does the left one."
        case no_agg.SameMultiplicity(side, monomial):
            return (
                f"The value of summand {monomial} on the {side} occurs as often on one side as on the other, over all "
                "orders of the slots."
            )
        case distinct.IsOnOtherSide("left"):
            return "What the left side has, the right side has too."
        case distinct.IsOnOtherSide():
            return "What the right side has, the left side has too."
        case fold.Initial():
            return "The invariant holds of the initial values."
        case fold.Preserved(bags):
            return f"A step over `{' × '.join(bags)}` preserves the invariant."
        case fold.AnyOrder(state):
            return f"`{state}` is the same whichever of two elements comes first."
        case normal.Begins(reading):
            return f"Without elements, fold {reading + 1} is what is said of it."
        case normal.Continues(reading, monomial):
            return f"After an element of summand {monomial + 1}, fold {reading + 1} is what is said of it, if before."
        case order.PreservedByElement():
            return "Every element preserves the invariant."
        case order.EitherOrder():
            return "Two elements may come in either order."
        case partition.Unit():
            return "Merging with a part that is empty, or by key with one element, is right."
        case partition.MergeLater():
            return "A part may take an element before or after it is merged."
        case by_key.PreservedInBucket():
            return "An element that belongs to the bucket preserves the invariant."
        case by_key.KeysAgree():
            return "Two elements have equal keys on the left just when they have equal keys on the right."
        case by_key.LeftOutputIsRight():
            return "What the left bucket puts out, the right one puts out too."
        case by_key.RightOutputHasLeft():
            return "Where the right bucket puts something out, so does the left one."
    raise ValueError(f"no rule has a premise {about!r}")
