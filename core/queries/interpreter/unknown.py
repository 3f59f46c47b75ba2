"""Values of which nothing is known."""

from __future__ import annotations

from numbers import Rational
from typing import NoReturn

from tallystick.core.queries.interpreter.outcomes import AnyValue
from tallystick.core.queries.interpreter.running import NotComputed
from tallystick.core.queries.types import SqlValue


class Unknown(AnyValue):
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
