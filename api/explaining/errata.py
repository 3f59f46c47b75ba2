"""What the papers get wrong (THEORY section 7), where it matters for a pair of programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tallystick.core.errors import FragmentError
from tallystick.core.monomials import monomials
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Operator, subterms
from tallystick.core.types import BagType
from tallystick.verdict import Answer, Verdict

Pair = tuple[Program, Program]


@dataclass(frozen=True, slots=True)
class Erratum:
    """A mistake in the papers: what it is, in the markup, and the pairs that it concerns."""

    name: str
    text: str
    concerns: Callable[[Pair, Verdict], bool]


def relevant(left: Program, right: Program, verdict: Verdict) -> tuple[Erratum, ...]:
    """The errata that concern a pair and the verdict about it."""
    return tuple(erratum for erratum in ERRATA if erratum.concerns((left, right), verdict))


def _has(pair: Pair, *operators: Operator) -> bool:
    return any(node.operator in operators for program in pair for node in subterms(program.expression))


def _collapses(pair: Pair, verdict: Verdict) -> bool:
    return verdict.program_class == "AggOneP_sync" or "agg_one_sync" in verdict.method


def _maps_over_filter(pair: Pair, verdict: Verdict) -> bool:
    """Whether a map whose result is a boolean, or ignores its element, follows a filter."""
    maps = [node for program in pair for node in subterms(program.expression) if node.operator is Operator.MAP]
    return any(
        (node.arguments[0].type == TRUE.type or not node.arguments[0].bound)
        and any(part.operator is Operator.FILTER for part in subterms(node.arguments[1]))
        for node in maps
    )


def _index_sets_matter(pair: Pair, verdict: Verdict) -> bool:
    """Whether the bags that both sides range over differ, or one of them occurs twice."""
    if not isinstance(pair[0].result, BagType):
        return False
    try:
        found = [{monomial.sources for monomial in monomials(program.expression)} for program in pair]
    except FragmentError:
        return False
    return found[0] != found[1] or any(len(set(bags)) < len(bags) for bags in found[0])


ERRATA = (
    Erratum(
        "Theorem 3 lacks a case",
        "As printed, CAV eq. 9 and 10 check the initial values and the values after one more element of a bag that "
        "is not empty; the step from no element to one is never checked. `fold(0, λA,x. 1)(R)` and "
        "`fold(0, λA,x. 2)(R)` satisfy all conditions and differ on every bag that has an element. The invariant "
        "used here, `M = i ∨ ∃a. M = step(i, a)`, contains the missing case.",
        _collapses,
    ),
    Erratum(
        "A filtered-out element is not false",
        "TR's 𝒩 replaces an atom that contains ⊥ by false. Read to the letter, this turns a boolean that is computed "
        "from a filtered-out element into the value false, and a constant map brings the element back. Here "
        "strictness comes first: whatever is computed from ⊥ is ⊥.",
        _maps_over_filter,
    ),
    Erratum(
        "Buckets must agree",
        "CAV's prototype compares aggregates by key without checking that both programs put the same elements "
        "together. Summing per grade and then renaming grades to tens is not summing per tens. Rule BYKEY has "
        "the premise that keys agree.",
        lambda pair, verdict: _has(pair, Operator.FOLD_BY_KEY),
    ),
    Erratum(
        "The input bags count, and each occurrence counts",
        "Equal program terms do not suffice: `map(λx. 1)(R₀)` and `map(λx. 1)(R₁)` have equal terms, and as many "
        "elements as different bags have. And one variable must not stand for both sides of a self-product: it "
        "would make every difference in `map(λ(x, y). x - y)(cartesian(R, R))` zero.",
        _index_sets_matter,
    ),
    Erratum(
        "SparkLite's fold is not Spark's",
        "Spark folds each partition from the initial value and then folds the partial results from it once more. "
        "This verdict is about one left fold over all elements, as in the papers. Both agree where the initial value "
        "is neutral and the function associative on the values that occur.",
        lambda pair, verdict: verdict.semantics == "sparklite" and _has(pair, Operator.FOLD),
    ),
    Erratum(
        "Unknown is an answer",
        "A solver that gives up says neither that programs are equal nor that they differ. No verdict is given here "
        "without a certificate that was audited.",
        lambda pair, verdict: verdict.verdict is Answer.UNKNOWN,
    ),
)
"""In the order in which they are shown."""
