"""One Spark session for all tests of the harness, and pairs that are hard on a prover."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from pyspark.sql import SparkSession
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, add, build, constant, element, variable
from tallystick.core.types import INT, BagType
from tallystick.experiments.questions import Options, Task, question_of_programs, questions_of_suite
from tallystick.replay.session import spark_session

R = variable("R", BagType(INT))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    with spark_session("local[2]") as session:
        yield session


QUESTIONS = cache(questions_of_suite)
"""The questions of a suite, read once."""


def cav_tasks(*pairs: str) -> list[Task]:
    """Some pairs of CAV 2017, with the usual options."""
    return [Task(question, Options()) for question in QUESTIONS("sparklite-cav") if question.pair in pairs]


def hard_task(factors: int, options: Options) -> Task:
    """Products of unions: the sums that they stand for have two to the power of `factors` summands."""

    def product(step: int) -> Program:
        part = build(Operator.UNION, (R, build(Operator.MAP, (add(element(INT), constant(step)), R))))
        bag = part
        for _ in range(factors):
            bag = build(Operator.CARTESIAN, (bag, part))
        return Program(f"product_{step}", (R,), bag)

    return Task(question_of_programs("hard", f"{factors} factors", "inequivalent", product(1), product(2)), options)
