"""Lists of an RDD's elements in an order: the first ones of these, and the opposite order (see `rdds.ordering`)."""

from __future__ import annotations

from tallystick.core.terms import Operator, Term, build, element, ite, less_equal, negation, project, tuple_of
from tallystick.core.types import INT, RATIONAL
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.rdds.lineages import marked
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import literal
from tallystick.frontends.pyspark.values.kinds import Ranked
from tallystick.frontends.pyspark.values.options import component_count


def first_of(whole: Ranked, count: Term, how: str, place: Place) -> Ranked:
    """So many of the first elements of a list in an order, taken as `how` says: "take({})"."""
    fewer = count if whole.most is None else ite(less_equal(whole.most, count), whole.most, count)
    return limited(whole, fewer, cut_at(place, how, count))


def cut_at(place: Place, how: str, count: Term) -> str:
    """Where the first elements are taken, in words: "take(2), jobs.py line 12"."""
    known = literal(count)
    name, line = place.source.shown(place.position[0])
    return f"{how.format('…' if known is None else known)}, {name} line {line}"


def limited(whole: Ranked, count: Term, cut: str) -> Ranked:
    """A list in an order of which so many are taken, whatever was taken of it before."""
    pair = element(whole.pairs.type.element)  # type: ignore[union-attr]
    order = project(pair, 0)
    columns = [project(order, index) for index in range(1, component_count(order))]
    first = tuple_of(tuple_of(count, *columns), project(pair, 1))
    return Ranked(build(Operator.MAP, (first, whole.pairs)), count, cut=cut)


def backwards(whole: Ranked, place: Place) -> Ranked:
    """A list in the opposite order; raises SourceError for a list of the first elements."""
    if whole.most is not None:
        raise place.error("the first elements of a list, the last one first, are not read", "sort the other way before")
    pair = element(whole.pairs.type.element)  # type: ignore[union-attr]
    order = project(pair, 0)
    columns = [
        part
        for index in range(1, component_count(order), 2)
        for part in _opposite(project(order, index), project(order, index + 1), place)
    ]
    turned = tuple_of(tuple_of(project(order, 0), *columns), project(pair, 1))
    pairs = marked(build(Operator.MAP, (turned, whole.pairs)), "reversed")
    return Ranked(pairs, of=whole.of, once=whole.once)


def _opposite(descends: Term, column: Term, place: Place) -> tuple[Term, Term]:
    if column.type in (INT, RATIONAL):  # which never descend, but are negated
        return descends, arithmetic.negative(place, column)
    return negation(descends), column
