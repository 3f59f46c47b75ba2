"""Long formulas on several lines: nothing is lost, nothing is too wide, and what belongs together is indented."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies import formulas, programs
from tallystick.core.pretty import text
from tallystick.explaining.layout import WIDTH, laid_out


def test_a_formula_that_fits_is_one_line():
    assert laid_out("x ≤ 3 ∧ y < x") == ("x ≤ 3 ∧ y < x",)


def test_a_line_ends_at_the_connective_that_binds_least():
    assert laid_out("x < 1 ∧ y < 2 ⇒ x + y < 2 ∨ z", 20) == ("x < 1 ∧ y < 2", "⇒ x + y < 2 ∨ z")
    assert laid_out("x < 1 ∧ y < 2 ⇒ x + y < 2 ∨ z", 12) == ("x < 1", "∧ y < 2", "⇒ x + y < 2", "  ∨ z")


def test_connectives_inside_parentheses_wait_for_those_outside():
    assert laid_out("(a ⇒ b) ∧ (c ⇒ d)", 10) == ("(a ⇒ b)", "∧ (c ⇒ d)")


def test_the_largest_parentheses_open():
    assert laid_out("map(λx. 2*x)(filter(λx. x < 50)(R))", 28) == ("map(λx. 2*x)(", "  filter(λx. x < 50)(R)", ")")


def test_arguments_stand_on_lines_of_their_own():
    assert laid_out("ite(x_R < 50, 2*x_R, ⊥)", 14) == ("ite(", "  x_R < 50,", "  2*x_R,", "  ⊥", ")")


def test_what_is_nested_deeply_stays_on_the_page():
    nested = "x"
    for _ in range(60):
        nested = f"f({nested} ∧ y, λA,(x, (y, z)). z)"
    lines = laid_out(nested, 40)
    assert max(map(len, lines)) <= 40
    assert "".join("".join(lines).split()) == "".join(nested.split())


@given(st.one_of(formulas(), programs().map(lambda program: program.expression)), st.integers(20, WIDTH))
def test_only_spaces_change_and_no_line_is_too_wide(term, width):
    written = text(term)
    lines = laid_out(written, width)
    assert "".join("".join(lines).split()) == "".join(written.split())
    assert all(len(line) <= width for line in lines)
