"""A proof in words: for each step its rule, what the reader has to know of it, its premises and why they are valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tallystick.certificates import kernel, premises, proofs
from tallystick.core.definedness import CONNECTIVES
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import monomials
from tallystick.core.normalize import trace
from tallystick.core.program_terms import program_terms
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
from tallystick.explaining.refutations import refutation_steps

_PREMISES = (
    (r"equal values", "Both sides have the same value."),
    (r"left monomial (\d+) is right (\d+)", "Where the left term exists, so does the right one, with the same value."),
    (r"right monomial (\d+) is left (\d+)", "Where the right term exists, so does the left one."),
    (
        r"multiplicity of (left|right) monomial (\d+)",
        r"The value of summand \2 on the \1 occurs as often on one side as on the other, over all orders of the slots.",
    ),
    (r"initial", "The invariant holds of the initial values."),
    (r"preserved by an element", "An element that belongs to the bucket preserves the invariant."),
    (r"left monomial \d+ is on the other side", "What the left side has, the right side has too."),
    (r"right monomial \d+ is on the other side", "What the right side has, the left side has too."),
    (r"preserved by (.*)", r"A step over `\1` preserves the invariant."),
    (r"order of (.*) over summands \d+ and \d+", r"`\1` is the same whichever of two elements comes first."),
    (r"keys agree", "Two elements have equal keys on the left just when they have equal keys on the right."),
    (r"left output is right output", "What the left bucket puts out, the right one puts out too."),
    (r"right output exists only with left output", "Where the right bucket puts something out, so does the left one."),
)
"""What the names of premises say."""

_PASSES = {
    "strictness": "whatever is computed from ⊥ is ⊥",
    "conditionals": "a conditional becomes a case distinction",
    "absence": "⊥ = ⊥ is true, and ⊥ equals nothing else",
    "tuples": "tuples are equal when their components are, and a term equals itself",
    "division": "quotients and remainders get names",
}


def derivation(goal: kernel.Goal, proof: proofs.Proof) -> tuple[Block, ...]:
    """The blocks that explain a proof of `goal` that the kernel has accepted."""
    return RULES[type(proof)](goal, proof)


def _no_agg(goal: kernel.Goal, proof: proofs.NoAgg) -> tuple[Block, ...]:
    required = premises.no_agg(*goal, proof.matching)
    blocks: list[Block] = [Paragraph(f"Rule NOAGG: no aggregate is left. {_in_words(goal, proof.matching)}")]
    compared = paper_formula(goal, proof.matching)
    if compared is not None:
        blocks += [
            Paragraph("The papers' formula, over arbitrary elements, where ⊥ stands for no element:"),
            formula(compared),
            *normal_form(compared),
        ]
    return (*blocks, *_premises(required, proof.evidence, with_normal_form=compared is None))


def _distinct(goal: kernel.Goal, proof: proofs.Distinct) -> tuple[Block, ...]:
    text = "Rule SET: both sides repeat nothing, so they are equal when each has the elements of the other."
    return (Paragraph(text), *_premises(premises.distinct(*goal), proof.evidence, with_normal_form=False))


def _in_words(goal: kernel.Goal, matching: premises.Matching | None) -> str:
    if not isinstance(goal[1].type, BagType):
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


def paper_formula(goal: kernel.Goal, matching: premises.Matching | None) -> Term | None:
    """φ(P₁) = φ(P₂), with ⊥, under the goal's hypothesis; None unless both sides have one program term to compare."""
    hypothesis, left, right = goal
    if matching is None or len(matching) != 1:
        return None
    [one], [other] = program_terms(left), program_terms(right)
    [(_, places)] = matching
    slots = monomials(right)[0].slots
    renamed = {slot: slots[place] for slot, place in zip(slots, places, strict=True)}
    return implies(hypothesis, build(Operator.EQUAL, (one.term, rebuild(other.term, renamed, inside=True, make=build))))


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


def _fold(goal: kernel.Goal, proof: proofs.Fold) -> tuple[Block, ...]:
    required = premises.fold(goal[0], proof.folds, proof.accumulators, proof.invariant)
    conclusion = kernel.fold_goal(*goal, proof.folds, proof.accumulators, proof.invariant)
    folds = zip(proof.accumulators, proof.folds, strict=True)
    return (
        Paragraph(
            "Rule FOLD: induction over the elements. What is true of the initial values, and stays true with every "
            "element, is true of the results."
        ),
        Items(tuple((0, f"{quoted(state)} stands for {quoted(fold)}") for state, fold in folds)),
        Paragraph("Invariant:"),
        formula(proof.invariant),
        *_premises(required, proof.evidence),
        Section(
            "Under the invariant both sides agree", (judgement(conclusion), *derivation(conclusion, proof.conclusion))
        ),
    )


def _by_key(goal: kernel.Goal, proof: proofs.ByKey) -> tuple[Block, ...]:
    posts = kernel.posts((goal[1], goal[2]), proof.folds)
    required = premises.by_key(goal[0], proof.folds, posts, proof.buckets, proof.invariant)
    entries = []
    for fold, bucket in zip(proof.folds, proof.buckets, strict=True):
        names = ", ".join(map(term_text, bucket.variables))
        entries.append((0, f"`({names})` are key, existence and value of a bucket of {quoted(fold)}"))
    return (
        Paragraph(
            "Rule BYKEY: buckets of both sides pair off, as keys agree; induction over the elements of such a pair."
        ),
        Items(tuple(entries)),
        Paragraph("Invariant:"),
        formula(proof.invariant),
        *_premises(required, proof.evidence),
    )


def _congruence(goal: kernel.Goal, proof: proofs.Congruence) -> tuple[Block, ...]:
    part, whole = (goal[0], *proof.parts), kernel.congruence_goal(*goal, proof.parts, proof.fresh)
    return (
        Paragraph(f"Rule CONG: equal parts of both sides are replaced by one new input, {quoted(proof.fresh)}."),
        Section("The parts are equal", (judgement(part), *derivation(part, proof.equal_parts))),
        Section("The rest is equal", (judgement(whole), *derivation(whole, proof.whole))),
    )


def _transitive(goal: kernel.Goal, proof: proofs.Transitive) -> tuple[Block, ...]:
    first, second = (goal[0], goal[1], proof.middle), (goal[0], proof.middle, goal[2])
    return (
        Paragraph("Rule TRANS: both sides equal a third."),
        Section("The first equals it", (judgement(first), *derivation(first, proof.first))),
        Section("The second equals it", (judgement(second), *derivation(second, proof.second))),
    )


def _symmetric(goal: kernel.Goal, proof: proofs.Symmetric) -> tuple[Block, ...]:
    mirrored = (goal[0], goal[2], goal[1])
    return (Paragraph("Rule SYM: the sides change places."), *derivation(mirrored, proof.proof))


RULES: dict[type, Callable[[kernel.Goal, Any], tuple[Block, ...]]] = {
    proofs.NoAgg: _no_agg,
    proofs.Distinct: _distinct,
    proofs.Fold: _fold,
    proofs.ByKey: _by_key,
    proofs.Congruence: _congruence,
    proofs.Transitive: _transitive,
    proofs.Symmetric: _symmetric,
}
"""What explains each rule of the kernel."""


def judgement(goal: kernel.Goal) -> Formula:
    """Γ ⊢ P₁ ≡ P₂, without Γ where it is true."""
    hypothesis, left, right = goal
    given = "" if hypothesis is TRUE else f"{term_text(hypothesis)} ⊢ "
    return Formula(laid_out(f"{given}{term_text(left)} ≡ {term_text(right)}"))


def _premises(
    required: premises.Premises, evidence: tuple[proofs.Evidence, ...], with_normal_form: bool = True
) -> tuple[Block, ...]:
    return tuple(
        _premise(number, name, statement, piece, with_normal_form)
        for number, ((name, statement), piece) in enumerate(zip(required, evidence, strict=True), 1)
    )


def _premise(number: int, name: str, statement: Term, evidence: proofs.Evidence, with_normal_form: bool) -> Section:
    title = f"Premise {number}: {premise_in_words(name)}"
    if statement is TRUE:
        return Section(title, (Paragraph("Nothing is left to show once the formula is simplified."),))
    normal = normal_form(statement) if with_normal_form and _is_compound(statement) else ()
    steps = Section("Evidence: its negation is impossible", (refutation_steps(statement, evidence),), folded=True)
    return Section(title, (formula(statement), *normal, steps))


def _is_compound(statement: Term) -> bool:
    """Whether a formula has anything for 𝒩 to remove."""
    plain = (*CONNECTIVES, Operator.EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.VARIABLE, Operator.CONSTANT)
    return any(node.operator not in (*plain, Operator.ADD, Operator.SCALE) for node in subterms(statement))


def premise_in_words(name: str) -> str:
    """What the premise with this name says; raises ValueError for a name that no rule gives."""
    for pattern, words in _PREMISES:
        found = re.fullmatch(pattern, name)
        if found:
            return found.expand(words)
    raise ValueError(f"no rule has a premise {name!r}")
