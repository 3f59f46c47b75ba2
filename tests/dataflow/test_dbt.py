"""Projects of dbt: what their models are, which tests are assumed, and the shop of 50 models with ten edits."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tallystick.certificates.audit import audit
from tallystick.dataflow.comparing import compared
from tallystick.dataflow.history import History
from tallystick.dataflow.reading import read_versions
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import Change, DataflowVerdict
from tallystick.experiments.dataflows.shop import HARMFUL, HARMLESS, MODELS, manifest, projects, write
from tallystick.frontends.errors import SourceError

REACHED = {*HARMFUL, "mart_funnel"}
"""The models that the harmful edits change."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    for side, models in zip(("old", "new"), projects(), strict=True):
        write(folder / side, models)
    return folder


def compare(folder: Path, **options: Any) -> DataflowVerdict:
    return compared(read_versions(folder / "old", folder / "new"), limits=SweepLimits(searching=0.5), **options)


def test_of_ten_edits_five_are_certified_to_change_nothing_and_five_have_witnesses(shop: Path, tmp_path: Path) -> None:
    verdict = compare(shop, history=History(tmp_path))
    assert len(MODELS) == len(verdict.wires) == 50
    assert {wire.name for wire in verdict.wires if wire.change is Change.CHANGED} == REACHED
    assert {wire.name for wire in verdict.wires if wire.change is Change.UNCHANGED} == set(MODELS) - REACHED
    assert all(verdict.of(name).difference is not None for name in REACHED)
    assert all(verdict.of(name).cut is not None for name in HARMLESS)
    assert verdict.certificate is not None
    assert audit(verdict.certificate).accepted
    again = compare(shop, history=History(tmp_path))
    assert again.calls == 0
    assert [wire.change for wire in again.wires] == [wire.change for wire in verdict.wires]
    back = read_versions(shop / "new", shop / "old")
    undone = compared(back, limits=SweepLimits(searching=0.5), history=History(tmp_path))
    assert {undone.of(name).computed_by for name in REACHED} == {1}


def test_the_same_project_twice_gives_the_same_certificate(shop: Path) -> None:
    pair = read_versions(shop / "old", shop / "old")
    assert compared(pair).certificate == compared(read_versions(shop / "old", shop / "old")).certificate


SHOP_OF_ONE = {name: MODELS[name] for name in ("stg_orders", "stg_customers", "int_store_orders")}


def changed(
    tmp_path: Path,
    old: Callable[[dict[str, Any]], None],
    new: Callable[[dict[str, Any]], None],
    models: dict[str, str] | None = None,
) -> DataflowVerdict:
    """The verdict about two manifests of a small shop, each changed by a function."""
    for side, change in (("old", old), ("new", new)):
        made = copy.deepcopy(manifest(models or SHOP_OF_ONE))
        known = set(models or SHOP_OF_ONE)
        kept = {
            of: node
            for of, node in made["nodes"].items()
            if of.startswith("model") or node["attached_node"][11:] in known
        }
        made["nodes"] = kept
        change(made)
        (tmp_path / side).mkdir()
        (tmp_path / side / "manifest.json").write_text(json.dumps(made))
    return compared(read_versions(tmp_path / "old", tmp_path / "new"), limits=SweepLimits(searching=0.3))


def nothing(made: dict[str, Any]) -> None:
    """No change."""


def node(made: dict[str, Any], name: str) -> dict[str, Any]:
    return made["nodes"][f"model.shop.{name}"]


def text(name: str, sql: str) -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        node(made, name)["compiled_code"] = node(made, name)["raw_code"] = sql

    return change


def both(*changes: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        for each in changes:
            each(made)

    return change


ORDERS = 'select id as order_id, customer_id, store_id, status, ordered_on, fee from "shop"."raw"."orders"'
DISTINCT = text("int_store_orders", 'select distinct * from "shop"."main"."stg_orders"')
ALL = text("int_store_orders", 'select * from "shop"."main"."stg_orders"')


def test_a_unique_test_rules_a_difference_out(tmp_path: Path) -> None:
    assert changed(tmp_path, ALL, DISTINCT).of("int_store_orders").change is Change.UNCHANGED


@pytest.mark.parametrize(
    "config",
    [
        {"severity": "warn"},
        {"where": "fee > 0"},
        {"limit": 10},
        {"error_if": ">10"},
        {"enabled": False},
        {"fail_calc": "case when count(*) > 10 then 1 else 0 end"},
    ],
)
def test_a_test_that_may_fail_is_not_assumed(tmp_path: Path, config: dict[str, Any]) -> None:
    def weaken(made: dict[str, Any]) -> None:
        for each in made["nodes"].values():
            if each["resource_type"] == "test":
                each["config"] = config

    assert changed(tmp_path, both(ALL, weaken), both(DISTINCT, weaken)).of("int_store_orders").change is Change.CHANGED


def materialized(how: str, raw: str = "") -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        node(made, "stg_orders")["config"]["materialized"] = how
        node(made, "stg_orders")["raw_code"] += raw

    return change


HARMLESS_ORDERS = text("stg_orders", f"{ORDERS} where store_id is not null and not status = 'test'")


def test_an_incremental_model_whose_runs_are_equal_is_unchanged(tmp_path: Path) -> None:
    how = materialized("incremental")
    verdict = changed(tmp_path, how, both(HARMLESS_ORDERS, how))
    assert {wire.change for wire in verdict.wires} == {Change.UNCHANGED}
    assert any("earlier runs" in each.value for each in verdict.pair.certificate().assumptions)


def test_an_incremental_model_whose_runs_differ_is_not_called_changed(tmp_path: Path) -> None:
    how = materialized("incremental")
    verdict = changed(tmp_path, how, both(text("stg_orders", ORDERS), how))
    assert verdict.of("stg_orders: what a run adds").change is Change.CHANGED
    assert verdict.of("stg_orders").change is verdict.of("int_store_orders").change is Change.UNKNOWN


def test_an_incremental_model_that_looks_at_itself_is_known_by_its_text(tmp_path: Path) -> None:
    how = materialized("incremental", "{% if is_incremental() %} where 1 = 1 {% endif %}")
    verdict = changed(tmp_path, how, both(HARMLESS_ORDERS, how))
    assert verdict.of("stg_orders").change is Change.UNKNOWN
    (tmp_path / "same").mkdir()
    assert changed(tmp_path / "same", how, both(how)).exit_status == 0


def test_another_materialisation_is_unknown(tmp_path: Path) -> None:
    assert changed(tmp_path, nothing, materialized("incremental")).of("stg_orders").change is Change.UNKNOWN
    (tmp_path / "view").mkdir()
    assert changed(tmp_path / "view", nothing, materialized("view")).exit_status == 0


def test_hooks_snapshots_and_python_are_known_by_their_texts(tmp_path: Path) -> None:
    def hook(sql: str) -> Callable[[dict[str, Any]], None]:
        def change(made: dict[str, Any]) -> None:
            node(made, "stg_orders")["config"]["post-hook"] = [{"sql": sql}]

        return change

    def python(code: str) -> Callable[[dict[str, Any]], None]:
        def change(made: dict[str, Any]) -> None:
            node(made, "stg_orders").update(language="python", raw_code=code, compiled_code=code)

        return change

    for number, (one, other) in enumerate(((hook("delete from x"), hook("delete from y")), (python("a"), python("b")))):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}-same").mkdir()
        assert changed(tmp_path / f"{number}", one, other).of("stg_orders").change is Change.UNKNOWN
        assert changed(tmp_path / f"{number}-same", one, one).exit_status == 0


def orders(config: dict[str, Any], raw: str = "", **fields: Any) -> Callable[[dict[str, Any]], None]:
    """Settings, a longer raw text and other fields of a model."""

    def change(made: dict[str, Any]) -> None:
        its = node(made, "stg_orders")
        its["config"].update(config)
        its["raw_code"] += raw
        its.update(fields)

    return change


def macro(name: str, sql: str, of: str = "shop") -> Callable[[dict[str, Any]], None]:
    """A macro of a package, which a model calls."""

    def change(made: dict[str, Any]) -> None:
        made["macros"][f"macro.{of}.{name}"] = {"name": name, "macro_sql": sql, "depends_on": {"macros": []}}
        node(made, "stg_orders")["depends_on"]["macros"] = [f"macro.{of}.{name}"]

    return change


def contract(type_: str) -> Callable[[dict[str, Any]], None]:
    return orders({"contract": {"enforced": True}}, columns={"fee": {"name": "fee", "data_type": type_}})


def parents_of_batches(column: str) -> Callable[[dict[str, Any]], None]:
    """A model that is filled in batches of what it reads by this column."""

    def change(made: dict[str, Any]) -> None:
        made["sources"]["source.shop.raw.orders"]["config"] = {"event_time": column}
        node(made, "stg_orders")["depends_on"]["nodes"] = ["source.shop.raw.orders"]
        node(made, "stg_orders")["config"] |= {**INCREMENTAL, "incremental_strategy": "microbatch"}

    return change


INCREMENTAL = {"materialized": "incremental"}
LATER = "{% if is_incremental() %} where ordered_on > current_date - DAYS {% endif %}"
HEADER = "{% call set_sql_header(config) %} set x = 1 {% endcall %}"
RUNS = "{% do run_query('delete from a') %}"
OWN = "{% materialization table, default %} ROWS {% endmaterialization %}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (contract("numeric(10,2)"), contract("numeric(10,4)")),
        (orders({"sql_header": "set x = 1"}), orders({"sql_header": "set x = 2"})),
        (orders({"pre_hook": "delete from a"}), orders({"pre_hook": "delete from b"})),
        (
            orders({**INCREMENTAL, "incremental_predicates": ["a"]}),
            orders({**INCREMENTAL, "incremental_predicates": ["b"]}),
        ),
        (
            orders({"check_cols": ["fee"]}, resource_type="snapshot"),
            orders({"check_cols": ["status"]}, resource_type="snapshot"),
        ),
        (
            orders(INCREMENTAL, "-- {% set DAYS = 1 %}\n" + LATER),
            orders(INCREMENTAL, "-- {% set DAYS = 2 %}\n" + LATER),
        ),
        (
            orders(INCREMENTAL, LATER.replace("is_incremental()", "load_relation(model)")),
            orders(INCREMENTAL, LATER.replace("is_incremental()", "not load_relation(model)")),
        ),
        (
            both(orders(INCREMENTAL, "{{ later() }}"), macro("later", LATER.replace("DAYS", "1"))),
            both(orders(INCREMENTAL, "{{ later() }}"), macro("later", LATER.replace("DAYS", "2"))),
        ),
        (
            macro("materialization_table_default", OWN),
            macro("materialization_table_default", OWN.replace("ROWS", "LIMIT")),
        ),
        (
            both(orders({"materialized": "merged"}), macro("materialization_merged_default", OWN)),
            both(orders({"materialized": "merged"}), macro("materialization_merged_default", OWN * 2)),
        ),
        (macro("prepare", HEADER), macro("prepare", HEADER.replace("1", "2"))),
        (parents_of_batches("ordered_on"), parents_of_batches("shipped_on")),
        (orders({"limit": 1}, compiled_code=None), orders({"limit": 2}, compiled_code=None)),
        (orders({"limit": 1}, language="python"), orders({"limit": 2}, language="python")),
    ],
)
def test_settings_and_macros_on_which_rows_may_hang_are_told_apart(
    tmp_path: Path, old: Callable[[dict[str, Any]], None], new: Callable[[dict[str, Any]], None]
) -> None:
    for side, one, other, change in (("same", old, old, Change.UNCHANGED), ("other", old, new, Change.UNKNOWN)):
        (tmp_path / side).mkdir()
        assert changed(tmp_path / side, one, other).of("stg_orders").change is change


@pytest.mark.parametrize("asked", ["var('days')", "env_var('DAYS')", "target.name", "run_query('select 1')"])
def test_what_a_manifest_does_not_say_is_never_the_same(tmp_path: Path, asked: str) -> None:
    for number, change in enumerate(
        (
            orders(INCREMENTAL, LATER.replace("DAYS", f"{{{{ {asked} }}}}")),
            orders({"post-hook": [{"sql": f"delete from x where a < {{{{ {asked} }}}}"}]}),
            orders({}, f"{{{{ {asked} }}}}", compiled_code=None),
        )
    ):
        (tmp_path / f"{number}").mkdir()
        assert changed(tmp_path / f"{number}", change, change).of("stg_orders").change is Change.UNKNOWN


@pytest.mark.parametrize("setting", ["tags", "docs", "group"])
def test_settings_on_which_no_rows_hang_change_nothing(tmp_path: Path, setting: str) -> None:
    old, new = (orders({**INCREMENTAL, setting: said}) for said in ("a", "b"))
    assert changed(tmp_path, old, new).exit_status == 0


def seed(checksum: str) -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        made["nodes"]["seed.shop.rates"] = {
            "resource_type": "seed",
            "name": "rates",
            "relation_name": '"shop"."main"."rates"',
            "checksum": {"name": "sha256", "checksum": checksum},
            "columns": {"id": {"name": "id", "data_type": "integer"}},
        }
        node(made, "int_store_orders")["compiled_code"] = 'select id + 0 as id from "shop"."main"."rates"'
        node(made, "int_store_orders")["depends_on"]["nodes"] = ["seed.shop.rates"]

    return change


def test_a_seed_whose_file_was_changed_is_unknown_and_so_is_what_reads_it(tmp_path: Path) -> None:
    verdict = changed(tmp_path, seed("1"), seed("2"))
    assert verdict.of("rates").change is verdict.of("int_store_orders").change is Change.UNKNOWN
    assert "its file was changed" in verdict.of("rates").reason
    (tmp_path / "same").mkdir()
    plain = text("int_store_orders", 'select id from "shop"."main"."rates"')
    assert (
        changed(tmp_path / "same", seed("1"), both(seed("1"), plain)).of("int_store_orders").change is Change.UNCHANGED
    )


def test_hooks_of_a_seed_are_part_of_it(tmp_path: Path) -> None:
    def hooked(sql: str) -> Callable[[dict[str, Any]], None]:
        def change(made: dict[str, Any]) -> None:
            made["nodes"]["seed.shop.rates"]["config"] = {"post-hook": [{"sql": sql}]}

        return both(seed("1"), change)

    for number, (old, new, found) in enumerate(
        (
            (hooked("delete from a"), hooked("delete from a"), Change.UNCHANGED),
            (hooked("delete from a"), hooked("delete from b"), Change.UNKNOWN),
            (seed("1"), hooked("delete from a"), Change.UNKNOWN),
            (hooked("delete from {{ var('x') }}"), hooked("delete from {{ var('x') }}"), Change.UNKNOWN),
        )
    ):
        (tmp_path / f"{number}").mkdir()
        assert changed(tmp_path / f"{number}", old, new).of("int_store_orders").change is found


def beside(group: str, of: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    """Something of a project that is no model."""

    def change(made: dict[str, Any]) -> None:
        made["macros"]["macro.dbt.create_table_as"] = {"name": "create_table_as", "macro_sql": ""}
        made.setdefault(group, {})[of] = {"name": of.split(".")[2], "columns": {}, **fields}

    return change


@pytest.mark.parametrize(
    ("group", "of", "text_of", "kind"),
    [
        ("nodes", "operation.shop.shop-on-run-end-0", "raw_code", {"resource_type": "operation"}),
        ("functions", "function.shop.scale", "raw_code", {"resource_type": "function"}),
        ("macros", "macro.shop.create_table_as", "macro_sql", {}),
        ("macros", "macro.shop.duckdb__create_table_as", "macro_sql", {}),
    ],
)
def test_what_changes_tables_beside_the_models_has_to_be_the_same(
    tmp_path: Path, group: str, of: str, text_of: str, kind: dict[str, str]
) -> None:
    one, other = (beside(group, of, **kind, **{text_of: said}) for said in ("delete from a", "delete from b"))
    (tmp_path / "same").mkdir()
    assert changed(tmp_path / "same", one, one).exit_status == 0
    for number, (old, new) in enumerate(((one, other), (nothing, one), (one, nothing))):
        (tmp_path / f"{number}").mkdir()
        verdict = changed(tmp_path / f"{number}", old, new)
        assert {wire.change for wire in verdict.wires} == {Change.UNKNOWN}
        assert f"{of} was changed, which may change the rows of any model" in verdict.of("stg_orders").reason


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({"tags": ["a"]}, {"tags": ["b"]}, Change.UNCHANGED),
        ({"cluster_by": "id"}, {"cluster_by": "fee"}, Change.UNCHANGED),
        ({"partition_expiration_days": 1}, {"partition_expiration_days": 1}, Change.UNCHANGED),
        ({}, {"partition_expiration_days": None}, Change.UNCHANGED),
        ({}, {"partition_expiration_days": 1}, Change.UNKNOWN),
        ({"target_lag": "1 hour"}, {"target_lag": "1 day"}, Change.UNKNOWN),
        ({"auto_refresh": True}, {"auto_refresh": False}, Change.UNKNOWN),
        ({"hours_to_expiration": 1}, {}, Change.UNKNOWN),
    ],
)
def test_a_setting_of_which_it_is_not_known_that_no_rows_hang_on_it(
    tmp_path: Path, old: dict[str, Any], new: dict[str, Any], found: Change
) -> None:
    wire = changed(tmp_path, orders(old), orders(new)).of("stg_orders")
    assert wire.change is found
    if found is Change.UNKNOWN:
        [setting] = {*old, *new}
        assert f"its setting {setting} was changed" in wire.reason


def test_packages_are_part_of_a_model_in_python(tmp_path: Path) -> None:
    old, new = (orders({"packages": [each]}, language="python") for each in ("a==1", "a==2"))
    assert changed(tmp_path, old, new).of("stg_orders").change is Change.UNKNOWN


def test_a_model_whose_macros_run_statements_is_not_its_query_alone(tmp_path: Path) -> None:
    for number, (sql, found) in enumerate(((RUNS, Change.UNKNOWN), ("{{ run_query('select 1') }}", Change.UNCHANGED))):
        (tmp_path / f"{number}").mkdir()
        assert changed(tmp_path / f"{number}", nothing, macro("prepare", sql)).of("stg_orders").change is found


def test_other_macros_may_change(tmp_path: Path) -> None:
    other = beside("macros", "macro.shop.cents", macro_sql="{{ 1 }}")
    assert changed(tmp_path, nothing, other).exit_status == 0


def test_a_test_of_the_projects_own_is_not_assumed(tmp_path: Path) -> None:
    def own(made: dict[str, Any]) -> None:
        for each in made["nodes"].values():
            if each["resource_type"] == "test":
                each["depends_on"]["macros"] = ["macro.shop.test_unique"]

    assert changed(tmp_path, both(ALL, own), both(DISTINCT, own)).of("int_store_orders").change is Change.CHANGED


def test_a_model_that_is_not_compiled_says_so(tmp_path: Path) -> None:
    def uncompiled(made: dict[str, Any]) -> None:
        node(made, "stg_orders").pop("compiled_code")

    verdict = changed(tmp_path, nothing, uncompiled)
    assert "run dbt compile" in verdict.of("stg_orders").reason


def test_sources_without_types_leave_models_opaque(tmp_path: Path) -> None:
    def untyped(made: dict[str, Any]) -> None:
        for source in made["sources"].values():
            source["columns"] = {}

    verdict = changed(tmp_path, untyped, both(HARMLESS_ORDERS, untyped))
    assert verdict.of("stg_orders").change is Change.UNKNOWN
    assert verdict.of("stg_customers").change is Change.UNCHANGED
    schema = "CREATE TABLE orders (id int, customer_id int, store_id int, status text, ordered_on date, fee int)"
    pair = read_versions(tmp_path / "old", tmp_path / "new", schema=schema)
    assert compared(pair).of("stg_orders").change is Change.UNCHANGED


@pytest.mark.parametrize("version", ["v10", "v11", "v12"])
def test_manifests_of_three_versions_are_read(tmp_path: Path, version: str) -> None:
    def of(made: dict[str, Any]) -> None:
        made["metadata"]["dbt_schema_version"] = f"https://schemas.getdbt.com/dbt/manifest/{version}.json"

    assert changed(tmp_path, of, of).exit_status == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "the file is no JSON: "),
        ("[]", "the file is no JSON object"),
        ("{}", "the file is no manifest of dbt; manifests of the versions 10 to 12 are read"),
        ('{"metadata": {"dbt_schema_version": "x/v9.json"}}', "the file is of the version v9"),
        ('{"metadata": {"dbt_schema_version": "x/v1².json"}}', "the file is of the version v1²"),
        (f'{{"metadata": {{"dbt_schema_version": "x/v{"1" * 5000}.json"}}}}', "the file is of the version v111"),
        ('{"metadata": {"dbt_schema_version": "x/v12.json"}}', "the manifest has no nodes"),
        ('{"metadata": 3}', "'metadata' is not an object"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(SourceError, match=message):
        read_versions(tmp_path, tmp_path)


def reading(name: str, *of: str) -> Callable[[dict[str, Any]], None]:
    def change(made: dict[str, Any]) -> None:
        node(made, name)["depends_on"]["nodes"] += [f"model.shop.{each}" for each in of]

    return change


def test_models_in_a_circle_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"in a circle: .*int_store_orders reads stg_orders"):
        changed(tmp_path, nothing, reading("stg_orders", "int_store_orders"))


def test_a_source_that_is_gone_leaves_its_readers_unknown(tmp_path: Path) -> None:
    def gone(made: dict[str, Any]) -> None:
        del made["sources"]["source.shop.raw.orders"]

    found = changed(tmp_path, nothing, gone)
    assert found.of("stg_customers").change is Change.UNCHANGED
    assert found.of("stg_orders").change is Change.UNKNOWN
    assert "there is no table shop.raw.orders in the schema" in found.of("stg_orders").reason
    assert "it reads stg_orders, whose columns are not known" in found.of("int_store_orders").reason


def test_a_model_that_does_not_parse_is_unknown_alone(tmp_path: Path) -> None:
    found = changed(tmp_path, nothing, text("int_store_orders", "selec * frm stg_orders"))
    changes = {wire.name: wire.change for wire in found.wires}
    assert changes.pop("int_store_orders") is Change.UNKNOWN
    assert set(changes.values()) == {Change.UNCHANGED}


def test_a_renamed_model_and_its_readers_are_the_same(tmp_path: Path) -> None:
    def renamed(made: dict[str, Any]) -> None:
        data = json.loads(json.dumps(made).replace("stg_orders", "stg_sales"))
        made.clear()
        made.update(data)

    found = changed(tmp_path, nothing, renamed)
    assert found.of("stg_sales").is_renamed
    assert found.of("stg_sales").old == "stg_orders"
    assert found.of("int_store_orders").change is Change.UNCHANGED


def test_versions_of_two_dialects_are_refused(tmp_path: Path) -> None:
    def postgres(made: dict[str, Any]) -> None:
        made["metadata"]["adapter_type"] = "postgres"

    with pytest.raises(SourceError, match="the versions are of two dialects: duckdb and postgres"):
        changed(tmp_path, nothing, postgres)
    pair = read_versions(tmp_path / "old", tmp_path / "new", dialect="duckdb")
    assert compared(pair).exit_status == 0


def test_an_adapter_without_a_dialect_is_named(tmp_path: Path) -> None:
    def trino(made: dict[str, Any]) -> None:
        made["metadata"]["adapter_type"] = "trino"

    with pytest.raises(SourceError, match="the dialect of the adapter trino is not known"):
        changed(tmp_path, trino, trino)


@pytest.mark.slow
def test_beside_what_dbt_itself_flags(shop: Path, tmp_path: Path) -> None:
    """dbt, in an environment of its own: its manifests give the same verdicts, and `state:modified+` flags 26 models,
    of which 6 change."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [environment / "bin" / "pip", "install", "--quiet", "dbt-core~=1.10.0", "dbt-duckdb~=1.10.0"]
    subprocess.run(pip, check=True, capture_output=True)

    def dbt(side: str, *arguments: str) -> str:
        command = [environment / "bin" / "dbt", "--no-send-anonymous-usage-stats", "--quiet", *arguments]
        place = ["--profiles-dir", ".", "--target-path", str(tmp_path / arguments[0] / side)]
        done = subprocess.run([*command, *place], cwd=shop / side, check=True, capture_output=True, text=True)
        return done.stdout

    for side in ("old", "new"):
        dbt(side, "compile")
    state = str(tmp_path / "compile" / "old")
    listed = dbt("new", "ls", "--select", "state:modified+", "--state", state, "--resource-type", "model")
    flagged = {line.rpartition(".")[2] for line in listed.split()}
    verdict = compare(tmp_path / "compile")
    answered = {wire.name for wire in verdict.wires if wire.needs_rebuild}
    assert answered == REACHED
    assert flagged >= answered
    assert len(flagged) == 26


def _at(place: str) -> Callable[[dict[str, Any]], None]:
    """The orders are at another place of the database, and the texts read them there."""

    def change(made: dict[str, Any]) -> None:
        known = json.loads(json.dumps(made).replace('\\"shop\\".\\"raw\\".\\"orders\\"', place.replace('"', '\\"')))
        made.clear()
        made.update(known)

    return change


@pytest.mark.parametrize("place", ['"shop"."raw"."orders_v2"', '"shop"."raw_of_2024"."orders"'])
def test_a_source_at_another_place_of_the_database_is_another_table(tmp_path: Path, place: str) -> None:
    assert changed(tmp_path, nothing, _at(place)).of("stg_orders").change is not Change.UNCHANGED


def test_a_source_that_is_quoted_otherwise_is_the_same_table(tmp_path: Path) -> None:
    assert changed(tmp_path, nothing, _at("shop.raw.orders")).of("stg_orders").change is Change.UNCHANGED


def _as_seed(checksum: dict[str, str], **config: str) -> Callable[[dict[str, Any]], None]:
    """The orders are a seed."""

    def change(made: dict[str, Any]) -> None:
        [of] = [each for each in made["sources"] if each.endswith(".orders")]
        source = made["sources"].pop(of)
        seed = {"resource_type": "seed", "name": "orders", "checksum": checksum, "config": config}
        made["nodes"]["seed.shop.orders"] = {**source, **seed}
        node(made, "stg_orders")["depends_on"]["nodes"] = ["seed.shop.orders"]

    return change


KNOWN, LARGE = {"name": "sha256", "checksum": "1"}, {"name": "path", "checksum": "seeds/orders.csv"}


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (_as_seed(KNOWN), _as_seed(KNOWN, delimiter=""), True),
        (_as_seed(KNOWN), _as_seed(KNOWN, delimiter=";"), False),
        (_as_seed(LARGE), _as_seed(LARGE), False),
    ],
)
def test_a_seed_is_the_same_if_its_file_is_and_is_read_alike(tmp_path: Path, old: Any, new: Any, same: bool) -> None:
    found = changed(tmp_path, old, new).of("stg_orders").change
    assert (found is Change.UNCHANGED) == same
