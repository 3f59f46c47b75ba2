"""Each test that `make check` leaves out is there: a name of none would leave out nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = [line for line in (ROOT / "tests" / "longer.txt").read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("path", sorted({name.partition("::")[0] for name in NAMES}))
def test_the_names_are_those_of_tests(path: str) -> None:
    functions = {
        node.name for node in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(node, ast.FunctionDef)
    }
    listed = {name.rpartition("::")[2] for name in NAMES if name.startswith(f"{path}::")}
    assert listed <= functions


def test_they_are_listed_once_and_in_order() -> None:
    assert sorted(set(NAMES)) == NAMES
