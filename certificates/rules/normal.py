"""NORMAL: two programs have one value when their sums of monomials have (THEORY-SQL section 2, for RDD programs)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, equivalence
from tallystick.certificates.rules.flattening import joined
from tallystick.core.binders import (
    bind,
    element_type,
    every,
    exists,
    extremum,
    fresh_rows,
    instantiate,
    restricted,
    summation,
    total,
)
from tallystick.core.errors import FragmentError, KernelError
from tallystick.core.monomials import plain
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    aggregates,
    apply,
    conjunction,
    default_term,
    disjunction,
    element,
    equal,
    implies,
    ite,
    less,
    negation,
    project,
    rebuild,
    row,
    tuple_of,
)
from tallystick.core.types import BOOL, BagType, BasicType, TupleType

Measure = tuple[str, Term]
"""What is known of the elements of a fold: the "sum", "min" or "max" of a function, or whether "some" satisfy it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a fold, or a by-key fold in each bucket, accumulates.

    Attributes:
        fold: the fold, as it stands in the programs.
        measures: what its state is a function of.
        invariant: a formula about the tuple of whether there was an element, and of each measure, 0 without elements.
        result: the fold's state as a function of this tuple.
        among: for each measure the place in this tuple of what its elements attain; of all elements 0, as by default.
    """

    fold: Term
    measures: tuple[Measure, ...]
    invariant: Term
    result: Term
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Begins:
    """Without elements, a fold's state is what its reading says."""

    reading: int

    def __str__(self) -> str:
        return f"fold {self.reading} begins as it is read"


@dataclass(frozen=True, slots=True)
class Continues:
    """If a fold's state is what its reading says, so it is after an element of a monomial of the folded bag."""

    reading: int
    monomial: int

    def __str__(self) -> str:
        return f"fold {self.reading} continues as it is read, by monomial {self.monomial}"


@dataclass(frozen=True, slots=True)
class Normal:
    """
    Γ ⇒ Inv(ff, 0̄) ∧ i = g(ff, 0̄)
    Γ ∧ Inv(e, m̄) ⇒ Inv(tt, m̄ ⊕ w̄(x)) ∧ f(g(e, m̄), x) = g(tt, m̄ ⊕ w̄(x))      for x of B, fold(i, f)(B) being read as g
    Γ; · ⊢ nf(P₁) ≡ nf(P₂)
    ----------------------------------------------------------------------------------------------------------  NORMAL
    Γ ⊢ P₁ ≡ P₂

    e says that there was an element, m̄ are the sums, minima and maxima of w̄ over all elements that were taken, ⊕ takes
    one more: so g(e, m̄) is what the fold returns, in any order. A measure may be of those elements alone that attain an
    extremum, or satisfy a condition: the first of them sets it. nf has g(Ex(B), …) over the whole bag for a fold, with
    SUM and EXTREMUM for m̄; ⟨k̄:★ | Ex(B | k̄) ↦ (k̄, g(tt, …))⟩ over the pairs of B with the key k̄ for a by-key fold;
    ⟨k̄:★ | Ex(B | k̄) ↦ k̄⟩ for distinct; ⟨x̄ | φ ∧ ¬Ex(…) ↦ h⟩ for what has no partner. A value v is the bag ⟨ | tt ↦ v⟩.
    Nothing is known of the input bags, and no two of their rows are one.

    Fails when a fold has no reading, or one that is not about it, and for bags of items of lists.
    """

    readings: tuple[Reading, ...]

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises of all readings that are needed; the goal about normal forms."""
        sides = equivalence(goal)
        plain(sides.hypothesis, sides.left, sides.right)
        forms = NormalForms(sides.hypothesis, self.readings)
        left, right = forms.whole(sides.left), forms.whole(sides.right)
        rest = Goal(sides.hypothesis, left, right, (), {})
        return Requirements(tuple(forms.premises), (Subgoal("normal_forms", rest),))


class NormalForms:
    """Programs as sums of monomials.

    Attributes:
        premises: what the readings of the folds that were met depend on.
    """

    def __init__(self, hypothesis: Term, readings: Sequence[Reading]) -> None:
        self.premises: list[Premise] = []
        self._hypothesis = hypothesis
        self._readings = {reading.fold: (number, reading) for number, reading in enumerate(readings)}
        self._read: set[Term] = set()
        self._bags: dict[Term, Term] = {}

    def whole(self, term: Term) -> Term:
        """The normal form of a bag; that of the bag that holds just a value."""
        if isinstance(term.type, BagType):
            return self.bag(term)
        return summation((bind((), (), TRUE, self.value(term)),), term.type)

    def value(self, term: Term) -> Term:
        """A value, or a function, whose folds are functions of sums and extrema."""
        folds = [fold for fold in aggregates(term) if fold.operator is Operator.FOLD]
        return rebuild(term, {fold: self._fold(fold) for fold in folds}, inside=True)

    def bag(self, term: Term) -> Term:
        """The normal form of a bag; raises FragmentError for one that has none."""
        if term not in self._bags:
            self._bags[term] = summation(self._monomials(term), element_type(term))
        return self._bags[term]

    def _monomials(self, term: Term) -> Iterator[Term]:
        arguments = term.arguments
        match term.operator:
            case Operator.VARIABLE:
                one = row(0, element_type(term))
                yield bind((one,), (term,), TRUE, one)
            case Operator.MAP:
                udf = self.value(arguments[0])
                yield from selected(self.bag(arguments[1]), 0, _always, lambda head: apply(udf, head))
            case Operator.FILTER:
                udf = self.value(arguments[0])
                yield from selected(self.bag(arguments[1]), 0, lambda head, _: apply(udf, head), _itself)
            case Operator.WITHOUT:
                udf, other = self.value(arguments[0]), self.bag(arguments[2])
                alone = partial(_has_none, other, udf)
                yield from selected(self.bag(arguments[1]), 0, alone, _itself)
            case Operator.UNION:
                yield from (*self.bag(arguments[0]).arguments, *self.bag(arguments[1]).arguments)
            case Operator.CARTESIAN:
                others = self.bag(arguments[1]).arguments
                for one in self.bag(arguments[0]).arguments:
                    yield from (joined(one, other, 0, tuple_of) for other in others)
            case Operator.DISTINCT:
                yield self._of_each_key(term, element_type(term), _itself, _itself)
            case Operator.FOLD_BY_KEY:
                of: Any = element_type(term)
                yield self._of_each_key(term, of.components[0], _first, _second)
            case _:
                raise FragmentError(f"{term.operator.value} has no normal form")

    def _of_each_key(
        self, term: Term, of: BasicType, key_of: Callable[[Term], Term], value_of: Callable[[Term], Term]
    ) -> Term:
        """The one monomial of a distinct bag, or of a by-key fold: the components of a key are its slots."""
        rows: list[Term] = []
        key = _any_value(of, rows)
        found = selected(self.bag(term.arguments[-1]), len(rows), lambda head, _: _same(key_of(head), key), value_of)
        by_key = term.operator is Operator.FOLD_BY_KEY
        bucket = summation(found, folded_type(term) if by_key else of)
        head = tuple_of(key, self._accumulated(term, bucket, len(rows), TRUE)) if by_key else key
        return bind(rows, [every(each.type) for each in rows], exists(bucket), head)  # type: ignore[arg-type]

    def _fold(self, fold: Term) -> Term:
        bag = self.bag(fold.arguments[2])
        return self._accumulated(fold, bag, 0, exists(bag))

    def _accumulated(self, fold: Term, bag: Term, first: int, there: Term) -> Term:
        """What a fold makes of a bag of values, by its reading."""
        if fold not in self._readings:
            raise KernelError("NORMAL has no reading of a fold of these programs")
        number, reading = self._readings[fold]
        if fold not in self._read:
            self._read.add(fold)
            self.premises += self.required(number, reading)
        values: list[Term] = []
        attained: list[Callable[[Term, int], Term]] = [_always]
        for (kind, function), base in _with_places(reading):
            weights = summation(selected(bag, first, attained[base], partial(apply, function)), function.type)  # type: ignore[arg-type]
            some = restricted(weights, first, lambda opened: opened.head) if kind == "some" else weights
            values.append(exists(some) if kind == "some" else total(some) if kind == "sum" else extremum(kind, some))
            attained.append(partial(_attains, attained[base], function, values[-1]))
        return apply(reading.result, tuple_of(there, *values))

    def required(self, number: int, reading: Reading) -> Iterator[Premise]:
        """That a fold accumulates what its reading says."""
        start, udf = (self.value(part) for part in reading.fold.arguments[:2])
        of = folded_type(reading.fold)
        state = TupleType((BOOL, *(weight.type for _, weight in reading.measures)))  # type: ignore[misc]
        functions = (reading.invariant, state), (reading.result, state), *((each, of) for _, each in reading.measures)
        if any(function.rows or not function.bound <= {element(argument)} for function, argument in functions):
            raise KernelError("a reading is made of functions of one element")
        empty = tuple_of(FALSE, *map(default_term, state.components[1:]))
        begins = conjunction(apply(reading.invariant, empty), equal(start, apply(reading.result, empty)))
        yield Premise(Begins(number), implies(self._hypothesis, begins))
        for place, monomial in enumerate(self.bag(reading.fold.arguments[2]).arguments):
            rows = fresh_rows(monomial, 0)
            opened, before = instantiate(monomial, rows), row(len(rows), state)
            taken = opened.head if reading.fold.operator is Operator.FOLD else _second(opened.head)
            after = measured(reading, taken, before)
            same = equal(apply(udf, taken, apply(reading.result, before)), apply(reading.result, after))
            known = conjunction(self._hypothesis, opened.condition, apply(reading.invariant, before))
            continues = implies(known, conjunction(apply(reading.invariant, after), same))
            yield Premise(Continues(number, place), continues, (*opened.sources, every(state)))


def folded_type(fold: Term) -> BasicType:
    """The type of what a fold, or a by-key fold in each bucket, is over."""
    of: Any = element_type(fold.arguments[2])
    return of if fold.operator is Operator.FOLD else of.components[1]


def measured(reading: Reading, taken: Term, before: Term) -> Term:
    """The tuple of whether there was an element, and of each measure, when one more is taken."""
    there = project(before, 0)
    parts, met = [TRUE], [(negation(there), there)]  # whether it is the first element to attain a place, or one more
    for (kind, function), base in _with_places(reading):
        value, weight, (first, more) = project(before, len(parts)), apply(function, taken), met[base]
        if kind in ("sum", "some"):
            joined = add(value, weight) if kind == "sum" else disjunction(value, weight)
            met.append((conjunction(weight, negation(value)), conjunction(weight, value)) if kind == "some" else met[0])
        elif kind in ("min", "max"):
            low, high = (value, weight) if kind == "min" else (weight, value)
            joined = ite(less(low, high) if base else conjunction(there, less(low, high)), value, weight)
            met.append(
                (disjunction(first, conjunction(more, less(high, low))), conjunction(more, equal(weight, value)))
            )
        else:
            raise KernelError(f"no measure is called {kind!r}")
        parts.append(ite(first, weight, ite(more, joined, value)) if base else joined)
    return tuple_of(*parts)


def _with_places(reading: Reading) -> Iterator[tuple[Measure, int]]:
    """Each measure, and the place of what its elements attain: an earlier extremum, or a condition of any element."""
    bases = (*reading.among, *[0] * (len(reading.measures) - len(reading.among)))
    kinds = ["some", *(kind for kind, _ in reading.measures)]
    if len(bases) != len(reading.measures) or any(
        not 0 <= base <= place or kinds[base] == "sum" or (kinds[base] == "some" and base and bases[base - 1])
        for place, base in enumerate(bases)
    ):
        raise KernelError("a measure is among the elements that attain an earlier extremum, or a condition")
    return zip(reading.measures, bases, strict=True)


def _attains(among: Callable[[Term, int], Term], function: Term, value: Term, head: Term, first: int) -> Term:
    """That a head is one of those of which a condition holds, or where an extremum has its value."""
    weight = apply(function, head)
    return conjunction(among(head, first), weight if weight.type == BOOL else equal(weight, value))


def selected(
    bag: Term, first: int, condition: Callable[[Term, int], Term], head: Callable[[Term], Term]
) -> Iterator[Term]:
    """The monomials of a bag with a further condition, and another head, each a function of the head.

    They are opened to rows from number `first` on; the condition is also told the first number that is left.
    """
    for monomial in bag.arguments:
        rows = fresh_rows(monomial, first)
        opened = instantiate(monomial, rows)
        kept = conjunction(opened.condition, condition(opened.head, first + len(rows)))
        yield bind(rows, opened.sources, kept, head(opened.head))


def _always(_: Term, __: int) -> Term:
    return TRUE


def _itself(head: Term) -> Term:
    return head


def _first(pair: Term) -> Term:
    return project(pair, 0)


def _second(pair: Term) -> Term:
    return project(pair, 1)


def _has_none(bag: Term, udf: Term, head: Term, first: int) -> Term:
    """That a bag lacks what `udf` makes of a head, which is made of rows with numbers below `first`."""
    value = apply(udf, head)
    return negation(exists(summation(selected(bag, first, lambda each, _: equal(each, value), lambda _: TRUE), BOOL)))


def _any_value(of: BasicType, rows: list[Term]) -> Term:
    """A value made of new rows, one for each component that is no tuple."""
    if isinstance(of, TupleType):
        return tuple_of(*(_any_value(component, rows) for component in of.components))
    rows.append(row(len(rows), of))
    return rows[-1]


def _same(left: Term, right: Term) -> Term:
    """That values are equal, component by component."""
    if not isinstance(left.type, TupleType):
        return equal(left, right)
    return conjunction(*(_same(project(left, i), project(right, i)) for i in range(len(left.type.components))))
