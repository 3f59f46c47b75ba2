"""Queries of the core as sums of monomials, as `coq/core/Compile.v` has them: one case a constructor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tallystick.certificates.exports.core.terms import (
    ITE,
    NULL,
    YES,
    Node,
    apply,
    bag,
    both,
    cell,
    exists,
    literal,
    mono,
    negation,
    node,
    same_terms,
    scalar,
    shift,
    support,
    table,
)

Heads = tuple[Node, ...]
Scopes = tuple[Heads, ...]
Ends = Callable[[int, Node, Heads], Sequence[Node]]


def cells(number: int) -> Heads:
    """The cells of slot 0."""
    return tuple(cell(0, column) for column in range(number))


def deeper(by: int, scopes: Scopes) -> Scopes:
    """Scopes under further slots."""
    return tuple(tuple(shift(by, head) for head in heads) for heads in scopes)


def on(ends: Ends, monos: Sequence[Node]) -> list[Node]:
    """At the ends of monomials, other monomials that go on from there."""
    found: list[Node] = []
    for each in monos:
        sources, condition, heads = each.args
        further = ends(len(sources), condition, heads)
        found += (mono((*sources, *inner.args[0]), *inner.args[1:]) for inner in further)
    return found


def guard(condition: Node, of: Node) -> Node:
    """A monomial where a condition holds."""
    sources, inner, heads = of.args
    return mono(sources, both(shift(len(sources), condition), inner), heads)


def constants(row: Sequence[Node]) -> Heads:
    """A row of constants."""
    return tuple(map(literal, row))


class Compiler:
    """Compiles queries over tables of these numbers of columns. Queries and expressions are nodes of `Core.v`."""

    def __init__(self, columns: Mapping[str, int]) -> None:
        self.columns = columns

    def width(self, query: Node) -> int:
        """The number of columns."""
        match query.name, query.args:
            case "Scan", (name,):
                return self.columns.get(name, 0)
            case "Values", (rows,):
                return len(rows[0]) if rows else 0
            case (("Filter" | "Numbered"), (*_, inner)):
                return self.width(inner) + (query.name == "Numbered")
            case "Distinct", (inner,):
                return self.width(inner)
            case "Project", (expressions, _):
                return len(expressions)
            case "Join", (_, left, right):
                return self.width(left) + self.width(right)
            case "LeftJoin", (number, _, left, _):
                return self.width(left) + number
            case "UnionAll", (left, _):
                return self.width(left)
            case _, (keys, calls, _):
                return len(keys) + len(calls)
        raise AssertionError(query.name)

    def term(self, scopes: Scopes, of: Node) -> Node:
        """An expression."""
        go = lambda part: self.term(scopes, part)  # noqa: E731
        match of.name, of.args:
            case "Column", (int(scope), int(column)):
                heads = scopes[scope] if scope < len(scopes) else ()
                return heads[column] if column < len(heads) else NULL
            case "Constant", (given,):
                return literal(given)
            case "Plus", parts:
                return apply(scalar("SPlus"), *map(go, parts))
            case "Times", parts:
                return apply(scalar("STimes"), *map(go, parts))
            case "Quotient", (rounding, *parts):
                return apply(scalar("SQuotient", rounding), *map(go, parts))
            case "Call", (name, kind, strict, parts):
                return apply(scalar("SCall", name, kind, strict), *map(go, parts))
            case "Compare", (comparison, *parts):
                return apply(scalar("SCompare", comparison), *map(go, parts))
            case "Both", parts:
                return apply(scalar("SBoth"), *map(go, parts))
            case "Either", parts:
                return apply(scalar("SEither"), *map(go, parts))
            case "Negated", parts:
                return apply(scalar("SNegated"), *map(go, parts))
            case "IsNull", parts:
                return apply(scalar("SIsNull"), *map(go, parts))
            case "When", parts:
                return apply(scalar("SWhen"), *map(go, parts))
            case "Exists", (query,):
                return exists(bag(self.monos(scopes, query)))
            case _, (query,):
                return node("Summary", node("Single"), bag(self.monos(scopes, query)))
        raise AssertionError(of.name)

    def monos(self, scopes: Scopes, query: Node) -> list[Node]:
        """The monomials of a query."""

        def row(by: int, heads: Heads) -> Scopes:
            return (heads, *deeper(by, scopes))

        match query.name, query.args:
            case "Scan", (name,):
                return [mono((table(name),), YES, cells(self.columns.get(name, 0)))]
            case "Values", (rows,):
                return [mono((), YES, constants(each)) for each in rows]
            case "Filter", (condition, inner):
                return on(
                    lambda k, d, h: [mono((), both(d, self.term(row(k, h), condition)), h)], self.monos(scopes, inner)
                )
            case "Project", (expressions, inner):
                return on(
                    lambda k, d, h: [mono((), d, (self.term(row(k, h), each) for each in expressions))],
                    self.monos(scopes, inner),
                )
            case "Join", (condition, left, right):
                return on(
                    lambda k, d, h: [guard(d, each) for each in self._pairs(row(k, h), h, condition, right)],
                    self.monos(scopes, left),
                )
            case "LeftJoin", (number, condition, left, right):

                def with_partners(k: int, d: Node, h: Heads) -> list[Node]:
                    inner = self._pairs(row(k, h), h, condition, right)
                    alone = mono((), negation(exists(bag(inner))), (*h, *[NULL] * number))
                    return [guard(d, each) for each in (*inner, alone)]

                return on(with_partners, self.monos(scopes, left))
            case "UnionAll", (left, right):
                return [*self.monos(scopes, left), *self.monos(scopes, right)]
            case "Distinct", (inner,):
                return [mono((support(bag(self.monos(scopes, inner))),), YES, cells(self.width(inner)))]
            case "Aggregate", (keys, calls, inner):
                return self._aggregate(scopes, keys, calls, inner)
            case _, (tag, partition, order, inner):
                return self._numbered(scopes, tag, partition, order, inner)
        raise AssertionError(query.name)

    def _pairs(self, around: Scopes, heads: Heads, condition: Node, right: Node) -> list[Node]:
        """The rows of the right side of a join, beside a left row on which the condition holds."""

        def ends(j: int, d: Node, h: Heads) -> list[Node]:
            joined = (*(shift(j, head) for head in heads), *h)
            return [mono((), both(d, self.term((joined, *deeper(j, around[1:])), condition)), joined)]

        return on(ends, self.monos(around, right))

    def _aggregate(self, scopes: Scopes, keys: Heads, calls: Heads, inner: Node) -> list[Node]:
        def value_of(scopes: Scopes, monos: Sequence[Node], call: Node) -> Node:
            function, distinct, condition, arguments = call.args

            def ends(k: int, d: Node, h: Heads) -> list[Node]:
                row = (h, *deeper(k, scopes))
                return [mono((), both(d, self.term(row, condition)), (self.term(row, each) for each in arguments))]

            rows = on(ends, monos)
            if distinct:
                rows = [mono((support(bag(rows)),), YES, cells(len(arguments)))]
            return node("Summary", node("Of", function), bag(rows))

        monos = self.monos(scopes, inner)
        if not keys:
            return [mono((), YES, (value_of(scopes, monos, call) for call in calls))]
        own, around = cells(len(keys)), deeper(1, scopes)

        def keys_of(k: int, d: Node, h: Heads) -> list[Node]:
            return [mono((), d, (self.term((h, *deeper(k, scopes)), key) for key in keys))]

        def in_group(k: int, d: Node, h: Heads) -> list[Node]:
            row = (h, *deeper(k, around))
            alike = same_terms([self.term(row, key) for key in keys], [shift(k, each) for each in own])
            return [mono((), both(d, alike), h)]

        group = on(in_group, self.monos(around, inner))
        heads = (*own, *(value_of(around, group, call) for call in calls))
        return [mono((support(bag(on(keys_of, monos))),), YES, heads)]

    def _numbered(self, scopes: Scopes, tag: str, partition: Heads, order: Sequence[Node], inner: Node) -> list[Node]:
        def ends(k: int, d: Node, h: Heads) -> list[Node]:
            row = (h, *deeper(k, scopes))
            return [
                mono((), d, (*h, *(self.term(row, each) for each in (*partition, *(key.args[0] for key in order)))))
            ]

        place = node("Places", tag, len(partition), tuple(key.args[1:] for key in order))
        block = node("Block", place, bag(on(ends, self.monos(scopes, inner))))
        return [mono((block,), YES, cells(self.width(inner) + 1))]


def chosen(condition: Node, then: Node, otherwise: Node) -> Node:
    """`ite` of SUM."""
    return apply(ITE, condition, then, otherwise)
