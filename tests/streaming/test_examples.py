"""The paper's properties hold on the right programs and fail on the planted faults."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from sampling import sampled
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.evaluation import run_cases
from tallystick.streaming.examples import all_examples, figure_1
from tallystick.streaming.examples.hashtag_properties import example_16, example_17
from tallystick.streaming.examples.hashtags import lost_state, one_batch_late
from tallystick.streaming.reproduce import GOALS, sscheck_table
from tallystick.streaming.tables import failure_text

EXAMPLES = {example.name: example for example in all_examples()}
FAULTS = [(example.name, fault) for example in EXAMPLES.values() for fault in example.faults]
#: Their cases are small, so finding and shrinking takes a moment.
QUICK_FAULTS = [
    ("positiveNumbers", "not negative"),
    ("positiveNumbers", "absolute"),
    ("countHashtagsOk", "window too wide"),
    ("countHashtagsOk", "window too narrow"),
    ("countHashtagsOk", "lost state"),
    ("sparkTopUntilScalaTop", "least popular"),
    ("sparkTopUntilScalaTop", "every hashtag"),
]


def test_every_property_has_at_least_two_faults():
    assert all(len(example.faults) >= 2 for example in EXAMPLES.values())
    assert {example.source for example in EXAMPLES.values()} == {
        f"Example {number}" for number in (1, 3, *range(10, 19))
    }


@pytest.mark.parametrize("name", sampled(EXAMPLES, 2))
def test_a_right_program_passes(name):
    """Each second one, and all if slow; the figure below has more of them."""
    example = EXAMPLES[name]
    report = example.property_of(example.subject, seed=0).check()
    assert report.count("passed") + report.count("inconclusive") == example.cases
    assert report.count("passed") > 0


def _falsified(name, fault):
    """Run a fault; the table of the shrunk case shows in 80 columns in which batch the formula became ⊥."""
    example = EXAMPLES[name]
    report = example.property_of(example.faults[fault], seed=0, examples=60, shrink_seconds=8).run()
    assert report.failure is not None, f"{fault} was not found in {len(report.runs)} cases"
    assert report.failure.kind == "falsified"
    text = failure_text(report)
    assert "⊥" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(("name", "fault"), QUICK_FAULTS)
def test_a_planted_fault_is_found(name, fault):
    _falsified(name, fault)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_every_planted_fault_is_found_and_shrunk(name, fault):
    _falsified(name, fault)


@pytest.mark.parametrize("fault", [lost_state, one_batch_late])
def test_a_batch_that_comes_once_is_counted_once_even_by_faulty_programs(fault):
    """Example 18 with one repetition asks that no count is 0; these report no such count."""
    example = EXAMPLES["countNumRepetitions[1]"]
    assert example.property_of(fault(5), seed=0).run().holds


def test_errata_item_15_a_peak_can_tie_with_the_papers_noise():
    """Two batches of ten tweets with #z are as many as a peak of 20 with #a, and #z is the last by name."""
    example = example_17(noise=(5, 10))
    noise, peak = ("#z",) * 10, ("#a",) * 20
    case = Case({"input": (*[noise] * 4, noise + peak, *[noise] * 22)})
    (run,) = run_cases(LocalEngine(), example.subject, example.formula, [case])
    assert run.kind == "falsified"
    (calm,) = run_cases(LocalEngine(), example.subject, example.formula, [Case({"input": (*[noise] * 27,)})])
    assert calm.kind == "passed"


def test_errata_item_16_a_hashtag_in_every_batch_never_gets_to_zero():
    example = example_16(fresh=False)
    report = example.property_of(example.subject, seed=0, shrink_seconds=0).run()
    assert report.failure is not None
    assert report.failure.kind == "falsified"


def test_figure_1_lists_the_papers_times_and_numbers_of_cases():
    paper = {example.name: (example.paper_seconds, example.cases) for example in figure_1()}
    assert paper == {
        "getHashtagsOk": (46, 10),
        "countHashtagsOk": (142, 15),
        "sparkTopUntilScalaTop": (56, 15),
        "alwaysOnlyOneTopHashtag": (45, 10),
        "alwaysEventuallyZeroCount": (187, 15),
        "alwaysPeakImpliesEventuallyTop": (303, 15),
    }


def test_reproduce_prints_the_papers_figure_beside_ours():
    page = io.StringIO()
    rows = sscheck_table(("local",), console=Console(file=page, width=80))
    assert [row.name for row in rows] == [example.name for example in figure_1()]
    text = page.getvalue()
    assert "faster" in text
    assert all(str(row.paper_seconds) in text and row.cases == len(row.report.runs) for row in rows)
    assert GOALS == {"local": 100, "dstream": 10}
    assert max(map(len, text.splitlines())) <= 80
