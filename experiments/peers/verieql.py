"""VeriEQL (He et al., OOPSLA 2024), a prover of queries over tables of up to so many rows, from a clone of it.

It is not part of this project: the clone and a Python with its requirements are given. It gets texts, tables, keys
and a limit, in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.types import SqlType
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.frontends.errors import SourceError

DRIVER: Final = Path(__file__).with_name("verieql_driver.py")
MEBIBYTES: Final = 4096
LOADING: Final = 2.0
"""Seconds that the import of its modules takes, at most."""
PATIENCE: Final = 10
"""A peer that waits is ended after so many times its limit on the wall."""
TYPES: Final = {
    SqlType.INTEGER: "INT",
    SqlType.TEXT: "VARCHAR",
    SqlType.BOOLEAN: "BOOLEAN",
    SqlType.DATE: "DATE",
    SqlType.DECIMAL: "NUMERIC",
}


class PeerError(TallystickError, RuntimeError):
    """A peer that cannot be asked."""


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """What a peer says of a pair.

    Attributes:
        outcome: "refuted", "none" for no difference up to `rows` rows a table, "unknown" or "refused".
        rows: the largest bound that was finished.
        seconds: of the processor.
        reason: why it is unknown or refused.
    """

    outcome: str
    rows: int
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class VeriEql:
    """VeriEQL in a clone, with the Python of its environment."""

    clone: Path
    python: Path

    def answer(self, record: Record, seconds: float, rows: int) -> PeerAnswer:
        """What it says of a record within so many seconds of the processor, for up to so many rows a table."""
        try:
            catalogue = read_record(record).catalogue
            schema, constraints = question(catalogue)
        except SourceError as refusal:
            return PeerAnswer("refused", 0, 0.0, f"not asked: {refusal.message}")
        asked = {"schema": schema, "constraint": constraints, "pair": [*record.texts], "rows": rows}

        def limit() -> None:
            most = max(1, round(seconds + LOADING))
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_AS, (MEBIBYTES << 20, MEBIBYTES << 20))

        command = [str(self.python), str(DRIVER), str(self.clone)]
        try:
            done = subprocess.run(
                command,
                input=json.dumps(asked),
                capture_output=True,
                text=True,
                timeout=PATIENCE * seconds,
                preexec_fn=limit,
                check=False,
            )
            printed, failed = done.stdout, done.stderr if done.returncode > 0 else ""  # a signal ends it at its limit
        except subprocess.TimeoutExpired as expired:
            printed, failed = (expired.stdout or b"").decode(), ""
        lines = [json.loads(line) for line in printed.splitlines() if line.endswith("}")]
        if not lines and failed:
            raise PeerError(f"{self.clone} is no clone of VeriEQL, or its Python lacks what that needs:\n{failed}")
        return _summary(lines, seconds)


def _summary(lines: Sequence[dict[str, Any]], seconds: float) -> PeerAnswer:
    """The answer of one line a bound; what did not end was still busy with the next bound."""
    finished = [line for line in lines if line["state"] in ("EQU", "NEQ")]
    rows, taken = max((line["rows"] for line in finished), default=0), sum(line["seconds"] for line in lines)
    last = lines[-1]["state"] if lines else "EQU"
    if last == "NEQ":
        return PeerAnswer("refuted", rows, taken)
    if last != "EQU":
        return PeerAnswer("refused", rows, taken, f"{last}: {lines[-1]['about']}")
    return PeerAnswer("none", rows, taken) if lines else PeerAnswer("unknown", 0, seconds, "no bound within its limit")


def question(catalogue: Catalogue) -> tuple[dict[str, dict[str, str]], list[dict[str, Any]]]:
    """Tables and constraints in VeriEQL's format; raises SourceError for what it has no words for."""
    schema: dict[str, dict[str, str]] = {}
    constraints: list[dict[str, Any]] = []
    for table in catalogue.tables:
        unknown = [column.name for column in table.columns if column.type not in TYPES]
        if unknown or table.checks:
            raise SourceError(
                f"VeriEQL has no type for {table.name}.{unknown[0]}" if unknown else "VeriEQL has no checks", ""
            )
        schema[table.name.upper()] = {column.name.upper(): TYPES[column.type] for column in table.columns}
        constraints += _constraints(table, catalogue)
    return schema, constraints


def _constraints(table: Table, catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    def of(where: Table, columns: Sequence[int]) -> list[dict[str, str]]:
        return [{"value": f"{where.name}__{where.columns[index].name}".upper()} for index in columns]

    yield from ({"not_null": of(table, [index])[0]} for index, each in enumerate(table.columns) if not each.nullable)
    for key in table.keys:
        if any(table.columns[index].nullable for index in key):
            raise SourceError("VeriEQL has no keys that may be NULL", "")
        yield {"primary": of(table, key)}
    for key in table.foreign_keys:
        if len(key.columns) > 1:
            raise SourceError("VeriEQL has no foreign keys of two columns", "")
        yield {"foreign": [*of(table, key.columns), *of(catalogue.by_name[key.table], key.referenced)]}
