"""The values of functions that a counterexample rests on: what Python's functions give for the arguments it meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core import functions
from tallystick.core.interpreter import STEP_LIMIT, Environment, Evaluation
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BagType, Type


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """A function by its name, the types of its arguments and of its value: a bag stands for a list."""

    name: str
    takes: tuple[Type, ...]
    gives: Type


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """What a function gives for some arguments."""

    function: FunctionOf
    arguments: tuple[Any, ...]
    value: Any


def function_of(term: Term) -> FunctionOf:
    """The function that an APPLY or EXPAND applies."""
    name, gives = term.parameter  # type: ignore[misc]
    if term.operator is Operator.EXPAND:
        return FunctionOf(name, term.arguments[0].type.components, BagType(gives))  # type: ignore[union-attr, arg-type]
    return FunctionOf(name, tuple(argument.type for argument in term.arguments), gives)  # type: ignore[arg-type]


def function_values(certificate: Certificate) -> tuple[FunctionValue, ...]:
    """The values that the evaluation of both programs asks for, each once; none for an equivalence."""
    if not isinstance(certificate.result, Counterexample):
        return ()
    environment = dict(zip(certificate.left.parameters, certificate.result.inputs, strict=True))
    found: dict[tuple[FunctionOf, tuple[Any, ...]], FunctionValue] = {}
    for program in (certificate.left, certificate.right):
        recording = _Recording(environment)
        recording.value(program.expression, {})
        found.update(((each.function, each.arguments), each) for each in recording.found)
    return tuple(found.values())


class _Recording(Evaluation):
    """An evaluation that keeps what functions give."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment, STEP_LIMIT)
        self.found: list[FunctionValue] = []

    def compute(self, term: Term, local: dict[Term, Any]) -> Any:
        value = super().compute(term, local)
        if term.operator is Operator.APPLY:
            arguments = tuple(self.value(argument, local) for argument in term.arguments)
            self.found.append(FunctionValue(function_of(term), arguments, value))
        elif term.operator is Operator.EXPAND:
            function = function_of(term)
            (name, of), (udf, bag) = term.parameter, term.arguments  # type: ignore[misc]
            for element in self.value(bag, {}):
                arguments = self.call(udf, element)
                given = functions.items(name, of, function.takes, arguments)  # type: ignore[arg-type]
                listed = {item: given.count(item) for item in given}
                self.found.append(FunctionValue(function, arguments, listed))  # type: ignore[arg-type]
        return value
