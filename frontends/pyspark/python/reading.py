"""What expressions, statements and RDD methods ask of the reader; `reader.Reader` provides it."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

from tallystick.core.terms import Term
from tallystick.frontends.pyspark.python.attempts import Attempts
from tallystick.frontends.pyspark.rdds.folds import FoldCall
from tallystick.frontends.pyspark.scoping.names import Names
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.groups import Group, Products
from tallystick.frontends.pyspark.values.kinds import Closure, Frame, Grouped, RecordClass, Spread, Value
from tallystick.frontends.pyspark.values.record_types import RecordType

Noted: TypeAlias = tuple[
    list[tuple[Term, Term]] | None,
    "Spread | Group | Products | None",
    Attempts | None,
    int,
    int,
    dict[tuple[Term, Term], Term],
]
"""What a reading noted so far: yields and their source, attempts, the numbers of folds and conditions, answers."""


class Reading(Protocol):
    """One reading of a program."""

    names: Names
    folds: list[FoldCall]
    repartitions: bool
    in_udf: bool
    files: set[Term]
    yields: list[tuple[Term, Term]] | None
    source_of_yields: Spread | Group | Products | None
    yields_of_source: int
    attempts: Attempts | None
    answers: dict[tuple[Term, Term], Term]
    groups: dict[tuple[Term, Grouped], Value]
    inner_loops: dict[ast.For, frozenset[str]]
    item: Term | None
    named: set[object]
    flattened: ast.AST | None
    states: tuple[ast.AST | None, frozenset[str]]
    state_size: int | None

    @property
    def path(self) -> Term:
        """The condition under which the code runs that is being read."""
        ...

    def noted(self) -> Noted:
        """What is noted of the code that was read so far."""
        ...

    def forget(self, noted: Noted) -> None:
        """Forget what was noted of code since."""
        ...

    def computed(self, term: Term, place: Place) -> None:
        """Note that Python computes a term here."""
        ...

    def evaluate(self, node: ast.expr, frame: Frame) -> Value:
        """The value of an expression."""
        ...

    def condition(self, node: ast.expr, frame: Frame, what: str) -> Term:
        """When Python finds the value of an expression true."""
        ...

    def nested(self, place: Place) -> AbstractContextManager[None]:
        """One more level of nesting while the block runs."""
        ...

    def goes_through(self, *nodes: ast.expr) -> None:
        """Say that all items of what these expressions give are asked for, in order."""
        ...

    def is_gone_through(self, node: ast.expr) -> bool:
        """Whether all items of what an expression gives are asked for."""
        ...

    def lazily(self, node: ast.expr, place: Place) -> AbstractContextManager[None]:
        """The block makes the items of a generator, of which Python makes as many as are asked for."""
        ...

    def closure(self, node: ast.FunctionDef | ast.Lambda, frame: Frame) -> Closure:
        """The function that a def or lambda makes now."""
        ...

    def decorated(self, function: Closure, frame: Frame) -> Value:
        """The function that the decorators of a definition make of it."""
        ...

    def call(self, function: Value, place: Place, given: list[Value], named: dict[str, Value]) -> Value:
        """The value of a call."""
        ...

    def record_type(self, made: RecordClass, place: Place) -> RecordType:
        """The type of a class's records, as its annotations say."""
        ...

    def all_items_of(self, function: Value) -> AbstractContextManager[None]:
        """The block takes all items of what a function returns."""
        ...

    def udf(self, function: Value, place: Place, *arguments: Value) -> Value:
        """What a function that Spark runs on elements returns."""
        ...

    def condition_of(self, function: Value, place: Place, *arguments: Value) -> Term:
        """When Python finds true what a function returns that Spark runs on elements."""
        ...

    def assuming(self, condition: Term) -> AbstractContextManager[None]:
        """The code that the block reads runs only where the condition holds."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """The code that the block reads runs by itself: its conditions say nothing of the code around it."""
        ...

    def raises_unless(self, condition: Term, place: Place) -> None:
        """The program raises here, where control comes here and the condition does not hold."""
        ...

    def merge(self, condition: Term, then: Value, otherwise: Value, what: str) -> Value:
        """One of two values, by a condition."""
        ...
