"""Random texts over all that is accepted return on their engine what they are read as.

Not SQLite's, which the suites read as DuckDB.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from conformance.conftest import Run
from conformance.random_texts import Texts, Tree, cut_down, forms
from conformance.readings import Reader
from conformance.running import Result, ask, evidence_of, with_evidence
from conformance.table import Kind, Row

pytestmark = pytest.mark.xdist_group("conformance")
SLOW = {"duckdb": 20_000, "postgres": 5_000, "mysql": 5_000, "spark": 5_000}
SPARK = pytest.param("spark", marks=pytest.mark.spark)
ZERO = "a division by zero in rows that it does not ask for: verdicts assume none"
KNOWN = {
    "duckdb": {
        r"(INTERSECT|EXCEPT) .*(MOD\(|%|//)": ZERO,
    },
    "postgres": {r"JOIN \(SELECT .*(MOD\(|%|/)": ZERO},
    "mysql": {
        r"\(DISTINCT .* GROUP BY .* DESC": "it loses the group of what is NULL, which is there without DESC",
        r"/ .* IN \(SELECT": "a quotient, which is rounded, meets other numbers: verdicts assume that it is exact",
        r"INTERVAL \(": "a date beyond its range is NULL: verdicts assume none",
    },
    "spark": {r"SELECT .*(MOD\(|%|/).* HAVING COUNT\(([A-Z_(),. \d]|'[^']*')+\) > ": ZERO},
}
"""Texts that are known to differ, by the engine, and why that is no wrong reading; they are left out."""


def _differences(run: Run, count: int, seed: int) -> tuple[list[str], Counter[str]]:
    """The texts that differ, cut down, and how many came out how."""
    engine, reader, known = run.engine, Reader(run.engine.name), evidence_of(run.results)

    def asked(tree: Tree) -> Result:
        return with_evidence(ask(engine, reader, Row("random", (engine.name,), str(tree), {})), known)

    texts, wrong, counts = Texts(forms(run.results), Random(seed)), [], Counter[str]()
    for _ in range(count):
        tree = texts.query()
        if any(re.search(pattern, str(tree)) for pattern in KNOWN.get(engine.name, ())):
            counts["known"] += 1
            continue
        kind = asked(tree).finding.kind
        counts[kind.value] += 1
        # what is wrong in a text that the engine does not take, it cannot say
        if kind.differs and kind is not Kind.REJECTS and len(wrong) < 5:
            wrong.append(str(asked(cut_down(tree, partial(_is_so, asked, kind)))))
    return wrong, counts


def _is_so(asked: Callable[[Tree], Result], kind: Kind, tree: Tree) -> bool:
    return asked(tree).finding.kind is kind


@pytest.mark.parametrize("run", ["duckdb", "postgres", "mysql"], indirect=True)
def test_random_texts(run: Run):
    wrong, counts = _differences(run, SLOW[run.engine.name] // 160, 1)
    assert not wrong, "\n\n".join(wrong)
    assert counts["same"] > counts.total() / 3, counts


@pytest.mark.slow
@pytest.mark.parametrize("run", ["duckdb", "postgres", "mysql", SPARK], indirect=True)
def test_many_random_texts(run: Run):
    wrong, counts = _differences(run, SLOW[run.engine.name], 2)
    assert not wrong, "\n\n".join(wrong)
    assert counts["same"] > counts.total() / 3, counts


def test_a_text_that_fails_is_cut_down():
    total = Tree("integer", "({} + {})", (Tree("integer", "a"), Tree("integer", "ABS({})", (Tree("integer", "id"),))))
    where = Tree("where", " WHERE {}", (Tree("boolean", "p"),))
    tree = Tree("query", "SELECT {} FROM t{}", (total, where))
    assert str(cut_down(tree, lambda less: "ABS" in str(less))) == "SELECT ABS(id) FROM t"
