"""Characters of texts, and lists of unknown length of which certain constants are taken, mean what Python computes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
from collections import Counter
VOWELS = "aei"
def letters(word):
    for c in word:
        if c.isalpha():
            yield c.lower(), 1
def pair(word):
    try:
        a, b = list(word)
    except ValueError:
        return word, ""
    return b, a
"""
BODIES = (
    "s.flatMap(list)",
    "s.flatMap(lambda t: t)",
    "s.flatMap(set)",
    "s.flatMap(tuple)",
    "s.flatMap(lambda t: [c for c in t.lower() if c.isalpha()])",
    "s.flatMap(lambda t: [c + 'x' for c in t if c != 'a'])",
    "s.flatMap(letters).groupByKey().mapValues(sum)",
    "s.map(pair)",
    "s.map(lambda t: (t, t)).flatMapValues(list)",
    "s.flatMap(lambda t: Counter(t).items())",
    "s.map(lambda t: (len(list(t)), len(set(t)), list(t).count('a'), list(t).count('ab')))",
    "s.map(lambda t: ('a' in list(t), 'ab' in list(t), '' in list(t), t in set(t)))",
    "s.filter(bool).map(lambda t: (list(t)[0], list(t)[-1]))",
    "s.map(lambda t: sum(1 for c in t if c in 'aei'))",
    "s.map(lambda t: sum(1 for c in t if c in VOWELS or c == 'b'))",
    "s.map(lambda t: sum(c in 'aei' for c in t))",
    "s.map(lambda t: sum(c in 'aa' for c in set(t)))",
    "s.map(lambda t: sum(len(c) for c in t if c in ('a', 'b', 'ab', 'a')))",
    "s.map(lambda t: (any(c in 'ab' for c in t), any(c == ',' for c in t), any(c in '' for c in t)))",
    "s.map(lambda t: len([c for c in t if c == 'a' or c in 'ba']))",
    "s.map(lambda t: sum(1 for w in t.split() if w in ('a', 'b')))",
    "s.map(lambda t: any(w == 'ab' for w in t.split(',')))",
    "s.map(lambda t: len([w for w in t.split(',') if w == 'a' or w == '']))",
)


@pytest.mark.parametrize("body", BODIES)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text("ab eΣİß,\n", max_size=6), max_size=4))
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram], texts: list[str]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[str]'): return {body}"
    assert same(run_by_terms(read(text), [texts]), run_by_python(load(text), [texts]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.map(lambda t: sum(1 for c in t if c.isdigit()))", "a list of unknown length"),
        ("s.map(lambda t: sum(1 for c in t if c != 'a'))", "a list of unknown length"),
        ("s.map(lambda t: sum(int(c) for c in t if c in '12'))", "a list of unknown length"),
        ("s.map(lambda t: sum(1 for w in t.split() if w in 'ab'))", "a list of unknown length"),
        ("s.map(lambda t: len([c for c in t if c in t]))", "a list of unknown length"),
        ("s.map(lambda t: list(set(t))[0])", "no order that is fixed"),
        ("s.map(lambda t: ''.join(sorted(t)))", "of type str"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: 'RDD[str]'): return {body}")


def vowels(s):
    return s.map(lambda t: sum(1 for c in t if c in "aei"))


def vowels_counted(s):
    return s.map(lambda t: sum(t.count(v) for v in "aei"))


def vowels_found(s):
    return s.map(lambda t: sum(v in t for v in "aei"))


def spelled(s):
    return s.flatMap(list).distinct()


def spelled_once(s):
    return s.flatMap(set).distinct()


def spelled_lower(s):
    return s.flatMap(lambda t: t.lower()).distinct()


@pytest.mark.parametrize(
    ("before", "after", "answer"),
    [
        (vowels, vowels_counted, "equivalent"),
        (vowels, vowels_found, "inequivalent"),
        (spelled, spelled_lower, "inequivalent"),
    ],
)
def test_refactorings_are_told_apart(before: Callable[..., object], after: Callable[..., object], answer: str) -> None:
    assert check(before, after, types="s: RDD[str]").verdict.value == answer


def test_sets_of_characters_are_not_told_apart_wrongly() -> None:
    assert check(spelled, spelled_once, types="s: RDD[str]").verdict.value != "inequivalent"
