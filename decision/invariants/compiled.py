"""Terms compiled to Python closures, to run one step of a fold many times (untrusted).

The closures compute what the reference interpreter does, lazily as it does, and a subterm with several parents once.
Functions that are known by name have arbitrary values, the same for the same arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from tallystick.core.errors import FragmentError
from tallystick.core.operators import FIRST_ORDER
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import Value
from tallystick.decision.inputs import random_value

Cells = list
"""The values of the inputs in order, and after them those of shared subterms, None where not yet computed."""
Closure = Callable[[Cells], Value]


def compiled(terms: Iterable[Term], inputs: Sequence[Term]) -> Callable[[Sequence[Value]], tuple[Value, ...]]:
    """A function from values of `inputs` to values of `terms`, which are without ⊥, bags and bound variables.

    Raises FragmentError when a term has a variable that is no input, or something else without a value.
    """
    results = tuple(terms)
    compiler = _Compiler(results, inputs)
    closures = [compiler.closure(term) for term in results]
    blank = [None] * compiler.shared

    def run(values: Sequence[Value]) -> tuple[Value, ...]:
        cells = [*values, *blank]
        return tuple([closure(cells) for closure in closures])

    return run


class _Compiler:
    def __init__(self, terms: tuple[Term, ...], inputs: Sequence[Term]) -> None:
        self.known: dict[Term, Closure] = {name: _cell(index) for index, name in enumerate(inputs)}
        self.parents: dict[Term, int] = {}
        self.first, self.shared = len(inputs), 0
        for node in {node: None for term in terms for node in subterms(term)}:
            for argument in node.arguments:
                self.parents[argument] = self.parents.get(argument, 0) + 1

    def closure(self, term: Term) -> Closure:
        known = self.known.get(term)
        if known is None:
            known = _made(term, [self.closure(argument) for argument in term.arguments])
            if term.arguments and self.parents.get(term, 0) > 1:
                known = _once(known, self.first + self.shared)
                self.shared += 1
            self.known[term] = known
        return known


def _cell(index: int) -> Closure:
    return lambda cells: cells[index]


def _once(compute: Closure, index: int) -> Closure:
    def value(cells: Cells) -> Value:
        known = cells[index]
        if known is None:
            known = cells[index] = compute(cells)
        return known

    return value


def _made(term: Term, parts: list[Closure]) -> Closure:
    parameter: int = term.parameter  # type: ignore[assignment]
    match term.operator, parts:
        case Operator.CONSTANT, []:
            return lambda cells: parameter
        case Operator.ADD, [left, right]:
            return lambda cells: left(cells) + right(cells)  # type: ignore[operator]
        case Operator.ADD, _:
            return lambda cells: sum([part(cells) for part in parts])  # type: ignore[misc]
        case Operator.SCALE, [part]:
            return lambda cells: parameter * part(cells)  # type: ignore[operator]
        case Operator.DIV, [part]:
            return lambda cells: part(cells) // parameter  # type: ignore[operator]
        case Operator.MOD, [part]:
            return lambda cells: part(cells) % parameter  # type: ignore[operator]
        case Operator.EQUAL, [left, right]:
            return lambda cells: left(cells) == right(cells)
        case Operator.LESS, [left, right]:
            return lambda cells: left(cells) < right(cells)  # type: ignore[operator]
        case Operator.LESS_EQUAL, [left, right]:
            return lambda cells: left(cells) <= right(cells)  # type: ignore[operator]
        case Operator.NOT, [part]:
            return lambda cells: not part(cells)
        case Operator.AND, _:
            return lambda cells: all(part(cells) for part in parts)
        case Operator.OR, _:
            return lambda cells: any(part(cells) for part in parts)
        case Operator.TUPLE, _:
            return lambda cells: tuple([part(cells) for part in parts])
        case Operator.PROJECTION, [part]:
            return lambda cells: part(cells)[parameter]  # type: ignore[index]
        case Operator.ITE, [condition, then, otherwise]:
            return lambda cells: then(cells) if condition(cells) else otherwise(cells)
        case Operator.APPLY, _:
            return lambda cells: _arbitrary(term, [part(cells) for part in parts])
    if term.operator in FIRST_ORDER:
        compute = FIRST_ORDER[term.operator].value
        return lambda cells: compute([part(cells) for part in parts], term)
    raise FragmentError(f"{term.operator.value} has no value in a step")


def _arbitrary(term: Term, values: list[Value]) -> Value:
    """The value of some function that a name could mean: what a proof relies on holds for every function."""
    return random_value(term.type, Random(f"{term.parameter} {values}"))
