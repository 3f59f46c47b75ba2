"""The values of pure code: what each node of the small language means, on Python's own values, in bounded work.

Exceptions are Python's own; `LimitError` says that the work, a text or a number is too large, which no program sees.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final

from tallystick.core.errors import EvaluationError
from tallystick.frontends.pyspark.uninterpreted.operations import BINARY, CALLS, COMPARE, EXCEPTIONS, IN_PLACE, ITERATES

Node = tuple[Any, ...]
MOST_STEPS: Final = 100_000
LONGEST: Final = 100_000
MOST_BITS: Final = 10_000


class LimitError(EvaluationError):
    """A value is not computed: too many steps, or too large."""


class _Return(BaseException):
    """What a function returns."""


class _Break(BaseException):
    """Leaves a loop."""


class _Continue(BaseException):
    """Goes on with the next round."""


class Activation:
    """The variables of a call or comprehension, and those around it."""

    __slots__ = ("around", "function", "values", "yielded")

    def __init__(self, around: Activation | None, function: bool) -> None:
        self.values: dict[str, Any] = {}
        self.around = around
        self.function: Activation = self if function or around is None else around.function
        self.yielded: list[Any] = []

    def get(self, name: str) -> Any:
        """The value of a variable."""
        frame: Activation | None = self
        while frame is not None:
            if name in frame.values:
                return frame.values[name]
            frame = frame.around
        raise UnboundLocalError(name)


def _sized(value: Any) -> Any:
    """The value, if it is not too large; raises LimitError."""
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise LimitError(f"an integer of more than {MOST_BITS} bits")
    elif isinstance(value, Fraction):
        if value.numerator.bit_length() + value.denominator.bit_length() > MOST_BITS:
            raise LimitError(f"a number of more than {MOST_BITS} bits")
    elif isinstance(value, str | list | tuple | deque) and len(value) > LONGEST:
        raise LimitError(f"a value with more than {LONGEST} parts")
    return value


def _fraction(number: Any) -> Fraction:
    """The number that a float, an int, or a time in microseconds stands for."""
    return Fraction(number // timedelta(microseconds=1)) if isinstance(number, timedelta) else Fraction(number)


def _exactly(name: str, arguments: list[Any]) -> Fraction:
    """What a function gives that is a number, without rounding."""
    if name in ("sum", "statistics.mean"):
        return sum(map(Fraction, arguments[0]), Fraction(0)) / (1 if name == "sum" else len(arguments[0]))
    if name == "statistics.median":
        return Fraction(statistics.median(map(Fraction, arguments[0])))
    return Fraction(arguments[0])


def check_exact(value: float, exactly: Callable[[], Fraction]) -> None:
    """Programs are compared as if floats were exact: where one is not, no value is computed. Raises LimitError."""
    if not math.isfinite(value) or Fraction(value) != exactly():
        raise LimitError("a float that is not exact")


class Interpreter:
    """Evaluates one call of pure code."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def _step(self, many: int = 1) -> None:
        self.left -= many
        if self.left < 0:
            raise LimitError(f"more than {MOST_STEPS} steps of pure code")

    def counted(self, values: Iterable[Any]) -> Iterator[Any]:
        """The items of an iterable, a step each."""
        for each in values:
            self._step()
            yield each

    def evaluate(self, node: Node, frame: Activation) -> Any:
        """The value of an expression; raises what Python raises, and LimitError."""
        self._step()
        match node:
            case ("const", value):
                return value
            case ("var", name):
                return frame.get(name)
            case ("tuple" | "list" | "set", *_):
                items = self._items(node[1:], frame)
                return tuple(items) if node[0] == "tuple" else items if node[0] == "list" else set(items)
            case ("dict", *pairs):
                return self._dict(pairs, frame)
            case ("at" | "key", of, index):
                of = self.evaluate(of, frame)
                return of[self.evaluate(index, frame)]
            case ("slice", of, *bounds):
                of = self.evaluate(of, frame)
                return of[slice(*(self.evaluate(each, frame) for each in bounds))]
            case ("attribute", of, name):
                return getattr(self.evaluate(of, frame), name)
            case ("binary", sign, one, other):
                one = self.evaluate(one, frame)
                return self.binary(sign, one, self.evaluate(other, frame), BINARY)
            case ("unary", sign, one):
                one = self.evaluate(one, frame)
                return -one if sign == "-" else +one if sign == "+" else ~one
            case ("not", one):
                return not self.evaluate(one, frame)
            case ("and" | "or", *parts):
                value = None
                for each in parts:
                    value = self.evaluate(each, frame)
                    if bool(value) == (node[0] == "or"):
                        return value
                return value
            case ("if", test, one, other):
                return self.evaluate(one if self.evaluate(test, frame) else other, frame)
            case ("compare", sign, one, other):
                one = self.evaluate(one, frame)
                other = self.evaluate(other, frame)
                if isinstance(other, str | list | tuple | deque):
                    self._step(len(other) // 10)
                return COMPARE[sign](one, other)
            case ("chain", signs, *operands):
                return self._chain(signs, operands, frame)
            case ("walrus", (_, name), one):
                value = frame.function.values[name] = self.evaluate(one, frame)
                return value
            case ("text", *parts):
                return _sized("".join(str(self.evaluate(each, frame)) for each in parts))
            case ("format", one, spec):
                return self._formatted(self.evaluate(one, frame), spec)
            case ("comprehension", kind, element, *clauses):
                return self._comprehension(kind, element, clauses, frame)
            case ("fun", parameters, body):
                return self._function(parameters, body, frame)
            case ("apply", function, *arguments):
                function = self.evaluate(function, frame)
                return function(*[self.evaluate(each, frame) for each in arguments])
            case ("method", name, of, *arguments):
                of = self.evaluate(of, frame)
                return self._method(name, of, [self.evaluate(each, frame) for each in arguments])
            case ("call", name, *arguments):
                return self._call(name, [self.evaluate(each, frame) for each in arguments])
        raise EvaluationError(f"{node[0]} is no operator of pure code")

    def _items(self, nodes: Iterable[Node], frame: Activation) -> list[Any]:
        found: list[Any] = []
        for each in nodes:
            if each[0] == "star":
                found.extend(self.counted(self.evaluate(each[1], frame)))
            else:
                found.append(self.evaluate(each, frame))
        return found

    def _dict(self, pairs: Iterable[Node], frame: Activation) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for one, other in pairs:
            if one == "star":
                found.update(self.evaluate(other, frame))
            else:
                key = self.evaluate(one, frame)
                found[key] = self.evaluate(other, frame)
        return found

    def binary(self, sign: str, one: Any, other: Any, how: dict[str, Callable[[Any, Any], Any]]) -> Any:
        """The value of an operator."""
        if sign == "*" and not (isinstance(one, int) and isinstance(other, int)):
            many, size = (one, other) if isinstance(one, int) else (other, one)
            if isinstance(size, str | list | tuple) and isinstance(many, int) and many * len(size) > LONGEST:
                raise LimitError(f"a value with more than {LONGEST} parts")
        grows = sign in ("**", "<<") and isinstance(one, int) and isinstance(other, int)
        if grows and abs(other) * (one.bit_length() if sign == "**" else 1) > MOST_BITS:
            raise LimitError(f"an integer of more than {MOST_BITS} bits")
        value = _sized(how[sign](one, other))
        if isinstance(value, float):
            check_exact(value, lambda: BINARY[sign](_fraction(one), _fraction(other)))
        if isinstance(value, str | list | tuple | deque):
            self._step(len(value) // 10)
        return value

    def _chain(self, signs: tuple[str, ...], operands: list[Node], frame: Activation) -> Any:
        one = self.evaluate(operands[0], frame)
        value = True
        for sign, each in zip(signs, operands[1:], strict=True):
            other = self.evaluate(each, frame)
            value = COMPARE[sign](one, other)
            if not value:
                return value
            one = other
        return value

    def _formatted(self, value: Any, spec: str) -> str:
        digits = "".join(each if each.isdigit() else " " for each in spec).split()
        if any(len(each) > 4 for each in digits):
            raise LimitError("a format of more than four digits")
        return format(value, spec)

    def _comprehension(self, kind: str, element: Node, clauses: list[Node], frame: Activation) -> Any:
        first = iter(self.evaluate(clauses[0][2], frame))
        inside = Activation(frame, False)
        items = self._produced(element, clauses, inside, first)
        if kind == "generator":
            return items
        return {"list": list, "set": set, "dict": dict}[kind](items)

    def _produced(
        self, element: Node, clauses: list[Node], frame: Activation, first: Iterator[Any] | None
    ) -> Iterator[Any]:
        if not clauses:
            yield self.evaluate(element, frame)
        elif clauses[0][0] == "if":
            if self.evaluate(clauses[0][1], frame):
                yield from self._produced(element, clauses[1:], frame, None)
        else:
            for each in first if first is not None else self.evaluate(clauses[0][2], frame):
                self._step()
                self.assign(clauses[0][1], each, frame, frame)
                yield from self._produced(element, clauses[1:], frame, None)

    def _function(self, parameters: tuple[Node, ...], body: Node, frame: Activation) -> Callable[..., Any]:
        def called(*values: Any) -> Any:
            inside = Activation(frame, True)
            inside.values.update({name: value for (_, name), value in zip(parameters, values, strict=True)})
            if body[0] not in ("body", "generator"):
                return self.evaluate(body, inside)
            try:
                self.run(body[1:], inside)
            except _Return as result:
                if body[0] == "body":
                    return result.args[0]
            return inside.yielded if body[0] == "generator" else None

        return called

    def _method(self, name: str, of: Any, arguments: list[Any]) -> Any:
        self._step(len(of) // 10 if isinstance(of, str | list | tuple) else 0)
        if name in ("zfill", "center", "ljust", "rjust") and isinstance(of, str) and arguments[0] > LONGEST:
            raise LimitError(f"a text of more than {LONGEST} characters")
        if name == "replace" and isinstance(of, str) and (len(of) + 1) * (len(arguments[1]) + 1) > LONGEST:
            raise LimitError(f"a text of more than {LONGEST} characters")
        if name == "join" and isinstance(of, str):
            arguments = [list(self.counted(arguments[0]))]
            if sum(len(each) + len(of) for each in arguments[0] if isinstance(each, str)) > LONGEST:
                raise LimitError(f"a text of more than {LONGEST} characters")
        elif name in ("extend", "update", "union", "intersection", "difference", "extendleft"):
            counted = [each if isinstance(each, dict) else self.counted(each) for each in arguments]
            lazy = [hasattr(each, "__next__") for each in arguments]  # its items before an exception are added
            arguments = [
                each if isinstance(each, dict) or late else list(each) for each, late in zip(counted, lazy, strict=True)
            ]
        value = getattr(of, name)(*arguments)
        if isinstance(value, float):
            check_exact(value, lambda: _fraction(of) / 10**6)
        _sized(of)
        return value

    def _call(self, name: str, arguments: list[Any]) -> Any:
        if name == "range":
            value = range(*arguments)
            if len(value) > MOST_STEPS:
                raise LimitError(f"a range of more than {MOST_STEPS} numbers")
            return value
        if name in ITERATES and name not in ("reversed", "dict", "deque", "enumerate"):
            lazy = (range, map, filter, zip, itertools.product, itertools.permutations, itertools.combinations)
            arguments = [self.counted(each) if isinstance(each, lazy) else each for each in arguments]
            self._step(sum(len(each) for each in arguments if hasattr(each, "__len__")))
        if name == "round" and len(arguments) > 1 and abs(arguments[1]) > MOST_BITS:
            raise LimitError(f"a number of more than {MOST_BITS} digits")
        if name == "sorted":
            return sorted(arguments[0], key=arguments[1], reverse=bool(arguments[2]) if len(arguments) > 2 else False)
        if name in ("min", "max"):
            keywords = {"default": arguments[2]} if len(arguments) > 2 else {}
            return (min if name == "min" else max)(arguments[0], key=arguments[1], **keywords)
        if name == "accumulate":
            keywords = {"initial": arguments[2]} if len(arguments) > 2 else {}
            return itertools.accumulate(arguments[0], arguments[1], **keywords)
        if name == "filter":
            return filter(*arguments)
        if name in ("sum", "statistics.mean", "statistics.median"):
            arguments[0] = list(arguments[0])
        value = _sized(CALLS[name](*arguments))
        if isinstance(value, float) and name not in ("abs", "next", "reduce"):
            check_exact(value, lambda: _exactly(name, arguments))
        return value

    def assign(self, target: Node, value: Any, frame: Activation, into: Activation) -> None:
        """Assigns a value to names or a place."""
        if target[0] == "var":
            into.values[target[1]] = value
        elif target[0] == "place":
            of = self.evaluate(target[1], frame)
            of[self.evaluate(target[2], frame)] = value
        else:
            self._unpack(target[1:], value, frame, into)

    def _unpack(self, targets: Node, value: Any, frame: Activation, into: Activation) -> None:
        items = list(self.counted(value))
        star = next((i for i, each in enumerate(targets) if each[0] == "star"), None)
        if len(items) < len(targets) - (star is not None) or (star is None and len(items) > len(targets)):
            raise ValueError("the number of items is another")
        if star is not None:
            after = len(items) - (len(targets) - star - 1)
            items = [*items[:star], items[star:after], *items[after:]]
        for each, item in zip(targets, items, strict=True):
            self.assign(each[1] if each[0] == "star" else each, item, frame, into)

    def run(self, statements: Iterable[Node], frame: Activation) -> None:
        """Executes statements; raises what Python raises, LimitError, and how control leaves them."""
        for each in statements:
            self._step()
            self._statement(each, frame)

    def _statement(self, node: Node, frame: Activation) -> None:
        match node:
            case ("assign", targets, value):
                found = self.evaluate(value, frame)
                for each in targets:
                    self.assign(each, found, frame, frame)
            case ("augment", sign, ("place", of, index), value):
                of, index = self.evaluate(of, frame), self.evaluate(index, frame)
                before = of[index]
                of[index] = self.binary(sign, before, self.evaluate(value, frame), IN_PLACE)
            case ("augment", sign, name, value):
                before = self.evaluate(name, frame)
                self.assign(name, self.binary(sign, before, self._extended(value, frame), IN_PLACE), frame, frame)
            case ("do", value):
                self.evaluate(value, frame)
            case ("sort", of, key, *reverse):
                of = self.evaluate(of, frame)
                self._step(len(of))
                key = self.evaluate(key, frame)
                of.sort(key=key, reverse=bool(self.evaluate(reverse[0], frame)) if reverse else False)
            case ("if", test, one, other):
                self.run(one if self.evaluate(test, frame) else other, frame)
            case ("for" | "while", *_):
                self._loop(node, frame)
            case ("return", value):
                raise _Return(self.evaluate(value, frame))
            case ("break",):
                raise _Break
            case ("continue",):
                raise _Continue
            case ("raise", name, *said):
                for each in said:
                    self.evaluate(each, frame)
                raise EXCEPTIONS[name]
            case ("yield", value):
                frame.function.yielded.append(self.evaluate(value, frame))
            case ("yield from", value):
                frame.function.yielded.extend(self.counted(self.evaluate(value, frame)))
            case ("try", body, handlers, rest):
                self._try(body, handlers, rest, frame)
            case _:
                raise EvaluationError(f"{node[0]} is no statement of pure code")

    def _extended(self, value: Node, frame: Activation) -> Any:
        return self.evaluate(value, frame)

    def _loop(self, node: Node, frame: Activation) -> None:
        *_, body, rest = node
        rounds = self._rounds(node, frame)
        for _ in rounds:
            self._step()
            try:
                self.run(body, frame)
            except _Continue:
                continue
            except _Break:
                return
        self.run(rest, frame)

    def _rounds(self, node: Node, frame: Activation) -> Iterator[None]:
        if node[0] == "while":
            while self.evaluate(node[1], frame):
                yield
        else:
            for each in self.evaluate(node[2], frame):
                self.assign(node[1], each, frame, frame)
                yield

    def _try(self, body: Node, handlers: Node, rest: Node, frame: Activation) -> None:
        try:
            self.run(body, frame)
        except (EvaluationError, MemoryError, RecursionError):
            raise
        except Exception as error:
            for names, block in handlers:
                if isinstance(error, tuple(EXCEPTIONS[name] for name in names)):
                    self.run(block, frame)
                    return
            raise
        self.run(rest, frame)


def evaluate(code: Node, values: tuple[Any, ...]) -> Any:
    """The value of `("fun", parameters, body)` for arguments.

    Raises:
        LimitError: the value is not computed.
        ValueError, LookupError, ArithmeticError: where Python raises one, or (as ValueError) another exception.
    """
    try:
        return Interpreter().evaluate(code, Activation(None, True))(*values)
    except (EvaluationError, ValueError, LookupError, ArithmeticError):
        raise
    except (MemoryError, RecursionError) as error:
        raise LimitError("a value is too large or too deep") from error
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
