"""A small concrete syntax for Presburger formulas: `exists y. 2*y < x and x < 2*y + 2`.

    formula    ::= quantified | formula ("<=>" | "=>" | "or" | "and") formula | "not" formula | atom
    quantified ::= ("exists" | "forall") name ("," name)* "." formula
    atom       ::= "true" | "false" | integer "|" term | term (("<" | "<=" | "=" | "!=" | ">=" | ">") term)+
    term       ::= integer | name | "-" term | term ("+" | "-") term | term "*" term | term ("div" | "mod")
    integer

`and` binds tighter than `or`, that tighter than `=>` (to the right), that tighter than `<=>`; a quantifier
reaches as far as it can. One factor of a product is a number. The signs ∀ ∃ ∧ ∨ ¬ ⇒ ⇔ ≤ ≥ ≠ and == // % work
too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple

from tallystick.core.errors import TallystickError
from tallystick.core.presburger.formulas import (
    FALSE,
    TRUE,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    at_most,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
)
from tallystick.core.presburger.linear import Linear, constant, unknown


class FormulaSyntaxError(TallystickError, ValueError):
    """A text is no Presburger formula.

    Attributes:
        text: the text.
        position: where in it the trouble starts, from 0.
    """

    def __init__(self, message: str, text: str, position: int) -> None:
        start = text.rfind("\n", 0, position) + 1
        line = text[start:].partition("\n")[0]
        row = text.count("\n", 0, position) + 1
        column = position - start
        super().__init__(f"line {row}, column {column + 1}: {message}\n    {line}\n    {' ' * column}^")
        self.text = text
        self.position = position


class Token(NamedTuple):
    """A lexical unit and where it starts."""

    text: str
    position: int


SYNONYMS = {
    "∀": "forall", "∃": "exists", "∧": "and", "&": "and", "∨": "or", "¬": "not", "~": "not", "⇒": "=>", "->":
    "=>", "⇔": "<=>", "<->": "<=>", "≤": "<=", "≥": ">=", "≠": "!=", "==": "=", "//": "div", "%": "mod", "·":
    "*",
}  # fmt: skip
KEYWORDS = frozenset({"forall", "exists", "and", "or", "not", "true", "false", "div", "mod"})
COMPARISONS: dict[str, Callable[[Linear], Formula]] = {
    "<": lambda difference: at_most(difference.shift(1)),
    "<=": at_most,
    "=": equal,
    "!=": differs,
    ">=": lambda difference: at_most(difference.times(-1)),
    ">": lambda difference: at_most(difference.times(-1).shift(1)),
}
MAX_DEPTH = 250
"""How many constructs may be open at once; about five belong to one pair of parentheses."""
_WORD = r"\d+|[A-Za-z_][\w']*"
_SIGN = r"<=>|<->|=>|->|<=|>=|!=|==|//|[-+*<>=|().,%&~∀∃∧∨¬⇒⇔≤≥≠·]"
_TOKEN = re.compile(rf"\s*(?:({_WORD})|({_SIGN}))")


def parse(text: str) -> Formula:
    """The formula that a text denotes; raises FormulaSyntaxError."""
    parser = _Parser(text)
    formula = parser.formula(0)
    parser.expect("end of the formula", "")
    return formula


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    while text[position:].strip():
        found = _TOKEN.match(text, position)
        if found is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise FormulaSyntaxError(f"unexpected character {text[start]!r}", text, start)
        word = found.group(1) or found.group(2)
        yield Token(SYNONYMS.get(word, word), found.start(1 if found.group(1) else 2))
        position = found.end()
    yield Token("", len(text))


class _Parser:
    """A recursive-descent parser; a term comes with the definitions of its quotients."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._next = 0
        self._depth = 0
        self._quotients = (f"{name}'" for name in (f"q{index}" for index in count()))

    @property
    def _token(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> str | None:
        token = self._token
        if token.text in texts and token.text:
            self._next += 1
            return token.text
        return None

    def _fail(self, expected: str) -> FormulaSyntaxError:
        found = f"found {self._token.text!r}" if self._token.text else "the formula ends"
        return FormulaSyntaxError(f"expected {expected}, but {found}", self._text, self._token.position)

    def expect(self, what: str, text: str) -> None:
        """Takes a token, or fails naming what was expected."""
        if self._token.text != text:
            raise self._fail(what)
        self._next += bool(text)

    def formula(self, level: int) -> Formula:
        """A formula whose connectives bind at least as tightly as `level`: 0 <=>, 1 =>, 2 or, 3 and."""
        with self._deeper():
            return self._formula(level)

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FormulaSyntaxError("the formula is nested too deeply", self._text, self._token.position)
        yield
        self._depth -= 1

    def _formula(self, level: int) -> Formula:
        match level:
            case 0:
                left = self.formula(1)
                while self._take("<=>"):
                    left = Iff(left, self.formula(1))
                return left
            case 1:
                left = self.formula(2)
                return Implies(left, self.formula(1)) if self._take("=>") else left
            case 2 | 3:
                parts = [self.formula(level + 1)]
                while self._take("or" if level == 2 else "and"):
                    parts.append(self.formula(level + 1))
                return (disjunction if level == 2 else conjunction)(parts)
            case _:
                return self._unary()

    def _unary(self) -> Formula:
        if self._take("not"):
            return Not(self.formula(4))
        quantifier = self._take("exists", "forall")
        if quantifier:
            names = [self._name()]
            while self._take(",") or self._token.text != ".":
                names.append(self._name())
            self.expect("'.' after the quantified names", ".")
            body = self.formula(0)
            return (Exists if quantifier == "exists" else Forall)(tuple(names), body)
        if self._take("true"):
            return TRUE
        if self._take("false"):
            return FALSE
        return self._parenthesis() if self._token.text == "(" else self._atom()

    def _parenthesis(self) -> Formula:
        """What begins with "(": an atom, if it can be read as one, else a formula in parentheses."""
        start, depth = self._next, self._depth
        try:
            return self._atom()
        except FormulaSyntaxError as as_atom:
            reached = self._next
            self._next, self._depth = start + 1, depth
            try:
                inner = self.formula(0)
                self.expect("')'", ")")
                return inner
            except FormulaSyntaxError as as_formula:
                raise (as_atom if reached > self._next else as_formula) from None

    def _name(self) -> str:
        token = self._token
        if not re.match(r"[A-Za-z_]", token.text) or token.text in KEYWORDS:
            raise self._fail("a name")
        self._next += 1
        return token.text

    def _atom(self) -> Formula:
        definitions: list[Formula] = []
        names: list[str] = []
        left = self._sum(names, definitions)
        if self._token.text == "|":
            if left.coefficients or left.constant <= 0:
                raise self._fail("a positive number before '|'")
            self._next += 1
            parts = [divides(left.constant, self._sum(names, definitions))]
        else:
            parts = []
            while operator := self._take(*COMPARISONS):
                right = self._sum(names, definitions)
                parts.append(COMPARISONS[operator](left.minus(right)))
                left = right
            if not parts:
                raise self._fail("a comparison")
        body = conjunction((*parts, *definitions))
        return Exists(tuple(names), body) if names else body

    def _sum(self, names: list[str], definitions: list[Formula]) -> Linear:
        total = self._product(names, definitions)
        while sign := self._take("+", "-"):
            product = self._product(names, definitions)
            total = total.plus(product) if sign == "+" else total.minus(product)
        return total

    def _product(self, names: list[str], definitions: list[Formula]) -> Linear:
        left = self._factor(names, definitions)
        while operator := self._take("*", "div", "mod"):
            position = self._token.position
            right = self._factor(names, definitions)
            if operator == "*":
                if left.coefficients and right.coefficients:
                    raise FormulaSyntaxError("one factor must be a number", self._text, position)
                left = right.times(left.constant) if not left.coefficients else left.times(right.constant)
            elif right.coefficients or right.constant <= 0:
                raise FormulaSyntaxError(f"{operator} needs a positive number", self._text, position)
            else:
                left = self._divide(left, right.constant, operator, names, definitions)
        return left

    def _divide(
        self, dividend: Linear, divisor: int, operator: str, names: list[str], definitions: list[Formula]
    ) -> Linear:
        """The quotient, a new unknown q with d·q ≤ t < d·q + d, or the remainder t - d·q."""
        name = next(self._quotients)
        while any(token.text == name for token in self._tokens):
            name = next(self._quotients)
        remainder = dividend.minus(unknown(name, divisor))
        names.append(name)
        definitions += [at_most(remainder.times(-1)), at_most(remainder.shift(1 - divisor))]
        return unknown(name) if operator == "div" else remainder

    def _factor(self, names: list[str], definitions: list[Formula]) -> Linear:
        if self._take("-"):
            with self._deeper():
                return self._factor(names, definitions).times(-1)
        if self._take("("):
            with self._deeper():
                inner = self._sum(names, definitions)
            self.expect("')'", ")")
            return inner
        token = self._token
        if token.text.isdecimal():
            self._next += 1
            return constant(int(token.text))
        return unknown(self._name())
