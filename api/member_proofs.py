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
    Once,
    SumOver,
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
    equations: dict[Types, list[int]] = field(default_factory=dict)
    readings: dict[Term, Reading] = field(default_factory=dict)
    buckets: dict[Term, list[int]] = field(default_factory=dict)

    def because(
        self, hypotheses: Sequence[Term], goal: Term, uses: Sequence[tuple[int, tuple[Term, ...]]] = ()
    ) -> Because | None:
        """Evidence for a goal, if it follows from these instances of laws."""
        answer = self.prover.answer(self.theory.premise(hypotheses, goal, uses))
        return Because(tuple(uses), answer) if isinstance(answer, Evidence) and not isinstance(answer, Oracle) else None

    def induct(
        self,
        over: Types,
        calls: Sequence[Called],
        of: Callable[..., Term],
        uses: Sequence[tuple[int, tuple[Term, ...]]] = (),
    ) -> int | None:
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
        step = self.because([invariant, known], put(after), uses) if base else None
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

    def read(self, over: Types, fold: Defined, reading: Reading) -> list[int]:
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
            return []
        member = theory.member(over, bag)
        each = parameter(len(over), element_type(bag))
        one = (member, (*given, each)), (measures, given)
        met = self.induct((*over, element_type(bag)), one, lambda s, m: implies(s, _bounded(kinds, m, each)))
        found = [self.attained(over, measures, bag, place, kind) for place, kind in enumerate((None, *kinds))]
        signs = [self.induct(over, own[:1], of) for of in _signs(kinds)]
        sums = [
            self.summed(over, measures, bag, place, weight)
            for place, (kind, weight) in enumerate(kinds, 1)
            if kind == "sum"
        ]
        if not over:
            self.always += [law for law in (read, *found, *signs, *sums) if law is not None]
            self.met.setdefault(bag, []).extend([] if met is None else [met])
        return [read, *(law for law in (met, *sums) if law is not None)]

    def summed(self, over: Types, measures: Defined, bag: Term, place: int, weight: Term) -> int | None:
        """That a measure is a sum, which is one over what the bag is made of."""
        given, whole = parameters(over), self.theory.sum(over, weight, bag)
        same = self.induct(over, ((measures, given), (whole, given)), lambda m, total: equal(project(m, place), total))
        self.flatten(over, whole)
        return same

    def flatten(self, over: Types, whole: Defined) -> None:
        """Sums over mapped bags, and over buckets, as sums over other bags."""
        step, bag = whole.body.arguments[1:]
        weight = step.arguments[1]
        if bag.operator in (Operator.MAP, Operator.FILTER):
            udf, source = bag.arguments
            taken, item = element(element_type(source)), parameter(len(over), element_type(source))

            def changed(one: Term) -> Term:
                if bag.operator is Operator.MAP:
                    return apply(weight, apply(udf, one))
                return ite(apply(udf, one), apply(weight, one), constant(0))

            part = self.theory.sum(over, changed(taken), source)
            known = self.theory.member(over, source)(*parameters(over), item)
            reason = self.because([known], equal(changed(item), apply(part.body.arguments[1].arguments[1], item)))
            reasons = None if reason is None else (reason,)
            functions = (whole, part)
        elif bag.operator is Operator.FOLD_BY_KEY and bag in self.readings:
            found = self.over_keys(over, whole, weight, bag)
            reasons, functions = (None, ()) if found is None else found
            part = functions[-1] if functions else whole
        else:
            return
        if reasons is None:
            return
        how = {Operator.MAP: "OverMap", Operator.FILTER: "OverFilter"}.get(bag.operator, "OverKeys")
        numbers = tuple(map(self.theory.number, functions))
        given = parameters(over)
        self.theory.steps.append(SumOver(over, how, numbers, reasons))
        self.theory.laws.append(Law(over, equal(whole(*given), part(*given))))
        self.equations.setdefault(over, []).append(len(self.theory.laws) - 1)
        if not over:
            self.always.append(len(self.theory.laws) - 1)
        self.flatten(over, part)

    def over_keys(
        self, over: Types, whole: Defined, weight: Term, fold: Term
    ) -> tuple[tuple[Because, Because], tuple[Defined, ...]] | None:
        """Evidence that a sum over buckets is one over all elements: what is added for a bucket is a sum over it."""
        theory, reading, source = self.theory, self.readings[fold], fold.arguments[2]
        pair: TupleType = element_type(source)  # type: ignore[assignment]
        all_of = (*over, pair.components[0])
        given = parameters(all_of)
        key, taken = given[-1], element(pair)
        pairs, values = theory.of_key(over, source), theory.bucket_of(over, source)
        alone = tuple_of(TRUE, *(apply(each, project(taken, 1)) for _, each in reading.measures))
        one = apply(weight, tuple_of(project(taken, 0), apply(reading.result, alone)))
        bucket, part = theory.sum(all_of, one, pairs), theory.sum(over, one, source)
        value = theory.bucket(over, fold)
        laws = self.read(all_of, value, reading)
        sums = [theory.sum(all_of, apply(each, project(taken, 1)), pairs) for _, each in reading.measures]
        of_pairs, of_values = len(theory.laws), len(theory.laws) + 2
        theory.decomposed(all_of, pairs)
        theory.decomposed(all_of, values)
        item = parameter(len(all_of) + len(sums) + 1, pair)
        same = self.induct(
            all_of,
            ((bucket, given), *((each, given) for each in sums)),
            lambda total, *parts: equal(
                apply(weight, tuple_of(key, apply(reading.result, tuple_of(TRUE, *parts)))), total
            ),
            [(of_pairs, (*given, item))],
        )
        each = parameter(len(all_of), pair)
        here, there = theory.member(over, source), theory.member(all_of, source)
        link = self.induct((*all_of, pair), ((here, (*given[:-1], each)), (there, (*given, each))), equal)
        if same is None or link is None or not laws:
            return None
        uses = [(law, given) for law in (laws[0], *laws[2:], same, *self.equations.get(all_of, []))]
        uses += [(laws[1], (*given, project(each, 1))), (link, (*given, each))]
        uses += [(of_pairs + 1, (*given, each)), (of_values + 1, (*given, each))]
        known = [here(*given[:-1], each), equal(key, project(each, 0))]
        first = self.because(known, equal(apply(weight, tuple_of(key, value(*given))), bucket(*given)), uses)
        second = self.because(known, TRUE)
        return None if first is None or second is None else ((first, second), (whole, bucket, part))

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

    def instances(self, above: bool = False) -> list[tuple[int, tuple[Term, ...]]]:
        """Instances of the laws at the elements that have names, those that they are made of, and those that they make.

        What they are made of makes others in turn, if `above`.
        """
        given = {bag: list(items) for bag, items in self.items.items()}
        uses: list[tuple[int, tuple[Term, ...]]] = [(law, ()) for law in self.always]
        bags = sorted(self.made_of, key=lambda bag: len(subterms(bag)))
        for bag in reversed(bags):
            for item in self.items.get(bag, []):
                uses.append((self.made_of[bag], (item,)))
                for part, one in self.parts(bag, item):
                    self.items.setdefault(part, []).append(one)
        if above:
            given = {bag: list(items) for bag, items in self.items.items()}
        for bag in bags:
            sources = _sources(bag)
            for items in list(product(*(given.get(source, []) for source in sources)))[:MOST_PAIRS]:
                uses.append((self.made_of[bag] + 1, items if bag.operator is not Operator.UNION else items[:1]))
                given.setdefault(bag, []).append(self.whole(bag, items))
                self.items.setdefault(bag, []).append(self.whole(bag, items))
        for bag, laws in self.met.items():
            uses += [(law, (item,)) for law in laws for item in self.items.get(bag, [])]
        for fold, laws in self.buckets.items():
            keys = dict.fromkeys(project(item, 0) for each in self.buckets for item in self.items.get(each, []))
            over = (element_type(fold).components[0],)  # type: ignore[union-attr]
            uses += [(law, (key,)) for key in keys for law in (*laws, *self.equations.get(over, []))]
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

    def once(self, bag: Term) -> Once | None:
        """Why no element of a bag occurs twice, if that is so."""
        match bag.operator:
            case Operator.DISTINCT | Operator.FOLD_BY_KEY:
                return Once("Keyed")
            case Operator.FILTER:
                rest = self.once(bag.arguments[1])
                return None if rest is None else Once("Selected", None, rest)
            case Operator.MAP:
                udf, source = bag.arguments
                rest = self.once(source)
                both = parameters((element_type(source),) * 2)
                member = self.theory.member((), source)
                same = equal(*(apply(udf, each) for each in both))
                uses = [(self.made_of[source], (each,)) for each in both if source in self.made_of]
                reason = self.because([*map(member, both), same], equal(*both), uses)
                return None if rest is None or reason is None else Once("Injective", reason, rest)
            case _:
                return None

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
    search.readings = {each.fold: each for each in normal.readings}
    readings = [each for each in normal.readings if each.fold.operator is Operator.FOLD]
    folds = [search.theory.define((), each.fold) for each in readings]
    if not all(search.read((), *pair) for pair in zip(folds, readings, strict=True)):
        return None
    for side in (goal.left, goal.right):
        search.decompose(side)
    conclusion = _values(search, goal) if not isinstance(goal.left.type, BagType) else _elementwise(search, goal)
    if conclusion is None and isinstance(goal.left.type, BagType):
        conclusion = _same_elements(search, goal)
    if conclusion is None:
        return None
    rule = Members(tuple(search.theory.definitions), tuple(search.theory.steps), conclusion)
    return Step(rule)  # type: ignore[arg-type]


def _same_elements(search: Search, goal: Goal) -> Conclusion | None:
    """Both sides have the same elements, none of them twice."""
    theory, item = search.theory, parameter(0, element_type(goal.left))
    for fold, reading in search.readings.items():
        if fold.operator is Operator.FOLD_BY_KEY and not fold.bound:
            laws = search.read((element_type(fold).components[0],), theory.bucket((), fold), reading)  # type: ignore[union-attr]
            search.buckets[fold] = [*laws[:1], *laws[2:]]
    once = [search.once(side) for side in (goal.left, goal.right)]
    found = []
    for side, other in ((goal.left, goal.right), (goal.right, goal.left)):
        search.items = {side: [item]}
        known, wanted = theory.member((), side)(item), theory.member((), other)(item)
        found.append(search.because([known], wanted, search.instances(above=True)))
    if any(each is None for each in (*once, *found)):
        return None
    return Conclusion("SameElements", tuple(found), tuple(once))  # type: ignore[arg-type]


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
