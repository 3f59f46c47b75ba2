"""Terms: variables and applications of function symbols (paper, section 2.1).

    Term ∋ e ::= x | f(e₁, …, eₙ)

A function symbol carries its own interpretation, a Python function: the interpretation structure 𝒜 of the
paper is Python itself. A value of the domain is a constant, that is, a symbol without arguments.

>>> sum_ = Apply(Symbol("plus", operator.add), (Variable("o"), Constant(6)))
>>> str(sum_), free_variables(sum_), value_of(substitute(sum_, {"o": 0}))
('plus(o, 6)', frozenset({'o'}), 6)
"""

from __future__ import annotations

import operator  # noqa: F401  (used by the doctest)
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tallystick.streaming.errors import FormulaError


@dataclass(frozen=True)
class Symbol:
    """A function or predicate symbol: a name to show, and the Python function that interprets it.

    If the name is a whole sentence, it is shown without the arguments.
    """

    name: str
    interpretation: Callable[..., Any]
    is_sentence: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Variable:
    """A variable, bound by a consume operator."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Constant:
    """A value of the domain: a letter, a timestamp, a number."""

    value: Any

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Apply:
    """A function symbol applied to terms."""

    function: Symbol
    arguments: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


Term: TypeAlias = Variable | Constant | Apply


def free_variables(term: Term) -> frozenset[str]:
    """Return the names of the variables in the term."""
    match term:
        case Variable(name):
            return frozenset((name,))
        case Constant():
            return frozenset()
        case Apply(_, arguments):
            return frozenset().union(*map(free_variables, arguments))


def substitute(term: Term, binding: Mapping[str, Any]) -> Term:
    """Replace each variable named in the binding by the constant it is bound to."""
    match term:
        case Variable(name):
            return Constant(binding[name]) if name in binding else term
        case Constant():
            return term
        case Apply(function, arguments):
            return Apply(function, tuple(substitute(argument, binding) for argument in arguments))


def value_of(term: Term) -> Any:
    """Return ⟦e⟧, the value of a closed term. Raises `FormulaError` on a free variable."""
    match term:
        case Variable(name):
            raise FormulaError(f"the variable {name} is not bound by any consume operator around it")
        case Constant(value):
            return value
        case Apply(function, arguments):
            return function.interpretation(*map(value_of, arguments))
