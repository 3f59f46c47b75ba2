"""LIMIT is a function of bags in each certificate: no two steps say differently how it breaks ties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tallystick.certificates import kernel
from tallystick.certificates.budget import Budget
from tallystick.certificates.evidence import Step
from tallystick.certificates.queries.kernel import goal_of, same_results
from tallystick.certificates.queries.proofs import Name, Rewriting
from tallystick.certificates.queries.rewriting import Rewriter, require_ties_of_tables
from tallystick.certificates.rules.limit_map import LimitMap
from tallystick.certificates.rules.limit_push import LimitPush
from tallystick.core.errors import KernelError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Limit
from tallystick.core.queries.traversal import nodes
from tallystick.decision.queries.deciding import Proved, decide
from tallystick.decision.queries.proofs import attempts, proving
from tallystick.decision.queries.proofs.proving import Prover
from tallystick.decision.queries.trees.tableau import TreeLimits

from certificates.query_samples import read

SCHEMA = "CREATE TABLE t (id INT PRIMARY KEY, x INT NOT NULL, y INT NOT NULL)"
PAIRS = "SELECT a.x AS p, b.x AS q FROM t a, t b"
"""Any two values: the bag of such is the same with p and q exchanged."""
ONE = f"(SELECT * FROM ({PAIRS}) u LIMIT 1)"


def met(second: str) -> str:
    return f"SELECT a.p FROM {ONE} a, {second} b WHERE a.p = b.p AND a.q = b.q"


SAME = met(ONE)
AFTER = met(f"(SELECT q AS p, p AS q FROM {ONE} v)")
BEFORE = met(f"(SELECT q AS p, p AS q FROM ({PAIRS}) v LIMIT 1)")
CONTRADICTIONS = {
    "a second choice": (BEFORE, AFTER),
    "no choice": (f"SELECT SUM(p) - SUM(q) FROM {ONE} u", f"SELECT SUM(0 * p) FROM {ONE} u"),
    "each other's choice": (
        f"SELECT p FROM {ONE} u",
        f"SELECT q FROM {ONE} u",
    ),
    "of two LIMITs": (
        f"SELECT (SELECT SUM(p) FROM {ONE} u) - (SELECT SUM(q) FROM {ONE} u) FROM t",
        "SELECT 0 FROM t",
    ),
}
"""Not the same where LIMITs of one bag choose the same: the bag is symmetric, what is chosen from it is not."""


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_is_chosen_is_not_the_same_because_the_bags_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the kernel accept what a search finds that does not keep to one choice."""
    pair = read(*CONTRADICTIONS[name], SCHEMA)
    assert not isinstance(decide(pair.left, pair.right, pair.catalogue), Proved)
    monkeypatch.setattr(Prover, "may_choose", lambda *_: True)
    goal = goal_of(pair.left, pair.right, pair.catalogue)
    found, _ = attempts.proof(goal, TreeLimits(), 5.0)
    if isinstance(found, Step):
        with pytest.raises(KernelError, match="another step of the certificate says that LIMIT breaks ties otherwise"):
            kernel.prove(goal, found)


def steps(step: Any) -> list[Any]:
    return [step.rule, *(each for below in step.subproofs for each in steps(below))]


def proved(left: str, right: str) -> list[Any]:
    """The rules of a proof that the kernel accepts."""
    pair = read(left, right, SCHEMA)
    answer = decide(pair.left, pair.right, pair.catalogue)
    assert isinstance(answer, Proved)
    same_results(pair.left, pair.right, pair.catalogue, answer.proof)
    assert isinstance(answer.proof, Step)
    return steps(answer.proof)


def test_equal_bags_have_equal_limits() -> None:
    assert not any(isinstance(rule, LimitMap | LimitPush) for rule in proved(BEFORE, SAME))


@pytest.mark.parametrize(
    ("left", "right", "determined"),
    [
        ("SELECT x + y FROM t LIMIT 5", "SELECT x + y FROM (SELECT id, x, y FROM t LIMIT 5) u", False),
        (
            "SELECT SUM(x) FROM (SELECT x, id FROM t ORDER BY id LIMIT 5) u",
            "SELECT SUM(x) FROM (SELECT id, x FROM t ORDER BY id LIMIT 5) u",
            True,
        ),
        (
            "SELECT u.x, v.x FROM (SELECT x, id FROM t ORDER BY id LIMIT 5) u, "
            "(SELECT id, x FROM t ORDER BY id LIMIT 5) v",
            "SELECT u.x, v.x FROM (SELECT x FROM t ORDER BY id LIMIT 5) u, (SELECT x FROM t ORDER BY id LIMIT 5) v",
            True,
        ),
    ],
)
def test_a_limit_commutes_with_what_computes_its_columns(left: str, right: str, determined: bool) -> None:
    said = {rule.determined for rule in proved(left, right) if isinstance(rule, LimitMap)}
    assert said == {determined}


def test_two_ways_to_break_ties_do_not_go_together() -> None:
    """LIMIT-PUSH is about an order of the columns, LIMIT-MAP with ties about images."""
    union = "(SELECT x FROM t LIMIT 2) UNION ALL (SELECT y FROM t LIMIT 2) LIMIT 2"
    without = "(SELECT x FROM t) UNION ALL (SELECT y FROM t) LIMIT 2"
    assert any(isinstance(rule, LimitPush) for rule in proved(union, without))
    computed = "SELECT x + y FROM (SELECT id, x, y FROM t LIMIT 5) u"
    pair = read(f"({union}) UNION ALL ({computed})", f"({without}) UNION ALL (SELECT x + y FROM t LIMIT 5)", SCHEMA)
    answer = decide(pair.left, pair.right, pair.catalogue)
    assert not isinstance(answer, Proved)


def test_nothing_is_said_of_tables_that_stand_for_subqueries(monkeypatch: pytest.MonkeyPatch) -> None:
    """These may hang on choices themselves: the search does not say it, and the kernel does not accept it."""
    below = "(SELECT id, x, y FROM t LIMIT 9)"
    pair = read(
        f"SELECT x + y FROM {below} u WHERE x > 0 LIMIT 5",
        f"SELECT x + y FROM (SELECT id, x, y FROM {below} u WHERE x > 0 LIMIT 5) v",
        SCHEMA,
    )
    [named] = {node for node in nodes(pair.left.query) if isinstance(node, Limit) and node.count == 9}
    rewriter = Rewriter(pair.left, pair.right, pair.catalogue, lambda _: None)
    rewriter.name(named)
    ends = [replace(pair.left, query=rewriter.sides["left"]), replace(pair.right, query=rewriter.sides["right"])]
    goal = goal_of(ends[0], ends[1], rewriter.catalogue)
    assert not isinstance(attempts.proof(goal, TreeLimits(), 10.0)[0], Step)
    monkeypatch.setattr(proving, "NAMES", "no such name")
    found, _ = attempts.proof(goal, TreeLimits(), 10.0)
    assert isinstance(found, Step)
    kernel.prove(goal, found)
    with pytest.raises(KernelError, match="LIMIT-MAP with ties is about tables of the catalogue, not about named"):
        same_results(pair.left, pair.right, pair.catalogue, Rewriting((Name(named),), found))


def test_nor_of_wires_between_models() -> None:
    """A fresh table stands for what fills a wire; tables of one name are others in other cuts."""
    pair = read("SELECT x + y FROM t LIMIT 5", "SELECT x + y FROM (SELECT id, x, y FROM t LIMIT 5) u", SCHEMA)
    answer = decide(pair.left, pair.right, pair.catalogue)
    assert isinstance(answer, Proved)
    budget = Budget()
    same_results(pair.left, pair.right, pair.catalogue, answer.proof, budget)
    require_ties_of_tables(pair.catalogue, budget)
    with pytest.raises(KernelError, match="LIMIT-MAP with ties is about tables of the catalogue, not about named"):
        require_ties_of_tables(Catalogue(()), budget)


def test_each_step_of_a_certificate_counts() -> None:
    """What one step says holds for all: also for another judgement with the same budget."""
    pair = read("SELECT x + y FROM t LIMIT 5", "SELECT x + y FROM (SELECT id, x, y FROM t LIMIT 5) u", SCHEMA)
    goal = goal_of(pair.left, pair.right, pair.catalogue)
    found, _ = attempts.proof(goal, TreeLimits(), 10.0)
    assert isinstance(found, Step)
    budget = Budget()
    kernel.prove(goal, found, budget)
    assert ("ties", "as their images") in budget.choices.items()
    kernel.prove(goal, found, budget)
    budget.choices["ties"] = "by columns"
    with pytest.raises(KernelError, match="another step of the certificate says that LIMIT breaks ties otherwise"):
        kernel.prove(goal, found, budget)
