"""Named functions, parametric functions and let (TR Fig. 4), for those who write programs as terms.

A `Program` has none of these: they are eliminated by substitution, one simultaneous substitution each, so that
nothing can be captured. A function's parameters are variables that belong to it alone; a variable of the same name
in an argument is another one.

    >>> from tallystick.core.pretty import text
    >>> from tallystick.core.terms import Operator, build, less_equal, variable
    >>> from tallystick.core.types import INT, BagType
    >>> x, y, bag = variable("x", INT), variable("y", INT), variable("R", BagType(INT))
    >>> geq = Function("geq", (y, x), less_equal(y, x))
    >>> text(build(Operator.FILTER, (geq.udf(x), bag)))
    'filter(λy. x ≤ y)(R)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.core.errors import SortError
from tallystick.core.terms import (
    OVER_BAGS,
    Operator,
    Term,
    accumulator,
    element,
    rebuild,
    substitute,
    subterms,
)
from tallystick.core.types import is_basic


@dataclass(frozen=True, slots=True)
class Function:
    """The function λ parameters. body, between basic types.

    Attributes:
        name: what messages call it.
        parameters: variables of basic types, all different.
        body: a basic expression without bags and ⊥; its other variables are the program's parameters.

    Raises SortError on construction when one of these does not hold.
    """

    name: str
    parameters: tuple[Term, ...]
    body: Term

    def __post_init__(self) -> None:
        variables = [term for term in self.parameters if term.operator is Operator.VARIABLE and is_basic(term.type)]
        if len(set(variables)) != len(self.parameters) or not self.parameters:
            raise SortError(f"{self.name}: the parameters of a function are distinct variables of basic types")
        refused = (*OVER_BAGS, Operator.BOTTOM)
        if not is_basic(self.body.type) or self.body.bound or any(t.operator in refused for t in subterms(self.body)):
            raise SortError(f"{self.name}: the body of a function is a basic expression over its parameters, without ⊥")

    def __call__(self, *arguments: Term) -> Term:
        """The body with each parameter replaced by an argument; arguments may mention a UDF's bound variables.

        Raises SortError when the number of arguments or the type of one is wrong.
        """
        if [argument.type for argument in arguments] != [parameter.type for parameter in self.parameters]:
            expected = ", ".join(str(parameter.type) for parameter in self.parameters)
            found = ", ".join(str(argument.type) for argument in arguments)
            raise SortError(f"{self.name} takes ({expected}), and is given ({found})")
        return rebuild(self.body, dict(zip(self.parameters, arguments, strict=True)), inside=True)

    def udf(self, *given: Term) -> Term:
        """The UDF that remains when the first parameters are given: geq(100) for geq = λy. λx. y ≤ x.

        One remaining parameter stands for the element of map and filter; two stand for the accumulator and the element
        of a fold. Raises SortError for any other number, when an argument is not closed, and like a call.
        """
        rest = [parameter.type for parameter in self.parameters[len(given) :]]
        if len(rest) not in (1, 2):
            raise SortError(f"{self.name}: a UDF has one parameter left, or two for a fold, and this has {len(rest)}")
        if any(argument.bound for argument in given):
            raise SortError(f"{self.name}: what a parametric function is given mentions no bound variables")
        bound = (element(rest[-1]),) if len(rest) == 1 else (accumulator(rest[0]), element(rest[1]))  # type: ignore
        return self(*given, *bound)


def let(definitions: Sequence[tuple[Term, Term]], expression: Term) -> Term:
    """`expression` after definitions (variable, what it stands for), each of which may use those before it.

    A definition hides a parameter of its name, and an earlier definition, in what follows it. Raises SortError when a
    definition is not closed, has another type than its variable, or when what is defined is no variable.
    """
    for name, definition in reversed(definitions):
        if name.operator is not Operator.VARIABLE:
            raise SortError(f"let defines variables, not {name.operator.value}")
        expression = substitute(expression, {name: definition})
    return expression
