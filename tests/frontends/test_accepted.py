"""What is read: each program has the value that Python computes on a small imitation of Spark."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tallystick.core.terms import Operator, accumulator, add, build, constant, element, less, scale, variable
from tallystick.core.types import BOOL, INT, BagType, TupleType
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.rdd import read_program

from .accepted_programs import ACCEPTED, INTS
from .local_rdd import load, run_by_python, run_by_terms, same


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_program_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    source, arguments = ACCEPTED[name]
    text = "from __future__ import annotations\n" + dedent(source)
    program = read(text)
    expected = run_by_python(load(text), arguments)
    assert same(run_by_terms(program, arguments), expected)
    empty = [[] if isinstance(each, list) else each for each in arguments]
    assert same(run_by_terms(program, empty), run_by_python(load(text), empty))


R = variable("r", BagType(INT))


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        ("r.map(lambda x: 2 * x)", build(Operator.MAP, (scale(2, element(INT)), R))),
        ("r.filter(lambda x: x < 2 * 3)", build(Operator.FILTER, (less(element(INT), constant(6)), R))),
        ("r.count()", build(Operator.FOLD, (constant(0), add(accumulator(INT), constant(1)), R))),
        ("r.fold(-1, lambda a, x: x)", build(Operator.FOLD, (constant(-1), element(INT), R))),
    ],
)
def test_the_term_is_the_plain_one(expression: str, term: object, read: Callable[..., SourceProgram]) -> None:
    assert read(f"def p(r: RDD[int]): return {expression}").program.expression is term


def test_join_filters_the_product_by_equal_keys(read: Callable[..., SourceProgram]) -> None:
    pair = TupleType((INT, INT))
    by_hand = """
        def p(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]):
            same = s.cartesian(t).filter(lambda both: both[0][0] == both[1][0])
            return same.map(lambda both: (both[0][0], (both[0][1], both[1][1])))
        """
    joined = read("def p(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]): return s.join(t)").program
    assert joined == read(by_hand).program
    assert joined.bags == (variable("s", BagType(pair)), variable("t", BagType(pair)))


@pytest.mark.parametrize(
    ("header", "annotation"),
    [
        ("", "RDD[tuple[int, bool]]"),
        ("", "'RDD[tuple[int, bool]]'"),
        ("from pyspark import RDD", "RDD[tuple[int, bool]]"),
        ("from pyspark import RDD as Bag", "Bag['tuple[int, bool]']"),
        ("from pyspark.rdd import RDD", "RDD[tuple[int, bool]]"),
        ("import pyspark", "pyspark.RDD[tuple[int, bool]]"),
        ("import pyspark as spark", "spark.rdd.RDD[tuple[int, bool]]"),
        ("import pyspark.rdd", "pyspark.rdd.RDD[tuple[int, bool]]"),
        ("from typing import Tuple", "RDD[Tuple[int, bool]]"),
        ("import typing", "RDD[typing.Tuple[int, bool]]"),
        ("from pyspark import RDD\nPair = tuple[int, bool]\nPairs = RDD[Pair]", "Pairs"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pyspark import RDD", "RDD[tuple[int, bool]]"),
    ],
)
def test_annotations_mean_their_types(header: str, annotation: str, read: Callable[..., SourceProgram]) -> None:
    (parameter,) = read(f"{header}\ndef p(r: {annotation}): return r").program.parameters
    assert parameter is variable("r", BagType(TupleType((INT, BOOL))))


def test_types_given_apart_go_before_annotations(read: Callable[..., SourceProgram]) -> None:
    program = read("def p(r, k: str, b: bool): return r", types="r: RDD[int], k: int")
    assert program.parameters == "(r: RDD[int], k: int, b: bool)"


def test_the_result_says_where_the_program_stands(read: Callable[..., SourceProgram]) -> None:
    text = """
        K = 3
        unused = 4
        def shift(x): return x + K

        def p(r: RDD[int], k: int):
            return r.map(shift)
        """
    program = read(text)
    assert (program.path, program.function_name, program.line) == (Path("jobs.py"), "p", 5)
    assert program.parameters == "(r: RDD[int], k: int)"
    assert program.function is None
    parts = ["def shift(x): return x + K", "K = 3", "def p(r: RDD[int], k: int):\n    return r.map(shift)"]
    assert program.source == "\n\n".join(parts)


def test_each_file_has_its_own_names(read: Callable[..., SourceProgram], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two helpers of one name in two files are two helpers."""
    files = {
        "first_file": "K = 1\ndef f(x): return x + K\n",
        "second_file": "from first_file import f as g\nK = 20\ndef f(x): return g(x) + K\n",
    }
    text = """
        from __future__ import annotations
        import second_file
        import first_file as one
        from second_file import f, g
        K = 300
        def p(r: RDD[int]): return r.map(lambda x: (f(x), one.f(x), second_file.f(x) + K, g(x), one.K))
        """
    program = read(text, **files)
    monkeypatch.syspath_prepend(Path.cwd())
    importlib.invalidate_caches()
    try:
        assert same(run_by_terms(program, [INTS]), run_by_python(load(dedent(text)), [INTS]))
    finally:
        for name in files:
            sys.modules.pop(name, None)


def test_packages_and_relative_imports(tmp_path: Path) -> None:
    package = tmp_path / "jobs"
    (package / "inner").mkdir(parents=True)
    for folder in (package, package / "inner"):
        (folder / "__init__.py").write_text("")
    (package / "inner" / "deep.py").write_text("from ..shared import f\ndef g(x): return f(x) + 1\n")
    (package / "shared.py").write_text("def f(x): return 2 * x\n")
    (package / "main.py").write_text(
        "from .inner.deep import g\nfrom .inner import deep\nfrom jobs.shared import f\nfrom . import shared\n"
        "def p(r: 'RDD[int]'): return r.map(lambda x: (g(x), deep.g(x), f(x), shared.f(x)))\n"
    )
    program = read_program(f"{package / 'main.py'}:p")
    assert run_by_terms(program, [[5]]) == {(11, 11, 10, 10): 1}


def test_nothing_of_the_source_runs(read: Callable[..., SourceProgram], tmp_path: Path) -> None:
    text = "open('ran', 'w').close()\nimport helper\ndef p(r: RDD[int]): return r.map(helper.f)"
    read(text, helper="open('ran', 'w').close()\ndef f(x): return x")
    assert not (tmp_path / "ran").exists()
    assert "helper" not in sys.modules
