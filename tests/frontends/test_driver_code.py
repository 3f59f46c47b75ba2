"""What a program does at the driver with what it collected, and is not read in full, is a function by name."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.comparing import comparison
from tallystick.core.functions import FunctionError
from tallystick.core.terms import subterms
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.applying import name_of
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.rdd import read_program
from tallystick.replay import SparkReplayer

from .local_rdd import load, run_by_python, run_by_terms

HEADER = "def p(r: 'RDD[int]', n: int):\n"
BODIES = {
    "a sort in place": "xs = r.collect()\n    xs.sort()\n    return xs[len(xs) // 2] if xs else 0",
    "sorted downwards": "xs = r.collect()\n    xs.sort(reverse=True)\n    return sum(xs[:3])",
    "the median": "xs = sorted(r.collect())\n    m = len(xs)\n    return xs[m // 2] if m else -1",
    "the second": "xs = sorted(r.distinct().collect())\n    return xs[-2] if len(xs) > 1 else None",
    "the last n": "return sorted(r.collect())[-max(n, 1) :]",
    "with their ranks": "return [(i, x) for i, x in enumerate(sorted(r.collect()), start=1)]",
    "the gaps": (
        "total = 0\n    prev = 0\n    for x in sorted(r.collect()):\n        total += abs(x - prev) * n\n"
        "        prev = x\n    return total"
    ),
    "a list that grows": (
        "out = []\n    for x in sorted(r.filter(lambda e: e > n).collect()):\n        out.append(x + len(out))\n"
        "    return out"
    ),
    "a list with two names": (
        "out = []\n    other = out\n    for x in sorted(r.collect()):\n        out.append(x + len(out))\n"
        "    return other"
    ),
    "in the order of Spark": "xs = r.sortBy(lambda x: -x).collect()\n    return xs[len(xs) // 2] if xs else 0",
    "of the largest": "xs = r.top(3)\n    return xs[-1] if xs else n",
    "a number beside": "c = r.count()\n    xs = sorted(r.collect())\n    return xs[c // 3] if xs else c",
    "the first, reversed": "xs = sorted(r.collect())[:3]\n    xs.reverse()\n    return xs",
    "an answer before": "if r.isEmpty():\n        return n\n    xs = sorted(r.collect())\n    return xs[len(xs) // 2]",
    "a dictionary": (
        "d = r.map(lambda x: (x % 3, x)).reduceByKey(max).collectAsMap()\n    out = 0\n"
        "    for k in sorted(d):\n        out = out * 10 + d[k]\n    return out"
    ),
    "a helper": (
        "def middle(xs):\n        return xs[len(xs) // 2]\n    xs = sorted(r.collect())\n"
        "    return middle(xs) if xs else n"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{HEADER}    {body}"
    program = read(text)
    function = load(text.replace(".collect()", ".collect().elements"))
    assert any(map(name_of, subterms(program.program.expression)))
    generator = random.Random(5)
    for _ in range(20):
        numbers = [generator.randint(-4, 9) for _ in range(generator.randint(0, 6))]
        arguments = [numbers, generator.randint(-2, 4)]
        meant = as_python(run_by_terms(program, arguments), program.result_type)
        assert repr(meant) == repr(run_by_python(function, arguments))


REFUSED = {
    "the first of no order": "xs = r.collect()\n    return xs[0]",
    "a slice of no order": "out = []\n    for x in r.collect():\n        out.append(x)\n    return out[:2]",
    "ties": "xs = r.map(lambda x: (x, x % 2)).sortBy(lambda p: p[1]).collect()\n    return xs[len(xs) // 2]",
    "an action on what the rest computes": (
        "out = []\n    for i in range(n):\n        out.append(r.filter(lambda x: x > i).count())\n    return out"
    ),
    "an RDD": "xs = sorted(r.collect())\n    return r.filter(lambda x: x > xs[len(xs) // 2])",
    "effects": "xs = sorted(r.collect())\n    open('log', 'w').write(str(xs[len(xs) // 2]))\n    return xs",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(body: str, read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError):
        read(f"{HEADER}    {body}")


def test_another_function_of_this_name_is_not_sorted(read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError, match="must be constant"):
        read(f"def sorted(xs): return [3, 4]\n{HEADER}    xs = r.collect()\n    xs.sort()\n    return xs[len(xs) // 2]")


def test_an_index_that_is_not_there_has_no_value(read: Callable[..., SourceProgram]) -> None:
    program = read(f"{HEADER}    xs = sorted(r.collect())\n    return xs[n + 1]")
    with pytest.raises(FunctionError):
        run_by_terms(program, [[1], 1])


PAIRS = {
    "one text": (
        "xs = sorted(r.filter(lambda x: x > 3).collect())\n    return xs[len(xs) // 2]",
        "ys = sorted(r.filter(lambda x: x >= 4).collect())\n    return ys[len(ys) // 2]",
        "equivalent",
    ),
    "other elements": (
        "xs = sorted(r.filter(lambda x: x > 3).collect())\n    return xs[len(xs) // 2] if xs else 0",
        "xs = sorted(r.filter(lambda x: x > 4).collect())\n    return xs[len(xs) // 2] if xs else 0",
        "inequivalent",
    ),
    "each once": (
        "xs = sorted(r.collect())\n    return xs[len(xs) // 2] if xs else 0",
        "xs = sorted(r.distinct().collect())\n    return xs[len(xs) // 2] if xs else 0",
        "inequivalent",
    ),
    "the other way": (
        "xs = r.sortBy(lambda x: x).collect()\n    return xs[len(xs) // 2] if xs else 0",
        "xs = r.sortBy(lambda x: -x).collect()\n    return xs[len(xs) // 2] if xs else 0",
        "inequivalent",
    ),
    "one too far": (
        "xs = sorted(r.collect())\n    return xs[len(xs) // 2] if len(xs) > 2 else 0",
        "xs = sorted(r.collect())\n    return xs[len(xs) // 2] if len(xs) >= 2 else 0",
        "inequivalent",
    ),
    "what is called before": (
        "xs = sorted(r.collect())\n    c = r.count()\n    return xs[c // 2] if xs else 0",
        "xs = sorted(r.collect())\n    c = r.filter(lambda x: x).count()\n    return xs[c // 2] if xs else 0",
        "inequivalent",
    ),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_are_decided(pair: str, tmp_path: Path) -> None:
    left, right, expected = PAIRS[pair]
    path = tmp_path / "jobs.py"
    header = "(r: RDD[int], n: int):\n    "
    path.write_text(f"from pyspark import RDD\ndef f{header}{left}\ndef g{header}{right}\n")
    verdict = check(f"{path}:f", f"{path}:g")
    assert str(verdict.verdict) == expected
    if expected == "equivalent":
        assert "no expression raises an error" in verdict.assumptions


def test_a_method_that_needs_values_of_pure_code_says_so(tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(
        "from pyspark import RDD\n"
        "def f(r: RDD[tuple[int, int]]) -> list[tuple[int, int]]:\n"
        "    result, balance = [], 0\n"
        "    for day, cents in r.reduceByKey(lambda a, b: a + b).sortByKey().collect():\n"
        "        balance += cents\n"
        "        result.append((day, balance))\n"
        "    return result\n"
        "def g(r: RDD[tuple[int, int]]) -> list[tuple[int, int]]:\n"
        "    rows = r.collect()\n"
        "    return [(d, sum(c for day, c in rows if day <= d)) for d in sorted({d for d, _ in rows})]\n"
    )
    verdict = check(f"{path}:f", f"{path}:g")
    assert str(verdict.verdict) == "unknown"
    assert not any("report it" in reason for reason in verdict.reasons.values())


MIXED = {
    "the same": ("sorted(x for x in r.collect() if x > n)", "equivalent or unknown"),
    "not the same": ("sorted(x for x in r.collect() if x >= n)", "inequivalent"),
    "the other way": ("sorted((x for x in r.collect() if x > n), reverse=True)", "inequivalent"),
}


@pytest.mark.parametrize("name", MIXED)
def test_lists_that_are_read_in_full_are_compared_with_those_by_name(name: str, tmp_path: Path) -> None:
    listed, expected = MIXED[name]
    path = tmp_path / "jobs.py"
    named = "xs = sorted(r.collect())\n    return [x for i, x in enumerate(xs) if xs[i] > n]"
    header = "(r: RDD[int], n: int):\n    "
    path.write_text(f"from pyspark import RDD\ndef f{header}return {listed}\ndef g{header}{named}\n")
    for left, right in ("fg", "gf"):
        verdict = check(f"{path}:{left}", f"{path}:{right}")
        assert str(verdict.verdict) in expected.split(" or ")
        if verdict.certificate is not None:
            programs = comparison(read_program(f"{path}:{left}"), read_program(f"{path}:{right}"), False, "spark")
            assert audit(verdict.certificate, programs.programs, "spark").accepted


def test_lists_are_in_an_order_on_spark_however_they_are_read(tmp_path: Path, replayer: SparkReplayer) -> None:
    bodies = {
        "full": "return sorted(r.collect())",
        "named": "xs = sorted(r.collect())\n    return [x for i, x in enumerate(xs) if xs[i] == x]",
        "down": "xs = sorted(r.collect(), reverse=True)\n    return [x for i, x in enumerate(xs) if xs[i] == x]",
    }
    path = tmp_path / "jobs.py"
    functions = (f"def {name}(r: RDD[int]):\n    {body}\n" for name, body in bodies.items())
    path.write_text("from pyspark import RDD\n" + "".join(functions))
    for left, right in (("full", "down"), ("down", "full"), ("named", "down"), ("down", "named")):
        verdict = check(f"{path}:{left}", f"{path}:{right}", replay="spark", replayer=replayer)
        assert str(verdict.verdict) == "inequivalent"
        assert verdict.counterexample is not None
        assert verdict.counterexample.replayed_on == ("reference", "spark")
