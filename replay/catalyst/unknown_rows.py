"""Functions that look at rows while they make their result: what they make must not hang on these.

The same goes for what else is unknown of a session: which tables its catalogue has, what is cached, in how many parts.
While a function is planned, `count()`, `isEmpty()`, `collect()` and the like give an `Unknown`. It may be logged, and
be computed with; where the function asks whether a condition on it holds, it goes both ways, and has to make the same
on all of them. Whatever else needs the value is `Looks`. What Python asks nobody about is decided when it may matter:
whether there is such a row, whether a value of it is None, and whether what divides is 0.
"""

from __future__ import annotations

import ast
import functools
import linecache
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Literal, cast

LOOKS = "it looks at rows while it makes its result (collect, count, …), which says nothing of other rows"
PIVOT = "pivot without a list of values makes columns of the values that rows have: give it the list"
MOST_WAYS = 16
"""So many ways a function may go on account of rows."""
MOST_CONDITIONS = 64
"""So many conditions may be asked on one way."""
NOT_OF_USERS = sys.stdlib_module_names | {"tallystick", "_tallystick", "pyspark", "py4j", "pandas", "numpy"}
DECIDED = frozenset({"IndexError", "ZeroDivisionError"})
"""Errors that `Unknown` raises on one of two ways, whoever handles them."""
TRIES: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))
LOGGING = frozenset({"print", "log", "debug", "info", "warn", "warning", "error", "exception", "critical", "fatal"})


class Looks(BaseException):
    """A function needs to know which rows there are. No handler of the user's takes it for an error of its own."""


class Refusal(BaseException):
    """A function does what is not compared. No handler of the user's takes it for an error of its own."""


class NothingMade(TypeError):  # noqa: N818 - no error of Tallystick's
    """A function makes no DataFrame, which is no error of its own."""


class NoColumn(KeyError, ValueError):  # noqa: N818 - what rows of Spark and of pandas raise, in one
    """A row has no column of a name."""


Kind = Literal["any", "row", "rows", "table"]


class Ways:
    """The ways that a function goes, one after the other: which conditions on rows hold.

    Attributes:
        looked: whether the function has asked for more than that, whatever it made of the refusal.
        watched: whether something is unknown already, so that code that is called is looked at.
    """

    def __init__(self) -> None:
        self.decided: list[bool] = []
        self.place = 0
        self.looked = False
        self.watched = False
        self.others: Any = None

    def decide(self) -> bool:
        """Whether the next condition holds on this way."""
        if self.place == len(self.decided):
            if self.place == MOST_CONDITIONS:
                self.looked = True
                raise Looks
            self.decided.append(False)
        self.place += 1
        return self.decided[self.place - 1]

    def watch(self) -> None:
        """From here on no code of the user's may ask what an `Unknown` cannot notice (`_blind_spots`)."""
        if not self.watched:
            self.watched, self.others = True, sys.getprofile()
            for frame in _frames_of_users():
                self._look_at(frame, "call", None)
            sys.setprofile(self._look_at)

    def _look_at(self, frame: FrameType, event: str, called: object) -> None:
        if self.others is not None:
            self.others(frame, event, called)
        if event == "call" and _is_of_users(frame) and not self.looked:
            asked = _blind_spots(frame.f_code.co_filename)
            self.looked = bool(asked) and any(line in asked for *_, line in frame.f_code.co_lines())

    def next_way(self) -> bool:
        """Goes on to the next way; False if there is none."""
        del self.decided[self.place :]
        while self.decided and self.decided[-1]:
            self.decided.pop()
        self.place = 0
        if self.decided:
            self.decided[-1] = True
        return bool(self.decided)


def on_all_ways(call: Callable[[], Any], same: Callable[[Any, Any], bool]) -> Any:
    """What a call makes, on all ways that it can go on account of rows. Ways that end in an error do not count, but
    those that make nothing.

    Raises ValueError (`LOOKS`) where it makes different things; the error of the first way if all end in one.
    """
    ways, number, nothing = Ways(), 0, False
    made: list[Any] = []
    errors: list[Exception] = []
    while number == 0 or ways.next_way():
        number += 1
        try:
            with _unknown(ways):
                found = call()
        except Looks:
            raise ValueError(LOOKS) from None
        except Exception as error:
            nothing = nothing or isinstance(error, NothingMade)
            if ways.looked or (nothing and made) or Unknown.__name__ in str(error):  # no error if the value were known
                raise ValueError(LOOKS) from None
            errors.append(error)
            continue
        if ways.looked or number > MOST_WAYS or nothing or (made and not same(made[0], found)):
            raise ValueError(LOOKS)
        made.append(found)
    if not made:
        raise errors[0]
    return made[0]


class Unknown:
    """What hangs on rows that nobody knows: a number, rows, one row, a table of pandas, or what is made of these."""

    _ways: Ways
    _kind: Kind
    _held: dict[str, Unknown | None]
    _rows: dict[int, bool]

    def __init__(self, ways: Ways, kind: Kind = "any") -> None:
        self.__dict__.update(_ways=ways, _kind=kind, _held={}, _rows={})
        ways.watch()

    def _like(self, *_: object, **__: object) -> Unknown:
        self._may_raise(TypeError)
        return Unknown(self._ways, "table" if self._kind == "table" else "any")

    def _divided(self, by: object) -> Unknown:
        if type(by) is Unknown and not by._ways.decide():
            raise ZeroDivisionError("division by zero")
        return self._like()

    def _divides(self, _: object) -> Unknown:
        return self._divided(self)

    def _may_raise(self, error: type[Exception]) -> None:
        """Where a handler would notice, both ways are gone: values of rows have types, and rows columns, that are not
        known here. Errors that nobody handles end the function, which claims nothing of such rows.
        """
        if any(_is_handled(frame) for frame in _frames_of_users()) and self._ways.decide():
            raise error

    def _item(self, key: Any, error: type[Exception]) -> Unknown | None:
        """An item or attribute, the same whenever it is asked for."""
        if not isinstance(key, (int, slice)):
            self._may_raise(error)
        key = repr(key)
        if key not in self._held:
            kind: Kind = self._kind if self._kind == "table" or key.startswith("slice") else "any"
            is_none = self._kind in ("row", "table") and self._ways.decide()
            self._held[key] = None if is_none else Unknown(self._ways, "row" if self._is_place(key) else kind)
        return self._held[key]

    def _is_place(self, key: str) -> bool:
        return self._kind == "rows" and key.removeprefix("-").isdecimal()

    def __getitem__(self, key: Any) -> Unknown | None:
        if self._is_place(repr(key)) and not self._exists(key):
            raise IndexError("list index out of range")
        return self._item(key, NoColumn)

    def _exists(self, key: int) -> bool:
        """Whether there is a row at a place; then there is one at those before, counted from the same end."""
        numbers = range(key + 1) if key >= 0 else range(-1, key - 1, -1)
        return all(self._has_row(each) for each in numbers)

    def _has_row(self, number: int) -> bool:
        if number not in self._rows:
            self._rows[number] = self._ways.decide()
        return self._rows[number]

    def __getattr__(self, name: str) -> Unknown | None:
        if name.startswith("_"):
            self._refuse()
        return self._item(name, AttributeError)

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        return self._refuse()  # isinstance asks for it, and goes on with the answer

    def _refuse(self, *_: object) -> Any:
        self._ways.looked = True
        raise Looks

    def _if_logged(self, value: Any) -> Any:
        return value if is_logged(sys._getframe(2)) else self._refuse()

    def __bool__(self) -> bool:
        return self._ways.decide()

    def __str__(self) -> str:
        return self._if_logged("?")

    def __repr__(self) -> str:
        return self._if_logged("?")

    def __format__(self, _: str) -> str:
        return self._if_logged("?")

    def __int__(self) -> int:
        return self._if_logged(0)

    def __index__(self) -> int:
        return self._if_logged(0)

    def __float__(self) -> float:
        return self._if_logged(0.0)

    def __len__(self) -> int:
        return self._if_logged(0)

    def __iter__(self) -> Iterator[Any]:
        return self._if_logged(iter(()))

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse()

    __call__ = __neg__ = __pos__ = __abs__ = __round__ = _like
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __pow__ = __rpow__ = _like
    __truediv__ = __floordiv__ = __mod__ = _divided
    __rtruediv__ = __rfloordiv__ = __rmod__ = _divides
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _like  # type: ignore[assignment]
    __hash__ = __contains__ = __setitem__ = __delitem__ = _refuse  # type: ignore[assignment]


def is_logged(frame: Any) -> bool:
    """Whether a frame runs a statement that does nothing but print or log."""
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None:  # Python 3.10 does not say
        return False
    line = list(positions())[frame.f_lasti // 2][0]
    statements = _logging_statements(frame.f_code.co_filename)
    return line is not None and any(each.lineno <= line <= (each.end_lineno or 0) for each in statements)


@functools.lru_cache(maxsize=64)
def _logging_statements(path: str) -> tuple[ast.Expr, ...]:
    """The statements of a file that only print or log, and that have their lines for themselves."""
    statements = [each for each in _nodes(path) if isinstance(each, ast.stmt)]
    found = [each for each in statements if isinstance(each, ast.Expr) and _logs(each.value)]
    return tuple(each for each in found if sum(_shares_a_line(each, other) for other in statements) == 1)


def _frames_of_users() -> Iterator[FrameType]:
    """The calls of the user's code that go on, from the last."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not on_all_ways.__code__:
        if _is_of_users(frame):
            yield frame
        frame = frame.f_back


def _is_of_users(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] not in NOT_OF_USERS


def _is_handled(frame: FrameType) -> bool:
    """Whether a frame is where a handler takes errors that are not decided by `Unknown` anyway."""
    return any(frame.f_lineno in lines for lines in _handled_lines(frame.f_code.co_filename))


@functools.lru_cache(maxsize=64)
def _handled_lines(path: str) -> tuple[range, ...]:
    found = []
    for node in _nodes(path):
        handlers = [] if not isinstance(node, TRIES) else [each.type for each in node.handlers]
        suppressed = [] if not isinstance(node, ast.With) else [ast.dump(each.context_expr) for each in node.items]
        if not all(map(_is_decided, handlers)) or "suppress" in " ".join(suppressed):
            found += cast("Any", node).body
    return tuple(range(each.lineno, (each.end_lineno or 0) + 1) for each in found)


def _is_decided(handled: ast.expr | None) -> bool:
    kinds = handled.elts if isinstance(handled, ast.Tuple) else [handled]
    return all(isinstance(each, ast.Name) and each.id in DECIDED for each in kinds)


@functools.lru_cache(maxsize=64)
def _blind_spots(path: str) -> frozenset[int]:
    """The lines of a file that ask for the class, the identity or the attributes of something, of which an `Unknown`
    learns nothing: `type(n) is int`, `row.flag is True`, `hasattr(row, "a")`.
    """
    return frozenset(node.lineno for node in _nodes(path) if isinstance(node, ast.expr | ast.pattern) and _asks(node))


def _asks(node: ast.expr | ast.pattern) -> bool:
    match node:
        case ast.Name(id="type" | "hasattr" | "callable"):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, _]):
            return True
        case ast.Compare(ops=operators):
            operands = zip([node.left, *node.comparators], operators, node.comparators, strict=False)
            return any(isinstance(each, (ast.Is, ast.IsNot)) and not _is_none(a, b) for a, each, b in operands)
        case ast.MatchSingleton(value=value):
            return value is not None
    return False


def _is_none(*sides: ast.expr) -> bool:
    return any(isinstance(each, ast.Constant) and each.value is None for each in sides)


def _nodes(path: str) -> list[ast.AST]:
    profile = sys.getprofile()
    sys.setprofile(None)  # what is called meanwhile is not looked at: Python's parser cannot be entered twice
    try:
        return list(ast.walk(ast.parse("".join(linecache.getlines(path)))))
    except SyntaxError:
        return []
    finally:
        sys.setprofile(profile)


def _logs(expression: ast.expr) -> bool:
    if not isinstance(expression, ast.Call) or any(isinstance(each, ast.NamedExpr) for each in ast.walk(expression)):
        return False
    called = expression.func
    return (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) in LOGGING


def _shares_a_line(statement: ast.stmt, other: ast.stmt) -> bool:
    """Whether a statement, if it has no statements in it, has a line with another. A statement has with itself."""
    if any(isinstance(each, ast.stmt) and each is not other for each in ast.walk(other)):
        return other.lineno == statement.lineno
    return other.lineno <= (statement.end_lineno or 0) and statement.lineno <= (other.end_lineno or 0)


def _nothing(*_: object, **__: object) -> None:
    return None


def _effect(name: str) -> Callable[..., None]:
    def refused(*_: object, **__: object) -> None:
        raise Refusal(f"it calls {name}, whose effects are not compared")

    return refused


def _same(frame: Any, *_: object, **__: object) -> Any:
    return frame


def _answers(ways: Ways) -> list[tuple[type, str, Any]]:
    """Methods of Spark's classes that give what is unknown."""
    from pyspark import RDD
    from pyspark.sql import DataFrame
    from pyspark.sql.catalog import Catalog
    from pyspark.sql.group import GroupedData

    def unknown(*_: object, **__: object) -> Unknown:
        return Unknown(ways)

    def rows(*_: object, **__: object) -> Unknown:
        return Unknown(ways, "rows")

    def table(*_: object, **__: object) -> Unknown:
        return Unknown(ways, "table")

    def perhaps(*_: object, **__: object) -> Unknown | None:
        return Unknown(ways, "row") if ways.decide() else None

    def first(_: object, n: int | None = None) -> Unknown | None:
        return perhaps() if n is None else rows()

    def either(*_: object, **__: object) -> bool:
        return ways.decide()

    exists = Catalog.tableExists

    def known(catalog: Any, *given: Any, **named: Any) -> bool:
        return exists(catalog, *given, **named) or ways.decide()

    pivot = GroupedData.pivot

    def pivoted(groups: Any, pivot_col: str, values: Any = None) -> Any:
        if values is None:
            raise ValueError(PIVOT)
        return pivot(groups, pivot_col, values)

    actions = {
        **dict.fromkeys(("count", "corr", "cov", "inputFiles", "toLocalIterator"), unknown),
        **dict.fromkeys(("collect", "take", "tail", "approxQuantile"), rows),
        "toPandas": table,
        "isEmpty": either,
        "first": perhaps,
        "head": first,
        "show": _nothing,
        "foreach": _effect("foreach"),
        "foreachPartition": _effect("foreachPartition"),
        **dict.fromkeys(("checkpoint", "localCheckpoint"), _same),
    }
    kinds = [kind for kind in family(DataFrame) if not kind.__module__.startswith("pyspark.sql.connect")]
    replaced = [(kind, name, actions[name]) for kind in kinds for name in actions if name in vars(kind)]
    replaced += [(Catalog, "tableExists", known), (RDD, "getNumPartitions", unknown)]
    replaced += [(Catalog, name, either) for name in ("databaseExists", "functionExists", "isCached")]
    listing = ("listCatalogs", "listDatabases", "listFunctions", "listTables")
    getting = ("getDatabase", "getFunction", "getTable")
    replaced += [(Catalog, name, rows) for name in listing if name in vars(Catalog)]
    replaced += [(Catalog, name, unknown) for name in getting if name in vars(Catalog)]
    replaced += [(kind, "storageLevel", property(unknown)) for kind in kinds if "storageLevel" in vars(kind)]
    return [*replaced, *((kind, "pivot", pivoted) for kind in family(GroupedData) if "pivot" in vars(kind))]


@contextmanager
def _unknown(ways: Ways) -> Iterator[None]:
    """Actions on DataFrames give what is unknown; nothing is logged."""
    disabled, profile = logging.root.manager.disable, sys.getprofile()
    logging.disable(logging.CRITICAL)
    try:
        with replacing(_answers(ways)):
            yield
    finally:
        sys.setprofile(profile)
        logging.disable(disabled)


def family(kind: type) -> Iterator[type]:
    """A class and those that are made from it."""
    yield kind
    for each in kind.__subclasses__():
        yield from family(each)


@contextmanager
def replacing(methods: list[tuple[type, str, Any]]) -> Iterator[None]:
    """Classes have other methods for a while."""
    before = [(kind, name, vars(kind).get(name, replacing)) for kind, name, _ in methods]
    for kind, name, method in methods:
        setattr(kind, name, method)
    try:
        yield
    finally:
        for kind, name, method in before:
            if method is replacing:  # it had none
                delattr(kind, name)
            else:
                setattr(kind, name, method)
