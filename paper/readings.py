"""How the texts of the conformance table came out on each engine, as plain records for the paper."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "frontends" / "sql" / "CONFORMANCE.md"
KINDS = {"both refuse": "refused", "rejects": "differs", "value": "differs", "type": "differs", "names": "differs"}
"""Outcomes that the table of the paper counts under another word; the page's README explains all."""
_COUNT = re.compile(r"([a-z][a-z ]*) ([0-9]+)")


def reading_records(page: Path = PAGE) -> dict[str, Any]:
    """The kinds of outcomes, and how many texts came out so, by engine.

    Args:
        page: what `make conformance` wrote: a line for each construct, a column for each engine, cells such as
            "same 3, refused 1".
    """
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    heads, _, *rows = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines)
    counts: list[Counter[str]] = [Counter() for _ in heads[1:]]
    for row in rows:
        for counter, cell in zip(counts, row[1:], strict=True):
            found: list[tuple[str, str]] = _COUNT.findall(cell)
            for kind, number in found:
                counter[KINDS.get(kind, kind)] += int(number)
    total = sum(counts, Counter[str]())
    kinds = sorted(total, key=lambda kind: -total[kind])
    engines = [{"name": name, "counts": dict(each)} for name, each in zip(heads[1:], counts, strict=True)]
    return {"kinds": kinds, "engines": engines}
