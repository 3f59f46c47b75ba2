"""Partition safety: does a fold give one value however its elements are spread over partitions? (THEORY section 5)

What Spark computes    (pyspark/core/rdd.py, pyspark/shuffle.py)
  fold(z, op)          Each partition is folded from z, an empty one gives z, and the results are folded from z by op
                       in the order of the partitions: merge(… merge(merge(z, P₁), P₂) …, Pₙ) where Pᵢ is
                       step(… step(z, y₁) …, yₘ) over the elements of partition i, and merge = step = op. Without
                       any partition it is z.
  foldByKey(z, op)     Each partition folds the values of each key that it has from z. The results of one key are
                       merged by op, without z: a partition without the key contributes nothing. Their order is not
                       fixed, and a partition that is too large for the memory is folded in several parts, so any
                       tree of merges over non-empty parts may be what is computed.
  reduceByKey(f)       As foldByKey, where step on a state without values takes the value itself, and merge is f.

Statement    A fold is *partition-safe* when the following holds for all reachable M, N and all elements y, y₁, y₂:
               order   step(step(M, y₁), y₂) = step(step(M, y₂), y₁)
               unit    merge(M, z) = M;  by key merge(M, step(z, y)) = step(M, y), where no part is empty
               merge   merge(M, step(N, y)) = step(merge(M, N), y)
             A partition-safe fold has the value of SparkLite's one left fold in every partitioning. "Reachable" is
             strengthened to an inductive invariant; by key it is about states after at least one element.
Proof        Write z·ys for the left fold of the elements ys from z, and M·ys for that from M.
             (1) merge(M, z·ys) = M·ys for all reachable M, by induction on ys. For no elements (by key: for one) this
             is *unit*. For ys = xs, y with N = z·xs it is merge(M, step(N, y)) = step(merge(M, N), y) = step(M·xs, y)
             = M·ys, by *merge* and the induction hypothesis.
             (2) Let M = z·xs. Then merge(z·xs, z·ys) = z·(xs, ys): merging two parts is folding their concatenation.
             By induction every tree of merges is z· of a concatenation of the parts, and so is Spark's fold, whose
             first merge(z, P₁) is the part without elements merged with P₁ (or z itself).
             (3) By *order*, z·ys is the same for all orders of ys. So the value is SparkLite's.                    ∎
Elements     range over all values that the folded bag may have, for some input; a bag or value that comes from
             another aggregate, or from distinct, over all values of its type. Both only ask for more than is needed.
Complete     no: invariants are conjunctions of candidate facts, and witnesses are searched for among small bags.
Certificate  an invariant and evidence for each premise; or a bag, two partitionings, and the two values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tallystick.certificates import kernel
from tallystick.certificates.budget import Budget
from tallystick.certificates.judgements import Premise
from tallystick.certificates.proofs import Evidence
from tallystick.core.definedness import defined
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.monomials import Monomial, monomials, shift
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Parameter,
    Term,
    aggregates,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    free_variables,
    implies,
    project,
    rebuild,
    substitute,
    subterms,
    variable,
)
from tallystick.core.types import BagType, BasicType, TupleType, default_value

Premises = list[tuple[str, Term]]
Merge = Term | Literal["step", "none"]
"""How the results of partitions are merged: by a function over `accumulator` and `element`, both of the fold's type;
by the very function that takes elements; or in no way that a user's function has a say in."""


@dataclass(frozen=True, slots=True)
class PartitionedFold:
    """A fold or by-key fold without aggregates inside, and the function that merges the results of partitions."""

    term: Term
    merge: Term

    @property
    def by_key(self) -> bool:
        """Whether it folds the values of each key."""
        return self.term.operator is Operator.FOLD_BY_KEY

    @property
    def state(self) -> BasicType:
        """The type of what is accumulated."""
        return self.term.arguments[0].type  # type: ignore[return-value]

    @property
    def element(self) -> BasicType:
        """The type of what is folded: of elements, or of values."""
        bag = self.term.arguments[2].type
        assert isinstance(bag, BagType)
        return bag.element.components[1] if self.by_key and isinstance(bag.element, TupleType) else bag.element

    def step(self, state: Term, element: Term) -> Term:
        """What `state` becomes when it takes an element."""
        return apply(self.term.arguments[1], element, state)

    def merged(self, state: Term, other: Term) -> Term:
        """What `state` becomes when it takes the result of another partition."""
        return apply(self.merge, other, state)

    def fresh(self, name: str) -> Term:
        """A variable for a state, whose name occurs nowhere else."""
        return variable(unused_name(name, self.term, self.merge), self.state)


def opened(term: Term, merge: Term) -> tuple[PartitionedFold, dict[Term, Term]]:
    """The fold with a fresh variable for each aggregate or distinct inside, and what each of these stands for."""
    inside: dict[Term, Term] = {}
    for node in (*subterms(term), *subterms(merge)):
        if node is not term and node.operator in (Operator.FOLD, Operator.FOLD_BY_KEY, Operator.DISTINCT):
            inside.setdefault(node, variable(unused_name(f"inner{len(inside) + 1}", term, merge), node.type))
    fold = PartitionedFold(substitute(term, inside), substitute(merge, inside))
    return fold, {name: node for node, name in inside.items()}


def unused_name(name: str, *terms: Term) -> str:
    """A name, primed as often as it takes, that no variable of these terms has."""
    used = {free.parameter[0] for term in terms for free in free_variables(term)}  # type: ignore[index]
    while name in used:
        name += "'"
    return name


def is_mixed(term: Term, merge: Merge) -> bool:
    """Whether merging gives a function that takes elements of one type partial results of another."""
    fold = PartitionedFold(term, term.arguments[1])
    return merge == "step" and fold.state != fold.element


def merge_function(term: Term, merge: Merge) -> Term | str:
    """The function that merges the results of partitions, or the reason why there is none that a term can say.

    Where types are mixed and the function does not mention its element, its term says what it then does, unless the
    source looks into the element all the same, and fails.
    """
    if isinstance(merge, Term):
        return merge
    fold, udf = PartitionedFold(term, term.arguments[1]), term.arguments[1]
    if not is_mixed(term, merge) or not any(bound.operator is Operator.ELEMENT for bound in udf.bound):
        return udf
    return f"merging gives its function a partial result of type {fold.state} for an element of type {fold.element}"


def surely_ill_typed(term: Term, merge: Merge) -> bool:
    """Whether Python surely raises TypeError when the fold's function gets a partial result for an element.

    It does where the function, whatever happens, takes a component of what is an int or a bool, or adds an int to what
    is a tuple, or compares these. It may accept a bool for an int, an int for a truth value, a tuple for another, test
    any two values for equality, and multiply a tuple. So only uses that it refuses count, and the rest is defined.
    """
    fold, udf = PartitionedFold(term, term.arguments[1]), term.arguments[1]
    if not is_mixed(term, merge) or isinstance(fold.state, TupleType) == isinstance(fold.element, TupleType):
        return False
    refuses = _takes_a_component if isinstance(fold.element, TupleType) else _combines_numbers
    missing = build(Operator.BOTTOM, (), fold.element)

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if missing in arguments and not refuses(operator, [each for each in arguments if each is not missing]):
            arguments = tuple(_some(fold.element) if each is missing else each for each in arguments)
        return build(operator, arguments, parameter)

    return defined(rebuild(udf, {element(fold.element): missing}, make=make)) is FALSE


def _takes_a_component(operator: Operator, _: list[Term]) -> bool:
    return operator is Operator.PROJECTION


def _combines_numbers(operator: Operator, others: list[Term]) -> bool:
    """Whether the element is added to, or compared with, a number that is there whatever the element is."""
    there = [each for each in others if defined(each) is TRUE]
    return operator in (Operator.ADD, Operator.LESS, Operator.LESS_EQUAL) and bool(there)


def _some(of: BasicType) -> Term:
    """A value of a type, as a term."""
    if isinstance(of, TupleType):
        return build(Operator.TUPLE, tuple(map(_some, of.components)))
    return constant(default_value(of))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Element:
    """An arbitrary folded element: a value, and the condition under which it is one."""

    exists: Term
    value: Term


def arbitrary_elements(fold: PartitionedFold) -> Iterator[Element]:
    """Arbitrary elements of the folded bag, each over variables of its own; raises FragmentError like `monomials`."""
    summands = monomials(fold.term.arguments[2])
    bags = {bag for summand in summands for bag, _ in summand.degree}
    most = {bag: max(dict(summand.degree).get(bag, 0) for summand in summands) for bag in bags}
    taken = dict.fromkeys(bags, 0)
    number = 0
    while True:
        number += 1
        renamed = [shift(summand, taken) for summand in summands]
        taken = {bag: taken[bag] + most[bag] for bag in bags}
        values = [project(summand.value, 1) if fold.by_key else summand.value for summand in renamed]
        if len(renamed) == 1:
            yield Element(renamed[0].exists, values[0])
        else:
            name = variable(unused_name(f"y{number}", fold.term, fold.merge), fold.element)
            yield Element(disjunction(*map(_is_value, renamed, values, [name] * len(values))), name)


def _is_value(summand: Monomial, value: Term, name: Term) -> Term:
    return conjunction(summand.exists, equal(name, value))


def safety_premises(fold: PartitionedFold, state: Term, invariant: Term) -> Premises:
    """The premises under which a fold is partition-safe, for an invariant over the variable `state`.

    Raises FragmentError when the folded bag has too many summands or slots.
    """
    other = fold.fresh(state.parameter[0] + "'")  # type: ignore[index,operator]
    elements = arbitrary_elements(fold)
    first, second = next(elements), next(elements)
    zero = fold.term.arguments[0]
    holds: Callable[[Term], Term] = lambda of: substitute(invariant, {state: of})  # noqa: E731
    both = conjunction(first.exists, second.exists)

    def any_order(start: Term) -> Term:
        one, two = fold.step(start, first.value), fold.step(start, second.value)
        return equal(fold.step(one, second.value), fold.step(two, first.value))

    known, step = conjunction(invariant, first.exists), fold.step(state, first.value)
    if fold.by_key:
        alone = fold.step(zero, first.value)
        premises = [
            ("initial", implies(first.exists, holds(alone))),
            ("order of two elements", implies(both, any_order(zero))),
            ("unit", implies(known, equal(fold.merged(state, alone), step))),
        ]
    else:
        premises = [("initial", holds(zero)), ("unit", implies(invariant, equal(fold.merged(state, zero), state)))]
    longer = fold.merged(state, fold.step(other, first.value))
    return [
        *premises,
        ("preserved", implies(known, holds(step))),
        ("order", implies(conjunction(invariant, both), any_order(state))),
        (
            "merge",
            implies(conjunction(known, holds(other)), equal(longer, fold.step(fold.merged(state, other), first.value))),
        ),
    ]


@dataclass(frozen=True, slots=True)
class Safe:
    """A proof that a fold is partition-safe: an invariant over `state`, and evidence for each premise in order."""

    state: Term
    invariant: Term
    evidence: tuple[Evidence, ...]


def audited(term: Term, merge: Term, proof: Safe) -> frozenset[str]:
    """The oracles that a proof of partition safety rests on; raises KernelError when it is no proof.

    The premises are derived anew, and the kernel checks the evidence of each.
    """
    fold, _ = opened(term, merge)
    if proof.state != fold.fresh("M") or not free_variables(proof.invariant) <= {
        proof.state,
        *free_variables(fold.term),
    }:
        raise KernelError("the invariant is about something else than the state and the parameters of the fold")
    if any(isinstance(free.type, BagType) for free in free_variables(proof.invariant)) or aggregates(proof.invariant):
        raise KernelError("an invariant is a formula")
    try:
        required = safety_premises(fold, proof.state, proof.invariant)
    except FragmentError as error:
        raise KernelError(str(error)) from error
    if len(required) != len(proof.evidence):
        raise KernelError(f"{len(required)} premises need as many pieces of evidence, not {len(proof.evidence)}")
    oracles = kernel.NO_ORACLES
    for (name, formula), piece in zip(required, proof.evidence, strict=True):
        try:
            oracles |= kernel.valid(Premise(name, formula), piece, Budget()).oracles
        except KernelError as error:
            raise KernelError(f"premise {name!r}: {error}") from error
    return oracles
