"""From two programs to a certificate, or to the reasons why there is none: everything but the audit."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from tallystick.certificates.codec import encode
from tallystick.certificates.judgements import OneValue
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.refuting import differ
from tallystick.certificates.search.answers import SearchLimits
from tallystick.core.clock import clock
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.presburger.limits import Limits
from tallystick.core.programs import SPARK, SPARKLITE, Program
from tallystick.core.terms import TRUE, Operator, subterms
from tallystick.core.version import VERSION
from tallystick.decision.classify import AGG_ONE, AGG_ONE_SYNC, NO_AGG, ProgramClass, classify
from tallystick.decision.methods.agg_one_sync import collapses_in_synchrony
from tallystick.decision.outcome import Differs, Goal, Method, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.partitioning.deciding import NotProved, prove_one_value
from tallystick.decision.prover import Prover
from tallystick.decision.service.one_value import difference_with_one_value
from tallystick.decision.service.portfolio import METHODS, decide
from tallystick.decision.service.settlement import ONE_MEAN, Settlement
from tallystick.decision.well_defined import TwoOrders, order_of_elements

CLASS_CAPS = Limits(branches=100, disjuncts=5)
CLASS_LIMITS = SearchLimits(nodes=1000, seconds=2.0)
CLASS_SECONDS = 2.0
"""The work that goes into the question whether folds collapse in synchrony; where it stays open, they count as not."""
ONE_VALUE_SECONDS = 3.0
"""How long a difference is looked for on which the order of what is folded does not matter."""


def settle(
    left: Program,
    right: Program,
    sources: tuple[str, str],
    prover: Prover,
    methods: Mapping[str, Method] = METHODS,
    assumptions: tuple[str, ...] = (),
    semantics: str = SPARKLITE,
) -> Settlement:
    """Decides two comparable programs, and writes the certificate of what was found under the assumptions."""
    started = time.perf_counter()
    decision = decide(left, right, prover, methods)
    decided = time.perf_counter()
    outcome, reasons, certificate, order_matters = decision.outcome, dict(decision.reasons), None, None
    if isinstance(outcome, Differs) and not differ(left, *counterexample(left, right, outcome.environment).outputs):
        outcome = Unknown(ONE_MEAN)
        reasons["mean"] = ONE_MEAN
    if isinstance(outcome, Unknown):
        order_matters = _two_orders(left, right, prover)
    else:
        goals = one_values(semantics, left, right)
        values = [prove_one_value(goal, prover) for goal in goals]
        lacking = [each for each in values if isinstance(each, NotProved)]
        if lacking and isinstance(outcome, Differs) and semantics == SPARK:
            unproved = [goal for goal, value in zip(goals, values, strict=True) if isinstance(value, NotProved)]
            found = _where_order_is_nothing(left, right, outcome.environment, unproved, prover)
            if found is not None:
                outcome, lacking = Differs(found, outcome.method), []
        order_matters = _two_orders(left, right, prover) if lacking else None
        if lacking and isinstance(outcome, Proved):
            reasons["folds"] = f"that each fold has one value is not proved: {lacking[0].reason}"
        elif order_matters is None:
            proofs = tuple(each if isinstance(each, Step) else None for each in values)
            certificate = _certificate(left, right, semantics, sources, assumptions, proofs, outcome)
    finished = time.perf_counter()
    program_class = _class_of(left, right, prover)
    return Settlement(
        certificate,
        _methods(outcome),
        str(program_class),
        _has_complete_method(program_class, left, right),
        reasons,
        order_matters,
        {
            "deciding": decided - started,
            "certifying": finished - decided,
            "classifying": time.perf_counter() - finished,
        },
        prover.solver_calls,
    )


def _where_order_is_nothing(
    left: Program, right: Program, environment: Environment, unproved: list[OneValue], prover: Prover
) -> Environment | None:
    """An input on which programs differ whatever the order of what they fold; None where merging matters, too."""
    if any(goal.merge is not None for goal in unproved):
        return None
    deadline = min(prover.deadline, clock() + ONE_VALUE_SECONDS)
    folds = [goal.fold for goal in unproved]
    return difference_with_one_value(left, right, environment, folds, lambda: clock() > deadline)


def _has_complete_method(program_class: ProgramClass, *programs: Program) -> bool:
    """Whether a method decides every pair of a class; the papers' classes know no distinct."""
    nodes = (node for program in programs for node in subterms(program.expression))
    return program_class in (NO_AGG, AGG_ONE_SYNC) and all(node.operator is not Operator.DISTINCT for node in nodes)


def _class_of(left: Program, right: Program, prover: Prover) -> ProgramClass:
    goal = Goal(TRUE, left.expression, right.expression)
    found = classify(goal)
    deadline = min(prover.deadline, clock() + CLASS_SECONDS)
    quick = replace(prover.quick(), deadline=deadline, limits=CLASS_LIMITS)
    try:
        if found is AGG_ONE and collapses_in_synchrony(
            goal, MethodContext(quick, lambda _: Unknown("not asked")), CLASS_CAPS
        ):
            return AGG_ONE_SYNC
    except FragmentError:  # the folds are over bags that the condition says nothing about
        return found
    return found


def _methods(outcome: Outcome) -> tuple[str, ...]:
    match outcome:
        case Proved(_, methods):
            return methods
        case Differs(_, method):
            return (method,)
        case Unknown():
            return ()


def _two_orders(left: Program, right: Program, prover: Prover) -> str | None:
    """How the result of a fold depends on the order of its elements, if one is seen to."""
    for program in (left, right):
        for found in order_of_elements(program.expression, prover):
            if isinstance(found, TwoOrders):
                name = "foldByKey" if found.fold.operator is Operator.FOLD_BY_KEY else "fold"
                one, other = map(_order_text, found.orders)
                return (
                    f"the result of {name} in {program.name} depends on the order of the elements: "
                    f"{one} gives {found.results[0]}, {other} gives {found.results[1]}"
                )
    return None


def _order_text(order: tuple[object, ...]) -> str:
    return "[" + ", ".join(map(str, order)) + "]"


def _certificate(
    left: Program,
    right: Program,
    semantics: str,
    sources: tuple[str, str],
    assumptions: tuple[str, ...],
    values: tuple[Step | None, ...],
    outcome: Proved | Differs,
) -> str:
    proved = isinstance(outcome, Proved)
    result = outcome.proof if proved else counterexample(left, right, outcome.environment)
    producer = (("tallystick", VERSION),)
    return encode(Certificate(left, right, semantics, sources, assumptions, producer, values, result)).decode()


def counterexample(left: Program, right: Program, environment: Environment) -> Counterexample:
    """An input with what both programs return on it."""
    inputs = tuple(environment[name] for name in left.parameters)
    outputs = evaluate(left.expression, environment), evaluate(right.expression, environment)
    return Counterexample(inputs, outputs)
