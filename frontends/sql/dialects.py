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
from tallystick.core.queries.switches import Switches
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.calcite import Calcite

_NULL_ORDERINGS: Final = {"smallest": "nulls_are_small", "largest": "nulls_are_large", "last": "nulls_are_last"}
"""What parsers call an order of NULLs, by which they fill in NULLS FIRST."""


@dataclass(frozen=True)
class Dialect(Switches):
    """The meaning of SQL texts, by the name that users call it."""

    name: str
    decimal: tuple[int, int] | None = (10, 0)
    """The digits of a DECIMAL without sizes, and those after its point; None where it has room for all."""
    widest_integer: int | None = None
    """The bits of an integer at most: a larger constant, and the sum of the widest ones, is a DECIMAL; None where that
    is nowhere seen, since `/` is exact."""
    numeric_parts: bool = False
    """Whether EXTRACT makes a DECIMAL, not an integer."""
    rounded_to_double: frozenset[str] = frozenset()
    """Which of CEIL, FLOOR, ROUND and SIGN make a DOUBLE of an integer; of a DECIMAL, CEIL and FLOOR make one then."""
    nullif_converts: bool = False
    """Whether NULLIF has the common type of both sides, not that of the first."""
    doubles_round_to_even: bool = False
    """Whether ROUND rounds a DOUBLE that ends with .5 to an even number."""
    decimal_quotients: bool = False
    """Whether quotients and averages are DECIMALs, if no operand is a DOUBLE; else integers have DOUBLEs."""
    decimal_sums: bool = False
    """Whether a sum of integers is a DECIMAL without digits after its point, to which ROUND(sum, n) adds n."""
    decimal_powers: bool = False
    """Whether SQRT, POWER, LOG and their like of decimals are decimals."""
    double_quotients: bool = False
    """Whether all quotients and averages are DOUBLEs, and a cast of one to an integer rounds .5 to an even number."""
    decimal_exponents: bool = False
    """Whether 1e-1 is a DECIMAL; else it is a floating-point number."""
    decimal_points: bool = True
    """Whether 0.1 is a DECIMAL; else it is a floating-point number, as 1e-1 is."""
    casts_truncate: bool = False
    """Whether a cast of a decimal to an integer drops the digits after the point; else it rounds."""
    casts_saturate: bool = False
    """Whether a cast to a DECIMAL that is too small makes its largest number; else that is an error."""
    unsigned_bits: bool = False
    """Whether operations on bits give integers of 64 bits without a sign."""
    pads_texts: bool = True
    """Whether a column of type CHAR(n) is compared as if it were padded with blanks; else CHAR(n) is VARCHAR(n)."""
    compares_padding: bool = False
    """Whether comparisons see these blanks, but those of a column with another or a constant."""
    strips_padding: bool = False
    """Whether the values of such a column have no blanks at their end; else functions and patterns see them."""
    casts_cut: bool = False
    """Whether a cast to CHAR(n) or VARCHAR(n) drops what is too long; else n is ignored, or that is an error."""
    casts_pad: bool = False
    """Whether a cast to CHAR(n) pads with blanks."""
    days_before_texts: bool = False
    """Whether a cast of a text to a date ignores what follows a blank or a T."""
    shows_zeros: bool = True
    """Whether the text of a decimal shows zeros at its end, as many as its type has digits."""
    names_in_keys: bool = True
    """Whether an expression in ORDER BY sees the names of the SELECT list; else these stand there by themselves."""
    where_names: bool = False
    """Whether WHERE sees the names of the SELECT list, where they are no columns."""
    as_written: frozenset[str] = frozenset()
    """Functions whose calls the parser is to leave as they are written; see `formats.py`."""
    formats: Choice["java", "MySQL", "PostgreSQL", "Snowflake", "strftime"] = "strftime"
    """Whose letters formats of dates are written in."""
    years: tuple[int, int] | None = None
    """The first and the last year of a DATE or TIMESTAMP, if they are years that the calendar of Python has."""
    shows_zones: bool = False
    """Whether the text of a timestamp with a time zone shows the zone."""
    truncates_dates_to_zones: bool = False
    """Whether DATE_TRUNC makes a timestamp with a time zone of a date."""
    precision: int = 6
    """The digits of a second of a DATETIME without a precision."""
    timestamp_precision: int = 6
    """Those of a TIMESTAMP."""
    texts_take: Choice["types", "digits", "nothing"] = "types"
    """What a constant text takes of a number that it meets: its type, so that a fraction beside an integer is an error;
    its digits, too, so that it is rounded; or nothing: it is a number by itself."""
    casts_cut_seconds: bool = False
    """Whether a cast to TIMESTAMP(n) drops digits of a second; else it rounds."""
    moved_date: Choice["by its unit", "a timestamp"] = "by its unit"
    """What a date plus an interval is: a date if the unit is a day or longer, or always a timestamp."""
    scaled_days: bool = True
    """Whether an interval of days, multiplied, is one of days."""
    dates_as_numbers: bool = False
    """Whether a date in arithmetic is a number YYYYMMDD."""
    adds_texts: bool = False
    """Whether arithmetic on two texts is arithmetic on the numbers that they are; else it is an error."""
    texts_as_doubles: bool = False
    """Whether a text that meets a number is a DOUBLE."""
    mixed_values: Choice["numbers", "texts", "columns of texts"] = "numbers"
    """What CASE, COALESCE and UNION make of numbers beside texts: numbers, texts, or numbers, but texts in UNION."""
    sums_truth: bool = False
    """Whether COUNT_IF is a sum of ones and zeros: NULL where no condition is known; else it counts."""
    divides_decimals_whole: bool = True
    """Whether DIV and `//` round the quotient of decimals to an integer."""
    matches_any_case: bool = False
    """Whether LIKE ignores the case of letters, whatever the collation is; a pattern with letters is refused then."""
    decimals_may_be_integers: bool = False
    """Whether a decimal without a fraction is stored as an integer, whose quotients are whole."""
    trims_texts: bool = False
    """Whether TRIM removes a text of several characters as a whole; else each of its characters."""
    null_in_rows: Choice["unknown", "smallest", "largest"] = "unknown"
    """Whether a comparison with NULL in a row is unknown; else rows are structs, in whose order NULL has a place."""
    converts_rows: bool = True
    """Whether columns of rows that are compared are converted to common types; else they have the same types."""
    counts_rows: bool = False
    """Whether COUNT takes a row as one value, which is never NULL."""
    counts_columns: bool = False
    """Whether COUNT(DISTINCT a, b) counts pairs without NULL; else it has one argument."""
    groups_by_rows: bool = False
    """Whether GROUP BY (a, b) is GROUP BY a, b."""
    using_order: Choice["keys first", "keys first in tables", "left table", "outer table"] = "keys first"
    """Where `*` has the columns of USING: first; first in `t.*`, too; in place; or first as the table has them that a
    join keeps."""
    join_words: frozenset[str] = frozenset({"FULL"})
    """Which of FULL, SEMI and ANTI are words of joins; others are names of tables."""
    joins_without_on: Choice["none", "inner joins", "all"] = "none"
    """Which joins need no condition."""
    nests_joins: bool = True
    """Whether `a JOIN b JOIN c ON … ON …` joins b and c first."""
    refers_by_columns: bool = True
    """Whether REFERENCES behind a column is a foreign key; else it may be ignored, and FOREIGN KEY says one."""
    counters_have_values: bool = False
    """Whether a column with AUTO_INCREMENT, or AS IDENTITY, is NOT NULL."""

    engine: str = ""
    """The dialect of the engine that is asked what texts mean, if it is another one."""

    @property
    def evidence(self) -> str:
        """The name of the evidence for it; see `evidence`."""
        return self.engine or self.name

    @property
    def parser(self) -> Parser:
        """The parser of its texts."""
        parser = Calcite() if self.name == "calcite" else Parser.get_or_raise(self.name)
        vars(parser)["NULL_ORDERING"] = _NULL_ORDERINGS[self.null_order]  # of this parser alone
        return parser

    @property
    def by_manual(self) -> bool:
        """Whether no engine is at hand to be asked, so that what is read is what the manual lists."""
        return self.name in ("snowflake", "bigquery", "databricks", "calcite")

    @property
    def switches(self) -> Switches:
        """The switches alone."""
        return Switches(**{each.name: getattr(self, each.name) for each in fields(Switches)})

    def is_float(self, constant: str) -> bool:
        """Whether a number that is written so is a floating-point number."""
        by_exponent = "e" in constant.lower() and not self.decimal_exponents
        return by_exponent or ("." in constant and not self.decimal_points)

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
    compares_padding=True,
    casts_truncate=True,
    days_before_texts=True,
    years=(1, 9999),
    as_written=frozenset({"DATE_FORMAT", "TRUNC", "DATE_TRUNC", "DATEDIFF", "DATE_DIFF"}),
    formats="java",
    scaled_days=False,
    null_in_rows="smallest",
    converts_rows=False,
    counts_rows=True,
    counts_columns=True,
    using_order="keys first in tables",
    join_words=frozenset({"FULL", "SEMI", "ANTI"}),
    joins_without_on="all",
    nests_joins=False,
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
    collation="binary",
)
_STANDARD: Final = replace(
    SPARK,
    casts_truncate=False,
    days_before_texts=False,
    years=None,
    as_written=frozenset(),
    formats="strftime",
    scaled_days=True,
    null_in_rows="unknown",
    converts_rows=True,
    counts_rows=False,
    counts_columns=False,
    using_order="keys first",
    join_words=frozenset({"FULL"}),
    joins_without_on="none",
    nests_joins=True,
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
        replace(SPARK, name="databricks", years=None),
        replace(
            _STANDARD,
            name="postgres",
            compares_padding=False,
            names_in_keys=False,
            decimal=None,
            identifiers="lower",
            integer_division="truncate",
            null_order="largest",
            having_names=False,
            greatest_skips_null=True,
            widest_integer=64,
            numeric_parts=True,
            decimal_powers=True,
            rounded_to_double=frozenset({"CEIL", "FLOOR", "ROUND", "SIGN"}),
            nullif_converts=True,
            doubles_round_to_even=True,
            decimal_quotients=True,
            decimal_exponents=True,
            casts_cut=True,
            casts_pad=True,
            as_written=frozenset({"TO_CHAR"}),
            formats="PostgreSQL",
            shows_zones=True,
            truncates_dates_to_zones=True,
            moved_date="a timestamp",
            counts_rows=True,
            groups_by_rows=True,
            counters_have_values=True,
        ),
        replace(
            _STANDARD,
            name="mysql",
            refers_by_columns=False,
            counters_have_values=True,
            counts_columns=True,
            using_order="outer table",
            join_words=frozenset(),
            joins_without_on="inner joins",
            division_by_zero="null",
            text_as_number=True,
            truth_as_number=True,
            collation="any case",
            decimal_quotients=True,
            decimal_sums=True,
            doubles_round_to_even=True,
            casts_saturate=True,
            unsigned_bits=True,
            strips_padding=True,
            casts_cut=True,
            years=(1, 9999),
            as_written=frozenset({"DATE_FORMAT"}),
            formats="MySQL",
            precision=0,
            timestamp_precision=0,
            casts_cut_seconds=True,
            dates_as_numbers=True,
            adds_texts=True,
            texts_as_doubles=True,
            texts_take="nothing",
            mixed_values="texts",
            trims_texts=True,
        ),
        replace(
            _STANDARD,
            name="duckdb",
            null_in_rows="largest",
            counts_rows=True,
            groups_by_rows=True,
            using_order="left table",
            join_words=frozenset({"FULL", "SEMI", "ANTI"}),
            decimal=(18, 3),
            division_by_zero="infinite",
            null_order="last",
            lateral_names=True,
            greatest_skips_null=True,
            rounded_to_double=frozenset({"CEIL", "FLOOR"}),
            double_quotients=True,
            pads_texts=False,
            as_written=frozenset({"STRFTIME"}),
            texts_take="digits",
            shows_zones=True,
            moved_date="a timestamp",
            mixed_values="columns of texts",
            sums_truth=True,
            divides_decimals_whole=False,
        ),
        replace(
            _STANDARD,
            name="bigquery",
            decimal=(38, 9),
            decimal_points=False,
            shows_zeros=False,
            years=(1, 9999),
            enforces_keys=False,
            comma_binds_weakest=False,
            pads_texts=False,
            moved_date="a timestamp",
        ),
        replace(
            _STANDARD,
            name="snowflake",
            counts_columns=True,
            joins_without_on="inner joins",
            decimal=(38, 0),
            identifiers="upper",
            as_written=frozenset({"TO_CHAR", "TO_VARCHAR"}),
            texts_take="nothing",
            shows_zones=True,
            formats="Snowflake",
            enforces_keys=False,
            pads_texts=False,
            null_order="largest",
            lateral_names=True,
            where_names=True,
            text_as_number=True,
            adds_texts=True,
        ),
        replace(
            _STANDARD,
            name="calcite",
            timestamp_precision=0,
            counts_columns=True,
            groups_by_rows=True,
            join_words=frozenset({"FULL", "SEMI", "ANTI"}),
            adds_texts=True,
            decimal=(19, 0),
            casts_truncate=True,
            casts_cut=True,
            casts_pad=True,
            integer_division="truncate",
            average_of_integers="truncate",
            null_order="largest",
            group_by_names=False,
            having_names=False,
            text_as_number=True,
        ),
    )
}


def dialect_named(name: str, collation: str | None = None, option: str = "--dialect") -> Dialect:
    """The dialect of that name, with another collation if it is given.

    Raises SourceError, which names the option and lists the names, if there is none of the name.
    """
    if name not in DIALECTS:
        raise SourceError(f"there is no dialect {name!r}", option, hint=f"one of {', '.join(DIALECTS)}")
    if collation not in (None, "binary"):
        raise SourceError(f"there is no collation {collation!r}", "--collation", hint="binary")
    return DIALECTS[name] if collation is None else replace(DIALECTS[name], collation=collation)
