"""Evidence: what the reader accepts in a dialect was met by a text whose result on the dialect's engine is that of the
reading.

`NAME.txt` is the evidence for a dialect. Its first line says what was asked. An engine's has the cases (`cases.py`) of
the texts of `tests/conformance` that came out the same, and behind `not` those that texts show to be read otherwise;
`make conformance` writes it. A case that no text has met is known by its parts, if texts have met each of them. Where
no engine can be had it has constructs without the types of their operands, below the places in the manual that say what
they mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from sqlglot import exp
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.evidence.cases import Place, constructs, parts, plain, words
from tallystick.frontends.sql.evidence.wording import advice, worded
from tallystick.frontends.sql.named import LISTED
from tallystick.frontends.sql.scopes import QueryReading
from tallystick.frontends.sql.source import extent

MANUAL = "the manual of "


@dataclass(frozen=True)
class Evidence:
    """What was asked about a dialect, and the cases that it knows.

    Attributes:
        source: an engine with its version, or "the manual of …".
        wrong: the cases that it knows to be read otherwise.
    """

    source: str
    cases: frozenset[str]
    wrong: frozenset[str] = frozenset()

    @property
    def by_manual(self) -> bool:
        """Whether no engine was asked."""
        return self.source.startswith(MANUAL)

    def knows(self, case: str) -> bool:
        """Whether there is evidence for a case."""
        if self.by_manual:
            return plain(case) in self.cases
        return case in self.cases or (case not in self.wrong and parts(case) <= self.parts)

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of the cases that it knows."""
        return frozenset(part for case in self.cases for part in parts(case))


@cache
def evidence(name: str) -> Evidence:
    """The evidence of that name; lines that start with # are the places of what follows, `as NAME` adds another's."""
    head, *lines = (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    source = head.removeprefix("# ").split(": ")[0]
    cases = {line for line in lines if line and not line.startswith(("# ", "as ", "not "))}
    wrong = {line.removeprefix("not ") for line in lines if line.startswith("not ")}
    for line in lines:
        if line.startswith("as "):
            cases |= {plain(case) for case in evidence(line.removeprefix("as ")).cases}
    cases |= {called for called, _ in LISTED.get(name, {})}
    return Evidence(source, frozenset(cases), frozenset(wrong))


def note(dialect: Dialect) -> str:
    """What every verdict says of a dialect that no engine was asked about; "" for others."""
    known = evidence(dialect.evidence)
    return f"read by {known.source}, no engine was asked" if known.by_manual else ""


def cases(reading: QueryReading, node: exp.Expr) -> Iterator[tuple[str, Place, exp.Expr | None]]:
    """The cases of a text that was read, with their places and constructs; a word has none."""
    text = reading.source.text
    named = words(text, reading.dialect.parser.tokenize(text), node, reading.dialect.by_manual)
    yield from ((case, place, None) for case, place in named)
    yield from ((case, extent(each), each) for case, each in constructs(node, reading.types))
    yield from ((case, extent(each), each) for case, each in reading.cases.items())


def require_evidence(reading: QueryReading, node: exp.Expr) -> None:
    """Raises SourceError at the first case of a text that was read for which there is no evidence."""
    known = evidence(reading.dialect.evidence)
    for case, (start, end), construct in cases(reading, node):
        if not known.knows(case):
            types = {} if known.by_manual else reading.types
            said = worded(case, construct, types, reading.dialect)
            if known.by_manual:
                message = f"{known.source} says nothing of {said}"
            elif case in known.wrong:
                message = f"{known.source} does not take {said}, or computes it otherwise than it is read"
            else:
                message = f"{said} was not compared with {known.source}"
            raise reading.source.error_at(start, end, message, advice(case, construct, types))
