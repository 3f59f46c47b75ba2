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


@pytest.mark.parametrize("change", ["u = max(T, U)\nu.append(3)", "u = T\nu.append(3)", "f(T)", "f({'a': T})"])
def test_a_list_that_gets_another_name_is_refused(change: str, refusal: Callable[..., str]) -> None:
    text = f"T = [1, 2]\nU = [3]\n\ndef p(r: 'RDD[int]'):\n    return r.filter(lambda x: x in T)\n\n{change}\n"
    assert "`T` is a list, which other code in jobs.py may change" in refusal(text)
