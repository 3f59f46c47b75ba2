"""The concrete syntax: what it accepts, what it means, what it refuses, and how results are printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.presburger.command import eliminate_text
from tallystick.core.presburger.decide import decide
from tallystick.core.presburger.formulas import Forall, Formula, Iff, holds
from tallystick.core.presburger.printing import LATEX, show
from tallystick.core.presburger.syntax import FormulaSyntaxError, parse

from .presburger_strategies import quantified, quantifier_free


@given(quantified(("x", "y")), st.booleans())
def test_printed_formulas_are_read_back(formula: Formula, both: bool) -> None:
    source = Iff(formula, Forall(("y",), formula)) if both else formula
    assert show(parse(show(source))) == show(source)


@given(quantifier_free(), st.fixed_dictionaries({name: st.integers(-20, 20) for name in "xyz"}))
def test_printed_formulas_mean_the_same(formula: Formula, values: dict[str, int]) -> None:
    assert holds(parse(show(formula)), values) == holds(formula, values)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("0 <= x < 10", "x >= 0 and x <= 9"),
        ("x = 1 or y = 1 and z = 1", "x = 1 or (y = 1 and z = 1)"),
        ("x = 1 => y = 1 => z = 1", "x = 1 => (y = 1 => z = 1)"),
        ("∀x. ∃y. x ≤ y ∧ ¬(y ≠ x) ⇒ true", "forall x. exists y. (x <= y and not (y != x)) => true"),
        ("2*(x - y)*3 = -(z)", "6*x - 6*y + z = 0"),
        ("(x + 1)*2 > y", "2*x + 2 > y"),
        ("((x < y))", "x < y"),
        ("x // 2 = 1 and x % 2 == 1", "x div 2 = 1 and x mod 2 = 1"),
        ("4 | 2*x", "2 | x"),
        ("exists x y, z. x = y", "exists x, y, z. x = y"),
    ],
)
def test_two_ways_to_write_a_formula(text: str, same: str) -> None:
    assert show(parse(text)) == show(parse(same))


@pytest.mark.parametrize("x", range(-7, 8))
def test_division_is_floor_division(x: int) -> None:
    assert decide(parse(f"exists x. x = {x} and x div 3 = {x // 3} and x mod 3 = {x % 3}".replace("= -", "= 0 - ")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: expected a name, but the formula ends\n    \n    ^"),
        ("x <", "line 1, column 4: expected a name, but the formula ends\n    x <\n       ^"),
        ("exists x x < 3", "line 1, column 12: expected a name, but found '<'\n    exists x x < 3\n               ^"),
        ("x < 1 and\n(y < 2", "line 2, column 7: expected ')', but the formula ends\n    (y < 2\n          ^"),
        ("x * y < 3", "line 1, column 5: one factor must be a number\n    x * y < 3\n        ^"),
        ("x mod y = 3", "line 1, column 7: mod needs a positive number\n    x mod y = 3\n          ^"),
        ("x div 0 = 3", "line 1, column 7: div needs a positive number\n    x div 0 = 3\n          ^"),
        ("0 | x", "line 1, column 3: expected a positive number before '|', but found '|'\n    0 | x\n      ^"),
        ("x $ y", "line 1, column 3: unexpected character '$'\n    x $ y\n      ^"),
        ("(x + 1) and z", "line 1, column 9: expected a comparison, but found 'and'\n    (x + 1) and z\n            ^"),
        ("x < 1 y", "line 1, column 7: expected end of the formula, but found 'y'\n    x < 1 y\n          ^"),
        ("exists or. x = 1", "line 1, column 8: expected a name, but found 'or'\n    exists or. x = 1\n           ^"),
    ],
)  # fmt: skip
def test_errors_show_the_place(text: str, message: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text", ["not " * 5000 + "x = 1", "(" * 5000 + "x = 1", "-" * 5000 + "x = 1", "x = 1 => " * 5000 + "x = 1"]
)
def test_deep_nesting_is_refused_and_not_a_crash(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="the formula is nested too deeply"):
        parse(text)


def test_the_command_prints_the_result() -> None:
    assert eliminate_text("exists y. 2*y < x and x < 2*y + 2") == "2 | x + 1"
    assert eliminate_text("exists y. x = 3*y and y < 0", notation="latex") == r"x + 3 \leq 0 \wedge 3 \mid x"


def test_the_command_prints_steps() -> None:
    shown = eliminate_text("exists y. 2*y < x and x < 2*y + 2", steps=True)
    assert shown.splitlines() == [
        "Eliminate exists y. 2*y + 1 <= x and x <= 2*y + 1",
        "  Write y for 2*y: y + 1 <= x and x <= y + 1 and 2 | y",
        "  Period of the divisibilities: delta = 2",
        "  Lower bounds: B = {x - 2}",
        "  Towards -infinity the formula becomes false",
        "  At y = 1: false",
        "  At y = x - 1: 2 | x + 1",
        "  At y = x: false",
        "  Simplified: 2 | x + 1",
        "Result: 2 | x + 1",
    ]


def test_the_command_prints_steps_in_latex() -> None:
    shown = eliminate_text("forall y. 3 | y => y > x", steps=True, notation="latex")
    assert shown.splitlines() == [
        r"\begin{enumerate}",
        r"\item Eliminate $\forall y. \neg (3 \mid y) \vee x + 1 \leq y$ \\",
        r"  Its negation is $\exists y. 3 \mid y \wedge y \leq x$ \\",
        r"  Period of the divisibilities: $\delta = 3$ \\",
        r"  Lower bounds: $B = \{\}$ \\",
        r"  Towards $-\infty$ the formula becomes $3 \mid y$ \\",
        r"  At $y = 1$: $\bot$ \\",
        r"  At $y = 2$: $\bot$ \\",
        r"  At $y = 3$: $\top$ \\",
        r"  Negated again and simplified: $\bot$",
        r"\end{enumerate}",
        r"Result: $\bot$",
    ]


def test_names_of_several_letters_in_latex() -> None:
    assert show(parse("2*total_sum < n"), LATEX) == r"2\,\mathit{total\_sum} + 1 \leq n"


@pytest.mark.parametrize(
    "text",
    [
        "exists x. forall y. x <= y or 2 | x + z",
        "forall x, y. 3*x != 5*y + z",
        "exists x. 3 | x + z and x > 2*z and x < 2*z + 9 and not (2 | x)",
    ],
)
def test_steps_end_in_the_same_result(text: str) -> None:
    result = eliminate_text(text)
    stepped = eliminate_text(text, steps=True).splitlines()[-1].removeprefix("Result: ")
    assert decide(parse(f"forall z. ({result}) <=> ({stepped})"))
