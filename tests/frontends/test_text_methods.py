"""Methods of texts that proofs know nothing of mean what Python computes, and are told apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

BODIES = (
    "s.map(lambda t: (t.isascii(), t.istitle(), t.isidentifier(), t.isprintable()))",
    "s.map(lambda t: (t.ljust(4), t.rjust(3, '0'), t.center(len(t) + 3, '*')))",
    "s.map(lambda t: (t.rfind('a'), t.find('a'), t.rfind('')))",
    "s.map(lambda t: t.rpartition(','))",
    "s.map(lambda t: (t.rpartition(', ')[2], t.partition(', ')[0]))",
    "s.flatMap(lambda t: t.splitlines())",
    "s.flatMap(lambda t: t.rsplit(',', 1))",
    "s.map(lambda t: (t.rsplit(',', 1)[-1], t.rsplit(',', maxsplit=1)[0], len(t.rsplit(',', 2))))",
    "s.map(lambda t: (len(t.splitlines()), 'a' in t.splitlines(), t.rsplit(',')[-1]))",
    "s.flatMap(lambda t: set(t.splitlines()))",
    "s.map(lambda t: (t.casefold(), t.title(), t.swapcase(), t.removeprefix('a'), t.removesuffix('b'), t.zfill(3)))",
)


@pytest.mark.parametrize("body", BODIES)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text("ab1 Σİß,\n\r", max_size=6), max_size=4))
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram], texts: list[str]) -> None:
    text = f"def p(s: 'RDD[str]'): return {body}"
    assert same(run_by_terms(read(text), [texts]), run_by_python(load(text), [texts]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.map(lambda t: t.ljust(3, '--'))", "must be one constant character"),
        ("s.map(lambda t: t.ljust(3, t))", "must be one constant character"),
        ("s.map(lambda t: t.rpartition(t))", "`rpartition` of a text is not supported"),
        ("s.map(lambda t: t.rsplit(t, 1))", "the separator of `rsplit` must be constant, and not empty"),
        ("s.map(lambda t: t.rsplit(None, 1))", "is of type None"),
        ("s.map(lambda t: t.splitlines(True))", "`splitlines` of a text is not supported"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: 'RDD[str]'): return {body}")


PAIRS = {
    "found from the end": ("t.rfind('a')", "t.find('a')", "inequivalent"),
    "split from the end": ("t.rsplit(',', 1)[0]", "t.split(',', 1)[0]", "inequivalent"),
    "split everywhere": ("t.rsplit(',')[0]", "t.split(',')[0]", "equivalent"),
    "nothing found": ("t.rpartition(',')[0]", "t.partition(',')[0]", "inequivalent"),
    "on the other side": ("t.ljust(3)", "t.rjust(3)", "inequivalent"),
    "by blanks": ("t.ljust(3)", "t.ljust(3, ' ')", "equivalent"),
    "more than ASCII": ("t.isascii() or True", "True", "equivalent"),
    "lines": ("len(t.splitlines())", "len(t.split('\\n'))", "inequivalent"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_they_are_told_apart(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = PAIRS[name]
    functions = "".join(
        f"def {f}(s: RDD[str]): return s.map(lambda t: {body})\n" for f, body in (("f", left), ("g", right))
    )
    path = write("jobs.py", f"from pyspark import RDD\n{functions}")
    assert check(f"{path}:f", f"{path}:g").verdict == answer
