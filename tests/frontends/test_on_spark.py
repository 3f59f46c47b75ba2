"""PySpark returns what the interpreter computes of the programs that were read, on random bags, in one batch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tallystick.frontends.rdd import read_program
from tallystick.replay import Returned, SparkReplayer

from . import test_combining, test_joins, test_literals, test_options
from .local_rdd import run_by_terms

pytestmark = [pytest.mark.spark, pytest.mark.slow]
PAIRS = "RDD[tuple[int, int]]"
OPTIONS = {"r": "RDD[int | None]", "s": "RDD[tuple[int | None, int | None]]", "k": "int | None"}
GROUPS: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    # name -> programs, types of their parameters, and the arguments that stand for these in `everything`
    "options": (test_options.BODIES, OPTIONS, "r, o, k"),
    "joins": (test_joins.BODIES, {"s": PAIRS, "t": PAIRS}, "s, t"),
    "combining": (test_combining.BODIES, {"s": PAIRS}, "s"),
    "literals": (test_literals.BODIES, {"s": PAIRS, "k": "int"}, "s, n"),
}
EVERYTHING = """
from fractions import Fraction

from pyspark.core.rdd import RDD

def code(value):
    # any value as an int, so that values of all types fit into one RDD
    value = Fraction(value).limit_denominator(1000) if isinstance(value, float) else value
    return int.from_bytes(repr(value).encode(), "big")

def coded(number, result, context):
    items = list(result.items()) if isinstance(result, dict) else [result]
    rdd = result if isinstance(result, RDD) else context.parallelize(items, 1)
    return rdd.map(lambda value: (number, code(value)))

def run(number, program, context):
    try:
        return coded(number, program(), context)
    except ValueError:
        return coded(number, "raised", context)

def everything(r, o, s, t, k, n):
    results = [run(number, program, s.context) for number, program in enumerate(PROGRAMS(r, o, s, t, k, n))]
    return s.context.union(results).coalesce(2)
"""
SAMPLES = 2


def code(value: Any) -> int:
    return int.from_bytes(repr(value).encode(), "big")


def coded(number: int, result: Any) -> Counter[tuple[int, int]]:
    """The result of a program as `everything` returns it."""
    if isinstance(result, dict):
        return Counter({(number, code(value)): count for value, count in result.items()})
    return Counter([(number, code(Fraction(result) if isinstance(result, Fraction) else result))])


def sample(choices: random.Random) -> dict[str, Any]:
    """A small input: few different numbers, so that keys meet."""

    def number() -> int:
        return choices.choice((-3, 0, 0, 1, 2, 5))

    def option() -> int | None:
        return choices.choice((None, number()))

    def bag(item: Callable[[], Any]) -> list[Any]:
        return [item() for _ in range(choices.randrange(7))]

    return {
        "r": bag(option),
        "o": bag(lambda: (option(), option())),
        "s": bag(lambda: (number(), number())),
        "t": bag(lambda: (number(), number())),
        "k": option(),
        "n": number(),
    }


def test_every_program_returns_on_spark_what_its_terms_say(tmp_path: Path) -> None:
    path, parts, programs = tmp_path / "jobs.py", [EVERYTHING], []
    for bodies, types, arguments in GROUPS.values():
        for body in bodies.values():
            name = f"p{len(programs)}"
            parts.append(f"def {name}({', '.join(types)}):\n    {body}\n")
            programs.append((name, ", ".join(map(": ".join, types.items())), arguments))
    calls = ", ".join(f"lambda: {name}({arguments})" for name, _, arguments in programs)
    parts.append(f"def PROGRAMS(r, o, s, t, k, n):\n    return [{calls}]\n")
    path.write_text("\n".join(parts))
    choices = random.Random(7)
    inputs = [sample(choices) for _ in range(SAMPLES)]
    with SparkReplayer(time_limit=500) as spark:
        runs = spark.run_on_spark(f"{path}:everything", inputs)
    read = [read_program(f"{path}:{name}", types) for name, types, _ in programs]
    for given, run in zip(inputs, runs, strict=True):
        assert isinstance(run.sparklite, Returned), run.sparklite
        found = Counter(run.sparklite.value)  # type: ignore[arg-type]
        for number, (program, (_, _, arguments)) in enumerate(zip(read, programs, strict=True)):
            expected = coded(number, run_by_terms(program, [given[name.strip()] for name in arguments.split(",")]))
            of_program = Counter({key: count for key, count in found.items() if key[0] == number})
            assert of_program == expected, (number, given)
