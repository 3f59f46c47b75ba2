"""Statements of Core Python: outcomes, and the joining of states where paths meet.

A body ends normally, or it is left: by `break`, `continue` and `return`, each with the state there. Both branches of a
conditional start from one state, and where both end normally their states are joined, place by place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tallystick.core.terms import TRUE, Term, conjunction, negation
from tallystick.frontends.pyspark.values.options import MISSING, narrowed
from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter.closures import Box
from tallystick.frontends.rdd.attempts import RaisedError, Trying
from tallystick.frontends.rdd.evaluation import Frame
from tallystick.frontends.rdd.store import (
    Deferred,
    Entries,
    Fields,
    Guarded,
    Items,
    Place,
    Poison,
    Ref,
    State,
    TupleV,
    either,
    same,
    told_apart,
)

MOST_ROUNDS: Final = 256


class Statements(Trying):
    """The part of the evaluation that runs statements."""

    def run(self, body: core.Body, frame: Frame) -> None:
        """Run statements; `gone` is True afterwards where control does not come to what follows.

        It is where a statement always raises: what was left before, by `return` and the like, stays.
        """
        for node in body:
            if self.gone:
                return
            outside, self.place = self.place, self.place_of(node, frame)
            try:
                with self.reader.nested(self.place):
                    _RUNS[type(node)](self, node, frame)
            except RaisedError:
                self.gone = True
            finally:
                self.place = outside

    def _unread(self, node: core.Unread, frame: Frame) -> None:
        self.refuse(f"{node.what} is not supported")

    def assign(self, target: core.Place, value: Any, frame: Frame) -> None:
        """Assign to a name; refuses names of modules, which other functions may use."""
        if not isinstance(target, core.Local | core.CellVariable):
            self.refuse("an assignment to a name of the module is not supported", "return the value")
        box = frame.setdefault(target.slot, Box())
        if box not in self.state.cells and hasattr(box, "value"):
            self.refuse("an assignment to a variable of a function that ran with the module", "return the value")
        self.state.cells[box] = value

    def _assign(self, node: core.Assign, frame: Frame) -> None:
        self.assign(node.target, self.value(node.value, frame), frame)

    def _unpack(self, node: core.Unpack, frame: Frame) -> None:
        items = self.unpacked(self.value(node.value, frame), len(node.targets), node.star)
        for target, item in zip(node.targets, items, strict=True):
            self.assign(target, item, frame)

    def _set_item(self, node: core.SetItem, frame: Frame) -> None:
        value = self.value(node.value, frame)
        of = self.value(node.of, frame)
        self.put(of, self.value(node.index, frame), value)

    def _set_attribute(self, node: core.SetAttribute, frame: Frame) -> None:
        value = self.value(node.value, frame)
        of = self.value(node.of, frame)
        content = self.content(of)
        if not isinstance(content, Fields) or not isinstance(of, Ref):
            self.refuse("only attributes of objects that the program makes can be set", "make a new record")
        if any(isinstance(vars(each).get(node.name), property) for each in content.made_by.__mro__):
            self.refuse("an assignment to a property is not supported")
        if hasattr(content.made_by, "__setattr__") and content.made_by.__setattr__ is not object.__setattr__:
            self.refuse("an assignment to an attribute of a class with `__setattr__` is not supported")
        self.write(of, Fields(content.made_by, tuple({**dict(content.fields), node.name: value}.items())))

    def _delete(self, node: core.Delete, frame: Frame) -> None:
        match node.target:
            case core.Apply(_, (of, index)):
                self.method(self.value(of, frame), "pop", [self.value(index, frame)], {})
            case core.Local(slot) | core.CellVariable(slot):
                self.state.cells[frame.setdefault(slot, Box())] = Poison("was deleted")
            case _:
                self.refuse("`del` of this is not supported")

    def _do(self, node: core.Do, frame: Frame) -> None:
        self.value(node.value, frame)

    def _branch(self, node: core.Branch, frame: Frame) -> None:
        test = self.truth(self.value(node.test, frame))
        self.either(test, lambda: self.run(node.then, frame), lambda: self.run(node.otherwise, frame))

    def either(self, test: Term, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
        """Run one of two pieces of code, by a test."""
        known = self.known(test)
        if known is not None:
            (then if known else otherwise)()
            return
        base = self.state
        after, gone = self.under(base, test, then)
        against, gone_too = self.under(base, negation(test), otherwise)
        self.gone = gone and gone_too
        self.state = after if gone_too else against if gone else self.join(after, against)

    def under(self, base: State, test: Term, run: Callable[[], object]) -> tuple[State, bool]:
        """The state after code that runs where a test holds, and whether control is nowhere then."""
        self.state, self.gone = base.fork(test), False
        try:
            run()
        except RaisedError:
            self.gone = True
        gone, self.gone = self.gone, False
        return self.state, gone

    def choice(self, test: Term, one: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """What one of two computations gives; both start in the present state."""
        known = self.known(test)
        if known is not None:
            return one() if known else other()
        base, found = self.state, [None, None]

        def kept(at: int, compute: Callable[[], Any]) -> None:
            found[at] = compute()

        after, raised = self.under(base, test, lambda: kept(0, one))
        against, raised_too = self.under(base, negation(test), lambda: kept(1, other))
        if raised and raised_too:
            raise RaisedError
        if raised or raised_too:
            self.state = against if raised else after
            return found[1 if raised else 0]
        self.state = self.join(after, against)
        return self.select(test, *found)

    def join(self, one: State, other: State) -> State:
        """The state where two paths meet."""
        common, test, against = told_apart(one, other)
        both = either(test, against)
        made = State(path=(*common, *(() if both is TRUE else (both,))))
        paths = conjunction(*one.path), conjunction(*other.path)
        for place, value in one.places():
            there = other.at(place)
            if there is None:
                made.put(place, _of_one_path(place, test, value))
            elif same(value, there):
                made.put(place, value)
            else:
                made.put(place, self.select(test, _narrowed(value, paths[0]), _narrowed(there, paths[1])))
        for place, value in other.places():
            if one.at(place) is None:
                made.put(place, _of_one_path(place, negation(test), value))
        return made

    def ended(self, *how: str) -> tuple[Any, State] | None:
        """The ends of some kinds as one value and one state; None where there are none."""
        chosen = [(value, state) for kind, value, state in self.ends if kind in how]
        if not chosen:
            return None
        value, state = chosen[-1]
        for one, before in reversed(chosen[:-1]):
            _, test, _ = told_apart(before, state)
            value, state = self.select(test, one, value), self.join(before, state)
        return value, state

    def leave(self, how: str, value: Any) -> None:
        """Leave the body that runs."""
        self.ends.append((how, value, self.state))
        self.gone = True

    def continued(self) -> None:
        """Where a round of a loop goes on after `continue` and at its end."""
        left = self.ended("continue")
        self.ends = [each for each in self.ends if each[0] != "continue"]
        if left is not None:
            self.state = left[1] if self.gone else self.join(left[1], self.state)
            self.gone = False

    def after_loop(self, otherwise: core.Body, frame: Frame, outside: list[Any]) -> None:
        """After the rounds of a loop: its `else`, and where `break` went."""
        if not self.gone:
            inner, self.ends = self.ends, []
            self.run(otherwise, frame)
            outside, self.ends = [*outside, *self.ends], inner
        left = self.ended("break")
        self.ends = [*outside, *(each for each in self.ends if each[0] != "break")]
        if left is not None:
            self.state = left[1] if self.gone else self.join(left[1], self.state)
            self.gone = False

    def _while(self, node: core.While, frame: Frame) -> None:
        """A loop, round by round while its test is known."""
        outside, self.ends = self.ends, []
        for _ in range(MOST_ROUNDS):
            try:
                known = self.known(self.truth(self.value(node.test, frame)))
            except RaisedError:
                known, self.gone = False, True
            if known is None:
                self.refuse("a `while` whose number of rounds depends on values is not supported", "write a `for` loop")
            if not known:
                self.after_loop(node.otherwise, frame, outside)
                return
            self.run(node.body, frame)
            self.continued()
            if self.gone:
                self.after_loop(node.otherwise, frame, outside)
                return
        self.refuse(f"a loop of more than {MOST_ROUNDS} rounds is not supported", "write fewer rounds")

    def _leave(self, node: core.Leave, frame: Frame) -> None:
        self.leave(node.how, MISSING)

    def _return(self, node: core.Return, frame: Frame) -> None:
        self.leave("return", self.value(node.value, frame))

    def _yield(self, node: core.Yield, frame: Frame) -> None:
        value = self.value(node.value, frame)
        self.method(frame[YIELDED], "append", [value], {})

    def _other(self, node: core.With | core.ImportAll, frame: Frame) -> None:
        self.refuse(f"`{'with' if isinstance(node, core.With) else 'import *'}` is not supported here")

    def unpacked(self, value: Any, size: int, star: int | None) -> list[Any]:
        """The items of a value that is taken apart."""
        content = self.content(value)
        if isinstance(content, Deferred):
            outside, self.takes_all = self.takes_all, True
            value = self.used_up(value)
            self.takes_all, content = outside, self.content(value)
        if not isinstance(content, Entries | TupleV | Items):
            return self.items_to_unpack(value, size, star)
        items = self.certain(value, "what is unpacked")
        if (star is None and len(items) != size) or len(items) < size - 1:
            self.refuse(f"{len(items)} items are unpacked into {size} names")
        return items if star is None else self.with_rest(items, size, star)


def _narrowed(value: Any, path: Term) -> Any:
    """A value where a condition holds: one that may be None is not, where the condition says so."""
    return narrowed(value, path) if isinstance(value, Term) else value


def _of_one_path(place: Place, test: Term, value: Any) -> Any:
    """What is in a place that only the path has where a test holds: objects are reached by values of that path."""
    return Guarded(test, value, Poison("may have no value here")) if place[0] == "cells" else value


YIELDED: Final = "#yielded"
"""The slot of a generator's frame with the list of what it yields."""
_RUNS: Final[dict[type, Callable[..., None]]] = {
    core.Unread: Statements._unread, core.Assign: Statements._assign, core.Unpack: Statements._unpack,
    core.SetItem: Statements._set_item, core.SetAttribute: Statements._set_attribute,
    core.Delete: Statements._delete, core.Do: Statements._do, core.ImportAll: Statements._other,
    core.Branch: Statements._branch, core.For: lambda self, node, frame: self.loop(node, frame),
    core.While: Statements._while, core.Leave: Statements._leave, core.Return: Statements._return,
    core.Yield: Statements._yield, core.Raise: Statements.raised, core.Try: Statements.attempted,
    core.With: Statements._other,
}  # fmt: skip
