"""Dialects of SQL: which parser reads them, and the named switches in which their meanings differ.

A switch is part of the claim of a verdict: a pair may be equivalent in one dialect and not in another. What is not a
switch means the same in all dialects, or is refused. Sources: the reference manuals of Spark 4 (ANSI mode, its
default), Databricks, PostgreSQL, MySQL 8, DuckDB, BigQuery, Snowflake and Apache Calcite.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final
from typing import Literal as Choice

from sqlglot.dialects.dialect import Dialect as Parser
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.calcite import Calcite

Folding = Choice["ignored", "lower", "upper", "kept"]


@dataclass(frozen=True)
class Dialect:
    """The meaning of SQL texts.

    Attributes:
        name: what users call it.
        integer_division: what `/` of two integers is: the exact quotient, or the quotient rounded towards zero.
        average_of_integers: likewise for AVG.
        division_by_zero: whether it is an error or NULL.
        null_order: whether NULL counts as smaller than all values, as larger, or comes last in either direction.
        identifiers: whether the case of names is ignored, folded to lower or upper case unless quoted, or kept.
        group_by_names: whether GROUP BY understands positions and names of the SELECT list.
        having_names: whether HAVING understands names of the SELECT list.
        lateral_names: whether a later item of the SELECT list sees the names of earlier ones.
        text_as_number: whether a text that meets a number is converted to one; else that is an error.
        truth_as_number: whether a truth value that meets a number is 0 or 1; else that is an error.
        comma_binds_weakest: whether `a, b RIGHT JOIN c` joins b with c first.
        enforces_keys: whether keys, foreign keys and checks hold in every database; else they are assumed.
        greatest_skips_null: whether GREATEST and LEAST skip NULL; else one NULL makes them NULL.
    """

    name: str
    integer_division: Choice["exact", "truncate"]
    average_of_integers: Choice["exact", "truncate"]
    division_by_zero: Choice["error", "null"]
    null_order: Choice["smallest", "largest", "last"]
    identifiers: Folding
    group_by_names: bool
    having_names: bool
    lateral_names: bool
    text_as_number: bool
    truth_as_number: bool
    comma_binds_weakest: bool
    enforces_keys: bool
    greatest_skips_null: bool

    @property
    def parser(self) -> Parser:
        """The parser of its texts."""
        return Calcite() if self.name == "calcite" else Parser.get_or_raise(self.name)

    @property
    def switches(self) -> dict[str, str]:
        """The switches and their positions, as text, in the order of the attributes."""
        positions = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "name"}
        return {name: {True: "on", False: "off"}.get(value, str(value)) for name, value in positions.items()}

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
            identifiers="lower",
            integer_division="truncate",
            null_order="largest",
            having_names=False,
            greatest_skips_null=True,
        ),
        replace(_STANDARD, name="mysql", division_by_zero="null", text_as_number=True, truth_as_number=True),
        replace(_STANDARD, name="duckdb", null_order="last", lateral_names=True, greatest_skips_null=True),
        replace(_STANDARD, name="bigquery", enforces_keys=False, comma_binds_weakest=False),
        replace(
            _STANDARD,
            name="snowflake",
            identifiers="upper",
            enforces_keys=False,
            null_order="largest",
            lateral_names=True,
            text_as_number=True,
        ),
        replace(
            _STANDARD,
            name="calcite",
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
