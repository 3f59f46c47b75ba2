"""The positive list of RDD methods: each entry agrees with PySpark's signature, and its example is read."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from pyspark import RDD, StorageLevel
from tallystick.frontends.pyspark import SourceProgram, SupportedCall, supported_calls

from .local_rdd import load, run_by_python, run_by_terms, same

INPUTS = [[-3, 0, 0, 4, 17], [(0, 3), (0, 3), (1, -4), (2, 0)], [(0, 1), (1, 5), (1, 5), (3, 3)]]
FIRST_NEEDED = "map filter cartesian union join mapValues keyBy keys values fold foldByKey count sum"


def test_the_list_holds_what_users_need_first() -> None:
    assert set(FIRST_NEEDED.split()) <= {call.name for call in supported_calls()}


@pytest.mark.parametrize("call", supported_calls(), ids=lambda call: call.name)
def test_names_order_and_defaults_of_parameters_are_pysparks(call: SupportedCall) -> None:
    real = list(inspect.signature(getattr(RDD, call.name)).parameters.values())[1:]
    name, _, written = call.signature.rstrip(")").partition("(")
    parameters = [each.strip().partition("=") for each in written.split(",") if each.strip()]
    assert name == call.name
    assert [each[0] for each in parameters] == [each.name for each in real[: len(parameters)]]
    for (_, optional, default), each in zip(parameters, real, strict=False):
        assert (each.default is inspect.Parameter.empty) == (not optional)
        assert not optional or default in (repr(each.default), "StorageLevel.MEMORY_ONLY")
        assert default != "StorageLevel.MEMORY_ONLY" or each.default == StorageLevel.MEMORY_ONLY
    assert all(each.default is not inspect.Parameter.empty for each in real[len(parameters) :])


@pytest.mark.parametrize("call", supported_calls(), ids=lambda call: call.name)
def test_the_example_means_what_python_computes(call: SupportedCall, read: Callable[..., SourceProgram]) -> None:
    pairs = "'RDD[tuple[int, int]]'"
    text = f"def p(r: 'RDD[int]', s: {pairs}, t: {pairs}):\n    return {call.example}\n"
    assert f".{call.name}(" in call.example
    assert call.meaning.endswith(".")
    assert same(run_by_terms(read(text), INPUTS), run_by_python(load(text), INPUTS))
