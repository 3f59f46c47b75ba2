"""Functions of Python's by their names: regular expressions have Python's values, and none that takes too long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core import functions
from tallystick.core.errors import BudgetError, EvaluationError
from tallystick.core.functions import FUNCTIONS, LISTS, FunctionError
from tallystick.core.types import BOOL, INT, TEXT
from tallystick.core.work import Work, limited

SLOW = (
    r"(a+)+$",
    r"(a|a)*b",
    r"(?:a+)+",
    r"(?=(a+))\1+",
    r"(?x)(a+) +b",
    r"(?P<g>a+)(?P=g)+b",
    r"(a{1,50}){1,50}b",
    r"(?<=a)b",
    r"(?i:a+)b",
    r"a(?#)*",
    r"(a+){3}",
)
LONG = (r"a*a*a*a*a*a*b", r"a+a+a+a+a+a+x", r"[[^a]*a[[^a]*a[[^a]*a[[^a]*a[[^a]*b", r"a ?a*a ?a*a ?a*a*b")
"""Of polynomial time, with so many choices that the work is more than an audit may do."""
FREE = (
    "(|)" * 60 + "x",
    "(a*|b*)" * 28,
    "(|a)?" * 39 + "x",
    "(?:a?|b?)" * 22,
    "((|)|(|))" * 20 + "x",
    "(a|)" * 49 + "x",
)
"""Of exponential time on a text of one letter: what they choose may take no letter at all."""
PATTERNS = (
    r"\w+",
    r"(\d+)-(\d+)?",
    r"^(\S+) \S+ \[([^\]]+)\] \"(\S+)",
    r"[,;]\s*",
    r"(?i)[a-f]+",
    r"a|b|",
    r"(?P<key>\w+)=(?P<value>[^;]*);?",
    r"",
    r"\b",
    r".*?,",
)


def spent(name: str, *arguments: object) -> tuple[object, int]:
    """The value of a function, or the exception, and the steps of work that it takes."""
    function = FUNCTIONS[name]
    work = Work(3_000_000, 3_000_000)
    try:
        with limited(work):
            value = functions.apply(name, function.takes or (), function.gives, arguments)
    except EvaluationError as error:
        value = error
    return value, 3_000_000 - work.steps


@pytest.mark.parametrize("pattern", SLOW)
@pytest.mark.parametrize("how", ["match", "search", "fullmatch"])
def test_patterns_that_may_take_exponential_time_have_no_value(pattern: str, how: str) -> None:
    for name in ("re.group", "re.group has a value"):
        value, _ = spent(name, how, pattern, "a" * 60 + "!", 0)
        assert isinstance(value, FunctionError)


@pytest.mark.filterwarnings("ignore:Possible nested set")
@pytest.mark.parametrize(("pattern", "text"), [*((each, "a" * 200) for each in LONG), *((each, "y") for each in FREE)])
def test_patterns_with_too_many_choices_are_stopped_by_the_budget_before_they_run(pattern: str, text: str) -> None:
    before = time.process_time()
    value, steps = spent("re.group", "search", pattern, text, 0)
    assert isinstance(value, EvaluationError)
    assert steps > 3_000_000
    assert time.process_time() - before < 5
    work = Work(3_000_000, 3_000_000)
    arguments = ["search", pattern, text, 0]
    with limited(work), pytest.raises(EvaluationError):
        functions.apply("re.group has a value", (TEXT, TEXT, TEXT, INT), BOOL, arguments)
    with pytest.raises(BudgetError):
        work.spend(1)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("re.sub", ("a", "b", "a" * 201)),
        ("re.sub", ("a", "b" * 201, "a" * 60)),
        ("re.sub", ("(a+)", r"\1" * 90, "a" * 100)),
        ("re.findall", ("a", "a" * 201)),
        ("re.findall", ("(a)(b)", "ab")),
        ("re.split", ("(a)", "bab")),
        ("re.sub", ("[", "", "a")),
        ("re.sub", ("a", r"\9", "a")),
        ("re.group", ("finditer", "a", "a", 0)),
        ("re.group", ("match", "a", "b", 0)),
        ("re.group", ("match", "a", "a", 1)),
        ("re.group", ("match", "(a)?b", "b", 1)),
        ("re.group", ("match", "a", "a", -1)),
    ],
)
def test_what_has_no_value_raises(name: str, arguments: tuple[object, ...]) -> None:
    value, _ = spent(name, *arguments)
    assert isinstance(value, FunctionError)


@given(
    st.sampled_from(PATTERNS), st.text('ab=;,-1 ]"[\nA', max_size=12), st.sampled_from(["match", "search", "fullmatch"])
)
def test_patterns_have_pythons_values(pattern: str, text: str, how: str) -> None:
    found = getattr(re, how)(pattern, text)
    for number in range(re.compile(pattern).groups + 1):
        value, _ = spent("re.group", how, pattern, text, number)
        expected = found and found[number]
        assert isinstance(value, FunctionError) if expected is None else value == expected
        assert spent("re.group has a value", how, pattern, text, number)[0] is (expected is not None)
    assert spent("re.sub", pattern, "<>", text)[0] == re.sub(pattern, "<>", text)
    for name in ("findall", "split"):
        if re.compile(pattern).groups <= (name == "findall"):
            items = getattr(re, name)(pattern, text)
            assert functions.items(f"re.{name}", TEXT, (TEXT, TEXT), (pattern, text)) == items


@given(st.text("ab ,", max_size=9))
def test_lists_sets_and_counts_go_together(text: str) -> None:
    for name, arguments in (("words", (text,)), ("pieces", (text, ",", -1)), ("re.findall", ("[ab]+", text))):
        item, takes, _ = LISTS[name]
        items = functions.items(name, TEXT, takes, arguments)
        assert spent(name, *arguments)[0] == len(items)
        assert [spent(item, *arguments, index)[0] for index in range(len(items))] == items
        assert functions.items(f"set of {name}", TEXT, takes, arguments) == sorted(set(items))
        assert spent(f"set of {name}", *arguments)[0] == len(set(items))
        for each in {*items, "other"}:
            assert spent(f"count in {name}", each, *arguments)[0] == items.count(each)
