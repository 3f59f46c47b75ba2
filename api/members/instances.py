"""At which elements laws are used: those that have names, those that they are made of, and those that they make."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from tallystick.certificates.exports.coq_members import parameter
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, apply, build, project, subterms, tuple_of
from tallystick.core.types import BagType
from tallystick.members.bags import bucket, chooser, has_key
from tallystick.members.decompose import decompose
from tallystick.members.search import Search
from tallystick.members.theory import Theory, Uses

MOST_PAIRS = 40
"""How many elements of a product are looked at."""


def decompose_all(search: Search, term: Term) -> None:
    """Adds the laws of all bags that a term is made of."""
    for bag in subterms(term):
        inner = isinstance(bag.type, BagType) and bag.operator is not Operator.VARIABLE and not bag.bound
        if inner and bag not in search.made_of:
            first = decompose(search.theory, (), bag)
            if first is not None:
                search.made_of[bag] = first


def origins(search: Search) -> Uses:
    """The instances that say what the elements with names are made of; what these are made of gets a name, too."""
    uses: list[tuple[int, tuple[Term, ...]]] = []
    for bag in sorted(search.made_of, key=lambda bag: len(subterms(bag)), reverse=True):
        for item in search.items.get(bag, []):
            uses.append((search.made_of[bag], (item,)))
            for source, part in _parts(search.theory, bag, item):
                search.items.setdefault(source, []).append(part)
    return tuple(uses)


def instances(search: Search, above: bool = False) -> Uses:
    """The instances of the laws; what elements are made of makes others in turn, if `above`."""
    given = {bag: list(items) for bag, items in search.items.items()}
    uses = [*((law, ()) for law in search.always), *origins(search)]
    bags = sorted(search.made_of, key=lambda bag: len(subterms(bag)))
    if above:
        given = {bag: list(items) for bag, items in search.items.items()}
    for bag in bags:
        had = [given.get(source, []) for source in _sources(bag)]
        together = ((item,) for items in had for item in items) if bag.operator is Operator.UNION else product(*had)
        for items in islice(dict.fromkeys(together), MOST_PAIRS):
            uses.append((search.made_of[bag] + 1, items))
            made = _whole(search.theory, bag, items)
            given.setdefault(bag, []).append(made)
            search.items.setdefault(bag, []).append(made)
    for bag, laws in search.met.items():
        uses += [(law, (item,)) for law in laws for item in search.items.get(bag, [])]
    keys = dict.fromkeys(project(item, 0) for each in search.buckets for item in search.items.get(each, []))
    for fold, laws in search.buckets.items():
        over = (element_type(fold).components[0],)  # type: ignore[union-attr]
        known = (*laws, *search.equations.get(over, []))
        uses += [(law, (key,)) for key in keys if key.type == over[0] for law in known]
        if fold in search.taken:
            each = dict.fromkeys(search.items.get(fold.arguments[2], []))
            uses += [use for item in each for use in search.taken[fold](project(item, 0), item)]
    return tuple(dict.fromkeys(uses))


def _parts(theory: Theory, bag: Term, item: Term) -> Iterator[tuple[Term, Term]]:
    """The elements of other bags that an element of a bag is made of."""
    match bag.operator:
        case Operator.MAP:
            udf, source = bag.arguments
            of = element_type(bag)
            wanted = build(Operator.EQUAL, (udf, parameter(0, of)))
            yield source, chooser(theory, (of,), wanted, source)(item)
        case Operator.CARTESIAN:
            yield from ((source, project(item, place)) for place, source in enumerate(bag.arguments))
        case Operator.FOLD_BY_KEY:
            source, key = bag.arguments[2], project(item, 0)
            yield source, chooser(theory, (key.type,), has_key((), source), source)(key)  # type: ignore[arg-type]
        case _:
            yield from ((source, item) for source in _sources(bag))


def _whole(theory: Theory, bag: Term, items: tuple[Term, ...]) -> Term:
    """The element of a bag that elements of others make."""
    match bag.operator:
        case Operator.MAP:
            return apply(bag.arguments[0], items[0])
        case Operator.CARTESIAN:
            return tuple_of(*items)
        case Operator.FOLD_BY_KEY:
            key = project(items[0], 0)
            return tuple_of(key, bucket(theory, (), bag)(key))
        case _:
            return items[0]


def _sources(bag: Term) -> tuple[Term, ...]:
    """The bags whose elements make those of a bag."""
    match bag.operator:
        case Operator.MAP | Operator.FILTER:
            return bag.arguments[1:]
        case Operator.FOLD_BY_KEY:
            return bag.arguments[2:]
        case Operator.WITHOUT:
            return bag.arguments[1:2]
        case _:
            return bag.arguments
