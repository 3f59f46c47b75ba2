"""Records of pairs of queries in JSON Lines, and what they become: statements over a catalogue, or a refusal.

A record has `suite`, `id`, `schema`, `q1`, `q2`, `format` ("sql" or "qed-plan"), `dialect`, `expected`, `semantics`
("bag" or "list") and more that is not read. Files may be compressed with gzip.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.experiments.sql_suites.sqlite_keys import for_counterexamples, for_proofs, without_keys_between_types
from tallystick.experiments.sql_suites.sqlite_texts import with_texts
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS, SPARK, Dialect
from tallystick.frontends.sql.qed.functions import NO_NAMES, names
from tallystick.frontends.sql.qed.groupings import groupings
from tallystick.frontends.sql.qed.losses import lost_ends, lost_groups
from tallystick.frontends.sql.qed.plans import read_plans
from tallystick.frontends.sql.reader import SqlPair, read_pair
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.schema_json import schema_from_json
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SQLITE: Final = replace(
    DIALECTS["duckdb"],
    engine="sqlite",
    decimal=None,
    division_by_zero="null",
    null_order="smallest",
    mixed_values="numbers",
    rounded_to_double=frozenset(),
    double_quotients=False,
    texts_take="nothing",
    sums_truth=False,
    matches_any_case=True,
    decimals_may_be_integers=True,
    null_in_rows="unknown",
    counts_rows=False,
    groups_by_rows=False,
    join_words=frozenset({"FULL"}),
    joins_without_on="all",
)
"""What is read as another dialect: texts in SQLite's."""
REPAIRS: Final = ((" AS SIGNED)", " AS BIGINT)"),)
"""Spellings of one dialect in texts of another, and what stands for them."""


@dataclass(frozen=True)
class Record:
    """A pair as a suite states it."""

    suite: str
    name: str
    data: dict[str, Any]

    @property
    def expected(self) -> str:
        """equivalent, inequivalent or unknown."""
        return str(self.data["expected"])

    @property
    def texts(self) -> tuple[str, str]:
        """Both queries, repaired; plans as JSON."""
        first, second = (_repaired(self.data[side]) for side in ("q1", "q2"))
        if self.data.get("dialect") == "sqlite":
            names = _names(self.data["schema"])
            return with_texts(first, names), with_texts(second, names)
        return first, second


@dataclass(frozen=True)
class SuitePair:
    """A pair of statements of a suite. It unpacks as (name, left, right, catalogue, expected).

    Attributes:
        lost_constraints: whether its plans have lost constraints: a database that tells them apart may break one.
        lost_meaning: whether their texts say of spans, or of groups without rows, what the plans do not.
        dialect: what its texts are read with.
        searched: the tables of counterexamples, if these satisfy more than proofs use.
    """

    name: str
    left: Statement
    right: Statement
    catalogue: Catalogue
    expected: str
    assumptions: tuple[Assumption, ...] = ()
    lost_constraints: bool = False
    lost_meaning: bool = False
    dialect: Dialect = SPARK
    searched: Catalogue | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.name, self.left, self.right, self.catalogue, self.expected))


def _repaired(query: object) -> str:
    text = query if isinstance(query, str) else json.dumps(query)
    for spelling, meant in REPAIRS:
        text = text.replace(spelling, meant)
    return text


def _names(schema: object) -> frozenset[str]:
    """The names of the tables and columns of a schema in JSON, in lower case; none of another one."""
    tables = schema.get("tables", {}) if isinstance(schema, dict) else {}
    names = [*tables, *(column["name"] for table in tables.values() for column in table["columns"])]
    return frozenset(name.lower() for name in names)


def records(path: Path) -> Iterator[Record]:
    """The records of a file; raises SourceError where it is no suite of queries.

    The texts of plans are in a file beside it: `x.help.jsonl.gz` beside `x.jsonl.gz`.
    """
    beside = path.with_name(path.name.replace(".jsonl", ".help.jsonl"))
    texts = {str(data["id"]): data["help"] for data in _lines(beside)} if beside.exists() else {}
    for data in _lines(path):
        if data["id"] in texts:
            data.setdefault("help", texts[data["id"]])
        yield Record(str(data.get("suite")), str(data["id"]), data)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                data = json.loads(line)
            except (ValueError, RecursionError):
                data = None
            if not isinstance(data, dict) or "id" not in data:
                raise SourceError("the line is no record of a pair of queries", str(path), number)
            yield data


def is_suite(path: Path) -> bool:
    """Whether a file has records of pairs of queries."""
    if not path.name.removesuffix(".gz").endswith(".jsonl"):
        return False
    try:
        first = next(records(path), None)
    except (SourceError, OSError):
        return False
    return first is not None and {"suite", "schema", "q1", "q2", "expected"} <= set(first.data)


def read_record(record: Record) -> SuitePair:
    """The statements of a record; raises SourceError with the reason where it is refused."""
    if record.data.get("format") == "qed-plan":
        return _read_plans(record)
    pair, searched = _read_texts(record)
    if pair.open_sources:
        raise SourceError(f"{' and '.join(pair.open_sources)} are not read in suites", record.name)
    ordered = record.data.get("semantics") == "list"
    left, right = (side if ordered else Statement(side.query, side.names) for side in (pair.left, pair.right))
    about = (record.name, left, right, pair.catalogue, record.expected, pair.assumptions)
    return SuitePair(*about, dialect=pair.dialect, searched=searched)


LOST_FROM_CATALOGUE: Final = frozenset(
    {"lax keys", "partial index predicates", "CHECK constraints", "computed columns", "table known to be empty"}
)
"""What plans may leave out without meaning another query: constraints."""
IN_THE_TEXT: Final = frozenset({"grouping sets", "aggregate FILTER"})
"""What is left out of plans and found in their texts."""
CONSTANT_CALL: Final = "LITERAL_AGG"
"""The aggregate whose constant is in the texts alone."""


def _read_plans(record: Record) -> SuitePair:
    everything = set(record.data.get("lost_in_json") or [])
    lost = everything - LOST_FROM_CATALOGUE
    if lost - IN_THE_TEXT:
        raise SourceError(f"the plan has lost its {' and '.join(sorted(lost))}", record.name)
    texts = record.data.get("help") or ()
    plans = record.data["q1"], record.data["q2"]
    written = [json.dumps(plan) for plan in plans]
    asked = [bool(lost) or CONSTANT_CALL in plan for plan in written]
    if any(asked) and len(texts) != 2:
        what = " and ".join(sorted(lost)) or f"constants of {CONSTANT_CALL}"
        raise SourceError(f"the plan has lost its {what}, and its text is not there", record.name)
    known = [groupings(str(texts[side])) if asked[side] else None for side in (0, 1)]
    for plan, found in zip(written, known, strict=True):
        if found is not None and ('"query"' in plan or plan.count('"group"') != len(found)):
            raise SourceError("the text of the plan does not match it", record.name)
    told = (
        [names(str(text), plan) for text, plan in zip(texts, plans, strict=True)] if len(texts) == 2 else [NO_NAMES] * 2
    )
    groups, called = (known[0], known[1]), (told[0], told[1])
    left, right, catalogue = read_plans(record.data["schema"], plans, record.name, groups, called)
    named = any(each.functions for each in told)  # by the texts, which then count for groups, too
    lost_meaning = any(lost_ends(str(text)) or (named and lost_groups(str(text))) for text in texts)
    losses = bool(everything & LOST_FROM_CATALOGUE), lost_meaning
    return SuitePair(
        record.name, left, right, catalogue, record.expected, PLAN_ASSUMPTIONS, *losses, dialect_of(record)
    )


PLAN_ASSUMPTIONS: Final = (
    Assumption.EXACT_NUMBERS,
    Assumption.EXACT_QUOTIENTS,
    Assumption.EXACT_FLOATS,
    Assumption.NO_ERROR,
    Assumption.CODE_POINTS,
)
"""What plans do not state: types and operators are those of another system."""


def _read_texts(record: Record) -> tuple[SqlPair, Catalogue]:
    """The pair, and the tables of counterexamples.

    Suites ask whether an optimiser may make the second text out of the first: it may choose as the first permits.
    """
    dialect = dialect_of(record)
    schema, searched = _schema(record, dialect)
    texts = [SqlText(text, f"{record.name}/{side}") for text, side in zip(record.texts, ("q1", "q2"), strict=True)]
    pair = read_pair(texts[0], texts[1], schema, dialect, exact_floats=True, one_query=True)
    return pair, searched


def _schema(record: Record, dialect: Dialect) -> tuple[Schema, Catalogue]:
    """JSON, or CREATE TABLE statements, MySQL's if they have names in backquotes; and the tables of counterexamples."""
    given, mixed = record.data["schema"], frozenset[tuple[str, int]]()
    if isinstance(given, str):
        text = SqlText(given, f"{record.name}/schema")
        schema = schema_from_statements(text, DIALECTS["mysql"] if "`" in given else dialect)
    else:
        given, mixed = without_keys_between_types(given, dialect) if dialect is SQLITE else (given, mixed)
        schema = schema_from_json(given, dialect, record.name)
    if dialect is not SQLITE:
        return schema, schema.catalogue
    return replace(schema, catalogue=for_proofs(schema.catalogue)), for_counterexamples(schema.catalogue, mixed)


def dialect_of(record: Record) -> Dialect:
    """The dialect of a record's texts, which are compared by their characters, as all papers do."""
    name = str(record.data.get("dialect", "calcite"))
    return SQLITE if name == "sqlite" else replace(DIALECTS[name], collation="binary")


def pairs(path: Path) -> Iterator[SuitePair]:
    """The pairs of a file that are read, in its order; those that are refused are left out (see `read_record`)."""
    for record in records(path):
        try:
            yield read_record(record)
        except SourceError:
            continue
