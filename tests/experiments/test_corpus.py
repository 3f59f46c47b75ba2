"""The corpus of realistic functions: nearly all are read, most are decided, and none wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick.experiments.corpus import PROVED, REFUTED, RIGHT, UNREAD, WRONG, decide, functions, main, refusals

CORPUS = Path(__file__).parents[1] / "corpus"
SAMPLE = ("prefixed", "known_amounts", "late_deliveries", "discounted", "best_three", "violations", "seen_before")


def test_a_sample_is_decided_rightly() -> None:
    for path, name in functions(CORPUS):
        if name in SAMPLE:
            assert decide(path, name, RIGHT, 20, None).answer == PROVED, name
            assert decide(path, name, WRONG, 20, None).answer == REFUTED, name


def test_one_reader_alone_decides_too() -> None:
    path = CORPUS / "totals.py"
    name = next(name for each, name in functions(CORPUS) if each == path)
    assert decide(path, name, RIGHT, 20, None, "store").answer == PROVED
    assert decide(path, name, WRONG, 20, None, "store").answer == REFUTED


def test_refusals_are_counted_by_cause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ("p", "p_right", "p_wrong")
    text = "\n".join(f"def {kind}(r: RDD[int]):\n    return r.sample(False, 0.5)\n\n" for kind in kinds)
    (tmp_path / "jobs.py").write_text(f"from pyspark import RDD\n\n\n{text}")
    assert refusals(tmp_path, "both") == (3, {"the RDD method `sample` is not supported": 3})
    assert main([str(tmp_path), "--read-only", "--reader", "store"]) == 0
    assert capsys.readouterr().out == (
        "store: 0 of 3 functions are read\n     3  the RDD method `sample` is not supported\n"
    )


@pytest.mark.parametrize("option", [["--read-only"], ["--reader", "store"]])
def test_spark_is_not_left_out_quietly(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(CORPUS), "--spark", *option])
    assert "counterexamples run on PySpark where both readers read" in capsys.readouterr().err


@pytest.mark.slow
def test_nearly_all_functions_are_read_by_the_reader_on_a_store_alone() -> None:
    total, causes = refusals(CORPUS, "store")
    assert causes.total() <= total // 100


@pytest.mark.slow
def test_the_shares_of_the_corpus() -> None:
    found = [decide(path, name, kind, 20, None) for path, name in functions(CORPUS) for kind in (RIGHT, WRONG)]
    total = len(found) // 2
    assert total >= 80
    assert not [each.name for each in found if each.is_wrong]
    assert len({each.name for each in found if each.answer == UNREAD}) <= total // 10
    assert sum(each.answer == PROVED for each in found) >= 0.8 * total
    assert sum(each.answer == REFUTED for each in found) >= 0.9 * total
