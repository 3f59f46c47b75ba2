"""The papers' tables: complete, about our suites, and printed beside what a run finds."""

from __future__ import annotations

import pytest
from tallystick.experiments import papers
from tallystick.experiments.questions import Options
from tallystick.experiments.reproduction import reproduce_sparklite
from tallystick.experiments.suites import load


@pytest.mark.parametrize(
    ("cases", "classes", "suite"),
    [
        (papers.TR_FIGURE_9, papers.TR_CLASSES, "sparklite-tr"),
        (papers.CAV_CASES, papers.CAV_CLASSES, "sparklite-cav"),
    ],
)
def test_the_papers_cases_are_the_pairs_of_the_suites_in_the_papers_classes(cases, classes, suite):
    ours = {each.name: each.ours for each in classes}
    pairs = load(suite)
    assert [(name, ours[of]) for name, of, _ in cases] == [(pair.name, pair.expected_class) for pair in pairs]
    right = {"equivalent": (papers.VERIFIED, papers.NOT_SHOWN), "inequivalent": (papers.FOUND,)}
    assert all(result in right[pair.expected] for (_, _, result), pair in zip(cases, pairs, strict=True))


def test_each_pair_of_the_errata_belongs_to_one_erratum():
    named = [pair for _, _, pairs in papers.ERRATA for pair in pairs]
    assert sorted(named) == sorted(pair.name for pair in load("errata"))


def test_the_tables_fit_80_columns_and_mark_the_one_case_that_the_paper_does_not_show(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert reproduce_sparklite(Options())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    marked = [line for line in lines if "←" in line]
    assert len(marked) == 1
    assert marked[0].split()[:7] == ["P15''/P16''", "AggOneᵖ", "=", "not", "shown", "=", "affine_invariants"]
    assert "19 of 19 verdicts are right." in " ".join(lines)
    assert "23 of 23 verdicts are right." in " ".join(lines)
