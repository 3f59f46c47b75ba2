"""What is read of a dbt project: a small one in full, templates that mean no good, and what names and files tell."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from tallystick.experiments.dbt.__main__ import main
from tallystick.experiments.dbt.columns import renamed, used
from tallystick.experiments.dbt.files import ProjectFiles, told_types
from tallystick.experiments.dbt.rendering import Project
from tallystick.experiments.dbt.sandbox import OutOfTimeError, time_limit

SHOP = Path(__file__).with_name("dbt_projects") / "shop"
PRINTED = """\
9 models, 8 rendered; duckdb
4 read, 2 refused: 66.7% of the 6 whose columns are known

refused, by the first cause in a model: 2
    2 the function SOME_FUNCTION_OF_OURS is not understood  models/marts/loyal.sql:1:18

columns of inputs are not known: 2
    1 a column of a source is not known  models/staging/stg_visits.sql:1:15
    1 the columns of an input are not known  models/marts/visitors.sql:1:32

not rendered: 1
    1 it asks the warehouse  models/marts/kinds.sql
"""


def project(folder: Path, **models: str) -> Project:
    """A project of some models, in DuckDB."""
    (folder / "dbt_project.yml").write_text("name: own")
    (folder / "models").mkdir()
    for name, text in models.items():
        (folder / "models" / f"{name}.sql").write_text(text)
    return Project(ProjectFiles(folder), "duckdb")


def test_a_project_is_counted_by_cause(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SHOP)]) == 0
    assert capsys.readouterr().out == PRINTED


def test_lists_that_aliases_make_long_are_no_names(tmp_path: Path) -> None:
    """A list of nine lists of nine …: as a text, some ten billion characters."""
    levels = "".join(f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 10))
    bomb = f"a0: &a0 x\n{levels}"
    (tmp_path / "dbt_project.yml").write_text(f"{bomb}name: *a9\nprofile: *a9\nmodel-paths: [*a9]\n")
    (tmp_path / "profiles.yml").write_text(f"{bomb}p: {{outputs: {{o: {{type: *a9}}}}}}\n")
    (tmp_path / "models.yml").write_text(
        f"{bomb}models: [{{name: *a9, columns: [{{name: *a9, data_type: *a9}}]}}]\n"
        "sources: [{name: *a9, tables: [{name: *a9}]}]\nseeds: [{name: *a9, config: {column_types: {c: *a9}}}]\n"
    )
    files = ProjectFiles(tmp_path)
    assert (files.name, files.adapter) == ("", "")
    assert dict(files.declared()) == {".": {}, "": {}}
    assert dict(files.seeds()) == {}


def test_the_counts_are_there_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(SHOP), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert {key: said[key] for key in said if key != "causes"} == {
        "dialect": "duckdb",
        "models": 9,
        "read": 4,
        "refused": 2,
        "guess": 0,
        "not_rendered": 1,
        "unknown_columns": 2,
    }
    assert said["causes"]["refused"] == [
        {
            "cause": "the function SOME_FUNCTION_OF_OURS is not understood",
            "count": 2,
            "first": "models/marts/loyal.sql:1:18",
        }
    ]


def test_models_are_rendered_as_dbt_renders_them_on_a_full_refresh() -> None:
    shop = Project(ProjectFiles(SHOP), "duckdb")
    assert " ".join(shop.render("stg_orders").sql.split()) == (
        "select id as order_id, customer, cast(amount * 100 as bigint) as cents, cast(ordered_at as date) as ordered_on"
        " from raw.orders where cast(ordered_at as date) >= date '2024-01-01'"
    )
    columns = "select order_id, customer, cents, ordered_on from stg_orders"
    assert " ".join(shop.render("all_orders").sql.split()) == columns
    assert list(shop.render("orders_by_country").reads) == ["stg_orders", "stg_customers", "countries"]


def test_columns_are_known_from_seeds_sources_and_texts() -> None:
    shop = Project(ProjectFiles(SHOP), "duckdb")
    assert shop.columns_of("countries") == {
        "code": "varchar(2)",
        "name": "text",
        "members": "integer",
        "share": "float",
    }
    assert shop.columns_of("raw.orders") == {
        "id": "integer",
        "customer": "integer",
        "amount": "decimal(10, 2)",
        "ordered_at": "timestamp",
    }
    assert shop.columns_of("all_orders") == {
        "order_id": "INT",
        "customer": "INT",
        "cents": "BIGINT",
        "ordered_on": "DATE",
    }


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-2", ""], "integer"),
        (["1", "2.5"], "float"),
        (["true", "FALSE"], "boolean"),
        (["2024-02-29"], "date"),
        (["2024-02-29 10:00"], "timestamp"),
        (["2024-02-29", "no"], "text"),
        ([], "text"),
    ],
)
def test_the_types_of_a_seed_are_told_by_its_values(values: list[str], kind: str) -> None:
    assert (
        told_types(["value,other", *(f"{value},x" for value in values)])
        == {
            "value": kind,
            "other": "text",
        }
        or not values
    )


@pytest.mark.parametrize(
    ("template", "error"),
    [
        ("{{ modules.re.enum.sys.x }}", "UndefinedError: 'types.SimpleNamespace object' has no attribute 'enum'"),
        ("{{ config._stack.x }}", "SecurityError: access to attribute '_stack' of '_Config' object is unsafe."),
        ("{{ dbt._macros.x }}", "SecurityError: access to attribute '_macros' of 'Package' object is unsafe."),
        (
            "{{ ''.__class__.__mro__ }}",
            "SecurityError: access to attribute '__class__' of 'str' object is unsafe.",
        ),
        (
            "{{ ref.__globals__.x }}",
            "SecurityError: access to attribute '__globals__' of 'method' object is unsafe.",
        ),
        ("{{ 'x' * 10 ** 9 }}", "SecurityError: a repeated text or list is too long"),
        ("{{ 9 ** 99999 }}", "SecurityError: a power is too large"),
        ("{{ '%999999999d' % 1 }}", "SecurityError: a format is too wide"),
        (
            "{% for i in range(10 ** 7) %}x{% endfor %}",
            "OverflowError: Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).",
        ),
        ("{{ 'x' * 900000 }}{{ 'x' * 900000 }}", "the text has more than 1,000,000 characters"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "macros are nested too deeply"),
        ("{{ nobody() }}", "UndefinedError: 'nobody' is undefined"),
        ("{% if %}", "TemplateSyntaxError: Expected an expression, got 'end of statement block'"),
        ("{{ ref('a') }} {{ adapter.get_columns_in_relation(ref('a')) }}", "a asks for its own columns"),
        (" {# nothing #} ", "the text is empty"),
    ],
)
def test_templates_reach_no_python_and_have_bounds(tmp_path: Path, template: str, error: str) -> None:
    assert project(tmp_path, a=template).render("a").error == error


def test_a_clock_stands_still_and_no_environment_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "told")
    made = project(tmp_path, a="{{ modules.datetime.datetime.now().year }} {{ env_var('SECRET') }}").render("a")
    assert (made.sql, made.error) == ("2026 secret", "")


def test_what_takes_too_long_is_stopped() -> None:
    with pytest.raises(OutOfTimeError, match=r"it takes more than 0\.05 seconds"), time_limit(0.05):
        sum(1 for _ in itertools.count())


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.sql").write_text("select 1")
    inside = tmp_path / "inside"
    inside.mkdir()
    made = project(inside, a="select 1")
    (inside / "models" / "linked").symlink_to(outside)
    (inside / "models" / "b.sql").symlink_to(outside / "secret.sql")
    assert list(Project(ProjectFiles(inside), "duckdb").models) == list(made.models) == ["a"]


@pytest.mark.parametrize(
    ("settings", "arguments", "error"),
    [
        (None, [], "error: {} has no dbt_project.yml\n"),
        ("name: x", [], "error: no dialect is read for the adapter of the project: say --dialect\n"),
        ("name: x", ["--dialect", "duckdb", "--vars", "["], "error: --vars is no mapping in YAML\n"),
    ],
)
def test_what_is_no_project_is_told(
    tmp_path: Path, settings: str | None, arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if settings is not None:
        (tmp_path / "dbt_project.yml").write_text(settings)
    assert main([str(tmp_path), *arguments]) == 3
    assert capsys.readouterr().err == error.format(tmp_path)


def test_names_of_columns_with_guessed_types_are_followed() -> None:
    sql = "SELECT a AS x, COALESCE(b, 0) AS y, CASE WHEN c THEN d ELSE 1 END AS z, UPPER(e) AS w FROM t"
    assert renamed(sql, "duckdb") == {"x": {"a"}, "y": {"b"}, "z": {"d"}}


def test_quoted_columns_of_sources_keep_their_case() -> None:
    found = used('SELECT "AdjNum", Other FROM s.t', {"s.t"}, "postgres")
    assert found == {"s.t": {"AdjNum": "", "other": ""}}
