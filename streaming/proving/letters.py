"""Symbolic letters: what a few keys have in each batch, and what the program makes of it.

For each key, each input and each letter there are *slots*, records that may be there or not. What a key has beyond its
slots is a *rest*, of which only sums over its records are known, within bounds. A key's slots have the witnesses of the
formula and the records that any, all, max, min and the like depend on; the rest is there only where sums are taken.

So whatever a stream has for these keys is one of these letters: no violation is lost. A violation without any rest is a
stream as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, pairwise, product
from typing import NamedTuple

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    conjunction,
    constant,
    default_term,
    disjunction,
    equal,
    implies,
    ite,
    less,
    less_equal,
    negation,
    project,
    scale,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BasicType
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.streaming.proving.bounds import Bounds
from tallystick.streaming.proving.functions import Asked, canonical, leaves_of, same
from tallystick.streaming.proving.keys import keys_of, number_of_keys, type_of_keys
from tallystick.streaming.proving.shapes import Branch, Program, Source

#: What an update asks of its new values for which one of them is a witness.
_OF_ONE_VALUE = ("any", "all", "max", "min")


class Entry(NamedTuple):
    """A value that is there under a condition."""

    there: Term
    value: Term


@dataclass(frozen=True)
class Slot:
    """A record of an input that may be there."""

    there: Term
    record: Term


@dataclass
class Rest:
    """The records of a key in a batch beyond its slots: how many, and sums of terms over them.

    `record` is each of them, if the key says all of a record.
    """

    number: Term
    record: Term | None
    sums: dict[Term, Term] = field(default_factory=dict)


class Letters:
    """The letters of a program for a number of keys, with so many slots for each input beside what reductions need.

    `premises` says what holds of all variables. Inputs that no reduction uses have slots without keys. `alike` says
    that it does not matter how often a key has the same record in its slots.
    """

    def __init__(
        self, shapes: Program, where: dict[str, Term], keys: int, witnesses: dict[str, int], alike: bool = False
    ) -> None:
        self._shapes = shapes
        self._alike = alike
        self._where = where
        self._key_of = keys_of(shapes)
        self._fresh = count(1)
        self.premises: list[Term] = []
        self.rests: list[Rest] = []
        self.bounds = Bounds()
        number = number_of_keys(self._key_of, keys)
        self.keys = [self._variable("key", type_of_keys(self._key_of)) for _ in range(number)]
        if type_of_keys(self._key_of) == INT:  # No key is named first, so they may be taken in their order.
            self.premises += [less(*pair) for pair in pairwise(self.keys)]
        else:
            self.premises += [negation(same(*pair)) for pair in combinations(self.keys, 2)]
        self._witnesses = witnesses
        self._slots: dict[tuple[str, int, int], list[Slot]] = {}
        self._rests: dict[tuple[str, int, int], Rest] = {}
        self._outcomes: dict[tuple[Source, int, int], Entry] = {}

    @property
    def slots(self) -> dict[tuple[str, int, int], list[Slot]]:
        """The slots that were made, by input, number of the key (0 without keys) and letter."""
        return self._slots

    # The records of a stream in a letter

    def entries(self, branches: Sequence[Branch], letter: int) -> Iterator[Entry]:
        """What a stream may have in a letter, apart from what comes from a rest."""
        for branch in branches:
            yield from self._entries(branch, letter, self._parts(branch.source))

    def _parts(self, source: Source) -> range:
        return range(len(self.keys)) if not source.is_input or source.name in self._key_of else range(1)

    def _entries(self, branch: Branch, letter: int, parts: Sequence[int]) -> Iterator[Entry]:
        at, source = letter - branch.late, branch.source
        if at < 1:
            return
        for part in parts:
            if source.is_input:
                found = [Entry(slot.there, slot.record) for slot in self._slots_of(source, part, at)]
            else:
                found = [self._outcome(source, part, at)]
            for entry in found:
                replaced = {source.element: entry.value}
                there = conjunction(entry.there, substitute(branch.condition, replaced))
                if there is not FALSE:
                    yield Entry(there, substitute(branch.value, replaced))

    def rests_of(self, branch: Branch, letter: int) -> list[Rest]:
        """The rests whose records a branch gives in a letter."""
        if branch.late >= letter or not self._has_rest(branch.source):
            return []
        return [self._rest(branch.source, part, letter - branch.late) for part in self._parts(branch.source)]

    # Inputs

    def where(self, source: Source) -> Term:
        """What every record of an input satisfies."""
        return self._where.get(source.name, TRUE)

    def _slots_of(self, source: Source, part: int, at: int) -> list[Slot]:
        place = source.name, part, at
        if place not in self._slots:
            wanted = self._witnesses.get(source.name, 0) + len(self._asked_of_one(source)) + self._has_rest(source)
            key = self._key_of.get(source.name)
            given = {} if key is None else _with_key(source.element, key, self.keys[part])
            others = [leaf for leaf in leaves_of(source.element) if leaf not in given]
            each_once = self._alike and 2 ** len(others) <= wanted and all(leaf.type == BOOL for leaf in others)
            if each_once:
                rows = product((constant(False), constant(True)), repeat=len(others))
                records = [given | dict(zip(others, row, strict=True)) for row in rows]
            else:
                records = [
                    given | {leaf: self._variable("record", basic_type(leaf)) for leaf in others} for _ in range(wanted)
                ]
            slots = self._slots[place] = [self._slot(source, part, leaves) for leaves in records]
            if not each_once:
                # Nor does it matter which of the slots are the ones that are used.
                self.premises += [implies(second.there, first.there) for first, second in pairwise(slots)]
        return self._slots[place]

    def _slot(self, source: Source, part: int, leaves: dict[Term, Term]) -> Slot:
        value = _assembled(basic_type(source.element), iter([leaves[leaf] for leaf in leaves_of(source.element)]))
        there = self._variable("is there", BOOL)
        conditions = [self.where(source), canonical(source.element)]
        if source.name in self._key_of:
            conditions.append(same(self._key_of[source.name], self.keys[part]))
        self.premises += [implies(there, substitute(each, {source.element: value})) for each in conditions]
        return Slot(there, value)

    def _asked_of_one(self, source: Source) -> set[tuple[Source, Term, Term, Asked | str]]:
        """What reductions ask of the records of an input that some one of them answers."""
        asked: set[tuple[Source, Term, Term, Asked | str]] = set()
        for reduction in self._shapes.reductions:
            for branch in reduction.branches:
                if branch.source is source:
                    asked |= {(reduction, branch.condition, branch.value, what) for what in _of_one(reduction)}
        return asked

    def _has_rest(self, source: Source) -> bool:
        return source.is_input and any(
            _sums(reduction) and any(branch.source is source for branch in reduction.branches)
            for reduction in self._shapes.reductions
        )

    def _rest(self, source: Source, part: int, at: int) -> Rest:
        place = source.name, part, at
        if place not in self._rests:
            key = self._key_of[source.name]
            given = _with_key(source.element, key, self.keys[part])
            leaves = [given.get(leaf) for leaf in leaves_of(source.element)]
            known = [leaf for leaf in leaves if leaf is not None]
            record = _assembled(basic_type(source.element), iter(known)) if len(known) == len(leaves) else None
            rest = self._rests[place] = Rest(self._variable("number", INT), record)
            self.premises.append(less_equal(constant(0), rest.number))
            # Whoever has a record has one in a slot.
            some = disjunction(FALSE, *(slot.there for slot in self._slots_of(source, part, at)))
            self.premises.append(implies(less_equal(constant(1), rest.number), some))
            self.rests.append(rest)
        return self._rests[place]

    def _sum_over_rest(self, source: Source, rest: Rest, of: Term) -> Term:
        """The sum of a term over the records of a rest, within the bounds that the term has."""
        if of not in rest.sums:
            rest.sums[of] = self._variable("sum", INT)
            self.premises.append(self.bounds.of_sum(self.where(source), of, rest.number, rest.sums[of]))
        return rest.sums[of]

    # Reductions

    def _outcome(self, source: Source, part: int, at: int) -> Entry:
        """The pair that a reduction has for a key in a letter, if it has one."""
        place = source, part, at
        if place not in self._outcomes:
            make = self._state if source.update else self._slid if source.slid else self._combined
            made = make(source, part, at)
            self._outcomes[place] = self._named(made)
        return self._outcomes[place]

    def _values(self, source: Source, part: int, at: int) -> list[Entry]:
        """The values, without their keys, that a reduction gets from slots and from other reductions."""
        return [
            Entry(entry.there, project(entry.value, 1))
            for branch in source.branches
            for entry in self._entries(branch, at, [part])
        ]

    def _total(self, source: Source, part: int, at: int, of: Term | None) -> Term:
        """The sum of a term over the pairs that a reduction gets; without one, their number.

        The term is over an arbitrary pair, `source.branches[0].value`'s type; see `_pair`.
        """
        terms = [constant(0)]
        for branch in source.branches:
            pair = _pair(basic_type(branch.value))

            def measured(there: Term, value: Term, pair: Term = pair) -> Term:
                amount = constant(1) if of is None else substitute(of, {pair: value})
                return ite(there, amount, constant(0))

            terms += [measured(*entry) for entry in self._entries(branch, at, [part])]
            if at > branch.late and self._has_rest(branch.source):
                rest = self._rest(branch.source, part, at - branch.late)
                terms.append(self._sum_over_rest(branch.source, rest, measured(branch.condition, branch.value)))
        return add(*terms) if len(terms) > 1 else terms[0]

    def _combined(self, source: Source, part: int, at: int) -> Entry:
        combined, key = source.combined, self.keys[part]
        assert combined is not None
        if combined.adds:
            pair = _pair(basic_type(source.branches[0].value))
            leaves = [self._total(source, part, at, leaf) for leaf in leaves_of(project(pair, 1))]
            there = less_equal(constant(1), self._total(source, part, at, None))
            return Entry(there, tuple_of(key, _assembled(basic_type(project(source.element, 1)), iter(leaves))))
        there, best = FALSE, None
        for entry in self._values(source, part, at):
            if best is None:
                best = entry.value
            else:
                chosen = ite(there, combined.of(best, entry.value), entry.value)
                best = ite(entry.there, chosen, best)
            there = disjunction(there, entry.there)
        assert best is not None
        return Entry(there, tuple_of(key, best))

    def _slid(self, source: Source, part: int, at: int) -> Entry:
        """A window from the one before: what has left it is taken away, what is new added.

        As in Spark, a key stays when nothing of it is left, unless the filter lets it go; then what is taken away of
        it later is taken from nothing.
        """
        slid, key, of = source.slid, self.keys[part], basic_type(source.branches[0].value)
        assert slid is not None
        pair = _pair(of)
        before = self._outcome(source, part, at - 1) if at > 1 else Entry(FALSE, source.element)

        def sums(letter: int) -> list[Term]:
            return [self._total(source, part, letter, leaf) for leaf in leaves_of(project(pair, 1))]

        kept = leaves_of(project(before.value, 1)) if at > 1 else [constant(0)] * len(leaves_of(project(pair, 1)))
        old = sums(at - slid.length) if at > slid.length else [constant(0)] * len(kept)
        left = [
            ite(before.there, add(whole, scale(-1, gone)), constant(0)) for whole, gone in zip(kept, old, strict=True)
        ]
        whole = [add(one, new) for one, new in zip(left, sums(at), strict=True)]
        value = tuple_of(key, _assembled(basic_type(project(source.element, 1)), iter(whole)))
        there = disjunction(before.there, less_equal(constant(1), self._total(source, part, at, None)))
        return Entry(conjunction(there, substitute(slid.keeps, {source.element: value})), value)

    def _state(self, source: Source, part: int, at: int) -> Entry:
        update, key = source.update, self.keys[part]
        assert update is not None
        before = self._outcome(source, part, at - 1) if at > 1 else Entry(FALSE, source.element)
        old = project(before.value, 1) if at > 1 else default_term(basic_type(project(source.element, 1)))
        values = self._values(source, part, at)
        numbers = {named: self._asked(asked, source, part, at, values) for asked, named in update.numbers.items()}
        replaced = {**numbers, update.before[0]: before.there, update.before[1]: old}
        called = disjunction(before.there, self._some(source, part, at, values))
        there = conjunction(called, substitute(update.there, replaced))
        return Entry(there, tuple_of(key, substitute(update.state, replaced)))

    def _some(self, source: Source, part: int, at: int, values: list[Entry]) -> Term:
        """Whether there are new values of a key in a letter."""
        if _sums(source):
            return less_equal(constant(1), self._total(source, part, at, None))
        return disjunction(FALSE, *(entry.there for entry in values))

    def _asked(self, asked: Asked, source: Source, part: int, at: int, values: list[Entry]) -> Term:
        """What an update asks of the new values of a key in a letter."""
        if asked.name in ("len", "sum"):
            value = project(_pair(basic_type(source.branches[0].value)), 1)
            counts = asked.name == "len"
            if counts and asked.is_of_values:
                return self._total(source, part, at, None)
            amounts = [
                ite(there, constant(1) if counts else _number(item), constant(0)) for there, item in asked.of(value)
            ]
            return self._total(source, part, at, add(*amounts) if len(amounts) > 1 else amounts[0])
        items = [Entry(conjunction(there, each), item) for there, value in values for each, item in asked.of(value)]
        if asked.name == "bool":
            if asked.is_of_values:
                return self._some(source, part, at, values)
            return disjunction(FALSE, *(item.there for item in items))
        if asked.name == "any":
            return disjunction(FALSE, *(conjunction(there, _truth(value)) for there, value in items))
        if asked.name == "all":
            return conjunction(TRUE, *(implies(there, _truth(value)) for there, value in items))
        there, best = FALSE, constant(0)
        for entry in items:
            better = less_equal(best, entry.value) if asked.name == "max" else less_equal(entry.value, best)
            best = ite(conjunction(entry.there, disjunction(negation(there), better)), entry.value, best)
            there = disjunction(there, entry.there)
        return best

    # Variables

    def _named(self, entry: Entry) -> Entry:
        """The same, with variables for what is no constant, so that terms stay small when letters follow letters."""
        key, value = project(entry.value, 0), project(entry.value, 1)
        return Entry(self._name(entry.there), tuple_of(key, self._name(value)))

    def _name(self, term: Term) -> Term:
        if not term.arguments or term in (TRUE, FALSE):
            return term
        named = self._variable("value", basic_type(term))
        self.premises.append(same(named, term))
        return named

    def _variable(self, name: str, of: BasicType) -> Term:
        return variable(f"{name} {next(self._fresh)}", of)


def _pair(of: BasicType) -> Term:
    """An arbitrary pair."""
    return variable("a pair", of)


def _of_one(reduction: Source) -> list[Asked | str]:
    """What a reduction asks of its values that one of them answers."""
    if reduction.update is None:
        return [] if _sums(reduction) else ["chosen"]
    numbers = reduction.update.numbers
    asked: list[Asked | str] = [
        each for each in numbers if each.name in _OF_ONE_VALUE or (each.name == "bool" and not each.is_of_values)
    ]
    best = any(each.name in ("max", "min") and each.is_of_values for each in numbers)
    return asked if _sums(reduction) or best else [*asked, "there"]


def _sums(reduction: Source) -> bool:
    """Whether a reduction takes sums of its values, or their number."""
    if reduction.update is None:
        return reduction.combined is None or reduction.combined.adds
    return any(asked.name in ("len", "sum") for asked in reduction.update.numbers)


def _number(value: Term) -> Term:
    return ite(value, constant(1), constant(0)) if value.type == BOOL else value


def _truth(value: Term) -> Term:
    return value if value.type == BOOL else negation(equal(value, constant(0)))


def _with_key(element: Term, key: Term, value: Term) -> dict[Term, Term]:
    """The leaves of a record that its key fixes, where the key is the record or one of its components."""
    components = range(len(getattr(element.type, "components", ())))
    for part in (element, *(project(element, index) for index in components)):
        if key is part:
            return dict(zip(leaves_of(part), leaves_of(value), strict=True))
    return {}


def _assembled(of: BasicType, leaves: Iterator[Term]) -> Term:
    """The value of a type that is made of these numbers."""
    parts = getattr(of, "components", None)
    return next(leaves) if parts is None else tuple_of(*(_assembled(part, leaves) for part in parts))
