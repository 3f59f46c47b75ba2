"""The signatures that `tallystick.check` shows are those of the functions behind it."""

from __future__ import annotations

import inspect
from typing import get_overloads

import pytest
from tallystick import check, checking
from tallystick.plans.dataframes import check_dataframes
from tallystick.plans.functions import check_functions

BEHIND = (check_dataframes, check_functions, checking.check)
FOR_TESTS = {"prover", "replayer", "spark"}
"""Parameters that programs have no use for: processes that are kept from one call to the next."""


@pytest.mark.parametrize("number", range(len(BEHIND)))
def test_an_overload_has_the_options_of_what_it_calls_with_their_defaults(number: int) -> None:
    shown = inspect.signature(get_overloads(check)[number]).parameters
    own = {name: each for name, each in inspect.signature(BEHIND[number]).parameters.items() if name not in FOR_TESTS}
    assert list(shown) == list(own)
    assert {name: each.default for name, each in shown.items()} == {name: each.default for name, each in own.items()}
    assert {name: each.kind for name, each in shown.items()} == {name: each.kind for name, each in own.items()}
