"""`try`: where the body raises what a handler catches, the handler runs instead of it.

The body is evaluated twice: once to note what may fail in it, in order, each with the condition and the class of the
exception (`Attempts`, which the library tells), and once in the state before it where no handler catches anything. A
handler starts in that state too; what the body may have changed before a failure must not be used in it.
"""

from __future__ import annotations

from typing import Any, Final

from tallystick.core.terms import TRUE, Term
from tallystick.frontends.pyspark.python.attempts import Attempts, exception, surely_in
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter.attributes import Silent
from tallystick.frontends.rdd.evaluation import Evaluation, Frame
from tallystick.frontends.rdd.store import Entries, Fields, Guarded, Items, Poison, State, TupleV
from tallystick.frontends.rdd.store import Place as StorePlace

_UNSURE: Final = Poison("may have changed before the exception")


class RaisedError(Exception):
    """Control comes nowhere from here on: the program raises. Not an exception of ours."""


class Watched(Attempts):
    """What may fail in the body of a `try`, and what the body had changed before something failed."""

    def __init__(self, evaluation: Evaluation) -> None:
        computed = (term for _, value in evaluation.state.places() for term in _terms_in(value))
        super().__init__(frozenset(surely_in(*computed)))
        self._evaluation, self._start = evaluation, evaluation.state
        self.changed: dict[StorePlace, None] = {}

    def _fails(self, fails: Term, kind: type[Exception], place: Place) -> None:
        super()._fails(fails, kind, place)
        self.changed.update(dict.fromkeys(self._evaluation.state.changes(self._start)))


class Trying(Evaluation):
    """The part of the evaluation that runs `try` and `raise`."""

    def attempted(self, node: core.Try, frame: Frame) -> None:
        """Run a `try`, and what it has for `finally`."""
        if not node.final:
            self._handled(node, frame)
            return
        if self.reader.attempts is not None:
            self.refuse("`finally` in the body of a `try` is not supported", "write what follows after it")
        outside, self.ends = self.ends, []
        try:
            self._handled(node, frame)
        except RaisedError:
            self.gone = True
        ends, self.ends, found = self.ends, [], []
        if not self.gone:
            self.run(node.final, frame)
        after, gone = self.state, self.gone
        for how, value, state in ends:
            self.state, self.gone = state, False
            self.run(node.final, frame)
            if not self.gone:
                found.append((how, value, self.state))
        if self.ends:
            self.refuse("`return`, `break` and `continue` in `finally` are not supported", "leave after it")
        self.state, self.gone, self.ends = after, gone, [*outside, *found]
        if gone and not found:
            raise RaisedError

    def _handled(self, node: core.Try, frame: Frame) -> None:
        if not node.handlers:
            self.run((*node.body, *node.otherwise), frame)
            return
        if not self.reader.in_udf:
            self.refuse("`try` is supported in functions that run on elements only", "write conditions")
        kinds = [self._kinds(each.kinds, frame) for each in node.handlers]
        watched = self._watched(node.body, frame)
        conditions = watched.caught(kinds, self.place)

        def handle(handler: core.Handler) -> None:
            for place in watched.changed:
                self.state.put(place, _UNSURE)
            if handler.target is not None:
                self.assign(handler.target, Silent(), frame)
            self.run(handler.body, frame)
            if handler.target is not None and not self.gone:
                self.assign(handler.target, Poison("was deleted after its `except`"), frame)

        def first(left: list[tuple[Term, core.Handler]]) -> None:
            if left:
                (fails, handler), *others = left
                self.either(fails, lambda: handle(handler), lambda: first(others))
            else:
                self.run((*node.body, *node.otherwise), frame)

        first(list(zip(conditions, node.handlers, strict=True)))

    def _watched(self, body: core.Body, frame: Frame) -> Watched:
        """What may fail in the body of a `try`; the state, and what is noted of the code, is as before afterwards."""
        start, noted = self.state, self.reader.noted()
        outside, around, conditions = self.ends, self.reader.attempts, len(self.reader.conditions)
        watched = Watched(self)
        self.state, self.ends, self.reader.attempts = start.fork(), [], watched
        try:
            self.run(body, frame)
            after = [] if self.gone else [self.state]
        finally:
            found, self.state, self.gone, self.ends = self.ends, start, False, outside
            self.reader.attempts = around
        if any(condition is not TRUE for _, condition in self.reader.conditions[conditions:]):
            self.refuse("where this raises an exception is not followed in a `try`", "write conditions")
        self.reader.forget(noted)
        states = [*after, *(state for _, _, state in found)]
        changed = [state.at(place) for state in states for place in (*state.changes(start), *_added(state, start))]
        values = [*changed, *(value for _, value, _ in found)]
        watched.require_noted([term for each in values for term in _terms_perhaps_in(each)], self.place)
        return watched

    def _kinds(self, kinds: core.Expression | None, frame: Frame) -> tuple[type[BaseException], ...]:
        """The classes of exceptions that a handler catches."""
        if kinds is None:
            return (BaseException,)
        nodes = kinds.items if isinstance(kinds, core.TupleOf) else (kinds,)
        return tuple(self._kind(each, frame) for each in nodes)

    def _kind(self, node: core.Expression, frame: Frame) -> type[BaseException]:
        return exception(self.value(node, frame), self.place_of(node, frame))

    def raised(self, node: core.Raise, frame: Frame) -> None:
        """`raise`: in the body of a `try` its class is noted, and what its message is made of."""
        if (attempts := self.reader.attempts) is not None:
            made, texts = node.value, tuple[core.Expression, ...]()
            if isinstance(made, core.Call) and not made.keywords:
                made, texts = made.function, made.arguments
            if made is None or node.cause is not None:
                self.refuse(
                    "which exception this raises, in a `try`, is not followed", "write `raise ValueError(text)`"
                )
            kind = self._kind(made, frame)
            for each in texts:
                self.value(each, frame)
            with self.reader.here():
                attempts.note_raise(kind, self.reader.path, self.place)
        self.reader.may_fail = True
        raise RaisedError


def _added(state: State, start: State) -> list[StorePlace]:
    """The places of a state that an earlier one had not."""
    return [place for place, _ in state.places() if start.at(place) is None]


def _terms_in(value: Any) -> list[Term]:
    """The terms that surely are in a place."""
    match value:
        case Term():
            return [value]
        case TupleV(items):
            return [term for each in items for term in _terms_in(each)]
    return []


def _terms_perhaps_in(value: Any) -> list[Term]:
    """The terms that may be in a place."""
    parts: list[Any] = []
    match value:
        case Items(items=items) | Entries(items):
            parts = [part for pair in items for part in pair]
        case Fields(_, fields):
            parts = [part for _, part in fields]
        case TupleV(items):
            parts = list(items)
        case Guarded(test, one, other):
            parts = [test, one, other]
        case Term():
            return [value]
    return [term for each in parts for term in _terms_perhaps_in(each)]
