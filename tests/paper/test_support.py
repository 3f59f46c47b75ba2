"""The lemma of the paper about distinct: it changes multiplicities, and never which elements there are."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.certificates.rules.distinct import support
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Operator, aggregates, subterms
from tallystick.core.types import BagType
from tallystick.experiments.inputs import generated_inputs
from tallystick.experiments.random_programs import random_program


@settings(max_examples=examples(150))
@given(st.integers(0, 10**6))
def test_a_bag_and_its_support_have_the_same_elements(seed: int) -> None:
    program = random_program(Random(seed))
    bags = [each for each in subterms(program.expression) if isinstance(each.type, BagType) and not aggregates(each)]
    for bag in bags:
        plain = support(bag)
        assert not any(each.operator is Operator.DISTINCT for each in subterms(plain))
        for environment in generated_inputs(program, program, 4):
            elements, same = evaluate(bag, environment), evaluate(plain, environment)
            assert isinstance(elements, dict)
            assert isinstance(same, dict)
            assert elements.keys() == same.keys()
