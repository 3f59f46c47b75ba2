"""Programs with parts exchanged at random: each is refused, or means what Python computes."""

from __future__ import annotations

import ast
import copy
import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.functions import FunctionError
from tallystick.core.types import BOOL, BagType, TupleType, Type
from tallystick.frontends.pyspark import SourceError
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.options import NONE, is_option
from tallystick.validation import that_counts

from .local_rdd import RAISED, load, run_by_python, run_by_terms, same
from .test_accepted import ACCEPTED
from .test_refused import cases


def parsed(text: str) -> list[ast.Module]:
    """The tree of a text, unless it is no Python or might run for ever."""
    try:
        tree = ast.parse("from __future__ import annotations\n" + dedent(text))
    except SyntaxError:
        return []
    return [] if any(isinstance(node, ast.While | ast.With) for node in ast.walk(tree)) else [tree]


GOOD = [tree for source, _ in ACCEPTED.values() for tree in parsed(source)]
POOL = GOOD + [tree for source, _ in cases().values() for tree in parsed(source)]


def mutated(choices: random.Random, edits: int) -> str:
    """The text of an accepted program in which expressions or statements are replaced by some of any program."""
    tree = ast.parse(ast.unparse(choices.choice(GOOD)))
    kinds = ast.expr if choices.random() < 0.8 else ast.stmt
    for _ in range(edits):
        places = [
            (node, name, index)
            for node in ast.walk(tree)
            for name, value in ast.iter_fields(node)
            for index, each in enumerate(value if isinstance(value, list) else [value])
            if isinstance(each, kinds) and not isinstance(node, ast.arg | ast.ImportFrom)
        ]
        near = tree if choices.random() < 0.5 else choices.choice(POOL)
        others = [node for node in ast.walk(near) if isinstance(node, kinds)]
        if places and others:
            node, name, index = choices.choice(places)
            value = getattr(node, name)
            other = copy.deepcopy(choices.choice(others))  # so that no node comes to stand inside itself
            if isinstance(value, list):
                value[index] = other
            else:
                setattr(node, name, other)
            tree = ast.parse(ast.unparse(tree))
    return ast.unparse(tree)


def value_of(of: Type, choices: random.Random) -> Any:
    """A small value; an RDD's value is a list."""
    match of:
        case TupleType((_, value)) if is_option(of):
            return None if choices.random() < 0.3 else value_of(value, choices)
        case _ if of == NONE:
            return None
        case BagType(element):
            return [value_of(element, choices) for _ in range(choices.randrange(5))]
        case TupleType(components):
            return tuple(value_of(each, choices) for each in components)
    return choices.choice([True, False] if of == BOOL else [0, 1, 3, -5, 100])


@settings(max_examples=examples(700))
@given(st.integers(0, 2**40), st.integers(1, 3))
def test_a_mutated_program_is_refused_or_means_what_python_computes(seed: int, edits: int) -> None:
    check(seed, edits)


@pytest.mark.slow
@settings(max_examples=15_000)
@given(st.integers(0, 2**40), st.integers(1, 3))
def test_many_mutated_programs_are_refused_or_mean_what_python_computes(seed: int, edits: int) -> None:
    check(seed, edits)


def check(seed: int, edits: int) -> None:
    choices = random.Random(seed)
    try:
        text = mutated(choices, edits)
    except (SyntaxError, ValueError, RecursionError):
        return  # no program at all
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.py"
        path.write_text(text)
        try:
            read = that_counts(f"{path}:p")
        except SourceError:
            return
    try:
        function = load(text)
    except Exception:
        return  # the file itself does not run, so it has no such program
    arguments = [value_of(parameter.type, choices) for parameter in read.program.parameters]
    try:
        meant = run_by_terms(read, arguments)
    except FunctionError as problem:  # a function of Python that raises, as it must then do in Python, or a limit
        if "LimitError" in str(problem):
            return
        with suppress(ArithmeticError, LookupError, TypeError):
            assert run_by_python(function, arguments) == RAISED, text
        return
    expected = run_by_python(function, arguments)
    if isinstance(expected, list) and read.returns_record:  # a list of so many items is the tuple of these
        expected = tuple(expected)
    assert same(_with_containers(meant, read.result_type), expected), text


def _with_containers(value: Any, of: Type | None) -> Any:
    """A value with lists, sets and tuples of any length for their codes."""
    if isinstance(of, BagType) and isinstance(value, dict):
        return {_with_containers(each, of.element): count for each, count in value.items()}
    if isinstance(of, CodedType):
        return as_python(value, of)
    if type(of) is TupleType and isinstance(value, tuple) and not is_option(of):
        return tuple(map(_with_containers, value, of.components))
    return value
