"""What rules ask for, as `requirements` of `coq/core/Kernel.v` computes it, and what nodes of trees add (`Trees.v`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tallystick.certificates.exports.core.compiling import chosen, guard
from tallystick.certificates.exports.core.terms import (
    ADD,
    AND,
    COUNT_IF,
    NO,
    NULL,
    ONE,
    YES,
    ZERO,
    Node,
    Renaming,
    alike,
    apply,
    bag,
    both,
    cell,
    conjunction,
    disjunction,
    either,
    exists,
    implies,
    known,
    literal,
    mono,
    negation,
    node,
    same,
    same_terms,
    scalar,
    shift,
    support,
    value,
)

Sources = tuple[Node, ...]
Keys = Mapping[str, Sequence[tuple[int, ...]]]


@dataclass(frozen=True)
class Premise:
    """A formula over rows."""

    rows: Sources
    formula: Node


@dataclass(frozen=True)
class Group:
    """Members over the same slots, on both sides: a condition and heads each."""

    over: Sources
    left: tuple[tuple[Node, tuple[Node, ...]], ...]
    right: tuple[tuple[Node, tuple[Node, ...]], ...]


def bag_premises(rows: Sources, given: Node, group: Group) -> Iterator[Premise]:
    """The premises of a group of BAG."""
    hypothesis = shift(len(group.over), given)

    def premise(condition: Node, formula: Node) -> Premise:
        return Premise((*rows, *group.over), implies(both(hypothesis, condition), formula))

    match group.left, group.right:
        case ((one, heads),), ((other, others),):
            yield premise(one, other)
            yield premise(other, one)
            yield premise(both(one, other), same_terms(heads, others))
        case (((alone, _),), ()) | ((), ((alone, _),)):
            yield premise(alone, NO)
        case left, right:
            for condition, heads in (*left, *right):
                counts = (
                    apply(COUNT_IF, *(both(each, same_terms(of, heads)) for each, of in side)) for side in (left, right)
                )
                yield premise(condition, same(*counts))


@dataclass(frozen=True)
class Numbered:
    """Numbered rows: the number of their columns before the place, and the order.

    Attributes:
        partition, keys: which of these columns are those of the partition and of the order; None if one is not there.
    """

    own: int
    order: tuple[tuple[bool, bool], ...]
    partition: tuple[int, ...] | None
    keys: tuple[int, ...] | None

    @property
    def unique(self) -> tuple[int, ...] | None:
        """Columns that no two rows share: `place_key` of `Places.v`."""
        return None if self.partition is None else (*self.partition, self.own)


def numbered(source: Node) -> Numbered | None:
    """What a source of numbered rows is made of, if the rows of its bag have one width."""
    place, inner = source.args
    _, parts, order = place.args
    rows = [each.args[2] for each in inner.args[0]]
    if len({*map(len, rows)}) != 1 or len(rows[0]) < parts + len(order):
        return None
    own = len(rows[0]) - parts - len(order)

    def among_own(first: int, number: int) -> tuple[int, ...] | None:
        places = [
            next((column for column in range(own) if all(row[column] is row[each] for row in rows)), None)
            for each in range(first, first + number)
        ]
        return tuple(each for each in places if each is not None) if None not in places else None

    return Numbered(own, order, among_own(own, parts), among_own(own + parts, len(order)))


def place_fact(row: int, own: int) -> Node:
    """The place of a row is a number from 1 on."""
    return both(known(cell(row, own)), negation(lesser(cell(row, own), ONE)))


def first_fact(source: Node, own: int) -> Node:
    """Where there are rows, one has the place 1."""
    first = mono((source,), same(cell(0, own), ONE), ())
    return either(negation(exists(source.args[1])), exists(bag([first])))


def before_fact(layout: Numbered, one: int, other: int) -> Node:
    """A row that precedes another of its partition has a smaller place."""
    assert layout.partition is not None
    assert layout.keys is not None
    result = NO
    for (descending, nulls_first), column in reversed([*zip(layout.order, layout.keys, strict=True)]):
        mine, its = cell(one, column), cell(other, column)
        less = lesser(its, mine) if descending else lesser(mine, its)
        null = both(negation(known(mine)), both(known(its), literal(value(nulls_first))))
        last = both(negation(known(its)), literal(value(not nulls_first)))
        strictly = either(null, both(known(mine), either(last, less)))
        result = either(strictly, both(same(mine, its), result))
    alike_parts = conjunction(same(cell(one, column), cell(other, column)) for column in layout.partition)
    return implies(both(alike_parts, result), lesser(cell(one, layout.own), cell(other, layout.own)))


def slot_alike(keys: Keys, source: Node, one: int, other: int) -> Node:
    """Why two rows of a source are one."""
    match source.name:
        case "Table":
            return disjunction(
                conjunction(both(same(cell(one, c), cell(other, c)), known(cell(other, c))) for c in key)
                for key in keys.get(source.args[0], ())
            )
        case "Support":
            return alike(one, other)
        case _:
            layout = numbered(source)
            unique = None if layout is None else layout.unique
            return NO if unique is None else conjunction(same(cell(one, c), cell(other, c)) for c in unique)


@dataclass(frozen=True)
class One:
    """ONE: over the slots `kept`, the slots `unique` with a condition and heads, and a condition and heads without."""

    number: int
    kept: Sources
    unique: Sources
    condition: Node
    heads: tuple[Node, ...]
    smaller: Node
    smaller_heads: tuple[Node, ...]
    opening: bool

    @property
    def large(self) -> Node:
        """The monomial with the slots."""
        return mono((*self.kept, *self.unique), self.condition, self.heads)

    @property
    def small(self) -> Node:
        """The monomial without."""
        return mono(self.kept, self.smaller, self.smaller_heads)

    def premises(self, rows: Sources, given: Node, keys: Keys) -> Iterator[Premise]:
        """Unique, HeadsAgree, Necessary, Sufficient."""
        xs, ys, m, n = self.kept, self.unique, len(self.unique), len(self.kept)
        up = Renaming(lambda slot: slot + m)
        twins = tuple(up(source, place) for place, source in enumerate(ys))
        pairs = [slot_alike(keys, source, m + m - 1 - place, m - 1 - place) for place, source in enumerate(ys)]
        twice = both(shift(m, self.condition), up(self.condition, m))
        yield Premise((*rows, *xs, *ys, *twins), implies(both(shift(m + m + n, given), twice), conjunction(pairs)))
        here = both(shift(m + n, given), self.condition)
        heads = same_terms(self.heads, [shift(m, head) for head in self.smaller_heads])
        yield Premise((*rows, *xs, *ys), implies(here, heads))
        yield Premise((*rows, *xs, *ys), implies(here, shift(m, self.smaller)))
        found = exists(bag([mono(ys, self.condition, ())]))
        yield Premise((*rows, *xs), implies(both(shift(n, given), self.smaller), found))


def contained(rows: Sources, given: Node, before: Sources, old: Node, new: Node) -> Premise:
    """Each row of one support is a row of another."""
    found = exists(bag([mono([support(shift(1, new))], alike(0, 1), ())]))
    return Premise((*rows, *before, support(old)), implies(shift(len(before) + 1, given), found))


def swapped(of: Node, place: int) -> Node | None:
    """A monomial in which a slot and the next one change places; None where the second depends on the first."""
    sources, condition, heads = of.args
    first, second = sources[place], sources[place + 1]
    lower = Renaming(lambda slot: max(slot - 1, 0))
    raised = lower(second)
    if Renaming(lambda slot: slot + 1)(raised) is not second:
        return None
    crossed = Renaming(lambda slot: 1 - slot if slot < 2 else slot)
    rest = [crossed(source, number) for number, source in enumerate(sources[place + 2 :])]
    inner = len(rest)
    return mono(
        (*sources[:place], raised, shift(1, first), *rest),
        crossed(condition, inner),
        (crossed(head, inner) for head in heads),
    )


def flattened(of: Node) -> list[Node]:
    """A number as monomials with weights: `flat` of `SumRule.v`."""
    match of.name, of.args:
        case "Total", (inner,):
            return [each for part in inner.args[0] for each in _flat_mono(part)]
        case "Apply", (operator, terms):
            if operator is ADD:
                return [each for term in terms for each in flattened(term)]
            if operator.name == "Mul" and len(terms) == 2:
                return [_product(one, other) for one in flattened(terms[0]) for other in flattened(terms[1])]
            if operator.name == "Ite" and len(terms) == 3:
                condition, then, otherwise = terms
                cases = ((condition, then), (negation(condition), otherwise))
                return [guard(when, each) for when, term in cases for each in flattened(term)]
    return [mono((), YES, (of,))]


def _flat_mono(of: Node) -> list[Node]:
    sources, condition, heads = of.args
    if not heads:
        return []
    inner = [guard(condition, each) for each in flattened(heads[0])]
    return [mono((*sources, *each.args[0]), *each.args[1:]) for each in inner]


def _product(left: Node, right: Node) -> Node:
    sources, condition, heads = left.args
    raised = shift(len(sources), right)
    others, inner, weights = raised.args
    up = len(others)
    first, second = heads[0] if heads else NULL, weights[0] if weights else NULL
    weight = apply(node("Mul"), shift(up, first), second)
    return mono((*sources, *others), both(shift(up, condition), inner), (weight,))


def totals_agree(rows: Sources, given: Node, group: Group) -> Premise:
    """The premise of a group of SUM."""
    sides = (
        apply(ADD, *(chosen(condition, heads[0], ZERO) for condition, heads in side))
        for side in (group.left, group.right)
    )
    return Premise((*rows, *group.over), implies(shift(len(group.over), given), same(*sides)))


def lesser(left: Node, right: Node) -> Node:
    """left < right of values that are not NULL."""
    return apply(scalar("SCompare", node("Less")), left, right)


def quotient(of: Node) -> tuple[Node, Node] | None:
    """What an exact quotient divides, and by what; None of other terms."""
    operator = of.args[0] if of.name == "Apply" else None
    exact = operator is scalar("SQuotient", node("Exact"))
    return of.args[1] if exact else None


def divided_fact(one: Node, other: Node) -> Node:
    """A quotient is known just where both numbers are and the second is not 0, and times that it is the first."""
    of, by_zero = apply(scalar("SQuotient", node("Exact")), one, other), same(other, ZERO)
    back = same(apply(scalar("STimes"), other, of), one)
    there = both(known(of), both(known(one), both(known(other), both(negation(by_zero), back))))
    return either(
        there, both(negation(known(of)), either(negation(known(one)), either(negation(known(other)), by_zero)))
    )


def numeric(of: Node) -> bool:
    """Terms whose values are numbers."""
    match of.name, of.args:
        case "Total", _:
            return True
        case "Apply", (operator, terms):
            if operator is ADD or (operator.name == "Mul" and len(terms) == 2):
                return True
            if operator.name == "Lit":
                return operator.args[0].name == "Number"
            return operator.name == "Ite" and len(terms) == 3 and numeric(terms[1]) and numeric(terms[2])
    return False


def _at_ends(
    of: Node, condition: Callable[[tuple[Node, ...]], Node], heads: Callable[[tuple[Node, ...]], tuple[Node, ...]]
) -> Node:
    return bag(
        mono(sources, both(inner, condition(row)), heads(row))
        for sources, inner, row in (each.args for each in of.args[0])
    )


def total_of(function: str, of: Node) -> Node:
    """COUNT and SUM as totals: `total_of` of `Totals.v`."""
    if function == "Count":
        return node("Total", _at_ends(of, lambda row: conjunction(map(known, row)), lambda _: (ONE,)))
    summed = _at_ends(of, lambda row: known(row[0] if row else NULL), lambda row: (row[0] if row else NULL,))
    return chosen(exists(summed), node("Total", summed), NULL)


def flatten(holds: bool, of: Node) -> list[Node]:
    """The facts that a formula, or its negation, is made of."""
    if of.name == "Apply":
        operator, terms = of.args
        several = holds if operator is AND else not holds if operator.name == "Or" else None
        if several is not None:
            return (
                [each for term in terms for each in flatten(holds, term)]
                if several
                else [of if holds else negation(of)]
            )
        if operator.name == "Not" and len(terms) == 1:
            return flatten(not holds, terms[0])
        if operator.name == "Lit" and operator.args[0].name == "Truth" and not terms:
            return [] if operator.args[0].args[0] is holds else [NO]
        if operator.name == "Scalar" and operator.args[0].name == "SBoth" and len(terms) == 2 and holds:
            return [each for term in terms for each in flatten(True, term)]
    return [of if holds else negation(of)]
