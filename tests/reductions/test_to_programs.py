"""TR Theorem 2: a machine halts after n steps iff P9 and P10 differ on n elements, and on no fewer."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.certificates import kernel, refuting
from tallystick.certificates.rules.fold import orders
from tallystick.core.clock import clock
from tallystick.core.interpreter import evaluate
from tallystick.core.monomials import monomials
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, aggregates, subterms, variable
from tallystick.decision.outcome import Differs, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide
from tallystick.frontends.rdd import read_program
from tallystick.reductions import (
    Machine,
    bag_of_run,
    example,
    example_names,
    explain_machine,
    parse_machine,
    programs,
    pyspark_source,
    run_of_bag,
    simulate,
)
from tallystick.reductions.to_programs import BAG, STATE
from tallystick.reductions.two_counter_machine import step
from tallystick.reductions.zoo import EXAMPLES

from reductions.machines import HALTING, NOT_DECIDED, PROVED_NOT_TO_HALT, machines

QUICK = {name: METHODS[name] for name in ("no_agg", "constant_fold", "agg_one", "element_blind")}


@given(machines(), st.lists(st.integers(-3, 3), max_size=30))
def test_p9_says_whether_the_machine_has_halted_within_as_many_steps_as_there_are_elements(
    machine: Machine, elements: list[int]
) -> None:
    p9, p10 = programs(machine)
    bag = {element: elements.count(element) for element in elements}
    assert evaluate(p9.expression, {BAG: bag}) == simulate(machine, len(elements)).halted
    assert evaluate(p10.expression, {BAG: bag}) is False


@given(machines(), st.integers(0, 30))
def test_the_state_after_k_steps_is_the_folds_value_on_k_elements(machine: Machine, count: int) -> None:
    p9, _ = programs(machine)
    (fold,) = aggregates(p9.expression)
    state = machine.initial
    for _ in range(count):
        state = step(machine, state)
    assert evaluate(fold, {BAG: {0: count} if count else {}}) == state


@pytest.mark.parametrize("name", HALTING)
def test_halting_runs_and_smallest_counterexamples_correspond(name: str) -> None:
    machine, run = example(name), simulate(example(name))
    bag = bag_of_run(run)
    assert sum(bag.values()) == HALTING[name]
    assert run_of_bag(machine, bag) == run_of_bag(machine, {5: 1 + HALTING[name]}) == run
    refuting.inequivalent(*programs(machine), {BAG: bag})
    if bag:
        with pytest.raises(ValueError, match=f"P9 and P10 of {name} agree on a bag of {HALTING[name] - 1} elements"):
            run_of_bag(machine, {0: HALTING[name] - 1})


def test_a_run_that_did_not_halt_gives_no_counterexample() -> None:
    with pytest.raises(ValueError, match="gives no counterexample: it has not halted after 5 steps"):
        bag_of_run(simulate(example("countdown"), 5))


def _decided(machine: Machine, **limits) -> Differs | Proved | Unknown:
    return decide(*programs(machine), Prover(), **limits).outcome


@pytest.mark.parametrize("name", HALTING)
def test_halting_machines_are_refuted_with_exactly_their_number_of_steps(name: str) -> None:
    outcome = _decided(example(name))
    assert isinstance(outcome, Differs)
    refuting.inequivalent(*programs(example(name)), outcome.environment)
    assert sum(outcome.environment[BAG].values()) == HALTING[name]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", PROVED_NOT_TO_HALT)
def test_provable_machines_are_proved_without_oracles(name: str) -> None:
    outcome = _decided(example(name))
    assert isinstance(outcome, Proved)
    assert kernel.equivalent(*programs(example(name)), outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("seconds", [2.0, pytest.param(inf, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NOT_DECIDED)
def test_machines_beyond_the_methods_stay_unknown(name: str, seconds: float) -> None:
    """In a little time, and in that which the methods take to give up if slow."""
    prover = Prover(deadline=clock() + seconds)
    assert isinstance(decide(*programs(example(name)), prover).outcome, Unknown)


def _agrees_with_the_simulator(machine: Machine, outcome: Differs | Proved | Unknown) -> None:
    run = simulate(machine, 1000)
    match outcome:
        case Differs(environment, _):
            refuting.inequivalent(*programs(machine), environment)
            assert sum(environment[BAG].values()) == run.steps  # type: ignore[union-attr]
            assert run.halted
        case Proved(proof, _):
            assert kernel.equivalent(*programs(machine), proof).oracles == frozenset()
            assert not run.halted
        case Unknown():
            assert not run.halted


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])
@given(machines())
def test_random_machines_are_decided_as_they_run(machine: Machine) -> None:
    _agrees_with_the_simulator(machine, _decided(machine, methods=QUICK))


@pytest.mark.slow
@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
@given(machines(most_instructions=8))
def test_random_machines_are_decided_as_they_run_by_the_whole_portfolio(machine: Machine) -> None:
    _agrees_with_the_simulator(machine, _decided(machine))


@settings(max_examples=examples(20))
@given(machine=machines())
def test_the_pyspark_source_means_the_same_programs(tmp_path_factory: pytest.TempPathFactory, machine: Machine) -> None:
    _assert_reads_back(tmp_path_factory.mktemp("pair"), machine)


@pytest.mark.parametrize("name", [*example_names(), "longest"])
def test_the_pyspark_source_of_an_example_means_the_same_programs(tmp_path: Path, name: str) -> None:
    longest = parse_machine("\n".join(["a: dec c1 else a", *["dec c2 else a", "inc c1"] * 39, "jump a"]))
    _assert_reads_back(tmp_path, longest if name == "longest" else example(name))


def _assert_reads_back(folder: Path, machine: Machine) -> None:
    path = folder / "machine_pair.py"
    path.write_text(pyspark_source(machine))
    for name, program in zip(("p9", "p10"), programs(machine), strict=True):
        read = read_program(f"{path}:{name}").program
        assert (read.parameters, read.expression) == (program.parameters, program.expression)


def _size(program: Program) -> int:
    return sum(1 for _ in subterms(program.expression))


def test_the_size_of_the_programs_is_linear_in_the_machine() -> None:
    """Each kind of instruction adds a constant number of terms and of lines."""
    for line in ("inc c1", "dec c2 else end", "jump end"):
        machines_of = [parse_machine("\n".join([*[line] * count, "end: halt"])) for count in (20, 40, 60)]
        sizes = [_size(programs(machine)[0]) for machine in machines_of]
        lengths = [pyspark_source(machine).count("\n") for machine in machines_of]
        assert sizes[2] - sizes[1] == sizes[1] - sizes[0] <= 20 * 8
        assert lengths[2] - lengths[1] == lengths[1] - lengths[0] == 20 * 2


@given(machines())
def test_the_fold_is_well_defined_because_it_ignores_its_element(machine: Machine) -> None:
    """The premise that order cannot matter is an equation of a term with itself."""
    (fold,) = aggregates(programs(machine)[0].expression)
    _, udf, bag = fold.arguments
    premise = orders(TRUE, udf, variable("M", STATE), monomials(bag))
    assert [each.formula for each in premise] == [TRUE]


@pytest.mark.spark
@pytest.mark.slow
def test_counterexamples_differ_on_pyspark_and_smaller_bags_do_not(tmp_path: Path) -> None:
    """On real Spark, with each fold as one left fold. Spark's own fold makes one step for each partition."""
    from tallystick.replay import Returned, SparkReplayer

    with SparkReplayer(partitions=2) as replayer:
        for name in ("halt_at_once", "addition", "division"):
            path = tmp_path / f"{name}_pair.py"
            path.write_text(pyspark_source(example(name)))
            for size in {max(HALTING[name] - 1, 0), HALTING[name], HALTING[name] + 1}:
                replay = replayer.replay(f"{path}:p9", f"{path}:p10", {"R": {0: size}} if size else {"R": {}})
                assert replay.in_sparklite.left == Returned(size >= HALTING[name])
                assert replay.in_sparklite.right == Returned(False)
                assert replay.as_written.left == Returned(HALTING[name] <= 2)


@pytest.mark.spark
@pytest.mark.slow
def test_an_explanation_replays_its_counterexample_on_pyspark() -> None:
    from tallystick.replay import SparkReplayer

    with SparkReplayer() as replayer:
        report = explain_machine(EXAMPLES / "parity.txt", replay=replayer.replay)
    assert report.replayed_on == ("the reference interpreter", "PySpark")
