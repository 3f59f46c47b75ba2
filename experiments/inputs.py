"""Inputs to run two programs on, when nothing but the programs is known."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tallystick.core.interpreter import Bag, Environment, bag_of
from tallystick.core.programs import Program
from tallystick.core.types import BagType, BasicType
from tallystick.decision.inputs import random_value
from tallystick.decision.telling import Telling

BOUNDARY_VALUES = 24
"""How many elements a bag of boundary values has at most."""


def generated_inputs(left: Program, right: Program, count: int) -> list[Environment]:
    """Inputs for two programs: empty bags, boundary values of their constants, duplicates, then random ones.

    The same programs give the same inputs.
    """
    generator = Random(0)
    telling = Telling.of((left.expression, right.expression))

    def boundaries(of: BasicType) -> Bag:
        if telling.number(of) <= BOUNDARY_VALUES:
            return dict.fromkeys(telling.all(of), 1)
        return dict.fromkeys((telling.value(of, generator) for _ in range(BOUNDARY_VALUES)), 1)

    def duplicates(of: BasicType) -> Bag:
        return {telling.value(of, generator): generator.randint(1, 3) for _ in range(3)}

    def anything(of: BasicType) -> Bag:
        return bag_of(random_value(of, generator) for _ in range(generator.randint(1, 5)))

    def environment(make: Callable[[BasicType], Bag]) -> Environment:
        return {
            name: make(name.type.element) if isinstance(name.type, BagType) else telling.value(name.type, generator)
            for name in left.parameters
        }

    kinds = [lambda _: {}, boundaries, duplicates, *[anything] * count]
    return [environment(kind) for kind in kinds[:count]]
