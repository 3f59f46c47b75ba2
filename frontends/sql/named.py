"""Functions that are known by their names: deterministic ones, with the types that manuals or engines say.

The parser leaves their calls as they are written, since it writes some anew and drops what was said: formats of dates,
positions and parameters of regular expressions. A call is a function of its arguments by its name and by the words in
it, such as units; when it is NULL is not known. Where the type of the result hangs on more than the name, it is OPAQUE:
a value that may be passed on, compared and given to other such functions.

Not listed is what is not deterministic: RANDOM, UUIDs, sequences, functions of approximate results, arrays in no order,
such as the keys of an object.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tallystick.core.queries.expressions import Expression, Literal
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    OPAQUE,
    REAL,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.sql.dialects import Dialect

_TYPES: Final = {
    "text": TEXT,
    "integer": INTEGER,
    "decimal": DECIMAL,
    "double": DOUBLE,
    "boolean": BOOLEAN,
    "date": DATE,
    "timestamp": TIMESTAMP,
    "opaque": OPAQUE,
}
_RESULTS: Final = {
    **dict.fromkeys(("VARCHAR", "TEXT", "STRING"), TEXT),
    **dict.fromkeys(("INT", "BIGINT"), INTEGER),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMPTZ"), TIMESTAMP),
    "decimal": DECIMAL,
    "DOUBLE": DOUBLE,
    "BOOLEAN": BOOLEAN,
    "DATE": DATE,
}
"""The types of values that types of engines have; those of others are OPAQUE."""

SNOWFLAKE: Final = """
    text: SPLIT_PART STRTOK REGEXP_SUBSTR REGEXP_REPLACE MD5 MD5_HEX SHA1 SHA1_HEX SHA2 SHA2_HEX BASE64_ENCODE
    text: BASE64_DECODE_STRING TRY_BASE64_DECODE_STRING HEX_ENCODE HEX_DECODE_STRING CONCAT_WS INSERT DAYNAME MONTHNAME
    text: AS_CHAR AS_VARCHAR
    text: ARRAY_TO_STRING TO_JSON SOUNDEX TYPEOF ST_ASTEXT ST_ASWKT ST_GEOHASH
    integer: REGEXP_COUNT REGEXP_INSTR ARRAY_SIZE ARRAY_POSITION EDITDISTANCE JAROWINKLER_SIMILARITY DAYOFWEEKISO
    integer: WEEKISO WEEKOFYEAR YEAROFWEEK YEAROFWEEKISO OCTET_LENGTH BIT_LENGTH UNICODE HASH CHARINDEX
    integer: AS_INTEGER
    integer: BITSHIFTLEFT BITSHIFTRIGHT FACTORIAL WIDTH_BUCKET ST_NPOINTS ST_SRID
    boolean: REGEXP_LIKE ARRAY_CONTAINS ARRAYS_OVERLAP IS_NULL_VALUE IS_ARRAY IS_OBJECT IS_INTEGER IS_VARCHAR
    boolean: AS_BOOLEAN
    boolean: TO_BOOLEAN TRY_TO_BOOLEAN ENDSWITH ST_CONTAINS ST_WITHIN ST_INTERSECTS ST_DWITHIN ST_COVERS
    date: TO_DATE/2 TRY_TO_DATE/2 DATE/2 DATE_FROM_PARTS DATEFROMPARTS NEXT_DAY PREVIOUS_DAY LAST_DAY/2
    timestamp: TO_TIMESTAMP TO_TIMESTAMP_NTZ TRY_TO_TIMESTAMP TRY_TO_TIMESTAMP_NTZ TIMESTAMP_FROM_PARTS
    timestamp: TIMESTAMP_NTZ_FROM_PARTS CONVERT_TIMEZONE/3
    decimal: TO_NUMBER TO_NUMERIC TO_DECIMAL TRY_TO_NUMBER TRY_TO_NUMERIC TRY_TO_DECIMAL
    double: TO_DOUBLE TRY_TO_DOUBLE HAVERSINE RADIANS DEGREES SIN COS TAN ASIN ACOS ATAN ATAN2 PI CBRT ST_DISTANCE
    double: ST_AREA ST_LENGTH ST_X ST_Y MONTHS_BETWEEN
    opaque: ARRAY_MAX ARRAY_MIN
    opaque: PARSE_JSON TRY_PARSE_JSON CHECK_JSON GET GET_PATH OBJECT_CONSTRUCT
    opaque: OBJECT_INSERT OBJECT_DELETE OBJECT_PICK ARRAY_CONSTRUCT ARRAY_CONSTRUCT_COMPACT ARRAY_CAT ARRAY_COMPACT
    opaque: ARRAY_SLICE ARRAY_APPEND ARRAY_PREPEND ARRAY_INSERT ARRAY_SORT SPLIT STRTOK_TO_ARRAY PARSE_IP PARSE_URL
    opaque: TO_VARIANT TO_ARRAY TO_OBJECT TO_BINARY TO_TIME TIME TRY_TO_TIME MD5_BINARY SHA1_BINARY SHA2_BINARY
    opaque: BASE64_DECODE_BINARY TO_TIMESTAMP_LTZ TO_TIMESTAMP_TZ TRY_TO_TIMESTAMP_LTZ TRY_TO_TIMESTAMP_TZ
    opaque: CONVERT_TIMEZONE/2 TIME_SLICE TO_GEOGRAPHY TO_GEOMETRY ST_MAKEPOINT ST_POINT ST_GEOGRAPHYFROMWKT
    opaque: ST_ASGEOJSON XMLGET PARSE_XML H3_LATLNG_TO_CELL H3_LATLNG_TO_CELL_STRING
"""
"""Functions of Snowflake, after the page of each below `/sql-reference/functions` in its manual."""

BIGQUERY: Final = """
    text: TO_HEX TO_BASE64 TO_BASE32 REGEXP_EXTRACT REGEXP_SUBSTR REGEXP_REPLACE FORMAT FORMAT_DATE FORMAT_TIMESTAMP
    text: FORMAT_DATETIME FORMAT_TIME JSON_EXTRACT_SCALAR JSON_VALUE TO_JSON_STRING ARRAY_TO_STRING
    text: NORMALIZE_AND_CASEFOLD SAFE_CONVERT_BYTES_TO_STRING SOUNDEX STRING CODE_POINTS_TO_STRING
    text: ST_ASTEXT ST_GEOHASH ST_ASGEOJSON JSON_TYPE
    integer: TIMESTAMP_DIFF:2 DATETIME_DIFF:2 TIME_DIFF:2 UNIX_SECONDS UNIX_MILLIS UNIX_MICROS UNIX_DATE
    integer: FARM_FINGERPRINT ARRAY_LENGTH INSTR BYTE_LENGTH OCTET_LENGTH UNICODE ASCII RANGE_BUCKET EDIT_DISTANCE
    integer: REGEXP_INSTR BIT_COUNT ST_NUMPOINTS ST_NPOINTS
    boolean: REGEXP_CONTAINS ENDS_WITH CONTAINS_SUBSTR IS_NAN IS_INF ST_CONTAINS ST_WITHIN ST_INTERSECTS ST_DWITHIN
    boolean: ST_COVERS ST_COVEREDBY ST_EQUALS ST_TOUCHES ST_DISJOINT ST_ISEMPTY
    date: PARSE_DATE DATE_FROM_UNIX_DATE DATE/2 DATE/3 LAST_DAY:1/2
    timestamp: PARSE_TIMESTAMP PARSE_DATETIME TIMESTAMP_SECONDS TIMESTAMP_MILLIS TIMESTAMP_MICROS DATETIME TIMESTAMP
    timestamp: TIMESTAMP_TRUNC:1/3
    opaque: MD5 SHA1 SHA256 SHA512 FROM_BASE64 FROM_BASE32 FROM_HEX JSON_QUERY JSON_EXTRACT JSON_EXTRACT_ARRAY
    opaque: JSON_QUERY_ARRAY JSON_VALUE_ARRAY JSON_EXTRACT_STRING_ARRAY PARSE_JSON TO_JSON SPLIT ARRAY_CONCAT
    opaque: ARRAY_REVERSE ARRAY_FIRST ARRAY_LAST ARRAY_SLICE GENERATE_ARRAY GENERATE_DATE_ARRAY GENERATE_TIMESTAMP_ARRAY
    opaque: REGEXP_EXTRACT_ALL TO_CODE_POINTS PARSE_TIME TIME BOOL INT64 FLOAT64 LAX_STRING LAX_INT64 LAX_BOOL
    opaque: LAX_FLOAT64 ST_GEOGPOINT ST_GEOGFROMTEXT ST_GEOGFROMGEOJSON ST_GEOGFROM ST_MAKELINE ST_BUFFER
    opaque: ST_SIMPLIFY ST_UNION ST_INTERSECTION ST_DIFFERENCE ST_CENTROID ST_CONVEXHULL ST_BOUNDARY ST_CLOSESTPOINT
    opaque: ST_STARTPOINT ST_ENDPOINT ST_POINTN ST_MAKEPOLYGON ST_BOUNDINGBOX S2_CELLIDFROMPOINT TRUNC
    double: ST_DISTANCE ST_X ST_Y ST_LENGTH ST_AREA ST_PERIMETER SIN COS TAN ASIN ACOS ATAN ATAN2 CBRT ACOSH COSH SINH
    double: TANH IEEE_DIVIDE
"""
"""Functions of BigQuery, after the pages below `/standard-sql/functions-all` in its manual."""


DUCKDB: Final = """
    VARCHAR: CONCAT_WS/sa+ DAYNAME/t MONTHNAME/t SHA1/s SHA256/s STRIP_ACCENTS/s URL_DECODE/s URL_ENCODE/s
    VARCHAR: ARRAY_TO_STRING/os JSON_EXTRACT_STRING/sj JSON_EXTRACT_STRING/oj JSON_VALUE/sj JSON_VALUE/oj
    BIGINT: BIT_LENGTH/s EPOCH_MS/m EPOCH_US/m HAMMING/ss ISODOW/t ISOYEAR/t LEVENSHTEIN/ss STRLEN/s WEEKDAY/t
    BIGINT: YEARWEEK/t
    DOUBLE: ACOS/n ASIN/n ATAN/n ATAN2/nn CBRT/n COS/n DEGREES/n EPOCH/m JACCARD/ss JARO_SIMILARITY/ss
    DOUBLE: JARO_WINKLER_SIMILARITY/ss PI/ RADIANS/n SIN/n TAN/n
    BOOLEAN: ISFINITE/f ISINF/f ISNAN/f JSON_VALID/s LIST_CONTAINS/oa ARRAY_CONTAINS/oa REGEXP_FULL_MATCH/ss
    DATE: MAKE_DATE/iii
    TIMESTAMP: MAKE_TIMESTAMP/iiiiin STRPTIME/sp TRY_STRPTIME/sp
    TIMESTAMPTZ: TO_TIMESTAMP/n
    VARCHAR[]: REGEXP_EXTRACT_ALL/ss REGEXP_SPLIT_TO_ARRAY/ss SPLIT/ss STRING_SPLIT/ss STRING_TO_ARRAY/ss STR_SPLIT/ss
    JSON: JSON_EXTRACT/sj JSON_EXTRACT/oj TO_JSON/a
    opaque: LIST_VALUE/a+ LIST_CONCAT/oo LIST_SORT/o
"""
"""Functions of DuckDB, with the types that the engine has of results and arguments: see `Known.kinds`."""

POSTGRES: Final = """
    TEXT: CONCAT_WS/sa+ FORMAT/sa+ QUOTE_LITERAL/s REGEXP_REPLACE/sss REGEXP_REPLACE/ssss REGEXP_SUBSTR/ss
    TEXT: ARRAY_TO_STRING/os JSONB_TYPEOF/o JSON_TYPEOF/o
    INT: ARRAY_LENGTH/oi BIT_LENGTH/s CARDINALITY/o OCTET_LENGTH/s REGEXP_COUNT/ss REGEXP_INSTR/ss
    INT: JSONB_ARRAY_LENGTH/o JSON_ARRAY_LENGTH/o
    decimal: TO_NUMBER/ss
    DOUBLE: ACOS/n ASIN/n ATAN/n ATAN2/nn CBRT/n COS/n DEGREES/n PI/ RADIANS/n SIN/n TAN/n
    DATE: MAKE_DATE/iii TO_DATE/ss
    TIMESTAMP: MAKE_TIMESTAMP/iiiiin
    TIMESTAMPTZ: TO_TIMESTAMP/ss TO_TIMESTAMP/n
    TEXT[]: REGEXP_MATCH/ss REGEXP_SPLIT_TO_ARRAY/ss STRING_TO_ARRAY/ss
    JSON: JSON_BUILD_ARRAY/a+ JSON_BUILD_OBJECT/sa JSON_BUILD_OBJECT/sasa JSON_BUILD_OBJECT/sasasa TO_JSON/a
    JSONB: JSONB_BUILD_ARRAY/a+ JSONB_BUILD_OBJECT/sa JSONB_BUILD_OBJECT/sasa JSONB_BUILD_OBJECT/sasasa TO_JSONB/a
    opaque: ARRAY_APPEND/oa ARRAY_CAT/oo ARRAY_PREPEND/ao ARRAY_REMOVE/oa
"""
"""Functions of PostgreSQL, with the types that the engine has of results and arguments."""

SPARK: Final = """
    STRING: ARRAY_JOIN/os CONCAT_WS/ss CONCAT_WS/so CONCAT_WS/sss+ CONV/sii DAYNAME/t FORMAT_NUMBER/ni FROM_UNIXTIME/i
    STRING: FROM_UNIXTIME/is GET_JSON_OBJECT/ss HEX/i MONTHNAME/t SHA/s SHA1/s SHA2/si SOUNDEX/s SUBSTRING_INDEX/ssi
    STRING: TO_JSON/o URL_DECODE/s URL_ENCODE/s REGEXP_SUBSTR/ss
    INT: ARRAY_SIZE/o BIT_COUNT/i BIT_LENGTH/s CARDINALITY/o FIND_IN_SET/ss HASH/a+ LEVENSHTEIN/ss OCTET_LENGTH/s
    INT: REGEXP_COUNT/ss REGEXP_INSTR/ss SIZE/o UNIX_DATE/d WEEKDAY/t
    BIGINT: ARRAY_POSITION/oa CRC32/s UNIX_MICROS/m UNIX_MILLIS/m UNIX_SECONDS/m UNIX_TIMESTAMP/ss UNIX_TIMESTAMP/ts
    DOUBLE: ACOS/n ASIN/n ATAN/n ATAN2/nn CBRT/n COS/n DEGREES/n E/ EXPM1/n HYPOT/nn LOG1P/n PI/ RADIANS/n SIN/n TAN/n
    BOOLEAN: ARRAYS_OVERLAP/oo ARRAY_CONTAINS/oa ISNAN/f
    DATE: DATE_FROM_UNIX_DATE/i MAKE_DATE/iii NEXT_DAY/ds TO_DATE/ss
    TIMESTAMP: FROM_UTC_TIMESTAMP/ts FROM_UTC_TIMESTAMP/ss TIMESTAMP_MICROS/i TIMESTAMP_MILLIS/i TIMESTAMP_SECONDS/n
    TIMESTAMP: TO_TIMESTAMP/ss TO_UTC_TIMESTAMP/ts TO_UTC_TIMESTAMP/ss TRY_TO_TIMESTAMP/ss
    ARRAY<STRING>: SPLIT/ss SPLIT/ssi
    opaque: ARRAY/a+ ARRAY_DISTINCT/o ARRAY_EXCEPT/oo ARRAY_INTERSECT/oo ARRAY_REMOVE/oa ARRAY_SORT/o ARRAY_UNION/oo
    opaque: FLATTEN/o FROM_JSON/ss MAP/aa MAP/aaaa MAP_FROM_ARRAYS/oo MAP_FROM_ENTRIES/o MAP_KEYS/o MAP_VALUES/o
    opaque: SEQUENCE/ii SEQUENCE/iii SEQUENCE/dd SEQUENCE/mm SEQUENCE/ddv SEQUENCE/mmv SLICE/oii SORT_ARRAY/o
    opaque: SORT_ARRAY/ob
"""
"""Functions of Spark, with the types that the engine has of results and arguments."""

KINDS: Final = {
    "s": (TEXT,),
    "p": (TEXT,),
    "j": (TEXT,),
    "i": (INTEGER,),
    "f": (REAL, DOUBLE),
    "n": (INTEGER, DECIMAL, REAL, DOUBLE),
    "b": (BOOLEAN,),
    "d": (DATE,),
    "m": (TIMESTAMP,),
    "t": (DATE, TIMESTAMP),
    "v": (MONTHS, MICROSECONDS),
    "o": (OPAQUE,),
    "a": (TEXT, INTEGER, DECIMAL, REAL, DOUBLE, BOOLEAN, DATE, TIMESTAMP, OPAQUE),
}
"""The types of arguments by letters; `p` is a constant pattern without a time zone, whose moments have none;
`j` is a constant path without a wildcard, of which there is a list of values."""

WITHOUT: Final = {"p": re.compile("%z"), "j": re.compile(r"[*]|[.][.]")}
"""What constant texts of some letters have not."""


@dataclass(frozen=True)
class Known:
    """What is known of a function.

    Attributes:
        result: the type of its values.
        word: which argument is a word, such as a unit.
        kinds: the types of arguments that it was compared with, a letter of `KINDS` for each; of the last, and of all
            after it, where a `+` stands behind. None for functions of manuals.
        exact: the type that the engine has of the result; "" where it hangs on the arguments, or is not asked.
    """

    result: SqlType
    word: int | None = None
    kinds: tuple[str, ...] | None = None
    exact: str = ""

    def takes(self, values: Sequence[Expression], constants: Sequence[str | None]) -> bool:
        """Whether it was compared with arguments of such types; `constants` are the texts that arguments are."""
        return self.kinds is None or any(
            all(
                value.type in KINDS[letter]
                and not (isinstance(value, Literal) and value.value is None)
                and (letter not in WITHOUT or (text is not None and not WITHOUT[letter].search(text.lower())))
                for letter, value, text in zip(_letters(each, len(values)), values, constants, strict=True)
            )
            for each in self.kinds
            if len(_letters(each, len(values))) == len(values)
        )


def _letters(kinds: str, count: int) -> str:
    return kinds[:-1] + kinds[-2] * (count + 1 - len(kinds)) if kinds.endswith("+") else kinds


def _table(text: str) -> dict[tuple[str, int | None], Known]:
    """From lines of a type and names: `NAME:2` has a word for its third argument, `NAME/3` is a call of three."""
    found = {}
    for line in text.split("\n"):
        kind, _, names = line.strip().partition(": ")
        for each in names.split():
            head, _, count = each.partition("/")
            name, _, word = head.partition(":")
            found[name, int(count) if count else None] = Known(_TYPES[kind], int(word) if word else None)
    return found


def _compared(text: str) -> dict[tuple[str, int | None], Known]:
    """From lines of a type and calls: `NAME/kinds`."""
    found: dict[tuple[str, int | None], Known] = {}
    for line in text.split("\n"):
        exact, _, calls = line.strip().partition(": ")
        for each in calls.split():
            name, _, kinds = each.partition("/")
            key = name, None if kinds.endswith("+") else len(kinds)
            before = found[key].kinds if key in found else ()
            own = "" if exact in ("opaque", "decimal") else exact
            found[key] = Known(_RESULTS.get(exact, OPAQUE), None, (*(before or ()), kinds), own)
    return found


LISTED: Final = {"snowflake": _table(SNOWFLAKE), "bigquery": _table(BIGQUERY)}
"""The functions of dialects that their manuals list, which is evidence for them."""
COMPARED: Final = {"duckdb": _compared(DUCKDB), "postgres": _compared(POSTGRES), "spark": _compared(SPARK)}
"""Those of engines that can be asked (`tests/conformance/test_named_functions.py`)."""
NAMED: Final = {**LISTED, **COMPARED, "databricks": COMPARED["spark"]}
"""The functions of dialects, by their names and by the number of arguments, None for any number."""


def known(dialect: Dialect, name: str, count: int) -> Known | None:
    """What is known of a call of so many arguments; None if it is on no list."""
    table = NAMED.get(dialect.name, {})
    return table.get((name, count)) or table.get((name, None))
