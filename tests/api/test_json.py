"""What commands print with `--json` has the one shape of the schema, for bad input too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from tallystick.answers import COMMON, OWN, schema
from tallystick.cli import COMMANDS, main

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA = "CREATE TABLE t (a INT NOT NULL, b STRING, c DECIMAL(5, 2), d DATE)"
ASKED = {
    "equivalent": ("check", "SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a >= 2", "--schema", SCHEMA),
    "inequivalent": ("check", "SELECT * FROM t", "SELECT DISTINCT * FROM t", "--schema", SCHEMA, "--columns"),
    "unknown": ("check", "SELECT MAX(a) FROM t", "SELECT MAX(a + 0 * LENGTH(b)) FROM t", "--schema", SCHEMA),
    "programs": ("check", f"{EXAMPLES}/passing_grades.py:before", f"{EXAMPLES}/passing_grades.py:too_strict"),
    "folds": ("lint", f"{EXAMPLES}/revenue.py:number_of_orders", f"{EXAMPLES}/sql/test_shipped.py"),
    "bad function": ("check", f"{EXAMPLES}/passing_grades.py:before", f"{EXAMPLES}/passing_grades.py:nobody"),
    "bad query": ("check", "SELECT a FROM t WHERE", "SELECT a FROM t", "--schema", SCHEMA),
    "bad option": ("check", "SELECT a FROM t", "SELECT a FROM t", "--nonsense"),
    "bad file": ("dataflow", "nowhere", "nobody", "--schema", SCHEMA),
    "bad machine": ("machine", str(EXAMPLES / "shop.sql")),
}


def answers(*arguments: str | Path) -> tuple[int, list[dict]]:
    """The status of a command, and what it prints on standard output."""
    result = CliRunner().invoke(main, [*map(str, arguments), "--json"])
    text, found = result.stdout.strip(), []
    while text:
        content, end = json.JSONDecoder().raw_decode(text)
        found.append(content)
        text = text[end:].lstrip()
    return result.exit_code, found


def require_shape(content: dict) -> None:
    """Fails where an answer is not one of its command, or leaves out what all have."""
    Draft202012Validator(schema(content["command"])).validate(content)
    assert list(content)[: len(COMMON)] == [*COMMON]


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_has_the_shape(name: str) -> None:
    status, (content,) = answers(*ASKED[name])
    require_shape(content)
    assert content["command"] == ASKED[name][0]
    assert content["verdict"] == {0: "equivalent", 1: content["verdict"], 2: "unknown", 3: "error"}[status]
    assert (content["verdict"] == "error") is (status == 3) is name.startswith("bad") is (content["error"] is not None)


def test_a_witness_has_typed_values_below_the_names_of_columns() -> None:
    text = "SELECT a, b, c, d FROM t WHERE c = 1.5 AND d = DATE '2024-02-29' AND b = 'x'"
    _, (content,) = answers("check", text, f"{text} AND a > 0", "--schema", SCHEMA)
    (rows,) = content["witness"]["inputs"]
    types = {"a": "integer", "b": "text", "c": "decimal", "d": "date"}
    assert {each["name"]: each["type"] for each in rows["columns"]} == types
    assert type(rows["rows"][0][0]) is int
    assert rows["rows"][0][1:] == ["x", "1.5", "2024-02-29"]


def test_an_error_has_its_place() -> None:
    status, (content,) = answers("check", "SELECT a,\n x FROM t", "SELECT a FROM t", "--schema", SCHEMA)
    place = [content["error"][each] for each in ("code", "path", "line", "column")]
    assert (status, place) == (3, ["unknown-name", "the left query", 2, 2])


def test_versions_and_certificates_have_the_shape(tmp_path: Path) -> None:
    for side, text in (("old", "SELECT a FROM t"), ("new", "SELECT DISTINCT a FROM t")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "m.sql").write_text(text)
    proof = tmp_path / "proof.json"
    status, (content,) = answers(
        "dataflow", tmp_path / "old", tmp_path / "new", "--schema", SCHEMA, "--certificate", proof
    )
    require_shape(content)
    (wire,) = content["wires"]
    Draft202012Validator(schema()["properties"]["witness"]).validate(wire["witness"])
    assert (status, content["verdict"], content["programs"]) == (1, "changed", [f"{tmp_path}/old", f"{tmp_path}/new"])
    (tmp_path / "none.json").write_text("{}")
    status, found = answers("audit", proof, tmp_path / "none.json")
    assert (status, [each["verdict"] for each in found]) == (1, ["accepted", "rejected"])
    for each in found:
        require_shape(each)


def test_a_machine_has_the_shape(tmp_path: Path) -> None:
    machine = next((Path(__file__).parents[2] / "reductions" / "examples").glob("*.txt"))
    _, (content,) = answers("machine", machine, "--timeout", "1")
    require_shape(content)


def test_each_key_is_one_of_a_command() -> None:
    assert {command for _, of, _ in OWN.values() for command in of.split()} <= set(COMMANDS)
    assert not set(OWN) & set(COMMON)


def test_the_example_of_the_page_is_a_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES.parent / "docs"))
    from json_page import EXAMPLE

    Draft202012Validator(schema()["properties"]["witness"]).validate(json.loads(EXAMPLE))


def test_what_the_schema_does_not_have_is_rejected() -> None:
    _, (content,) = answers(*ASKED["bad query"])
    require_shape(content)
    for wrong in ({**content, "more": 1}, {**content, "verdict": "maybe"}, {**content, "witness": {"inputs": []}}):
        assert not Draft202012Validator(schema("check")).is_valid(wrong)
