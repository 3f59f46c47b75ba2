"""Terms of normal forms, as `coq/core/Normal.v` has them: telescopes with de Bruijn indices.

A `Node` is a constructor of Coq with its arguments; equal nodes are one object. A monomial is a list of sources, a
condition and heads, where Coq has `Take s (… (Give c h))`; in source number k, slot 0 is that of source k - 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from tallystick.core.queries.types import SqlValue


class Node:
    """A constructor with arguments: nodes, numbers, texts and tuples of these. Made by `node` alone."""

    __slots__ = ("args", "name")
    name: str
    args: tuple[Any, ...]

    def __init__(self, name: str, args: tuple[Any, ...]) -> None:
        self.name, self.args = name, args

    def __repr__(self) -> str:
        return f"{self.name}{self.args}" if self.args else self.name


_known: dict[tuple[object, ...], Node] = {}


def node(name: str, *args: Any) -> Node:
    """The node with this constructor and these arguments."""
    key = (name, *((type(each), each) for each in args))
    found = _known.get(key)
    if found is None:
        found = _known[key] = Node(name, args)
    return found


def nodes_of(of: object) -> Iterator[Node]:
    """The nodes that a node is made of, each once."""
    seen = set[Node]()
    waiting = [of]
    while waiting:
        match waiting.pop():
            case Node() as each if each not in seen:
                seen.add(each)
                yield each
                waiting += each.args
            case tuple() | list() as several:
                waiting += several
            case _:
                pass


def value(given: SqlValue) -> Node:
    """A value of SQL."""
    match given:
        case None:
            return node("Null")
        case bool():
            return node("Truth", given)
        case int() | Fraction():
            return node("Number", Fraction(given))
        case str():
            return node("Text", given)


def cell(slot: int, column: int) -> Node:
    """A column of a slot."""
    return node("Cell", slot, column)


def alike(slot: int, other: int) -> Node:
    """Whether two slots hold the same row."""
    return node("Alike", slot, other)


def apply(operator: Node, *terms: Node) -> Node:
    """An operator with its arguments."""
    return node("Apply", operator, terms)


def literal(given: Node) -> Node:
    """A constant."""
    return apply(node("Lit", given))


def scalar(name: str, *parameters: Any) -> Node:
    """An operator of the core language, on values with NULL."""
    return node("Scalar", node(name, *parameters))


YES, NO = literal(value(True)), literal(value(False))
NULL = literal(value(None))
ZERO, ONE = literal(value(0)), literal(value(1))
AND, OR, NOT, IS_SAME, KNOWN, ITE, ADD, MUL, COUNT_IF = map(
    node, ("And", "Or", "Not", "IsSame", "Known", "Ite", "Add", "Mul", "Count_if")
)


def both(left: Node, right: Node) -> Node:
    """The conjunction of two formulas."""
    return apply(AND, left, right)


def either(left: Node, right: Node) -> Node:
    """The disjunction of two formulas."""
    return apply(OR, left, right)


def negation(of: Node) -> Node:
    """The negation of a formula."""
    return apply(NOT, of)


def implies(hypothesis: Node, conclusion: Node) -> Node:
    """An implication."""
    return either(negation(hypothesis), conclusion)


def same(left: Node, right: Node) -> Node:
    """Whether two terms have the same value; NULL is the same as NULL."""
    return apply(IS_SAME, left, right)


def known(of: Node) -> Node:
    """Whether a term is not NULL."""
    return apply(KNOWN, of)


def conjunction(terms: Iterable[Node]) -> Node:
    """`terms_all`, and `all` of ONE."""
    result = YES
    for term in reversed([*terms]):
        result = both(term, result)
    return result


def disjunction(terms: Iterable[Node]) -> Node:
    """`any` of ONE."""
    result = NO
    for term in reversed([*terms]):
        result = either(term, result)
    return result


def same_terms(left: Sequence[Node], right: Sequence[Node]) -> Node:
    """Whether two rows of terms are the same."""
    if len(left) != len(right):
        if not left or not right:
            return NO
        return both(same(left[0], right[0]), same_terms(left[1:], right[1:]))
    return conjunction(same(*pair) for pair in zip(left, right, strict=True))


def mono(sources: Iterable[Node], condition: Node, heads: Iterable[Node]) -> Node:
    """A monomial."""
    return node("Mono", tuple(sources), condition, tuple(heads))


def bag(monos: Iterable[Node]) -> Node:
    """A sum of monomials."""
    return node("Bag", tuple(monos))


def exists(of: Node) -> Node:
    """Whether a bag has a row."""
    return node("Ex", of)


def table(name: str) -> Node:
    """The rows of a table, as a source."""
    return node("Table", name)


def support(of: Node) -> Node:
    """The different rows of a bag, as a source."""
    return node("Support", of)


class Renaming:
    """Renames slots; of a function, which is applied to those that are free `depth` binders further in."""

    def __init__(self, function: Callable[[int], int]) -> None:
        self.function = function
        self.done: dict[tuple[Node, int], Node] = {}

    def slot(self, slot: int, depth: int) -> int:
        """A slot, under binders."""
        return slot if slot < depth else self.function(slot - depth) + depth

    def __call__(self, of: Node, depth: int = 0) -> Node:
        """A term, bag, monomial or source, under binders."""
        key = of, depth
        found = self.done.get(key)
        if found is None:
            found = self.done[key] = self._renamed(of, depth)
        return found

    def _renamed(self, of: Node, depth: int) -> Node:
        match of.name, of.args:
            case "Cell", (slot, column):
                return cell(self.slot(slot, depth), column)
            case "Alike", (slot, other):
                return alike(self.slot(slot, depth), self.slot(other, depth))
            case "Apply", (operator, terms):
                return node("Apply", operator, tuple(self(term, depth) for term in terms))
            case "Mono", (sources, condition, heads):
                inner = depth + len(sources)
                renamed = tuple(self(source, depth + place) for place, source in enumerate(sources))
                return node("Mono", renamed, self(condition, inner), tuple(self(head, inner) for head in heads))
            case "Bag", (monos,):
                return node("Bag", tuple(self(each, depth) for each in monos))
            case "Table", _:
                return of
            case name, args:  # Ex, Total, Summary, Support, Block: their last argument is a bag
                return node(name, *args[:-1], self(args[-1], depth))


def shift(by: int, of: Node) -> Node:
    """A term under further slots."""
    return of if by == 0 else Renaming(lambda slot: slot + by)(of)


def slots_in(of: Node, depth: int = 0) -> frozenset[int]:
    """The free slots that a node mentions."""
    found: set[int] = set()
    seen: set[tuple[Node, int]] = set()

    def visit(of: Node, depth: int) -> None:
        if (of, depth) in seen:
            return
        seen.add((of, depth))
        match of.name, of.args:
            case "Cell", (slot, _):
                found.add(slot - depth)
            case "Alike", slots:
                found.update(slot - depth for slot in slots)
            case "Apply", (_, terms):
                for term in terms:
                    visit(term, depth)
            case "Mono", (sources, condition, heads):
                for place, source in enumerate(sources):
                    visit(source, depth + place)
                for term in (condition, *heads):
                    visit(term, depth + len(sources))
            case "Bag", (monos,):
                for each in monos:
                    visit(each, depth)
            case "Table", _:
                pass
            case _, args:
                visit(args[-1], depth)

    visit(of, depth)
    return frozenset(slot for slot in found if slot >= 0)


def replaced(old: Node, new: Node, of: Node) -> Node:
    """`rwt`: equals for equals everywhere in a term, under binders too."""
    if of is old:
        return new
    match of.name, of.args:
        case "Apply", (operator, terms):
            return node("Apply", operator, tuple(replaced(old, new, term) for term in terms))
        case (("Ex" | "Total" | "Summary"), args):
            return node(of.name, *args[:-1], _replaced_in_bag(old, new, args[-1]))
        case _:
            return of


def _replaced_in_bag(old: Node, new: Node, of: Node) -> Node:
    return bag(_replaced_in_mono(old, new, each) for each in of.args[0])


def _replaced_in_mono(old: Node, new: Node, of: Node) -> Node:
    sources, condition, heads = of.args
    found = []
    for place, source in enumerate(sources):
        inside = shift(place, old), shift(place, new)
        found.append(
            source
            if source.name == "Table"
            else node(source.name, *source.args[:-1], _replaced_in_bag(*inside, source.args[-1]))
        )
    old, new = shift(len(sources), old), shift(len(sources), new)
    return mono(found, replaced(old, new, condition), (replaced(old, new, head) for head in heads))
