"""Proofs and trees of `coq/core/Trees.v` as data, and everything here as Coq's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallystick.certificates.evidence import Refutation
from tallystick.certificates.exports.coq_evidence import Writer, listed
from tallystick.certificates.exports.core.rules import Group
from tallystick.certificates.exports.core.terms import Node
from tallystick.core.errors import FragmentError


@dataclass(frozen=True)
class Leaf:
    """A refutation tree without rows."""

    integral: bool
    evidence: Refutation


@dataclass(frozen=True)
class Tree:
    """A node of a tree: its name, and its arguments: nodes, numbers, trees, lists of trees, proofs."""

    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Proof:
    """A rule with its arguments, trees for its premises, and proofs of its subgoals."""

    rule: str
    arguments: tuple[Any, ...] = ()
    trees: tuple[Tree | Leaf, ...] = ()
    parts: tuple[Proof, ...] = ()


SHARED = frozenset({"Apply", "Ex", "Total", "Summary", "Bag", "Mono", "Support", "Block"})
"""The nodes that have a definition where they are used more than once."""
VALUES = frozenset({"Null", "Number", "Truth", "Text", "Other"})


class CoqText:
    """Writes nodes and proofs; compound nodes that are used more than once have a definition in `lines`."""

    def __init__(self, uses: Counter[Node] | None = None) -> None:
        self.uses = Counter[Node]() if uses is None else uses
        self.counting = uses is None
        self.shared: dict[Node, str] = {}
        self.definitions: list[str] = []
        self.evidence = Writer()

    @property
    def lines(self) -> list[str]:
        """The definitions of what is shared."""
        return [*self.evidence.lines, *self.definitions]

    def node(self, of: Node) -> str:
        """A node, or the name of its definition."""
        if self.counting:
            self.uses[of] += 1
        known = self.shared.get(of)
        if known is None:
            known = self._written(of)
            if of.name in SHARED and self.uses[of] > 1:
                name = f"k{len(self.definitions)}"
                self.definitions.append(f"Definition {name} := {known}.")
                known = name
            if self.counting or of.name in SHARED:
                self.shared[of] = known
        return known

    def _written(self, of: Node) -> str:
        match of.name, of.args:
            case "Number", (Fraction() as number,):
                if number.denominator == 1:
                    return f"(number ({number.numerator})%Z)"
                return f"(Number (Q2Qc (Qmake ({number.numerator})%Z {number.denominator}%positive)))"
            case "Text", (text,):
                return f"(Text {listed(f'{ord(letter)}%N' for letter in text)})"
            case "Apply", (operator, terms):
                return f"(Apply {self.node(operator)} {self.terms(terms)})"
            case "Bag", (monos,):
                return self._nested("Bc", map(self.node, monos), "Bn")
            case "Mono", (sources, condition, heads):
                return self._nested(
                    "Take", map(self.node, sources), f"(Give {self.node(condition)} {self.terms(heads)})"
                )
            case "call", (function, distinct, condition, arguments):
                return f"({', '.join(map(self.argument, (function, distinct, condition, arguments)))})"
            case "key", (key, descending, nulls_first):
                return f"({self.node(key)}, ({self.argument(descending)}, {self.argument(nulls_first)}))"
            case "Values", (rows,):
                return f"(Core.Values {self.argument(rows)})"
            case "witness", (tables,):
                return self.argument(tables)
            case "rows", (name, rows):
                return f"({self.argument(name)}, {self.argument(rows)})"
            case "Other", (number,):
                return f"(Other ({number})%Z)"
            case "Places", (tag, parts, order):
                keys = listed(f"({self.argument(descending)}, {self.argument(first)})" for descending, first in order)
                return f"(Places {self.argument(tag)} {parts} {keys})"
            case name, args:
                return f"({' '.join((name, *map(self.argument, args)))})" if args else name

    @staticmethod
    def _nested(constructor: str, parts: Iterable[str], last: str) -> str:
        """A list by constructors of its own."""
        written = [*parts]
        return "".join(f"({constructor} {part} " for part in written) + last + ")" * len(written)

    def terms(self, terms: Sequence[Node]) -> str:
        """A row of terms."""
        return self._nested("Tc", map(self.node, terms), "Tn")

    def argument(self, of: Any) -> str:
        """Whatever an argument of a node, a tree or a rule is."""
        match of:
            case Node():
                return self.node(of)
            case bool():
                return str(of).lower()
            case int():
                return str(of)
            case str():
                if not of.isprintable():
                    raise FragmentError("the core language in Coq has no text with control characters")
                doubled = of.replace('"', '""')
                return f'"{doubled}"'
            case Tree() | Leaf():
                return self.tree(of)
            case Proof():
                return self.proof(of)
            case Group(over=over, left=left, right=right):
                sides = (listed(f"({self.node(c)}, {self.terms(h)})" for c, h in side) for side in (left, right))
                return f"(BagRule.Build_group {self.argument(over)} {' '.join(sides)})"
            case SumGroup(group=Group(over=over, left=left, right=right)):
                sides = (listed(f"({self.node(c)}, {self.node(h[0])})" for c, h in side) for side in (left, right))
                return f"(SumRule.Build_group {self.argument(over)} {' '.join(sides)})"
            case Heads(terms=terms):
                return self.terms(terms)
            case Cover(places=places):
                return listed(f"({number}, {listed(map(str, swaps))})" for number, swaps in places)
            case tuple() | list():
                return listed(map(self.argument, of))
        raise AssertionError(of)

    def tree(self, of: Tree | Leaf) -> str:
        """A tree."""
        if isinstance(of, Leaf):
            return f"(Leaf {str(of.integral).lower()} {self.evidence.tree(of.evidence)}%Z)"
        return f"({' '.join((of.name, *map(self.argument, of.arguments)))})"

    def proof(self, of: Proof) -> str:
        """A proof."""
        rule = " ".join((of.rule, *map(self.argument, of.arguments)))
        return f"(By ({rule}) {listed(map(self.tree, of.trees))} {listed(map(self.proof, of.parts))})"


@dataclass(frozen=True)
class Heads:
    """The terms of a row, as an argument."""

    terms: tuple[Node, ...]


@dataclass(frozen=True)
class Cover:
    """The monomials that the members of groups are, with the swaps of their slots."""

    places: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True)
class SumGroup:
    """A group of SUM: its members have one weight each."""

    group: Group
