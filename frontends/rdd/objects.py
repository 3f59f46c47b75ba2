"""Methods of lists, sets, dicts and iterators of the store.

A dict that a loop fills is known by the one key that a round uses (`KeyEntry`), as a fold by key needs it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, disjunction, ite, negation
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.kinds import Unusable
from tallystick.frontends.pyspark.values.options import MISSING, implies_literal, unified
from tallystick.frontends.rdd.attempts import RaisedError
from tallystick.frontends.rdd.evaluation import Evaluation
from tallystick.frontends.rdd.store import (
    AtKey,
    Deferred,
    Entries,
    Extended,
    Items,
    KeyEntry,
    Ref,
    View,
    Whole,
    conditional,
    either,
    same,
)

CELL_HINT: Final = "use one key in each round, by `d[key]`, `d.get(key, …)`, `key in d` and `setdefault`"
_WRITERS: Final = frozenset(
    ("add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "reverse", "sort", "update")
)


class Objects(Evaluation):
    """The part of the evaluation that knows lists, sets and dicts."""

    def method_of_object(self, of: Any, content: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of an object, or of a tuple, gives."""
        kind = content.kind if isinstance(content, Items) else type(content).__name__
        kind = "dict" if isinstance(content, Entries) else kind
        rule = getattr(self, f"_{kind.lower()}_{name}", None)
        if rule is not None:
            return rule(of, content, *given, **named)
        if isinstance(content, Items | Whole | Deferred) and name in _WRITERS:
            self.refuse(f"`{name}` of this list or set is not supported here", "make a new one by a comprehension")
        if isinstance(content, Entries | KeyEntry | AtKey | Extended):
            self.refuse(f"`{name}` of a dictionary is not supported here", CELL_HINT)
        return self.outside_method(of, name, given, named)

    def translated(self, text: Term, table: Any) -> Any:
        """`text.translate(table)`, as one replacement after another: none puts in what another one replaces."""
        entries = table.entries if isinstance(table, Entries) and table.kind == "dict" else ()
        known = [(getattr(key, "parameter", None), "" if to is MISSING else to) for key, to in entries]
        pairs = [(key, constant_value(to) if isinstance(to, Term) else to) for key, to in known]
        new = {chr(key): chr(to) if type(to) is int else str(to) for key, to in pairs if type(key) is int}
        if not entries or len(new) < len(pairs) or any(type(to) not in (int, str) for _, to in pairs):
            self.refuse("`translate` is supported with a constant table that gives texts", "write `replace`")
        if any(letter in each for each in new.values() for letter in new):
            self.refuse("`translate` with a table that gives what it replaces is not supported", "write `replace`")
        for letter, each in new.items():
            text = self.method(text, "replace", [constant(letter), constant(each)], {})
        return text

    # lists and sets

    def _list_append(self, of: Ref, content: Items, item: Any) -> Any:
        self.write(of, replace(content, items=(*content.items, (TRUE, item))))
        return MISSING

    def _set_add(self, of: Ref, content: Items, item: Any) -> Any:
        if (TRUE, item) not in content.items:
            self.write(of, replace(content, items=(*content.items, (TRUE, item))))
        return MISSING

    def _list_extend(self, of: Ref, content: Items, more: Any) -> Any:
        items = self.items(more, "what a list is extended by")
        if not isinstance(items, list):
            if content.items or content.mark:
                self.refuse("a list is extended by one of unknown length", "use `+`, or a comprehension")
            found = self.content(self.call(list, [more], {}))
            self.write(of, found)
            return MISSING
        self.write(of, replace(content, items=(*content.items, *items)))
        return MISSING

    def _set_update(self, of: Ref, content: Items, *more: Any) -> Any:
        for each in more:
            items = self.items_in_any_order(each, "what a set is updated by")
            self.write(of, replace(content, items=tuple(dict.fromkeys((*content.items, *items)))))
            content = self.content(of)
        return MISSING

    def _list_sort(self, of: Ref, content: Items | Whole, **named: Any) -> Any:
        made = self.call(sorted, [of], named)
        self.write(of, self.content(made))
        return MISSING

    _whole_sort = _list_sort

    def _list_reverse(self, of: Ref, content: Items) -> Any:
        self.write(of, replace(self.require_read(content), items=tuple(reversed(content.items))))
        return MISSING

    def _list_pop(self, of: Ref, content: Items, at: Any = None) -> Any:
        items = [(TRUE, each) for each in self.certain_of(content)]
        index = -1 if at is None else self.integer(at)
        if not -len(items) <= index < len(items):
            self.refuse("`pop` of what has no such item")
        _, found = items.pop(index)
        self.write(of, replace(content, items=tuple(items)))
        return found

    def _list_insert(self, of: Ref, content: Items, at: Any, item: Any) -> Any:
        items = [(TRUE, each) for each in self.certain_of(content)]
        items.insert(self.integer(at), (TRUE, item))
        self.write(of, replace(content, items=tuple(items)))
        return MISSING

    def _list_clear(self, of: Ref, content: Items) -> Any:
        self.write(of, Items(content.kind))
        return MISSING

    _set_clear = _list_clear

    def _list_copy(self, of: Ref, content: Items) -> Any:
        return self.new(self.require_read(content))

    _set_copy = _list_copy

    def certain_of(self, content: Items) -> list[Any]:
        """The items of a list all of which are there."""
        if any(there is not TRUE for there, _ in self.require_read(content).items):
            self.refuse("a list whose items may not be there is changed so", "make a new list")
        return [each for _, each in content.items]

    # dicts at constant keys

    def put(self, of: Any, key: Any, value: Any) -> None:
        """`of[key] = value`."""
        content = self.content(of)
        if isinstance(content, KeyEntry):
            self.put_in_cell(of, key, value)
            return
        if isinstance(content, Items) and content.kind == "list":
            items = [(TRUE, each) for each in self.certain_of(content)]
            index = self.integer(key)
            if not -len(items) <= index < len(items):
                self.refuse("an item is set that a list does not have")
            items[index] = (TRUE, value)
            self.write(of, replace(content, items=tuple(items)))
            return
        if not isinstance(content, Entries):
            self.refuse("items are set of lists and dictionaries that this program makes", "make a new one")
        keys = [known for known, _ in content.entries]
        tests = [self.equal(known, key) for known in keys]
        if any(test is TRUE for test in tests):
            entries = [(k, value if test is TRUE else v) for test, (k, v) in zip(tests, content.entries, strict=True)]
        elif all(test is FALSE for test in tests):
            self.require_key(key)
            entries = [*content.entries, (key, value)]
        elif self.known(disjunction(*tests)) or self.known(self.apply("in", [key, of])):
            pairs = zip(tests, content.entries, strict=True)
            entries = [(known, self.select(test, value, old)) for test, (known, old) in pairs]
        else:
            self.refuse("a dictionary is set at a key that it may not have", "test `key in d` before")
        self.write(of, replace(content, entries=tuple(entries)))

    def require_key(self, key: Any) -> None:
        """Refuse what is no constant: whether two such keys are one is not known."""
        if not (isinstance(key, Term) and self.is_constant(key)):
            self.refuse("a key of a dictionary must be constant here", "collect pairs, and reduce them by key")

    def looked_up(self, of: Any, key: Any) -> Any:
        """`of[key]`; a key that is not there raises KeyError, but in a defaultdict and a Counter."""
        content = self.content(of)
        if isinstance(content, KeyEntry):
            return self.looked_up_in_cell(of, key)
        tests = [self.equal(known, key) for known, _ in content.entries]
        there = disjunction(FALSE, *tests)
        if there is not TRUE and not self.known(there):
            if content.kind == "Counter":
                return self.found(content, tests, content.default)
            if content.kind == "defaultdict":
                if there is not FALSE:
                    self.refuse("a look-up in a defaultdict of a key that it may not have", "use `get`")
                made = self.call(content.default, [], {})
                self.put(of, key, made)
                return made
            if there is FALSE:
                self.refuse("a look-up of a key that a dictionary does not have raises KeyError")
            self.assume(there)
        return self.found(content, tests, None)

    def found(self, content: Entries, tests: list[Term], default: Any) -> Any:
        """The value at a key, by which keys it equals; else the default, or the last value where there is none."""
        pairs = [(test, value) for test, (_, value) in zip(tests, content.entries, strict=True) if test is not FALSE]
        if default is None:
            (_, result), pairs = pairs[-1], pairs[:-1]
        else:
            result = default
        for test, value in reversed(pairs):
            result = self.select(test, value, result)
        return result

    def _dict_get(self, of: Any, content: Entries, key: Any, default: Any = MISSING) -> Any:
        return self.found(content, [self.equal(known, key) for known, _ in content.entries], default)

    def _dict_setdefault(self, of: Any, content: Entries, key: Any, default: Any = MISSING) -> Any:
        tests = [self.equal(known, key) for known, _ in content.entries]
        if any(test is TRUE for test in tests):
            return self.found(content, tests, None)
        if any(test is not FALSE for test in tests):
            self.refuse("`setdefault` of a key that a dictionary may not have", "test `key in d` before")
        self.put(of, key, default)
        return default

    def _dict_items(self, of: Any, content: Entries) -> Any:
        return self.new(View(of, "items"))

    def _dict_keys(self, of: Any, content: Entries) -> Any:
        return self.new(View(of, "keys"))

    def _dict_values(self, of: Any, content: Entries) -> Any:
        return self.new(View(of, "values"))

    def _dict_copy(self, of: Any, content: Entries) -> Any:
        return self.new(content)

    def _dict_update(self, of: Any, content: Entries, more: Any = None, **named: Any) -> Any:
        other = Entries() if more is None else self.content(more)
        if not isinstance(other, Entries):
            self.refuse("`update` of what is no dictionary with constant keys is not supported", "set the items")
        for key, value in (*other.entries, *((constant(name), value) for name, value in named.items())):
            self.put(of, key, value)
        return MISSING

    def _dict_pop(self, of: Any, content: Entries, key: Any, *default: Any) -> Any:
        tests = [self.equal(known, key) for known, _ in content.entries]
        if any(test not in (TRUE, FALSE) for test in tests):
            self.refuse("`pop` of a key that is not constant is not supported")
        if TRUE not in tests:
            if default:
                return default[0]
            self.refuse("`pop` of a key that a dictionary does not have raises KeyError")
        pairs = list(zip(tests, content.entries, strict=True))
        self.write(of, replace(content, entries=tuple(each for test, each in pairs if test is FALSE)))
        return next(value for test, (_, value) in pairs if test is TRUE)

    # dicts that a loop fills

    def cell_at(self, of: Any, key: Any) -> KeyEntry:
        """What a dict has at the key of a round; refuses a second key, and notes where the key is used."""
        cell = self.content(of)
        asked = self.term(key, "a key of a dictionary")
        if cell.key is not None and cell.key is not asked:
            self.refuse("a round of this loop uses several keys of a dictionary that it fills", CELL_HINT)
        path = conjunction(*self.state.path[self.round_starts :])
        used = cell.used if implies_literal(path, cell.used) or cell.used is path else disjunction(cell.used, path)
        cell = replace(cell, key=asked, used=used)
        self.write(of, cell)
        return cell

    def put_in_cell(self, of: Any, key: Any, value: Any) -> None:
        """`d[key] = value` in the round of a loop."""
        cell = self.cell_at(of, key)
        content = self.content(value)
        match content:
            case AtKey(owner, version) if (owner, version) == (of, cell.version):  # d[key] += [x] changed it in place
                return
            case Extended(owner, kind, before, items) if owner == of and before == cell.added:
                self._hold(of, cell, value, kind, (*before, *items))
                return
            case Items("list" | "set" as kind, items, 0):
                if cell.there is not FALSE and self.known(cell.there) is not False:
                    self.refuse("a list or a set at a key is exchanged for another", CELL_HINT)
                if value.number <= self.round_objects:
                    self.refuse("one list or set is put at several keys", "make a new one for each")
                self._hold(of, cell, value, kind, items)
                return
        if cell.holds is not None:
            self.refuse("a dictionary of lists or sets is filled otherwise, too", CELL_HINT)
        new = self.term(value, "a value of a dictionary")
        self.write(of, replace(cell, there=TRUE, value=new))

    def _hold(self, of: Ref, cell: KeyEntry, value: Ref, kind: Any, added: tuple[tuple[Term, Any], ...]) -> None:
        """Put a new list or set at the key of a round, which is the object at the key from now on."""
        if cell.value is not None or cell.holds not in (None, kind):
            self.refuse("a dictionary of lists or sets is filled otherwise, too", CELL_HINT)
        version = cell.version + 1
        self.write(of, replace(cell, there=TRUE, holds=kind, added=added, version=version))
        self.write(value, AtKey(of, version))

    def looked_up_in_cell(self, of: Any, key: Any) -> Any:
        """`d[key]` in the round of a loop that fills the dict."""
        cell = self.cell_at(of, key)
        if cell.of.kind == "defaultdict" and cell.of.default in (list, set):
            return self.at_key(of, cell, cell.of.default.__name__)
        if cell.holds is not None and self.known(cell.there):
            return self.at_key(of, cell, cell.holds)
        if cell.there is TRUE or self.known(cell.there):
            return cell.value
        if cell.of.kind == "defaultdict":
            found = self.or_default(cell, self.call(cell.of.default, [], {}))
            self.write(of, replace(cell, there=TRUE, value=found))
            return found
        if cell.of.kind == "Counter":
            return self.or_default(cell, cell.of.default)
        if cell.value is None:
            self.refuse("a key that is not there raises KeyError", "test `key in d` before")
        self.assume(cell.there)
        return cell.value

    def or_default(self, cell: KeyEntry, default: Any) -> Term:
        """What is there, or else a default."""
        other = self.term(default, "the default of a look-up")
        if cell.value is None or cell.there is FALSE:
            return other
        both = unified(cell.value, other)
        if both is None:
            self.refuse("this look-up gives values of several types", "give a default of the values' type")
        return ite(cell.there, *both)

    def at_key(self, of: Any, cell: KeyEntry, holds: Any) -> Any:
        """The list or set at the key of a round, which is there from now on."""
        if cell.value is not None or cell.holds not in (None, holds):
            self.refuse("a dictionary of lists or sets is filled otherwise, too", CELL_HINT)
        self.write(of, replace(cell, holds=holds, there=TRUE))
        return self.new(AtKey(of, cell.version))

    def _keyentry_get(self, of: Any, content: KeyEntry, key: Any, default: Any = MISSING) -> Any:
        cell, empty = self.cell_at(of, key), self.content(default)
        if isinstance(empty, Items) and not empty.items and not empty.mark and cell.value is None:
            return self.new(Extended(of, empty.kind, cell.added))  # type: ignore[arg-type]
        return self.or_default(cell, default)

    def _keyentry_setdefault(self, of: Any, content: KeyEntry, key: Any, default: Any = MISSING) -> Any:
        cell, empty = self.cell_at(of, key), self.content(default)
        if isinstance(empty, Items) and not empty.items:
            return self.at_key(of, cell, empty.kind)
        found = self.or_default(cell, default)
        self.write(of, replace(cell, there=TRUE, value=found))
        return found

    def _atkey_append(self, of: Any, content: AtKey, item: Any) -> Any:
        return self._added(content, item, "list")

    def _atkey_add(self, of: Any, content: AtKey, item: Any) -> Any:
        return self._added(content, item, "set")

    def _atkey_extend(self, of: Any, content: AtKey, items: Any) -> Any:
        for each in self.certain(items, "what a list is extended by"):
            self._added(content, each, "list")
        return MISSING

    def _atkey_update(self, of: Any, content: AtKey, *more: Any) -> Any:
        for items in more:
            for there, item in self.items_in_any_order(items, "what a set is updated by"):
                if there is not TRUE:
                    self.refuse("a set is updated by items that may not be there", CELL_HINT)
                self._added(content, item, "set")
        return MISSING

    def extended(self, of: Any, content: AtKey | Extended, kind: str, items: tuple[tuple[Term, Any], ...]) -> Any:
        """A new list or set of what is at the key of a round and of some items; NotImplemented for another kind."""
        cell = self.content(content.of)
        if isinstance(content, AtKey) and isinstance(cell, KeyEntry) and content.version == cell.version:
            content = Extended(content.of, cell.holds, cell.added)  # type: ignore[arg-type]
        if not isinstance(content, Extended) or content.kind != kind:
            return NotImplemented
        return self.new(replace(content, items=(*content.items, *items)))

    def _added(self, content: AtKey, item: Any, holds: str) -> Any:
        cell = self.content(content.of)
        if not isinstance(cell, KeyEntry) or cell.holds != holds or cell.version != content.version:
            self.refuse("a list or a set at a key is used otherwise than it was made", CELL_HINT)
        self.write(content.of, replace(cell, added=(*cell.added, (TRUE, item))))
        return MISSING

    def joined_cells(self, test: Term, one: KeyEntry, other: KeyEntry) -> KeyEntry:
        """What a dict has at the key of a round where two paths meet."""
        key = one.key if other.key is None else other.key
        if one.key is not None and other.key is not None and one.key is not other.key:
            key = self.merged(test, one.key, other.key)  # each path of a round uses one key
        if None not in (one.holds, other.holds) and one.holds != other.holds:
            self.refuse("a dictionary of lists or sets is filled otherwise, too", CELL_HINT)
        if (one.holds or other.holds) and not (one.value is None and other.value is None):
            self.refuse("a dictionary of lists or sets is filled otherwise, too", CELL_HINT)
        used = one.used if one.used is other.used else disjunction(one.used, other.used)
        value = one.value if other.value is None else other.value
        if one.value is not None and other.value is not None and one.value is not other.value:
            value = self.merged(test, one.value, other.value)
        if TRUE in (one.there, other.there):
            there = either(test, other.there) if one.there is TRUE else either(negation(test), one.there)
        else:
            there = ite(test, one.there, other.there)
        added = conditional(test, one.added, other.added)
        version = max(one.version, other.version)
        return KeyEntry(one.of, there, value, key, used, one.holds or other.holds, added, version)

    # iterators

    def used_up(self, of: Any) -> Any:
        """The list of what is left in an iterator, which is empty then.

        Its code runs at once, and not between the rounds of what asks for items: so it may change iterators only. Where
        not all items are surely taken at once, nothing follows from that its code raises no exception.
        """
        content, read = self.content(of), self.iterators_in([of])
        self.write(of, Items("iterator"))
        if isinstance(content, Deferred):
            before, whole, attempts = self.state.fork(), self.takes_all, self.reader.attempts
            failures, self.takes_all = 0 if attempts is None else attempts.count, False
            try:
                made = content.run()
            except RaisedError:
                made = None
            finally:
                self.takes_all = whole
            if not whole and (made is None or (attempts is not None and attempts.count > failures)):
                self.refuse("an iterator that may raise an exception is not followed here", "make a list of it")
            if made is None:
                raise RaisedError
            if not whole:
                self.state.path = before.path
            own = {*self.own_places(content, of), *(("store", each.number) for each in read)}
            if not own.issuperset(self.state.changes(before)):
                self.refuse("an iterator that changes something is not supported", "write a loop")
            return made
        return self.new(Items("list", content.items))

    def merged(self, test: Term, one: Any, other: Any) -> Any:
        """One of two terms, or of two values of the library, by a test."""
        found = self.reader.merge(test, one, other, "both branches")
        if isinstance(found, Unusable):
            self.refuse(f"this value {found.reason}", found.hint)
        return found

    def merged_contents(self, test: Term, one: Any, other: Any) -> Any:
        """One of two contents of an object, by a test, of which the library knows one at least."""
        if same(one, other):
            return one
        if not all(isinstance(each, Whole | Items | Entries) for each in (one, other)):
            self.refuse("an object is one of two that have nothing in common", "make them alike")
        if any(isinstance(each, Items) and each.mark for each in (one, other)):
            self.refuse("a list is filled in two ways in a loop")
        if isinstance(one, Entries) and isinstance(other, Entries):
            self._require_one_order(one, other)
        made = self.into(self.merged(test, self.out_of(one), self.out_of(other)))
        return self.content(made)

    def _require_one_order(self, one: Entries, other: Entries) -> None:
        """Refuse two dicts in one place that have a key in common: the keys of both stand in no one order."""
        if one.kind != other.kind:
            self.refuse("a dictionary is one of two of different classes", "make them alike")
        orders = [[key for key, _ in each.entries] for each in (one, other)]
        common = [[key for key in keys if key in orders[1 - at]] for at, keys in enumerate(orders)]
        if common[0] != common[1]:
            self.refuse("a dictionary has its keys in one of two orders", "set them in one order")
