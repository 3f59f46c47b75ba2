"""A function by its name of a column of a model without a declared type hangs on what makes the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick.cli import main


@pytest.mark.parametrize(
    ("edited", "answer"),
    [
        ("SELECT id, n * 1.00 AS v FROM t", "1 unknown"),
        ("SELECT id, n*1.0 AS v FROM t -- the same", "2 unchanged"),
    ],
)
def test_digits_of_a_model_above(edited: str, answer: str, tmp_path: Path) -> None:
    for version, text in (("old", "SELECT id, n * 1.0 AS v FROM t"), ("new", edited)):
        (tmp_path / version).mkdir()
        (tmp_path / version / "up.sql").write_text(text)
        (tmp_path / version / "down.sql").write_text("SELECT id, TO_JSON(v) AS j FROM up")
    folders = [str(tmp_path / version) for version in ("old", "new")]
    schema = ("--schema", "CREATE TABLE t (id INT, n NUMBER(10, 1))", "--dialect", "snowflake", "--timeout", "3")
    output = CliRunner().invoke(main, ["dataflow", *folders, *schema]).output
    assert answer in output
