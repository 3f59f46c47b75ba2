"""The examples in the docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
import tallystick.streaming

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(tallystick.streaming.__path__, "tallystick.streaming.")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
