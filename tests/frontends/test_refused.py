"""What is refused, with the exact message: `refused.txt` holds the cases, each a source text and its message."""

from __future__ import annotations

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
