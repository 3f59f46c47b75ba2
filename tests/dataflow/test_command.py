"""`tallystick dataflow`, as a new user tries it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tallystick.certificates.audit import audit
from tallystick.cli import main
from tallystick.experiments.dataflows.shop import projects, write

from dataflow.flows import SHOP
from dataflow.test_sweep import STAGED

SAME = {**STAGED, "staged": "SELECT id, customer, amount FROM orders WHERE NOT (status = 'test')"}
OTHER = {**STAGED, "totals": "SELECT customer, MAX(amount) AS total FROM staged GROUP BY customer"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["dataflow", *map(str, arguments)])


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    (tmp_path / "schema.sql").write_text(SHOP)
    for side, models in (("old", STAGED), ("same", SAME), ("other", OTHER)):
        (tmp_path / side).mkdir()
        for name, text in models.items():
            (tmp_path / side / f"{name}.sql").write_text(text)
    return tmp_path


def test_the_status_says_whether_something_changed(folders: Path) -> None:
    schema = "--schema", folders / "schema.sql"
    assert run(folders / "old", folders / "same", *schema).exit_code == 0
    done = run(folders / "old", folders / "other", *schema)
    assert done.exit_code == 1
    assert "changed    totals  its text was changed" in done.output
    assert "changed    report  it reads totals" in done.output
    assert "3 wires: 1 unchanged, 2 changed" in done.output
    assert "to be built again: totals, report" in done.output
    (folders / "other" / "totals.sql").write_text("SELECT customer, amount FROM staged TABLESAMPLE (10 ROWS)")
    (folders / "other" / "report.sql").write_text(STAGED["report"])
    assert run(folders / "old", folders / "other", *schema).exit_code == 2


def test_the_answers_as_json_markdown_and_a_picture(folders: Path) -> None:
    schema, page = ("--schema", folders / "schema.sql"), folders / "page.html"
    proof = folders / "proof.json"
    done = run(
        folders / "old", folders / "other", *schema, "--json", "--html", page, "--certificate", proof, "--columns"
    )
    content = json.loads(done.output)
    assert content["rebuild"] == ["totals", "report"]
    assert content["wires"][1]["columns"] == {"customer": "unchanged", "total": "changed"}
    witness = content["wires"][1]["witness"]
    old, new = witness["outputs"]
    assert old["rows"] != new["rows"]
    orders = next(each for each in witness["inputs"] if each["name"] == "orders")
    assert orders["columns"][0] == {"name": "id", "type": "integer"}
    assert all(type(row[0]) is int for row in orders["rows"])
    shown = page.read_text()
    assert "<svg" in shown
    assert '<meta name="viewport"' in shown
    assert shown.index("2 changed, 1 unchanged") < shown.index("<svg") < shown.index('<section id="totals"')
    assert "prefers-color-scheme: dark" in shown
    assert "<script src" not in shown
    legend = shown[shown.index("</svg>") : shown.index("<section")]
    assert "<b>changed</b>: other columns, or other rows on an input that is shown below" in legend
    assert "its own text was edited" in legend
    assert "<caption>old totals</caption><tr><th>customer</th><th>total</th></tr>" in page.read_text()
    assert "<b>removed</b>" not in legend  # a colour that the picture does not have
    assert CliRunner().invoke(main, ["audit", str(proof)]).exit_code == 0
    shown = run(folders / "old", folders / "other", *schema, "--format", "github").output
    assert shown.startswith("### Tallystick: 1 unchanged, 2 changed\n")
    assert "| 🔴 | `totals` | changed | its text was changed |" in shown


def test_boxes_are_spread_over_columns_to_the_right_of_what_they_read(tmp_path: Path) -> None:
    chain = {"m0": "SELECT id FROM orders", **{f"m{n}": f"SELECT id FROM m{n - 1}" for n in range(1, 5)}}
    models = {**chain, **{f"leaf{n}": "SELECT id FROM m0" for n in range(12)}}
    (tmp_path / "schema.sql").write_text(SHOP)
    (tmp_path / "models").mkdir()
    for name, text in models.items():
        (tmp_path / "models" / f"{name}.sql").write_text(text)
    page = tmp_path / "page.html"
    folder = tmp_path / "models"
    assert run(folder, folder, "--schema", tmp_path / "schema.sql", "--html", page).exit_code == 0
    boxes = dict(re.findall(r'<a href="#(\w+)".*?<rect x="(\d+)"', page.read_text()))
    assert sorted(boxes) == sorted(models)
    columns = [int(boxes[f"m{n}"]) for n in range(5)]
    assert columns == sorted(set(columns))
    assert sorted(Counter(map(int, boxes.values())).items()) == list(zip(columns, (1, 4, 4, 4, 4), strict=True))


def test_some_models_alone(folders: Path) -> None:
    schema = "--schema", folders / "schema.sql"
    assert run(folders / "old", folders / "other", *schema, "--select", "staged").exit_code == 0
    assert "2 wires: 2 changed" in run(folders / "old", folders / "other", *schema, "--select", "totals+").output
    assert (
        "2 wires: 1 unchanged, 1 changed"
        in run(folders / "old", folders / "other", *schema, "--select", "+totals").output
    )
    missing = run(folders / "old", folders / "other", *schema, "--select", "nowhere")
    assert (missing.exit_code, missing.stderr) == (3, "error: --select: no model fits 'nowhere'\n")
    one = run(folders / "old", folders / "other", *schema, "--select", "staged", "--select", "nowhere")
    assert (one.exit_code, one.stderr) == (0, "warning: no model fits --select 'nowhere'\n")


@pytest.mark.parametrize(("dialect", "file"), [("snowflake", "staged"), ("postgres", "STAGED"), ("spark", "Staged")])
def test_models_of_a_folder_are_found_by_their_names_without_quotes(tmp_path: Path, dialect: str, file: str) -> None:
    for side, condition in (("old", "x > 1"), ("new", "NOT x <= 1")):
        (tmp_path / side).mkdir()
        (tmp_path / side / f"{file}.sql").write_text("SELECT id, x FROM src.t")
        (tmp_path / side / "top.sql").write_text(f"SELECT id, x FROM staged WHERE {condition}")
    schema = "--schema", "CREATE TABLE src.t (id INT, x INT)", "--dialect", dialect
    assert "2 wires: 2 unchanged" in run(tmp_path / "old", tmp_path / "new", *schema).output


def test_bad_input_is_named(folders: Path) -> None:
    schema = "--schema", folders / "schema.sql"
    assert "there is no such file or folder" in run(folders / "old", folders / "nowhere", *schema).stderr
    assert "a folder of models needs --schema" in run(folders / "old", folders / "same").stderr
    (folders / "empty").mkdir()
    assert "there is no .sql file in this folder" in run(folders / "old", folders / "empty", *schema).stderr
    (folders / "same" / "staged.sql").write_text("SELECT * FROM report")
    done = run(folders / "old", folders / "same", *schema)
    assert (done.exit_code, "read each other in a circle" in done.stderr) == (3, True)


def test_a_model_that_reads_what_is_not_there_is_named(folders: Path) -> None:
    (folders / "same" / "staged.sql").write_text("SELECT id FROM nowhere")
    done = run(folders / "old", folders / "same", "--schema", folders / "schema.sql")
    assert done.exit_code == 2
    assert "there is no table nowhere in the schema" in " ".join(done.output.split())


def test_names_of_a_hostile_project_do_nothing(tmp_path: Path) -> None:
    """Names are data: a page shows them as they are, and a terminal is not told what to do."""
    old, new = projects()
    name = 'x"><script>\x1b[31m</script>'
    write(tmp_path / "old", old)
    write(tmp_path / "new", new)
    for side in ("old", "new"):
        path = tmp_path / side / "target" / "manifest.json"
        path.write_text(path.read_text().replace('"mart_refunds"', json.dumps(name)))
    page = tmp_path / "page.html"
    done = run(tmp_path / "old", tmp_path / "new", "--html", page, "--select", "*script*", "--verbose")
    assert "script" in done.output
    assert "\x1b" not in done.output
    text = page.read_text()
    assert text.count("<script") == 1  # the page's own
    assert 'x"' not in text
    assert "x&quot;&gt;&lt;script&gt;" in text


def test_a_history_is_used_and_what_no_audit_accepts_is_passed_over(folders: Path) -> None:
    given = folders / "old", folders / "same", "--schema", folders / "schema.sql", "--history", folders / "history"
    assert "calls of the prover: 1" in run(*given).output
    assert "calls of the prover: 0" in run(*given).output
    [kept] = (folders / "history").iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"staged", b"stagex", 1))
    done = run(*given)
    assert "comparison-0001.json of the history is passed over" in done.stderr
    assert "calls of the prover: 1" in done.output


def test_a_renamed_model_is_to_be_renamed_and_not_to_be_built(tmp_path: Path) -> None:
    for side, name in (("old", "staged"), ("new", "staging")):
        (tmp_path / side).mkdir()
        (tmp_path / side / f"{name}.sql").write_text("SELECT id FROM orders WHERE id > 1", encoding="utf-8")
    arguments = [str(tmp_path / "old"), str(tmp_path / "new"), "--schema", "CREATE TABLE orders (id INT)"]
    said = CliRunner().invoke(main, ["dataflow", *arguments])
    assert "to be renamed, and the same: staged to staging" in said.output
    assert "to be built again" not in said.output
    said = CliRunner().invoke(main, ["dataflow", *arguments, "--format", "github"])
    assert "To be renamed, and the same: `staged` to `staging`" in said.output
    said = CliRunner().invoke(main, ["dataflow", *arguments, "--json"])
    assert json.loads(said.output)["rename"] == {"staged": "staging"}


def test_a_function_that_fails_is_told(tmp_path: Path) -> None:
    for side, least in (("old", 1), ("new", 2)):
        operators = [
            {"name": "judged", "type": "function", "inputs": ["orders"], "function": "judge", "rows": "each",
             "reads": ["id"], "adds": {"more": "INT"}},
            {"name": "some", "type": "filter", "inputs": ["judged"], "condition": f"more > {least}"},
        ]  # fmt: skip
        content = {"format": "tallystick workflow", "version": 1, "operators": operators}
        sources = {"sources": "CREATE TABLE orders (id INT NOT NULL)"}
        (tmp_path / f"{side}.json").write_text(json.dumps({**content, **sources}), encoding="utf-8")
    (tmp_path / "functions.py").write_text("def judge(id):\n    return 2 // (id - id)\n", encoding="utf-8")
    paths = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    said = CliRunner().invoke(main, ["dataflow", *paths, "--functions", str(tmp_path / "functions.py")])
    assert said.exit_code == 2
    assert "note: the function judge fails on some inputs, which are passed over: ZeroDivisionError" in said.output


NOT_READ = {"a": "SELECT id, {} + FOO(id) AS n FROM orders", "b": "SELECT n FROM a", "c": "SELECT id FROM orders"}


def test_coverage_says_what_was_not_read_and_why(folders: Path) -> None:
    for side, number in (("before", 1), ("after", 2)):
        (folders / side).mkdir()
        for name, text in NOT_READ.items():
            (folders / side / f"{name}.sql").write_text(text.format(number))
    arguments = (folders / "before", folders / "after", "--schema", folders / "schema.sql", "--dialect", "duckdb")
    shown = run(*arguments, "--coverage").output
    assert "known by their texts alone: 2 of 3 in the new version (--coverage)" in shown
    assert shown.endswith(
        """
new: 1 of 3 read
    1  it reads one that is not read: b
    1  the function FOO is not understood: a
"""
    )
    content = json.loads(run(*arguments, "--json").output)
    said = {"it reads one that is not read": ["b"], "the function FOO is not understood": ["a"]}
    assert content["coverage"] == {"old": said, "new": said}
    refused = run(*arguments, "--coverage", "--format", "github")
    assert refused.exit_code != 0
    assert "--coverage does not apply to --format github" in refused.output
    read = run(folders / "old", folders / "same", "--schema", folders / "schema.sql").output
    assert "known by their texts" not in read


def test_a_dbt_project_without_a_manifest_is_told_what_to_run(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop")
    done = run(tmp_path, tmp_path, "--schema", "CREATE TABLE t (a INT)")
    assert done.exit_code == 3
    assert "this dbt project has no target/manifest.json" in done.output
    assert "run `dbt compile` in it" in done.output


SLOW = {
    "a": ("SELECT id FROM orders WHERE amount > 1", "SELECT id FROM orders WHERE NOT amount <= 1"),
    "b": (
        "SELECT id FROM orders WHERE id > 0 AND amount > 0 AND id*id*id + amount*amount*amount <> {n}*{n}*{n}",
        "SELECT id FROM orders WHERE id > 0 AND amount > 0 AND {n} IS NOT NULL",
    ),
    "c": ("SELECT id + 1 AS n FROM b", "SELECT 1 + id AS n FROM b"),
}
"""The second model asks for more than a prover knows: that no sum of two cubes is one."""


def slow(folder: Path) -> list[str]:
    for place, side in enumerate(("before", "after")):
        (folder / side).mkdir()
        for name, texts in SLOW.items():
            (folder / side / f"{name}.sql").write_text(texts[place].format(n="customer"))
    (folder / "schema.sql").write_text(SHOP)
    return ["dataflow", *(str(folder / name) for name in ("before", "after")), "--schema", str(folder / "schema.sql")]


def test_a_limit_for_all_models_leaves_the_rest_unknown(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [*slow(tmp_path), "--total", "0.05"])
    assert done.exit_code == 2
    assert "unknown    b  no proof was tried: the 0.05 s for all models were over" in done.output
    assert "3 wires: " in done.output


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_what_was_found(how: signal.Signals, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    command = [sys.executable, "-m", "tallystick", *slow(tmp_path), "--timeout", "100", "--certificate", str(proof)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        clock = Path(f"/proc/{process.pid}/stat")
        while sum(map(int, clock.read_text().rpartition(")")[2].split()[11:13])) < 2 * os.sysconf("SC_CLK_TCK"):
            assert process.poll() is None, "it ended before it could be interrupted"
            time.sleep(0.05)
        process.send_signal(how)
        shown, problem = process.communicate(timeout=60)
    assert (process.returncode, problem.strip()) == (130, "")
    assert "unchanged  a  proved over the sources" in shown
    assert "unknown    b  interrupted" in shown
    assert "unknown    c  interrupted" in shown
    assert audit(proof.read_bytes())
