"""Lint: for each fold of a program, whether its value depends on partitions, with a proof or two values that differ.

SparkLite takes all elements one after the other; Spark folds each partition and then the results. What Spark computes
exactly, and what makes a fold *partition-safe*, stands in `decision/partitioning/safety.py`.
"""

from __future__ import annotations

import dataclasses
import time
from contextlib import nullcontext
from functools import reduce
from typing import TYPE_CHECKING, Any

from tallystick.comparing import computed
from tallystick.core.interpreter import evaluate
from tallystick.core.operators import Operator
from tallystick.core.pretty import text
from tallystick.core.terms import Term, apply, variable
from tallystick.decision.partitioning.deciding import Undecided, Unsafe
from tallystick.decision.partitioning.safety import Safe
from tallystick.decision.partitioning.spark_folds import Partitioning, SparkMeaning, Witness, source_of
from tallystick.decision.service.process import ProverProcess, shared_prover
from tallystick.findings import Finding, LintReport, PartitionWitness, Safety
from tallystick.frontends.pyspark import FoldCall, Reference, SourceProgram
from tallystick.frontends.pyspark.values.options import python_value
from tallystick.options import ReplayOn, Solver, require_valid
from tallystick.validation import that_counts
from tallystick.verdict import listed

if TYPE_CHECKING:
    from tallystick.replay import SparkReplayer


LARGEST_FLAT_TREE = 4


def lint(
    reference: Reference,
    types: str | None = None,
    replay: ReplayOn = "reference",
    *,
    solver: Solver = "auto",
    timeout: float = 30.0,
    prover: ProverProcess = shared_prover,
    replayer: SparkReplayer | None = None,
) -> LintReport:
    """Whether the values of a program's folds depend on how Spark partitions their elements.

    Args:
        reference: a function, or "path.py:function". It is parsed, never run, unless a replay is asked for.
        types: types of parameters, such as "r: RDD[int], k: int", where annotations are missing.
        replay: "spark" runs the program on PySpark; a fold then counts as unsafe only if PySpark showed it.
        solver: what decides premises first; "auto" is the search for refutation trees, then Z3.
        timeout: seconds for deciding.
        prover: the prover's process.
        replayer: the Spark to replay on; one is started, and ended, where none is given.

    Raises SourceError when the program cannot be read, ReplayUnavailable when replay is "spark" and there is no Spark,
    ReplayError when the program cannot be run there, and OptionError for an option that has no such value.
    """
    require_valid(timeout=timeout, solver=solver, replay=replay)
    prover.start()
    source = that_counts(reference, types)
    report = lint_program(source, solver=solver, timeout=timeout, prover=prover)
    if replay == "reference" or report.safety is not Safety.UNSAFE:
        return report
    from tallystick.lint_replay import replayed_report
    from tallystick.replay import SparkReplayer

    with nullcontext(replayer) if replayer is not None else SparkReplayer() as spark:
        return replayed_report(report, source, reference, spark)


def fold_calls(source: SourceProgram) -> list[FoldCall]:
    """The calls that a report is about: those that Spark computes and merges by a user's function.

    Raises FragmentError when it is not known how Spark computes an aggregate of the program.
    """
    return [call for call in computed(source) if call.merge != "none"]


def lint_program(
    source: SourceProgram,
    *,
    solver: Solver = "auto",
    timeout: float = 30.0,
    prover: ProverProcess = shared_prover,
    only_two_functions: bool = False,
) -> LintReport:
    """`lint` for a program that has been read, without a replay; only of calls with two functions, if asked."""
    started = time.perf_counter()
    findings: list[Finding] = []
    for call in fold_calls(source):
        if only_two_functions and not call.two_functions:
            continue
        left = max(0.1, timeout - (time.perf_counter() - started))
        finding = _finding(call, solver, left, prover)
        findings.append(_without_input_partitions(finding) if source.repartitions else finding)
    return LintReport(source.function_name, tuple(findings), time.perf_counter() - started)


def _finding(call: FoldCall, solver: Solver, seconds: float, prover: ProverProcess) -> Finding:
    answer, oracles = prover.partition_safety(call.term, call.merge, solver, seconds)
    finding = Finding(Safety.UNKNOWN, call.method, call.name, call.line, call.column, text(call.term))
    match answer:
        case Safe(invariant):
            return dataclasses.replace(
                finding, safety=Safety.SAFE, invariant=text(invariant), oracles=tuple(sorted(oracles))
            )
        case Unsafe(reason, None):
            return dataclasses.replace(finding, safety=Safety.UNSAFE, reason=reason)
        case Unsafe(reason, Witness() as found):
            if call.method == "treeAggregate":
                found = dataclasses.replace(found, values=_in_tree(call, found))
            witness = _shown(call, found)
            if witness.values[0] == witness.values[1]:
                return dataclasses.replace(finding, reason="partitions change what it accumulates, not what it returns")
            return dataclasses.replace(finding, safety=Safety.UNSAFE, reason=reason, witness=witness)
        case _:
            assert isinstance(answer, Undecided)
            return dataclasses.replace(finding, reason=answer.reason)


def _without_input_partitions(finding: Finding) -> Finding:
    if finding.witness is None:
        return finding
    return dataclasses.replace(finding, witness=dataclasses.replace(finding.witness, input_partitions=None))


def _in_tree(call: FoldCall, found: Witness) -> tuple[Any, Any]:
    """What treeAggregate returns for the partitionings of a witness.

    Unlike aggregate, it does not start from the zero when it merges, but from the result of the first partition. With
    four partitions or fewer, its tree is a list; with more, both values are given as one, for nothing is known.
    """
    assert isinstance(call.merge, Term)
    meaning = SparkMeaning(call.term, call.merge, found.environment)
    if max(map(len, found.partitionings)) > LARGEST_FLAT_TREE:
        return meaning.zero, meaning.zero
    one, other = ([reduce(meaning.step, part, meaning.zero) for part in parts] for parts in found.partitionings)
    return tuple(reduce(meaning.merge, parts) if parts else meaning.zero for parts in (one, other))  # type: ignore


def _shown(call: FoldCall, found: Witness) -> PartitionWitness:
    inputs = {_name(name): listed(value) for name, value in found.environment.items()}
    source = source_of(call.term.arguments[2])
    layouts = found.sources and source and tuple({_name(source): _python(parts)} for parts in found.sources)
    one, other = (listed(_returned(call, value)) for value in found.values)
    first, second = map(_python, found.partitionings)
    return PartitionWitness(inputs, layouts, (first, second), (one, other))  # type: ignore[arg-type]


def _python(partitioning: Partitioning) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(map(python_value, part)) for part in partitioning)


def _name(term: Term) -> str:
    return str(term.parameter[0])  # type: ignore[index]


def _returned(call: FoldCall, accumulated: Any) -> Any:
    """What the method returns where it has accumulated a value, or one for each key."""
    if call.result is None:
        return accumulated
    state = variable("M", call.term.arguments[0].type)
    result = apply(call.result, state, state)
    if call.term.operator is Operator.FOLD:
        return evaluate(result, {state: accumulated})
    return {(key, evaluate(result, {state: value})): 1 for key, value in accumulated}
