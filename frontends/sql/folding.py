"""Functions of constants, computed: those on which dialects agree, of texts in ASCII."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from tallystick.core.errors import FragmentError
from tallystick.core.queries.expressions import Expression, Function, Literal
from tallystick.core.queries.interpreter.functions import implementation, like
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.types import BOOLEAN

COMPUTED: Final = frozenset(
    {
        *("UPPER", "LOWER", "LENGTH", "SUBSTRING", "LEFT", "RIGHT", "||", "REVERSE", "STARTSWITH", "ENDSWITH"),
        *("&", "|", "YEAR", "QUARTER", "MONTH", "DAY", "DAYOFYEAR", "add months", "LAST_DAY"),
    }
)
"""Functions whose implementation is that of every dialect, wherever it has a value."""
MOST_REPETITIONS: Final = 3
LONGEST: Final = 1000
"""Of a text that is matched, in characters: a search takes as many steps as its power by the repetitions, at most."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9 _.*+\[\]]*")
"""Regular expressions that all engines understand alike: characters, their classes, and repetitions."""


def folded(call: Function) -> Expression:
    """The value of a function of constants; any other call as it is."""
    constants = [each.value for each in call.arguments if isinstance(each, Literal)]
    if call.name not in COMPUTED or not call.strict or len(constants) < len(call.arguments):
        return call
    if None in constants:
        return Literal(None, call.type)
    if not _ascii(constants):
        return call
    try:
        return Literal(implementation(call)(*constants), call.type)
    except (FragmentError, Undetermined):
        return call


def matched(call: Function) -> Expression:
    """Whether a constant text matches a constant pattern, by one of MATCHES, in a system that minds the case of texts;
    any other call as it is."""
    constants: list[Any] = [each.value for each in call.arguments if isinstance(each, Literal)]
    test = MATCHES.get(call.name)
    if test is None or len(call.arguments) != 2 or len(constants) != 2 or None in constants or not _ascii(constants):
        return call
    found = test(*constants)
    return call if found is None else Literal(found, BOOLEAN)


def _ascii(constants: list[Any]) -> bool:
    return all(not isinstance(each, str) or each.isascii() for each in constants)


def _like(text: str, pattern: str) -> bool | None:
    return None if "\\" in pattern else like(text, pattern)


def _similar(text: str, pattern: str) -> bool | None:
    return like(text, pattern) if re.fullmatch(r"[A-Za-z0-9 _%]*", pattern) else None


def _found(text: str, pattern: str) -> bool | None:
    repetitions = re.findall(r"[*+]+", pattern)
    plain = all(len(each) == 1 for each in repetitions) and len(repetitions) <= MOST_REPETITIONS
    if not (plain and _PLAIN.fullmatch(pattern) and len(text) <= LONGEST):
        return None
    try:
        return re.search(pattern, text) is not None
    except re.error:
        return None


def _in_any_case(test: Callable[[str, str], bool | None]) -> Callable[[str, str], bool | None]:
    return lambda text, pattern: test(text.lower(), pattern.lower())


MATCHES: Final[dict[str, Callable[[str, str], bool | None]]] = {
    "LIKE": _like,
    "ILIKE": _in_any_case(_like),
    "SIMILAR TO": _similar,
    "RLIKE": _found,
    "RILIKE": _in_any_case(_found),
}
"""Whether a text matches a pattern; None where systems may differ."""
