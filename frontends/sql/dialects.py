"""Dialects of SQL: which parser reads them, and the named switches in which their meanings differ.

A switch is part of the claim of a verdict: a pair may be equivalent in one dialect and not in another. What is not a
switch means the same in all dialects, or is refused. Sources: the reference manuals of Spark 4 (ANSI mode, its
default), Databricks, PostgreSQL, MySQL 8, DuckDB, BigQuery, Snowflake and Apache Calcite.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from sqlglot.dialects.dialect import Dialect as Parser
from tallystick.core.queries.switches import Switches
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.calcite import Calcite


@dataclass(frozen=True)
class Dialect(Switches):
    """The meaning of SQL texts, by the name that users call it."""

    name: str
    decimal: tuple[int, int] | None = (10, 0)
    """The digits of a DECIMAL without sizes, and those after its point; None where it has room for all."""

    @property
    def parser(self) -> Parser:
        """The parser of its texts."""
        return Calcite() if self.name == "calcite" else Parser.get_or_raise(self.name)

    @property
    def switches(self) -> Switches:
        """The switches alone."""
        return Switches(**{each.name: getattr(self, each.name) for each in fields(Switches)})

    def folded(self, name: str, quoted: bool) -> str:
        """The name as it is compared with others."""
        match self.identifiers:
            case "ignored":
                return name.casefold()
            case "lower":
                return name if quoted else name.lower()
            case "upper":
                return name if quoted else name.upper()
            case "kept":
                return name

    def stored(self, name: str, quoted: bool) -> str:
        """The name as schemas keep it: as it is written where case is ignored, else folded."""
        return name if self.identifiers == "ignored" else self.folded(name, quoted)

    def declared(self, name: str) -> str:
        """The name of a table or a column of a schema as it is compared: schemas hold names that are folded already."""
        return name.casefold() if self.identifiers == "ignored" else name


SPARK: Final = Dialect(
    name="spark",
    integer_division="exact",
    average_of_integers="exact",
    division_by_zero="error",
    null_order="smallest",
    identifiers="ignored",
    group_by_names=True,
    having_names=True,
    lateral_names=True,
    text_as_number=True,
    truth_as_number=False,
    comma_binds_weakest=False,
    enforces_keys=False,
    greatest_skips_null=True,
)
_STANDARD: Final = replace(
    SPARK,
    lateral_names=False,
    text_as_number=False,
    comma_binds_weakest=True,
    enforces_keys=True,
    greatest_skips_null=False,
)

DIALECTS: Final[dict[str, Dialect]] = {
    dialect.name: dialect
    for dialect in (
        SPARK,
        replace(SPARK, name="databricks"),
        replace(
            _STANDARD,
            name="postgres",
            decimal=None,
            identifiers="lower",
            integer_division="truncate",
            null_order="largest",
            having_names=False,
            greatest_skips_null=True,
        ),
        replace(_STANDARD, name="mysql", division_by_zero="null", text_as_number=True, truth_as_number=True),
        replace(
            _STANDARD, name="duckdb", decimal=(18, 3), null_order="last", lateral_names=True, greatest_skips_null=True
        ),
        replace(_STANDARD, name="bigquery", decimal=(38, 9), enforces_keys=False, comma_binds_weakest=False),
        replace(
            _STANDARD,
            name="snowflake",
            decimal=(38, 0),
            identifiers="upper",
            enforces_keys=False,
            null_order="largest",
            lateral_names=True,
            text_as_number=True,
        ),
        replace(
            _STANDARD,
            name="calcite",
            decimal=(19, 0),
            integer_division="truncate",
            average_of_integers="truncate",
            null_order="largest",
            group_by_names=False,
            having_names=False,
            text_as_number=True,
        ),
    )
}


def dialect_named(name: str) -> Dialect:
    """The dialect of that name; raises SourceError, which lists the names, if there is none."""
    if name not in DIALECTS:
        raise SourceError(f"there is no dialect {name!r}", "--dialect", hint=f"one of {', '.join(DIALECTS)}")
    return DIALECTS[name]
