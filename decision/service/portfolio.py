"""The portfolio: the methods, cheapest first, and what each one answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain, islice

from tallystick.certificates.refuting import differ
from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.functions import FunctionError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.programs import LIST, Program
from tallystick.core.terms import TRUE, aggregates, subterms
from tallystick.core.types import RationalType, TextType
from tallystick.decision.inputs import differs, inputs_from_model, smallest
from tallystick.decision.methods.affine_invariants import affine_invariants
from tallystick.decision.methods.agg_mult import agg_mult
from tallystick.decision.methods.agg_one import agg_one
from tallystick.decision.methods.agg_one_bag import agg_one_bag
from tallystick.decision.methods.agg_one_key import agg_one_key
from tallystick.decision.methods.agg_one_sync import agg_one_sync
from tallystick.decision.methods.algebraic_laws import algebraic_laws
from tallystick.decision.methods.congruence import congruence
from tallystick.decision.methods.constant_fold import constant_fold
from tallystick.decision.methods.element_blind import element_blind
from tallystick.decision.methods.extrema import extrema
from tallystick.decision.methods.horn_invariants import horn_by_key, horn_invariants
from tallystick.decision.methods.linear_aggregates import linear_aggregates
from tallystick.decision.methods.location_invariants import location_invariants
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.methods.normal_forms import normal_forms
from tallystick.decision.methods.opaque_bags import opaque_bags
from tallystick.decision.methods.reflexive import reflexive
from tallystick.decision.methods.refute import candidates, first_difference, shrink, small_inputs
from tallystick.decision.methods.set_semantics import set_semantics
from tallystick.decision.methods.template_invariants import template_invariants
from tallystick.decision.outcome import Differs, Goal, Method, MethodContext, Model, Outcome, Unknown
from tallystick.decision.prover import Prover

REFUTE = "refute"
METHODS: dict[str, Method] = {
    "reflexive": reflexive,
    "opaque_bags": opaque_bags,
    "algebraic_laws": algebraic_laws,
    "no_agg": no_agg,
    "set_semantics": set_semantics,
    "congruence": congruence,
    "constant_fold": constant_fold,
    "agg_one": agg_one,
    "agg_mult": agg_mult,
    "affine_invariants": affine_invariants,
    "agg_one_sync": agg_one_sync,
    "agg_one_bag": agg_one_bag,
    "linear_aggregates": linear_aggregates,
    "extrema": extrema,
    "element_blind": element_blind,
    "location_invariants": location_invariants,
    "agg_one_key": agg_one_key,
    "normal_forms": normal_forms,
    "template_invariants": template_invariants,
    "horn_invariants": horn_invariants,
    "horn_by_key": horn_by_key,
}
"""In the order in which they are tried."""


QUICK_INPUTS = 24
"""How many small inputs are tried before the methods, when programs have aggregates."""
QUICK_SECONDS = 1.0
"""How long inputs are tried before the methods, when programs have texts or exact numbers."""
QUICKER_SECONDS = 0.4
"""How long further inputs are tried before the methods, when programs have aggregates."""
SLOW_METHODS = frozenset(("normal_forms", "template_invariants", "horn_invariants", "horn_by_key"))
SEARCH_SECONDS = 2.0
"""How long inputs are tried before the slow methods."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the portfolio found, and for each method that applied but did not answer, why."""

    outcome: Outcome
    reasons: dict[str, str] = field(default_factory=dict)


def decide(left: Program, right: Program, prover: Prover, methods: Mapping[str, Method] = METHODS) -> Decision:
    """A proof tree or a differing input for two comparable programs, or the reasons why there is neither.

    Nothing that this function says is believed: proof trees are replayed by the kernel, inputs re-evaluated.
    """
    goal = Goal(TRUE, left.expression, right.expression)
    tells = _telling(left)
    inputs = candidates(goal, ())

    def search(seconds: float, of: Iterator[Environment] = inputs) -> Environment | None:
        return first_difference(goal, of, _after(min(seconds, prover.deadline - clock())), tells)

    if goal.left is goal.right and "reflexive" in methods:
        return Decision(_run(goal, prover, methods, {}, {"reflexive"}))
    if aggregates(goal.left) or aggregates(goal.right):
        found = search(QUICK_SECONDS, islice(small_inputs(goal), QUICK_INPUTS))
        if found is not None:
            return Decision(_difference(left, goal, found, REFUTE, tells))
        found = search(QUICKER_SECONDS)
        if found is not None:
            return Decision(_difference(left, goal, found, REFUTE, tells))
    if _has_texts(goal):
        found = search(QUICK_SECONDS)
        if found is not None:
            return Decision(_difference(left, goal, found, REFUTE, tells))
    reasons: dict[str, str] = {}
    outcome = _run(goal, prover, methods, reasons, set(methods) - SLOW_METHODS)
    if isinstance(outcome, Unknown):
        found = search(min(SEARCH_SECONDS, (prover.deadline - clock()) / 3))
        if found is not None:
            return Decision(_difference(left, goal, found, REFUTE, tells), reasons)
        models = outcome.models
        outcome = _run(goal, prover, methods, reasons, SLOW_METHODS)
        if isinstance(outcome, Unknown):
            outcome = Unknown(outcome.reason, (*models, *outcome.models))
    if isinstance(outcome, Differs) and not tells(goal, outcome.environment):
        outcome = Unknown("what the lists are made from differs, and the lists do not")
    match outcome:
        case Differs(environment, method):
            outcome = _difference(left, goal, environment, method, tells)
        case Unknown(_, models):
            from_models = chain.from_iterable(inputs_from_model(goal, model) for model in models)
            found = search(prover.deadline - clock(), chain(from_models, inputs))
            if found is not None:
                outcome = _difference(left, goal, found, REFUTE, tells)
            elif prover.expired:
                reasons[REFUTE] = "the time limit was reached"
    return Decision(outcome, reasons)


def _has_texts(goal: Goal) -> bool:
    """Whether programs have texts or exact numbers: for these the methods take long to say that they do not know."""
    nodes = chain(subterms(goal.left), subterms(goal.right))
    return any(isinstance(node.type, TextType | RationalType) for node in nodes)


def _after(seconds: float) -> Callable[[], bool]:
    end = clock() + seconds
    return lambda: clock() > end


def _telling(program: Program) -> Callable[[Goal, Environment], bool]:
    """When an input tells two programs apart: where lists differ, not only what they are made from."""
    if program.returns != LIST:
        return differs

    def tells(goal: Goal, environment: Environment) -> bool:
        return differs(goal, environment) and differ(
            program, evaluate(goal.left, environment), evaluate(goal.right, environment)
        )

    return tells


def _difference(
    program: Program,
    goal: Goal,
    environment: Environment,
    method: str,
    tells: Callable[[Goal, Environment], bool],
) -> Differs:
    """A small differing input, with values for the parameters that neither program looks at."""
    small = shrink(environment, lambda smaller: tells(goal, smaller))
    return Differs({name: small.get(name, smallest(name.type)) for name in program.parameters}, method)


def _run(
    goal: Goal, prover: Prover, methods: Mapping[str, Method], reasons: dict[str, str], among: Set[str]
) -> Outcome:
    """The first answer of a method `among` them; Unknown with all models of failed premises when none has one."""

    def remaining(rest: Goal) -> Outcome:
        return _run(rest, prover, methods, {}, methods.keys())

    models: list[Model] = []
    context = MethodContext(prover, remaining)
    for name, method in methods.items():
        if name not in among:
            continue
        if prover.expired:
            reasons[name] = "the time limit was reached"
            break
        try:
            outcome = method(goal, context)
        except FragmentError as error:
            outcome = Unknown(str(error))
        except FunctionError as error:
            outcome = Unknown(f"a program raises an exception where the method needs a value: {error}")
        except EvaluationError as error:
            outcome = Unknown(f"the method needs a value that is not known: {error}")
        if isinstance(outcome, Unknown):
            reasons[name] = outcome.reason
            models += outcome.models
        elif outcome is not None:
            return outcome
    summary = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    return Unknown(summary or "no method applies to these programs", tuple(models))
