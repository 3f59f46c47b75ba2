"""ORDER: a fold has one value in every order of its elements (TR section 2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from operator import or_

from tallystick.certificates.judgements import Judgement, OneValue, Premise, Requirements
from tallystick.certificates.rules.fold import Initial
from tallystick.core.binders import every
from tallystick.core.errors import KernelError
from tallystick.core.monomials import monomials, name_of, plain, rows_of
from tallystick.core.operators import AGGREGATES, OPAQUE
from tallystick.core.terms import (
    Operator,
    Term,
    apply,
    conjunction,
    disjunction,
    equal,
    free_variables,
    implies,
    project,
    row,
    substitute,
    subterms,
    variable,
)
from tallystick.core.types import BOOL, BasicType


@dataclass(frozen=True, slots=True)
class PreservedByElement:
    """An arbitrary element preserves the invariant."""

    def __str__(self) -> str:
        return "preserved"


@dataclass(frozen=True, slots=True)
class EitherOrder:
    """Two elements may come in either order; the first two of all, where `first`."""

    first: bool = False

    def __str__(self) -> str:
        return "order of two elements" if self.first else "order"


@dataclass(frozen=True, slots=True)
class OpenFold:
    """A fold or by-key fold without aggregates inside, and the function that merges the results of partitions."""

    term: Term
    merge: Term | None

    @property
    def by_key(self) -> bool:
        """Whether it folds the values of each key."""
        return self.term.operator is Operator.FOLD_BY_KEY

    @property
    def state(self) -> BasicType:
        """The type of what is accumulated."""
        return self.term.arguments[0].type  # type: ignore[return-value]

    @property
    def variable_of_state(self) -> Term:
        """M: the variable of that name, primed until the fold does not mention it."""
        return variable(unused_name("M", self.term, *([] if self.merge is None else [self.merge])), self.state)

    @property
    def keys(self) -> tuple[Term, ...]:
        """By key, the source of row 0: one arbitrary key."""
        return (every(self.term.type.element.components[0]),) if self.by_key else ()  # type: ignore[union-attr]

    @property
    def element(self) -> BasicType:
        """The type of what is folded: of elements, or of values."""
        element = self.term.arguments[2].type.element  # type: ignore[union-attr]
        return element.components[1] if self.by_key else element  # type: ignore[union-attr]

    def step(self, state: Term, element: Term) -> Term:
        """What `state` becomes when it takes an element."""
        return apply(self.term.arguments[1], element, state)

    def merged(self, state: Term, part: Term) -> Term:
        """What `state` becomes when it takes the result of another partition; raises KernelError without a function."""
        if self.merge is None:
            raise KernelError("no function merges results of partitions: that is ORDER's to prove")
        return apply(self.merge, part, state)


def opened(term: Term, merge: Term | None) -> tuple[OpenFold, dict[Term, Term]]:
    """The fold with a fresh variable for each aggregate or distinct inside, and what each of these stands for.

    A variable stands for any value: that only asks for more. Raises KernelError when `term` is no fold.
    """
    if term.operator not in AGGREGATES:
        raise KernelError("the rule is about a fold or a by-key fold")
    parts = (term,) if merge is None else (term, merge)
    inside: dict[Term, Term] = {}
    for node in (node for part in parts for node in subterms(part)):
        if node is not term and node.operator in (*AGGREGATES, *OPAQUE, Operator.DISTINCT):
            inside.setdefault(node, variable(unused_name(f"inner{len(inside) + 1}", *parts), node.type))
    fold = OpenFold(substitute(term, inside), None if merge is None else substitute(merge, inside))
    return fold, {name: node for node, name in inside.items()}


def unused_name(name: str, *terms: Term) -> str:
    """A name, primed as often as it takes, that no variable of these terms has."""
    used = {name_of(free) for term in terms for free in free_variables(term)}
    while name in used:
        name += "'"
    return name


@dataclass(frozen=True, slots=True)
class Element:
    """An arbitrary folded element, by key a value of one key: itself, and the condition under which it is one.

    Attributes:
        sources: of the rows that both speak of, and of those with smaller numbers.
    """

    sources: tuple[Term, ...]
    exists: Term
    value: Term


def arbitrary_element(fold: OpenFold, before: tuple[Term, ...]) -> Element:
    """An arbitrary element of the folded bag, over rows that come after those with the sources `before`.

    Raises FragmentError like `monomials`.
    """
    summands = monomials(fold.term.arguments[2])
    most = reduce(or_, (Counter(summand.sources) for summand in summands))
    bags = tuple(bag for bag in sorted(most, key=name_of) for _ in range(most[bag]))
    rows = rows_of(bags, len(before))
    cases: list[tuple[Term, Term]] = []
    for summand in summands:
        left = {bag: iter([slot for slot, source in zip(rows, bags, strict=True) if source is bag]) for bag in most}
        placed = summand.put([next(left[source]) for source in summand.sources])
        same_key = (equal(project(placed.value, 0), key) for key in rows_of(fold.keys))
        value = project(placed.value, 1) if fold.by_key else placed.value
        cases.append((conjunction(placed.exists, *same_key), value))
    sources = (*before, *bags)
    if len(cases) == 1:
        return Element(sources, *cases[0])
    value = row(len(sources), fold.element)
    same = (conjunction(exists, equal(value, one)) for exists, one in cases)
    return Element((*sources, every(fold.element)), disjunction(*same), value)


def fold_of(goal: Judgement, invariant: Term) -> tuple[OpenFold, Term]:
    """The opened fold of a goal about one, and the variable M for its state.

    Raises KernelError unless the invariant is about these: it may not speak of the elements of the premises.
    """
    if not isinstance(goal, OneValue):
        raise KernelError("this rule is about the values of a fold")
    plain(goal.fold, invariant)
    fold, _ = opened(goal.fold, goal.merge)
    state = fold.variable_of_state
    known = {state, *free_variables(fold.term), *(() if fold.merge is None else free_variables(fold.merge))}
    if invariant.type != BOOL or not free_variables(invariant) <= known:
        raise KernelError("the invariant is a formula about the state M and the parameters of the fold")
    return fold, state


def either_order(fold: OpenFold, start: Term, first: Element, second: Element) -> Term:
    """f(f(start, y₁), y₂) = f(f(start, y₂), y₁)."""
    one, two = fold.step(start, first.value), fold.step(start, second.value)
    return equal(fold.step(one, second.value), fold.step(two, first.value))


@dataclass(frozen=True, slots=True)
class Order:
    """
    Inv(i)    Inv(M) ⇒ Inv(f(M, y))    Inv(M) ⇒ f(f(M, y₁), y₂) = f(f(M, y₂), y₁)
    --------------------------------------------------------------------------------  ORDER
    fold(i, f)(μ) has one value in every order

    for arbitrary elements y, y₁, y₂ of μ; by key, for values of one key. Aggregates and distinct inside the fold count
    as arbitrary values.

    Attributes:
        invariant: Inv, a formula over M and the parameters of the fold. M is the variable of that name, primed until
            the fold does not mention it.

    Fails when results of partitions are merged by a function, or μ is outside the NoAgg class.
    """

    invariant: Term

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises: see above."""
        fold, state = fold_of(goal, self.invariant)
        if fold.merge is not None:
            raise KernelError("how results of partitions are merged matters: that is PARTITION's to prove")
        first = arbitrary_element(fold, fold.keys)
        second = arbitrary_element(fold, first.sources)
        initial = substitute(self.invariant, {state: fold.term.arguments[0]})
        after = substitute(self.invariant, {state: fold.step(state, first.value)})
        both = conjunction(self.invariant, first.exists, second.exists)
        return Requirements(
            (
                Premise(Initial(), initial),
                Premise(PreservedByElement(), implies(conjunction(self.invariant, first.exists), after), first.sources),
                Premise(EitherOrder(), implies(both, either_order(fold, state, first, second)), second.sources),
            )
        )
