"""What the suites hold, without running their programs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tallystick.core.errors import TallystickError
from tallystick.experiments import suites

CLASSES = {"NoAgg", "AggOneP", "AggOneP_sync", "AggOneB", "AggMultP", "AggOneKB", "other"}


def test_the_suites_are_listed_in_alphabetical_order():
    assert suites.names() == ["beyond", "errata", "sparklite-cav", "sparklite-tr"]


def test_an_unknown_suite_is_an_error_that_lists_the_known_ones():
    with pytest.raises(suites.UnknownSuiteError) as caught:
        suites.load("sparklite")
    assert (
        str(caught.value) == "there is no suite 'sparklite'; the suites are beyond, errata, sparklite-cav, sparklite-tr"
    )
    assert isinstance(caught.value, TallystickError)


def test_the_cav_suite_has_the_papers_23_pairs_15_of_them_equivalent():
    pairs = suites.load("sparklite-cav")
    assert Counter(pair.expected for pair in pairs) == {"equivalent": 15, "inequivalent": 8}
    assert Counter(pair.expected_class for pair in pairs) == {
        "NoAgg": 10,
        "AggOneP_sync": 8,
        "AggOneP": 2,
        "AggOneKB": 3,
    }


def test_the_report_has_19_pairs_11_of_them_equivalent():
    pairs = suites.load("sparklite-tr")
    assert [pair.name for pair in pairs] == [f"row {number}" for number in range(1, 20)]
    assert Counter(pair.expected for pair in pairs) == {"equivalent": 11, "inequivalent": 8}


def test_each_group_of_errata_has_both_verdicts():
    verdicts = Counter(pair.expected for pair in suites.load("errata"))
    assert verdicts["equivalent"] == verdicts["inequivalent"] == 15


@pytest.mark.parametrize("name", suites.names())
def test_pairs_are_complete_and_named_once(name: str):
    pairs = suites.load(name)
    assert len({pair.name for pair in pairs}) == len(pairs)
    for pair in pairs:
        assert pair.expected_class in CLASSES
        assert (pair.witness is not None) == (pair.expected == "inequivalent")
        assert len(pair.note) > 20


@pytest.mark.parametrize("name", suites.names())
def test_both_programs_of_a_pair_are_defined_where_it_says_with_the_same_annotated_parameters(name: str):
    for pair in suites.load(name):
        left, right = map(_parameters, (pair.left, pair.right))
        assert left == right
        assert any("RDD" in annotation for _, annotation in left)
        if pair.witness is not None:
            assert list(pair.witness) == [parameter for parameter, _ in left]


def _parameters(reference: str) -> list[tuple[str, str]]:
    path, _, name = reference.rpartition(":")
    (function,) = (
        node
        for node in ast.parse(Path(path).read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    return [(each.arg, ast.unparse(each.annotation)) for each in function.args.args if each.annotation]


def test_suites_are_loaded_without_pyspark():
    code = (
        "import sys; sys.modules['pyspark'] = None\n"
        "from tallystick.experiments import suites\n"
        "print(sum(len(suites.load(name)) for name in suites.names()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(result.stdout) == sum(len(suites.load(name)) for name in suites.names())
