"""Dates and moments: each part and unit, as each function spells it."""

from __future__ import annotations

from itertools import product
from typing import Final

from conformance.families import Made, words

PARTS: Final = words("""
YEAR YEARS YR YYYY QUARTER QTR Q MONTH MONTHS MON MM WEEK WEEKS W DAY DAYS D DD DAYOFMONTH HOUR HOURS HR HH MINUTE MIN
MI SECOND SECONDS SEC S MILLISECOND MILLISECONDS MICROSECOND MICROSECONDS DOW DAYOFWEEK ISODOW DAYOFWEEK_ISO DOY
DAYOFYEAR ISOYEAR YEAROFWEEK DECADE CENTURY MILLENNIUM EPOCH JULIAN YEAR_MONTH DAY_HOUR
""")
SHAPES: Final = (
    "EXTRACT({} FROM d)",
    "EXTRACT({} FROM ts)",
    "DATE_PART('{}', d)",
    "DATE_PART('{}', ts)",
    "DATEPART({}, d)",
    "DATE_TRUNC('{}', d)",
    "DATE_TRUNC('{}', ts)",
    "TRUNC(d, '{}')",
    "TRUNC(ts, '{}')",
)
UNITS: Final = words("""
YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND MICROSECOND YEARS MONTHS DAYS
""")
WITH_UNITS: Final = (
    "d + INTERVAL '1' {}",
    "d - INTERVAL '1' {}",
    "ts + INTERVAL '1' {}",
    "ts - INTERVAL '2' {}",
    "INTERVAL '1' {} + ts",
    "ts + INTERVAL 1 {}",
    "d + INTERVAL 1 {}",
    "d + INTERVAL '1 {}'",
    "ts + INTERVAL '-1' {}",
    "d + INTERVAL (a) {}",
    "d + INTERVAL a {}",
    "DATE_ADD(d, INTERVAL 1 {})",
    "DATE_ADD(ts, INTERVAL 1 {})",
    "DATE_SUB(d, INTERVAL 1 {})",
    "DATE_SUB(ts, INTERVAL '1' {})",
    "DATEADD({}, 1, d)",
    "DATEADD({}, a, ts)",
    "TIMESTAMPADD({}, 1, ts)",
    "TIMESTAMPDIFF({}, d, ts)",
    "DATEDIFF({}, d, ts)",
    "DATEDIFF('{}', d, DATE '2001-01-01')",
    "DATE_DIFF('{}', d, ts)",
)


def times() -> Made:
    """Parts of dates, and what moves them."""
    for part, shape in product(PARTS, SHAPES):
        text = shape.format(part if shape.startswith(("EXTRACT", "DATEPART")) else part.lower())
        yield f"{shape.split('(')[0].lower()} {part}", f"= {text}"
        if "'{}'" in shape:
            yield f"{shape.split('(')[0].lower()} {part}", f"= {shape.format(part)}"
    for unit, shape in product(UNITS, WITH_UNITS):
        yield f"unit {unit} in {shape.split('(')[0].split(' ')[0].lower()}", f"= {shape.format(unit)}"
