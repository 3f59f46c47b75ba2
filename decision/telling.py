"""Values at which the behaviour of programs may change: their constants, what lies next to them, texts made of them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final

from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BasicType, BoolType, IntType, OptionType, RationalType, TextType, TupleType
from tallystick.decision.matching_texts import matching_texts

MOST_TEXTS: Final = 40
"""How many texts are tried."""
MOST_LETTERS: Final = 24
"""How long texts are that are tried for their length."""


def constants(terms: Iterable[Term]) -> list[int]:
    """Integers at which the behaviour of terms may change: their constants and divisors, and what lies next to them."""
    found: dict[int, None] = dict.fromkeys((0, 1, -1, 2))
    for term in terms:
        for node in subterms(term):
            if type(node.parameter) is int and node.operator is not Operator.PROJECTION:
                found |= dict.fromkeys((node.parameter, node.parameter - 1, node.parameter + 1, -node.parameter))
    return sorted(found, key=lambda number: (abs(number), number < 0))


@dataclass(frozen=True, slots=True)
class Telling:
    """Values of the simple types, simple ones first."""

    integers: list[int]
    texts: list[str]
    rationals: list[Fraction]

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Telling:
        """The values that some terms suggest."""
        terms = tuple(terms)
        integers = constants(terms)
        nodes = {node for term in terms for node in subterms(term)}
        fractions = {node.parameter for node in nodes if type(node.parameter) is Fraction}
        near = {each + step for each in fractions for step in (0, Fraction(-1, 2), Fraction(1, 2), 1)}
        rationals = [Fraction(each) for each in integers] + [Fraction(1, 2), *sorted(near)]
        return cls(integers, _texts(nodes), list(dict.fromkeys(rationals)))

    def value(self, of: BasicType, generator: random.Random) -> Any:
        """A random value of a basic type that is made of these."""
        match of:
            case TupleType(components):
                return tuple(self.value(component, generator) for component in components)
            case OptionType(inner):
                return None if generator.random() < 0.3 else self.value(inner, generator)
        return generator.choice(self._simple(of))

    def number(self, of: BasicType) -> int:
        """How many values of a basic type are made of these."""
        match of:
            case TupleType(components):
                return prod(map(self.number, components))
            case OptionType(inner):
                return 1 + self.number(inner)
        return len(self._simple(of))

    def all(self, of: BasicType) -> list[Any]:
        """All values of a basic type that are made of these, in order."""
        match of:
            case TupleType(components):
                return list(product(*map(self.all, components)))
            case OptionType(inner):
                return [None, *self.all(inner)]
        return self._simple(of)

    def _simple(self, of: BasicType) -> list[Any]:
        match of:
            case IntType():
                return self.integers
            case BoolType():
                return [False, True]
            case TextType():
                return self.texts
            case RationalType():
                return self.rationals
            case TupleType() | OptionType():
                raise TypeError("not a simple type")


_MARKED: Final = ("str.startswith", "str.endswith", "in", "str.removeprefix of", "str.removesuffix of")
_CASES: Final = ("str.lower", "str.upper", "str.casefold", "str.title", "str.capitalize", "str.islower", "str.isupper")


def _texts(nodes: set[Term]) -> list[str]:
    """Texts, simple ones first: constants, what the functions applied tell apart, and lists with separators."""
    applied = sorted((node for node in nodes if node.operator is Operator.APPLY), key=repr)
    names = {str(node.parameter[0]).removesuffix(" has a value") for node in applied}  # type: ignore[index]
    written = sorted({node.parameter for node in nodes if type(node.parameter) is str}, key=lambda t: (len(t), t))
    separators = _separators([*applied, *(node for node in nodes if node.operator is Operator.EXPAND)], nodes)
    patterns = _patterns(nodes)
    written = [each for each in written if each not in patterns]
    plain = ["", "a", "b", *(text for text in written if text not in dict(separators))]
    if {"int", "number"} & names or any("digit" in name or "decimal" in name for name in names):
        plain += ["1", "2", "-1", *(str(each) for each in constants(nodes) if abs(each) > 2)][:MOST_LETTERS]
    found = [*plain, *(text + "a" for text in written)]
    if any(name.startswith(_CASES) for name in names):
        found += [each.swapcase() for each in plain]
    if any("strip" in name or "space" in name for name in names):
        found += [" ", *(f" {each} " for each in plain if each)]
    if "len" in names:
        found += ["a" * size for size in constants(nodes) if 2 <= size <= MOST_LETTERS]
    if {"slice", "slice from", "at"} & names:
        found += ["abcdef", *(("1234567890", "2024-05-17", "2023-11-30") if {"int", "number"} & names else ())]
    found += _moments(applied)
    generator = random.Random(7)
    marked = [node for node in applied if node.parameter[0] in _MARKED]  # type: ignore[index]
    marks = [str(part.parameter) for node in marked for part in node.arguments if type(part.parameter) is str]
    if len(marks) > 1:
        plain = [*plain, " ".join(sorted(set(marks)))]
    while separators and len(found) < MOST_TEXTS:
        separator, size = generator.choice(separators)
        pieces = [generator.choice(plain) for _ in range(size)]
        text = separator.join(pieces)
        found.append(generator.choice(marks) + text if marks and generator.random() < 0.5 else text)
    matching = _matching(patterns, [*plain, *(str(each) for each in constants(nodes) if each >= 0)], generator)
    return list(dict.fromkeys([*found[: MOST_TEXTS // 2], *matching, *found[MOST_TEXTS // 2 :]]))[:MOST_TEXTS]


def _patterns(nodes: set[Term]) -> list[str]:
    """The regular expressions that are applied: the second argument of `re.group`, and else the first one."""
    found: dict[str, None] = {}
    for node in sorted(nodes, key=repr):
        if node.operator in (Operator.APPLY, Operator.EXPAND) and "re." in (name := str(node.parameter[0])):  # type: ignore[index]
            of = node.arguments if node.operator is Operator.APPLY else node.arguments[0].arguments
            pattern = of[name.startswith(("re.group", "count in "))].parameter
            found.update({pattern: None} if type(pattern) is str else {})
    return list(found)


def _matching(patterns: list[str], known: list[str], generator: random.Random) -> list[str]:
    """Texts that regular expressions match, as many for each."""
    share = MOST_TEXTS // (2 * len(patterns)) if patterns else 0
    found = [text for pattern in patterns for text in matching_texts(pattern, known, share, generator)]
    return [f"- {text} -" if index % 4 == 3 else text for index, text in enumerate(found)]


_MOMENTS: Final = (datetime(2024, 5, 17, 9, 30), datetime(2024, 5, 17, 21, 45, 10), datetime(2023, 11, 30))


def _moments(applied: list[Term]) -> list[str]:
    """Texts of some times in the formats that texts are read in; two are of one day."""
    read = [node.arguments[1].parameter for node in applied if str(node.parameter[0]).startswith("datetime.strptime")]  # type: ignore[index]
    forms = dict.fromkeys(form for form in read if isinstance(form, str))
    days = [each.date().isoformat() for each in _MOMENTS[1:]]
    names = {str(node.parameter[0]).removesuffix(" has a value") for node in applied}  # type: ignore[index]
    return [moment.strftime(form) for form in forms for moment in _MOMENTS] + (
        days if "date.fromisoformat" in names else []
    )


def _separators(applied: list[Term], nodes: set[Term]) -> list[tuple[str, int]]:
    """What texts are split at, and into how many pieces; white space is one blank."""
    found: dict[tuple[str, int], None] = {}
    for node in applied:
        name = str(node.parameter[0]).removesuffix(" has a value")  # type: ignore[index]
        arguments = node.arguments[0].arguments if node.operator is Operator.EXPAND else node.arguments
        name = name.removeprefix("count in ").removeprefix("item of ").removeprefix("set of ")
        arguments = arguments[1:] if str(node.parameter[0]).startswith("count in ") else arguments  # type: ignore[index]
        if name in ("words", "word"):
            sizes = [*_compared(node, nodes), _piece(node, 1) + 1, 2, 1]
            found.update(dict.fromkeys((" ", size) for size in sizes))
        elif name in ("pieces", "piece") and type(arguments[1].parameter) is str:
            sizes = [*_compared(node, nodes), _piece(node, 3) + 1, 2]
            found.update(dict.fromkeys((arguments[1].parameter, size) for size in sizes))
        elif name.startswith(_FROM_THE_END) and type(arguments[1].parameter) is str:
            found.update(dict.fromkeys((arguments[1].parameter, size) for size in (3, 2, 1)))
        elif name == "python lines":
            found.update(dict.fromkeys(("\n", size) for size in (3, 2, 1)))
    return list(found)


_FROM_THE_END: Final = ("python rpieces", "python str.rpartition")


def _compared(count: Term, nodes: set[Term]) -> list[int]:
    """The constants that a number of pieces is compared with."""
    compared = [node for node in nodes if node.operator is Operator.EQUAL and count in node.arguments]
    return sorted({part.parameter for node in compared for part in node.arguments if type(part.parameter) is int})  # type: ignore[type-var]


def _piece(node: Term, place: int) -> int:
    """The constant index of the piece of a text that a term takes; 1 for another index."""
    index = node.arguments[place].parameter if place < len(node.arguments) else None
    return abs(index) if type(index) is int else 1
