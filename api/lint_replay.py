"""Unsafe folds on PySpark: a finding stands only if PySpark returned two values for the same elements."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any

from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import TRUE, Operator, Term, free_variables
from tallystick.core.types import BagType
from tallystick.decision.inputs import smallest
from tallystick.decision.methods.refute import candidates
from tallystick.decision.outcome import Goal
from tallystick.decision.partitioning.spark_folds import listed as elements_of
from tallystick.decision.partitioning.spark_folds import partitionings
from tallystick.findings import Finding, LintReport, PartitionWitness, Safety
from tallystick.frontends.pyspark import FoldCall, Reference, SourceProgram
from tallystick.frontends.pyspark.values.options import in_order
from tallystick.replay import Input, ObservedFold, Partitioned, Raised, SparkReplayer
from tallystick.verdict import listed

SPREADS = 6
INPUTS = 300
Given = Mapping[str, Input]


def replayed_report(
    report: LintReport, source: SourceProgram, reference: Reference, spark: SparkReplayer
) -> LintReport:
    """A report whose unsafe findings have two values that PySpark returned; unknown where it returned only one."""
    calls = {(call.method, call.line, call.column): call for call in source.folds}
    findings = (
        replayed_finding(each, calls[each.method, each.line, each.column], source, reference, spark)
        if each.safety is Safety.UNSAFE
        else each
        for each in report.findings
    )
    return dataclasses.replace(report, findings=tuple(findings))


def replayed_finding(
    finding: Finding, call: FoldCall, source: SourceProgram, reference: Reference, spark: SparkReplayer
) -> Finding:
    """An unsafe finding with two values that PySpark returned; unknown when it returned only one."""
    given = list(_inputs(finding, call, source))
    runs = spark.observe_folds(reference, given)
    observed = [
        (environment, fold)
        for environment, folds in zip(given, runs, strict=True)
        for fold in folds
        if _is_of(call, fold)
    ]
    for (one, first), (other, second) in combinations(observed, 2):
        if _elements(first) == _elements(second) and first.outcome != second.outcome:
            witness = _witness(one, other, first, second)
            if finding.witness is not None and witness.values == finding.witness.values:
                witness = dataclasses.replace(witness, replayed_on=("reference", "spark"))
            return dataclasses.replace(finding, witness=witness)
    failures = [fold.outcome for _, fold in observed if isinstance(fold.outcome, Raised)]
    if finding.witness is None and failures:
        return dataclasses.replace(finding, reason=f"{finding.reason}; on PySpark it {failures[0]}")
    reason = (
        "PySpark returned one value for all partitionings that were tried" if observed else "PySpark did not run it"
    )
    return dataclasses.replace(finding, safety=Safety.UNKNOWN, reason=f"{finding.reason}; {reason}".lstrip("; "))


def _is_of(call: FoldCall, fold: ObservedFold) -> bool:
    same_file = os.path.realpath(fold.path) == os.path.realpath(call.path)
    return same_file and (fold.method, fold.line) == (call.method, call.line)


def _elements(fold: ObservedFold) -> Counter[Any]:
    return Counter(each for part in fold.partitions for each in part)


def _witness(one: Given, other: Given, first: ObservedFold, second: ObservedFold) -> PartitionWitness:
    inputs = {name: _plain(value) for name, value in one.items()}
    spreads = tuple(
        {name: value.partitions for name, value in given.items() if isinstance(value, Partitioned)}
        for given in (one, other)
    )
    values = tuple(
        str(fold.outcome) if isinstance(fold.outcome, Raised) else listed(fold.outcome.value)
        for fold in (first, second)
    )
    return PartitionWitness(
        inputs,
        (spreads[0], spreads[1]),
        (first.partitions, second.partitions),
        (values[0], values[1]),
        ("spark",),
    )


def _plain(value: Input) -> Any:
    if not isinstance(value, Partitioned):
        return value
    return sorted((each for part in value.partitions for each in part), key=in_order)


def _inputs(finding: Finding, call: FoldCall, source: SourceProgram) -> Iterator[Given]:
    """The program on one input, its bags spread in several ways: in those of the witness, where these are known."""
    found = finding.witness
    if found is not None and found.input_partitions is not None:
        for spread in found.input_partitions:
            yield {
                name: Partitioned(spread[name]) if name in spread else _spread(value, 0)
                for name, value in _whole(found.inputs, source).items()
            }
        return
    inputs = found.inputs if found is not None else _several_elements(call)
    for way in range(SPREADS):
        yield {name: _spread(value, way) for name, value in _whole(inputs, source).items()}


def _whole(inputs: Mapping[str, Any], source: SourceProgram) -> dict[str, Any]:
    """An input of the program, with the smallest values for parameters that the fold does not depend on."""
    names = {str(term.parameter[0]): term for term in source.program.parameters}  # type: ignore[index]
    return {name: inputs[name] if name in inputs else listed(smallest(term.type)) for name, term in names.items()}


def _spread(value: Any, way: int) -> Input:
    """A list of elements in the given one of several ways to spread them, or in the last; other values as they are."""
    return Partitioned(list(islice(partitionings(value), way + 1))[-1]) if isinstance(value, list) else value


def _several_elements(call: FoldCall) -> dict[str, Any]:
    """An input on which the fold takes two elements or more, by key two of one key; nothing if none is found."""
    goal = Goal(TRUE, call.term, call.term)
    for environment in islice(candidates(goal, ()), INPUTS):
        try:
            bag = elements_of(_folded(call.term, environment))
        except EvaluationError:
            continue
        groups = [pair[0] for pair in bag] if call.term.operator is Operator.FOLD_BY_KEY else [0] * len(bag)  # type: ignore
        if len(groups) > len(set(groups)):
            return {str(name.parameter[0]): listed(value) for name, value in environment.items()}  # type: ignore[index]
    return {}


def _folded(term: Term, environment: Mapping[Term, Any]) -> Any:
    bag = term.arguments[2]
    assert isinstance(bag.type, BagType)
    return evaluate(bag, {name: environment[name] for name in free_variables(bag)})
