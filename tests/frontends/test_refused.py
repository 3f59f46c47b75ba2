"""What is refused, with the exact message: `refused.txt` holds the cases, each a source text and its message."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

CASES = Path(__file__).with_name("refused.txt")


def cases() -> dict[str, tuple[str, str]]:
    """Source text and message of each case, by name."""
    found = {}
    for part in CASES.read_text().split("=== ")[1:]:
        name, _, rest = part.partition("\n")
        source, _, message = rest.partition("--- refused\n")
        found[name] = source, message.rstrip("\n")
    return found


@pytest.mark.parametrize("name", cases())
def test_the_message_says_where_what_and_what_instead(name: str, refusal: Callable[..., str]) -> None:
    source, message = cases()[name]
    assert refusal(source) == message


@pytest.mark.parametrize("name", cases())
def test_a_refusal_is_short_and_says_where(name: str, refusal: Callable[..., str]) -> None:
    """Position and excerpt; at most 25 lines of at most 80 columns, whatever there is to say instead."""
    lines = refusal(cases()[name][0]).splitlines()
    assert re.match(r"\S+(:\d+:\d+)?: ", lines[0])
    assert len(lines) <= 25
    assert all(len(line) <= 80 for line in lines[1:])
