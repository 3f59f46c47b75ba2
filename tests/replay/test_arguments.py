"""What functions are called with, and which tables paths and names stand for."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tallystick.replay.catalyst.arguments import Arguments, as_said
from tallystick.replay.catalyst.calling import _place, _project
from tallystick.replay.catalyst.lake import IN_SQL, Lake, _may_be_one, _shown, _without_secrets
from tallystick.replay.catalyst.unknown_rows import Refusal


def test_parameters_are_the_session_tables_and_what_was_said() -> None:
    def job(
        spark: Any, orders: Any, day: datetime.date, days: int = 7, *, kind: str, rest: int = 3, **more: Any
    ) -> None:
        pass

    tables = {"orders": "the table"}
    arguments = Arguments("the session", tables.get, {}, {"day": "2024-02-29", "kind": "x", "days": "30", "other": "1"})
    expected = {
        "spark": "the session",
        "orders": "the table",
        "day": datetime.date(2024, 2, 29),
        "days": 30,
        "kind": "x",
    }
    assert arguments.of(job) == ([], expected)
    assert arguments.used == {"day", "days", "kind"}


def test_a_parameter_of_which_nothing_is_known_says_what_to_write() -> None:
    def job(run_date: str) -> None: ...
    def other(orders: DataFrame) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    arguments = Arguments(None, {}.get, {}, {})
    with pytest.raises(
        ValueError, match="run_date is no table of the schema: give its value by --param run_date=VALUE"
    ):
        arguments.of(job)
    with pytest.raises(ValueError, match="orders is no table of the schema: say which by --source orders=TABLE"):
        arguments.of(other)


@pytest.mark.parametrize(
    ("text", "kind", "default", "value"),
    [
        ("3", "int", inspect.Parameter.empty, 3),
        ("3", "str", inspect.Parameter.empty, "3"),
        ("3", "", inspect.Parameter.empty, 3),
        ("03", "", inspect.Parameter.empty, "03"),
        ("3", "", "x", "3"),
        ("2.5", "", 1.0, 2.5),
        ("false", "bool", True, False),
        ("0.10", "Decimal", None, Decimal("0.10")),
        ('["a", "b"]', "list", None, ["a", "b"]),
        (3, "str", None, 3),
    ],
)
def test_texts_become_what_annotations_and_defaults_say(text: Any, kind: str, default: Any, value: Any) -> None:
    found = as_said("x", text, kind, default)
    assert (type(found), found) == (type(value), value)


def test_a_text_that_is_no_such_value_is_refused() -> None:
    with pytest.raises(ValueError, match="--param day=soon is no date"):
        as_said("day", "soon", "date", inspect.Parameter.empty)


def test_widgets_are_parameters() -> None:
    def job(dbutils: Any) -> list[str]:
        dbutils.widgets.text("country", "NL")
        return [dbutils.widgets.get("country"), dbutils.widgets.get("year")]

    arguments = Arguments(None, {}.get, {}, {"year": 2024})
    _, named = arguments.of(job)
    assert job(**named) == ["NL", "2024"]
    with pytest.raises(ValueError, match="the widget day has no value: give it by --param day=VALUE"):
        named["dbutils"].widgets.get("day")


class Session:
    """A session that knows no tables but those of the schema, with Spark's own settings."""

    version = "4.3.0"
    conf: Mapping[str, str] = {}

    @property
    def _jsparkSession(self) -> Any:  # noqa: N802
        state = SimpleNamespace(conf=lambda: SimpleNamespace(settings=dict))
        return SimpleNamespace(catalog=lambda: self, sessionState=lambda: state)

    @property
    def _jvm(self) -> Any:
        internal = SimpleNamespace(SQLConf=dict)
        sql = SimpleNamespace(internal=internal)
        return SimpleNamespace(org=SimpleNamespace(apache=SimpleNamespace(spark=SimpleNamespace(sql=sql))))

    def currentDatabase(self) -> str:  # noqa: N802
        return "default"

    def tableExists(self, name: str) -> bool:  # noqa: N802
        return False


@pytest.mark.parametrize(
    ("name", "table", "noted"),
    [
        ("silver.orders", "orders", "silver.orders"),
        ("/lake/orders/", "orders", "/lake/orders/"),
        ("s3a://bucket/orders.parquet", "orders", "s3a://bucket/orders.parquet"),
        ("/lake/orders/day=1/*.csv", "orders", "/lake/orders/day=1/*.csv"),
        ("/raw/sales", "orders", ""),
        ("/bronze/orders", "orders", "/bronze/orders"),
    ],
)
def test_the_last_part_of_a_name_is_its_table_unless_another_is_named(name: str, table: str, noted: str) -> None:
    lake = Lake(Session(), {"/raw/sales": "orders", "/bronze/*": "*"}, frozenset({"orders"}))
    assert lake.table(name) == table
    assert lake.read == {"orders": [noted]}


def test_what_stands_for_no_table_is_refused() -> None:
    lake = Lake(Session(), {"/raw/*": "nothing"}, frozenset({"orders"}))
    assert lake.table("orders") is None
    with pytest.raises(
        Refusal, match=r"silver\.sales is no table of the schema: say which by --source silver\.sales=TABLE"
    ):
        lake.table("silver.sales")
    with pytest.raises(Refusal, match="--source says nothing, which is no table of the schema"):
        lake.table("/raw/x")


class Frame:
    """A DataFrame whose plan reads the table `orders`."""

    def __getattr__(self, name: str) -> Any:
        text = "+- Relation spark_catalog.default.orders[id#1L] parquet"
        return (lambda: text) if name == "toString" else self

    def __call__(self) -> Frame:
        return self


def test_what_was_written_is_not_read_again_nor_what_is_read_later_than_it_seems() -> None:
    lake = Lake(Session(), {}, frozenset({"orders"}))
    lake.write(Frame(), "/lake/orders", ["parquet"])
    with pytest.raises(Refusal, match="it reads /lake/orders again, which it has written"):
        lake.table("/lake/orders")
    with pytest.raises(Refusal, match="it writes /lake/orders parquet twice"):
        lake.write(Frame(), "/lake/orders", ["parquet"])
    assert lake.refused == "it reads /lake/orders again, which it has written"
    lake = Lake(Session(), {}, frozenset({"orders"}))
    lake.table("silver.orders")
    lake.write(Frame(), "orders", ["saveAsTable"])  # the rows are read before they are replaced
    with pytest.raises(Refusal, match=r"it reads silver\.orders again, which it has written"):
        lake.write(Frame(), "other", ["saveAsTable"])


@pytest.mark.parametrize(
    ("first", "second", "may"),
    [
        ("orders", "silver.ORDERS", True),
        ("lake.silver.orders", "`silver`.orders", True),
        ("gold.orders", "silver.orders", False),
        ("old_orders", "orders", False),
        ("/lake/orders/", "file:/lake/orders/day=1", True),
        ("/lake/orders", "/lake/orders_old", False),
        ("s3a://lake/orders", "s3://lake/orders", True),
        ("/lake/orders", "orders", False),
    ],
)
def test_names_that_may_be_of_one_table(first: str, second: str, may: bool) -> None:
    assert _may_be_one(first, second) is _may_be_one(second, first) is may


@pytest.mark.parametrize(
    "text", ["WITH orders AS (", "with q as (select 1), `Orders` as(", "WITH orders /* of\nall */ (a, b) AS -- c\n ("]
)
def test_names_that_with_gives_are_found(text: str) -> None:
    assert "orders" in {each["with"].strip("`").lower() for each in IN_SQL.finditer(text) if each["with"]}


def test_what_is_told_of_reading_and_writing_has_no_passwords() -> None:
    first, second = (_shown("option", ("password", each), {}) for each in ("s3cret", "other"))
    assert (first.startswith("sha256:"), first == second) == (True, False)
    assert _shown("option", ("header", "true"), {}) == "option header true"
    assert _without_secrets("properties={'Password': 's3cret'}").startswith("sha256:")


def test_names_behind_from_and_join_are_found_and_texts_are_not() -> None:
    text = "SELECT 'from a.b', o.x -- from a.c\nFROM silver.orders o JOIN `my lake`.items i ON o.id = i.id, silver.x"
    assert [each["name"] for each in IN_SQL.finditer(text) if each["name"]] == ["silver.orders", "`my lake`.items"]


def test_packages_are_found_by_their_files_by_relative_imports_and_up_to_the_project(tmp_path: Path) -> None:
    folder = tmp_path / "project" / "src" / "shop" / "jobs"
    folder.mkdir(parents=True)
    job, lone = folder / "daily.py", folder / "lone.py"
    job.write_text("from ..common import f\n", encoding="utf-8")
    lone.write_text("import helpers\n", encoding="utf-8")
    assert _place(job) == (folder.parents[1], "shop.jobs.daily")
    assert _place(lone) == (folder, "lone")
    (folder / "__init__.py").touch()
    assert _place(lone) == (folder.parent, "jobs.lone")
    (tmp_path / "project" / "pyproject.toml").touch()
    places = list(_project(folder.parent))
    assert places == [folder.parent, folder.parents[1], tmp_path / "project", tmp_path / "project" / "src"]
    assert list(_project(tmp_path.parent / "nowhere")) == []


def test_a_text_with_many_comments_is_searched_once():
    text = "SELECT a " + "/* c */ " * 5_000 + "FROM silver.orders"
    assert [each["name"] for each in IN_SQL.finditer(text) if each["name"]] == ["silver.orders"]
