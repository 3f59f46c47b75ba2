"""Openings: what is in an EXISTS once, or can be made so, becomes slots by rule ONE (untrusted)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tallystick.core.binders import bind, exists, instantiate, summation
from tallystick.core.operators import Operator
from tallystick.core.terms import TRUE, Term, conjunction, disjunction, equal, project, subterms
from tallystick.core.types import BOOL
from tallystick.decision.queries.proofs.classes import Classes
from tallystick.decision.queries.trees.opened import Opened, mentions, opened
from tallystick.decision.queries.trees.slots import conjuncts
from tallystick.decision.queries.trees.theory import Theory


@dataclass(frozen=True, slots=True)
class Guess:
    """An equal monomial, as far as one can see: the replacement, and which slots of the larger one are at stake."""

    replacement: Opened
    slots: tuple[int, ...]
    opening: bool
    name: str


def determined(monomial: Opened, positions: tuple[int, ...], theory: Theory, classes: Classes) -> set[int]:
    """The positions whose rows are fixed by rows outside of `positions`, or by such rows in turn."""
    unknown = {monomial.rows[position]: position for position in positions}
    found: set[int] = set()
    progress = True
    while progress:
        progress = False
        loose = frozenset(unknown)
        for row, position in list(unknown.items()):
            source = monomial.sources[position]
            if source.operator is Operator.EVERY:
                fixed = any(not mentions(term, loose) for term in classes.others(row))
            elif source.operator is Operator.LIMIT:
                fixed = theory.single(source)
            else:
                fixed = any(
                    all(any(not mentions(term, loose) for term in classes.others(project(row, i))) for i in key)
                    for key in theory.keys(source)
                )
            if fixed:
                del unknown[row]
                found.add(position)
                progress = True
    return found


def opened_parts(theory: Theory, monomial: Opened, first: int) -> Iterator[Guess]:
    """An EXISTS of one monomial whose slots, or some of them, are unique: they become slots."""
    for index, condition in enumerate(monomial.conditions):
        if condition.operator is not Operator.EXISTS:
            continue
        monomials = condition.arguments[0].arguments
        if len(monomials) != 1 or len(monomials[0].arguments) < 3:
            continue
        inner = opened(monomials[0], first)
        rest = monomial.conditions[:index] + monomial.conditions[index + 1 :]
        every = tuple(range(len(inner.rows)))
        joint = Classes((*rest, *inner.conditions))
        unique = determined(inner, every, theory, joint)
        if not unique:
            continue
        larger = _partly_opened(monomial, rest, inner, unique)
        if larger is not None:
            count = len(monomial.rows)
            yield Guess(larger, tuple(range(count, count + len(unique))), True, "opening")


def opened_alternatives(theory: Theory, monomial: Opened, first: int) -> Iterator[Guess]:
    """An EXISTS of several monomials that all have one keyed row, which the others determine: it becomes a slot.

    As after LEFT JOIN: with a partner or without, the row of the left table is there. Or as in a UNION of one table's
    rows: what the alternatives do not share stays a disjunction.
    """
    for index, condition in enumerate(monomial.conditions):
        if condition.operator is not Operator.EXISTS or len(condition.arguments[0].arguments) < 2:
            continue
        alternatives = [opened(each, first) for each in condition.arguments[0].arguments]
        rest = monomial.conditions[:index] + monomial.conditions[index + 1 :]
        for row, source in zip(alternatives[0].rows, alternatives[0].sources, strict=True):
            if not theory.keys(source):
                continue
            same_row = [each for each in (_over(row, source, alternative) for alternative in alternatives) if each]
            if len(same_row) < len(alternatives):
                continue
            others = [frozenset(each.conditions) for each in same_row[1:]]
            shared = tuple(
                part
                for part in same_row[0].conditions
                if all(part in other for other in others) and not mentions(part, frozenset(same_row[0].rows) - {row})
            )
            alone = Opened((row,), (source,), shared, monomial.head)
            common = Classes((*rest, *shared))
            if shared and determined(alone, (0,), theory, common) == {0}:
                own = disjunction(*(_without(each, row, shared) for each in same_row))
                for conditions in ((*rest, *shared), (*rest, *shared, *conjuncts(own))):
                    larger = Opened((*monomial.rows, row), (*monomial.sources, source), conditions, monomial.head)
                    yield Guess(larger, (len(monomial.rows),), True, "opening of alternatives")


def opened_singles(theory: Theory, monomial: Opened, first: int) -> Iterator[Guess]:
    """An EXISTS of a keyed row that a condition may say is the only one: a count, or that no other row EXISTS."""
    for index, condition in enumerate(monomial.conditions):
        if condition.operator is not Operator.EXISTS or len(condition.arguments[0].arguments) != 1:
            continue
        inner = opened(condition.arguments[0].arguments[0], first)
        if len(inner.sources) != 1 or not theory.keys(inner.sources[0]):
            continue
        rest = monomial.conditions[:index] + monomial.conditions[index + 1 :]
        if any(_excludes(part, inner.sources[0]) for part in (*rest, *inner.conditions)):
            larger = _partly_opened(monomial, rest, inner, {0})
            if larger is not None:
                yield Guess(larger, (len(monomial.rows),), True, "opening of a single row")


def _excludes(condition: Term, source: Term) -> bool:
    """Whether a condition denies rows of a source, bounds what counts them, or says that two extrema are equal."""
    inner, holds = (condition.arguments[0], False) if condition.operator is Operator.NOT else (condition, True)
    if inner.operator is Operator.EXISTS:
        return not holds and _reads(inner, source)
    compared = [part for part in subterms(inner) if part.operator in (Operator.SUM, Operator.EXTREMUM)]
    own = [part for part in compared if _reads(part, source)]
    if inner.operator is Operator.EQUAL and holds:
        return sum(part.operator is Operator.EXTREMUM for part in own) > 1 or any(map(_counts, own))
    bounded = inner.operator in (Operator.LESS, Operator.LESS_EQUAL) and inner.arguments[0 if holds else 1]
    return bool(bounded) and bounded in own and _counts(bounded)


def _reads(binder: Term, source: Term) -> bool:
    return any(source in monomial.arguments[:-2] for monomial in binder.arguments[0].arguments)


def _counts(total: Term) -> bool:
    return total.operator is Operator.SUM and all(
        monomial.arguments[-1].operator is Operator.CONSTANT for monomial in total.arguments[0].arguments
    )


def _over(row: Term, source: Term, alternative: Opened) -> Opened | None:
    """An alternative whose first row in a source is called `row`."""
    places = zip(alternative.rows, alternative.sources, strict=True)
    twin = next((each for each, of in places if of is source), None)
    if twin is None or twin is row:
        return None if twin is None else alternative
    if row in alternative.rows:
        return None
    renamed = alternative.substituted({twin: row})
    return replace(renamed, rows=tuple(row if each is twin else each for each in renamed.rows))


def _without(alternative: Opened, row: Term, shared: tuple[Term, ...]) -> Term:
    """What else an alternative says of a row."""
    loose = alternative.without(alternative.rows.index(row))
    said = [part for part in alternative.conditions if part not in shared]
    if not loose.rows:
        return conjunction(*said)
    return exists(summation((bind(loose.rows, loose.sources, conjunction(*said), TRUE),), BOOL))


def attained(theory: Theory, monomial: Opened, first: int) -> Iterator[Guess]:
    """⟨x̄ | Ex(y | ψ) ↦ max(y | ψ ↦ h)⟩ where h and ψ determine y: h(y) = max(y | ψ ↦ h) becomes a condition on y."""
    heads = monomial.head.arguments if monomial.head.operator is Operator.TUPLE else (monomial.head,)
    extrema = [part for head in heads for part in subterms(head) if part.operator is Operator.EXTREMUM]
    for index, condition in enumerate(monomial.conditions):
        if condition.operator is not Operator.EXISTS or len(condition.arguments[0].arguments) != 1:
            continue
        inner = opened(condition.arguments[0].arguments[0], first)
        rest = monomial.conditions[:index] + monomial.conditions[index + 1 :]
        for greatest in dict.fromkeys(extrema):
            bag = greatest.arguments[0]
            if len(bag.arguments) != 1 or bag.arguments[0].bound or greatest.bound:
                continue
            *sources, _, _ = bag.arguments[0].arguments
            if len(sources) != 1 or inner.sources != tuple(sources):
                continue
            instance = instantiate(bag.arguments[0], inner.rows)
            conditions = tuple(dict.fromkeys((*inner.conditions, equal(instance.head, greatest))))
            joint = Classes((*rest, *conditions))
            narrow = replace(inner, conditions=conditions)
            if determined(narrow, (0,), theory, joint) == {0}:
                closed = exists(summation((bind(inner.rows, inner.sources, conjunction(*conditions), TRUE),), BOOL))
                if closed is not condition:
                    yield Guess(replace(monomial, conditions=(*rest, closed)), (), False, "attained extremum")


def _partly_opened(monomial: Opened, rest: tuple[Term, ...], inner: Opened, unique: set[int]) -> Opened | None:
    """The unique rows become slots; the other rows stay in an EXISTS."""
    kept = inner.only(unique)
    loose = [index for index in range(len(inner.rows)) if index not in unique]
    rows = frozenset(inner.rows[index] for index in loose)
    if any(mentions(source, rows) for source in kept.sources):
        return None
    outside = [part for part in inner.conditions if not mentions(part, rows)]
    inside = [part for part in inner.conditions if mentions(part, rows)]
    conditions = [*rest, *outside]
    if loose:
        left = inner.only(loose)
        conditions.append(exists(summation((bind(left.rows, left.sources, conjunction(*inside), TRUE),), BOOL)))
    conditions = [part for condition in conditions for part in conjuncts(condition)]
    return Opened(
        (*monomial.rows, *kept.rows),
        (*monomial.sources, *kept.sources),
        tuple(dict.fromkeys(conditions)),
        monomial.head,
    )
