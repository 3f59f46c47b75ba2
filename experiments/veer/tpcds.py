"""W1 to W4 of Veer's evaluation: TPC-DS queries 40, 18, 71 and 33 as workflows, built anew.

One operator for each condition, as Texera had no AND; a function of the user's sorts the result, as it had no Sort.
W2 is query 18 without ROLLUP, where both uses of customer_demographics read one source; W4 has the IN of query 33 as a
join. The paper's table 4 counts 17, 20, 23 and 28 operators, and 16, 20, 23 and 34 links; W3 has a link more here.
"""

from __future__ import annotations

from typing import Final

from tallystick.experiments.veer.editing import Operators, operator

SOURCES: Final = """
CREATE TABLE catalog_sales (cs_sold_date_sk INT, cs_sold_time_sk INT, cs_bill_customer_sk INT, cs_bill_cdemo_sk INT,
  cs_bill_addr_sk INT, cs_warehouse_sk INT, cs_item_sk INT NOT NULL, cs_order_number BIGINT NOT NULL, cs_quantity INT,
  cs_list_price DECIMAL(7,2), cs_sales_price DECIMAL(7,2), cs_coupon_amt DECIMAL(7,2), cs_net_profit DECIMAL(7,2),
  cs_ext_sales_price DECIMAL(7,2));
CREATE TABLE catalog_returns (cr_item_sk INT NOT NULL, cr_order_number BIGINT NOT NULL, cr_refunded_cash DECIMAL(7,2));
CREATE TABLE web_sales (ws_sold_date_sk INT, ws_sold_time_sk INT, ws_item_sk INT NOT NULL, ws_bill_addr_sk INT,
  ws_ext_sales_price DECIMAL(7,2));
CREATE TABLE store_sales (ss_sold_date_sk INT, ss_sold_time_sk INT, ss_item_sk INT NOT NULL, ss_addr_sk INT,
  ss_ext_sales_price DECIMAL(7,2));
CREATE TABLE warehouse (w_warehouse_sk INT NOT NULL, w_state STRING);
CREATE TABLE item (i_item_sk INT NOT NULL, i_item_id STRING NOT NULL, i_current_price DECIMAL(7,2), i_brand_id INT,
  i_brand STRING, i_category STRING, i_manager_id INT, i_manufact_id INT);
CREATE TABLE date_dim (d_date_sk INT NOT NULL, d_date DATE, d_year INT, d_moy INT);
CREATE TABLE time_dim (t_time_sk INT NOT NULL, t_hour INT, t_minute INT, t_meal_time STRING);
CREATE TABLE customer (c_customer_sk INT NOT NULL, c_current_cdemo_sk INT, c_current_addr_sk INT, c_birth_month INT,
  c_birth_year INT);
CREATE TABLE customer_address (ca_address_sk INT NOT NULL, ca_state STRING, ca_gmt_offset DECIMAL(5,2));
CREATE TABLE customer_demographics (cd_demo_sk INT NOT NULL, cd_gender STRING, cd_education_status STRING,
  cd_dep_count INT)
"""


def _sorted(name: str, source: str, columns: dict[str, str]) -> Operators:
    """The function that sorts a result, and the sink."""
    by = operator(name, "function", source, function="order by", rows="all", reads_as="bag", columns=columns)
    return by, operator("result", "sink", name)


W1: Final[Operators] = (
    operator("returned", "join", "catalog_sales", "catalog_returns", kind="left",
             condition="cs_order_number = cr_order_number AND cs_item_sk = cr_item_sk"),
    operator("stored", "join", "returned", "warehouse", kind="inner", condition="cs_warehouse_sk = w_warehouse_sk"),
    operator("price_from", "filter", "item", condition="i_current_price >= 0.99"),
    operator("price_to", "filter", "price_from", condition="i_current_price <= 1.49"),
    operator("of_item", "join", "stored", "price_to", kind="inner", condition="i_item_sk = cs_item_sk"),
    operator("date_from", "filter", "date_dim", condition="d_date >= DATE '2000-02-10'"),
    operator("date_to", "filter", "date_from", condition="d_date <= DATE '2000-04-10'"),
    operator("dated", "join", "of_item", "date_to", kind="inner", condition="cs_sold_date_sk = d_date_sk"),
    operator("split", "project", "dated", columns={
        "w_state": "w_state",
        "i_item_id": "i_item_id",
        "early": "CASE WHEN d_date < DATE '2000-03-11' THEN cs_sales_price - coalesce(cr_refunded_cash, 0) ELSE 0 END",
        "late": "CASE WHEN d_date >= DATE '2000-03-11' THEN cs_sales_price - coalesce(cr_refunded_cash, 0) ELSE 0 END",
    }),
    operator("sums", "aggregate", "split", keys=["w_state", "i_item_id"],
             values={"sales_before": "SUM(early)", "sales_after": "SUM(late)"}),
    *_sorted("ordered", "sums", {"w_state": "STRING", "i_item_id": "STRING", "sales_before": "DECIMAL(17,2)",
                                 "sales_after": "DECIMAL(17,2)"}),
)  # fmt: skip

W2: Final[Operators] = (
    operator("female", "filter", "customer_demographics", condition="cd_gender = 'F'"),
    operator("educated", "filter", "female", condition="cd_education_status = 'Unknown'"),
    operator("by_buyer", "join", "catalog_sales", "educated", kind="inner", condition="cs_bill_cdemo_sk = cd_demo_sk"),
    operator("of_customer", "join", "by_buyer", "customer", kind="inner",
             condition="cs_bill_customer_sk = c_customer_sk"),
    operator("now", "join", "of_customer", "customer_demographics", kind="inner",
             condition="c_current_cdemo_sk = input2.cd_demo_sk",
             columns={name: f"input1.{name}" for name in (
                 "cs_sold_date_sk", "cs_item_sk", "cs_quantity", "cs_list_price", "cs_coupon_amt", "c_birth_month",
                 "c_birth_year", "c_current_addr_sk", "cd_dep_count")}),
    operator("at_home", "join", "now", "customer_address", kind="inner",
             condition="c_current_addr_sk = ca_address_sk"),
    operator("dated", "join", "at_home", "date_dim", kind="inner", condition="cs_sold_date_sk = d_date_sk"),
    operator("of_item", "join", "dated", "item", kind="inner", condition="cs_item_sk = i_item_sk"),
    operator("born", "filter", "of_item", condition="c_birth_month IN (1, 6, 8, 9, 12, 2)"),
    operator("in_year", "filter", "born", condition="d_year = 1998"),
    operator("in_state", "filter", "in_year", condition="ca_state IN ('MS', 'IN', 'ND', 'OK', 'NM', 'VA')"),
    operator("averages", "aggregate", "in_state", keys=["i_item_id", "ca_state"],
             values={"quantity": "SUM(cs_quantity)", "price": "SUM(cs_list_price)", "coupons": "SUM(cs_coupon_amt)",
                     "born": "SUM(c_birth_year)", "dependants": "SUM(cd_dep_count)"}),
    *_sorted("ordered", "averages", {"i_item_id": "STRING", "ca_state": "STRING", "quantity": "BIGINT",
                                     "price": "DECIMAL(17,2)", "coupons": "DECIMAL(17,2)", "born": "BIGINT",
                                     "dependants": "BIGINT"}),
)  # fmt: skip


def _channel(name: str, table: str, prefix: str) -> Operators:
    """The sales of a channel in W3, in the form that all channels have."""
    joined = operator(f"{name}_dated", "join", table, "days", kind="inner",
                      condition=f"{prefix}_sold_date_sk = d_date_sk")  # fmt: skip
    columns = {
        "ext_price": f"{prefix}_ext_sales_price",
        "sold_item_sk": f"{prefix}_item_sk",
        "time_sk": f"{prefix}_sold_time_sk",
    }
    return joined, operator(name, "project", joined.name, columns=columns)


W3: Final[Operators] = (
    operator("november", "filter", "date_dim", condition="d_moy = 11"),
    operator("in_year", "filter", "november", condition="d_year = 1999"),
    operator("days", "replicate", "in_year"),
    *_channel("web", "web_sales", "ws"),
    *_channel("catalog", "catalog_sales", "cs"),
    *_channel("store", "store_sales", "ss"),
    operator("sold", "union", "web", "catalog", "store"),
    operator("managed", "filter", "item", condition="i_manager_id = 1"),
    operator("of_item", "join", "managed", "sold", kind="inner", condition="sold_item_sk = i_item_sk"),
    operator("at_meals", "filter", "time_dim", condition="t_meal_time = 'breakfast' OR t_meal_time = 'dinner'"),
    operator("timed", "join", "of_item", "at_meals", kind="inner", condition="time_sk = t_time_sk"),
    operator("sums", "aggregate", "timed", keys=["i_brand", "i_brand_id", "t_hour", "t_minute"],
             values={"price": "SUM(ext_price)"}),
    *_sorted("ordered", "sums", {"i_brand": "STRING", "i_brand_id": "INT", "t_hour": "INT", "t_minute": "INT",
                                 "price": "DECIMAL(17,2)"}),
)  # fmt: skip


def _manufacturers(name: str, table: str, prefix: str, address: str) -> Operators:
    """The sales of a channel in W4, by manufacturer."""
    return (
        operator(f"{name}_dated", "join", table, "in_year", kind="inner",
                 condition=f"{prefix}_sold_date_sk = d_date_sk"),
        operator(f"{name}_there", "join", f"{name}_dated", "in_zone", kind="inner",
                 condition=f"{address} = ca_address_sk"),
        operator(f"{name}_items", "join", f"{name}_there", "made", kind="inner",
                 condition=f"{prefix}_item_sk = i_item_sk"),
        operator(name, "aggregate", f"{name}_items", keys=["i_manufact_id"],
                 values={"total": f"SUM({prefix}_ext_sales_price)"}),
    )  # fmt: skip


W4: Final[Operators] = (
    operator("electronics", "filter", "item", condition="i_category = 'Electronics'"),
    operator("makers", "project", "electronics", columns={"maker": "i_manufact_id"}),
    operator("made", "join", "item", "makers", kind="inner", condition="i_manufact_id = maker"),
    operator("may", "filter", "date_dim", condition="d_moy = 5"),
    operator("in_year", "filter", "may", condition="d_year = 1998"),
    operator("in_zone", "filter", "customer_address", condition="ca_gmt_offset = -5"),
    *_manufacturers("store", "store_sales", "ss", "ss_addr_sk"),
    *_manufacturers("catalog", "catalog_sales", "cs", "cs_bill_addr_sk"),
    *_manufacturers("web", "web_sales", "ws", "ws_bill_addr_sk"),
    operator("sold", "union", "store", "catalog", "web"),
    operator("sums", "aggregate", "sold", keys=["i_manufact_id"], values={"total_sales": "SUM(total)"}),
    *_sorted("ordered", "sums", {"i_manufact_id": "INT", "total_sales": "DECIMAL(27,2)"}),
)  # fmt: skip
