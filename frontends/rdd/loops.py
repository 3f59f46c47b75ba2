"""Loops: round by round where the number of items is known, and else by the loop theorem.

Theorem. Let a loop go through a bag, and let its body, run once on an item and on symbols for what it writes, leave the
value g(s, item) in the variables whose symbols are s, add to list l the items h(item) where p(item) holds, and set in
dict d at the key k(item) what c(value there, whether there is one, item) says; and let h, p, k and c mention no symbol
of s, and g none of the lists and dicts. Then the loop leaves in the variables the fold of g over the bag, adds to l the
items of {h(x) | x in the bag, p(x)}, and leaves in d, at each key, the fold of c over the items with this key. By
induction on the items, as a round changes nothing else. Whether the fold depends on the order of the items is for the
prover to say, as for any fold: a program whose fold does is not decided.
A `break` or `return` is one more variable: whether the loop was left, and perhaps one for what it returned. A round
changes nothing once it was left.
A variable whose value after a round depends on no symbol keeps what the last round left, so it is not to be used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    disjunction,
    ite,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BasicType, is_basic
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.options import MISSING, common_type, common_type_of, converted, default_of
from tallystick.frontends.python import syntax as core
from tallystick.frontends.rdd.evaluation import Evaluation, Frame
from tallystick.frontends.rdd.sources import HINT, Left, Pairs, Slots, Source, cell_before, of_cell, open_parts
from tallystick.frontends.rdd.statements import RaisedError
from tallystick.frontends.rdd.store import (
    Entries,
    Fields,
    Items,
    KeyEntry,
    Place,
    Poison,
    Ref,
    State,
    View,
    same,
)

_LAST: Final = Poison("keeps what the last round of a loop left, which depends on the order of the items")
_MOST_READINGS: Final = 12


class Loops(Evaluation):
    """The part of the evaluation that runs loops."""

    def loop(self, node: core.For, frame: Frame) -> None:
        """Run a `for` loop."""
        through = self.value(node.iterable, frame)
        before, read = self.state.fork(), self.iterators_in([through])
        watched = [("store", through.number)] if isinstance(through, Ref) and not read else []
        if read:
            watched = [place for place, _ in self.captured_by(through) if place not in _places(read)]
        view = self._view_of(through)
        watched = [] if view else watched
        source = self.items(through, "what this goes through")
        if isinstance(through, Ref) and read:
            own = self.own_places(before.store[through.number], through)
            if [place for place in self.state.changes(before) if place not in own]:
                self.refuse("a generator that changes something while a loop goes through it is not supported")
            if leaves(node.body):
                self.poison(read)
        if isinstance(source, list):
            self._unrolled(node, frame, source, view)
        else:
            self._rounds(node, frame, source)
        if any(not same(before.at(place), self.state.at(place)) for place in watched):  # type: ignore[arg-type]
            self.refuse("a loop changes what it goes through", "go through a copy: `list(…)`")

    def _view_of(self, through: Any) -> View | None:
        """The view that a loop goes through; of a dict, that of its keys."""
        content = self.state.store[through.number] if isinstance(through, Ref) else None
        return View(through, "keys") if isinstance(content, Entries) else content if isinstance(content, View) else None

    def _unrolled(self, node: core.For, frame: Frame, items: Pairs, view: View | None) -> None:
        outside, self.ends = self.ends, []
        for at, (there, item) in enumerate(items):
            if self.gone:
                break
            self._round(node, frame, there, item)
            if view and not self.gone:
                now = self.viewed(view).items
                if len(now) != len(items) or list(now[at + 1 :]) != items[at + 1 :]:
                    self.refuse("a loop changes what it goes through", "go through a copy: `list(…)`")
        self.after_loop(node.otherwise, frame, outside)

    def _round(self, node: core.For, frame: Frame, there: Term, item: Any) -> None:
        """One round, for an item that is there under a condition."""

        def run() -> None:
            self.assign(node.target, item, frame)
            self.run(node.body, frame)
            self.continued()

        known = self.known(there)
        if known is not None:
            if known:
                run()
            return
        base = self.state
        after, gone = self.under(base, there, run)
        without = base.fork(negation(there))
        self.state = without if gone else self.join(after, without)

    def for_each(self, of: Any, made: Callable[[Any], tuple[Term, Any]]) -> Any:
        """The list of what is made of each item, where a condition holds."""
        source = self.items(of, "what this goes through")
        if isinstance(source, list):
            return self.new(Items("list", tuple(self._made(there, item, made) for there, item in source)))

        def run(items: Pairs) -> Left:
            before = self.state.fork()
            try:
                found = [self._made(there, item, made) for there, item in items]
            except RaisedError:
                self.refuse("a function raises an exception for each item", "test before")
            if self.state.changes(before):
                self.refuse("a function that is called for each item changes something", "write a loop")
            state = State(store={0: Items("list", tuple(found))})
            return Left(Slots(), state, [])

        source, left = source.read(self, run)
        assert left.after is not None
        return source.listed(self, "list", list(left.after.store[0].items))  # type: ignore[union-attr]

    def _made(self, there: Term, item: Any, made: Callable[[Any], tuple[Term, Any]]) -> tuple[Term, Any]:
        """What is made of an item, in the state where it is there, and when that is there."""
        found: list[tuple[Term, Any]] = []
        if self.known(there) is not True:
            base = self.state
            after, raised = self.under(base, there, lambda: found.append(made(item)))
            without = base.fork(negation(there))
            self.state = without if raised else self.join(after, without)
            if raised:
                return FALSE, MISSING
        else:
            found.append(made(item))
        kept, result = found[0]
        return conjunction(there, kept), result

    def flattened(self, of: Any) -> Any:
        """The list of the items of all items."""
        source = self.items(of, "what this goes through")
        if isinstance(source, list):
            found: Pairs = []
            for there, each in source:
                inner = self.items(each, "an item")
                if not isinstance(inner, list):
                    if len(source) == 1 and there is TRUE:
                        return self.call(list, [each], {})
                    self.refuse("lists of unknown length are put together", "use `union`, or a loop for each")
                found += [(conjunction(there, within), item) for within, item in inner]
            return self.new(Items("list", tuple(found)))
        return source.flattened(self)  # type: ignore[attr-defined]

    # the loop theorem

    def _rounds(self, node: core.For, frame: Frame, source: Source) -> None:
        outside, before = self.ends, self.state
        in_udf, starts, objects = self.reader.in_udf, self.round_starts, self.round_objects
        self.round_starts, self.round_objects = len(before.path), self.count
        attempts = self.reader.attempts
        failures = 0 if attempts is None else len(attempts.failures)
        try:
            self.reader.in_udf = in_udf or source.of_elements
            source, left = source.read(self, lambda items: self._stable(node, frame, source, items, before))
        finally:
            self.reader.in_udf, self.round_starts, self.round_objects = in_udf, starts, objects
        if attempts is not None and len(attempts.failures) > failures:  # whether or not there is an item
            self.refuse("a loop that may raise an exception is not followed in a `try`", "put the `try` into the loop")
        self.state, self.gone, self.ends = before.fork(), False, []
        self._finish(source, left, before)
        self.after_loop(node.otherwise, frame, outside)

    def _stable(self, node: core.For, frame: Frame, source: Source, items: Pairs, before: State) -> Left:
        """What one round leaves, for slots that have all that it changes, of types wide enough for all rounds."""
        slots = Slots()
        for _ in range(_MOST_READINGS):
            start = self._start(slots, source, before)
            self.state, self.gone, self.ends = start.fork(), False, []
            try:
                for there, item in items:
                    if not self.gone:
                        self._round(node, frame, there, item)
            except RaisedError:
                self.gone = True
            after = None if self.gone else self.state
            left = Left(slots, after, [each for each in self.ends if each[0] in ("break", "return")])
            if not self._widened(slots, left, start, before, source):
                return left
        raise self.place.error("a loop changes ever more", HINT)

    def _start(self, slots: Slots, source: Source, before: State) -> State:
        """The state before a round: symbols for what rounds before may have changed."""
        start = before.fork()
        for number, content in before.store.items():
            if isinstance(content, Entries) and not content.entries:
                start.store[number] = KeyEntry(content)
        symbols = iter(source.state(slots.types))
        for place, parts in slots.parts.items():
            start.put(place, with_parts(before.at(place), [next(symbols) for _ in parts]))
        for at, place in enumerate(sorted(slots.lists, key=str), 1):
            content = before.at(place)
            start.put(place, Items(content.kind, (), at))
        for place, of in slots.cells.items():
            start.put(place, cell_before(before.at(place), of))
        for place in slots.poison:
            start.put(place, _LAST)
        return start

    def _widened(self, slots: Slots, left: Left, start: State, before: State, source: Source) -> bool:
        """Add to the slots what a round changes beside them; False where that is nothing."""
        states = [*([left.after] if left.after else []), *(state for _, _, state in left.ends)]
        changed = {place: None for state in states for place in state.changes(start)}
        returns = self._returned(slots, left, source)
        wider = bool(left.ends) != slots.left or returns != slots.returns
        slots.left, slots.returns = bool(left.ends), returns
        for place in changed:
            if place in slots.known:
                continue
            wider = True
            self._add(slots, place, before.at(place))
        for place, parts in slots.parts.items():
            for state in states:
                found = self._parts_after(before, state, place, len(parts))
                for at, term in enumerate(found):
                    of = common_type(parts[at][1], term.type)
                    if of is None or not is_basic(of):
                        self.refuse("a loop gives a variable values of several types", "make them of one type")
                    if of != parts[at][1]:
                        parts[at], wider = (parts[at][0], of), True  # type: ignore[assignment]
        for place, of in slots.cells.items():
            for state in states:
                cell = state.at(place)
                value = cell.value
                if cell.holds is not None and of not in (None, cell.holds):
                    self.refuse("a dictionary of lists or sets is filled otherwise, too", HINT)
                if cell.holds is not None or isinstance(of, str):
                    both: Any = cell.holds or of
                else:
                    both = of if value is None else value.type if of is None else common_type(of, value.type)
                if both is None and value is not None:
                    self.refuse("a loop puts values of several types into a dictionary", "make them of one type")
                if both != of:
                    slots.cells[place], wider = both, True  # type: ignore[assignment]
                    of = both  # type: ignore[assignment]
        return wider or self._poisoned(slots, before, states, source)

    def _returned(self, slots: Slots, left: Left, source: Source) -> BasicType | None:
        """The type of what a loop returns, where that is not one constant, or `break` may end the loop too."""
        values = [value for how, value, _ in left.ends if how == "return"]
        constant = values and isinstance(values[0], Term) and self.is_constant(values[0])
        if not values or (constant and all(each is values[0] for each in values) and len(values) == len(left.ends)):
            return None
        if source.of_elements:
            self.refuse("a loop returns what depends on the item", "return a constant")
        known = [self.term(each, "what is returned in this loop").type for each in values]
        of = common_type_of([*known, *([] if slots.returns is None else [slots.returns])])
        if of is None or not is_basic(of):
            self.refuse("what this loop returns is of several types", "return values of one type")
        return of  # type: ignore[return-value]

    def _parts_after(self, before: State, state: State, place: Place, count: int) -> list[Term]:
        content = state.at(place)
        parts = self.parts_of(content)
        if len(parts) != count or (place[0] == "store" and not same(with_parts(before.at(place), parts), content)):
            self.refuse("an object has other parts after a round of a loop than before", HINT)
        return parts

    def _add(self, slots: Slots, place: Place, content: Any) -> None:
        """A slot for a place that a round changes."""
        if isinstance(content, Items) and content.kind in ("list", "set"):
            if content.items or content.mark:
                self.refuse("a list or a set that grows in this loop must be empty before", HINT)
            slots.lists.add(place)
        elif isinstance(content, Entries) and not content.entries:
            slots.cells[place] = None
        elif isinstance(content, Poison):
            slots.poison.add(place)
        elif isinstance(content, Term | Entries | Fields) and (place[0] == "store" or isinstance(content, Term)):
            slots.parts[place] = [(term, basic_type(term)) for term in self.parts_of(content)]
        elif place[0] == "cells":
            slots.poison.add(place)
        else:
            self.refuse("a loop changes an object in a way that is not supported", HINT)

    def parts_of(self, content: Any) -> list[Term]:
        """The terms that a variable or an object is made of."""
        match content:
            case Term() if is_basic(content.type):
                return [content]
            case Entries(entries):
                return [self.term(value, "a value of a dictionary") for _, value in entries]
            case Fields(_, fields):
                return [value for _, value in fields if isinstance(value, Term) and is_basic(value.type)]
        return [self.term(content, "a variable that a loop changes")]

    def _poisoned(self, slots: Slots, before: State, states: list[State], source: Source) -> bool:
        """Take out variables that keep the value of the last round; False where there are none."""
        symbols = source.state(slots.types)
        for index, place in enumerate(self._in_order(slots)):
            if place[0] != "cells":
                continue
            steps = [self._parts_after(before, state, place, 1)[0] for state in states]
            if any(self._mentions(step, symbols) for step in steps) or self._guarded(states, symbols[index]):
                continue
            del slots.parts[place]
            slots.poison.add(place)
            return True
        return False

    @staticmethod
    def _in_order(slots: Slots) -> list[Place]:
        return [place for place, parts in slots.parts.items() for _ in parts]

    @staticmethod
    def _mentions(term: Term, symbols: list[Term]) -> bool:
        return not set(symbols).isdisjoint(open_parts(term))

    @staticmethod
    def _guarded(states: list[State], symbol: Term) -> bool:
        """Whether a symbol is asked for in the conditions under which rounds end."""
        return any(symbol in open_parts(each) for state in states for each in state.path)

    def _finish(self, source: Source, left: Left, before: State) -> None:
        """What is in the places that a loop changes, after all rounds."""
        slots, state = left.slots, self.state
        if left.after is None and not left.ends:
            self.refuse("a loop whose rounds all raise an exception is not supported", "test for items before")
        for place in slots.poison:
            state.put(place, _LAST)
        for box in left.after.cells if left.after else ():
            state.cells.setdefault(box, _LAST)
        for number, content in left.after.store.items() if left.after else ():
            state.store.setdefault(number, content)  # objects of a round, which what it adds may hold
        symbols = source.state(slots.types)
        if left.ends and (slots.lists or slots.cells):
            self.refuse("`break` or `return` in a loop that fills something is not supported", "write a loop for each")
        for place in slots.lists:
            assert left.after is not None
            content = left.after.at(place)
            if not isinstance(content, Items) or not content.mark:
                self.refuse("a loop clears what it fills", "make a new list in each round")
            self._require_apart([part for pair in content.items for part in pair], symbols)
            self._require_unchanged(slots, [item for _, item in content.items])
            made = self.content(source.listed(self, content.kind, list(content.items)))
            state.put(place, made)
        for place in slots.cells:
            assert left.after is not None
            cell = left.after.at(place)
            parts = [*(part for pair in cell.added for part in pair), cell.key, cell.used, cell.value, cell.there]
            self._require_apart(parts, symbols)
            self._require_unchanged(slots, [item for _, item in cell.added])
            if cell.key is not None:
                state.put(place, self.content(self.into(source.filled(self, cell))))
        if slots.types:
            self._fold(source, left, symbols, before)

    def _require_apart(self, parts: list[Any], symbols: list[Term]) -> None:
        terms = [part for part in parts if isinstance(part, Term)]
        if any(self._mentions(term, symbols) for term in terms):
            self.refuse("what this loop collects depends on the items before", HINT)

    def _require_unchanged(self, slots: Slots, added: list[Any]) -> None:
        """Refuse objects that are added to a list and are another way changed by the loop, in rounds to come."""
        held = {place for item in added for place, _ in self.captured_by(item)}
        if not held.isdisjoint(slots.known):
            self.refuse("a loop adds an object to a list, and changes it", "add a copy: `list(…)`")

    def _fold(self, source: Source, left: Left, symbols: list[Term], before: State) -> None:
        """The variables that a loop changes, as one fold over their tuple."""
        slots, state = left.slots, self.state
        initial = [converted(term, of) for parts in slots.parts.values() for term, of in parts]
        steps = self._steps(left, symbols, before)
        if slots.left:
            initial.append(FALSE)
        if slots.returns is not None:
            initial.append(tuple_of(FALSE, default_of(slots.returns)))
        for each in steps:
            if of_cell(each):
                self.refuse("a variable depends on a dictionary that this loop fills", "write a loop for each")
        found = iter(source.folded(self, initial, steps))
        for place, parts in slots.parts.items():
            state.put(place, with_parts(before.at(place), [next(found) for _ in parts]))
        if slots.left:
            self._left(left, *found)

    def _steps(self, left: Left, symbols: list[Term], before: State) -> list[Term]:
        """The state after a round, which changes nothing once the loop was left."""
        slots = left.slots
        own = [of for parts in slots.parts.values() for _, of in parts]
        before_round = symbols[: len(own)]

        def leaves_of(state: State) -> list[Term]:
            terms = [
                term
                for place, parts in slots.parts.items()
                for term in self._parts_after(before, state, place, len(parts))
            ]
            return [converted(term, of) for term, of in zip(terms, own, strict=True)]

        if not left.ends:
            assert left.after is not None
            return leaves_of(left.after)
        exits = [conjunction(*state.path[len(self.state.path) :]) for _, _, state in left.ends]
        steps = list(before_round) if left.after is None else leaves_of(left.after)
        returned = None if slots.returns is None else tuple_of(FALSE, default_of(slots.returns))
        for (how, value, state), when in zip(left.ends, exits, strict=True):
            after = leaves_of(state) if how == "break" else before_round
            steps = [ite(when, one, other) for one, other in zip(after, steps, strict=True)]
            if returned is not None and how == "return":
                of = converted(self.term(value, "what is returned in this loop"), slots.returns)  # type: ignore[arg-type]
                returned = ite(when, tuple_of(TRUE, of), returned)
        stopped = symbols[len(own)]
        steps = [ite(stopped, symbol, step) for symbol, step in zip(before_round, steps, strict=True)]
        ended = [] if returned is None else [ite(stopped, symbols[-1], returned)]
        return [*steps, disjunction(stopped, *exits), *ended]

    def _left(self, left: Left, stopped: Term, returned: Term | None = None) -> None:
        """Go on where a loop was left, and where it was not."""
        base, hows = self.state, {how for how, _, _ in left.ends}
        if returned is not None:
            there = project(returned, 0)
            self.ends.append(("return", project(returned, 1), base.fork(there)))
            if "break" in hows:
                self.ends.append(("break", None, base.fork(conjunction(stopped, negation(there)))))
        else:
            (how,) = hows
            self.ends.append((how, left.ends[0][1] if how == "return" else None, base.fork(stopped)))
        self.state = base.fork(negation(stopped))


def with_parts(content: Any, terms: list[Term]) -> Any:
    """A variable or an object with other terms."""
    match content:
        case Entries(entries):
            pairs = zip(entries, terms, strict=True)
            return replace(content, entries=tuple((key, term) for (key, _), term in pairs))
        case Fields(made_by, fields):
            rest = iter(terms)
            return Fields(
                made_by, tuple((n, next(rest) if isinstance(v, Term) and is_basic(v.type) else v) for n, v in fields)
            )
    return terms[0]


def _places(objects: list[Ref]) -> list[Place]:
    return [("store", each.number) for each in objects]


def leaves(body: core.Body) -> bool:
    """Whether a loop's body may end the loop."""

    def of(node: Any) -> bool:
        match node:
            case core.Leave(how):
                return how == "break"
            case core.Return():
                return True
            case core.MakeClosure() | core.MakeClass():
                return False
            case tuple():
                return any(map(of, node))
        names = getattr(node, "__dataclass_fields__", ())
        return any(of(getattr(node, name)) for name in names)

    return of(body)
