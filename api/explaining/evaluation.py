"""A counterexample followed through both programs: what each of their parts returns."""

from __future__ import annotations

from tallystick.certificates.proofs import Counterexample
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.operators import OVER_BAGS
from tallystick.core.programs import Program
from tallystick.core.terms import Term, subterms
from tallystick.explaining.document import Block, Items, Paragraph, Section, quoted

SHOWN = 12
"""How many different elements of a bag are shown."""


def counterexample(left: Program, right: Program, found: Counterexample) -> tuple[Block, ...]:
    """The input, and what each operation of both programs makes of it."""
    environment = dict(zip(left.parameters, found.inputs, strict=True))
    inputs = tuple((0, f"{quoted(name)} is `{shown(value)}`") for name, value in environment.items())
    return (
        Paragraph("Rule REFUTE: there is an input on which the programs return different values."),
        Items(inputs),
        *(
            Section(f"`{program.name}` returns `{shown(output)}`", (Items(_values(program.expression, environment)),))
            for program, output in zip((left, right), found.outputs, strict=True)
        ),
    )


def _values(expression: Term, environment: Environment) -> tuple[tuple[int, str], ...]:
    """The value of every part that is an operation on bags, and of the whole, innermost first."""
    parts = [node for node in subterms(expression) if node.operator in OVER_BAGS or node is expression]
    return tuple((0, f"{quoted(part)} = `{shown(evaluate(part, environment))}`") for part in parts if not part.bound)


def shown(value: object) -> str:
    """A value in the papers' notation: a bag between double braces, with multiplicities."""
    if not isinstance(value, dict):
        return str(value).lower() if isinstance(value, bool) else str(value)
    elements = sorted(value.items())
    texts = [f"{shown(element)} ×{count}" if count > 1 else shown(element) for element, count in elements[:SHOWN]]
    more = [f"… {len(elements) - SHOWN} more"] if len(elements) > SHOWN else []
    return "{{" + ", ".join([*texts, *more]) + "}}"
