"""A dbt project of a shop, of 50 models, and ten edits: five that change nothing, five that do.

    python -m tallystick.experiments.dataflows.shop FOLDER

writes FOLDER/old and FOLDER/new, two projects for dbt-duckdb, each with a target/manifest.json as `dbt compile` would
write it, as far as `tallystick dataflow` reads it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

SOURCES: Final = {
    "customers": "id integer, name varchar, country varchar, store_id integer, created_on date",
    "orders": "id integer, customer_id integer, store_id integer, status varchar, ordered_on date, fee integer",
    "order_items": "id integer, order_id integer, product_id integer, quantity integer, price integer",
    "products": "id integer, name varchar, category varchar, supplier_id integer, cost integer",
    "payments": "id integer, order_id integer, method varchar, amount integer, status varchar",
    "stores": "id integer, name varchar, region varchar",
    "suppliers": "id integer, name varchar, country varchar",
    "events": "id integer, customer_id integer, kind varchar, happened_on date",
}
"""The columns of the sources."""
ONE: Final = {
    "customers": "customer",
    "orders": "order",
    "order_items": "item",
    "products": "product",
    "payments": "payment",
    "stores": "store",
    "suppliers": "supplier",
    "events": "event",
}


def _staging() -> dict[str, str]:
    """A model for each source, which names its key."""
    models = {}
    for source, columns in SOURCES.items():
        names = [column.split()[0] for column in columns.split(", ")]
        listed = ", ".join(f"id as {ONE[source]}_id" if name == "id" else name for name in names)
        models[f"stg_{source}"] = f"select {listed} from {{{{ source('raw', '{source}') }}}}"
    models["stg_orders"] += " where status <> 'test' and store_id is not null"
    return models


def _kinds() -> dict[str, str]:
    """A model for each status, method and kind."""
    models = {}
    for status in ("placed", "shipped", "returned", "completed"):
        models[f"int_orders_{status}"] = f"select * from {{{{ ref('stg_orders') }}}} where status = '{status}'"
    for method in ("card", "bank", "voucher"):
        models[f"int_payments_{method}"] = (
            "select order_id, sum(amount) as paid, count(*) as payments "
            f"from {{{{ ref('stg_payments') }}}} where method = '{method}' group by order_id"
        )
    for kind in ("visit", "click", "signup"):
        models[f"int_events_{kind}"] = (
            "select customer_id, count(*) as n from {{ ref('stg_events') }} "
            f"where kind = '{kind}' group by customer_id"
        )
    return models


OTHERS: Final = {
    "int_items_priced": (
        "select item_id, order_id, product_id, quantity, quantity * price as line_total from REF(stg_order_items)"
    ),
    "int_order_totals": (
        "select order_id, sum(quantity * price) as total, count(*) as items from REF(stg_order_items) group by order_id"
    ),
    "int_order_payments": (
        "select order_id, sum(amount) as paid from REF(stg_payments) where status = 'ok' group by order_id"
    ),
    "int_refunds": "select order_id, amount from REF(stg_payments) where status = 'refunded'",
    "int_customer_orders": (
        "select customer_id, count(*) as orders, min(ordered_on) as first_on, max(ordered_on) as last_on from"
        " REF(stg_orders) group by customer_id"
    ),
    "int_latest_order": (
        "select customer_id, order_id from (select customer_id, order_id, row_number() over (partition by "
        "customer_id order by ordered_on desc, order_id desc) as place from REF(stg_orders)) where place = 1"
    ),
    "int_product_sales": (
        "select product_id, sum(quantity) as sold, sum(line_total) as revenue from REF(int_items_priced) "
        "group by product_id"
    ),
    "int_store_orders": "select store_id, count(*) as orders, sum(fee) as fees from REF(stg_orders) group by store_id",
    "int_supplier_products": (
        "select s.supplier_id, s.name, p.product_id from REF(stg_suppliers) s left join REF(stg_products) p "
        "on s.supplier_id = p.supplier_id"
    ),
    "int_unpaid_orders": (
        "select o.order_id, o.customer_id from REF(stg_orders) o left join REF(int_order_payments) p on "
        "o.order_id = p.order_id where p.order_id is null"
    ),
    "dim_customers": "select customer_id, name, country, store_id from REF(stg_customers)",
    "dim_products": (
        "select p.product_id, p.name, p.category, s.name as supplier from REF(stg_products) p left join "
        "REF(stg_suppliers) s on p.supplier_id = s.supplier_id"
    ),
    "dim_stores": "select store_id, name, region from REF(stg_stores)",
    "dim_suppliers": "select supplier_id, name, country from REF(stg_suppliers)",
    "fct_orders": (
        "select o.order_id, o.customer_id, o.store_id, o.status, t.total, p.paid from REF(stg_orders) o join "
        "REF(int_order_totals) t on o.order_id = t.order_id join REF(int_order_payments) p on o.order_id = "
        "p.order_id"
    ),
    "fct_payments": "select payment_id, order_id, method, amount from REF(stg_payments) where status = 'ok'",
    "fct_items": (
        "select i.item_id, i.order_id, i.line_total, p.category from REF(int_items_priced) i join "
        "REF(dim_products) p on i.product_id = p.product_id"
    ),
    "fct_returns": (
        "select r.order_id, r.customer_id, f.amount from REF(int_orders_returned) r left join "
        "REF(int_refunds) f on r.order_id = f.order_id"
    ),
    "mart_customer_value": (
        "select c.customer_id, c.name, coalesce(sum(f.total), 0) as value from REF(dim_customers) c left join"
        " REF(fct_orders) f on c.customer_id = f.customer_id group by c.customer_id, c.name"
    ),
    "mart_store_revenue": (
        "select s.store_id, s.name, sum(f.total) as revenue from REF(dim_stores) s left join REF(fct_orders) "
        "f on s.store_id = f.store_id group by s.store_id, s.name"
    ),
    "mart_category_sales": (
        "select category, sum(line_total) as revenue from REF(fct_items) where line_total > 10 group by category"
    ),
    "mart_countries": "select country from REF(dim_customers) union all select country from REF(dim_suppliers)",
    "mart_supplier_products": (
        "select name, count(product_id) as products from REF(int_supplier_products) group by name"
    ),
    "mart_buyers": (
        "select customer_id, name from REF(dim_customers) where customer_id in (select customer_id from "
        "REF(fct_orders))"
    ),
    "mart_daily_orders": "select ordered_on, count(*) as orders from REF(stg_orders) group by ordered_on",
    "mart_refunds": "select order_id, sum(amount) as refunded from REF(int_refunds) group by order_id",
    "mart_loyal_customers": (
        "select c.name, o.orders from REF(dim_customers) c join REF(int_customer_orders) o on c.customer_id ="
        " o.customer_id where o.orders > 3"
    ),
    "mart_funnel": (
        "select v.customer_id, v.n as visits, k.n as clicks from REF(int_events_visit) v left join "
        "REF(int_events_click) k on v.customer_id = k.customer_id"
    ),
    "mart_signups": (
        "select c.country, sum(s.n) as signups from REF(dim_customers) c join REF(int_events_signup) s on "
        "c.customer_id = s.customer_id group by c.country"
    ),
    "mart_payment_mix": (
        "select c.order_id, c.paid as card, b.paid as bank, v.paid as voucher from REF(int_payments_card) c "
        "left join REF(int_payments_bank) b on c.order_id = b.order_id left join REF(int_payments_voucher) v "
        "on c.order_id = v.order_id"
    ),
    "mart_best_orders": "select order_id, total from REF(fct_orders) order by total desc, order_id limit 10",
    "mart_shipping": (
        "select s.order_id, s.customer_id from REF(int_orders_shipped) s where not exists (select 1 from "
        "REF(int_orders_completed) c where c.order_id = s.order_id)"
    ),
}
MODELS: Final = {
    **_staging(),
    **_kinds(),
    **{name: re.sub(r"REF\((\w+)\)", r"{{ ref('\1') }}", text) for name, text in OTHERS.items()},
}
"""The models of the old version."""
HARMLESS: Final = {
    "stg_orders": (
        "-- one filter a line\nwith raw as (select * from {{ source('raw', 'orders') }})\n"
        "select id as order_id, customer_id, store_id, status, ordered_on, fee from raw\n"
        "where store_id is not null\n  and not (status = 'test')"
    ),
    "int_order_totals": (
        "select order_id, sum(line_total) as total, count(*) as items "
        "from {{ ref('int_items_priced') }} group by order_id"
    ),
    "dim_customers": "select distinct customer_id, name, country, store_id from {{ ref('stg_customers') }}",
    "fct_orders": (
        "select o.order_id, o.customer_id, o.store_id, o.status, t.total, p.paid "
        "from {{ ref('int_order_payments') }} p "
        "join {{ ref('int_order_totals') }} t on t.order_id = p.order_id "
        "join {{ ref('stg_orders') }} o on o.order_id = p.order_id"
    ),
    "mart_buyers": (
        "select c.customer_id, c.name from {{ ref('dim_customers') }} c "
        "where exists (select 1 from {{ ref('fct_orders') }} f where f.customer_id = c.customer_id)"
    ),
}
"""Edits that change nothing: layout and order of conditions, an expression moved to another model, a DISTINCT that a
test of the project makes superfluous, joins in another order, IN as EXISTS."""
HARMFUL: Final = {
    "mart_store_revenue": MODELS["mart_store_revenue"].replace("left join", "join"),
    "mart_category_sales": MODELS["mart_category_sales"].replace("> 10", ">= 10"),
    "mart_countries": MODELS["mart_countries"].replace("union all", "union"),
    "mart_supplier_products": MODELS["mart_supplier_products"].replace("count(product_id)", "count(*)"),
    "int_events_click": MODELS["int_events_click"].replace("'click'", "'tap'"),
}
"""Edits that change rows: a join that drops stores, a bound, a lost duplicate, a count of padded rows, another kind."""
KEYS: Final = {f"stg_{source}": f"{ONE[source]}_id" for source in SOURCES}
"""The columns that are tested to be unique and not NULL."""
REFERENCES: Final = (("stg_orders", "customer_id", "stg_customers", "customer_id"),)
"""Columns that are tested to refer to another."""


def projects() -> tuple[dict[str, str], dict[str, str]]:
    """The models of the old and of the new version."""
    return MODELS, {**MODELS, **HARMLESS, **HARMFUL}


def manifest(models: dict[str, str]) -> dict[str, Any]:
    """The manifest of a version, as dbt 1.10 writes it, with what `tallystick dataflow` reads."""
    nodes: dict[str, Any] = {f"model.shop.{name}": _model(name, text) for name, text in models.items()}
    for model, column in KEYS.items():
        for test in ("unique", "not_null"):
            nodes[f"test.shop.{test}_{model}_{column}"] = _test(test, model, column, [model])
    for model, column, target, field in REFERENCES:
        name = f"test.shop.relationships_{model}_{column}"
        nodes[name] = _test("relationships", model, column, [target, model], field=field)
    sources = {f"source.shop.raw.{name}": _source(name, columns) for name, columns in SOURCES.items()}
    metadata = {
        "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
        "adapter_type": "duckdb",
        "project_name": "shop",
    }
    return {"metadata": metadata, "nodes": nodes, "sources": sources, "macros": {}}


def _model(name: str, text: str) -> dict[str, Any]:
    reads = re.findall(r"ref\('(\w+)'\)", text)
    sources = re.findall(r"source\('raw', '(\w+)'\)", text)
    compiled = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r'"shop"."main"."\1"', text)
    return {
        "resource_type": "model",
        "name": name,
        "relation_name": f'"shop"."main"."{name}"',
        "raw_code": text,
        "compiled_code": re.sub(r"\{\{ source\('raw', '(\w+)'\) \}\}", r'"shop"."raw"."\1"', compiled),
        "language": "sql",
        "original_file_path": f"models/{name}.sql",
        "depends_on": {"nodes": [f"model.shop.{e}" for e in reads] + [f"source.shop.raw.{e}" for e in sources]},
        "config": {"materialized": "table"},
        "columns": {},
    }


def _test(test: str, model: str, column: str, depends: list[str], **arguments: str) -> dict[str, Any]:
    return {
        "resource_type": "test",
        "name": f"{test}_{model}_{column}",
        "attached_node": f"model.shop.{model}",
        "column_name": column,
        "depends_on": {"nodes": [f"model.shop.{each}" for each in depends]},
        "config": {"severity": "ERROR"},
        "test_metadata": {"name": test, "kwargs": {"column_name": column, **arguments}},
    }


def _source(name: str, columns: str) -> dict[str, Any]:
    typed = dict(column.split() for column in columns.split(", "))
    return {
        "resource_type": "source",
        "name": name,
        "identifier": name,
        "source_name": "raw",
        "relation_name": f'"shop"."raw"."{name}"',
        "columns": {column: {"name": column, "data_type": of} for column, of in typed.items()},
    }


def write(folder: Path, models: dict[str, str]) -> None:
    """A project for dbt-duckdb, with its manifest."""
    for name in ("models", "target"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, text in models.items():
        (folder / "models" / f"{name}.sql").write_text(f"{text}\n", encoding="utf-8")
    settings = "name: shop\nversion: '1.0'\nprofile: shop\nmodels:\n  +materialized: table\n"
    (folder / "dbt_project.yml").write_text(settings, encoding="utf-8")
    profile = "shop:\n  target: dev\n  outputs:\n    dev: {type: duckdb, path: shop.duckdb}\n"
    (folder / "profiles.yml").write_text(profile, encoding="utf-8")
    (folder / "models" / "schema.yml").write_text(json.dumps(_properties(), indent=1), encoding="utf-8")
    (folder / "target" / "manifest.json").write_text(json.dumps(manifest(models), indent=1), encoding="utf-8")


def _properties() -> dict[str, Any]:
    """The sources and tests, as dbt reads them; JSON is YAML."""
    tests: dict[str, dict[str, list[Any]]] = {model: {column: ["unique", "not_null"]} for model, column in KEYS.items()}
    for model, column, target, field in REFERENCES:
        tests[model].setdefault(column, []).append({"relationships": {"to": f"ref('{target}')", "field": field}})
    return {
        "version": 2,
        "sources": [
            {
                "name": "raw",
                "schema": "raw",
                "tables": [
                    {
                        "name": name,
                        "columns": [
                            dict(zip(("name", "data_type"), c.split(), strict=True)) for c in columns.split(", ")
                        ],
                    }
                    for name, columns in SOURCES.items()
                ],
            }
        ],
        "models": [
            {"name": model, "columns": [{"name": column, "data_tests": each} for column, each in columns.items()]}
            for model, columns in tests.items()
        ],
    }


if __name__ == "__main__":
    for side, texts in zip(("old", "new"), projects(), strict=True):
        write(Path(sys.argv[1]) / side, texts)
