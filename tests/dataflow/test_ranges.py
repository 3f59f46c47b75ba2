"""No difference has a value that the declared type of its column has no room for."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, WireVerdict
from tallystick.experiments.dataflows.shop import manifest

TYPES = {"id": "INT", "code": "VARCHAR(3)", "units": "DECIMAL(5, 0)", "price": "DECIMAL(3, 2)", "small": "SMALLINT"}
NEVER = ["code = 'abcd'", "units > 0 AND units < 1", "price > 10", "small > 40000", "units >= 100000"]
SOMETIMES = ["code = 'abc'", "units > 0 AND units < 2", "price > 9.98", "small > 32766", "units >= 99999"]
SOURCES = f"CREATE TABLE goods ({', '.join(f'{name} {type_}' for name, type_ in TYPES.items())})"


def of_sql(folder: Path, conditions: tuple[str, str]) -> Pair:
    for side, condition in zip(("old", "new"), conditions, strict=True):
        (folder / side).mkdir()
        (folder / side / "some.sql").write_text(f"SELECT id FROM goods WHERE {condition}", encoding="utf-8")
    return read_versions(folder / "old", folder / "new", schema=SOURCES)


def of_json(folder: Path, conditions: tuple[str, str]) -> Pair:
    for side, condition in zip(("old", "new"), conditions, strict=True):
        some = {"name": "some", "type": "filter", "inputs": ["goods"], "condition": condition}
        data = {"format": "tallystick workflow", "version": 1, "sources": SOURCES, "operators": [some]}
        (folder / f"{side}.json").write_text(json.dumps(data), encoding="utf-8")
    return read_versions(folder / "old.json", folder / "new.json")


def of_dbt(folder: Path, conditions: tuple[str, str]) -> Pair:
    for side, condition in zip(("old", "new"), conditions, strict=True):
        made: dict[str, Any] = copy.deepcopy(
            manifest({"some": f'SELECT id FROM "shop"."raw"."goods" WHERE {condition}'})
        )
        made["metadata"]["adapter_type"] = "postgres"  # DuckDB does not heed the length of a text
        made["nodes"] = {of: node for of, node in made["nodes"].items() if of.startswith("model")}
        columns = {name: {"name": name, "data_type": type_} for name, type_ in TYPES.items()}
        relation = {"relation_name": '"shop"."raw"."goods"', "identifier": "goods", "source_name": "raw"}
        made["sources"] = {
            "source.shop.raw.goods": {"resource_type": "source", "name": "goods", "columns": columns, **relation}
        }
        for node in made["nodes"].values():
            node["depends_on"] = {"nodes": ["source.shop.raw.goods"], "macros": []}
        (folder / side).mkdir()
        (folder / side / "manifest.json").write_text(json.dumps(made), encoding="utf-8")
    return read_versions(folder / "old", folder / "new")


READERS = {"sql": of_sql, "json": of_json, "dbt": of_dbt}


def answer(pair: Pair) -> WireVerdict:
    found = compared(pair, limits=SweepLimits(seconds=1, searching=1.0)).of("some")
    if found.difference is not None:
        assert constraints(pair.catalogue)(found.difference.database) is None
    return found


@pytest.mark.parametrize("reader", READERS)
def test_a_difference_has_values_of_the_declared_types(tmp_path: Path, reader: str) -> None:
    for number, (never, sometimes) in enumerate(zip(NEVER, SOMETIMES, strict=True)):
        for name, condition in (("never", never), ("sometimes", sometimes)):
            folder = tmp_path / f"{number}{name}"
            folder.mkdir()
            pair = READERS[reader](folder, ("id IS NULL", f"id IS NULL OR ({condition})"))
            assert any(table.ranges for table in pair.catalogue.tables), "the declared types are not known"
            if name == "never":
                assert answer(pair).change is not Change.CHANGED, condition
            else:
                assert answer(pair).change is Change.CHANGED, condition
