"""Programs, and good certificates of every kind, made by hand; evidence comes from the search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tallystick.certificates.evidence import Evidence, Refutation
from tallystick.certificates.judgements import Goal, OneValue, Premise
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import Certificate, Counterexample, Oracle, Step
from tallystick.certificates.rules.by_key import Bucket, ByKey
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.no_agg import Matching, NoAgg
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.partition import Partition
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.certificates.search.answers import Countermodel
from tallystick.certificates.search.tableau import search
from tallystick.core.programs import SPARKLITE, Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    conjunction,
    constant,
    element,
    equal,
    implies,
    ite,
    less,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType, Type

PAIR = TupleType((INT, INT))
R, S = variable("R", BagType(INT)), variable("S", BagType(INT))
KV = variable("KV", BagType(PAIR))
K = variable("k", INT)
X, P, A = element(INT), element(PAIR), accumulator(INT)
ZERO, ONE = constant(0), constant(1)
BOTTOM = build(Operator.BOTTOM, (), INT)
M1, M2 = variable("M1", INT), variable("M2", INT)
SUM = add(A, X)


def mapped(udf: Term, bag: Term) -> Term:
    return build(Operator.MAP, (udf, bag))


def filtered(udf: Term, bag: Term) -> Term:
    return build(Operator.FILTER, (udf, bag))


def union(left: Term, right: Term) -> Term:
    return build(Operator.UNION, (left, right))


def cartesian(left: Term, right: Term) -> Term:
    return build(Operator.CARTESIAN, (left, right))


def folded(initial: Term, udf: Term, bag: Term) -> Term:
    return build(Operator.FOLD, (initial, udf, bag))


def folded_by_key(initial: Term, udf: Term, bag: Term) -> Term:
    return build(Operator.FOLD_BY_KEY, (initial, udf, bag))


Premises = Sequence[Premise]


def evidence(required: Premises) -> tuple[Evidence, ...]:
    """A refutation tree for each premise."""
    found = [search(premise.formula) for premise in required]
    for piece in found:
        assert isinstance(piece, Refutation), piece
    return tuple(found)  # type: ignore[return-value]


def trusting(required: Premises) -> tuple[Evidence, ...]:
    """A solver's word for each premise, true or not."""
    return tuple(Oracle("z3") for _ in required)


Evident = Callable[[Premises], tuple[Evidence, ...]]


def with_hints(step: Step, **hints: Any) -> Step:
    """The step whose rule has other hints."""
    return replace(step, rule=replace(step.rule, **hints))


def no_agg(goal: Goal, matching: Matching | None = None, evident: Evident = evidence) -> Step:
    rule = NoAgg(matching)
    return Step(rule, evident(rule.requirements(goal).premises))


def fold(
    goal: Goal,
    folds: tuple[Term, ...],
    states: tuple[Term, ...],
    invariant: Term,
    conclude: Callable[[Goal], Step] = no_agg,
    evident: Evident = evidence,
) -> Step:
    rule = Fold(folds, states, invariant)
    return Step(rule, evident(rule.requirements(goal).premises), (conclude(rule.conclusion(goal)),))


def rest_of(goal: Goal, rule: Congruence) -> Goal:
    """What CONG leaves of a goal."""
    _, whole = rule.requirements(goal).subgoals
    assert isinstance(whole.goal, Goal)
    return whole.goal


def buckets(key: Type = INT, accumulated: Type = INT) -> tuple[Bucket, Bucket]:
    first, second = (
        Bucket(variable(f"key{n}", key), variable(f"exists{n}", BOOL), variable(f"total{n}", accumulated))
        for n in (1, 2)
    )
    return first, second


def same_buckets(pair: tuple[Bucket, Bucket]) -> Term:
    """Both exist or neither does, with equal keys and equal accumulators."""
    one, other = pair
    facts = conjunction(equal(one.key, other.key), equal(one.accumulated, other.accumulated))
    return conjunction(equal(one.exists, other.exists), implies(one.exists, facts), implies(negated(one.exists), facts))


def negated(term: Term) -> Term:
    return build(Operator.NOT, (term,))


def by_key(
    goal: Goal,
    folds: tuple[Term, Term],
    pair: tuple[Bucket, Bucket],
    invariant: Term,
    evident: Evident = evidence,
) -> Step:
    rule = ByKey(folds, pair, invariant)
    return Step(rule, evident(rule.requirements(goal).premises))


def programs(left: Term, right: Term, *parameters: Term) -> tuple[Program, Program]:
    return Program("before", parameters, left), Program("after", parameters, right)


def one_value(goal: OneValue) -> Step:
    """A proof that a fold has one value, whatever it has accumulated."""
    rule = Order(TRUE) if goal.merge is None else Partition(TRUE)
    return Step(rule, evidence(rule.requirements(goal).premises))


def certificate(
    pair: tuple[Program, Program], result: Step | Counterexample, semantics: str = SPARKLITE
) -> Certificate:
    return Certificate(
        *pair,
        semantics,
        ("def before(): ...\n", "def after(): ...\n"),
        ("integers do not overflow",),
        (("tallystick", "0.1.0"),),
        tuple(one_value(goal) for goal in one_values(semantics, *pair)),
        result,
    )


def _certified(left: Term, right: Term, prove: Callable[[Goal], Step], *parameters: Term) -> Certificate:
    return certificate(programs(left, right, *parameters), prove(Goal(TRUE, left, right)))


def filter_and_map() -> Certificate:
    left = filtered(less(constant(3), X), mapped(add(X, ONE), R))
    right = mapped(add(X, ONE), filtered(less(constant(2), X), R))
    return _certified(left, right, lambda goal: no_agg(goal, ((0, (0,)),)), R)


def self_product() -> Certificate:
    difference = add(project(element(PAIR), 0), scale(-1, project(element(PAIR), 1)))
    left, right = mapped(difference, cartesian(R, R)), mapped(scale(-1, difference), cartesian(R, R))
    return _certified(left, right, lambda goal: no_agg(goal, ((0, (1, 0)),)), R)


def halves() -> Certificate:
    left = union(filtered(less(X, K), R), filtered(negated(less(X, K)), R))
    return _certified(left, R, no_agg, R, K)


def sum_of_doubles() -> Certificate:
    left, right = folded(ZERO, SUM, mapped(scale(2, X), R)), scale(2, folded(ZERO, SUM, R))
    folds = left, right.arguments[0]
    return _certified(left, right, lambda goal: fold(goal, folds, (M1, M2), equal(M1, scale(2, M2))), R)


def sum_over_a_union() -> Certificate:
    left = folded(ZERO, SUM, union(R, mapped(scale(2, X), R)))
    right = folded(ZERO, SUM, mapped(scale(3, X), R))
    return _certified(left, right, lambda goal: fold(goal, (left, right), (M1, M2), equal(M1, M2)), R)


def totals_by_key() -> Certificate:
    total = add(A, X)
    left = mapped(tuple_of(project(P, 0), scale(2, project(P, 1))), folded_by_key(ZERO, total, KV))
    right = folded_by_key(ZERO, total, mapped(tuple_of(project(P, 0), scale(2, project(P, 1))), KV))
    pair = buckets()
    doubled = equal(scale(2, pair[0].accumulated), pair[1].accumulated)
    same_keys = implies(pair[0].exists, equal(pair[0].key, pair[1].key))
    invariant = conjunction(equal(pair[0].exists, pair[1].exists), same_keys, doubled)
    return _certified(left, right, lambda goal: by_key(goal, (left.arguments[1], right), pair, invariant), KV)


def congruent() -> Certificate:
    """Two equal folds by key, each below a sum of all totals."""
    total, shifted = folded_by_key(ZERO, SUM, KV), folded_by_key(ZERO, add(X, A), KV)
    left, right = folded(ZERO, add(A, project(P, 1)), total), folded(ZERO, add(project(P, 1), A), shifted)
    fresh, pair = variable("B", total.type), buckets()

    def prove(goal: Goal) -> Step:
        same_keys = implies(pair[0].exists, equal(pair[0].key, pair[1].key))
        totals = equal(pair[0].accumulated, pair[1].accumulated)
        invariant = conjunction(equal(pair[0].exists, pair[1].exists), same_keys, totals)
        equal_parts = by_key(Goal(TRUE, total, shifted), (total, shifted), pair, invariant)
        rule = Congruence((total, shifted), fresh)
        rest = rest_of(goal, rule)
        whole = fold(rest, (rest.left, rest.right), (M1, M2), equal(M1, M2))
        return Step(rule, (), (equal_parts, whole))

    return _certified(left, right, prove, KV)


def by_a_middle() -> Certificate:
    left, middle, right = mapped(add(X, X), R), mapped(scale(2, X), R), mapped(add(scale(3, X), scale(-1, X)), R)

    def prove(goal: Goal) -> Step:
        mirrored = no_agg(Goal(TRUE, middle, left), ((0, (0,)),))
        second = no_agg(Goal(TRUE, middle, right), ((0, (0,)),))
        return Step(Transitive(middle), (), (Step(Symmetric(), (), (mirrored,)), second))

    return _certified(left, right, prove, R)


def with_an_oracle() -> Certificate:
    left, right = mapped(add(X, X), R), mapped(scale(2, X), R)
    return _certified(left, right, lambda goal: no_agg(goal, ((0, (0,)),), trusting), R)


def with_splits_and_cuts() -> Certificate:
    """12·x + 20·y + 30·z = 2·t + 1 has no integer solution, and a conditional needs cases."""
    parity = build(Operator.MOD, (add(scale(12, X), scale(20, K)),), 4)
    left = filtered(equal(parity, constant(0)), mapped(ite(less(X, ZERO), scale(-1, X), X), R))
    right = filtered(less(scale(-1, ONE), X), mapped(ite(less(ZERO, X), X, scale(-1, X)), R))
    return _certified(left, right, lambda goal: no_agg(goal, ((0, (0,)),)), R, K)


def different_bags() -> Certificate:
    pair = programs(mapped(add(X, K), R), R, R, K)
    return certificate(pair, Counterexample(({1: 2, 5: 1}, 4), ({5: 2, 9: 1}, {1: 2, 5: 1})))


def different_values() -> Certificate:
    pair = programs(tuple_of(folded(ZERO, SUM, R), less(K, ZERO)), tuple_of(ZERO, less(K, ONE)), R, K)
    return certificate(pair, Counterexample(({-7: 3}, 0), ((-21, False), (0, True))))


CERTIFICATES: dict[str, Callable[[], Certificate]] = {
    make.__name__: make
    for make in (
        filter_and_map,
        self_product,
        halves,
        sum_of_doubles,
        sum_over_a_union,
        totals_by_key,
        congruent,
        by_a_middle,
        with_an_oracle,
        with_splits_and_cuts,
        different_bags,
        different_values,
    )
}


def first_of(*components: Term) -> Term:
    """The first component of a tuple, which is ⊥ when another component is; not simplified."""
    return build(Operator.PROJECTION, (tuple_of(*components),), 0)


def refuted_premises(required: Premises) -> list[str]:
    """What the premises say that have a countermodel."""
    return [str(premise.about) for premise in required if isinstance(search(premise.formula), Countermodel)]
