"""Functions of one row on arguments of each kind, and casts between all types."""

from __future__ import annotations

from itertools import product
from typing import Final

from conformance.families import KINDS, Made, words

UNARY: Final = words("""
ABS SIGN FLOOR CEIL CEILING ROUND TRUNC TRUNCATE SQRT CBRT EXP LN LOG LOG2 LOG10 SIN COS TAN ASIN ACOS ATAN COT
DEGREES RADIANS NEGATIVE POSITIVE RINT BROUND UPPER UCASE LOWER LCASE LENGTH LEN CHAR_LENGTH CHARACTER_LENGTH
OCTET_LENGTH BIT_LENGTH STRLEN TRIM LTRIM RTRIM BTRIM REVERSE INITCAP ASCII ORD UNICODE CHR CHAR MD5 SHA SHA1 SHA256
HEX TO_HEX BIN QUOTE SOUNDEX SPACE YEAR MONTH DAY DAYOFMONTH DAYOFWEEK DAYOFYEAR WEEKDAY WEEK WEEKOFYEAR YEARWEEK
QUARTER HOUR MINUTE SECOND MICROSECOND DATE TO_DATE TO_TIMESTAMP TIMESTAMP DATETIME LAST_DAY DAYNAME MONTHNAME
UNIX_TIMESTAMP UNIX_DATE EPOCH TO_DAYS FROM_DAYS ISNULL ISNOTNULL ISNAN IS_NAN BIT_COUNT CRC32 TYPEOF NULLIFZERO
ZEROIFNULL COALESCE GREATEST LEAST CONCAT STRING INT BIGINT DOUBLE BOOLEAN DECIMAL TS_OR_DS_TO_DATE ISODOW ISOYEAR
CENTURY DECADE
""")
TEXT_AND_NUMBER: Final = words("""
LEFT RIGHT REPEAT LPAD RPAD SUBSTRING SUBSTR MID SPLIT_PART
""")
TEXTS: Final = words("""
CONCAT INSTR LOCATE POSITION STRPOS CONTAINS STARTS_WITH STARTSWITH ENDS_WITH ENDSWITH PREFIX SUFFIX LTRIM RTRIM BTRIM
TRIM CHARINDEX REGEXP_LIKE REGEXP_MATCHES REGEXP_FULL_MATCH REGEXP_COUNT REGEXP_INSTR REGEXP_SUBSTR REGEXP_EXTRACT
SPLIT LEVENSHTEIN STRCMP FIND_IN_SET
""")
NUMBERS: Final = words("""
POWER POW MOD PMOD LOG ATAN2 ROUND BROUND TRUNC TRUNCATE FLOOR CEIL DIV BITAND BITOR BITXOR GCD LCM
""")
TYPES: Final = words("""
INT INTEGER BIGINT SMALLINT TINYINT DECIMAL DECIMAL(10,2) DECIMAL(3,1) DECIMAL(5,0) NUMERIC(10,2) DOUBLE FLOAT REAL
VARCHAR(20) VARCHAR(2) CHAR(3) CHAR TEXT STRING DATE TIMESTAMP DATETIME TIMESTAMP(0) TIMESTAMP(3) TIMESTAMP_S
TIMESTAMP_NTZ TIME BOOLEAN SIGNED UNSIGNED HUGEINT
""")
CAST_OF: Final = {
    **KINDS,
    "digits": "'12'",
    "fraction": "'1.5'",
    "day": "'2000-01-31'",
    "moment": "'2000-01-31 01:02:03.5'",
    "word": "'true'",
    "number": "1.5",
}
OPERATOR_TYPES: Final = words("INT DECIMAL(10,2) VARCHAR(20) DATE TIMESTAMP BOOLEAN")


def functions() -> Made:
    """Calls of functions."""
    for name, (_kind, argument) in product(UNARY, KINDS.items()):
        yield name, f"= {name}({argument})"
    for name, (_kind, argument) in product(TEXT_AND_NUMBER, KINDS.items()):
        yield name, f"= {name}({argument}, 2)"
        yield name, f"= {name}(s, {argument})"
    for name, (_kind, argument) in product(TEXTS, KINDS.items()):
        yield name, f"= {name}({argument}, 'a')"
    for name, ((left, a), (right, b)) in product(NUMBERS, product(KINDS.items(), repeat=2)):
        if "integer" in (left, right) or left == right:
            yield name, f"= {name}({a}, {b})"


def casts() -> Made:
    """Casts of values of each kind to each type, as a function and as an operator."""
    for target, (_kind, value) in product(TYPES, CAST_OF.items()):
        yield f"cast to {target}", f"= CAST({value} AS {target})"
    for target, (_kind, value) in product(OPERATOR_TYPES, CAST_OF.items()):
        yield f":: to {target}", f"= {value}::{target}"
        yield f"try_cast to {target}", f"= TRY_CAST({value} AS {target})"
