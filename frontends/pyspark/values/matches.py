"""Objects of `re.Match`: the text that a pattern was matched with, of a type that says the pattern and how.

A match is there just when `re.group` has a value for group 0. The groups that are part of every match are texts; others
may be None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from tallystick.core.terms import Term, apply_function, constant, ite
from tallystick.core.types import BOOL, TEXT
from tallystick.frontends.pyspark.values.nominal_types import NominalType, content, wrapped
from tallystick.frontends.pyspark.values.options import missing, some

GROUP: Final = "re.group"


@dataclass(frozen=True, slots=True)
class MatchType(NominalType):
    """The type of the matches of one pattern.

    Attributes:
        how: match, search or fullmatch.
        pattern: with its flags.
    """

    how: str = "match"
    pattern: str = ""


def match(how: str, pattern: str, text: Term) -> Term:
    """What `re.match` and its kin give: a match, or None."""
    of = MatchType((TEXT,), "re.Match", by_identity=True, how=how, pattern=pattern)
    return ite(_has(of, text, 0), some(wrapped(of, text)), missing(of))


def group(found: Term, number: int) -> Term:
    """A group of a match: a text, or a text or None where a match may lack it."""
    of, text = _type_of(found), content(found)
    value = apply_function(GROUP, TEXT, *_arguments(of, text, number))
    if number in certain_groups(of.pattern):
        return value
    return ite(_has(of, text, number), some(value), missing(TEXT))


def number_of(found: Term, name: str) -> int | None:
    """The number of a group by its name; None where there is none."""
    return re.compile(_type_of(found).pattern).groupindex.get(name)


def names_of(found: Term) -> dict[str, int]:
    """The named groups."""
    return dict(re.compile(_type_of(found).pattern).groupindex)


def number_of_groups(found: Term) -> int:
    """How many groups the pattern has."""
    return re.compile(_type_of(found).pattern).groups


def certain_groups(pattern: str) -> frozenset[int]:
    """The groups that every match has: those that are in no branch, and in nothing that may be left out."""
    found = {0}
    waiting: list[Any] = list(_parser.parse(pattern))
    while waiting:
        kind, part = waiting.pop()
        if str(kind) == "SUBPATTERN":
            number, _, _, inner = part
            found |= set() if number is None else {number}
            waiting += inner
        elif str(kind) in ("MAX_REPEAT", "MIN_REPEAT") and part[0] > 0:
            waiting += part[2]
    return frozenset(found)


_parser: Final = import_module("re._parser")


def _type_of(found: Term) -> MatchType:
    assert isinstance(found.type, MatchType)
    return found.type


def _arguments(of: MatchType, text: Term, number: int) -> tuple[Term, ...]:
    return constant(of.how), constant(of.pattern), text, constant(number)


def _has(of: MatchType, text: Term, number: int) -> Term:
    return apply_function(f"{GROUP} has a value", BOOL, *_arguments(of, text, number))
