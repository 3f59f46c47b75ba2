"""Random functions and programs: what is read has the value that Python computes, and none where Python raises.

    python -m pytest -m slow tests/frontends/test_random_statements.py

Where Python raises an exception, the program raises as well, or its certificates assume by name that nothing raises.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .random_functions.comparing import compare
from .random_functions.programs import RULES

EVALUATIONS = 24_000
SEEDS = (10_000, 200_000, 3_000_000)


def test_random_programs_mean_what_python_computes(tmp_path: Path) -> None:
    tally = compare(tmp_path / "jobs.py", 0, 150)
    assert tally.programs > 2 * tally.refused
    assert tally.exceptions


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("seed", SEEDS)
def test_thousands_of_values_are_those_of_python(seed: int, tmp_path: Path) -> None:
    tally = compare(tmp_path / "jobs.py", seed, EVALUATIONS)
    print(tally)
    templates = {each for rules in RULES.values() for each in rules}
    assert templates <= tally.read.keys(), "these are in no program that is read and has a value"
