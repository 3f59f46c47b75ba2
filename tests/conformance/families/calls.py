"""Aggregates on values of each kind, in each form; window functions, orders and frames."""

from __future__ import annotations

from itertools import product
from typing import Final

from conformance.families import KINDS, Made, words

PLAIN: Final = ["COUNT", "SUM", "AVG", "MIN", "MAX"]
NAMED: Final = words("""
MEAN STDDEV STD STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP BOOL_AND BOOL_OR EVERY SOME ANY ANY_VALUE FIRST LAST
FIRST_VALUE LAST_VALUE BIT_AND BIT_OR BIT_XOR STRING_AGG GROUP_CONCAT ARRAY_AGG COLLECT_LIST LISTAGG COUNT_IF COUNTIF
MEDIAN MODE APPROX_COUNT_DISTINCT PRODUCT SKEWNESS KURTOSIS TRY_SUM TOTAL
""")
OF_TWO: Final = words("""
CORR COVAR_POP COVAR_SAMP MAX_BY MIN_BY ARG_MAX ARG_MIN REGR_SLOPE REGR_COUNT COUNT STRING_AGG
""")
FORMS: Final = (
    "SELECT {}({}) AS q FROM t",
    "SELECT {}(DISTINCT {}) AS q FROM t",
    "SELECT {}(ALL {}) AS q FROM t",
    "SELECT a, {}({}) AS q FROM t GROUP BY a",
    "SELECT {}({}) AS q FROM t WHERE id > 100",
    "SELECT a, {}(DISTINCT {}) AS q FROM t GROUP BY a",
    "SELECT {}({}) FILTER (WHERE id > 2) AS q FROM t",
    "SELECT id, {}({}) OVER () AS q FROM t",
    "SELECT id, {}({}) OVER (PARTITION BY a) AS q FROM t",
    "SELECT id, {}({}) OVER (ORDER BY id) AS q FROM t",
    "SELECT id, {}({}) OVER (PARTITION BY a ORDER BY id DESC) AS q FROM t",
)
NAMED_FORMS: Final = (FORMS[1], FORMS[3], FORMS[4], FORMS[6], FORMS[7])
WIDTHS: Final = words("""
SUM({}) AVG({}) SUM({})/2 MAX({})/2 COUNT({})/2 SUM({})OVER() SUM(DISTINCT({})) {}/2 {}+1 -{} ABS({})
""")
RANKS: Final = words("""
ROW_NUMBER() RANK() DENSE_RANK() PERCENT_RANK() CUME_DIST() NTILE(2) LAG(a) LAG(a,2) LAG(a,1,0) LEAD(a) LEAD(a,2)
LEAD(s,1,'x') FIRST_VALUE(a) LAST_VALUE(a) NTH_VALUE(a,2) SUM(a) COUNT(*) MAX(b) AVG(b) COUNT(a) MIN(s)
""")
ORDERS: Final = (
    "ORDER BY id",
    "ORDER BY id DESC",
    "ORDER BY a, id",
    "ORDER BY b DESC, id",
    "ORDER BY s, id",
    "ORDER BY d, id",
    "ORDER BY a",
    "PARTITION BY a ORDER BY id",
    "PARTITION BY p ORDER BY b, id",
    "ORDER BY a NULLS FIRST, id",
    "ORDER BY a DESC NULLS LAST, id",
    "PARTITION BY a, b ORDER BY id",
    "PARTITION BY a % 2 ORDER BY id",
    "ORDER BY a + b, id",
    "ORDER BY p, id",
    "ORDER BY m DESC, id",
    "",
)
BOUNDS: Final = ("UNBOUNDED PRECEDING", "1 PRECEDING", "CURRENT ROW", "1 FOLLOWING", "UNBOUNDED FOLLOWING")
FRAMED: Final = ("SUM(id)", "COUNT(a)", "FIRST_VALUE(id)", "LAST_VALUE(id)")


def aggregates() -> Made:
    """Aggregate functions, and what is computed of them."""
    for name, (_, value), form in product(PLAIN, KINDS.items(), FORMS):
        yield name, form.format(name, value)
    for name, (kind, value) in product(NAMED, KINDS.items()):
        yield name, FORMS[0].format(name, value)
        if kind in ("integer", "boolean"):
            yield from ((name, form.format(name, value)) for form in NAMED_FORMS)
    for name, value in product(OF_TWO, KINDS.values()):
        yield f"{name} of two", f"SELECT {name}({value}, id) AS q FROM t"
        yield f"{name} of two", f"SELECT {name}(id, {value}) AS q FROM t"
    for name, operation in product(("n", "i", "w"), WIDTHS):
        yield f"widths {operation.format('')}", f"SELECT {operation.format(name)} AS q FROM g WHERE n = 7"


def windows() -> Made:
    """Window functions in each order, and frames."""
    for call, order in product(RANKS, ORDERS):
        yield f"window {call.split('(')[0]}", f"SELECT id, {call} OVER ({order}) AS q FROM t"
    for unit, start, end in product(("ROWS", "RANGE", "GROUPS"), BOUNDS, (*BOUNDS, None)):
        frame = f"{unit} {start}" if end is None else f"{unit} BETWEEN {start} AND {end}"
        for call in FRAMED if unit == "ROWS" else FRAMED[:1]:
            yield f"frame {unit}", f"SELECT id, {call} OVER (ORDER BY id {frame}) AS q FROM t"
        yield f"frame {unit} in ties", f"SELECT id, COUNT(*) OVER (ORDER BY b {frame}) AS q FROM t"
        yield f"frame {unit} down", f"SELECT id, SUM(id) OVER (ORDER BY a DESC {frame}) AS q FROM t"
    for exclusion in ("CURRENT ROW", "GROUP", "TIES", "NO OTHERS"):
        frame = f"ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE {exclusion}"
        yield "frame exclusion", f"SELECT id, SUM(id) OVER (ORDER BY a {frame}) AS q FROM t"
