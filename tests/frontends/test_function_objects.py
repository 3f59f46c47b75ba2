"""Function objects are read from the source text of their module; their code is compared, and never run."""

from __future__ import annotations

import functools
import textwrap
import types
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tallystick.frontends.pyspark import SourceError
from tallystick.frontends.rdd import read_program

from .local_rdd import run_by_terms

if TYPE_CHECKING:
    from pyspark import RDD

LIMIT = 3
AMBIENT = id(LIMIT)


def module_level(r: RDD[int], k: int):
    return r.filter(lambda x: LIMIT <= x < k)


def uses_ambient(r: RDD[int]):
    return r.map(lambda x: x + AMBIENT)


def helper(x):
    return x + LIMIT


def refused(function: object) -> str:
    with pytest.raises(SourceError) as caught:
        read_program(function)  # type: ignore[arg-type]
    return caught.value.message


def test_a_function_of_a_module() -> None:
    read = read_program(module_level)
    assert run_by_terms(read, [[1, 3, 4, 9], 5]) == {3: 1, 4: 1}
    assert (read.function, read.function_name) == (module_level, "module_level")
    assert read.path == Path(__file__)
    assert read.source.startswith("LIMIT = 3\n\ndef module_level(r: RDD[int], k: int):")


def test_a_nested_function_sees_constants_and_functions_around_it() -> None:
    factor = 5

    def scaled(x):
        return factor * helper(x)

    def program(r: RDD[int]):
        return r.map(scaled)

    assert run_by_terms(read_program(program), [[1]]) == {20: 1}


async def in_async_function() -> object:
    LIMIT = 50  # noqa: N806 - it hides the module's name

    def program(r: RDD[int]):
        return r.map(lambda x: x + LIMIT)

    return program


def test_a_name_of_an_enclosing_async_function_hides_the_name_of_the_module() -> None:
    waiting = in_async_function()
    with pytest.raises(StopIteration) as caught:
        waiting.send(None)
    assert run_by_terms(read_program(caught.value.value), [[1]]) == {51: 1}


@pytest.mark.parametrize("k", [7])
def test_a_value_known_only_at_run_time_is_refused(k: int) -> None:
    def program(r: RDD[int]):
        return r.filter(lambda x: x >= k)

    assert refused(program) == f"the value of `k` is not fixed by the text of {__file__}"


def test_a_variable_bound_twice_is_refused() -> None:
    k = 1
    k = 2

    def program(r: RDD[int]):
        return r.filter(lambda x: x >= k)

    assert refused(program) == f"`k` is bound more than once in {__file__}"


def test_a_loop_variable_is_refused() -> None:
    for k in (1, 2):

        def program(r: RDD[int]):
            return r.filter(lambda x: x >= k)  # noqa: B023

        assert refused(program) == f"the value of `k` is not fixed by the text of {__file__}"


def test_a_variable_that_another_function_rebinds_is_refused() -> None:
    k = 1

    def rebind():
        nonlocal k
        k = 2

    def program(r: RDD[int]):
        return r.filter(lambda x: x >= k)

    rebind()
    assert refused(program) == f"`k` is bound more than once in {__file__}"


def test_a_constant_that_the_text_does_not_fix_is_refused() -> None:
    assert refused(uses_ambient) == "the builtin `id` is not supported"


def test_lambdas_partial_functions_and_methods_are_refused() -> None:
    assert refused(lambda r: r).startswith("the source text does not hold the function")
    assert refused(functools.partial(module_level, k=3)).endswith("is no Python function")
    assert refused(Path("a").exists).endswith("is no Python function")


def test_a_wrapper_is_read_itself_and_refused() -> None:
    @functools.wraps(module_level)
    def wrapper(*args, **kwargs):
        return module_level(*args, **kwargs)

    assert refused(wrapper).startswith("the source text does not hold the function") or "`*`" in refused(wrapper)


def test_a_function_without_source_text_is_refused() -> None:
    namespace: dict[str, object] = {}
    exec("def program(r: RDD[int]): return r", {"RDD": list}, namespace)
    assert refused(namespace["program"]) == "the source text of program cannot be found"


def test_a_function_whose_source_text_has_changed_is_refused(tmp_path: Path) -> None:
    """The text on disk would be read, and another function be run."""
    path = tmp_path / "changing.py"

    def load(text: str) -> object:
        path.write_text(textwrap.dedent(text))
        module = types.ModuleType("changing")
        exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), module.__dict__)
        return module.program  # type: ignore[attr-defined]

    function = load("def program(r: 'RDD[int]'): return r.map(lambda x: x + 1)")
    assert read_program(function).function_name == "program"  # type: ignore[arg-type]
    path.write_text("def program(r: 'RDD[int]'): return r.map(lambda x: x + 2)")
    assert refused(function) == "the source text does not hold the function program as it is in memory"
