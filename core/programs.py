"""SparkLite programs (TR Fig. 4): typed parameters and a main expression."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.core.errors import SortError
from tallystick.core.operators import AGGREGATES, OF_QUERIES
from tallystick.core.terms import Operator, Term, accumulator, element, free_variables, subterms
from tallystick.core.types import BOOL, INT, BagType, TupleType, Type

VALUE, DICTIONARY, MEAN, LIST, *GROUPS = RETURNS = ("value", "dict", "mean", "list", "lists", "sorted lists", "sets")
"""What a result stands for: itself; a dictionary, as the bag of its items; a mean, as (sum, count); a list, as the bag
of (order, element), where an order is (how many of the first are in it, or -1, and for each key whether it descends,
and the key); or, as the bag of (key, item), for each key a list in any or in ascending order, or a set."""

SPARKLITE, SPARK = SEMANTICS = ("sparklite", "spark")
"""Meanings of a fold: one left fold over all elements; as Spark computes it, in partitions (THEORY section 5)."""


@dataclass(frozen=True, slots=True)
class MergedFold:
    """A fold that a program computes, and how Spark merges the results of partitions.

    Attributes:
        fold: a fold or by-key fold.
        merge: a function over `accumulator` and `element`, both of the type of what is accumulated; None where a method
            of Spark's own merges, as in `count`, so that there is one value by the method's definition.

    Raises SortError on construction when `fold` is no fold or `merge` no such function.
    """

    fold: Term
    merge: Term | None

    def __post_init__(self) -> None:
        if self.fold.operator not in AGGREGATES:
            raise SortError("results of partitions are merged for folds")
        state = self.fold.arguments[0].type
        if self.merge is not None and (
            self.merge.type != state or not self.merge.bound <= {accumulator(state), element(state)}  # type: ignore[arg-type]
        ):
            raise SortError("what merges results of partitions takes two of them, and returns one")


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose let expressions and function names are eliminated by substitution (TR section 2).

    Attributes:
        name: what messages call it; two programs may differ in nothing else and be equal in meaning.
        parameters: its formal parameters in order, as variables: input bags and basic parameters.
        expression: its main expression, closed, over the parameters only, without ⊥.
        returns: what the value of the expression stands for.
        may_raise: whether that value is a pair (whether the program returns, what it returns).
        folds: folds that the program computes and that have functions of their own to merge results of partitions; in
            Spark's meaning all that it computes, the unused ones too.

    Raises SortError on construction when one of these does not hold.
    """

    name: str
    parameters: tuple[Term, ...]
    expression: Term
    returns: str = VALUE
    may_raise: bool = False
    folds: tuple[MergedFold, ...] = ()

    def __post_init__(self) -> None:
        names = [parameter.parameter[0] for parameter in self.parameters if _is_variable(parameter)]  # type: ignore[index]
        if len(set(names)) != len(self.parameters):
            raise SortError(f"{self.name}: parameters are variables with distinct names")
        for term in self.terms:
            if free_variables(term) - set(self.parameters):
                raise SortError(f"{self.name}: the main expression has free variables that are no parameters")
            operators = {part.operator for part in subterms(term)}
            if Operator.BOTTOM in operators or operators & OF_QUERIES:
                raise SortError(f"{self.name}: ⊥ and normal forms belong to program terms, not to programs")
        if self.expression.bound or any(each.fold.bound for each in self.folds):
            raise SortError(f"{self.name}: the main expression has free variables that are no parameters")
        self._require_result()

    def _require_result(self) -> None:
        of = self.result
        if self.may_raise:
            of = (
                of.components[1]
                if isinstance(of, TupleType) and len(of.components) == 2 and of.components[0] == BOOL
                else None
            )
        fits = of == TupleType((INT, INT)) if self.returns == MEAN else self.returns in RETURNS and of is not None
        if not fits or (self.returns in (DICTIONARY, *GROUPS) and not _is_table(of)):
            raise SortError(f"{self.name}: its result, of type {self.result}, is no {self.returns!r}")

    @property
    def result(self) -> Type:
        """The type of what the program returns."""
        return self.expression.type

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms that it consists of: its main expression, its folds, and what merges results of partitions."""
        return (self.expression, *(part for each in self.folds for part in (each.fold, each.merge) if part))

    @property
    def bags(self) -> tuple[Term, ...]:
        """The input bags."""
        return tuple(parameter for parameter in self.parameters if isinstance(parameter.type, BagType))


def _is_variable(term: Term) -> bool:
    return term.operator is Operator.VARIABLE


def _is_table(of: object) -> bool:
    return isinstance(of, BagType) and isinstance(of.element, TupleType) and len(of.element.components) == 2


def comparable(left: Program, right: Program) -> bool:
    """Whether both take the same parameters in the same order and return the same kind of result (CAV section 4)."""
    results = [(program.result, program.returns, program.may_raise) for program in (left, right)]
    return left.parameters == right.parameters and results[0] == results[1]


def same_meaning(program: Program, other: Program) -> bool:
    """Whether two programs are one but for their names."""
    return replace(program, name="") == replace(other, name="")
