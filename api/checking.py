"""From two references to a verdict: read, decide under limits, audit, replay."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tallystick.certificates import refuting
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import ORACLES, Certificate, Counterexample, Step
from tallystick.comparing import IMPOSSIBLE, Comparison, comparison
from tallystick.core.errors import TallystickError
from tallystick.core.interpreter import Environment
from tallystick.core.operators import Operator
from tallystick.core.programs import GROUPS, MEAN, SPARKLITE, Program
from tallystick.core.terms import free_variables
from tallystick.core.types import INT, BagType
from tallystick.decision.means import NOTE, Mean, ReturnsMean, difference_of_means, means_differ
from tallystick.decision.service.process import ProverProcess, shared_prover
from tallystick.decision.service.settlement import ONE_MEAN, Settlement
from tallystick.findings import LintReport, Safety
from tallystick.frontends.pyspark import Reference, SourceProgram, with_used_components
from tallystick.frontends.pyspark.assumptions import NO_ERRORS
from tallystick.frontends.pyspark.named_functions.inputs import input_value
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.values.options import python_value
from tallystick.frontends.rdd import read_program
from tallystick.linting import lint_program
from tallystick.named_code import NOTE_OF_VALUES, difference, named_code
from tallystick.options import ReplayOn, Semantics, Solver, require_valid
from tallystick.validation import raises_on, tried
from tallystick.verdict import Answer, DifferingInput, Raises, Verdict, listed

if TYPE_CHECKING:
    from tallystick.replay import Replay, SparkReplayer


SEARCH_SECONDS = 10.0
"""At most so long inputs are tried on which programs differ that apply pure code by name."""


class OrderError(TallystickError, ValueError):
    """A program has no meaning: the result of a fold depends on the order of the elements."""


def check(
    before: Reference,
    after: Reference,
    *,
    types: str | None = None,
    solver: Solver = "auto",
    timeout: float = 30.0,
    replay: ReplayOn = "reference",
    semantics: Semantics = "spark",
    as_sets: bool = False,
    prover: ProverProcess = shared_prover,
    replayer: SparkReplayer | None = None,
) -> Verdict:
    """Whether two PySpark functions return the same on every input.

    Args:
        before, after: functions, or "path.py:function". They are parsed, never run, unless a replay is asked for.
        types: types of parameters, such as "r: RDD[int], k: int", where annotations are missing.
        solver: what decides premises first; "auto" is the search for refutation trees, then Z3.
        timeout: seconds for deciding.
        replay: "spark" runs both programs on PySpark on a counterexample; the reference interpreter always does.
        semantics: how folds are read: "spark" as Spark folds partitions, "sparklite" as one left fold, which is the
            papers' meaning (THEORY section 5); both are one where every fold is partition-safe, and that is decided
            first. Where a fold is not, the program has no one value on Spark: the verdict is unknown, and shows two.
        as_sets: whether only the sets of the returned elements are compared, not how often each occurs: `distinct` of
            both results, which is what the certificate is about, and what runs on Spark.
        prover: the prover's process.
        replayer: the Spark to replay on; one is started, and ended, where none is given.

    Raises SourceError when a program cannot be read, SignatureError when the programs are not comparable, OrderError
    when a fold of theirs is not well defined, SetError when a program to be compared as a set
    returns no RDD, ReplayUnavailable when replay is "spark" and there is no Spark, and OptionError for an option that
    has no such value.
    """
    require_valid(timeout=timeout, solver=solver, replay=replay, semantics=semantics)
    prover.start()
    left, right = read_program(before, types), read_program(after, types)
    verdict = check_programs(
        left, right, solver=solver, timeout=timeout, as_sets=as_sets, prover=prover, semantics=semantics
    )
    if replay == "reference" or (verdict.counterexample is None and not verdict.no_one_value):
        return verdict
    from tallystick.replay import SparkReplayer

    with nullcontext(replayer) if replayer is not None else SparkReplayer() as spark:
        if verdict.counterexample is None:
            return _with_values_of_spark(verdict, ((left, before), (right, after)), spark)
        in_order = left.returns_in_order
        run = spark.replay(
            before,
            after,
            verdict.counterexample.inputs,
            as_sets=as_sets,
            in_order=in_order,
            as_record=left.returns_record,
        )
        return replayed(verdict, run, semantics)


def _partition_safety(
    source: SourceProgram, semantics: Semantics, solver: Solver, timeout: float, prover: ProverProcess
) -> LintReport:
    """The partition safety of the folds whose meaning needs it, with the components that the result uses.

    SparkLite's meaning of a fold is one left fold. That is no meaning of `aggregate` and the like, unless their two
    functions agree.
    """
    only = semantics == "sparklite"
    compared = with_used_components(source)
    report = lint_program(compared, solver=solver, timeout=timeout, prover=prover, only_two_functions=only)
    if compared is source or report.safety is Safety.SAFE:
        return report
    return lint_program(source, solver=solver, timeout=timeout, prover=prover, only_two_functions=only)


def _without_one_value(reports: list[LintReport], verdict: Verdict) -> Verdict | None:
    """The verdict unknown, where a fold that matters is unsafe or not known to be safe; None where all are safe."""
    findings = [finding for report in reports for finding in report.findings]
    if all(finding.safety is Safety.SAFE for finding in findings):
        return None
    unsafe = (dataclasses.replace(report, findings=report.with_safety(Safety.UNSAFE)) for report in reports)
    by_fold = {report.findings[0].place: report for report in unsafe if report.findings}  # one, for a program twice
    undecided = {f"partition safety of {each.place}": each.reason for each in findings if each.safety is Safety.UNKNOWN}
    return dataclasses.replace(verdict, no_one_value=tuple(by_fold.values()), reasons=undecided)


def _with_values_of_spark(
    verdict: Verdict, sources: Sequence[tuple[SourceProgram, Reference]], spark: SparkReplayer
) -> Verdict:
    """A verdict about programs without one value, with those that PySpark returned."""
    from tallystick.lint_replay import replayed_report

    reports = []
    for report in verdict.no_one_value:
        source, reference = next(each for each in sources if each[0].function_name == report.program)
        reports.append(replayed_report(report, source, reference, spark))
    found = _without_one_value(reports, verdict)
    return verdict if found is None else found


def _with_partition_safety(verdict: Verdict, reports: list[LintReport], semantics: Semantics) -> Verdict:
    """A verdict about left folds as one about the meaning asked for: every fold that matters is partition-safe."""
    findings = [finding for report in reports for finding in report.findings]
    proved = f"all {len(findings)} calls that fold are proved partition-safe" if findings else "no call depends on them"
    notes = [f"read with Spark's own folds: {proved}"]
    if semantics == "sparklite":
        notes = [f"both functions of {finding.method} ({finding.place}) are proved to agree" for finding in findings]
    oracles = {oracle for finding in findings for oracle in finding.oracles}
    seconds = sum(report.seconds for report in reports)
    return dataclasses.replace(
        verdict,
        semantics=semantics,
        notes=(*verdict.notes, *notes),
        oracles=tuple(sorted(oracles.union(verdict.oracles))),
        seconds=verdict.seconds + seconds,
        phases={**verdict.phases, "deciding": verdict.phases.get("deciding", 0.0) + seconds},
    )


def check_programs(
    left: SourceProgram,
    right: SourceProgram,
    *,
    solver: Solver = "auto",
    timeout: float = 30.0,
    as_sets: bool = False,
    prover: ProverProcess = shared_prover,
    semantics: Semantics = "spark",
    methods: Sequence[str] | None = None,
) -> Verdict:
    """`check` for programs that have been read, by the named methods or all, without a replay on Spark."""
    require_valid(timeout=timeout, solver=solver, semantics=semantics)
    names = (left.function_name, right.function_name)
    reports = [_partition_safety(each, semantics, solver, timeout, prover) for each in (left, right)]
    seconds = sum(report.seconds for report in reports)
    unknown = Verdict(Answer.UNKNOWN, (), "", False, seconds, semantics=semantics, as_sets=as_sets, programs=names)
    if (found := _without_one_value(reports, unknown)) is not None:
        return found
    compared = comparison(left, right, as_sets, semantics)
    started = time.perf_counter()
    pair, sources = compared.programs, (left.source, right.source)

    def settle(programs: tuple[Program, Program]) -> Settlement:
        return prover.settle(*programs, sources, solver, timeout, methods, compared.assumptions, semantics)

    settlement = settle(pair)
    if settlement.order_matters is not None and semantics == "spark":
        return dataclasses.replace(unknown, reasons={"order": settlement.order_matters})
    if settlement.order_matters is not None:
        raise OrderError(settlement.order_matters)
    verdict = audited(*pair, settlement, started, semantics)
    if verdict.verdict is Answer.UNKNOWN:
        verdict = _without_guards(verdict, compared, settle)
    if verdict.verdict is Answer.UNKNOWN and compared.left.returns != MEAN:
        verdict = _of_named_code(verdict, compared, timeout)
    if compared.left.returns == MEAN:
        verdict = _of_means(verdict, compared, timeout)
    if verdict.certificate is not None and (reason := compared.why_not_judged(verdict.certificate)) is not None:
        about = "input" if verdict.counterexample is not None else "result"
        return dataclasses.replace(unknown, reasons={**verdict.reasons, about: reason}, phases=verdict.phases)
    if (reason := _why_raised(verdict, left, right)) is not None:
        return dataclasses.replace(unknown, reasons={**verdict.reasons, "input": reason}, phases=verdict.phases)
    shown = dataclasses.replace(_shown(verdict, compared), as_sets=as_sets, programs=names)
    return _with_partition_safety(_tried(shown, left, right), reports, semantics)


def _why_raised(verdict: Verdict, left: SourceProgram, right: SourceProgram) -> str | None:
    """Why a difference is none where no expression raises an error, which is assumed; None where it is one."""
    if verdict.counterexample is None or verdict.certificate is None or NO_ERRORS not in verdict.assumptions:
        return None
    result = decode(verdict.certificate).result
    if not isinstance(result, Counterexample):
        return None
    says_so = left.may_raise or right.may_raise
    for each, output in zip((left, right), result.outputs, strict=True):
        if (not says_so or output[0]) and raises_on(each, result.inputs):  # type: ignore[index]
            return f"{IMPOSSIBLE}: `{each.function_name}` raises an exception on these"
    return None


def _tried(verdict: Verdict, left: SourceProgram, right: SourceProgram) -> Verdict:
    """A verdict whose readings were tried; raises ReadingError where one of them is wrong. Unknown needs no trial."""
    if verdict.verdict is Answer.UNKNOWN:
        return verdict
    started = time.perf_counter()
    trials = tuple(f"{each.function_name}: {tried(each)}" for each in (left, right))
    seconds = time.perf_counter() - started
    phases = {**verdict.phases, "trying": seconds}
    return dataclasses.replace(verdict, trials=trials, phases=phases, seconds=verdict.seconds + seconds)


def _without_guards(
    verdict: Verdict, compared: Comparison, settle: Callable[[tuple[Program, Program]], Settlement]
) -> Verdict:
    """What is proved without the places where programs raise, if that is something: a difference there is none."""
    pair = compared.without_guards.programs
    if pair == compared.programs:
        return verdict
    started = time.perf_counter() - verdict.seconds
    found = audited(*pair, settle(pair), started, compared.semantics)
    return found if found.verdict is Answer.EQUIVALENT else verdict


def _of_named_code(verdict: Verdict, compared: Comparison, timeout: float) -> Verdict:
    """A difference of programs that apply pure code by name, whose values the prover's process cannot compute."""
    if not named_code(*compared.programs):
        return verdict
    searched = time.perf_counter()
    environment = difference(*compared.programs, min(timeout, SEARCH_SECONDS))
    phases = {**verdict.phases, "deciding": verdict.phases.get("deciding", 0.0) + time.perf_counter() - searched}
    if environment is None:
        return dataclasses.replace(verdict, phases=phases)
    found = _refuted(verdict, compared, environment, searched - verdict.seconds, phases)
    return dataclasses.replace(found, notes=(*found.notes, NOTE_OF_VALUES)) if found is not verdict else verdict


def _refuted(
    verdict: Verdict, compared: Comparison, environment: Environment, started: float, phases: dict[str, float]
) -> Verdict:
    """The verdict that an input supports, in the place of one that says nothing."""
    certificate = _difference(compared, environment)
    if certificate is None:
        return verdict
    settlement = Settlement(
        certificate,
        ("refute",),
        verdict.program_class,
        verdict.complete,
        seconds=phases,
        solver_calls=verdict.solver_calls,
    )
    return audited(*compared.programs, settlement, started, compared.semantics)


def _of_means(verdict: Verdict, compared: Comparison, timeout: float) -> Verdict:
    """A verdict about means whose difference, if there is one, shows in Spark's floats too."""
    verdict = dataclasses.replace(verdict, notes=(*verdict.notes, NOTE))
    left, right = map(_returns_mean, (compared.left, compared.right))
    if verdict.certificate is not None:
        content = decode(verdict.certificate)
        if not isinstance(content.result, Counterexample):
            return verdict
        environment = dict(zip(content.left.parameters, content.result.inputs, strict=True))
        if means_differ(left, right, environment):
            return verdict
    elif ONE_MEAN not in verdict.reasons.values():
        return verdict
    searched = time.perf_counter()
    started = searched - verdict.seconds
    environment = difference_of_means(left, right, timeout)
    if environment is None:
        reasons = {**verdict.reasons, "mean": ONE_MEAN}
        return dataclasses.replace(
            verdict, verdict=Answer.UNKNOWN, method=(), certificate=None, counterexample=None, reasons=reasons
        )
    phases = {**verdict.phases, "deciding": verdict.phases["deciding"] + time.perf_counter() - searched}
    found = _refuted(verdict, compared, environment, started, phases)
    return dataclasses.replace(found, notes=verdict.notes)


def _returns_mean(source: SourceProgram) -> ReturnsMean:
    folds = (call.term for call in source.folds if call.term.operator is Operator.FOLD)
    used = free_variables(source.program.expression)
    bags = dict.fromkeys(fold.arguments[2] for fold in folds if fold.arguments[2].type == BagType(INT))
    return ReturnsMean(source.program, source.may_raise, tuple(bag for bag in bags if free_variables(bag) <= used))


def _difference(compared: Comparison, environment: Environment) -> str | None:
    """The certificate of a difference; the auditor tries the orders of the elements on so small an input.

    None where it is not proved that Spark's way of merging a fold gives one value.
    """
    from tallystick.decision.partitioning.deciding import prove_one_value
    from tallystick.decision.prover import NO_SOLVER, Prover
    from tallystick.decision.service.settle import counterexample

    programs = compared.programs
    found = counterexample(*programs, environment)
    goals = one_values(compared.semantics, *programs)
    values = [None if each.merge is None else prove_one_value(each, Prover(NO_SOLVER)) for each in goals]
    if not all(each is None or isinstance(each, Step) for each in values):
        return None
    texts = compared.left.source, compared.right.source
    made = Certificate(*programs, compared.semantics, texts, compared.assumptions, (), tuple(values), found)  # type: ignore[arg-type]
    return encode(made).decode()


def audited(
    left: Program, right: Program, settlement: Settlement, started: float, semantics: str = SPARKLITE
) -> Verdict:
    """The verdict that a settlement supports: what its certificate proves about these programs, or unknown."""
    reasons = dict(settlement.reasons)
    answer, oracles, assumptions, found = Answer.UNKNOWN, (), (), None
    certificate = settlement.certificate.encode() if settlement.certificate is not None else None
    audit_started = time.perf_counter()
    if certificate is not None:
        report = audit(certificate, (left, right), semantics, allowed=ORACLES)
        if report.accepted:
            content = decode(certificate)
            answer, oracles, assumptions = Answer(report.verdict), report.oracles, content.assumptions
            if isinstance(content.result, Counterexample):
                found = _counterexample(left, content.result)
        else:
            reasons["audit"] = (
                f"a defect of the prover: its certificate was rejected ({report.reason}); please report it"
            )
            certificate = None
    finished = time.perf_counter()
    return Verdict(
        answer,
        settlement.method if answer is not Answer.UNKNOWN else (),
        settlement.program_class,
        settlement.complete,
        finished - started,
        certificate,
        found,
        assumptions,
        oracles,
        reasons,
        phases={**settlement.seconds, "auditing": finished - audit_started},
        solver_calls=settlement.solver_calls,
    )


def replayed(verdict: Verdict, replay: Replay, semantics: Semantics = "sparklite") -> Verdict:
    """An inequivalent verdict after its counterexample ran on Spark; unknown when Spark does not tell them apart."""
    found = verdict.counterexample
    if found is None:
        return verdict
    if not (replay.in_sparklite if semantics == "sparklite" else replay.as_written).differs:
        reasons = {**verdict.reasons, "spark": f"the counterexample did not tell them apart:\n{replay.explain()}"}
        return dataclasses.replace(verdict, verdict=Answer.UNKNOWN, reasons=reasons, method=())
    notes = ()
    if replay.depends_on_meaning:
        notes = tuple(replay.explain().splitlines())
    on_spark = dataclasses.replace(found, replayed_on=("reference", "spark"), notes=notes)
    return dataclasses.replace(verdict, counterexample=on_spark)


def _counterexample(left: Program, found: Counterexample) -> DifferingInput:
    names = [str(name.parameter[0]) for name in left.parameters]  # type: ignore[index]
    inputs = {name: listed(value) for name, value in zip(names, found.inputs, strict=True)}
    return DifferingInput(inputs, (found.outputs[0], found.outputs[1]))


def _shown(verdict: Verdict, compared: Comparison) -> Verdict:
    """A verdict whose counterexample shows inputs and outputs as the sources have them."""
    if verdict.counterexample is None:
        return verdict
    found, sources = verdict.counterexample, (compared.left, compared.right)
    inputs = {
        name: input_value(of, value)
        for (name, value), of in zip(found.inputs.items(), compared.left.declared, strict=True)
    }
    found = dataclasses.replace(found, inputs=inputs)
    outputs = tuple(_output(*each) for each in zip(found.outputs, sources, strict=True))
    values = {
        name: as_python(value, of)
        for (name, value), of in zip(found.inputs.items(), compared.left.declared, strict=True)
    }
    shown = dataclasses.replace(found, outputs=outputs, values=values)  # type: ignore[arg-type]
    return dataclasses.replace(verdict, counterexample=shown)


def _output(value: Any, source: SourceProgram) -> Any:
    of = source.result_type
    if source.may_raise:
        returns, value = value
        if not returns:
            return Raises("ValueError or KeyError")
    if source.returns == "list":
        items = python_value(refuting.listed(value)[0])
        item = of.element.components[1] if of is not None else None  # type: ignore[union-attr]
        return [as_python(_own(each) if source.told_apart else each, item) for each in items]
    if source.told_apart:
        own = list(map(_own, listed(value))) if isinstance(value, dict) else _own(listed(value))
        return as_python(own, of)
    if source.returns == MEAN:
        return Mean(*value)
    shown = as_python(listed(value), of)
    return _grouped(shown) if source.returns in GROUPS else shown


def _own(triple: Any) -> Any:
    """What a program returned that says which of two programs it is."""
    of_second, first, second = triple
    return second if of_second else first


def _grouped(pairs: list[Any]) -> list[Any]:
    """Pairs of key and item as pairs of a key and the list of its items."""
    groups: dict[Any, list[Any]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return list(groups.items())
