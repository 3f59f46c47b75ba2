"""Values made for what programs do with them: lines that parse, times at an hour, texts of a case, numbers near bounds.

A component of an element of an input is followed to what is computed of it, and from there back: where a piece of a
line is read as a number that is compared with 400, pieces are 399, 400 and 401, and lines have as many pieces as they
are asked for. Values are made at random, one use at a time, since a text rarely suits all of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import product
from typing import Any, Final

from tallystick.core.interpreter import Bag, Environment
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, subterms
from tallystick.core.types import BagType, BasicType, BoolType, IntType, OptionType, RationalType, TextType
from tallystick.decision.flows import Flow, element_of, leaves
from tallystick.decision.matching_texts import matching_texts
from tallystick.decision.telling import Telling

MOST_STEPS: Final = 8
"""How far a value is followed."""
PLAIN: Final = ("a", "b", "a", "c", "1", "")
_EPOCH: Final = datetime(2000, 1, 1)
VARIED: Final = 0.15
"""How often a text is made that no one use of it asks for."""
_LONGEST_MARK: Final = 3
_ALIKE: Final = 0.6
"""How often two elements have a component in common."""
_COMPARISONS: Final = (Operator.EQUAL, Operator.LESS, Operator.LESS_EQUAL)
_CASES: Final = ("str.lower", "str.upper", "str.casefold", "str.title", "str.capitalize", "str.swapcase")


class Maker:
    """Makes values for the inputs of some programs."""

    def __init__(self, terms: Iterable[Term], generator: random.Random) -> None:
        terms = tuple(terms)
        self._random, self._telling = generator, Telling.of(terms)
        self._flow = Flow.of(terms)
        written = {node.parameter for term in terms for node in subterms(term) if type(node.parameter) is str}
        self._marks = [" ", *sorted(text for text in written if 0 < len(text) <= _LONGEST_MARK)]  # type: ignore
        self._uses: dict[Term, list[Term]] = {}
        for node in dict.fromkeys(node for term in self._flow.terms for node in subterms(term)):
            for argument in dict.fromkeys(node.arguments):
                self._uses.setdefault(argument, []).append(node)
        self._lists: dict[Term, list[tuple[str, tuple[Term, ...], Term]]] = {}
        for listed in self._flow.items:
            if listed[1]:
                self._lists.setdefault(listed[1][0], []).append(listed)

    def environments(self, names: Iterable[Term], count: int) -> Iterator[Environment]:
        """So many inputs: bags of a few elements that have components in common, some of them several times."""
        names = tuple(names)
        for _ in range(count):
            yield {
                name: self._bag(name) if isinstance(name.type, BagType) else leaves(name, self._leaf) for name in names
            }  # type: ignore[misc]

    def _bag(self, name: Term) -> Bag:
        root, bag = element_of(name), {}
        first = leaves(root, self._leaf)
        for _ in range(self._random.choice((1, 1, 2, 2, 3, 4))):
            bag[first] = self._random.choice((1, 1, 1, 2))
            first = _mixed(first, leaves(root, self._leaf), self._random)
        return bag

    def _leaf(self, term: Term) -> object:
        return self.value(term, MOST_STEPS)

    def pooled_environments(self, names: Iterable[Term], count: int) -> Iterator[Environment]:
        """So many inputs whose bags draw their elements from a few values for each component.

        Keys meet, in a bag and across bags; groups have several elements, and some of these are equal.
        """
        names = tuple(names)
        for _ in range(count):
            pools: dict[BasicType, list[list[Any]]] = {}
            yield {
                name: self._drawn(name, pools) if isinstance(name.type, BagType) else leaves(name, self._leaf)
                for name in names
            }  # type: ignore[misc]

    def _drawn(self, name: Term, pools: dict[BasicType, list[list[Any]]]) -> Bag:
        pool_of: dict[Term, list[Any]] = {}

        def drawn(leaf: Term) -> object:
            if leaf not in pool_of:
                pool_of[leaf] = self._pool(leaf, pools.setdefault(leaf.type, []))  # type: ignore[arg-type]
            return self._random.choice(pool_of[leaf])

        bag: Bag = {}
        for _ in range(self._random.choice((1, 2, 3, 3, 4, 5))):
            bag[leaves(element_of(name), drawn)] = self._random.choice((1, 1, 1, 2))  # type: ignore[index]
        return bag

    def large_environments(self, names: Iterable[Term], sizes: Iterable[int], each: int) -> Iterator[Environment]:
        """So many inputs of each size: bags of that many elements, which differ in some components or in all."""
        names = tuple(names)
        for size, _ in product(sizes, range(each)):
            yield {
                name: self._large(name, size) if isinstance(name.type, BagType) else leaves(name, self._leaf)
                for name in names
            }  # type: ignore[misc]

    def _large(self, name: Term, size: int) -> Bag:
        values: dict[Term, list[Any]] = {}

        def one_of(leaf: Term, place: int) -> object:
            if leaf not in values:
                values[leaf] = self._different(leaf, size) if self._random.random() < 0.7 else self._pool(leaf, [])
            return values[leaf][place % len(values[leaf])]

        elements = (leaves(element_of(name), lambda leaf, at=place: one_of(leaf, at)) for place in range(size))
        return {each: self._random.choice((1, 1, 1, 2)) for each in elements}  # type: ignore[misc]

    def _different(self, leaf: Term, size: int) -> list[Any]:
        """So many values of a component that differ, if there are as many."""
        match leaf.type:
            case IntType():
                least = self._random.choice((0, 0, 1, *self._telling.integers))
                return self._random.sample(range(least, least + 2 * size), size)
            case RationalType():
                return [Fraction(number) for number in self._random.sample(range(2 * size), size)]
            case TextType() if self._random.random() < 0.5:
                start = self._leaf(leaf)
                return [f"{start}{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(size)]
        return [self._leaf(leaf) for _ in range(size)]

    def _pool(self, leaf: Term, others: list[list[Any]]) -> list[Any]:
        """A few values of a component: those of another one of its type, or new ones."""
        if others and self._random.random() < 0.5:
            return self._random.choice(others)
        size = self._random.choice((1, 1, 2, 3))
        if isinstance(leaf.type, IntType) and self._random.random() < 0.4:
            found: list[Any] = [self._random.randint(-1, 4) for _ in range(size)]
        else:
            found = [self._leaf(leaf) for _ in range(size)]
        others.append(found)
        return found

    def value(self, term: Term, steps: int) -> Any:
        """A value of a term, for one of its uses."""
        match term.type:
            case TextType():
                found = self._text(term, steps)
                found = self._varied(found) if found is not None and self._random.random() < VARIED else found
            case IntType():
                found = self._number(term, steps)
            case RationalType():
                return self._rational(term)
            case BoolType():
                return self._random.random() < 0.7
            case OptionType():
                return self._telling.value(term.type, self._random)
            case _:
                return leaves(term, lambda leaf: self.value(leaf, steps))
        return found if found is not None else self._telling.value(term.type, self._random)

    def _chosen(self, term: Term) -> list[Term]:
        """The uses of a term, in a random order."""
        uses = self._uses.get(term, [])
        return self._random.sample(uses, len(uses))

    # Numbers.

    def _number(self, term: Term, steps: int) -> int | None:
        if steps and self._random.random() < 0.9:
            for use in self._chosen(term):
                found = self._number_for(term, use, steps - 1)
                if found is not None:
                    return found
        return None

    def _number_for(self, term: Term, use: Term, steps: int) -> int | None:
        """A number for one use of it."""
        match use.operator:
            case Operator.EQUAL | Operator.LESS | Operator.LESS_EQUAL:
                near = [part.parameter for part in use.arguments if type(part.parameter) is int and not part.arguments]
                return self._random.choice(near) + self._random.choice((0, 0, -1, 1)) if near else None  # type: ignore
            case Operator.ITE if term is not use.arguments[0]:
                return self._number(use, steps)
        if not self._told(use, steps):
            return None
        match use.operator:
            case Operator.ADD:
                rest = [part.parameter for part in use.arguments if part is not term]
                return self.value(use, steps) - sum(each for each in rest if type(each) is int)
            case Operator.SCALE if type(use.parameter) is int and use.parameter:
                return self.value(use, steps) // use.parameter
            case Operator.DIV:
                divisor: int = use.parameter  # type: ignore[assignment]
                return self.value(use, steps) * divisor + self._random.choice((0, 0, divisor - 1, divisor // 2))
            case Operator.MOD:
                modulus: int = use.parameter  # type: ignore[assignment]
                return self.value(use, steps) % modulus + modulus * self._random.randint(0, 9)
            case Operator.APPLY if use.parameter[0] in ("date.year", "date.month", "date.day"):  # type: ignore[index]
                return self._day(str(use.parameter[0]), self.value(use, steps))  # type: ignore[index]
        return None

    def _day(self, part: str, wanted: int) -> int | None:
        """A day, counted from 2000-01-01, of a year, a month or a day of the month."""
        day = date(2024, self._random.choice((1, 2, 12)), self._random.choice((1, 28)))
        try:
            day = day.replace(**{part.removeprefix("date."): wanted})
        except ValueError:
            return None
        return day.toordinal() - _EPOCH.toordinal()

    def _told(self, term: Term, steps: int) -> bool:
        """Whether some constant is compared with what is computed of a term."""
        if not steps:
            return False
        for use in self._uses.get(term, ()):
            if use.operator in _COMPARISONS and any(not part.arguments and part is not term for part in use.arguments):
                return True
            if use.operator in (Operator.ADD, Operator.SCALE, Operator.DIV, Operator.MOD, Operator.ITE) and self._told(
                use, steps - 1
            ):
                return True
        return False

    def _rational(self, term: Term) -> Fraction:
        near = [
            Fraction(part.parameter)  # type: ignore[arg-type]
            for use in self._uses.get(term, ())
            if use.operator in _COMPARISONS
            for part in use.arguments
            if type(part.parameter) in (int, Fraction) and not part.arguments
        ]
        if near and self._random.random() < 0.8:
            return self._random.choice(near) + self._random.choice((0, -1, 1, Fraction(1, 2)))
        return self._telling.value(term.type, self._random)  # type: ignore[arg-type]

    # Texts.

    def _text(self, term: Term, steps: int) -> str | None:
        if not steps or self._random.random() < 0.1:
            return self._random.choice(PLAIN)
        uses = self._chosen(term)
        lists = self._lists.get(term, [])
        if lists and self._random.random() < 0.8:
            return self._text_of_items(self._random.choice(lists), steps - 1)
        first = [use for use in uses if _rank(use) == 0]
        for use in (*first, *uses) if self._random.random() < 0.85 else uses:
            found = self._text_for(term, use, steps - 1)
            if found is not None:
                return found
        return self._random.choice(PLAIN)

    def _varied(self, text: str) -> str:
        """A text in another case, with blanks or marks of the programs, or several times: what no one use asks for."""
        if self._random.random() < 0.3:
            letters = [*self._marks, *self._marks, " ", "a", "B"]
            return "".join(self._random.choice(letters) for _ in range(self._random.randint(0, 5)))
        place = self._random.randint(0, len(text))
        mark = self._random.choice(self._marks)
        return self._random.choice(
            (text.swapcase(), text.title(), f" {text}", f"{text} ", text[:place] + mark + text[place:], text * 5)
        )

    def _text_of_items(self, listed: tuple[str, tuple[Term, ...], Term], steps: int) -> str:
        """A text of some items of a list."""
        name, arguments, item = listed
        by = arguments[1].parameter if len(arguments) > 1 else " "
        items = [self.value(item, steps) for _ in range(self._random.randint(1, 3))]
        if self._random.random() < 0.5:
            items.append(items[0])
        if "re." in name and type(by) is str:
            return " ".join(matching_texts(by, [*items, *PLAIN], 2, self._random))
        return (by if type(by) is str else " ").join(map(str, items))

    def _text_for(self, term: Term, use: Term, steps: int) -> str | None:
        """A text for one use of it."""
        match use.operator:
            case Operator.EQUAL | Operator.LESS | Operator.LESS_EQUAL:
                near = [part.parameter for part in use.arguments if type(part.parameter) is str]
                return self._random.choice(near) if near else None  # type: ignore[arg-type]
            case Operator.ITE if term is not use.arguments[0]:
                return self._text(use, steps)
            case Operator.APPLY:
                return self._argument(term, use, steps)
        return None

    def _argument(self, term: Term, use: Term, steps: int) -> str | None:
        """A text for a function that takes it."""
        name = str(use.parameter[0]).removesuffix(" has a value")  # type: ignore[index]
        arguments = use.arguments
        constants = [part.parameter for part in arguments]
        given = [each for each in constants if type(each) is str]
        if name in ("pieces", "piece", "words", "word") and term is arguments[0]:
            return self._pieces(term, name.removesuffix("s"), arguments[1] if "piece" in name else None, steps)
        if name.startswith("re."):
            pattern = given[name.startswith("re.group")] if len(given) > name.startswith("re.group") else None
            return self._matching(term, pattern, steps) if pattern is not None else None
        match name, given:
            case "int" | "number", _:
                return self._digits(self._of(use, name), steps)
            case "str.startswith" | "str.removeprefix of", [mark]:
                return mark + self._random.choice(("", *PLAIN))
            case "str.endswith" | "str.removesuffix of" | "str.rstrip of" | "str.strip of", [mark]:
                return self._random.choice(PLAIN) + mark * self._random.randint(0, 2)
            case "str.replace", [mark, *_]:
                inner = str(self.value(use, steps))
                place = self._random.randint(0, len(inner))
                return inner[:place] + mark * self._random.randint(0, 2) + inner[place:]
            case "in" | "str.count" | "str.find", [mark, *_]:
                return self._random.choice(PLAIN) + mark * self._random.randint(0, 2) + self._random.choice(PLAIN)
            case "datetime.strptime", [form]:
                return self._moment(self._of(use, name), steps).strftime(form)
            case "date.fromisoformat", _:
                return (_EPOCH + timedelta(days=self._near(self._of(use, name), steps))).date().isoformat()
            case (("str.strip" | "str.lstrip" | "str.rstrip"), _):
                inner = str(self.value(use, steps))
                return self._random.choice((inner, inner, f" {inner} ", " "))
            case "len", _:
                return "a" * max(0, min(self.value(use, steps), 24))
            case (("slice" | "slice from" | "at"), _):
                start = constants[1]
                inner = str(self.value(use, steps))
                return "a" * start + inner if type(start) is int and 0 <= start < 40 else inner
        if name in _CASES:
            inner = str(self.value(use, steps))
            return self._random.choice((inner, inner.lower(), inner.upper(), inner.title()))
        if name in ("str.isdigit", "str.isdecimal", "str.isnumeric", "str.isalnum"):
            return self._digits(None, steps)
        return None

    def _of(self, use: Term, name: str) -> Term | None:
        """The value of a function, where `use` asks whether it has one."""
        if use.parameter[0] == name:  # type: ignore[index]
            return use
        same = (node for node in self._uses.get(use.arguments[0], ()) if node.operator is Operator.APPLY)
        return next(
            (node for node in same if node.parameter[0] == name and node.arguments == use.arguments),  # type: ignore
            None,
        )

    def _digits(self, term: Term | None, steps: int) -> str:
        if self._random.random() < 0.05:
            return "x"
        number = self.value(term, steps) if term is not None else self._random.choice(self._telling.integers)
        return str(float(number)) if isinstance(number, Fraction) and number.denominator > 1 else str(number)

    def _near(self, term: Term | None, steps: int) -> int:
        """A number of days, or of microseconds, that Python has a date for."""
        number = self.value(term, steps) if term is not None and self._told(term, steps) else None
        if type(number) is int and 0 <= number < 365_000:
            return number
        return self._random.choice((8903, 8904, 8731, 9000))

    def _moment(self, term: Term | None, steps: int) -> datetime:
        if term is not None and self._told(term, steps):
            number = self.value(term, steps)
            if type(number) is int and 0 <= number < 4 * 10**15:
                return _EPOCH + timedelta(microseconds=number)
        return datetime(2024, 5, self._random.choice((16, 17, 18)), self._random.choice((0, 9, 21)), 30)

    def _pieces(self, term: Term, item: str, by: Term | None, steps: int) -> str | None:
        """A text of as many pieces as are looked at, each made for what is done with it."""
        separator = by.parameter if by is not None else " "
        if type(separator) is not str or not separator:
            return None
        found: dict[int, list[Term]] = {}
        sizes: list[int] = []
        for use in self._uses.get(term, ()):
            if use.operator is Operator.APPLY and (by is None or by in use.arguments[1:2]):
                name = str(use.parameter[0])  # type: ignore[index]
                if name in (item, f"{item} has a value") and type(place := use.arguments[-1].parameter) is int:
                    found.setdefault(place, []).extend([use] if name == item else [])
                elif name == f"{item}s":
                    sizes += self._compared(use)
        least = max([place + 1 if place >= 0 else -place for place in found], default=1)
        fitting = [size for size in sizes if size >= least]
        size = self._random.choice((*fitting, *fitting, least, least + 1)) if sizes else least
        if self._random.random() < 0.1:
            size += self._random.choice((-1, 1))
        parts: list[str] = []
        for place in range(size):
            nodes = [*found.get(place, ()), *found.get(place - size, ())]
            parts.append(str(self.value(self._random.choice(nodes), steps)) if nodes else self._random.choice(PLAIN))
        return separator.join(parts)

    def _compared(self, number: Term) -> list[int]:
        """The constants that a number is compared with."""
        return [
            part.parameter
            for use in self._uses.get(number, ())
            if use.operator in _COMPARISONS
            for part in use.arguments
            if type(part.parameter) is int and not part.arguments
        ]

    def _matching(self, term: Term, pattern: str, steps: int) -> str | None:
        """A text that a regular expression matches; its groups are made for what is done with them."""
        uses = self._uses.get(term, ())
        groups = [use for use in uses if use.operator is Operator.APPLY and use.parameter[0] == "re.group"]  # type: ignore[index]
        known = [*PLAIN, *(str(self.value(group, steps)) for group in groups)]
        return matching_texts(pattern, known, 1, self._random)[0]


def _rank(use: Term) -> int:
    """0 for what takes a text apart."""
    name = str(use.parameter[0]) if use.operator is Operator.APPLY else ""  # type: ignore[index]
    return 0 if name.startswith(("piece", "word", "re.", "datetime.", "date.")) else 1


def _mixed(one: Any, other: Any, generator: random.Random) -> Any:
    """A value with some components of another."""
    if isinstance(one, tuple):
        return tuple(_mixed(mine, theirs, generator) for mine, theirs in zip(one, other, strict=True))
    return one if generator.random() < _ALIKE else other
