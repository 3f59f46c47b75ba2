"""What the library of RDDs asks of a reading, where the store is what is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tallystick.core.terms import Term, conjunction
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python.expressions import operators
from tallystick.frontends.pyspark.python.reader import Reader
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.lookups import LookUpError
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.rdd.evaluation import Evaluation
from tallystick.frontends.rdd.library import OURS


class StoreReader(Reader):
    """What the library of RDDs asks of a reading: functions of this evaluation are called by it."""

    evaluation: Evaluation
    _taken_whole: Any = None
    """The function all items of whose result are taken."""

    def call(self, function: Any, place: Place, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives that the library makes."""
        if not isinstance(function, OURS) and not self.evaluation.is_class(function):
            return super().call(function, place, given, named)
        return self.evaluation.called_by_library(function, place, given, named)

    def udf(self, function: Any, place: Place, *arguments: Any) -> Any:
        """What a function that Spark runs on elements returns for these arguments."""
        if not isinstance(function, OURS) and not self.evaluation.is_class(function):
            return super().udf(function, place, *arguments)
        return self.evaluation.on_element(function, place, list(arguments))

    def condition_of(self, function: Any, place: Place, *arguments: Any) -> Term:
        """When Python finds true what a function returns that Spark runs on elements."""
        if not isinstance(function, OURS) and not self.evaluation.is_class(function):
            return super().condition_of(function, place, *arguments)
        found = self.evaluation.on_element(function, place, list(arguments), self.evaluation.truth)
        return truth(found, place, "what this function returns")

    @contextmanager
    def all_items_of(self, function: Any) -> Iterator[None]:
        """The block takes all items of what a function returns, so a generator is as good as a list."""
        outside, self._taken_whole = self._taken_whole, function
        try:
            with super().all_items_of(function):
                yield
        finally:
            self._taken_whole = outside

    def by_text(self, function: Any, text: kinds.Closure, place: Place, *arguments: Any) -> Any:
        """What a function that Spark runs on elements returns, which is read as a text."""
        self.names.follow_no_objects()
        if function is not self._taken_whole:
            return super().udf(text, place, *arguments)
        with super().all_items_of(text):
            return super().udf(text, place, *arguments)

    def in_frame(self, node: ast.expr, frame: kinds.Frame) -> Any:
        """The value of an expression over values."""
        with self.here():
            return self.evaluate(node, frame)

    def condition_in(self, node: ast.expr, frame: kinds.Frame) -> Term:
        """When Python finds the value of an expression over values true."""
        with self.here():
            return operators.condition(self, node, frame, "the condition")

    def note_static(self, name: str, source: SourceFile, place: Place) -> None:
        """Note what the text of a file says of a name: what may not change of the value, of its parts and its class."""
        noted, may_fail = self.noted(), self.may_fail
        with suppress(SourceError, LookUpError), self.alone():
            self.names.lookup(name, self.names.module_frame(source), place)
        self.forget(noted)
        self.may_fail = may_fail

    @contextmanager
    def here(self) -> Iterator[None]:
        """The block is read where the evaluation is: under the conditions of its path."""
        outside, self._path = self._path, conjunction(*self.evaluation.state.path)
        try:
            yield
        finally:
            self._path = outside
