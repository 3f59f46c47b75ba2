"""What people know of Hypothesis works for a property as for any of its tests: each of these runs pytest on a file.

Where the environment variable CI is set, Hypothesis loads a profile of its own: no database, the same cases each time.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap

import pytest

HEAD = """
from hypothesis import HealthCheck, Phase, event, example, note, seed, settings
from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, bind, for_all_streams, for_each_record, now

numbers = batches.always(batches.of_n_to_m(0, 3, st.integers(0, 10**6)), 2)


def identity(stream):
    return stream.map(lambda n: n)


def watched(batch):
    with open("cases.txt", "a") as file:
        print(sorted(batch), file=file)
    return True


seen = always(at("input", watched, name="watched")).during(2)
small = seen & always(at("output", for_each_record(lambda n: n < 1000), name="small")).during(2)
"""


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["here", "as on CI"])
def ci(request):
    return request.param


@pytest.fixture
def run(tmp_path, ci):
    """Return a function that runs pytest on a file and returns what it prints, its status, and the cases it tried."""

    def run_file(body, *options):
        (tmp_path / "test_it.py").write_text(HEAD + body, encoding="utf-8")
        (tmp_path / "cases.txt").write_text("", encoding="utf-8")
        names = {"CI", "TF_BUILD", "GITHUB_ACTIONS", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"}
        clean = {name: value for name, value in os.environ.items() if name not in names}
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", *options, "test_it.py"],
            cwd=tmp_path,
            env={**clean, "CI": "true"} if ci else clean,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return ran.stdout + ran.stderr, ran.returncode, (tmp_path / "cases.txt").read_text().splitlines()

    return run_file


PASSING = """
@for_all_streams(numbers)(identity)
def test_it():
    return seen
"""
FAILING = """
@for_all_streams(numbers)(identity)
def test_it():
    return small
"""


def test_a_seed_on_the_command_line_gives_the_same_cases(run):
    _, status, first = run(PASSING, "--hypothesis-seed=7")
    _, _, again = run(PASSING, "--hypothesis-seed=7")
    _, _, other = run(PASSING, "--hypothesis-seed=8")
    assert status == 0
    assert first == again != other
    assert len(first) == 200, "100 cases of two batches"


def test_a_seed_on_the_command_line_is_the_one_to_repeat(run):
    printed, status, _ = run(FAILING, "--hypothesis-seed=7")
    assert status == 1
    assert "To repeat: seed=7" in printed
    assert "@example(case=[[1000]])" in printed


def test_without_a_seed_cases_differ_but_for_ci(run, ci):
    _, _, first = run(PASSING)
    _, _, again = run(PASSING)
    assert (first == again) is ci


def test_the_last_failure_is_tried_first(run, ci):
    """On CI there is no database, and the same cases are made again."""
    _, status, first = run(FAILING)
    printed, again_status, again = run(FAILING)
    assert (status, again_status) == (1, 1)
    assert "@example(case=[[1000]])" in printed
    if ci:
        assert first == again
    else:
        assert again[0] == "[1000]"
        assert len(again) < len(first)


def test_a_seed_of_the_property_leaves_the_database_alone(run, ci, tmp_path):
    seeded = FAILING.replace("numbers)(identity)", "numbers, seed=3)(identity)")
    _, _, first = run(seeded)
    _, _, again = run(seeded)
    assert first == again
    stored = [path for path in (tmp_path / ".hypothesis" / "examples").rglob("*") if path.is_file()]
    assert stored == []


def test_examples_come_first_and_may_fail(run):
    explicit = FAILING.replace("@for_all", "@example(case=((5,), (7, 6)))\n@for_all")
    _, _, cases = run(explicit.replace("return small", "return seen"))
    assert cases[:2] == ["[5]", "[6, 7]"]
    printed, status, cases = run(explicit.replace("7, 6", "2000, 1"))
    assert status == 1
    assert set(cases) == {"[5]", "[1, 2000]"}, "an example is not shrunk"
    assert "@example(case=[[5], [2000, 1]])" in printed
    assert "small] is false: output = [2000, 1]" in " ".join(printed.split())


def test_the_case_of_a_report_fails_again_where_it_is_pasted(run):
    printed, _, _ = run(FAILING)
    said = re.search(
        r"to be put above test_it:\n(.*?)To repeat", re.sub(r"^E ?", "", printed, flags=re.MULTILINE), re.DOTALL
    )
    assert said is not None
    pasted = textwrap.dedent(said[1])
    printed, status, cases = run(FAILING.replace("@for_all", f"{pasted.strip()}\n@for_all"))
    assert status == 1
    assert set(cases) == {"[1000]"}
    assert "1 falsified of 1 cases" in printed


NOTED = """
def noted(batch):
    note(f"the sum is {sum(batch)}")
    event("empty" if not batch else "not empty")
    return sum(batch) < 10


@for_all_streams(numbers)(identity)
def test_it():
    return always(at("output", noted)).during(2)
"""


def test_notes_are_shown_with_the_failure(run):
    printed, status, _ = run(NOTED)
    assert status == 1
    assert re.search(r"^E +the sum is 10$", printed, re.MULTILINE)
    assert "@example(case=[[10]])" in printed
    assert "Falsifying" not in printed
    assert "reproduce_failure" not in printed


def test_events_and_verdicts_are_in_the_statistics(run):
    printed, status, _ = run(NOTED.replace("< 10", "< 10**9"), "--hypothesis-show-statistics")
    assert status == 0
    for what in ("empty", "not empty", "the case is passed"):
        assert re.search(rf"\d+\.\d+%, {what}\n", printed)
    assert "100 passing" in printed


def test_settings_and_profiles_are_obeyed(run, tmp_path):
    _, _, cases = run(PASSING.replace("@for_all", "@settings(max_examples=6)\n@for_all"))
    assert len(cases) == 12
    profile = 'from hypothesis import settings\nsettings.register_profile("few", max_examples=4)\n'
    (tmp_path / "conftest.py").write_text(profile, encoding="utf-8")
    _, _, cases = run(PASSING, "--hypothesis-profile=few")
    assert len(cases) == 8
    _, _, cases = run(PASSING.replace("numbers)(", "numbers, examples=3)("))
    assert len(cases) == 6


def test_a_seed_in_a_decorator_is_obeyed(run):
    seeded = FAILING.replace("@for_all", "@seed(11)\n@for_all")
    printed, _, first = run(seeded)
    assert "To repeat: seed=11" in printed
    unshrunk = seeded.replace("@seed", "@settings(phases=[Phase.generate])\n@seed")
    _, _, again = run(unshrunk)
    assert again[0] == first[0] or first[0] == "[1000]", "the failure that was kept comes first"
