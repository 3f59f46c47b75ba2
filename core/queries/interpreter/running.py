"""What an evaluation can do besides returning rows: fail, hang on a choice, or take too many steps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from numbers import Rational
from typing import Any, NoReturn

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.types import SqlRow, SqlValue

STEP_LIMIT = 2_000_000
MOST_BITS = 10_000
"""The largest numbers: of so many binary digits, in the numerator and the denominator."""
MOST_CHARACTERS = 10_000
"""The longest texts."""


class Undetermined(EvaluationError):  # noqa: N818 - it is an outcome, not a mistake
    """SQL permits several results on this database, or leaves open which: the message says what they hang on."""


class NotComputed(Undetermined):
    """The result hangs on a function that has no implementation."""


class QueryFailure(EvaluationError):  # noqa: N818 - it is an outcome, not a mistake
    """A query fails on this database at run time: the message says why."""


class Run:
    """One evaluation on one database: its tables, the results of closed queries so far, and the steps that are left."""

    def __init__(self, database: Database, step_limit: int) -> None:
        self.tables = database
        self.known: dict[int, list[SqlRow]] = {}
        self.steps_left = step_limit

    def spend(self, steps: int) -> None:
        """Counts steps. Raises EvaluationError when none are left."""
        self.steps_left -= steps
        if self.steps_left < 0:
            raise EvaluationError("the evaluation takes more steps than its limit allows")


class Unknown:
    """The value of a function that has no implementation: some value that is not NULL, and is no truth value.

    It may be moved, counted and asked whether it is NULL or a truth value, which it is not. All else that one could
    learn of it, such as whether it equals another or is less, raises NotComputed. So an evaluation that ends has done
    what it does for each value in this one's place, and returns what it returns for each, with that in its place.
    """

    def __init__(self, name: str, arguments: tuple[SqlValue, ...]) -> None:
        self.name, self.arguments = name, arguments

    def __str__(self) -> str:
        """The call; arguments that are Unknown themselves are left out, or a text could double at each step."""
        return f"{self.name}({', '.join(map(self._shown, self.arguments))})"

    @staticmethod
    def _shown(argument: SqlValue) -> str:
        return "…" if isinstance(argument, Unknown) else "NULL" if argument is None else str(argument)

    def __eq__(self, other: object) -> bool:
        return other is not None and self.seen(other)

    def seen(self, *others: object) -> NoReturn:
        """Raises NotComputed."""
        raise NotComputed(f"the function {self.name} has no implementation")

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __bool__ = seen
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = seen
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = seen
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __neg__ = __abs__ = __round__ = seen
    __int__ = __index__ = __float__ = __len__ = __iter__ = __contains__ = __getitem__ = seen
    numerator = denominator = property(seen)

    def bit_length(self) -> int:
        """Not larger than an evaluation goes on with."""
        return 0


Rational.register(Unknown)  # a Fraction is made of its numerator


def bounded(value: SqlValue) -> SqlValue:
    """The value. Raises EvaluationError if it is larger than evaluation goes on with."""
    if isinstance(value, str):
        large = len(value) > MOST_CHARACTERS
    elif isinstance(value, Fraction):
        large = value.numerator.bit_length() > MOST_BITS or value.denominator.bit_length() > MOST_BITS
    else:
        large = value is not None and value.bit_length() > MOST_BITS
    if large:
        raise EvaluationError("a value is larger than the evaluation allows")
    return value


def square_root(number: Fraction) -> Fraction:
    """The root of a square. Raises Undetermined for other numbers."""
    root = Fraction(isqrt(max(number.numerator, 0)), isqrt(number.denominator))
    if root**2 != number:
        raise Undetermined("dialects differ in roots that are no rational numbers")
    return root


Environment = tuple[Any, ...]
"""The rows in scope, level 0 first, and at last the `Run`."""
Evaluator = Callable[[Environment], SqlValue]
"""The value of an expression, whose input row is level 0 of the environment."""
RowsOf = Callable[[Environment], list[SqlRow]]
"""The rows of a query, as often as they occur, where level 0 is the row around the query."""
