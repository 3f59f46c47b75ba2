"""The names of functions and parameters, which QED's JSON leaves out of plans, from the text of the plan beside it.

The JSON has FUNCTION with its arguments, and PLACEHOLDER. The text prints calls as `name(argument, …)`, or as a node
`function: name`, and parameters as `$1`. Which call is which is taken from the number of arguments alone: where that
does not tell, or the text has another number of calls, there are no names, and the plan is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

FUNCTION: Final = "FUNCTION"
PARAMETER: Final = "PLACEHOLDER"
_QUOTED = re.compile(r"e?'(?:[^'\\]|\\.|'')*'")
_PROPERTY = re.compile(r"^[^\w(]*(?!function:)[a-z][a-z -]*: ")
_NODE = re.compile(r"function: ([\w.]+)")
_CALL = re.compile(r"(?<![\w.])([a-z_][\w.]*)\(")
_VOLATILE = re.compile(r"^[^\w\[]*(?:[a-z-]+, )*volatile\b|[\[ ]volatile\b", re.MULTILINE)
_PARAMETERS = re.compile(r"\$\d+")
_TAGS = re.compile(r" \[(?:as=|type=|outer=|immutable|stable|volatile|constraints=|fd=|subquery|correlated).*$")


@dataclass(frozen=True)
class Names:
    """What the text of a plan says of names.

    Attributes:
        functions: the name of the functions of each number of arguments.
        parameter: the name of the only parameter, or None.
    """

    functions: Mapping[int, str]
    parameter: str | None


NO_NAMES: Final = Names({}, None)


def names(text: str, plan: Any) -> Names:
    """The names of a plan's functions and of its parameter, as far as its text tells them."""
    bare = _QUOTED.sub("''", text)
    parameters = set(_PARAMETERS.findall(bare))
    parameter = parameters.pop() if len(parameters) == 1 else None
    return Names(_functions(bare, list(_arities(plan))), parameter)


def _functions(text: str, arities: list[int]) -> dict[int, str]:
    calls = [] if _VOLATILE.search(text) else list(_calls(text))
    if len(calls) != len(arities):
        return {}
    if len({name for name, _ in calls}) == 1:
        return dict.fromkeys(arities, calls[0][0])
    found: dict[int, str] = {}
    for name, arity in calls:
        if arity is None or found.setdefault(arity, name) != name:
            return {}
    return found if Counter(arity for _, arity in calls) == Counter(arities) else {}


def _calls(text: str) -> Iterator[tuple[str, int | None]]:
    """The calls in a text without quotes: names, and how many arguments they have, where it is printed."""
    for line in text.splitlines():
        if _PROPERTY.match(line):
            continue
        expression = _TAGS.sub("", line)
        yield from ((name, None) for name in _NODE.findall(expression))
        yield from ((call[1], _arguments(expression, call.end())) for call in _CALL.finditer(expression))


def _arguments(text: str, start: int) -> int | None:
    """How many arguments stand between a parenthesis and the one that closes it; None if none does."""
    depth, commas = 1, 0
    for place in range(start, len(text)):
        character = text[place]
        depth += (character in "([") - (character in ")]")
        commas += character == "," and depth == 1
        if depth == 0:
            return commas + 1 if text[start:place].strip() else 0
    return None


def _arities(plan: Any) -> Iterator[int]:
    """The numbers of arguments of the functions without a name in a plan."""
    if isinstance(plan, list):
        for part in plan:
            yield from _arities(part)
    elif isinstance(plan, dict):
        if plan.get("operator") == FUNCTION:
            yield len(arguments(plan.get("operand")) or ())
        for part in plan.values():
            yield from _arities(part)


def arguments(operands: Any) -> list[Any] | None:
    """The arguments of FUNCTION, which stand in one list; None where the plan has another form."""
    listed = operands[0] if isinstance(operands, list) and len(operands) == 1 else None
    is_list = isinstance(listed, dict) and listed.get("operator") == "SCALAR LIST"
    return list(listed.get("operand") or ()) if is_list else None  # type: ignore[union-attr]
