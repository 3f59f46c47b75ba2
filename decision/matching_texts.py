"""Texts that a regular expression matches, made of its syntax tree: candidates for counterexamples."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

_parser: Final = import_module("re._parser")
_LETTERS: Final = "a1 b0-_.,:/A"
"""What is tried where a class of characters is asked for."""
_MOST_REPEATED: Final = 3
_CATEGORIES: Final = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}


def matching_texts(pattern: str, known: Sequence[str], count: int, generator: random.Random) -> list[str]:
    """Some texts, most of which a pattern matches; `known` are texts that may stand where they fit."""
    tree = _parser.parse(pattern)
    return ["".join(_parts(tree, known, generator, {})) for _ in range(count)]


def _parts(tree: Any, known: Sequence[str], generator: random.Random, groups: dict[int, str]) -> list[str]:
    found: list[str] = []
    for kind, part in tree:
        match str(kind):
            case "LITERAL":
                found.append(chr(part))
            case "NOT_LITERAL" | "ANY" | "IN" | "CATEGORY":
                found.append(_letter(str(kind), part, generator))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found += _repeated(part, known, generator, groups)
            case "BRANCH":
                found += _parts(generator.choice(part[1]), known, generator, groups)
            case "SUBPATTERN":
                number, _, _, inner = part
                text = "".join(_parts(inner, known, generator, groups))
                groups[number] = text
                found.append(text)
            case "GROUPREF":
                found.append(groups.get(part, ""))
            case _:  # places, and what looks ahead
                continue
    return found


def _repeated(part: Any, known: Sequence[str], generator: random.Random, groups: dict[int, str]) -> list[str]:
    """So many of a part as it may be repeated, or a known text that is made of its characters."""
    least, most, inner = part
    if len(inner) == 1 and str(inner[0][0]) in ("NOT_LITERAL", "ANY", "IN", "CATEGORY"):
        kind, of = str(inner[0][0]), inner[0][1]
        fitting = [text for text in known if least <= len(text) <= most and all(_fits(kind, of, each) for each in text)]
        if fitting and generator.random() < 0.5:
            return [generator.choice(fitting)]
    times = generator.randint(least, max(least, min(most, least + _MOST_REPEATED - 1, _MOST_REPEATED)))
    return [text for _ in range(times) for text in _parts(inner, known, generator, groups)]


def _letter(kind: str, part: Any, generator: random.Random) -> str:
    """A character that belongs to a class, if one is found."""
    own = [chr(value) for name, value in part if str(name) == "LITERAL"] if kind == "IN" else []
    own += [chr(end) for name, ends in part if str(name) == "RANGE" for end in ends] if kind == "IN" else []
    fitting = [each for each in (*own, *_LETTERS) if _fits(kind, part, each)]
    return generator.choice(fitting) if fitting else "a"


def _fits(kind: str, part: Any, letter: str) -> bool:
    match kind:
        case "ANY":
            return letter != "\n"
        case "NOT_LITERAL":
            return letter != chr(part)
        case "CATEGORY":
            return re.fullmatch(_CATEGORIES.get(str(part), "."), letter) is not None
    negated = any(str(name) == "NEGATE" for name, _ in part)
    return any(_is_item(str(name), value, letter) for name, value in part) is not negated


def _is_item(name: str, value: Any, letter: str) -> bool:
    """Whether a character belongs to an item of a class in brackets."""
    match name:
        case "LITERAL":
            return ord(letter) == value
        case "RANGE":
            return value[0] <= ord(letter) <= value[1]
        case "CATEGORY":
            return _fits("CATEGORY", value, letter)
    return False
