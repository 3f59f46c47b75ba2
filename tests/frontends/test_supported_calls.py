"""The positive list of RDD methods: each entry agrees with PySpark's signature, and its example is read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import isclose
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark import RDD, StorageLevel
from tallystick.cli import main
from tallystick.frontends.pyspark import SourceProgram, SupportedCall, refused_calls, supported_calls
from tallystick.frontends.pyspark.documentation import page
from tallystick.frontends.pyspark.named_functions.showing import as_python

from .local_rdd import load, run_by_python, run_by_terms, same

INPUTS = [[-3, 0, 0, 4, 17], [(0, 3), (0, 3), (1, -4), (2, 0)], [(0, 1), (1, 5), (1, 5), (3, 3)]]
PAGE = Path(__file__).parents[2] / "frontends/RDD_METHODS.md"
PAIRS_TYPE = "'RDD[tuple[int, int]]'"
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
    rest = [each for each in real[len(parameters) :] if each.kind is not inspect.Parameter.VAR_POSITIONAL]
    assert all(each.default is not inspect.Parameter.empty for each in rest)


@pytest.mark.parametrize("call", supported_calls(), ids=lambda call: call.name)
def test_the_example_means_what_python_computes(call: SupportedCall, read: Callable[..., SourceProgram]) -> None:
    text = f"def p(r: 'RDD[int]', s: {PAIRS_TYPE}, t: {PAIRS_TYPE}):\n    return {call.example}\n"
    assert f".{call.name}(" in call.example
    assert call.meaning.endswith(".")
    program, computed = read(text), run_by_python(load(text), INPUTS)
    meant = run_by_terms(program, INPUTS)
    if isinstance(computed, float):
        assert isclose(as_python(meant, program.result_type), computed)
    else:
        assert same(meant, computed)


def test_the_page_in_the_documentation_is_made_from_the_code() -> None:
    """If not: python -m tallystick.frontends.pyspark.documentation > frontends/RDD_METHODS.md."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("call", supported_calls(), ids=lambda call: call.name)
def test_the_example_can_be_checked(call: SupportedCall, tmp_path: Path) -> None:
    parameters = f"r: 'RDD[int]', s: {PAIRS_TYPE}, t: {PAIRS_TYPE}"
    jobs = tmp_path / "jobs.py"
    jobs.write_text(
        f"def before({parameters}):\n    return {call.example}\n\n"
        f"def after({parameters}):\n    r, s = r.repartition(2).cache(), s.map(lambda p: (p[0], p[1]))\n"
        f"    return {call.example}\n"
    )
    result = CliRunner().invoke(main, ["check", f"{jobs}:before", f"{jobs}:after"])
    assert (result.exit_code, result.output.partition(":")[0]) == (0, "equivalent"), result.output


@pytest.mark.parametrize("name", refused_calls())
def test_what_is_refused_by_name_is_a_method_of_rdds(name: str, refusal: Callable[..., str]) -> None:
    assert hasattr(RDD, name)
    assert f"the RDD method `{name}` is not supported" in refusal(f"def p(r: RDD[int]): return r.{name}()")
