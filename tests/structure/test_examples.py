"""The examples in docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest
import tallystick.core

MODULES = [module.name for module in pkgutil.walk_packages(tallystick.core.__path__, "tallystick.core.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
