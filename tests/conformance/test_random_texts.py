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
KNOWN = {
    r"(DATE|TIMESTAMP) '[^']*'::": "DATE '…'::T is parsed as DATE ('…'::T); a row of the table names it",
    r"DATE_TRUNC\(": "of a date to less than a day; a row of the table names it",
    r"'1\.5' *(=|==|<>|!=|<|>|<=|>=|IN|BETWEEN|NOT)": "a text that meets a DECIMAL(p, s); a row of the table names it",
    r"(=|==|<>|!=|<|>|<=|>=) *'1\.5'": "a text that meets a DECIMAL(p, s); a row of the table names it",
    r"(INTERSECT|EXCEPT) .*(MOD\(|%)": "a division by zero in rows that the engine does not ask for",
    r"EXISTS \(SELECT .*(MOD\(|%)": "a division by zero in a list of columns that the engine does not ask for",
    r"EXTRACT\(\w+ FROM \(*NULLIF\(": "a part of a date that is always NULL is a DOUBLE for DuckDB",
    r"\(DISTINCT .*/.* GROUP BY .* DESC": "MariaDB loses the group of a quotient that is NULL, in descending order",
    r"ROUND\(.* DIV ": "MySQL's whole quotient of decimals is a decimal here, and so is it rounded",
    r"INTERVAL \(": "a date beyond the range of the engine; a row of the table names it",
}
"""Texts that are known to differ, and why; they are left out."""


def _differences(run: Run, count: int, seed: int) -> tuple[list[str], Counter[str]]:
    """The texts that differ, cut down, and how many came out how."""
    engine, reader, known = run.engine, Reader(run.engine.name), evidence_of(run.results)

    def asked(tree: Tree) -> Result:
        return with_evidence(ask(engine, reader, Row("random", (engine.name,), str(tree), {})), known)

    texts, wrong, counts = Texts(forms(run.results), Random(seed)), [], Counter[str]()
    for _ in range(count):
        tree = texts.query()
        if any(re.search(pattern, str(tree)) for pattern in KNOWN):
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
    wrong, counts = _differences(run, SLOW[run.engine.name] // 80, 1)
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
