"""Linear equations between sums over one bag, which is made of no others: they hold of each element, and so of sums."""

from __future__ import annotations

import random

from tallystick.certificates.exports.coq_members import Types, parameter, parameters
from tallystick.core.binders import element_type
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Term, apply, free_variables
from tallystick.core.types import is_basic
from tallystick.decision.inputs import random_value
from tallystick.decision.methods.affine_invariants import components, linear_equation, null_space
from tallystick.members.search import Search

SAMPLES = 8
"""How many elements are looked at for each sum."""


def relate(search: Search) -> None:
    """Adds the linear equations that are found between sums over one bag of what depends on no other bag."""
    for (over, bag), sums in search.sums.items():
        item = parameter(len(over), element_type(bag))
        added = {each: apply(each.body.arguments[1].arguments[1], item) for each in sums}
        weights = {
            each: weight for each, weight in added.items() if all(is_basic(of.type) for of in free_variables(weight))
        }
        calls = [(each, parameters(over)) for each in weights]
        for vector in null_space(_sampled(over, item, [*weights.values()])) if weights else ():
            places = [place for place, factor in enumerate(vector) if factor]
            law = search.induct(
                over,
                [calls[place] for place in places],
                lambda *totals, factors=[vector[place] for place in places]: linear_equation([0, *factors], [*totals]),
            )
            if law is not None:
                search.equations.setdefault(over, []).append(law)
                search.always += [] if over else [law]


def _sampled(over: Types, item: Term, weights: list[Term]) -> list[list[int]]:
    """What is added for some elements, one row for each; parameters are often what is in the element."""
    generator = random.Random(1)
    parts = components(item)
    rows = []
    for _ in range(SAMPLES * (len(weights) + 1)):
        values = {name: random_value(name.type, generator) for each in weights for name in free_variables(each)}
        values[item] = random_value(item.type, generator)
        for one in parameters(over):
            same = [part for part in parts if part.type == one.type]
            if same and generator.random() < 0.5:
                values[one] = evaluate(generator.choice(same), {item: values[item]})  # type: ignore[assignment]
        rows.append([int(evaluate(each, values)) for each in weights])  # type: ignore[arg-type, call-overload]
    return rows
