"""Workflows in JSON of our own, and functions of the user's in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.sweep.calling import FunctionsProcess
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict
from tallystick.frontends.errors import SourceError
from tallystick.frontends.workflows.json_files import SCHEMA, load_workflow, to_json, workflow_from
from tallystick.frontends.workflows.operators import TYPES

SOURCES = "CREATE TABLE tweets (id INT NOT NULL, text STRING, likes INT); CREATE TABLE users (user INT, name STRING)"
JUDGED = {"type": "function", "function": "classify", "rows": "each", "reads": ["text"], "adds": {"label": "STRING"}}


def op(name: str, type_: str, *inputs: str, **said: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, "inputs": list(inputs), **said}


def judged(name: str, source: str, **said: Any) -> dict[str, Any]:
    return {"name": name, "inputs": [source], **JUDGED, **said}


def write(path: Path, *operators: dict[str, Any], **said: Any) -> Path:
    data = {"format": "tallystick workflow", "version": 1, "sources": SOURCES, "operators": operators, **said}
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def verdict(
    folder: Path, old: list[dict[str, Any]], new: list[dict[str, Any]], functions: str = "", seconds: float = 5
) -> DataflowVerdict:
    pair = read_versions(write(folder / "old.json", *old), write(folder / "new.json", *new))
    if functions:
        (folder / "functions.py").write_text(functions, encoding="utf-8")
        pair = replace(pair, functions=FunctionsProcess(folder / "functions.py").functions())
    return compared(pair, limits=SweepLimits(seconds=seconds, searching=seconds / 5))


LIKED = op("liked", "filter", "judged", condition="likes > 10")
OLD = [judged("judged", "tweets"), LIKED, op("result", "sink", "liked")]
EARLIER = [op("first", "filter", "tweets", condition="likes > 10"), judged("judged", "first")]


def test_a_filter_moves_past_a_function_of_single_rows(tmp_path: Path) -> None:
    found = verdict(tmp_path, OLD, [*EARLIER, op("result", "sink", "judged")])
    assert found.of("result").change is Change.UNCHANGED
    assert "functions of the user's are deterministic, and those of equal code are equal" in {
        each.value for each in found.pair.assumptions
    }


def test_a_filter_on_what_a_function_adds_does_not_move_past_it_unseen(tmp_path: Path) -> None:
    on_label = op("liked", "filter", "judged", condition="label = 'x'")
    new = [op("first", "filter", "tweets", condition="text = 'x'"), judged("judged", "first")]
    found = verdict(tmp_path, [OLD[0], on_label, OLD[2]], [*new, op("result", "sink", "judged")])
    assert found.of("result").change is Change.UNKNOWN


def test_a_function_that_is_given_shows_a_difference(tmp_path: Path) -> None:
    """Without it, only a hash tells the versions apart."""
    other = [judged("judged", "tweets", function="classify v2"), *OLD[1:]]
    assert verdict(tmp_path, OLD, other).of("result").change is Change.UNKNOWN
    functions = "FUNCTIONS = {'classify': lambda t: t, 'classify v2': lambda t: None if t is None else t + '!'}"
    found = verdict(tmp_path, OLD, other, functions)
    assert found.of("result").change is Change.CHANGED
    assert found.of("result").difference is not None
    assert found.of("result").difference.functions == ("classify", "classify v2")
    assert found.of("result").reason.endswith("seen with the functions that were given: classify, classify v2")


def test_a_function_that_fails_or_returns_other_types_shows_nothing(tmp_path: Path) -> None:
    other = [judged("judged", "tweets", function="classify v2"), *OLD[1:]]
    for body in ("1 / 0", "17", "('a', 'b')", "{'label': 3}"):
        functions = f"FUNCTIONS = {{'classify': lambda t: 'a', 'classify v2': lambda t: {body}}}"
        assert verdict(tmp_path, OLD, other, functions, seconds=1).of("result").change is Change.UNKNOWN


def split(name: str, source: str, **said: Any) -> dict[str, Any]:
    facts = {"function": "split", "rows": "many", "reads": ["text"], "adds": {"word": "STRING"}}
    return op(name, "function", source, **{**facts, **said})


def test_an_unnest_commutes_with_a_filter_and_with_another_unnest(tmp_path: Path) -> None:
    other = split("tagged", "words", function="tags", adds={"tag": "STRING"})
    old = [split("words", "tweets"), other, op("few", "filter", "tagged", condition="likes < 3")]
    old.append(op("result", "project", "few", columns={"id": "id", "word": "word", "tag": "tag"}))
    first = op("few", "filter", "tweets", condition="likes < 3")
    new = [first, split("tagged", "few", function="tags", adds={"tag": "STRING"}), split("words", "tagged")]
    new.append(op("result", "project", "words", columns={"id": "id", "word": "word", "tag": "tag"}))
    assert verdict(tmp_path, old, new).of("result").change is Change.UNCHANGED


def test_an_unnest_may_drop_rows(tmp_path: Path) -> None:
    """Columns that it adds are not read: still, it says how often each row is there."""
    old = [split("words", "tweets"), op("result", "project", "words", columns={"id": "id"})]
    new = [op("result", "project", "tweets", columns={"id": "id"})]
    assert verdict(tmp_path, old, new).of("result").change is Change.UNKNOWN
    functions = "FUNCTIONS = {'split': lambda text: [] if text is None else text.split()}"
    assert verdict(tmp_path, old, new, functions).of("result").change is Change.CHANGED


def chart(name: str, source: str, **said: Any) -> dict[str, Any]:
    facts = {"function": "chart", "rows": "all", "columns": {"bar": "INT"}}
    return op(name, "function", source, **{**facts, **said})


DISTINCT = [op("ids", "project", "tweets", columns={"likes": "likes"}), op("once", "distinct", "ids")]


@pytest.mark.parametrize(("seen", "change"), [("bag", Change.UNKNOWN), ("set", Change.UNCHANGED)])
def test_what_sees_a_set_does_not_see_duplicates(tmp_path: Path, seen: str, change: Change) -> None:
    old = [*DISTINCT, chart("bars", "once", reads_as=seen), op("result", "sink", "bars")]
    new = [DISTINCT[0], chart("bars", "ids", reads_as=seen), op("result", "sink", "bars")]
    found = verdict(tmp_path, old, new)
    assert found.of("bars").change is change
    assert found.of("result").change is change


@pytest.mark.parametrize("place", [0, 2])
def test_no_operator_is_taken_for_what_a_function_sees(tmp_path: Path, place: int) -> None:
    """A wire of the name that what a function sees would have: the function would read that one instead."""
    columns = {"function": "f", "rows": "all", "columns": {"x": "INT"}, "reads_as": "set"}
    operators = [op("u", "filter", "tweets", condition="likes > 1"), op("seen", "function", "u", **columns)]
    operators.insert(place, op("u as a set", "filter", "tweets", condition="likes > 2"))
    path = write(tmp_path / "a.json", *operators)
    with pytest.raises(SourceError, match="two wires or sources have the name u as a set"):
        read_versions(path, path)


def test_a_workflow_may_have_no_sources_and_no_operators(tmp_path: Path) -> None:
    texts = ("SELECT 1 AS x", "SELECT 2 - 1 AS x", "SELECT 2 AS x")
    paths = [
        write(tmp_path / f"{number}.json", op("q", "query", query=text), op("r", "sink", "q"), sources="")
        for number, text in enumerate(texts)
    ]
    assert compared(read_versions(paths[0], paths[1])).of("r").change is Change.UNCHANGED
    assert compared(read_versions(paths[0], paths[2])).of("r").change is Change.CHANGED
    nothing = write(tmp_path / "nothing.json", sources="")
    assert compared(read_versions(nothing, nothing)).exit_status == 0
    assert {str(wire.change) for wire in compared(read_versions(paths[0], nothing)).wires} == {"removed"}


def test_what_sees_a_list_sees_its_order(tmp_path: Path) -> None:
    def versions(keys: list[str], seen: str) -> list[dict[str, Any]]:
        ordered = op("ordered", "sort", "ids", keys=keys)
        return [DISTINCT[0], ordered, chart("bars", "ordered", reads_as=seen), op("result", "sink", "bars")]

    up, down = versions(["likes"], "list"), versions(["likes DESC"], "list")
    assert verdict(tmp_path, up, down).of("result").change is Change.UNKNOWN
    assert verdict(tmp_path, up, up).of("result").change is Change.UNCHANGED
    up, down = versions(["likes"], "bag"), versions(["likes DESC"], "bag")
    assert verdict(tmp_path, up, down).of("result").change is Change.UNCHANGED


def test_what_sees_a_list_that_nothing_orders_repeats_itself_only_where_nothing_was_edited(tmp_path: Path) -> None:
    old = [DISTINCT[0], chart("bars", "ids", reads_as="list"), chart("more", "ids", reads_as="list")]
    both = op("result", "union", "bars", "more")
    twice = op("result", "union", "bars", "bars")
    assert verdict(tmp_path, [*old, both], [*old, both]).of("result").change is Change.UNCHANGED
    assert verdict(tmp_path, [*old, both], [*old, twice]).of("result").change is Change.UNKNOWN


def test_one_that_is_not_deterministic_is_not_taken_for_another(tmp_path: Path) -> None:
    old = [judged("judged", "tweets", deterministic=False), *OLD[1:]]
    new = [op("first", "filter", "tweets", condition="likes > 10"), judged("judged", "first", deterministic=False)]
    assert verdict(tmp_path, old, old).of("result").change is Change.UNCHANGED
    assert verdict(tmp_path, old, [*new, op("result", "sink", "judged")]).of("result").change is Change.UNKNOWN


def test_a_function_is_one_whatever_its_inputs_are_called(tmp_path: Path) -> None:
    """An empty projection before an opaque operator."""
    old = [DISTINCT[0], chart("bars", "ids"), op("result", "sink", "bars")]
    empty = op("empty", "query", "ids", query="SELECT * FROM input1")
    new = [DISTINCT[0], empty, chart("bars", "empty"), op("result", "sink", "bars")]
    found = verdict(tmp_path, old, new)
    assert found.of("result").change is Change.UNCHANGED
    assert found.of("empty").reason == "the old version does not have it; it holds what ids holds"
    other = [DISTINCT[0], {**empty, "query": "SELECT likes + 1 AS likes FROM input1"}, *new[2:]]
    assert verdict(tmp_path, old, other).of("result").change is Change.UNKNOWN


def test_limit_takes_the_first_rows_of_the_order_that_it_reads(tmp_path: Path) -> None:
    def top(keys: list[str]) -> list[dict[str, Any]]:
        ordered = op("ordered", "sort", "tweets", keys=keys)
        return [ordered, op("first", "limit", "ordered", count=1), op("result", "sink", "first")]

    assert verdict(tmp_path, top(["likes"]), top(["likes DESC"])).of("result").change is Change.CHANGED
    assert verdict(tmp_path, top(["likes"]), top(["likes"])).of("result").change is Change.UNCHANGED


def test_each_type_of_operators_is_read(tmp_path: Path) -> None:
    joined = op("joined", "join", "tweets", "users", kind="full", condition="input1.id = input2.user")
    flow = [
        joined,
        op("matched", "join", "tweets", "users", kind="semi", condition="id = user"),
        op("alone", "join", "tweets", "users", kind="anti", condition="id = user"),
        op("both", "union", "matched", "alone"),
        op("once", "union", "matched", "alone", distinct=True),
        op("shared", "intersect", "both", "once"),
        op("rest", "except", "both", "once", all=True),
        op("more", "extend", "rest", columns={"twice": "likes * 2"}),
        op("sums", "aggregate", "more", keys=["text"], values={"n": "COUNT(*)", "most": "MAX(twice)"}),
        op("total", "aggregate", "more", keys=[], values={"n": "COUNT(*)"}),
        op("copies", "replicate", "sums"),
        op("asked", "query", "copies", "total", query="SELECT text, input1.n + input2.n AS n FROM input1, input2"),
        op("kept", "function", "asked", function="is fine", rows="some", reads=["text"]),
    ]
    assert {each["type"] for each in (*flow, *OLD, op("", "sort"), op("", "limit"), *DISTINCT)} == set(TYPES)
    found = verdict(tmp_path, flow, flow)
    assert {wire.change for wire in found.wires} == {Change.UNCHANGED}
    assert not found.pair.notes["new"]


def test_a_text_that_is_not_understood_makes_an_operator_opaque(tmp_path: Path) -> None:
    odd = op("odd", "filter", "tweets", condition="strange(text) = 3")
    found = verdict(tmp_path, [odd, op("result", "sink", "odd")], [odd, op("result", "sink", "odd")])
    assert found.of("result").change is Change.UNCHANGED
    assert "the function STRANGE is not understood" in found.pair.notes["new"]["odd"]


@pytest.mark.parametrize(
    "first",
    [
        op("first", "filter", "scores", condition="score > 1"),
        op("first", "distinct", "scores"),
        op("first", "function", "scores", function="f", rows="some", reads=["id"]),
        op("first", "function", "scores", function="f", rows="each", reads=["id"], adds={"more": "DOUBLE"}),
        op("first", "function", "scores", function="f", rows="many", reads=["id"], adds={"more": "DOUBLE"}),
        op("first", "function", "scores", function="f", rows="all", columns={"id": "INT", "score": "DOUBLE"}),
    ],
    ids=lambda each: f"{each['type']} {each.get('rows', '')}",
)
def test_floating_point_numbers_are_exact_only_if_that_is_assumed(tmp_path: Path, first: dict[str, Any]) -> None:
    column = "more" if "more" in first.get("adds", {}) else "score"
    summed = [op("sums", "project", "first", columns={"x": f"{column} + 1 + 1"}), op("result", "sink", "sums")]
    other = [op("sums", "project", "first", columns={"x": f"{column} + 2"}), op("result", "sink", "sums")]
    sources = "CREATE TABLE scores (id INT NOT NULL, score DOUBLE)"
    old = write(tmp_path / "old.json", first, *summed, sources=sources)
    new = write(tmp_path / "new.json", first, *other, sources=sources)
    found = compared(read_versions(old, new))
    assert found.of("sums").change is Change.UNKNOWN
    assert "holds floating-point numbers" in found.of("sums").reason
    exact = compared(read_versions(old, new, assume=["exact-floats"]))
    assert exact.of("sums").change is Change.UNCHANGED
    assert any("floating-point numbers are exact" in each.value for each in exact.pair.assumptions)


def test_columns_of_types_that_are_not_understood_are_not_read_behind_a_function(tmp_path: Path) -> None:
    found = verdict(
        tmp_path,
        [judged("tagged", "tweets", adds={"tags": "ARRAY<INT>"}), op("a", "filter", "tagged", condition="tags > 'x'")],
        [judged("tagged", "tweets", adds={"tags": "ARRAY<INT>"}), op("a", "filter", "tagged", condition="'x' < tags")],
    )
    assert found.of("a").change is Change.UNKNOWN
    assert "the column tags cannot be read: its values are known by their order alone" in found.of("a").reason


def test_a_condition_does_not_leave_its_brackets(tmp_path: Path) -> None:
    """What closes the bracket, or adds a clause, is no expression: the operator is opaque."""
    for condition in ("likes > 1) OR (1 = 1", "likes > 1 LIMIT 1", "likes > 1 ORDER BY likes"):
        odd = op("odd", "filter", "tweets", condition=condition)
        found = verdict(tmp_path, [odd, op("result", "sink", "odd")], [odd, op("result", "sink", "odd")])
        assert ("odd" in found.pair.notes["new"]) is (condition != "likes > 1) OR (1 = 1")
    commented = op("odd", "filter", "tweets", condition="likes > 1 -- more")
    assert not verdict(tmp_path, [commented], [commented]).pair.notes["new"]


WRONG = {
    "two operators or sources have the name tweets": [op("tweets", "sink", "tweets")],
    "a reads b, which is no source and no operator": [op("a", "sink", "b")],
    "operators read each other in a circle: a reads b reads a": [op("a", "sink", "b"), op("b", "sink", "a")],
    "a: there is no type 'sieve' of operators": [op("a", "sieve", "tweets")],
    "a: a join has 2 inputs, not 1": [op("a", "join", "tweets", kind="inner", condition="1 = 1")],
    "a: a filter needs the property condition": [op("a", "filter", "tweets")],
    "a: there is no property 'conditions'": [op("a", "filter", "tweets", conditions="1 = 1")],
    "a: the property count has a value of another type: '3'": [op("a", "limit", "tweets", count="3")],
    "a: the property count has a value of another type: True": [op("a", "limit", "tweets", count=True)],
    "a: the property keys holds something that is no text": [op("a", "sort", "tweets", keys=[3])],
    "a: rows is 'any'": [op("a", "function", "tweets", function="f", rows="any")],
    "a: tweets has no column author": [judged("a", "tweets", reads=["author"])],
    "a: a function of all rows needs the property columns": [op("a", "function", "tweets", function="f", rows="all")],
    "a: a function with rows 'many' needs the property adds": [
        op("a", "function", "tweets", function="f", rows="many", reads=["id"])
    ],
    "b: the function is also used with other columns": [split("a", "tweets"), split("b", "tweets", reads=["id"])],
    "a: reads_as is 'heap'": [chart("a", "tweets", reads_as="heap")],
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_makes_no_workflow_is_refused_by_name(tmp_path: Path, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        load_workflow(write(tmp_path / "wrong.json", *WRONG[message])).read()
    assert caught.value.message == message


def test_files_are_as_the_schema_says(tmp_path: Path) -> None:
    file = load_workflow(write(tmp_path / "flow.json", *OLD))
    again = workflow_from(json.loads(to_json(file.sources, file.operators)), str(tmp_path / "flow.json"))
    assert again == file
    assert set(SCHEMA["properties"]) == {"format", "version", "dialect", "sources", "operators"}
    for data, message in (
        ([], 'a workflow is an object with "format": "tallystick workflow" and "version": 1'),
        ({"format": "tallystick workflow", "version": 2}, 'a workflow is an object with "format"'),
        ({"format": "tallystick workflow", "version": 1, "sinks": []}, "a workflow has no 'sinks'"),
        ({"format": "tallystick workflow", "version": 1, "sources": 3}, "sources is no text"),
        ({"format": "tallystick workflow", "version": 1, "sources": ""}, "a workflow has sources, a text, and op"),
        (
            {"format": "tallystick workflow", "version": 1, "sources": "", "operators": [3]},
            "operator 1 is no object with a name and a type",
        ),
    ):
        with pytest.raises(SourceError) as caught:
            workflow_from(data, "a file")
        assert caught.value.message.startswith(message)


def test_the_command_compares_two_files(tmp_path: Path) -> None:
    old, new = (
        write(tmp_path / "old.json", *OLD),
        write(tmp_path / "new.json", *EARLIER, op("result", "sink", "judged")),
    )
    result = CliRunner().invoke(main, ["dataflow", str(old), str(new), "--select", "result"])
    assert result.exit_code == 0, result.output
    assert "unchanged" in result.output
    (tmp_path / "broken.py").write_text("1 / 0", encoding="utf-8")
    failed = CliRunner().invoke(main, ["dataflow", str(old), str(new), "--functions", str(tmp_path / "broken.py")])
    assert "the functions cannot be loaded: ZeroDivisionError: division by zero" in failed.output


def test_no_function_has_a_name_that_spells_another(tmp_path: Path) -> None:
    """A filter by the function "f: a" is no filter by the column a that the function "f" adds."""
    some = op("kept", "function", "tweets", function="f: a", rows="some", reads=["text"])
    each = op("added", "function", "tweets", function="f", rows="each", reads=["text"], adds={"a": "BOOLEAN"})
    chosen = op("chosen", "filter", "added", condition="a")
    kept = op("kept", "project", "chosen", columns={"id": "id", "text": "text", "likes": "likes"})
    result = op("result", "sink", "kept")
    assert verdict(tmp_path, [some, result], [each, chosen, kept, result]).of("result").change is Change.UNKNOWN
    spelt = {**some, "function": '["f", "a"]'}
    assert verdict(tmp_path, [spelt, result], [each, chosen, kept, result]).of("result").change is Change.UNKNOWN


@pytest.mark.parametrize("name", ["rows of the function f", "rows of the function "])
def test_no_source_and_no_operator_stands_for_a_function(tmp_path: Path, name: str) -> None:
    sources = f"CREATE TABLE `{name}` (a INT)"
    path = write(tmp_path / "w.json", op("s", "sink", name), sources=sources)
    with pytest.raises(SourceError, match=f"the source {name} has a name that stands for a function"):
        read_versions(path, path)
    path = write(tmp_path / "w.json", op(name, "sink", "tweets"))
    with pytest.raises(SourceError, match="stands for a function"):
        read_versions(path, path)
