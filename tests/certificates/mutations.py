"""Changes of single parts of JSON documents."""

from __future__ import annotations

import copy
import random
from typing import Any

Place = tuple[Any, ...]
STRANGE = (None, True, False, 0, 1, -1, 2, 7, 10**40, "", "x", "#", [], [[]], {}, ["IntType"], ["Farkas", []])


def places(document: Any, here: Place = ()) -> list[Place]:
    """The path of every part, the whole first."""
    parts = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    return [here, *(place for key, part in parts for place in places(part, (*here, key)))]


def at(document: Any, place: Place) -> Any:
    """The part at a path."""
    for key in place:
        document = document[key]
    return document


def replaced(document: Any, place: Place, part: Any) -> Any:
    """A copy of the document with another part at a path."""
    if not place:
        return part
    result = copy.deepcopy(document)
    at(result, place[:-1])[place[-1]] = part
    return result


def variants(part: Any) -> list[Any]:
    """Other parts that could stand in a place: neighbours of a number, a shorter or longer array, and strange ones."""
    found: list[Any] = []
    if type(part) is int:
        found += [part - 1, part + 1, -part, part + 2]
    if isinstance(part, list) and part:
        found += [part[1:], part[:-1], [*part, part[-1]], part[::-1]]
    if isinstance(part, str):
        found += [part + "x", part[:-1]]
    return [other for other in (*found, *STRANGE) if type(other) is not type(part) or other != part]


def altered(document: Any, place: Place, generator: random.Random) -> Any:
    """The document with a variant of the part at a path."""
    return replaced(document, place, generator.choice(variants(at(document, place))))
