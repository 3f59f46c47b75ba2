"""Proofs by MEMBERS of Coq, searched for in the place of proofs by normal forms: from the readings of their folds.

A fold that is read as a function of sums and extrema is proved to be that function, by induction; an extremum is
attained by an element, and no element exceeds it. What follows from this for the elements of bags that are made of
others is a question for the search of refutation trees. What is found is checked by Coq.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from tallystick.certificates.evidence import Evidence
from tallystick.certificates.exports.coq_members import (
    Because,
    Conclusion,
    Defined,
    Induct,
    Law,
    Members,
    Theory,
    Types,
    parameter,
    parameters,
)
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Oracle, Step
from tallystick.certificates.rules.normal import Measure, Normal, Reading, measured
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    accumulator,
    apply,
    build,
    conjunction,
    constant,
    default_term,
    element,
    equal,
    implies,
    ite,
    less,
    less_equal,
    negation,
    project,
    substitute,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL, BagType, TupleType
from tallystick.decision.prover import NO_SOLVER, Prover

Called = tuple[Defined, tuple[Term, ...]]
"""A function with arguments."""
MOST_PAIRS = 40
"""How many elements of a product are looked at."""


@dataclass(slots=True)
class Search:
    """A search for one proof.

    Attributes:
        met: the laws about any element of a bag, by the bag.
        always: the laws without parameters.
        items: elements of bags that were given names.
    """

    theory: Theory
    prover: Prover
    met: dict[Term, list[int]] = field(default_factory=dict)
    always: list[int] = field(default_factory=list)
    items: dict[Term, list[Term]] = field(default_factory=dict)
    made_of: dict[Term, int] = field(default_factory=dict)

    def because(
        self, hypotheses: Sequence[Term], goal: Term, uses: Sequence[tuple[int, tuple[Term, ...]]] = ()
    ) -> Because | None:
        """Evidence for a goal, if it follows from these instances of laws."""
        answer = self.prover.answer(self.theory.premise(hypotheses, goal, uses))
        return Because(tuple(uses), answer) if isinstance(answer, Evidence) and not isinstance(answer, Oracle) else None

    def induct(self, over: Types, calls: Sequence[Called], of: Callable[..., Term]) -> int | None:
        """The number of the law that `of` holds of what folds return; None where no proof by induction is found."""
        bodies = [each.with_arguments(given) for each, given in calls]
        states = parameters([body.type for body in bodies], len(over))  # type: ignore[misc]
        bag = bodies[0].arguments[2]
        item = parameter(len(over) + len(states), element_type(bag))
        invariant = of(*states)

        def put(values: Sequence[Term]) -> Term:
            return substitute(invariant, dict(zip(states, values, strict=True)))

        base = self.because((), put([body.arguments[0] for body in bodies]))
        after = [apply(body.arguments[1], item, state) for body, state in zip(bodies, states, strict=True)]
        known = self.theory.member(over, bag)(*parameters(over), item)
        step = self.because([invariant, known], put(after)) if base else None
        if base is None or step is None:
            return None
        numbered = tuple((self.theory.number(each), given) for each, given in calls)
        return self.law(
            Induct(over, numbered, invariant, base, step), over, put([each(*given) for each, given in calls])
        )

    def law(self, step: Induct, over: Types, says: Term) -> int:
        """A further law, by its number."""
        self.theory.steps.append(step)
        self.theory.laws.append(Law(over, says))
        return len(self.theory.laws) - 1

    def read(self, over: Types, fold: Defined, reading: Reading) -> bool:
        """That a fold is what its reading says, and what is known of its measures."""
        theory, given = self.theory, parameters(over)
        bag, kinds = fold.body.arguments[2], reading.measures
        taken = element(element_type(bag))
        empty = tuple_of(FALSE, *(default_term(each.type) for _, each in kinds))  # type: ignore[arg-type]
        state = accumulator(empty.type)  # type: ignore[arg-type]
        measures = theory.define(over, build(Operator.FOLD, (empty, measured(kinds, taken, state), bag)))
        own = (measures, given), (fold, given)
        read = self.induct(
            over, own, lambda m, f: conjunction(apply(reading.invariant, m), equal(f, apply(reading.result, m)))
        )
        if read is None:
            return False
        member = theory.member(over, bag)
        each = parameter(len(over), element_type(bag))
        one = (member, (*given, each)), (measures, given)
        met = self.induct((*over, element_type(bag)), one, lambda s, m: implies(s, _bounded(kinds, m, each)))
        found = [self.attained(over, measures, bag, place, kind) for place, kind in enumerate((None, *kinds))]
        signs = [self.induct(over, own[:1], of) for of in _signs(kinds)]
        if not over:
            self.always += [law for law in (read, *found, *signs) if law is not None]
            self.met.setdefault(bag, []).extend([] if met is None else [met])
        return True

    def attained(self, over: Types, measures: Defined, bag: Term, place: int, kind: Measure | None) -> int | None:
        """That some element is where a measure is attained; that there is one."""
        of, given = element_type(bag), parameters(over)
        item, state = element(of), accumulator(TupleType((BOOL, of)))
        before = project(state, 1)
        chosen = item
        if kind is not None:
            which, weight = kind
            old = apply(weight, before)
            if which == "sum":
                return None
            stays = old if which == "some" else negation(less(old, weight) if which == "max" else less(weight, old))
            chosen = ite(conjunction(project(state, 0), stays), before, item)
        start = tuple_of(FALSE, default_term(of))
        best = self.theory.define(over, build(Operator.FOLD, (start, tuple_of(TRUE, chosen), bag)))
        member = self.theory.member(over, bag)

        def says(m: Term, a: Term) -> Term:
            there = [member(*given, project(a, 1))]
            if kind is not None:
                there.append(equal(apply(kind[1], project(a, 1)), project(m, place)))
            return conjunction(equal(project(a, 0), project(m, 0)), implies(project(m, 0), conjunction(*there)))

        found = self.induct(over, ((measures, given), (best, given)), says)
        if found is not None and not over:
            self.items.setdefault(bag, []).append(project(best(), 1))
        return found

    def instances(self) -> list[tuple[int, tuple[Term, ...]]]:
        """Instances of the laws at the elements that have names, and at those that they are made of."""
        given = {bag: list(items) for bag, items in self.items.items()}
        uses: list[tuple[int, tuple[Term, ...]]] = [(law, ()) for law in self.always]
        bags = sorted(self.made_of, key=lambda bag: len(subterms(bag)))
        for bag in reversed(bags):
            for item in self.items.get(bag, []):
                uses.append((self.made_of[bag], (item,)))
                for part, one in self.parts(bag, item):
                    self.items.setdefault(part, []).append(one)
        for bag in bags:
            sources = _sources(bag)
            for items in list(product(*(given.get(source, []) for source in sources)))[:MOST_PAIRS]:
                uses.append((self.made_of[bag] + 1, items if bag.operator is not Operator.UNION else items[:1]))
                given.setdefault(bag, []).append(self.whole(bag, items))
                self.items.setdefault(bag, []).append(self.whole(bag, items))
        for bag, laws in self.met.items():
            uses += [(law, (item,)) for law in laws for item in self.items.get(bag, [])]
        return list(dict.fromkeys(uses))

    def parts(self, bag: Term, item: Term) -> Iterable[tuple[Term, Term]]:
        """The elements of other bags that an element of a bag is made of."""
        match bag.operator:
            case Operator.MAP:
                udf, source = bag.arguments
                wanted = build(Operator.EQUAL, (udf, parameter(0, element_type(bag))))
                yield source, self.theory.chooser((element_type(bag),), wanted, source)(item)
            case Operator.CARTESIAN:
                yield from ((source, project(item, place)) for place, source in enumerate(bag.arguments))
            case Operator.FOLD_BY_KEY:
                source = bag.arguments[2]
                condition = self.theory.of_key((), source).arguments[0]
                key = project(item, 0)
                yield source, self.theory.chooser((key.type,), condition, source)(key)  # type: ignore[arg-type]
            case _:
                yield from ((source, item) for source in _sources(bag))

    def whole(self, bag: Term, items: tuple[Term, ...]) -> Term:
        """The element of a bag that elements of others make."""
        match bag.operator:
            case Operator.MAP:
                return apply(bag.arguments[0], items[0])
            case Operator.CARTESIAN:
                return tuple_of(*items)
            case Operator.FOLD_BY_KEY:
                key = project(items[0], 0)
                return tuple_of(key, self.theory.bucket((), bag)(key))
            case _:
                return items[0]

    def decompose(self, term: Term) -> None:
        """The laws of all bags that a term is made of."""
        for bag in subterms(term):
            if isinstance(bag.type, BagType) and bag.operator is not Operator.VARIABLE and bag not in self.made_of:
                if bag.bound:
                    continue
                before = len(self.theory.laws)
                self.theory.decomposed((), bag)
                if len(self.theory.laws) > before:
                    self.made_of[bag] = before


def _sources(bag: Term) -> tuple[Term, ...]:
    match bag.operator:
        case Operator.MAP | Operator.FILTER:
            return bag.arguments[1:]
        case Operator.FOLD_BY_KEY:
            return bag.arguments[2:]
        case Operator.WITHOUT:
            return bag.arguments[1:2]
        case _:
            return bag.arguments


def _bounded(kinds: Sequence[Measure], measures: Term, item: Term) -> Term:
    """That an element was taken into measures."""
    parts = [project(measures, 0)]
    for place, (kind, weight) in enumerate(kinds, 1):
        value, own = project(measures, place), apply(weight, item)
        if kind == "max":
            parts.append(less_equal(own, value))
        elif kind == "min":
            parts.append(less_equal(value, own))
        elif kind == "some":
            parts.append(implies(own, value))
    return conjunction(*parts)


def _signs(kinds: Sequence[Measure]) -> list[Callable[[Term], Term]]:
    """That a sum of what is at least 1 is positive where there are elements, and 0 where there are none."""

    def positive(place: int, measures: Term) -> Term:
        value, zero = project(measures, place), constant(0)
        return conjunction(
            less_equal(zero, value),
            implies(project(measures, 0), less(zero, value)),
            implies(negation(project(measures, 0)), equal(value, zero)),
        )

    def positive_at(place: int) -> Callable[[Term], Term]:
        return lambda measures: positive(place, measures)

    return [positive_at(place) for place, (kind, _) in enumerate(kinds, 1) if kind == "sum"]


def members_proof(goal: Goal, normal: Normal) -> Step | None:
    """A proof by MEMBERS in the place of one by normal forms, if one is found."""
    search = Search(Theory(goal.hypothesis), Prover(NO_SOLVER))
    readings = [each for each in normal.readings if each.fold.operator is Operator.FOLD]
    folds = [search.theory.define((), each.fold) for each in readings]
    if not all(search.read((), *pair) for pair in zip(folds, readings, strict=True)):
        return None
    for side in (goal.left, goal.right):
        search.decompose(side)
    conclusion = _values(search, goal) if not isinstance(goal.left.type, BagType) else _elementwise(search, goal)
    if conclusion is None:
        return None
    rule = Members(tuple(search.theory.definitions), tuple(search.theory.steps), conclusion)
    return Step(rule)  # type: ignore[arg-type]


def _values(search: Search, goal: Goal) -> Conclusion | None:
    found = search.because((), equal(goal.left, goal.right), search.instances())
    return None if found is None else Conclusion("Values", (found,))


def _elementwise(search: Search, goal: Goal) -> Conclusion | None:
    """Both sides filter or map one bag."""
    one, other = goal.left, goal.right
    if one.operator not in (Operator.MAP, Operator.FILTER):
        return None
    source = one.arguments[1]
    item = parameter(0, element_type(source))
    if other.operator is one.operator and other.arguments[1] is source:
        target = apply(other.arguments[0], item)
    elif other is source and one.operator is Operator.FILTER:
        target = TRUE
    else:
        return None
    search.items.setdefault(source, []).append(item)
    wanted = equal(apply(one.arguments[0], item), target)
    found = search.because(search.theory.known_member((), source, item), wanted, search.instances())
    return None if found is None else Conclusion("Elementwise", (found,))
