"""The functions of the corpus and their refactorings: each that is read means what Python computes on random inputs."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from pyspark import RDD
from tallystick.certificates.refuting import listed
from tallystick.core.functions import FunctionError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.types import BagType, Type
from tallystick.frontends.pyspark import SourceError, SourceProgram
from tallystick.frontends.pyspark.named_functions.coding import canonical_code
from tallystick.frontends.pyspark.named_functions.inputs import coded_types_in
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.options import core_value, is_option, python_value
from tallystick.frontends.rdd import read_program
from tallystick.replay.record_inputs import plain

from .local_rdd import LocalRDD

FILES = sorted((Path(__file__).parents[1] / "corpus").glob("*.py"))


class Inputs:
    """Random values of types, made of few of each, so that keys meet and items repeat."""

    def __init__(self, tree: ast.Module, choices: random.Random) -> None:
        constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = sorted({each for each in constants if isinstance(each, str) and len(each) < 20})
        numbers = sorted({each for each in constants if type(each) is int and abs(each) < 10**9})
        near = [number + step for number in numbers for step in (-1, 0, 1)]
        self.choices = choices
        self.texts = choices.choices(["a", "b", "", "a b", *texts], k=4)
        self.numbers = choices.choices([0, 1, 2, 3, -1, *near], k=5)
        self.days = [date(2024, 2, 27) + timedelta(days=choices.choice([0, 1, 3, 7, 40])) for _ in range(3)]

    def value(self, of: Any) -> Any:
        """A value of an annotated type; raises LookupError for types that are not made here."""
        choose, parts = self.choices.choice, get_args(of)
        if get_origin(of) is RDD:
            return LocalRDD(self.value(parts[0]) for _ in range(choose([0, 1, 2, 3, 5, 8])))
        if get_origin(of) is tuple and Ellipsis not in parts:
            return tuple(map(self.value, parts))
        if get_origin(of) in (list, set, tuple):
            return get_origin(of)(self.value(parts[0]) for _ in range(choose([0, 1, 2, 3])))
        if get_origin(of) is dict:
            return {self.value(parts[0]): self.value(parts[1]) for _ in range(choose([0, 1, 2, 3]))}
        if get_origin(of) in (Union, UnionType):
            (inner,) = (part for part in parts if part is not NoneType)
            return None if choose([True, False, False]) else self.value(inner)
        if isinstance(of, type) and issubclass(of, Enum):
            return choose(list(of))
        if is_dataclass(of) or hasattr(of, "_fields"):
            types = get_type_hints(of)
            names = [each.name for each in fields(of)] if is_dataclass(of) else of._fields
            return of(*(self.value(types[name]) for name in names))
        if is_typeddict(of):
            return {name: self.value(part) for name, part in get_type_hints(of).items()}
        return self.scalar(of)

    def scalar(self, of: Any) -> Any:
        choose = self.choices.choice
        made: dict[Any, Callable[[], Any]] = {
            str: lambda: choose(self.texts),
            int: lambda: choose(self.numbers),
            bool: lambda: choose([True, False]),
            float: lambda: choose(self.numbers) / choose([1, 2, 4]),
            Decimal: lambda: Decimal(choose(self.numbers)) / choose([1, 2, 4]),
            Fraction: lambda: Fraction(choose(self.numbers), choose([1, 2, 4])),
            date: lambda: choose(self.days),
            datetime: lambda: datetime(2024, 2, choose([1, 28, 29]), choose([0, 8, 23]), choose([0, 59])),
        }
        return made[of]()


def rounded(value: Any) -> Any:
    """A value of the core, with numbers as rounded floats."""
    if isinstance(value, tuple | list):
        return tuple(map(rounded, value))
    return value if isinstance(value, bool | str | None) else round(float(value), 6)


def shown(value: Any) -> Any:
    """A value of Python as `rounded` shows that of the core."""
    return rounded(tuple(map(plain, value)) if isinstance(value, list) else plain(value))


def groups_apart(elements: Any) -> Iterator[Any]:
    """Pairs of a key and a list or set as the pairs of the key and each item."""
    for each in elements:
        if isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], list | set | frozenset):
            yield from ((each[0], item) for item in each[1])
        else:
            yield each


def equal_results(read: SourceProgram, meant: Any, computed: Any) -> bool:
    """Whether what a program means is what Python computed; lists whose order is open are compared as bags."""
    elements = computed.elements if isinstance(computed, LocalRDD) else computed
    if read.returns == "list":
        items, ties = listed(meant)
        one, other = list(map(rounded, python_value(items))), list(map(shown, elements))
        if ties and any(order[0] >= 0 for order, _ in meant):
            return len(one) == len(other)
        return Counter(one) == Counter(other) if ties else one == other
    of = read.result_type.element if isinstance(read.result_type, BagType) else None
    if of is not None and isinstance(meant, dict) and any(coded_types_in(of)):
        found = [as_python(each, of) for each, count in python_value(meant).items() for _ in range(count)]
        return Counter(map(repr, found)) == Counter(map(repr, elements))
    if isinstance(meant, dict):
        items = elements.items() if isinstance(elements, dict) else groups_apart(elements)
        expected = Counter[Any]()
        for each, count in python_value(meant).items():
            expected[rounded(each)] += count
        return Counter(map(shown, items)) == expected
    if isinstance(read.result_type, CodedType):
        return repr(as_python(python_value(meant), read.result_type)) == repr(computed)
    return rounded(python_value(meant)) == shown(float(computed) if isinstance(meant, Fraction) else computed)


def given(of: Type, value: Any) -> Any:
    """An input as core programs have it, with the codes of lists, sets and dicts."""
    if isinstance(of, BagType) and isinstance(value, LocalRDD):
        return bag_of([given(of.element, each) for each in value.elements])
    if isinstance(of, CodedType):
        return (canonical_code(pure_type(of, {}), pure(value)),)
    if not any(coded_types_in(of)) or value is None:
        return plain(value)
    if is_option(of):
        return given(of.components[1], value)  # type: ignore[union-attr]
    parts = [getattr(value, each.name) for each in fields(value)] if is_dataclass(value) else value
    return tuple(map(given, of.components, parts))  # type: ignore[union-attr]


def pure(value: Any) -> Any:
    """A value as pure code has it: without classes of records and of numbers."""
    match value:
        case float() | Decimal():
            return Fraction(value)
        case list() | set():
            return type(value)(map(pure, value))
        case dict():
            return {pure(key): pure(each) for key, each in value.items()}
        case tuple():
            return tuple(map(pure, value))
    return tuple(pure(getattr(value, each.name)) for each in fields(value)) if is_dataclass(value) else value


def meant_by_terms(read: SourceProgram, arguments: list[Any]) -> Any:
    """The value of the core program; raises FunctionError where the program raises."""
    values = {}
    for name, of, value in zip(read.program.parameters, read.declared, arguments, strict=True):
        values[name] = core_value(given(of, value), name.type)
    result: Any = evaluate(read.program.expression, values)
    if read.may_raise and not result[0]:
        raise FunctionError("the program raises")
    return result[1] if read.may_raise else result


def module_of(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"corpus_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where annotations are looked up
    spec.loader.exec_module(module)
    return module


def compare(path: Path, rounds: int) -> Counter[str]:
    """How many evaluations of the functions of a file agreed, and how many said nothing; one that differs fails."""
    module, tree, tally = module_of(path), ast.parse(path.read_text()), Counter[str]()
    for name in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]:
        function = getattr(module, name)
        types = {key: of for key, of in get_type_hints(function).items() if key != "return"}
        try:
            read = read_program(f"{path}:{name}")
        except SourceError:
            continue
        if list(types) != list(inspect.signature(function).parameters) or len(types) != len(read.program.parameters):
            continue  # it takes a SparkContext
        for number in range(rounds):
            inputs = Inputs(tree, random.Random(f"{path.stem} {name} {number}"))
            tally[outcome(read, function, [inputs.value(of) for of in types.values()])] += 1
    return tally


def outcome(read: SourceProgram, function: Callable[..., Any], arguments: list[Any]) -> str:
    try:
        computed = function(*arguments)
    except (ArithmeticError, AssertionError, LookupError, ValueError, TypeError, AttributeError):
        return "raises"  # or a method that the stand-in does not have
    try:
        meant = meant_by_terms(read, arguments)
    except FunctionError:
        return "no value"  # where a term is computed that Python does not compute
    given = [each.elements if isinstance(each, LocalRDD) else each for each in arguments]
    assert equal_results(read, meant, computed), (read.function_name, given, computed, python_value(meant))
    return "agrees"


@pytest.mark.parametrize("path", FILES[::3], ids=lambda path: path.stem)
def test_a_function_that_is_read_means_what_python_computes(path: Path) -> None:
    """Of each third file, on ten inputs; below of all, on hundreds."""
    tally = compare(path, 10)
    assert tally["agrees"] > sum(tally.values()) / 2


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_on_many_inputs(path: Path) -> None:
    compare(path, 300)
