"""Forged certificates: each is rejected with its own message, and no single change makes a certificate lie."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.evidence import Case, Cut, Evidence, Farkas, Split
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules.by_key import ByKey
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, add, constant, equal, less, scale, variable
from tallystick.core.types import BOOL, INT, BagType, TupleType, Type

from certificates.examples import (
    CERTIFICATES,
    KV,
    M1,
    M2,
    SUM,
    ZERO,
    K,
    R,
    X,
    certificate,
    filter_and_map,
    fold,
    folded,
    folded_by_key,
    halves,
    mapped,
    programs,
    self_product,
    sum_of_doubles,
    totals_by_key,
    with_hints,
)
from certificates.mutations import at, places, replaced, variants
from certificates.test_codec import ENCODED, laid_out

TREE = Farkas(())


def _fold() -> tuple[Certificate, Step]:
    made = sum_of_doubles()
    assert isinstance(made.result, Step)
    assert isinstance(made.result.rule, Fold)
    return made, made.result


def _leaf() -> tuple[Certificate, Step]:
    made = filter_and_map()
    assert isinstance(made.result, Step)
    assert isinstance(made.result.rule, NoAgg)
    return made, made.result


def _with(made: Certificate, step: Step, **changes: Any) -> Certificate:
    return replace(made, result=replace(step, **changes))


def _with_hints(made: Certificate, step: Step, **hints: Any) -> Certificate:
    return replace(made, result=with_hints(step, **hints))


def dropped_evidence() -> tuple[Certificate, str]:
    made, step = _fold()
    return _with(made, step, evidence=step.evidence[1:]), "proof: 4 premises need as many pieces of evidence, not 3"


def dropped_branch() -> tuple[Certificate, str]:
    made, step = _fold()
    place, case = next((n, piece) for n, piece in enumerate(step.evidence) if isinstance(piece, Case))
    evidence = (*step.evidence[:place], replace(case, branches=case.branches[1:]), *step.evidence[place + 1 :])
    return _with(made, step, evidence=evidence), "proof: premise 'initial': fact 0 has 2 branches, not 1"


def swapped_premises() -> tuple[Certificate, str]:
    made, step = _fold()
    return _with(made, step, evidence=step.evidence[::-1]), "proof: premise 'initial': there is no fact"


def evidence_from_elsewhere() -> tuple[Certificate, str]:
    made, step = _leaf()
    piece = totals_by_key().result.evidence[0]  # type: ignore[union-attr]
    return _with(made, step, evidence=(piece, step.evidence[1])), "proof: premise 'left monomial 0 is right 0': "


def empty_hints() -> tuple[Certificate, str]:
    made, step = _leaf()
    message = "proof: premise 'left monomial 0 is right 0': the leaf () is not contradictory"
    return _with(made, step, evidence=(TREE, TREE)), message


def case_without_branches() -> tuple[Certificate, str]:
    made = halves()
    assert isinstance(made.result, Step)
    assert isinstance(made.result.rule, NoAgg)
    evidence = tuple(Case(n, ()) for n, _ in enumerate(made.result.evidence))
    return _with(made, made.result, evidence=evidence), "proof: premise 'multiplicity of left monomial 0': fact 0"


def endless_cuts() -> tuple[Certificate, str]:
    made, step = _leaf()
    tree: Any = TREE
    for _ in range(250):
        tree = Cut((), tree)
    message = "proof: premise 'left monomial 0 is right 0': the leaf () is not contradictory"
    return _with(made, step, evidence=(tree, step.evidence[1])), message


def wrong_multiplier() -> tuple[Certificate, str]:
    made, step = _leaf()
    wrong = Farkas(((0, 1), (1, 2)))
    message = "proof: premise 'left monomial 0 is right 0': the leaf ((0, 1), (1, 2)) is not contradictory"
    return _with(made, step, evidence=(wrong, step.evidence[1])), message


def negative_multiplier() -> tuple[Certificate, str]:
    made, step = _leaf()
    wrong = Farkas(((0, 1), (1, -1)))
    message = "proof: premise 'left monomial 0 is right 0': multiplier -1 is not positive"
    return _with(made, step, evidence=(wrong, step.evidence[1])), message


def fact_from_the_end() -> tuple[Certificate, str]:
    made, step = _leaf()
    message = "proof: premise 'left monomial 0 is right 0': there is no fact -1, only"
    return _with(made, step, evidence=(Farkas(((-1, 1),)), step.evidence[1])), message


def split_on_nothing() -> tuple[Certificate, str]:
    made, step = _leaf()
    message = "proof: premise 'left monomial 0 is right 0': there is no unknown -1, only 1"
    return _with(made, step, evidence=(Split(((-1, 1),), 0, TREE, TREE), step.evidence[1])), message


def altered_program() -> tuple[Certificate, str]:
    made, _ = _leaf()
    right = Program("after", (R,), mapped(add(X, constant(2)), R))
    return replace(made, right=right), "proof: premise 'left monomial 0 is right 0': "


def sides_exchanged() -> tuple[Certificate, str]:
    made, _ = _fold()
    return replace(made, left=made.right, right=made.left), "proof.conclusion: premise 'equal values': "


def altered_invariant() -> tuple[Certificate, str]:
    made, step = _fold()
    return _with_hints(made, step, invariant=equal(M1, scale(3, M2))), "proof.conclusion: premise 'equal values': "


def invariant_that_says_it_all() -> tuple[Certificate, str]:
    """False as an invariant proves any conclusion, but does not hold initially."""
    left, right = folded(ZERO, SUM, R), folded(constant(1), SUM, R)
    false = less(constant(1), ZERO)
    goal = Goal(TRUE, left, right)

    def trusting_the_rest(required: Any) -> tuple[Evidence, ...]:
        return (Farkas(()), *(Farkas(((0, 1),)) for _ in required[1:]))

    proof = fold(goal, (left, right), (M1, M2), false, evident=trusting_the_rest)
    return certificate(programs(left, right, R), proof), "proof: premise 'initial': the leaf () is not contradictory"


def accumulator_of_the_programs() -> tuple[Certificate, str]:
    """The accumulator is a parameter too, about which the invariant then speaks."""
    left = folded(ZERO, SUM, R)
    step = Step(Fold((left,), (M1,), equal(M1, M1)), (TREE,) * 3, (Step(NoAgg(None), (TREE,)),))
    message = "proof: fresh variables are distinct, of the right types, and occur nowhere else"
    return certificate(programs(left, M1, R, M1), step), message


def accumulator_named_like_a_parameter() -> tuple[Certificate, str]:
    """The accumulator has another type than the bag of its name: no variable is two in any auditor's eyes."""
    left = folded(ZERO, SUM, R)
    state = variable("R", INT)
    step = Step(Fold((left,), (state,), equal(state, state)), (TREE,) * 3, (Step(NoAgg(None), (TREE,)),))
    message = "proof: fresh variables are distinct, of the right types, and occur nowhere else"
    return certificate(programs(left, left, R), step), message


def slot_among_the_parameters() -> tuple[Certificate, str]:
    slot = variable("R#0", X.type)
    pair = programs(mapped(slot, R), R, R, slot)
    step = Step(NoAgg(((0, (0,)),)), (TREE, TREE))
    return certificate(pair, step), "certificate.terms[1]: the name of a variable is an identifier, or a primed one"


def other_matching() -> tuple[Certificate, str]:
    made = self_product()
    assert isinstance(made.result, Step)
    assert isinstance(made.result.rule, NoAgg)
    return _with_hints(made, made.result, matching=((0, (0, 1)),)), "proof: premise 'left monomial 0 is right 0': "


def matching_across_bags() -> tuple[Certificate, str]:
    made, step = _leaf()
    message = "proof: matched monomials are over the same bags, and slots of one bag are permuted"
    return _with_hints(made, step, matching=((0, (1,)),)), message


def another_rule() -> tuple[Certificate, str]:
    made, _ = _leaf()
    by_keys = folded_by_key(ZERO, SUM, KV)
    step = totals_by_key().result
    assert isinstance(step, Step)
    assert isinstance(step.rule, ByKey)
    wrong = with_hints(step, folds=(by_keys, by_keys))
    return replace(made, result=wrong), "proof: BYKEY relates functions of by-key folds and of no other bag"


def circular_transitivity() -> tuple[Certificate, str]:
    """To prove P ≡ Q, prove P ≡ Q, and then Q ≡ Q by nothing."""
    made, step = _leaf()
    again = Step(Transitive(made.right.expression), (), (step, Step(NoAgg(None))))
    return replace(made, result=again), "proof.second: 2 premises need as many pieces of evidence, not 0"


def circular_symmetry() -> tuple[Certificate, str]:
    made, step = _leaf()
    proof = replace(step, evidence=())
    for _ in range(100):
        proof = Step(Symmetric(), (), (proof,))
    return replace(made, result=proof), f"proof{'.mirrored' * 100}: 2 premises need as many pieces of evidence, not 0"


def other_parameters() -> tuple[Certificate, str]:
    made, _ = _leaf()
    right = Program("after", (R, K), made.right.expression)
    return replace(made, right=right), "the programs take different parameters or return different kinds of results"


def unequal_without_difference() -> tuple[Certificate, str]:
    made, _ = _leaf()
    result = Counterexample(({1: 1},), ({}, {2: 1}))
    return replace(made, result=result), "both programs return the same value on this input"


def other_outputs() -> tuple[Certificate, str]:
    pair = programs(mapped(add(X, K), R), R, R, K)
    wrong = Counterexample(({1: 2}, 4), ({5: 2}, {1: 1}))
    return certificate(pair, wrong), "the programs return other values than the certificate says"


def multiplicity_of_nothing() -> tuple[Certificate, str]:
    pair = programs(mapped(add(X, K), R), R, R, K)
    wrong = Counterexample(({1: 0}, 4), ({5: 0}, {1: 0}))
    return certificate(pair, wrong), "{1: 0} is no value of type Bag[Int]"


def endless_evaluation() -> tuple[Certificate, str]:
    pair = programs(folded(ZERO, SUM, R), ZERO, R)
    wrong = Counterexample(({1: 10**100},), (10**100, 0))
    return certificate(pair, wrong), "the evaluation takes more steps than its limit allows"


FORGERIES: tuple[Callable[[], tuple[Certificate, str]], ...] = (
    dropped_evidence,
    dropped_branch,
    swapped_premises,
    evidence_from_elsewhere,
    empty_hints,
    case_without_branches,
    endless_cuts,
    wrong_multiplier,
    negative_multiplier,
    fact_from_the_end,
    split_on_nothing,
    altered_program,
    sides_exchanged,
    altered_invariant,
    invariant_that_says_it_all,
    accumulator_of_the_programs,
    accumulator_named_like_a_parameter,
    slot_among_the_parameters,
    other_matching,
    matching_across_bags,
    another_rule,
    circular_transitivity,
    circular_symmetry,
    other_parameters,
    unequal_without_difference,
    other_outputs,
    multiplicity_of_nothing,
    endless_evaluation,
)


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_is_rejected_with_its_own_message(forge: Callable[[], tuple[Certificate, str]]) -> None:
    forged, message = forge()
    report = audit(encode(forged))
    assert not report.accepted
    assert report.reason.startswith(message)


def test_a_certificate_for_another_claim_is_rejected() -> None:
    other = halves()
    report = audit(ENCODED["filter_and_map"], against=(other.left, other.right))
    assert (report.accepted, report.reason) == (
        False,
        "the certificate is about other programs, or another meaning of folds",
    )


def _value(of: Type, generator: random.Random) -> Any:
    match of:
        case BagType(element):
            return {_value(element, generator): generator.randint(1, 3) for _ in range(generator.randint(0, 3))}
        case TupleType(components):
            return tuple(_value(component, generator) for component in components)
    return generator.choice((True, False)) if of == BOOL else generator.randint(-6, 6)


def _lies(name: str, document: Any, place: tuple[Any, ...], part: Any, generator: random.Random) -> bool:
    """Whether a certificate with one part changed is accepted although its claim is false.

    A change of a constant that both programs share changes the claim; the programs must then agree on inputs at
    random. Claims that depend on an oracle say so.
    """
    good = decode(ENCODED[name])
    try:
        data = laid_out(replaced(document, place, part))
    except (TypeError, AttributeError, LookupError):
        return False
    report = audit(data)
    if not report.accepted:
        return False
    found = decode(data)
    same = found.verdict == good.verdict and all(
        (program.parameters, program.expression) == (other.parameters, other.expression)
        for program, other in ((found.left, good.left), (found.right, good.right))
    )
    if same or report.oracles or found.verdict == "inequivalent":
        return audit(data, against=(good.left, good.right)).accepted is not same
    inputs = ({name: _value(name.type, generator) for name in found.left.parameters} for _ in range(20))
    return any(evaluate(found.left.expression, each) != evaluate(found.right.expression, each) for each in inputs)


@pytest.mark.parametrize("name", CERTIFICATES)
def test_one_change_anywhere_is_rejected_or_proves_a_true_claim(name: str) -> None:
    generator, document = random.Random(7), json.loads(ENCODED[name])
    for place in places(document):
        assert not _lies(name, document, place, generator.choice(variants(at(document, place))), generator)


@pytest.mark.slow
@pytest.mark.parametrize("name", CERTIFICATES)
def test_every_change_anywhere_is_rejected_or_proves_a_true_claim(name: str) -> None:
    generator, document = random.Random(11), json.loads(ENCODED[name])
    for place in places(document):
        for part in variants(at(document, place)):
            assert not _lies(name, document, place, part, generator)
