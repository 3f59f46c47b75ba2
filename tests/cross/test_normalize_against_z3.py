"""𝒩 against Z3: a formula is valid by its definedness translation just when its normal form is valid."""

from certificates.z3_oracle import is_valid
from hypothesis import given, settings
from sampling import examples
from strategies import BOTTOMS, VARIABLES, formulas
from tallystick.core.definedness import holds
from tallystick.core.normalize import normalize


@settings(max_examples=examples(60))
@given(formulas((*VARIABLES[:2], VARIABLES[3], VARIABLES[5], *BOTTOMS), depth=3))
def test_a_formula_is_valid_just_when_its_normal_form_is(formula):
    answer = is_valid(normalize(formula))
    assert answer is not None
    assert is_valid(holds(formula)) is answer
