"""The suite `beyond`: its verdicts are right by brute force, and Tallystick finds them with certificates."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from sampling import sampled
from tallystick.certificates.audit import audit
from tallystick.certificates.proofs import ASSUMPTIONS
from tallystick.core.clock import clock
from tallystick.core.interpreter import Bag, bag_of, evaluate
from tallystick.core.programs import comparable
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BagType, BoolType, IntType, TupleType, Type, Value
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.decision.service.settlement import Settlement
from tallystick.experiments import suites
from tallystick.experiments.suites import EQUIVALENT, INEQUIVALENT, Pair
from tallystick.frontends.pyspark import SourceProgram, aligned
from tallystick.frontends.pyspark.values.options import core_value
from tallystick.frontends.rdd import read_program

PAIRS = suites.load("beyond")
DECIDED = [pair for pair in PAIRS if not pair.undecided]
UNDECIDED = [pair for pair in PAIRS if pair.undecided]
QUICK_SAMPLES, SAMPLES = 60, 3000
SECONDS = 30.0


def _each(pairs: list[Pair], every: int = 1):
    return pytest.mark.parametrize("pair", sampled(pairs, every), ids=lambda pair: pair.name)


_read = cache(read_program)


def programs(pair: Pair) -> tuple[SourceProgram, SourceProgram]:
    """Both programs of a pair, made comparable."""
    return aligned(_read(pair.left), _read(pair.right))


def _settled(pair: Pair) -> Settlement:
    left, right = programs(pair)
    prover = Prover(deadline=clock() + SECONDS)
    means = left.program.returns == "mean"
    assumptions = (ASSUMPTIONS[1],) if means else ()
    return settle(left.program, right.program, (left.source, right.source), prover, assumptions=assumptions)


def test_it_has_120_pairs_and_more_of_which_two_fifths_are_inequivalent():
    verdicts = Counter(pair.expected for pair in PAIRS)
    assert len(PAIRS) >= 120
    assert verdicts[INEQUIVALENT] >= 0.4 * len(PAIRS)
    assert verdicts[EQUIVALENT] >= 0.4 * len(PAIRS)


def test_at_most_a_tenth_is_undecided_each_with_its_reason():
    assert len(UNDECIDED) <= len(PAIRS) / 10
    assert all(len(pair.undecided) > 20 for pair in UNDECIDED)


@_each(DECIDED, every=3)
def test_it_is_decided_right_with_a_certificate_that_needs_no_oracle(pair: Pair):
    """Each third pair, and all if slow."""
    left, right = programs(pair)
    settlement = _settled(pair)
    assert settlement.program_class == pair.expected_class
    assert settlement.certificate is not None, settlement.reasons
    report = audit(settlement.certificate.encode(), against=(left.program, right.program))
    assert report.accepted, report.reason
    assert report.verdict == pair.expected
    assert report.oracles == ()


@_each(UNDECIDED)
def test_what_is_listed_as_undecided_is_not_decided_wrongly(pair: Pair):
    certificate = _settled(pair).certificate
    assert certificate is None or audit(certificate.encode()).verdict == pair.expected


@_each([pair for pair in PAIRS if pair.expected == INEQUIVALENT])
def test_the_witness_gives_two_results(pair: Pair):
    left, right = (source.program for source in programs(pair))
    assert comparable(left, right)
    assert pair.witness is not None
    environment = {name: core_value(pair.witness[name.parameter[0]], name.type) for name in left.parameters}  # type: ignore
    assert evaluate(left.expression, environment) != evaluate(right.expression, environment)  # type: ignore[arg-type]


@_each([pair for pair in PAIRS if pair.expected == EQUIVALENT])
def test_equivalent_programs_agree_on_random_inputs(pair: Pair):
    _agree(pair, QUICK_SAMPLES)


@pytest.mark.slow
@_each([pair for pair in PAIRS if pair.expected == EQUIVALENT])
def test_equivalent_programs_agree_on_thousands_of_random_inputs(pair: Pair):
    _agree(pair, SAMPLES)


def _agree(pair: Pair, samples: int) -> None:
    left, right = (source.program for source in programs(pair))
    assert comparable(left, right)
    generator = random.Random(pair.name)
    for _ in range(samples):
        environment = random_environment(pair, generator)
        assert evaluate(left.expression, environment) == evaluate(right.expression, environment), environment


def random_environment(pair: Pair, generator: random.Random) -> dict[Term, Value | Bag]:
    """A random input whose integers are near 0, near the programs' constants, or anything."""
    left, right = (source.program for source in programs(pair))
    near = sorted(_integers(left.expression) | _integers(right.expression))
    pool = [generator.choice((generator.randint(-3, 3), *near)) for _ in range(3)]
    pool.append(generator.randint(-150, 150))
    return {name: _input(name.type, pool, generator) for name in left.parameters}


def _integers(term: Term) -> set[int]:
    """The constants and divisors of a program, and the integers beside them."""
    numbers = {
        node.parameter
        for node in subterms(term)
        if type(node.parameter) is int and node.operator is not Operator.PROJECTION
    }
    return {number + step for number in numbers for step in (-1, 0, 1)} | {-number for number in numbers}


def _input(of: Type, pool: list[int], generator: random.Random) -> Value | Bag:
    """A basic value, or a bag of at most six elements; integers from a small pool, so that elements and keys repeat."""
    match of:
        case IntType():
            return generator.choice(pool)
        case BoolType():
            return generator.random() < 0.5
        case TupleType(components):
            return tuple(_input(component, pool, generator) for component in components)  # type: ignore[misc]
        case BagType(element):
            return bag_of(_input(element, pool, generator) for _ in range(generator.randint(0, 6)))  # type: ignore[misc]
