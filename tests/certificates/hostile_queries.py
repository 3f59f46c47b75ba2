"""Hostile certificates about queries: bombs of sharing and depth, large values, names, catalogues, and false claims."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Farkas, Step
from tallystick.certificates.queries.certificates import Inequivalence, Witness
from tallystick.certificates.queries.proofs import Equivalence
from tallystick.certificates.rules.bag import Bag
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import AggregateCall, Frame, OrderKey, WindowCall
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Comparison,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
    Reference,
    ScalarSubquery,
)
from tallystick.core.queries.syntax import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Values,
    Window,
    reference,
)
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT, ColumnType
from tallystick.frontends.sql.dialects import SPARK

from certificates.test_codec import laid_out

T = Table("t", (Column("a", INTEGER), Column("s", TEXT), Column("n", INTEGER, False)))
SCAN = T.scan()
A, S, N = (reference(SCAN, index) for index in range(3))
TRUE = Literal(True, BOOLEAN)
ROW = (1, "a", 2)


def claimed(left: Query, right: Query, result: Step | Witness, *tables: Table) -> bytes:
    """A claim about two queries over `t` or other tables."""
    statements = [Statement(query, ("x",)) for query in (left, right)]
    claim = (
        Catalogue(tables or (T,)),
        statements[0],
        statements[1],
        (),
        "spark",
        SPARK.switches,
        tuple(Assumption),
        "sql",
        ("", ""),
        (),
    )
    made = Inequivalence(*claim, result) if isinstance(result, Witness) else Equivalence(*claim, result)
    return encode(made)


NOTHING = Step(Bag((), ()), ())


def equal(left: Query, right: Query = SCAN) -> bytes:
    """Both are claimed to be equal, by nothing."""
    return claimed(left, right, NOTHING)


def different(left: Query, right: Query, *rows: tuple[Any, ...]) -> bytes:
    """They are claimed to differ on some rows of `t`."""
    return claimed(left, right, Witness((rows or (ROW,),)))


def over(expression: Expression) -> Query:
    return Project(SCAN, (expression,))


def repeated(start: Any, step: Callable[[Any], Any], times: int) -> Any:
    for _ in range(times):
        start = step(start)
        _ = start.free, getattr(start, "nullable", None)  # from the leaves on, so that nothing recurs far
    return start


def doubled(expression: Expression) -> Expression:
    return And((expression, expression))


def one_column(query: Query) -> Query:
    return Project(query, (reference(query, 0),))


def joined(query: Query) -> Query:
    return Join("inner", query, query, TRUE)


def full(query: Query) -> Query:
    sides = (Reference(0, index, query.columns[0].type, query.columns[0].nullable) for index in range(2))
    return one_column(Join("full", query, query, Comparison("=", *sides)))


def unions(query: Query) -> Query:
    return SetOperation("union", True, query, query)


def squared(expression: Expression) -> Expression:
    return Arithmetic("*", expression, expression)


def concatenated(expression: Expression) -> Expression:
    return Function("||", (expression, expression), TEXT, True)


def coalesced(expression: Expression) -> Expression:
    return Case(((Not(IsNull(expression)), expression),), expression)


POSITIVE = Comparison("<", N, Literal(0, INTEGER))
HUGE = Literal(10**299, INTEGER)
MANY = tuple((number, "a", number) for number in range(9_000))
TWO = Values(((1,), (2,)), (ColumnType(INTEGER, False),))


def running(unit: Any) -> Query:
    call = WindowCall(AggregateCall("sum", (N,)), (), (OrderKey(N, False, True),), Frame(unit, -(10**9), 10**9))
    window = Window(SCAN, (call,))
    return Project(window, (reference(window, 3),))


def grouped(keys: int, sets: int) -> Query:
    every = tuple(range(keys))
    return Aggregate(SCAN, (N,) * keys, (AggregateCall("count"),), (every,) * sets)


def with_document(change: Callable[[dict[str, Any]], None]) -> bytes:
    document = json.loads(equal(SCAN))
    change(document)
    return laid_out(document)


def syntax(*rows: Any) -> bytes:
    """The queries are nodes of a table of their own."""

    def change(document: dict[str, Any]) -> None:
        document["syntax"] = list(rows)
        document["left"][1] = document["right"][1] = len(rows) - 1

    return with_document(change)


def catalogue(*tables: Any) -> bytes:
    return with_document(lambda document: document.update(catalogue=["Catalogue", list(tables)]))


COLUMN = ["Column", "a", "integer", True]
LIKE_ALL = Function("LIKE", (S, Literal("%a" * 2_000 + "b", TEXT)), BOOLEAN, True)
TEXT_ROW = (1, "a" * 9_000, 2)
CYCLE = [
    ["Table", "r", [COLUMN], [[0]], [["ForeignKey", [0], "s", [0]]], []],
    ["Table", "s", [COLUMN], [[0]], [["ForeignKey", [0], "r", [0]]], []],
]
WRONG = Filter(SCAN, Comparison("=", A, Literal(1, INTEGER)))
QUERIES: dict[str, bytes] = {
    "filters 300 deep": equal(repeated(SCAN, lambda query: Filter(query, POSITIVE), 300)),
    "filters 2,000 deep": syntax(
        ["Scan", "t", [["ColumnType", "integer", False]]],
        ["Literal", True, "boolean"],
        *(["Filter", number - 1 if number > 2 else 0, 1] for number in range(2, 2_002)),
    ),
    "negations 300 deep": equal(Filter(SCAN, repeated(POSITIVE, Not, 300))),
    "negations 300 deep, evaluated": different(Filter(SCAN, repeated(POSITIVE, Not, 300)), Filter(SCAN, POSITIVE)),
    "a conjunction of 2^150": equal(Filter(SCAN, repeated(POSITIVE, doubled, 150))),
    "a conjunction of 2^150, evaluated": different(Filter(SCAN, repeated(POSITIVE, doubled, 150)), SCAN),
    "a check of 2^150": claimed(
        SCAN, SCAN, NOTHING, Table(T.name, T.columns, checks=(repeated(POSITIVE, doubled, 150),))
    ),
    "a check of 2^150, evaluated": claimed(
        SCAN, SCAN, Witness(((ROW,),)), Table(T.name, T.columns, checks=(repeated(POSITIVE, doubled, 150),))
    ),
    "a value by cases of 3^60": equal(over(repeated(A, coalesced, 60)), over(A)),
    "a value by cases of 3^60, evaluated": different(over(repeated(A, coalesced, 60)), over(A)),
    "a join of 2^9 tables": equal(repeated(SCAN, joined, 9)),
    "a join of 2^60 tables": equal(repeated(over(A), lambda query: one_column(joined(query)), 60), over(A)),
    "a join of 2^60 tables, evaluated": different(
        repeated(over(A), lambda query: one_column(joined(query)), 60), over(A), ROW, ROW
    ),
    "full joins 12 deep": equal(repeated(over(N), full, 12), over(N)),
    "a union of 2^150 tables": equal(repeated(SCAN, unions, 150)),
    "a union of 2^150 tables, evaluated": different(repeated(SCAN, unions, 150), SCAN),
    "a subquery in a subquery, 80 deep": equal(
        over(repeated(A, lambda inner: ScalarSubquery(Project(SCAN, (inner,))), 80)), over(A)
    ),
    "squares 200 deep": equal(over(repeated(HUGE, squared, 200)), over(A)),
    "squares 200 deep, evaluated": different(over(repeated(HUGE, squared, 200)), over(A)),
    "squares of a column 30 deep": equal(over(repeated(A, squared, 30)), over(A)),
    "texts that double": different(over(repeated(S, concatenated, 100)), over(S)),
    "a pattern of 2,000 parts": different(over(LIKE_ALL), over(LIKE_ALL), TEXT_ROW),
    "rounding to 10^9 digits": different(
        over(Function("ROUND", (Literal(Fraction(1, 3), DECIMAL), Literal(10**9, INTEGER)), DECIMAL, True)),
        over(Literal(Fraction(1), DECIMAL)),
    ),
    "a frame of all rows, by rows": different(running("rows"), running("groups"), *MANY),
    "a frame of all rows, by differences": different(running("range"), running("range"), *MANY),
    "300 grouping sets of 300 keys": equal(grouped(300, 300), grouped(300, 300)),
    "a key of 9,000 rows": claimed(SCAN, SCAN, Witness((MANY,)), Table(T.name, T.columns, keys=((2,), (0, 2)))),
    "a foreign key of 9,000 rows": claimed(
        SCAN, SCAN, Witness((MANY,)), Table(T.name, T.columns, ((2,),), (ForeignKey((2,), "t", (2,)),))
    ),
    "a foreign key of 9,000 rows to nothing": claimed(
        SCAN,
        WRONG,
        Witness(((*MANY, (-1, "a", 10**6)),)),
        Table(T.name, T.columns, ((2,),), (ForeignKey((0,), "t", (2,)),) * 50),
    ),
    "constants of 300 digits, evaluated": different(Filter(SCAN, Comparison("<", A, HUGE)), SCAN),
    "equal queries that differ": different(SCAN, SCAN),
    "different queries that are equal": equal(WRONG),
    "different queries that are equal, by a contradiction": claimed(
        WRONG, SCAN, Step(Bag((), ()), (Farkas(((0, 1),)),) * 3)
    ),
    "different queries that are one term": claimed(WRONG, SCAN, Step(Reflexive())),
    "a limit among ties": different(Limit(over(A), (), 1), over(Literal(7, INTEGER)), ROW, (2, "a", 2)),
    "a table of another shape": claimed(SCAN, SCAN, Step(Reflexive()), Table("t", T.columns[:1])),
    "no table": with_document(lambda document: document.update(catalogue=["Catalogue", []])),
    "two tables of one name": catalogue(*[["Table", "t", [COLUMN], [], [], []]] * 2),
    "foreign keys in a cycle, by nothing": catalogue(*CYCLE),
    "a foreign key to nowhere": catalogue(["Table", "t", [COLUMN], [], [["ForeignKey", [0], "u", [0]]], []]),
    "a key of a column that is not there": catalogue(["Table", "t", [COLUMN], [[7]], [], []]),
    "a foreign key of two columns to one": catalogue(
        ["Table", "t", [COLUMN, COLUMN], [], [["ForeignKey", [0, 1], "t", [0]]], []]
    ),
    "a table without columns": catalogue(["Table", "t", [], [], [], []]),
    "an unknown node": syntax(["Exec", "rm"]),
    "a record for a node": syntax(["OrderKey", 0, True, True]),
    "an expression for a query": syntax(["Literal", 1, "integer"]),
    "a query for an expression": syntax(["Scan", "t", []], ["Filter", 0, 0]),
    "a node before it is there": syntax(["Filter", 1, 1]),
    "a column that is not there": syntax(
        ["Scan", "t", [["ColumnType", "integer", True]]],
        ["Reference", 0, 9, "integer", True],
        ["Project", 0, [1]],
    ),
    "a reference to a row around the statement": syntax(
        ["Scan", "t", [["ColumnType", "integer", True]]],
        ["Reference", 1, 0, "integer", True],
        ["Project", 0, [1]],
    ),
    "a fraction by zero": syntax(["Literal", ["/", 1, 0], "decimal"]),
    "a fraction that is not in lowest terms": syntax(["Values", [[["/", 2, 4]]], [["ColumnType", "decimal", True]]]),
    "a truth value for a number": syntax(["Values", [[True]], [["ColumnType", "integer", True]]]),
    "a number of 400 digits": syntax(["Values", [[10**400]], [["ColumnType", "integer", True]]]),
    "an unknown type": syntax(["Scan", "t", [["ColumnType", "float", True]]]),
    "an unknown kind of join": syntax(
        ["Scan", "t", []], ["Literal", True, "boolean"], ["Join", "outer", 0, 0, 1, False]
    ),
    "an unknown assumption": with_document(lambda document: document["assumptions"].append("all is well")),
    "an unknown switch": with_document(lambda document: document["switches"].append("on")),
    "a dialect that spells a claim": with_document(lambda document: document.update(dialect="spark': accepted")),
    "terms of programs": with_document(
        lambda document: document.update(terms=[["element", ["IntType"]], ["map", None, 0, 0]])
    ),
    "a fold": with_document(lambda document: document.update(result=["Step", ["Fold", [], [], 0], [], []])),
    "an oracle": with_document(
        lambda document: document.update(result=["Step", ["Bag", [], []], [["Oracle", "z3"]] * 2, []])
    ),
    "a name of 900,000 characters": with_document(
        lambda document: document["catalogue"][1][0].__setitem__(1, "t" * 900_000)
    ),
}
