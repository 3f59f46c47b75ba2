"""The page of what was verified, and the files of evidence: what `make conformance` writes.

The page has a line for each construct of the table and a column for each engine. A run with some of the engines writes
their columns alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from conformance.engines import Engine
from conformance.running import Result, evidence_of
from conformance.table import LETTERS, Kind

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "frontends" / "sql" / "CONFORMANCE.md"
EVIDENCE: Final = ROOT / "frontends" / "sql" / "evidence"
ENGINES: Final = tuple(LETTERS.values())
HEAD: Final = """\
# What was verified, on which engines

`make conformance` writes this page from `tests/conformance`, whose README explains the words. A number says how many
texts came out so; what differs has its reason in the table. What has no evidence is refused by the reader.

"""


def column(results: Iterable[Result]) -> dict[str, str]:
    """What is said of each construct for one engine."""
    found: dict[str, Counter[Kind]] = defaultdict(Counter)
    for each in results:
        found[each.row.construct][each.finding.kind] += 1
    return {
        construct: ", ".join(f"{kind.value} {kinds[kind]}" for kind in Kind if kinds[kind])
        for construct, kinds in found.items()
    }


def evidence_text(engine: Engine, results: Iterable[Result]) -> str:
    """The file of evidence that the results of an engine make."""
    head = f"# {engine.product} {engine.version}: cases that came out the same in tests/conformance"
    found = evidence_of(results)
    return "\n".join([head, *sorted(found.cases), *(f"not {case}" for case in sorted(found.wrong))]) + "\n"


def read_page() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The versions by engine, and what the page says of each construct by engine; nothing where there is no page."""
    if not PAGE.exists():
        return {}, {name: {} for name in ENGINES}
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    heads, _, *listed = rows
    versions = dict(zip(ENGINES, heads[1:], strict=True))
    said = {
        name: {row[0].replace(r"\|", "|"): row[index] for row in listed if row[index]}
        for index, name in enumerate(ENGINES, start=1)
    }
    return versions, said


def page_text(versions: Mapping[str, str], said: Mapping[str, Mapping[str, str]]) -> str:
    """The page: a line for each construct."""
    constructs = sorted({construct for each in said.values() for construct in each})
    lines = [["construct", *(versions.get(name, name) for name in ENGINES)], ["---"] * (len(ENGINES) + 1)]
    lines += [[each.replace("|", r"\|"), *(said[name].get(each, "") for name in ENGINES)] for each in constructs]
    return HEAD + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write(engine: Engine, results: Iterable[Result]) -> None:
    """Writes the evidence of an engine, and its column of the page."""
    listed = [*results]
    (EVIDENCE / f"{engine.name}.txt").write_text(evidence_text(engine, listed), encoding="utf-8")
    versions, said = read_page()
    versions[engine.name] = f"{engine.product} {engine.version}"
    said[engine.name] = column(listed)
    PAGE.write_text(page_text(versions, said), encoding="utf-8")
