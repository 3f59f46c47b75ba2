"""Inputs on which programs differ that apply pure code by name: its values are computed in this process alone.

The prover's process knows nothing of these functions, so it finds proofs and no such differences.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from tallystick.certificates import refuting
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Term, conjunction, constant, equal, free_variables, subterms, variable
from tallystick.core.types import BagType, BasicType, TupleType, Value
from tallystick.decision.inputs import STEP_LIMIT, smallest
from tallystick.decision.methods.refute import candidates, shrink
from tallystick.decision.outcome import Goal
from tallystick.decision.telling import Telling
from tallystick.frontends.pyspark.named_functions import applying

INPUTS: Final = 6000
"""As many inputs are tried."""
NOTE_OF_VALUES: Final = (
    "the values of code that is not read in full are those of an interpreter of its own, which no auditor checks;"
    " `audit --against` both functions computes them anew, and without these the certificate is rejected"
)
LARGEST: Final = 7
"""Distinct elements of a bag that is made here."""


def named_code(*programs: Program) -> list[str]:
    """The names of the pure code that programs apply."""
    nodes = (node for program in programs for node in subterms(program.expression))
    return sorted({name for node in nodes if (name := applying.name_of(node)) is not None})


def difference(left: Program, right: Program, seconds: float) -> Environment | None:
    """A small input on which two comparable programs return different values; None when none was found in time.

    Numbers of items may run out while a value is computed (see `named_functions.bags`): it is computed again then.
    """
    end = time.monotonic() + seconds
    written = [each for name in named_code(left, right) for each in applying.constants_of(name)]
    known = [constant(each) for each in dict.fromkeys(written) if not isinstance(each, bool)]
    goal = Goal(TRUE, left.expression, right.expression)

    def differ(environment: Environment) -> bool:
        try:
            values = [_value(each.expression, environment) for each in (left, right)]
        except EvaluationError:
            return False
        return refuting.differ(left, *values)

    for environment in islice(_inputs(left, goal, known), INPUTS):
        if time.monotonic() > end:
            return None
        environment = {name: environment.get(name, smallest(name.type)) for name in left.parameters}
        if differ(environment):
            small = shrink(environment, lambda each: time.monotonic() < end and differ(each))
            return small if differ(small) or differ(small) else None
    return None


def _value(term: Term, environment: Environment) -> Any:
    return evaluate(term, {name: environment[name] for name in free_variables(term)}, STEP_LIMIT)


def _inputs(program: Program, goal: Goal, known: list[Term]) -> Iterator[Environment]:
    """Inputs to try: of few elements, some with parts in common, in turn with those that all programs are tried on."""
    telling = Telling.of((goal.left, goal.right, *known))
    said = conjunction(*(_mention(each) for each in known))
    others = candidates(Goal(said, goal.left, goal.right), ())
    generator = random.Random(11)
    own = ({name: _content(name, telling, generator) for name in program.parameters} for _ in range(INPUTS))
    for pair in zip(own, chain(others, own), strict=False):
        yield from pair


def _mention(known: Term) -> Term:
    """A condition that mentions a constant."""
    return equal(variable(f"some {known.type}", known.type), known)


def _content(name: Term, telling: Telling, generator: random.Random) -> Value | Bag:
    of = name.type
    if not isinstance(of, BagType):
        return telling.value(of, generator)
    first, most = telling.value(of.element, generator), generator.randint(1, LARGEST)
    alike = generator.choice((0.3, 0.6, 0.8))
    elements = [first, *(_varied(first, of.element, telling, generator, alike) for _ in range(most - 1))]
    return {each: generator.choice((1, 1, 1, 1, 2, 3)) for each in elements}


def _varied(value: Any, of: BasicType, telling: Telling, generator: random.Random, alike: float) -> Value:
    """A value with some parts of another; integers may be near."""
    if isinstance(of, TupleType) and len(of.components) > 1:
        parts = zip(value, of.components, strict=True)
        return tuple(_varied(part, kind, telling, generator, alike) for part, kind in parts)
    if generator.random() < alike:
        return value
    if type(value) is int and generator.random() < 0.5:
        return value + generator.choice((-2, -1, 1, 2, 3, generator.choice(telling.integers)))
    return telling.value(of, generator)
