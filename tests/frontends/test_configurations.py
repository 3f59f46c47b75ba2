"""Dictionaries of a module that hold lists and dictionaries: read, unless code of a file may change what is inside."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

TEXT = """
CONFIG = {"rates": {"standard": 19, "reduced": 7}, "excluded": ["test", "x"], "least": 5, "of": {"deep": {"n": 2}}}

def p(s: 'RDD[tuple[str, int]]'):
    rates = CONFIG["rates"]
    kept = s.filter(lambda o: o[0] not in CONFIG["excluded"] and CONFIG.get("least") < 10)
    numbers = [rate for rate in rates]
    return kept.map(lambda o: (o[1] * rates["standard"] + CONFIG["least"], CONFIG["of"]["deep"]["n"], len(numbers)))
"""


def test_parts_of_a_dictionary_are_read(read: Callable[..., SourceProgram]) -> None:
    program, function, given = read(TEXT), load(TEXT), [("a", 3), ("test", 2), ("x", 1)]
    assert same(run_by_terms(program, [given]), run_by_python(function, [given]))


CHANGES = (
    'CONFIG["excluded"].append("y")',
    'CONFIG["rates"]["standard"] = 3',
    'del CONFIG["of"]["deep"]["n"]',
    'CONFIG.get("rates").update(a=1)',
    'other = CONFIG["rates"]\nother["a"] = 1',
    'other = CONFIG["of"]\nthird = other["deep"]\nthird["n"] = 1',
    "for part in CONFIG.values(): part.clear()",
    'def g(c): c["standard"] = 3\ng(CONFIG["rates"])',
    'CONFIG["excluded"] += ["z"]',
    "print([part.clear() for key, part in CONFIG.items()])",
    'z = [CONFIG["rates"]]\nz[0]["a"] = 2',
    'CONFIG["x" if 3 else "rates"]["standard"] = 4',
    '(CONFIG["rates"] or 3).clear()',
    'a = b = CONFIG["rates"]\na.clear()',
    'if (q := CONFIG["rates"]): q.clear()',
    'u = min(CONFIG["rates"], CONFIG["rates"])\nu.clear()',
    'b = {**CONFIG}\nb["rates"].clear()',
    'def h(c=CONFIG["rates"]): c.clear()',
    'c = dict(CONFIG)\nc["rates"]["standard"] = 2',
    'import jobs\njobs.CONFIG["rates"]["a"] = 1',
    'class K:\n    c = CONFIG["rates"]\nK.c.clear()',
    'rates = CONFIG["rates"]\nrates["standard"] = 7',
    "from jobs import CONFIG as OTHER",
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_code_may_change_is_refused(change: str, refusal: Callable[..., str]) -> None:
    message = refusal(f"{TEXT}\n{change}\n")
    assert "may change" in message
    assert "CONFIG" in message


RULES = """
RULES = [{"field": 0, "least": 1}, {"field": 1, "least": 5}]
PAIRS = ({"a": 1, "of": {"b": 2}}, {"a": 2, "of": {"b": 3}})

def p(r: 'RDD[tuple[int, int]]'):
    added = PAIRS[1]["a"] + PAIRS[0]["of"]["b"] + RULES[0]["least"]
    kept = r.filter(lambda x: all(x[rule["field"]] >= rule["least"] for rule in RULES))
    return kept.map(lambda x: (x[0] + added, sum(pair["a"] for pair in PAIRS)))
"""


def test_dictionaries_in_lists_and_tuples_are_read(read: Callable[..., SourceProgram]) -> None:
    program, function, given = read(RULES), load(RULES), [(1, 5), (0, 9), (3, 4), (7, 7)]
    assert same(run_by_terms(program, [given]), run_by_python(function, [given]))


CHANGES_OF_ITEMS = (
    'for rule in RULES: rule["least"] = 3',
    'for rule in RULES:\n    other = rule\n    other["least"] = 3',
    "for rule in RULES[1:]: rule.clear()",
    'RULES[0]["least"] = 3',
    'PAIRS[1]["of"]["b"] = 3',
    '[rule.pop("least") for rule in RULES]',
    'for pair in PAIRS:\n    part = pair["of"]\n    part["b"] = 9',
    'for pair in PAIRS:\n    pair = pair["of"]\n    pair["b"] = 9',
    'for n, rule in enumerate(RULES): rule["least"] = n',
    'first, second = RULES\nfirst["least"] = 3',
    'last = RULES[-1]\nlast["least"] = 3',
    'sorted(RULES, key=len)[0]["least"] = 3',
    'copied = [*RULES]\ncopied[0]["least"] = 3',
    'copied = RULES[:]\ncopied[0]["least"] = 3',
    "def g(rules): rules[0].clear()\ng(RULES)",
    "def len(rules): rules[0].clear()\nlen(RULES)",
    "list(map(dict.clear, RULES))",
    "def g(): return [rule for rule in RULES]\ng()[0].clear()",
)


@pytest.mark.parametrize("change", CHANGES_OF_ITEMS)
def test_dictionaries_in_lists_that_code_may_change_are_refused(change: str, refusal: Callable[..., str]) -> None:
    message = refusal(f"{RULES}\n{change}\n")
    assert "may change" in message
    assert "PAIRS" in message or "RULES" in message


def test_a_name_bound_to_its_own_part_may_change_what_that_holds(refusal: Callable[..., str]) -> None:
    kept = 'r.filter(lambda x: x in C["of"]["deep"]["n"])'
    text = f'C = {{"of": {{"deep": {{"n": [1]}}}}}}\n\ndef p(r: "RDD[int]"):\n    return {kept}'
    change = 'x = C["of"]\nx = x["deep"]\nx["n"].append(2)'
    assert "may change" in refusal(f"{text}\n\n{change}\n")


@pytest.mark.parametrize("change", ["sorted(T)", "len(T)", "for x in enumerate(T): pass"])
def test_functions_with_names_of_builtins_may_change_a_list(change: str, refusal: Callable[..., str]) -> None:
    name = change.partition("(")[0].rpartition(" ")[2]
    text = f"T = [1, 2]\n\ndef {name}(xs): xs.append(3)\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x in T)"
    assert "`T` is a list, which other code in jobs.py may change" in refusal(f"{text}\n\n{change}\n")


@pytest.mark.parametrize(
    "change",
    [
        'globals()["T"].append(3)',
        'vars()["T"].append(3)',
        'locals()["T"].append(3)',
        'exec("T.append(3)")',
        'eval("T.append(3)")',
        "import sys\nsys.modules[__name__].T.append(3)",
        'all_names = globals\nall_names()["T"] = [3]',
        'p.__globals__["T"] = [3]',
    ],
)
def test_names_that_are_reached_without_naming_them_are_refused(change: str, refusal: Callable[..., str]) -> None:
    text = "T = [1, 2]\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x in T)"
    assert "this gives every name of a module" in refusal(f"{text}\n\n{change}\n")


@pytest.mark.parametrize(
    "change",
    ['import importlib\nimportlib.import_module("jobs").T = 3', "def g():\n    import jobs\n    jobs.T = 3\ng()"],
)
def test_names_of_modules_that_are_assigned_through_an_object_are_refused(
    change: str, refusal: Callable[..., str]
) -> None:
    text = "T = 1\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x == T)"
    assert "this may give `T`, which the program uses, another value" in refusal(f"{text}\n\n{change}\n")


@pytest.mark.parametrize("change", ["add.__defaults__ = (5,)", "setattr(add, '__code__', (lambda x: 1).__code__)"])
def test_functions_that_code_changes_are_refused(change: str, refusal: Callable[..., str]) -> None:
    text = "def add(x, n=1): return x + n\n\ndef p(r: 'RDD[int]'):\n    return r.map(lambda x: add(x))"
    assert "which the program uses, another value" in refusal(f"{text}\n\n{change}\n")


def test_what_runs_in_a_dictionary_of_its_own_binds_no_name(read: Callable[..., SourceProgram]) -> None:
    text = "T = 1\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x == T)\n\nmade = {}\nexec('T = 2', made)\n"
    assert read(text).program.name == "p"


@pytest.mark.parametrize("change", ["u = max(T, U)\nu.append(3)", "u = T\nu.append(3)", "f(T)", "f({'a': T})"])
def test_a_list_that_gets_another_name_is_refused(change: str, refusal: Callable[..., str]) -> None:
    text = f"T = [1, 2]\nU = [3]\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x in T)\n\n{change}\n"
    assert "`T` is a list, which other code in jobs.py may change" in refusal(text)
