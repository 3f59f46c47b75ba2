"""The examples in docstrings are true, and what comments cite exists."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
import tallystick.core

ROOT = Path(__file__).parents[2]
FOLDERS = ("api", "certificates", "core", "decision", "experiments", "frontends", "reductions", "replay")
MODULES = [module.name for module in pkgutil.walk_packages(tallystick.core.__path__, "tallystick.core.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_sections_of_the_theory_that_the_code_cites_exist():
    sections = set(re.findall(r"^## (\d+)\.", (ROOT / "core" / "THEORY.md").read_text(encoding="utf-8"), re.MULTILINE))
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    cited = {found for path in files for found in re.findall(r"THEORY\s+section\s+(\d+)", path.read_text("utf-8"))}
    assert {"1", "3", "5", "7"} <= cited <= sections
