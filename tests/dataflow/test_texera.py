"""Workflows of Texera: what their operators mean, and what edits change."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tallystick.cli import main
from tallystick.core.queries.types import SqlRow
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.sweep.simulation import Simulation
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict
from tallystick.frontends.errors import SourceError
from tallystick.frontends.texera.operators import TRANSLATIONS

SCHEMA = """CREATE TABLE tweets (id INT NOT NULL, author INT, body STRING, likes INT);
CREATE TABLE people (author INT, name STRING, likes INT NOT NULL)"""
Box = dict[str, Any]


def box(number: str, type_: str, **said: Any) -> Box:
    """An operator, as Texera writes it."""
    properties = {
        key.replace("_", " ") if key.startswith(("result_", "Result_")) else key: v for key, v in said.items()
    }
    ports = 0 if type_.endswith("FileScan") else 2 if type_ in ("HashJoin", "Intersect", "Difference") else 1
    return {
        "operatorID": f"{type_}-operator-{number}",
        "operatorType": type_,
        "operatorProperties": properties,
        "inputPorts": [{"portID": f"input-{port}"} for port in range(ports)],
        "outputPorts": [{"portID": "output-0"}],
        "isDisabled": False,
        "customDisplayName": "any",
    }


TWEETS = box("t", "CSVFileScan", fileName="/me/data/tweets.csv", hasHeader=True)
PEOPLE = box("p", "CSVFileScan", fileName="/me/data/people.csv", hasHeader=True)


def filtered(number: str, attribute: str, condition: str, value: str | None = None) -> Box:
    return box(number, "Filter", predicates=[{"attribute": attribute, "condition": condition, "value": value}])


JOIN = box("j", "HashJoin", buildAttributeName="author", probeAttributeName="author", joinType="inner")
KEYWORD = box("k", "KeywordSearch", attribute="body", keyword="fire")
MATCHED = box("d", "DictionaryMatcher", Attribute="body", Dictionary="a,b", result_attribute="found")


def written(path: Path, boxes: list[Box], *links: str) -> Path:
    """A workflow; a link is `from > to`, or `from > to:port`."""
    by_number = {each["operatorID"].rpartition("-")[2]: each["operatorID"] for each in boxes}
    made = []
    for link in links:
        source, _, target = link.partition(" > ")
        to, _, port = target.partition(":")
        ends = (
            {"operatorID": by_number[source], "portID": "output-0"},
            {
                "operatorID": by_number[to],
                "portID": f"input-{port or 0}",
            },
        )
        made.append({"linkID": f"link-{len(made)}", "source": ends[0], "target": ends[1]})
    data = {"operators": boxes, "operatorPositions": {}, "links": made, "commentBoxes": [], "settings": {}}
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def chain(path: Path, *boxes: Box) -> Path:
    """A workflow of operators one after the other."""
    numbers = [each["operatorID"].rpartition("-")[2] for each in boxes]
    return written(path, list(boxes), *(f"{one} > {two}" for one, two in pairwise(numbers)))


def pair(folder: Path, old: Path, new: Path) -> Pair:
    schema = folder / "schema.sql"
    schema.write_text(SCHEMA, encoding="utf-8")
    return read_versions(old, new, schema=str(schema))


def verdict(folder: Path, old: Path, new: Path) -> DataflowVerdict:
    return compared(pair(folder, old, new), limits=SweepLimits(seconds=5, searching=1))


def held(folder: Path, path: Path, name: str, **tables: list[SqlRow]) -> list[SqlRow]:
    """What an operator holds."""
    made = pair(folder, path, path)
    database = {table.name: tuple(tables.get(table.name, ())) for table in made.catalogue.tables}
    return sorted(Simulation(made).values(database).outcomes["old", name].rows, key=repr)


def test_a_filter_moves_before_a_join(tmp_path: Path) -> None:
    liked = filtered("f", "likes", ">", "10")
    old = written(tmp_path / "o", [TWEETS, PEOPLE, JOIN, liked], "t > j", "p > j:1", "j > f")
    new = written(tmp_path / "n", [TWEETS, PEOPLE, JOIN, liked], "t > f", "f > j", "p > j:1")
    found = verdict(tmp_path, old, new)
    answers = {wire.name: str(wire.change) for wire in found.wires}
    # The last operator is another one, and holds what the last one held.
    assert answers == {
        "CSVFileScan t": "unchanged",
        "CSVFileScan p": "unchanged",
        "HashJoin j": "changed",
        "Filter f": "changed",
        "result": "unchanged",
    }


def test_a_search_moves_past_a_dictionary(tmp_path: Path) -> None:
    last = box("s", "Projection", attributes=[{"originalAttribute": "id", "alias": ""}])
    old = chain(tmp_path / "o", TWEETS, KEYWORD, MATCHED, last)
    new = chain(tmp_path / "n", TWEETS, MATCHED, KEYWORD, last)
    assert verdict(tmp_path, old, new).of("Projection s").change is Change.UNCHANGED


def test_another_keyword_is_not_taken_for_the_same_search(tmp_path: Path) -> None:
    old = chain(tmp_path / "o", TWEETS, KEYWORD)
    new = chain(tmp_path / "n", TWEETS, box("k", "KeywordSearch", attribute="body", keyword="water"))
    assert verdict(tmp_path, old, new).of("KeywordSearch k").change is Change.UNKNOWN


def test_another_constant_is_a_change_with_an_input(tmp_path: Path) -> None:
    old, new = (chain(tmp_path / v, TWEETS, filtered("f", "likes", ">=", v)) for v in ("1", "2"))
    found = verdict(tmp_path, old, new).of("Filter f")
    assert found.change is Change.CHANGED
    assert found.difference is not None


def test_null_joins_null_and_columns_of_one_name_get_another(tmp_path: Path) -> None:
    path = written(tmp_path / "o", [TWEETS, PEOPLE, JOIN], "t > j", "p > j:1")
    rows = held(tmp_path, path, "HashJoin j", tweets=[(1, None, "x", 2), (2, 7, "y", 3)], people=[(None, "n", 5)])
    assert rows == [(1, None, "x", 2, "n", 5)]
    names = [column.name for column in pair(tmp_path, path, path).wires["old", "HashJoin j"].table.columns]
    assert names == ["id", "author", "body", "likes", "name", "likes#@1"]


def aggregated(*said: tuple[str, str], keys: list[str]) -> Box:
    listed = [{"aggFunction": f, "attribute": of, "result attribute": f"{f} of {of}"} for f, of in said]
    return box("a", "Aggregate", aggregations=listed, groupByKeys=keys)


def test_sums_of_nothing_are_zero_and_no_row_gives_no_row(tmp_path: Path) -> None:
    alone = aggregated(("sum", "likes"), ("count", "likes"), ("count(*)", ""), ("min", "likes"), keys=[])
    path = chain(tmp_path / "o", TWEETS, alone)
    assert held(tmp_path, path, "Aggregate a") == []
    assert held(tmp_path, path, "Aggregate a", tweets=[(1, 1, "x", None)]) == [(0, 0, 1, None)]
    keyed = chain(tmp_path / "k", PEOPLE, aggregated(("max", "likes"), keys=["author"]))
    rows = [(None, "n", 5), (None, "m", 6), (1, "o", 7)]
    assert held(tmp_path, keyed, "Aggregate a", people=rows) == [(1, 7), (None, 6)]


def test_a_predicate_of_several_is_one_of_them(tmp_path: Path) -> None:
    either = box("f", "Filter", predicates=[
        {"attribute": "likes", "condition": "is null"}, {"attribute": "body", "condition": "=", "value": "it's"},
    ])  # fmt: skip
    path = chain(tmp_path / "o", TWEETS, either)
    rows = [(1, 1, "it's", 4), (2, 1, "no", None), (3, 1, None, 4)]
    assert [row[0] for row in held(tmp_path, path, "Filter f", tweets=rows)] == [1, 2]


def test_set_operations_hold_each_row_once(tmp_path: Path) -> None:
    chosen = [box(n, "Projection", attributes=[{"originalAttribute": "author", "alias": "a"}]) for n in ("x", "y")]
    tweets = [(1, 1, "x", 1), (2, 1, "x", 1), (3, 2, "x", 1)]
    people = [(1, "n", 1), (3, "n", 1), (3, "n", 1)]
    results = {"Intersect": [(1,)], "Difference": [(2,)], "SymmetricDifference": [(2,), (3,)]}
    for type_, rows in results.items():
        last = box("s", type_)
        path = written(tmp_path / type_, [TWEETS, PEOPLE, *chosen, last], "t > x", "p > y", "x > s", "y > s:1")
        assert held(tmp_path, path, f"{type_} s", tweets=tweets, people=people) == rows
    both = written(tmp_path / "u", [TWEETS, PEOPLE, *chosen, box("s", "Union")], "t > x", "p > y", "x > s", "y > s")
    assert len(held(tmp_path, both, "Union s", tweets=tweets, people=people)) == 6


@pytest.mark.parametrize(
    "unknown",
    [
        box("u", "PythonUDFV2", code="yield", retainInputColumns=True, outputColumns=[]),
        box("u", "BarChart", value="likes"),
        filtered("u", "body", "=", "12"),
        filtered("u", "body", "=", "Infinity"),
        filtered("u", "likes", "=", "many"),
        filtered("u", "nowhere", "=", "1"),
        aggregated(("max", "likes"), keys=[]),
        aggregated(("concat", "body"), keys=[]),
        box("u", "Projection", attributes=[{"originalAttribute": "id"}, {"originalAttribute": "likes", "alias": "id"}]),
        box("u", "Sort", attributes=[]),
    ],
    ids=lambda each: f"{each['operatorType']} {str(each['operatorProperties'])[:30]}",
)
def test_what_has_no_meaning_is_equal_only_to_itself(tmp_path: Path, unknown: Box) -> None:
    old = chain(tmp_path / "o", TWEETS, unknown)
    name = f"{unknown['operatorType']} {unknown['operatorID'].rpartition('-')[2]}"
    assert verdict(tmp_path, old, old).of(name).change is Change.UNCHANGED
    other = {**unknown, "operatorProperties": {**unknown["operatorProperties"], "code": "pass"}}
    new = chain(tmp_path / "n", TWEETS, other)
    assert verdict(tmp_path, old, new).of(name).change is Change.UNKNOWN
    earlier = chain(tmp_path / "e", TWEETS, filtered("f", "likes", ">", "1"), unknown)
    assert verdict(tmp_path, old, earlier).of(name).change is Change.UNKNOWN


def test_results_of_several_operators_have_their_names(tmp_path: Path) -> None:
    path = written(tmp_path / "o", [TWEETS, KEYWORD, MATCHED], "t > k", "t > d")
    names = [wire.name for wire in verdict(tmp_path, path, path).wires]
    assert names[-2:] == ["result of KeywordSearch k", "result of DictionaryMatcher d"]


def test_disabled_operators_and_what_reads_them_do_not_run(tmp_path: Path) -> None:
    idle = {**filtered("f", "likes", ">", "1"), "isDisabled": True}
    old = chain(tmp_path / "o", TWEETS, idle, KEYWORD)
    assert [wire.name for wire in verdict(tmp_path, old, old).wires] == ["CSVFileScan t", "result"]


def test_names_stay_the_same_when_titles_change(tmp_path: Path) -> None:
    old = chain(tmp_path / "o", TWEETS, KEYWORD)
    new = chain(tmp_path / "n", TWEETS, {**KEYWORD, "customDisplayName": "another title"})
    assert verdict(tmp_path, old, new).exit_status == 0


def test_what_is_no_workflow_is_refused(tmp_path: Path) -> None:
    good = chain(tmp_path / "good", TWEETS, KEYWORD)
    data = json.loads(good.read_text(encoding="utf-8"))
    lost = {
        **data,
        "links": [{"source": {"operatorID": "x", "portID": "output-0"}, "target": data["links"][0]["target"]}],
    }
    back = {"source": data["links"][0]["target"], "target": data["links"][0]["source"]}
    scan = {**TWEETS, "operatorProperties": {"fileName": "other.csv"}}
    cases = {
        "a link leads to x, which is no operator": lost,
        "its type is missing, or its number is given twice": {**data, "operators": [TWEETS, TWEETS]},
        "a link has the port 'output-x', which has no number": {
            **data,
            "links": [{**data["links"][0], "source": {**data["links"][0]["source"], "portID": "output-x"}}],
        },
        "a link has the port 'output-²', which has no number": {
            **data,
            "links": [{**data["links"][0], "source": {**data["links"][0]["source"], "portID": "output-²"}}],
        },
        "operators read each other in a circle": {**data, "links": [*data["links"], back]},
        "CSVFileScan t reads other, which is no table": {**data, "operators": [scan, KEYWORD]},
        "nothing is linked to input 0 of KeywordSearch k": {**data, "links": []},
    }
    for message, content in cases.items():
        bad = tmp_path / "bad"
        bad.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(SourceError, match=message):
            pair(tmp_path, bad, good)
    with pytest.raises(SourceError, match="needs --schema: a table for each file that is scanned"):
        read_versions(good, good)


def test_the_command_reads_an_export_in_an_object(tmp_path: Path) -> None:
    old = chain(tmp_path / "old.json", TWEETS, KEYWORD)
    new = tmp_path / "new.json"
    new.write_text(json.dumps({"name": "mine", "content": old.read_text(encoding="utf-8")}), encoding="utf-8")
    result = CliRunner().invoke(main, ["dataflow", str(old), str(new), "--schema", SCHEMA, "--verbose"])
    assert result.exit_code == 0, result.output
    assert "unchanged  KeywordSearch k  nothing was edited" in result.output


def test_each_type_with_a_meaning_is_tried_above() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    untried = {"Limit", "Regex", "SentimentAnalysis", "UnnestString", "Distinct"}
    assert {name for name in TRANSLATIONS if f'"{name}"' not in text} <= untried


def test_no_operator_is_taken_for_a_further_output_of_another(tmp_path: Path) -> None:
    """Names are long where short ones are not unique, so an operator may be called as an output is."""
    first, reader = box("t", "CSVFileScan", fileName="tweets.csv"), box("r", "Union")
    likeness, other = (
        {**box("x", "CSVFileScan", fileName="tweets.csv"), "operatorID": f"CSVFileScan t: output {n}"} for n in (1, 11)
    )
    path = written(tmp_path / "w", [first, likeness, other, reader], "t > r")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["links"][0]["source"]["portID"] = "output-1"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(SourceError, match="two wires or sources have the name CSVFileScan t: output 1"):
        pair(tmp_path, path, path)
