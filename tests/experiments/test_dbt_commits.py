"""What commits of a dbt project changed: what dbt flags, and what is said of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tallystick.experiments.dbt.commits import main

SHOP = Path(__file__).with_name("dbt_projects") / "shop"
CHANGED = ("models/staging/stg_orders.sql", "as cents", "+ 1 as cents")
SAME = (
    "models/marts/orders_by_country.sql",
    "join {{ ref('stg_customers') }}",
    "inner join {{ ref('stg_customers') }}",
)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=n", "-c", "user.email=e")
    return subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    shutil.copytree(SHOP, tmp_path / "shop")
    git(tmp_path, "init", "-q")
    for path, old, new in (("", "", ""), SAME, CHANGED):
        if path:
            file = tmp_path / "shop" / path
            assert file.read_text().count(old) == 1
            file.write_text(file.read_text().replace(old, new))
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", f"Change {path}")
    return tmp_path


def test_a_commit_that_changes_nothing_and_one_that_does(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """DuckDB runs what is changed; models that ask the warehouse are not rendered, and none of the files."""
    assert main([str(repository), "HEAD^", "HEAD", "--path", "shop"]) == 0
    same, changed = map(json.loads, capsys.readouterr().out.splitlines())
    assert (same["modified"], same["flagged"], same["counts"]) == (["orders_by_country"], 1, {"unchanged": 1})
    assert changed["modified"] == ["stg_orders"]
    assert changed["flagged"] == 5
    assert {"stg_orders", "orders_by_country"} <= changed["changed"].keys()
    assert "duckdb" in changed["changed"]["stg_orders"]
