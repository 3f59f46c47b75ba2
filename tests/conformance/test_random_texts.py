"""Random texts over all that is accepted return on their engine what they are read as."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from conformance.conftest import Run
from conformance.engines import Engine
from conformance.random_texts import Texts, Tree, cut_down, forms
from conformance.readings import Reader
from conformance.running import QUICK, Result, ask, evidence_of, with_evidence
from conformance.table import Row

pytestmark = pytest.mark.xdist_group("conformance")
SLOW = {"duckdb": 20_000, "postgres": 5_000, "mysql": 5_000, "sqlite": 5_000, "spark": 5_000}
SPARK = pytest.param("spark", marks=pytest.mark.spark)


def _differences(run: Run, count: int, seed: int) -> tuple[list[str], Counter[str]]:
    """The texts that differ, cut down, and how many came out how."""
    engine, reader, known = run.engine, Reader(run.engine.name), evidence_of(run.results)

    def asked(tree: Tree) -> Result:
        return with_evidence(ask(engine, reader, Row("random", (engine.name,), str(tree), {})), known)

    texts, wrong, counts = Texts(forms(run.results), Random(seed)), [], Counter[str]()
    for _ in range(count):
        tree = texts.query()
        kind = asked(tree).finding.kind
        counts[kind.value] += 1
        if kind.differs and len(wrong) < 5:
            wrong.append(str(asked(cut_down(tree, lambda less: asked(less).finding.kind.differs))))
    return wrong, counts


@pytest.mark.parametrize("run", QUICK, indirect=True)
def test_random_texts(run: Run):
    wrong, counts = _differences(run, SLOW[run.engine.name] // 20, 1)
    assert not wrong, "\n\n".join(wrong)
    assert counts["same"] > counts.total() / 3, counts


@pytest.mark.slow
@pytest.mark.parametrize("run", [*QUICK, SPARK], indirect=True)
def test_many_random_texts(run: Run):
    wrong, counts = _differences(run, SLOW[run.engine.name], 2)
    assert not wrong, "\n\n".join(wrong)
    assert counts["same"] > counts.total() / 3, counts


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_text_that_fails_is_cut_down(engine: Engine):
    tree = Tree(
        "query",
        "SELECT {} FROM t{}",
        (
            Tree("integer", "({} + {})", (Tree("integer", "a"), Tree("integer", "ABS({})", (Tree("integer", "id"),)))),
            Tree("where", " WHERE {}", (Tree("boolean", "p"),)),
        ),
    )
    assert str(cut_down(tree, lambda less: "ABS" in str(less))) == "SELECT ABS(a) FROM t"
