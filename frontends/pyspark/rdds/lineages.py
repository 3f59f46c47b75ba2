"""In which order the elements of a list come of which some of the first are taken, where nothing else fixes which.

A term says what a bag holds, and no order. So a program that keeps some of several elements with equal keys is read
once more, with marks (`marking`) where the order of elements changes: filters by functions that nothing is known of,
which are in no program. What the marked term is made of is its *lineage*, by which alone two such choices are compared:

    union(repartition 3 (r), sorted by x.1 (s))

Maps and filters of elements, one by one, are left out where what they leave is made of RDDs that occur once and of
folds by key of these. Each element is then what some input leaves alone (one element, or those with one key), so
programs that return the same on all inputs make the same of each; and what is left comes in the order of the RDDs.
Sorts are stable: they are compared by the keys that they give the elements of the RDDs, and one at the driver by the
very keys by which the first are taken changes nothing. For `sortBy` elements come together in a shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final

from tallystick.core.terms import TRUE, Operator, Term, apply, apply_function, build, element, project, subterms
from tallystick.core.types import BOOL, BagType
from tallystick.frontends.pyspark.values.options import component_count

_MARK: Final = "order: "
_SORTED: Final = f"{_MARK}sorted"
_SHUFFLED: Final = f"{_MARK}sorted in a shuffle"
_SIDE: Final = f"{_MARK}side "
_reading: ContextVar[bool] = ContextVar("_reading", default=False)

KEEPS_ORDER: Final = frozenset((
    "map", "filter", "flatMap", "mapValues", "flatMapValues", "mapPartitions", "keyBy", "keys", "values", "cache",
    "persist", "unpersist", "collect", "toLocalIterator", "lookup", "take", "first", "takeOrdered", "top", "sortBy",
    "sortByKey",
))  # fmt: skip
"""Methods after which elements come as before, and those that mark what they change themselves."""
BY_KEY: Final = frozenset(("reduceByKey", "foldByKey", "aggregateByKey", "combineByKey", "groupByKey"))
"""Methods after which keys come as the keys of the pairs came before, whatever the values are."""


@contextmanager
def marking() -> Iterator[None]:
    """What the block reads has marks where the order of elements changes."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


def is_marking() -> bool:
    """Whether what is read has marks."""
    return _reading.get()


def marked(bag: Term, name: str) -> Term:
    """A bag whose elements are put into another order, by something with a name; the bag, where there are no marks."""
    return _filtered(f"{_MARK}{name}", (TRUE,), bag) if is_marking() else bag


def side(bag: Term, number: int) -> Term:
    """One of the bags that are put one after the other."""
    return _filtered(f"{_SIDE}{number}", (TRUE,), bag) if is_marking() else bag


def sorted_by(bag: Term, columns: list[Term], shuffled: bool) -> Term:
    """A bag whose elements are sorted by the columns of an order (see `ordering`), in a shuffle or at the driver."""
    return _filtered(_SHUFFLED if shuffled else _SORTED, tuple(columns), bag) if is_marking() else bag


def _filtered(name: str, by: tuple[Term, ...], bag: Term) -> Term:
    return build(Operator.FILTER, (apply_function(name, BOOL, *by), bag))


@dataclass(frozen=True)
class _Elements:
    """The elements of a bag.

    Attributes:
        made: how they come.
        sources: the RDDs that they are made of.
        items: for each part that `made` puts together, what an element is, over those of the part.
        kept: for each part, which conditions the elements satisfy.
        is_plain: whether maps and filters of elements may be left out.
    """

    made: tuple[Any, ...]
    sources: tuple[Term, ...]
    items: tuple[Term, ...]
    kept: tuple[tuple[Term, ...], ...]
    is_plain: bool

    @property
    def is_known_by_order(self) -> bool:
        return self.is_plain and len(set(self.sources)) == len(self.sources)


def lineage(pairs: Term) -> object:
    """How the elements come of pairs (order, element) with marks: equal for two programs where these come alike."""
    of = _elements(pairs)
    made = of.made
    columns = tuple(_columns(project(item, 0)) for item in of.items)
    while made[:2] == (_SORTED, columns):
        (made,) = made[2:]
    return made if of.is_known_by_order else (made, of.items, of.kept)


def _columns(order: Term) -> tuple[Term, ...]:
    return tuple(project(order, index) for index in range(1, component_count(order)))


def _elements(bag: Term) -> _Elements:
    match bag.operator, bag.arguments:
        case Operator.VARIABLE, _:
            return _part(bag, (bag,), True)
        case Operator.MAP, (udf, below):
            of = _elements(below)
            items = tuple(apply(udf, each) for each in of.items)
            return replace(of, items=items, is_plain=of.is_plain and _is_of_element(udf))
        case Operator.FILTER, (condition, below) if _is_mark(condition):
            return _with_mark(str(condition.parameter[0]), condition.arguments, _elements(below), bag)  # type: ignore[index]
        case Operator.FILTER, (condition, below):
            of = _elements(below)
            kept = tuple((*known, apply(condition, each)) for known, each in zip(of.kept, of.items, strict=True))
            return replace(of, kept=kept, is_plain=of.is_plain and _is_of_element(condition))
        case Operator.UNION, (left, right):
            one, other = _elements(left), _elements(right)
            return _Elements(
                ("union", one.made, other.made),
                (*one.sources, *other.sources),
                (*one.items, *other.items),
                (*one.kept, *other.kept),
                one.is_plain and other.is_plain,
            )
        case Operator.FOLD_BY_KEY, (initial, step, below) if (of := _elements(below)).is_known_by_order:
            made = ("fold by key", *_by_keys(of))
            return _part(bag, of.sources, _is_of_element(initial) and _is_of_element(step), made)
        case Operator.DISTINCT, (below,) if (of := _elements(below)).is_known_by_order:
            return _part(bag, of.sources, True, ("distinct", of.items, of.kept, of.made))
    return _part(bag, (bag,), False)


def _part(bag: Term, sources: tuple[Term, ...], is_plain: bool, made: tuple[Any, ...] | None = None) -> _Elements:
    """Elements of a bag that is one part, which is known by its term where `made` does not say more."""
    return _Elements(made or ("bag", bag), sources, (element(bag.type.element),), ((),), is_plain)  # type: ignore[union-attr]


def _by_keys(of: _Elements) -> tuple[object, ...]:
    """All by which keys of pairs come in an order: the keys, which of the pairs there are, and how these come."""
    return tuple(project(item, 0) for item in of.items), of.kept, of.made


def _is_mark(condition: Term) -> bool:
    return condition.operator is Operator.APPLY and str(condition.parameter[0]).startswith(_MARK)  # type: ignore[index]


def _with_mark(name: str, by: tuple[Term, ...], of: _Elements, bag: Term) -> _Elements:
    """Elements in an order that a mark says; others than sorts may look at what comes before, so all of it counts."""
    if name in (_SORTED, _SHUFFLED):
        columns = tuple(tuple(apply(each, item) for each in by) for item in of.items)
        is_plain = of.is_plain and all(map(_is_of_element, by))
        return replace(of, made=(name, columns, of.made), is_plain=is_plain)
    if name.startswith(_SIDE):
        return replace(of, made=(name, of.made))
    if name.removeprefix(_MARK).split(" ")[0] in BY_KEY and of.is_known_by_order:
        return replace(of, made=(name, *_by_keys(of)))
    return replace(of, made=(name, bag))


def _is_of_element(udf: Term) -> bool:
    """Whether a function looks at one element alone, and at no RDD."""
    return not any(isinstance(part.type, BagType) for part in subterms(udf))
