"""Each pair of operators in one text without brackets, on values for which the two groupings differ on the engine.

Precedences are the engine's: nothing here says what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from conformance.engines import Engine, FailedError, RejectedError

OPERATORS: Final = {
    "postgres": "+ - * / % ^ & | # << >> = < <> >= || AND OR LIKE",
    "mysql": "+ - * / % DIV MOD & | ^ << >> = < <> <=> AND OR XOR && || LIKE",
    "duckdb": "+ - * / % // ** & | << >> = < <> >= || AND OR LIKE",
    "spark": "+ - * / % DIV & | ^ << >> = < <> <=> == || AND OR LIKE",
    "sqlite": "+ - * / % & | << >> = < <> >= || AND OR LIKE",
}
UNARY: Final = ("-", "~", "NOT ", "+", "!")
POSTFIX: Final = (
    " IS NULL",
    " IS NOT NULL",
    " BETWEEN 1 AND 3",
    " IN (1, 2)",
    " IS TRUE",
    "::INT",
    " NOT IN (2)",
    " ISNULL",
    ' COLLATE "C"',
)
TRIPLES: Final = (
    ("7", "3", "2"),
    ("1", "2", "4"),
    ("5", "2", "3"),
    ("TRUE", "FALSE", "FALSE"),
    ("FALSE", "TRUE", "FALSE"),
    ("0", "5", "0"),
    ("1", "TRUE", "TRUE"),
    ("TRUE", "2", "3"),
    ("2", "3", "TRUE"),
    ("FALSE", "1", "2"),
    ("NULL", "TRUE", "TRUE"),
)


def precedences(engine: Engine) -> Iterator[tuple[str, str]]:
    """The texts for an engine, which is asked what both groupings give."""
    operators = OPERATORS[engine.name].split()
    for first, second in product(operators, repeat=2):
        text = _told_apart(
            engine,
            [
                (f"{x} {first} {y} {second} {z}", f"({x} {first} {y}) {second} {z}", f"{x} {first} ({y} {second} {z})")
                for x, y, z in TRIPLES
            ],
        )
        yield from [(f"precedence {first}", text)] if text else []
    for sign, operator in product(UNARY, operators):
        text = _told_apart(
            engine,
            [
                (f"{sign}{x} {operator} {y}", f"({sign}{x}) {operator} {y}", f"{sign}({x} {operator} {y})")
                for x, y, _ in TRIPLES
            ],
        )
        yield from [(f"precedence unary {sign.strip()}", text)] if text else []
    for operator, test in product((*operators, *(f"unary {each}" for each in UNARY)), POSTFIX):
        sign = operator.removeprefix("unary ") if operator.startswith("unary ") else None
        shapes = (
            [(f"{sign}{x}{test}", f"({sign}{x}){test}", f"{sign}({x}{test})") for x, _, _ in TRIPLES]
            if sign
            else [
                (f"{x} {operator} {y}{test}", f"({x} {operator} {y}){test}", f"{x} {operator} ({y}{test})")
                for x, y, _ in TRIPLES
            ]
        )
        text = _told_apart(engine, shapes)
        yield from [(f"precedence {operator.strip()}", text)] if text else []


def _told_apart(engine: Engine, shapes: list[tuple[str, str, str]]) -> str:
    """The first text that the engine takes and whose groupings it tells apart; "" if there is none."""
    for text, *groupings in shapes:
        left, right = (_value(engine, each) for each in groupings)
        if left != right and _value(engine, text) is not None:
            return f"SELECT {text} AS q"
    return ""


def _value(engine: Engine, text: str) -> object:
    try:
        answer = engine.run(f"SELECT {text} AS q")
    except (RejectedError, FailedError):
        return None
    return repr(answer.rows), answer.types
