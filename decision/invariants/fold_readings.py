"""Folds as functions of sums and extrema: candidates for the readings of rule NORMAL, tried component by component.

A component of a state that adds a function of the element is its sum, one that is raised by some elements says whether
there were such; one that is exchanged for larger values is a maximum. What a component does before the first element
is told by the flags that `reduce` and its kin keep. Facts that hold of the measures are found by `houdini`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf

from tallystick.certificates import judgements
from tallystick.certificates.evidence import Evidence
from tallystick.certificates.rules.fold import Change, Transitions
from tallystick.certificates.rules.normal import Measure, NormalForms, Reading, folded_type, measured
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.operators import NUMBERS, Operator
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    accumulator,
    add,
    apply,
    build,
    conjunction,
    default_term,
    disjunction,
    element,
    equal,
    ite,
    less,
    negation,
    project,
    rebuild,
    row,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BasicType, TupleType
from tallystick.decision.invariants.houdini import houdini
from tallystick.decision.outcome import Goal, MethodContext
from tallystick.decision.queries.proofs.proving import Prover as QueryProver
from tallystick.decision.queries.trees.lemma_source import Missing
from tallystick.decision.queries.trees.tableau import TreeLimits
from tallystick.decision.queries.trees.theory import Theory

MOST_SECONDS = 5.0
"""At most so many seconds of the processor are given to the search."""


def evidence_for_readings(
    hypothesis: Term, premises: Iterable[judgements.Premise], context: MethodContext, deadline: float
) -> tuple[Evidence, ...] | None:
    """Evidence that readings are right, if there is: the search for queries knows sums and extrema in functions."""
    found: list[Evidence] = []
    queries = QueryProver(Theory({}), TreeLimits(), deadline)
    for premise in premises:
        plain = all(node.operator not in (Operator.SUMMATION, Operator.MULTIPLY) for node in subterms(premise.formula))
        answer = context.prover.quick().answer(premise.formula) if plain else None
        if not isinstance(answer, Evidence):
            answer = queries.premise(judgements.Goal(hypothesis, TRUE, TRUE, (), {}), premise)
        if isinstance(answer, Missing):
            return None
        found.append(answer)
    return tuple(found)


def reading(
    goal: Goal, fold: Term, inner: tuple[Reading, ...], context: MethodContext, deadline: float = inf
) -> Reading | None:
    """A fold as a function of sums and extrema, with the readings of the folds inside of it; None where none is.

    The search ends at the deadline, of `core.clock`.
    """
    forms = NormalForms(goal.hypothesis, inner)
    start, udf = (forms.value(part) for part in fold.arguments[:2])
    return _Reader(goal.hypothesis, fold, start, udf, inner, context, deadline).read()


Among = tuple[Measure, int]
"""A measure, and the place of what its elements attain; 0 where it is about all elements."""


@dataclass(frozen=True, slots=True)
class _Component:
    """A component of a state: as a projection of the state, at first, and after an element."""

    leaf: Term
    start: Term
    step: Term


class _Reader:
    """Reads one fold, a component of what it accumulates at a time: those first that are true or false."""

    def __init__(
        self,
        hypothesis: Term,
        fold: Term,
        start: Term,
        udf: Term,
        inner: tuple[Reading, ...],
        context: MethodContext,
        deadline: float,
    ) -> None:
        self._deadline = deadline
        self._hypothesis, self._fold, self._inner, self._context = hypothesis, fold, inner, context
        self._state = accumulator(start.type)  # type: ignore[arg-type]
        self._element = folded_type(fold)
        leaves = [
            _Component(leaf, _at(start, leaf, self._state), _at(udf, leaf, self._state))
            for leaf in _leaves(self._state)
        ]
        self._bag = fold.arguments[2]
        if fold.operator is Operator.FOLD_BY_KEY:
            self._bag = build(Operator.MAP, (project(element(self._bag.type.element), 1), self._bag))  # type: ignore[union-attr]
        forms = NormalForms(hypothesis, inner).bag(self._bag)
        self._heads = [instantiate(each, fresh_rows(each, 0)).head for each in forms.arguments]
        self._components = sorted(leaves, key=lambda each: (each.step is not TRUE, each.leaf.type != BOOL))
        self._measures: list[Among] = []
        self._found: list[tuple[_Component, Callable[[Term], Term]]] = []

    def read(self) -> Reading | None:
        """The reading; None where a component is not understood."""
        waiting = list(self._components)
        while waiting:
            found = next((component for component in waiting if self._is_read(component)), None)
            if found is None:
                return None
            waiting.remove(found)
        return self._reading(self._fold, lambda values: _built(self._state, values))

    def _is_read(self, component: _Component) -> bool:
        """Whether a component is understood, now that others are."""
        for measures, value in self._candidates(component):
            added = [measure for measure in measures if measure not in self._measures]
            self._measures += added
            self._found.append((component, value))
            if self._holds():
                return True
            self._found.pop()
            del self._measures[len(self._measures) - len(added) :]
        return False

    def _candidates(self, part: _Component) -> Iterator[tuple[tuple[Among, ...], Callable[[Term], Term]]]:
        """What a component may be, as a function of the tuple of whether there was an element, and of each measure."""
        for measures, value in self._candidates_of_all(part):
            yield tuple((measure, 0) for measure in measures), value
        if part.step is not part.leaf:
            yield from self._candidates_among(part)

    def _candidates_among(self, part: _Component) -> Iterator[tuple[tuple[Among, ...], Callable[[Term], Term]]]:
        """What a component may be that is about the elements that attain an extremum, or satisfy a condition."""
        of: BasicType = part.leaf.type  # type: ignore[assignment]
        weights = [*_functions(part.step, of, element(self._element)), *_constants(part.step, of)]
        for base in self._bases():
            there = _there(self._measures, base)
            for weight in weights:
                if of == BOOL:
                    some, none = (("some", weight), base), (("some", negation(weight)), base)
                    yield (some,), partial(self._among, part, some, there, holds=True)
                    yield (none,), partial(self._among, part, none, there, holds=False)
                    continue
                for kind in ("max", "min", *(("sum",) if of in NUMBERS else ())):
                    measure = ((kind, weight), base)
                    yield (measure,), partial(self._among, part, measure, there, holds=True)

    def _bases(self) -> list[int]:
        """The places of measures that elements may attain, the last first."""
        places = [
            place
            for place, ((kind, _), base) in enumerate(self._measures, 1)
            if kind in ("min", "max") or (kind == "some" and not base)
        ]
        return places[::-1]

    def _among(self, part: _Component, measure: Among, there: int, state: Term, holds: bool) -> Term:
        value = self._measured(state, measure)
        return ite(project(state, there), value if holds else negation(value), part.start)

    def _candidates_of_all(self, part: _Component) -> Iterator[tuple[tuple[Measure, ...], Callable[[Term], Term]]]:
        """What a component may be that is about all elements."""
        leaf, start = part.leaf, part.start
        of: BasicType = leaf.type  # type: ignore[assignment]
        if part.step is leaf:
            yield (), lambda _: start
        elif of == BOOL:
            yield (), lambda state: disjunction(start, project(state, 0))
            raised = {each.leaf: TRUE for each in self._components if each.step is TRUE and each is not part}
            for step in dict.fromkeys((part.step, rebuild(part.step, raised))):
                some, other = (rebuild(step, {leaf: unit}) for unit in (FALSE, TRUE))
                for measure, holds in ((("some", some), True), (("some", negation(other)), False)):
                    yield (measure,), partial(self._seen, start, measure, holds)
        else:
            flags = [each.leaf for each in self._components if each.leaf.type == BOOL and each.start is FALSE]
            first, later = (rebuild(part.step, dict.fromkeys(flags, value)) for value in (FALSE, TRUE))
            firsts = {apply(first, head) for head in self._heads} if self._state not in first.bound else set[Term]()
            if len(firsts) == 1 and not (only := firsts.pop()).rows:
                yield (), lambda state: ite(project(state, 0), only, start)
            for step in dict.fromkeys((first, later)) if of in NUMBERS else ():
                measure = "sum", _without(default_term(of), rebuild(step, {leaf: default_term(of)}))
                yield (measure,), partial(self._total, start, measure)
            for kind in ("max", "min"):
                for weight in _functions(part.step, of, element(self._element)):
                    yield ((kind, weight),), partial(self._best, None if flags else start, part, (kind, weight))

    def _measured(self, state: Term, measure: Among) -> Term:
        return project(state, 1 + self._measures.index(measure))

    def _seen(self, start: Term, measure: Measure, holds: bool, state: Term) -> Term:
        seen = self._measured(state, (measure, 0))
        return disjunction(start, seen) if holds else ite(project(state, 0), negation(seen), start)

    def _total(self, start: Term, measure: Measure, state: Term) -> Term:
        value = self._measured(state, (measure, 0))
        return value if start is default_term(start.type) else add(start, value)  # type: ignore[arg-type]

    def _best(self, start: Term | None, part: _Component, measure: Measure, state: Term) -> Term:
        value = self._measured(state, (measure, 0))
        if start is not None:
            further = less(value, start) if measure[0] == "max" else less(start, value)
            value = ite(further, start, value)
        return ite(project(state, 0), value, part.start)

    def _reading(self, fold: Term, whole: Callable[[dict[Term, Term]], Term]) -> Reading:
        state = element(TupleType((BOOL, *(weight.type for (_, weight), _ in self._measures))))  # type: ignore[misc]
        values = {component.leaf: value(state) for component, value in self._found}
        measures, bases = tuple(each for each, _ in self._measures), tuple(base for _, base in self._measures)
        bare = Reading(fold, measures, TRUE, whole(values), bases if any(bases) else ())
        return replace(bare, invariant=self._invariant(bare, state, values))

    def _invariant(self, reading: Reading, state: Term, values: dict[Term, Term]) -> Term:
        """What is known of the measures: they are 0 without elements, and so are sums before a flag is raised."""
        zeros = [default_term(weight.type) for _, weight in reading.measures]  # type: ignore[arg-type]
        always = disjunction(project(state, 0), equal(state, tuple_of(FALSE, *zeros)))
        flags = [values[part.leaf] for part, _ in self._found if part.leaf.type == BOOL and part.start is FALSE]
        sums = [place for place, (kind, _) in enumerate(reading.measures) if kind == "sum"]
        facts = [
            disjunction(flag, equal(project(state, 1 + place), zeros[place]))
            for flag in flags
            for place in sums
            if flag is not project(state, 0)
        ]
        if not facts:
            return always
        before, taken = row(1, state.type), row(0, self._element)  # type: ignore[arg-type]
        after = {before: measured(reading, taken, before)}
        steps = Transitions({before: tuple_of(FALSE, *zeros)}, [Change("an element is taken", (), TRUE, after)])
        candidates = [apply(fact, before) for fact in (always, *facts)]
        context = MethodContext(self._context.prover.quick(), self._context.decide)
        return conjunction(
            *(
                rebuild(fact, {before: state}, inside=True)
                for fact in houdini(self._hypothesis, candidates, steps, context)
            )
        )

    def _holds(self) -> bool:
        """Whether the components that were found are what they are thought to be: alone, in a fold of their own."""
        argument = {element(self._element)}
        parts = [component for component, _ in self._found]
        both = accumulator(TupleType(tuple(part.leaf.type for part in parts)))  # type: ignore[misc]
        renamed = {part.leaf: project(both, place) for place, part in enumerate(parts)}
        for place, part in enumerate(each for each in self._components if each not in parts):
            renamed[part.leaf] = variable(f"component {place}", part.leaf.type)  # whatever it is
        renamed |= {whole: _built(whole, renamed) for whole in _tuples(self._state)}
        steps = [rebuild(part.step, renamed) for part in parts]
        if any(not weight.bound <= argument for (_, weight), _ in self._measures):
            return False
        start = tuple_of(*(part.start for part in parts))
        fold = build(Operator.FOLD, (start, tuple_of(*steps), self._bag))
        candidate = self._reading(fold, lambda values: tuple_of(*values.values()))
        required = NormalForms(self._hypothesis, self._inner).required(0, candidate)
        return evidence_for_readings(self._hypothesis, required, self._context, self._deadline) is not None


def _without(zero: Term, weight: Term) -> Term:
    """A sum of several parts without a part that is 0."""
    parts = [part for part in weight.arguments if part is not zero]
    if weight.operator is not Operator.ADD or len(parts) == len(weight.arguments):
        return weight
    return add(*parts) if len(parts) > 1 else parts[0] if parts else zero


def _there(measures: list[Among], base: int) -> int:
    """The place of the condition that says whether there is an element that attains what `base` says."""
    while base and measures[base - 1][0][0] != "some":
        base = measures[base - 1][1]
    return base


def _constants(step: Term, of: BasicType) -> Iterator[Term]:
    """Constants of a step that are not 0."""
    for node in subterms(step):
        if node.operator is Operator.CONSTANT and node.type == of and of in NUMBERS and node is not default_term(of):
            yield node


def _functions(step: Term, of: BasicType, argument: Term) -> Iterator[Term]:
    """Parts of a step that are functions of the element, the largest first."""
    for node in reversed(subterms(step)):
        if node.type == of and node.bound == {argument}:
            yield node


def _leaves(term: Term) -> Iterator[Term]:
    """The components of a value that are no tuples, as projections."""
    if not isinstance(term.type, TupleType):
        yield term
        return
    for place in range(len(term.type.components)):
        yield from _leaves(project(term, place))


def _tuples(term: Term) -> Iterator[Term]:
    """A value and its components that are tuples, as projections."""
    if isinstance(term.type, TupleType):
        yield term
        for place in range(len(term.type.components)):
            yield from _tuples(project(term, place))


def _at(term: Term, leaf: Term, root: Term) -> Term:
    """The component of a term that `leaf` is of `root`: moved into conditionals."""
    if leaf is root:
        return term
    return _component_of(_at(term, leaf.arguments[0], root), leaf.parameter)  # type: ignore[arg-type]


def _component_of(term: Term, place: int) -> Term:
    if term.operator is Operator.ITE:
        condition, then, otherwise = term.arguments
        return ite(condition, _component_of(then, place), _component_of(otherwise, place))
    return project(term, place)


def _built(root: Term, values: dict[Term, Term]) -> Term:
    """The value of which `values` are the components."""
    if root in values:
        return values[root]
    return tuple_of(*(_built(project(root, place), values) for place in range(len(root.type.components))))  # type: ignore[union-attr]
