"""Foreign keys between types: not for proofs, and kept by counterexamples."""

from __future__ import annotations

from tallystick.core.queries.ranges import Range
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.experiments.sql_suites.outcomes import looking
from tallystick.experiments.sql_suites.records import Record, read_record


def column(name: str, type_: str, nullable: bool = True) -> dict:
    return {"name": name, "type": type_, "nullable": nullable}


def pair(q1: str, q2: str, type_: str = "varchar(3)"):
    tables = {
        "bank": {"columns": [column("id", "int", nullable=False)], "primary_key": ["id"]},
        "loan": {
            "columns": [column("k", "int"), column("bank_id", type_)],
            "foreign_keys": [{"columns": ["bank_id"], "ref_table": "bank", "ref_columns": ["id"]}],
        },
    }
    data = {"schema": {"tables": tables}, "q1": q1, "q2": q2, "dialect": "sqlite", "expected": "inequivalent"}
    return read_record(Record("s", "p", data))


def test_a_key_between_types_is_kept_by_null_alone() -> None:
    mixed = pair("SELECT k FROM loan", "SELECT k FROM loan WHERE bank_id IS NOT NULL")
    assert mixed.catalogue.by_name["loan"].foreign_keys == ()
    assert mixed.catalogue.by_name["loan"].ranges == {}, "SQLite heeds no sizes"
    assert mixed.searched.by_name["loan"].ranges[1] == Range(length=-1)
    found = looking(mixed)(2.0)
    assert isinstance(found, DistinguishingDatabase)
    assert [row[1] for row in found.database["loan"]] == [None]


def test_a_difference_that_breaks_such_a_key_is_none() -> None:
    mixed = pair("SELECT k FROM loan WHERE bank_id = 'abc'", "SELECT k FROM loan WHERE FALSE")
    assert not isinstance(looking(mixed)(0.5), DistinguishingDatabase)


def test_other_keys_stay() -> None:
    same = pair("SELECT k FROM loan", "SELECT k FROM loan", type_="bigint")
    assert len(same.catalogue.by_name["loan"].foreign_keys) == 1
    assert same.searched.by_name["loan"].ranges[1] == Range(0, -(2**63), 2**63 - 1)
