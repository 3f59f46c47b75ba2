"""SparkLite programs (TR Fig. 4): typed parameters and a main expression."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.errors import SortError
from tallystick.core.terms import Operator, Term, free_variables, subterms
from tallystick.core.types import BagType, Type


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose let expressions and function names are eliminated by substitution (TR section 2).

    Attributes:
        name: what messages call it; two programs may differ in nothing else and be equal in meaning.
        parameters: its formal parameters in order, as variables: input bags and basic parameters.
        expression: its main expression, closed, over the parameters only, without ⊥.

    Raises SortError on construction when one of these does not hold.
    """

    name: str
    parameters: tuple[Term, ...]
    expression: Term

    def __post_init__(self) -> None:
        names = [parameter.parameter[0] for parameter in self.parameters if _is_variable(parameter)]  # type: ignore[index]
        if len(set(names)) != len(self.parameters):
            raise SortError(f"{self.name}: parameters are variables with distinct names")
        undeclared = free_variables(self.expression) - set(self.parameters)
        if undeclared or self.expression.bound:
            raise SortError(f"{self.name}: the main expression has free variables that are no parameters")
        if any(term.operator is Operator.BOTTOM for term in subterms(self.expression)):
            raise SortError(f"{self.name}: ⊥ belongs to program terms, not to programs")

    @property
    def result(self) -> Type:
        """The type of what the program returns."""
        return self.expression.type

    @property
    def bags(self) -> tuple[Term, ...]:
        """The input bags."""
        return tuple(parameter for parameter in self.parameters if isinstance(parameter.type, BagType))

    @property
    def basic_parameters(self) -> tuple[Term, ...]:
        """The parameters of basic types."""
        return tuple(parameter for parameter in self.parameters if not isinstance(parameter.type, BagType))


def _is_variable(term: Term) -> bool:
    return term.operator is Operator.VARIABLE


def comparable(left: Program, right: Program) -> bool:
    """Whether both take the same parameters in the same order and return the same type (CAV section 4)."""
    return left.parameters == right.parameters and left.result == right.result
