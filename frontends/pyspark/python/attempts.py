"""`try`: under which conditions the code in it raises an exception that its handler catches.

While the body of a `try` is read, each expression that Python may fail to compute is noted with the condition under
which control comes to it. Functions that raise have companions in the core, which say whether they have a value.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import InvalidOperation
from typing import Final

from tallystick.core.functions import FUNCTIONS, LISTS, RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply_function,
    conjunction,
    constant,
    disjunction,
    equal,
    free_variables,
    ite,
    less_equal,
    negation,
    rebuild,
    subterms,
)
from tallystick.core.types import BOOL, INT
from tallystick.frontends.pyspark.python.texts import number_of_pieces, piece, rebuild_at
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import library_name
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.kinds import Frame, Pieces, Raises, Spread, Value
from tallystick.frontends.pyspark.values.matches import GROUP
from tallystick.frontends.pyspark.values.nominal_types import DECIMAL, content, is_nominal
from tallystick.frontends.pyspark.values.options import default_of, implies_literal, is_option, present
from tallystick.frontends.pyspark.values.rounds import rounds_of, stands_for_an_item

_RAISES: Final[dict[str, type[Exception]]] = {
    **dict.fromkeys(("int", "number", "date", "date.fromisoformat", "datetime.strptime"), ValueError),
    **dict.fromkeys(("at", *(item for item, _, _ in LISTS.values())), IndexError),
    **dict.fromkeys(("quotient", "floor quotient", "remainder"), ZeroDivisionError),
}
HINT: Final = (
    "supported are ValueError, IndexError, AttributeError, TypeError, KeyError, ZeroDivisionError, InvalidOperation and"
    " Exception"
)


@dataclass
class Attempts:
    """What may fail in the body of a `try`, in order: when, and by which exception.

    Attributes:
        before: what was computed before the body.
        of_items: what may fail for single items of a list of unknown length, or of a group: when, as far as is known of
            the variable that stands for one, by which exception, where, and how much may fail before.
        noted: the values of functions that raise, whose failures are among these.
        taken: the items of lists that were taken apart, whose failures are noted, and under which condition.
        lazy: iterators whose items may fail, and how much may fail before and in them.
        yielded: whether an item was yielded, which stays when what follows it fails.
    """

    before: frozenset[Term]
    failures: list[tuple[Term, type[Exception]]] = field(default_factory=list)
    of_items: list[tuple[Term, type[Exception], Place, int]] = field(default_factory=list)
    noted: set[Term] = field(default_factory=set)
    yielded: bool = False
    taken: dict[Term, Term] = field(default_factory=dict)
    lazy: dict[ast.expr, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How much may fail, as far as the body was read."""
        return len(self.failures) + len(self.of_items)

    def require_no_failures_between(self, iterables: Iterable[ast.expr], place: Place) -> None:
        """Raise SourceError where something has failed since iterators were read whose items may fail: Python asks for
        the items one by one.
        """
        if any(self.count > self.lazy.get(each, self.count) for each in iterables):
            raise place.error("what is made of these items may raise an exception, as they may", "make a list first")

    def _fails(self, fails: Term, kind: type[Exception], place: Place) -> None:
        if self.yielded:
            raise place.error("a `yield` before what may raise an exception, in a `try`", "yield after it")
        if any(map(stands_for_an_item, free_variables(fails))):
            self.of_items.append((fails, kind, place, len(self.failures)))
        elif all(fails is not each for each, _ in self.failures):  # else something before it has failed
            self.failures.append((fails, kind))

    def note(self, node: ast.expr, value: Value, path: Term, place: Place) -> None:
        """Note that control comes to an expression under a condition, whose value is this where there is one."""
        if isinstance(value, Raises):  # a look-up of a key that no entry has
            self._fails(path, KeyError, place)
        if isinstance(value, Pieces) and _may_split_by_nothing(number_of_pieces(value)):
            raise place.error("which exceptions this raises is not known here", "split by a constant")
        if not isinstance(value, Term) or not isinstance(node, ast.Call | ast.BinOp | ast.Subscript):
            return
        term = value
        if is_nominal(value.type) and value.operator is not Operator.ITE:  # what a look-up gives is kept whole
            term = content(value)
        if term in self.before:
            return
        self.noted.add(term)
        if isinstance(node, ast.Subscript):
            self._note_items(term, path, place)
        if self._is_taken(term, path):
            return
        if term.operator is Operator.TUPLE:  # `divmod`, and values that may be None
            for each in term.arguments:
                self.note(node, each, path, place)
        elif _is(term, RAISE) or term.operator is Operator.ITE:
            fails = _raises(term)
            if fails is not FALSE:
                if any(conjunction(path, fails) is each for each, _ in self.failures):
                    return
                if not isinstance(node, ast.Subscript):
                    raise place.error("an exception that a function raises itself is not followed", "write conditions")
                self._fails(conjunction(path, fails), KeyError, place)
        elif term.operator is Operator.APPLY and FUNCTIONS[str(term.parameter[0])].raises:  # type: ignore[index]
            name = str(term.parameter[0])  # type: ignore[index]
            if name == "pieces" and constant_value(term.arguments[1]):  # `split` of an empty separator raises
                return
            if name == GROUP:  # of a match, which is there: see `note_use`
                return
            if name not in _RAISES:
                raise place.error("which exceptions this raises is not known here", "write a condition")
            if name in _COUNTED and _is_counted(term, path):
                return
            kind = InvalidOperation if name == "number" and value.type == DECIMAL else _RAISES[name]
            there = _has_a_value(name, term.arguments)
            if not implies_literal(path, there):
                if kind is ZeroDivisionError and value.type == DECIMAL:  # of 0 by 0, no ZeroDivisionError
                    zero = equal(term.arguments[0], default_of(term.arguments[0].type))  # type: ignore[arg-type]
                    self._fails(conjunction(path, negation(there), zero), InvalidOperation, place)
                self._fails(conjunction(path, negation(there)), kind, place)

    def _is_taken(self, item: Term, path: Term) -> bool:
        taken = self.taken.get(item)
        return taken is not None and (taken is path or implies_literal(path, taken))

    def _note_items(self, of: Term, path: Term, place: Place) -> None:
        """Note that an item is asked for of which a list is made: of `[f(x) for x in text.split()]`."""
        for each in surely_in(of):
            name = str(each.parameter[0]) if each.operator is Operator.APPLY else ""  # type: ignore[index]
            if each is of or name not in _COUNTED or each in self.before or each in self.noted:
                continue
            self.noted.add(each)
            there = _has_a_value(name, each.arguments)
            if not (self._is_taken(each, path) or _is_counted(each, path) or implies_literal(path, there)):
                self._fails(conjunction(path, negation(there)), IndexError, place)

    def note_use(self, owner: Term, kind: type[Exception], path: Term, place: Place) -> None:
        """Note that control comes, under a condition, to what raises an exception where a value is None."""
        if is_option(owner.type) and not implies_literal(path, present(owner)):
            self._fails(conjunction(path, negation(present(owner))), kind, place)

    def note_raise(self, kind: type[BaseException], path: Term, place: Place) -> None:
        """Note that control comes, under a condition, to where the source raises an exception of a class itself."""
        if not issubclass(kind, Exception):
            raise place.error("this exception is not supported", HINT)
        self._fails(path, kind, place)

    def note_look_up(self, there: Term, path: Term, place: Place) -> None:
        """Note that control comes, under a condition, to the look-up of a key that may not be there."""
        self._fails(conjunction(path, negation(there)), KeyError, place)

    def note_assertion(self, fails: Term, place: Place) -> None:
        """Note that an assertion does not hold under a condition."""
        self._fails(fails, AssertionError, place)

    def note_unpacking(self, targets: Sequence[ast.expr], value: object, path: Term, place: Place) -> None:
        """Note that control comes to where a list of unknown length is taken apart."""
        if isinstance(value, list):  # the parts of a tuple display, which every target takes apart
            for index, part in enumerate(value):
                inner = [each.elts[index] for each in targets]  # type: ignore[attr-defined]
                self.note_unpacking(inner, part, path, place)
            return
        displays = [each for each in targets if isinstance(each, ast.Tuple | ast.List)]
        if any(isinstance(part, ast.Starred) for each in displays for part in each.elts):
            if isinstance(value, Pieces):
                self._too_few(displays, value, path, place)
            return
        sizes = [len(each.elts) for each in displays]
        if isinstance(value, Pieces | Spread):
            pieces = value if isinstance(value, Pieces) else value.pieces
            before = len(self.failures)
            for size in sizes:
                fits = equal(number_of_pieces(pieces), constant(size))
                self._take(pieces, size, path)
                self._fails(conjunction(path, negation(fits)), ValueError, place)
                if isinstance(value, Spread):
                    self._items_fail(value, size, place, before)

    def _take(self, pieces: Pieces, size: int, path: Term, sized: bool = True) -> None:
        """Say that the first and the last items of a list are there, or else its taking apart fails."""
        found = [piece(pieces, index) for index in range(-size, size)]
        found += [piece(pieces, index, size) for index in range(size)] if sized else []
        self.taken.update(dict.fromkeys(found, path))

    def _too_few(self, displays: Sequence[ast.Tuple | ast.List], value: Pieces, path: Term, place: Place) -> None:
        """Where one target takes the rest, the others need an item each."""
        for each in displays:
            starred = any(isinstance(part, ast.Starred) for part in each.elts)
            self._take(value, len(each.elts) - starred, path, sized=not starred)
            count, size = number_of_pieces(value), constant(len(each.elts) - starred)
            fits = less_equal(size, count) if starred else equal(count, size)
            self._fails(conjunction(path, negation(fits)), ValueError, place)

    def _items_fail(self, value: Spread, size: int, place: Place, before: int) -> None:
        """What fails for each item of a list that is taken apart into so many names, fails for one of these.

        So it must be of the class that the taking apart raises, and nothing else may fail in between.
        """
        inside = {term for _, item in value.items for term in subterms(item)}
        for entry in list(self.of_items):
            fails, kind, _, earlier = entry
            if kind is not ValueError or earlier < before:
                continue
            rounds = rounds_of(value.item, fails)
            fails = rebuild(fails, dict.fromkeys(rounds, value.item), inside=True)
            if len(rounds) == 1 and _asked(fails) <= inside:
                self.of_items.remove(entry)
                for index in range(size):
                    self.noted |= {rebuild_at(of, value.item, piece(value.pieces, index, size)) for of in _asked(fails)}
                    self._fails(rebuild_at(fails, value.item, piece(value.pieces, index)), kind, place)

    def require_noted(self, values: Iterable[Value], place: Place) -> None:
        """Raise SourceError where what the body computes may fail in a way that was not noted."""
        waiting = [value for value in values if isinstance(value, Term)]
        seen = set(self.before)
        while waiting:
            term = waiting.pop()
            if term in seen:
                continue
            seen.add(term)
            waiting += term.arguments
            if term.operator is Operator.APPLY and term.parameter[0] in _RAISES and term not in self.noted:  # type: ignore[index]
                name = str(term.parameter[0])  # type: ignore[index]
                if term not in self.taken:
                    raise place.error(f"where `{name}` raises an exception is not followed here", "write conditions")

    def caught(self, handlers: Sequence[tuple[type[BaseException], ...]], place: Place) -> list[Term]:
        """For each handler, the condition under which the body raises what it is the first to catch.

        Args:
            handlers: the classes of exceptions that each catches.
            place: where they stand.
        """
        for _, kind, where, _ in self.of_items:
            message = f"this may raise {kind.__name__} for one of so many items, which is not followed in a `try`"
            raise where.error(message, "take the items one by one, as in `a, b = map(int, line.split(','))`")
        result = [FALSE] * len(handlers)
        for fails, kind in reversed(self.failures):
            catching = next((index for index, of in enumerate(handlers) if issubclass(kind, of)), None)
            if catching is None:
                raise place.error(f"the code in this `try` may raise {kind.__name__} too", "catch it as well")
            result = [
                disjunction(fails, each) if index == catching else conjunction(negation(fails), each)
                for index, each in enumerate(result)
            ]
        return result


_HAS_A_VALUE: Final = " has a value"


def _asked(condition: Term) -> set[Term]:
    """The values of functions of which a condition asks whether there is one."""
    return {
        apply_function(
            name.removesuffix(_HAS_A_VALUE), FUNCTIONS[name.removesuffix(_HAS_A_VALUE)].gives, *term.arguments
        )
        for term in subterms(condition)
        if term.operator is Operator.APPLY and (name := str(term.parameter[0])).endswith(_HAS_A_VALUE)  # type: ignore[index]
    }


def _has_a_value(name: str, arguments: Sequence[Term]) -> Term:
    """Whether a function has a value; of a word or a piece at a constant index, that there are so many."""
    place, of = constant_value(arguments[-1]), arguments[0]
    splits = name == "word" or (name == "piece" and constant_value(arguments[1]))
    if splits and isinstance(place, int) and not any(map(stands_for_an_item, free_variables(of))):
        size = apply_function(_COUNTED[name], INT, *arguments[:-1])
        return less_equal(constant(place + 1 if place >= 0 else -place), size)
    return apply_function(f"{name}{_HAS_A_VALUE}", BOOL, *arguments)


_COUNTED: Final = {item: name for name, (item, _, _) in LISTS.items()}
"""Functions of a list of unknown length and an index, and what the length of the list is."""


def _is_counted(item: Term, path: Term) -> bool:
    """Whether a condition says that a list is long enough to have an item: by a bound of its length."""
    *of, index = item.arguments
    place = constant_value(index)
    if not isinstance(place, int):
        return False
    if (
        _is(item, "piece") and place in (0, -1) and constant_value(of[1])
    ):  # what `split` of a separator gives is never empty
        return True
    needed = place + 1 if place >= 0 else -place
    size = apply_function(_COUNTED[str(item.parameter[0])], INT, *of)  # type: ignore[index]
    return any(_least(each, size) >= needed for each in (path.arguments if path.operator is Operator.AND else [path]))


def _least(condition: Term, size: Term) -> int:
    """The least size that a condition leaves, as far as it compares it with a constant; -1 where it does not."""
    holds = condition.operator is not Operator.NOT
    compared = condition if holds else condition.arguments[0]
    if len(compared.arguments) != 2 or size not in compared.arguments:
        return -1
    above = compared.arguments[1] is size
    bound = constant_value(compared.arguments[0 if above else 1])
    if not isinstance(bound, int) or isinstance(bound, bool):
        return -1
    match compared.operator:
        case Operator.EQUAL if holds:
            return bound
        case Operator.LESS if above is holds:
            return bound + 1 if holds else bound
        case Operator.LESS_EQUAL if above is holds:
            return bound if holds else bound + 1
    return -1


def _may_split_by_nothing(term: Term) -> bool:
    """Whether a value comes from `split` by a separator that may be empty, which raises ValueError."""
    name = str(term.parameter[0]) if term.operator is Operator.APPLY else ""  # type: ignore[index]
    return name.removeprefix("set of ").removeprefix("item of set of ") in ("piece", "pieces") and not constant_value(
        term.arguments[1]
    )


def _is(term: Term, name: str) -> bool:
    return term.operator is Operator.APPLY and term.parameter[0] == name  # type: ignore[index]


def _raises(term: Term) -> Term:
    """The condition under which a value is an exception that a look-up raises."""
    if _is(term, RAISE):
        return TRUE
    if term.operator is Operator.TUPLE:  # a value that may be None
        return disjunction(FALSE, *map(_raises, term.arguments))
    if term.operator is not Operator.ITE or not any(_is(each, RAISE) for each in subterms(term)):
        return FALSE
    condition, (then, otherwise) = term.arguments[0], map(_raises, term.arguments[1:])
    if then is TRUE:
        return disjunction(condition, otherwise)
    return conjunction(negation(condition), otherwise) if then is FALSE else ite(condition, then, otherwise)


def computed_before(frame: Frame) -> frozenset[Term]:
    """The terms that Python has computed, whatever the input is, when names have their values in a frame."""
    found: set[Term] = set()
    current: Frame | None = frame
    while current is not None:
        found.update(surely_in(*(value for value in current.values.values() if isinstance(value, Term))))
        current = current.parent
    return frozenset(found)


def surely_in(*terms: Term) -> list[Term]:
    """The terms that are computed for some terms, whatever the input is."""
    found: dict[Term, None] = {}
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if term not in found:
            found[term] = None
            under_conditions = term.operator in (Operator.ITE, Operator.AND, Operator.OR)
            waiting += term.arguments[:1] if under_conditions else term.arguments
    return list(found)


def kinds_of(handler: ast.ExceptHandler, place: Place) -> tuple[type[BaseException], ...]:
    """The exceptions that a handler catches."""
    if handler.type is None:
        return (BaseException,)
    nodes = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    found: list[type[BaseException]] = []
    for node in nodes:
        kind = getattr(builtins, node.id, None) if isinstance(node, BuiltinName) else None
        if library_name(node, place.source) == "decimal.InvalidOperation":
            found.append(InvalidOperation)
            continue
        found.append(exception(kind, place.source.place(node)))
    return tuple(found)


def exception(kind: object, place: Place) -> type[BaseException]:
    """A class of exceptions that is followed; OverflowError is not: dates that there are not raise it."""
    if not (isinstance(kind, type) and issubclass(kind, BaseException)) or kind is OverflowError:
        raise place.error("this exception is not supported", HINT)
    if not (kind is InvalidOperation or getattr(builtins, kind.__name__, None) is kind):
        raise place.error("this exception is not supported", HINT)
    return kind
