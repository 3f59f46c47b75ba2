"""The functions of Python that terms may apply by name: what each takes and gives, and its value (trusted).

Proofs know nothing of them but that equal arguments have equal values; inputs on which programs differ are evaluated
with the values here, which are Python's own. A function that raises has no value there, and neither has the term. All
are pure. The names are Python's: a method after its class, and `at`, `slice`, `piece` for what stands in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import partial
from math import comb, isqrt
from typing import Any, Final

from tallystick.core.errors import EvaluationError, TallystickError
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BasicType, Value
from tallystick.core.work import present

LONGEST: Final = 100_000
"""Texts with more characters are not computed."""
MOST_DIGITS: Final = 100
_EPOCH: Final = date(2000, 1, 1).toordinal()
"""Days are counted from 2000-01-01, and so are microseconds."""
_DATE_FORM: Final = re.compile(r"([^%]|%[YmdHMSfj%])*")
_SPECIFICATION: Final = re.compile(r"[<>^]?[+ ]?0?[0-9]{0,2}[,_]?d?")
_DECIMAL: Final = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)")
_TOKEN: Final = re.compile(r"^\(\?[aims]+\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{[0-9,]*\}|\(\?.|.", re.DOTALL)
_LITERAL: Final = re.compile(r"\\?[] ,;:\"'/=@&<>#-]")
"""What regular expressions are made of, and literals that may end the repetition before them."""


class FunctionError(EvaluationError):
    """A function has no value for these arguments: Python raises an exception."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of Python's.

    Attributes:
        takes: the types of its arguments; of one that takes any number of texts, None.
        gives: the type of its value.
        value: computes it, and may raise what Python raises.
        raises: whether Python may raise for arguments of these types.
    """

    takes: tuple[BasicType, ...] | None
    gives: BasicType
    value: Callable[..., Value | str | Fraction]
    raises: bool = False


def _replaced(text: str, old: str, new: str) -> str:
    if (len(text) + 1) * (len(new) + 1) > LONGEST:
        raise FunctionError(f"a text of more than {LONGEST} characters")
    return text.replace(old, new)


def _filled(text: str, width: int) -> str:
    if width > LONGEST:
        raise FunctionError(f"a text of more than {LONGEST} characters")
    return text.zfill(width)


def _formatted(number: int, specification: str) -> str:
    if not _SPECIFICATION.fullmatch(specification):
        raise FunctionError("this format is not read")
    return format(number, specification)


def _day(number: int) -> date:
    return date.fromordinal(number + _EPOCH)


def _form(form: str) -> str:
    if not _DATE_FORM.fullmatch(form):
        raise FunctionError("this format of dates is not read")
    return form


def _microseconds(text: str, form: str) -> int:
    difference = datetime.strptime(text, _form(form)) - datetime.fromordinal(_EPOCH)
    return (difference.days * 86_400 + difference.seconds) * 1_000_000 + difference.microseconds


def _number(text: str) -> Fraction:
    if len(text) > MOST_DIGITS or not _DECIMAL.fullmatch(text.strip()):
        if any(map(str.isdecimal, text)) or "n" in text.lower():  # Python reads more, such as "1e9" and "nan"
            raise FunctionError("this text is read as no number here")
        raise ValueError("this text is no number")
    return Fraction(text.strip())


def _rounded_to(number: Fraction, digits: int) -> Fraction:
    if abs(digits) > MOST_DIGITS:
        raise FunctionError(f"more than {MOST_DIGITS} digits")
    return round(number, digits)


def _root(number: Fraction) -> Fraction:
    root = Fraction(isqrt(number.numerator), isqrt(number.denominator))
    if root * root != number:
        raise FunctionError("this root is no exact number")
    return root


def _pattern(pattern: str, text: str, new: str = "") -> re.Pattern[str]:
    """A regular expression; spends what backtracking may take: choices of places of the text, and choices of none."""
    if len(pattern) > 200 or len(text) > 200 or (len(text) + 1) ** 2 * len(new) > LONGEST:
        raise FunctionError("texts are matched, and replaced, that are short")
    compiled, tokens, choices = re.compile(pattern), _TOKEN.findall(pattern), 1
    for index, (before, token) in enumerate(zip(["", *tokens], tokens, strict=False), 1):
        repeats = token in ("*", "+") or token[0] == "{"
        hidden = token[:2] == "(?" and token not in ("(?:", "(?P") and (index > 1 or token[-1] != ")")
        if hidden or (repeats and before == ")") or compiled.flags & re.VERBOSE:
            raise FunctionError("this regular expression may take exponential time")
        after = next((each for each in tokens[index:] if each not in (")", "?")), "")
        ends = repeats and _LITERAL.fullmatch(after) and not re.match(before, after[-1], compiled.flags)
        choices += token in ("?", "|") or (repeats and not ends and not token[1:-1].isdigit())
    free = pattern.count("|") + pattern.count(")?")
    present().spend(comb(len(text) + choices, choices) * (len(text) + len(pattern)) << free >> 8)
    return compiled


def _group(how: str, pattern: str, text: str, number: int) -> str:
    found = {"match": re.match, "search": re.search, "fullmatch": re.fullmatch}[how](_pattern(pattern, text), text)
    if found is None or found[number] is None:
        raise LookupError
    return found[number]


def _all_matches(how: str, pattern: str, text: str) -> list[str]:
    compiled = _pattern(pattern, text)
    if compiled.groups > (how == "findall"):
        raise FunctionError("the items are no texts")
    return getattr(compiled, how)(text)


def _text(takes: tuple[BasicType, ...], value: Callable[..., Value | str]) -> Function:
    return Function(takes, TEXT, value)


FUNCTIONS: Final[dict[str, Function]] = {
    **{
        f"str.{name}": _text((TEXT,), getattr(str, name))
        for name in ("capitalize", "casefold", "lower", "lstrip", "rstrip", "strip", "swapcase", "title", "upper")
    },
    **{
        f"str.{name}": Function((TEXT,), BOOL, getattr(str, name))
        for name in ("isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "isupper")
    },
    **{
        f"str.{name} of": _text((TEXT, TEXT), getattr(str, name))
        for name in ("lstrip", "removeprefix", "removesuffix", "rstrip", "strip")
    },
    "str.startswith": Function((TEXT, TEXT), BOOL, lambda text, part: text.startswith(part)),
    "str.endswith": Function((TEXT, TEXT), BOOL, lambda text, part: text.endswith(part)),
    "in": Function((TEXT, TEXT), BOOL, lambda part, text: part in text),
    "str.count": Function((TEXT, TEXT), INT, lambda text, part: text.count(part)),
    "str.find": Function((TEXT, TEXT), INT, lambda text, part: text.find(part)),
    "str.replace": _text((TEXT, TEXT, TEXT), _replaced),
    "str.zfill": _text((TEXT, INT), _filled),
    "len": Function((TEXT,), INT, len),
    "concat": Function(None, TEXT, lambda *parts: "".join(parts)),
    "at": Function((TEXT, INT), TEXT, lambda text, index: text[index], raises=True),
    "slice": _text((TEXT, INT, INT), lambda text, start, stop: text[start:stop]),
    "slice from": _text((TEXT, INT), lambda text, start: text[start:]),
    "re.sub": _text((TEXT, TEXT, TEXT), lambda pattern, new, text: _pattern(pattern, text, new).sub(new, text)),
    "re.group": Function((TEXT, TEXT, TEXT, INT), TEXT, _group, raises=True),
    "date": Function((INT, INT, INT), INT, lambda y, m, d: date(y, m, d).toordinal() - _EPOCH, raises=True),
    **{
        f"date.{part}": Function((INT,), INT, lambda day, part=part: getattr(_day(day), part), raises=True)
        for part in ("year", "month", "day")
    },
    "date.isoformat": Function((INT,), TEXT, lambda day: _day(day).isoformat(), raises=True),
    "date.strftime": Function((INT, TEXT), TEXT, lambda day, form: _day(day).strftime(_form(form)), raises=True),
    "date.fromisoformat": Function((TEXT,), INT, lambda t: date.fromisoformat(t).toordinal() - _EPOCH, raises=True),
    "datetime.strptime": Function((TEXT, TEXT), INT, lambda text, form: _microseconds(text, form), raises=True),
    "str": _text((INT,), str),
    "format": Function((INT, TEXT), TEXT, _formatted, raises=True),
    "int": Function((TEXT,), INT, int, raises=True),
    "number": Function((TEXT,), RATIONAL, _number, raises=True),
    "quotient": Function((RATIONAL, RATIONAL), RATIONAL, lambda one, other: Fraction(one, other), raises=True),
    "floor": Function((RATIONAL,), INT, lambda number: number.__floor__()),
    "truncate": Function((RATIONAL,), INT, lambda number: number.__trunc__()),
    "round": Function((RATIONAL,), INT, lambda number: round(number)),
    "round to": Function((RATIONAL, INT), RATIONAL, _rounded_to, raises=True),
    "math.sqrt": Function((RATIONAL,), RATIONAL, _root, raises=True),
    "floor quotient": Function((INT, INT), INT, lambda one, other: one // other, raises=True),
    "remainder": Function((INT, INT), INT, lambda one, other: one % other, raises=True),
}


def _has_value(value: Callable[..., object], *values: Any) -> bool:
    try:
        value(*values)
    except (ValueError, LookupError, ArithmeticError) as error:
        if isinstance(error, TallystickError):
            raise
        return False
    return True


LISTS: Final[dict[str, tuple[str, tuple[BasicType, ...], Callable[..., list[str]]]]] = {
    "words": ("word", (TEXT,), lambda text: text.split()),
    "pieces": ("piece", (TEXT, TEXT, INT), lambda text, by, most: text.split(by, most)),
    "re.findall": ("re.found", (TEXT, TEXT), partial(_all_matches, "findall")),
    "re.split": ("re.piece", (TEXT, TEXT), partial(_all_matches, "split")),
}
"""The functions whose values are lists of texts, for EXPAND: what an item is called, and what they take."""

for _name, (_item, _takes, _list) in list(LISTS.items()):
    LISTS[f"set of {_name}"] = (f"item of set of {_name}", _takes, lambda *of, _list=_list: sorted(set(_list(*of))))
for _name, (_item, _takes, _list) in LISTS.items():
    FUNCTIONS[_name] = Function(_takes, INT, lambda *of, _list=_list: len(_list(*of)), "pieces" in _name)
    FUNCTIONS[_item] = Function((*_takes, INT), TEXT, lambda *of, _list=_list: _list(*of[:-1])[of[-1]], raises=True)
    FUNCTIONS[f"count in {_name}"] = Function(
        (TEXT, *_takes), INT, lambda item, *of, _list=_list: _list(*of).count(item), "pieces" in _name
    )
for _name, _function in [*FUNCTIONS.items()]:
    if _function.raises:
        FUNCTIONS[f"{_name} has a value"] = Function(_function.takes, BOOL, partial(_has_value, _function.value))

RAISE: Final = "raise"
"""The function without arguments and, of every type, without a value: where Python raises an exception."""


def items(name: str, of: object, takes: object, values: Sequence[Any]) -> list[Any]:
    """The items of a list that a function gives; raises EvaluationError like `apply`."""
    function = FUNCTIONS.get(name)
    if name not in LISTS or function is None or of != TEXT or takes != function.takes:
        raise EvaluationError(f"nothing is known of the lists of {name}")
    try:
        return LISTS[name][2](*values)
    except (ValueError, re.error) as error:
        raise FunctionError(f"{name} raises {type(error).__name__}") from None


def apply(name: str, types: Sequence[object], gives: object, values: Sequence[Any]) -> Any:
    """The value of a function; raises EvaluationError where it is not known by this name and type, or has none."""
    if name == RAISE:
        raise FunctionError("the program raises an exception here")
    function = FUNCTIONS.get(name)
    known = function is not None and function.gives == gives
    if function is None or not known or tuple(types) != (function.takes or (TEXT,) * len(values)):
        raise EvaluationError(f"nothing is known of the function {name}")
    if sum(len(value) for value in values if isinstance(value, str)) > LONGEST:
        raise FunctionError(f"a text of more than {LONGEST} characters")
    try:
        return function.value(*values)
    except (ValueError, LookupError, ArithmeticError, re.error) as error:
        raise FunctionError(f"{name} raises {type(error).__name__}") from None
