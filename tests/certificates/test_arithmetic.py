"""The parts of the search that do arithmetic: simplex, lattice and rounding, on random atoms."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from tallystick.certificates.forms import Form, tightened, total
from tallystick.certificates.search.arithmetic import Arithmetic, Rounding
from tallystick.certificates.search.lattice import Lattice
from tallystick.core.terms import Term, variable
from tallystick.core.types import INT

UNKNOWNS = tuple(variable(name, INT) for name in "xyz")
COEFFICIENTS = st.integers(-6, 6)
FORMS = st.builds(
    lambda parts, constant: Form({x: a for x, a in zip(UNKNOWNS, parts, strict=True) if a}, constant),
    st.tuples(COEFFICIENTS, COEFFICIENTS, COEFFICIENTS),
    st.integers(-15, 15),
)


@st.composite
def atoms(draw: st.DrawFn) -> list[Form]:
    """Inequalities, and equalities as two of them."""
    result: list[Form] = []
    for form in draw(st.lists(FORMS, min_size=1, max_size=6)):
        result.append(tightened(form))
        if draw(st.booleans()):
            result.append(tightened(total((-1, form))))
    return result


def at(form: Form, values: Mapping[Term, int | Fraction]) -> int | Fraction:
    return form.constant + sum(part * values[unknown] for unknown, part in form.coefficients.items())


def box(size: int) -> list[dict[Term, int]]:
    points = product(range(-size, size + 1), repeat=3)
    return [dict(zip(UNKNOWNS, point, strict=True)) for point in points]


@settings(max_examples=300)
@given(atoms())
def test_the_simplex_finds_values_for_all_atoms_or_a_contradictory_combination(atoms: list[Form]) -> None:
    arithmetic = Arithmetic()
    for conflict in [*map(arithmetic.assume, atoms), arithmetic.simplex.check()]:
        if conflict is not None:
            assert all(multiplier > 0 for _, multiplier in conflict)
            sum_ = total(*((multiplier, atom) for atom, multiplier in conflict))
            assert not sum_.coefficients
            assert sum_.constant > 0
            return
    values = dict.fromkeys(UNKNOWNS, 0)
    values |= {x: arithmetic.simplex.value(index) for x, index in arithmetic.variables.items()}
    assert all(at(atom, values) <= 0 for atom in atoms)


@settings(max_examples=200)
@given(st.lists(atoms(), min_size=2, max_size=4))
def test_restored_bounds_leave_no_trace(groups: list[list[Form]]) -> None:
    """After others were assumed and undone, a group of atoms has a conflict just when it has one alone."""
    shared = Arithmetic()
    for group in groups:
        alone = Arithmetic()
        mark = shared.simplex.mark()
        verdicts = []
        for arithmetic in (alone, shared):
            immediate = any([arithmetic.assume(atom) is not None for atom in group])  # noqa: C419
            verdicts.append(immediate or arithmetic.simplex.check() is not None)
        assert verdicts[0] == verdicts[1]
        shared.simplex.restore(mark)


@settings(max_examples=200)
@given(atoms())
def test_cuts_keep_all_integer_points_and_nearby_points_satisfy_all_atoms(atoms: list[Form]) -> None:
    arithmetic = Arithmetic()
    if any(arithmetic.assume(atom) for atom in atoms) or arithmetic.simplex.check():
        return
    rounding = Rounding(arithmetic)
    cuts = rounding.cuts()
    points = [point for point in box(4) if all(at(atom, point) <= 0 for atom in atoms)]
    for combination, cut in cuts:
        assert all(multiplier > 0 for _, multiplier in combination)
        assert all(at(cut, point) <= 0 for point in points)
    if not cuts:
        nearby = rounding.nearby()
        if nearby is not None:
            assert all(at(atom, dict.fromkeys(UNKNOWNS, 0) | nearby) <= 0 for atom in atoms)


def test_equalities_without_integer_solutions_are_inconsistent() -> None:
    """x = 2z - 2y is even and x = 4z + 1 is odd; no atom by itself can be tightened."""
    arithmetic = Arithmetic()
    x, y, z = UNKNOWNS
    for form in (Form({x: 1, y: 2, z: -2}, 0), Form({x: 1, z: -4}, -1)):
        assert arithmetic.assume(tightened(form)) is None
        assert arithmetic.assume(tightened(total((-1, form)))) is None
    assert arithmetic.simplex.check() is None
    equalities, _ = arithmetic.constraints()
    assert Lattice(equalities).inconsistent is not None
    (_, below), (_, above) = Rounding(arithmetic).cuts()
    contradiction = total((1, below), (1, above))
    assert not contradiction.coefficients
    assert contradiction.constant > 0
