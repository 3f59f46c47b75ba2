"""A shop: tables, and queries that between them have what plans are made of."""

from __future__ import annotations

from tallystick.frontends.catalyst.reading import SourceColumn, SourceTable
from tallystick.frontends.catalyst.types import BOOL, DAY, DOUBLE, INT, LONG, STRING, decimal


def _table(name: str, *columns: SourceColumn, keys: tuple[tuple[int, ...], ...] = (), **more) -> SourceTable:
    return SourceTable(name, columns, keys, **more)


TABLES = (
    _table(
        "customer",
        SourceColumn("id", INT, False),
        SourceColumn("name", STRING, True),
        SourceColumn("city", STRING, True),
        SourceColumn("balance", decimal(7, 2), True),
        keys=((0,),),
    ),
    _table(
        "orders",
        SourceColumn("id", LONG, False),
        SourceColumn("customer", INT, True),
        SourceColumn("day", DAY, True),
        SourceColumn("total", decimal(10, 0), True),
        SourceColumn("paid", BOOL, True),
        keys=((0,),),
        foreign_keys=(((1,), "customer", (0,)),),
    ),
    _table(
        "item",
        SourceColumn("ordered", LONG, True),
        SourceColumn("product", STRING, True),
        SourceColumn("number", INT, True),
        SourceColumn("price", decimal(7, 2), True),
        SourceColumn("weight", DOUBLE, True),
    ),
)

QUERIES = {
    "filter": "SELECT id, name FROM customer WHERE balance > 1 AND city <> 'a'",
    "between": "SELECT id FROM orders WHERE total BETWEEN 1.5 AND 3.5 OR day BETWEEN DATE '2000-01-01' AND "
    "DATE '2000-01-01' + INTERVAL '1' YEAR",
    "never": "SELECT id FROM orders WHERE total BETWEEN 0.2 AND 0.8",
    "days": "SELECT id, day + INTERVAL 60 DAYS AS later, year(day) AS y, month(day), date_add(day, 3), "
    "datediff(day, DATE '1970-01-02'), add_months(day, 1), last_day(day), trunc(day, 'MM') FROM orders",
    "moments": "SELECT id FROM orders WHERE year(CAST(day AS TIMESTAMP)) = 2000 AND month(day) = 2 "
    "AND year(day) = 2000 AND CAST(day AS TIMESTAMP) < '2000-03-01 10:30:00' "
    "AND CAST(day AS TIMESTAMP_NTZ) >= '2000-01-02'",
    "texts": "SELECT upper(name), substr(name, 1, 2), concat(name, '-', city), length(city), name || city, "
    "lower(city), trim(name), substr(name, -2), substr(name, 0, 1) FROM customer",
    "like": "SELECT id FROM customer WHERE name LIKE 'a%' OR name LIKE '%b' OR city LIKE '%a%' OR city LIKE 'a%b' "
    "OR name LIKE '_b%' OR name LIKE 'ab' OR name LIKE '%'",
    "in": "SELECT id, city IN ('a', 'b', NULL), balance IN (1, 2.5) FROM customer WHERE id NOT IN (3, 4)",
    "in set": "SELECT id FROM item JOIN orders ON ordered = id WHERE number IN "
    "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13) AND price NOT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5)",
    "case": "SELECT id, CASE WHEN balance > 1 THEN 'rich' WHEN balance IS NULL THEN name ELSE 'poor' END, "
    "coalesce(balance, 0), nullif(id, 1), if(city = 'a', 1, 2), nvl(name, city), greatest(id, 2), least(balance, 1) "
    "FROM customer",
    "decimals": "SELECT price * number, price + balance, price - 0.5, price * price, round(price, 1), abs(price), "
    "-price, CAST(price AS INT), CAST(price AS DECIMAL(9, 3)), CAST(price AS DOUBLE), floor(price), ceil(price), "
    "round(price, -1), price % 0.3 FROM item JOIN customer ON number = id",
    "division": "SELECT id, price / 3, balance / 0.7, total / 7, 5 / 2, total div 3, id % 3 "
    "FROM orders JOIN item ON ordered = id JOIN customer USING (id)",
    "many digits": "SELECT price * price * price * price * price * price AS p6, "
    "CAST(price AS DECIMAL(38, 10)) / 3 AS third, CAST(price AS DECIMAL(38, 10)) + 1 AS more FROM item",
    "doubles": "SELECT weight + 1, weight * 2, weight / 4, sum(weight) OVER (PARTITION BY product) FROM item "
    "WHERE weight > 0.5",
    "left join": "SELECT c.id, o.total FROM customer c LEFT JOIN orders o ON c.id = o.customer AND o.paid "
    "WHERE o.total > 1 OR o.id IS NULL",
    "left join filtered": "SELECT c.name FROM customer c LEFT JOIN orders o ON c.id = o.customer WHERE o.total = 2",
    "full join": "SELECT c.id, o.id FROM customer c FULL JOIN orders o ON c.id = o.customer",
    "right join": "SELECT c.id, o.id FROM customer c RIGHT JOIN orders o ON c.id = o.customer",
    "using": "SELECT * FROM customer JOIN orders USING (id)",
    "natural": "SELECT id, name, total FROM customer NATURAL FULL JOIN orders",
    "semi": "SELECT id FROM customer LEFT SEMI JOIN orders ON customer.id = customer",
    "self join": "SELECT a.id, b.id FROM orders a JOIN orders b ON a.customer = b.customer AND a.id < b.id",
    "exists": "SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders WHERE customer = c.id AND total > 1)",
    "not exists": "SELECT id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer = c.id)",
    "exists or": "SELECT id FROM customer c WHERE city = 'a' OR EXISTS (SELECT 1 FROM orders WHERE customer = c.id)",
    "in query": "SELECT id FROM customer WHERE id IN (SELECT customer FROM orders WHERE paid)",
    "not in query": "SELECT id FROM customer WHERE id NOT IN (SELECT customer FROM orders WHERE total > 1)",
    "scalar": "SELECT id FROM orders WHERE total > (SELECT avg(total) FROM orders)",
    "correlated": "SELECT id FROM orders o WHERE total > (SELECT 1.2 * avg(total) FROM orders i "
    "WHERE i.customer = o.customer)",
    "count bug": "SELECT id, (SELECT count(*) FROM orders o WHERE o.customer = c.id) AS n FROM customer c",
    "count by group": "SELECT id, (SELECT count(*) FROM orders o WHERE o.customer = c.id GROUP BY o.customer) AS n "
    "FROM customer c",
    "several scalars": "SELECT CASE WHEN (SELECT count(*) FROM item WHERE number > 1) > 1 "
    "THEN (SELECT avg(price) FROM item WHERE number > 1) ELSE (SELECT sum(price) FROM item WHERE number > 1) END "
    "FROM customer WHERE id = 1",
    "groups": "SELECT city, count(*), count(name), sum(balance), avg(balance), min(name), max(balance), "
    "count(DISTINCT name) FROM customer GROUP BY city HAVING count(*) > 1",
    "group by expression": "SELECT substr(name, 1, 1), sum(balance) + 1, upper(substr(name, 1, 1)) FROM customer "
    "GROUP BY substr(name, 1, 1)",
    "all rows": "SELECT count(*), sum(number), avg(number), max(price), sum(CASE WHEN number > 1 THEN price END) "
    "FROM item",
    "filtered count": "SELECT city, count(*) FILTER (WHERE balance > 1) AS n FROM customer GROUP BY city",
    "filtered by case": "SELECT city, count(*) FILTER (WHERE CASE WHEN id > 1 THEN balance ELSE 2 END > 1) AS n "
    "FROM customer GROUP BY city",
    "deviation": "SELECT product, stddev_samp(number) FROM item GROUP BY product",
    "distinct": "SELECT DISTINCT city FROM customer",
    "rollup": "SELECT city, name, sum(balance), grouping(city), grouping_id() FROM customer "
    "GROUP BY ROLLUP (city, name)",
    "sets": "SELECT city, count(*) FROM customer GROUP BY GROUPING SETS ((city), ())",
    "cube": "SELECT city, name, max(id) FROM customer GROUP BY CUBE (city, name)",
    "union": "SELECT id FROM customer UNION SELECT customer FROM orders",
    "union all": "SELECT id FROM customer WHERE id > 1 UNION ALL SELECT id FROM orders",
    "intersect": "SELECT id FROM customer INTERSECT SELECT customer FROM orders",
    "except": "SELECT customer FROM orders EXCEPT SELECT id FROM customer WHERE balance > 1",
    "except all": "SELECT customer FROM orders EXCEPT ALL SELECT id FROM customer",
    "intersect all": "SELECT id, city FROM customer UNION ALL SELECT number, product FROM item INTERSECT ALL "
    "SELECT number, product FROM item",
    "any at all": "SELECT id FROM customer LEFT SEMI JOIN orders ON paid LEFT ANTI JOIN item ON number > 1",
    "exists at all": "SELECT id FROM customer WHERE EXISTS (SELECT 1 FROM orders) AND NOT EXISTS (SELECT 1 FROM item "
    "WHERE number > 5)",
    "none sorted": "SELECT id, name FROM customer WHERE NOT id <=> id ORDER BY name LIMIT 2",
    "common": "WITH n AS (SELECT customer, count(*) AS n FROM orders GROUP BY customer) "
    "SELECT a.customer, a.n FROM n a JOIN n b ON a.n < b.n",
    "order": "SELECT name, city FROM customer ORDER BY balance DESC, id",
    "limit": "SELECT name FROM customer ORDER BY id LIMIT 2",
    "offset": "SELECT id FROM customer ORDER BY id DESC NULLS LAST LIMIT 2 OFFSET 1",
    "limit inside": "SELECT count(*) FROM (SELECT id, name FROM customer ORDER BY id LIMIT 3) WHERE name = 'a'",
    "rank": "SELECT id, rank() OVER (PARTITION BY customer ORDER BY total DESC) AS r, "
    "sum(total) OVER (PARTITION BY customer) AS t FROM orders",
    "top ranks": "SELECT id FROM (SELECT id, rank() OVER (PARTITION BY customer ORDER BY total) AS r FROM orders) "
    "WHERE r <= 2",
    "running": "SELECT id, sum(total) OVER (PARTITION BY customer ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT "
    "ROW), avg(total) OVER (ORDER BY id), sum(total) OVER (ORDER BY id RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING), "
    "lag(total) OVER (ORDER BY id), lead(total, 2, 0) OVER (ORDER BY id), row_number() OVER (ORDER BY id), "
    "dense_rank() OVER (ORDER BY total) FROM orders",
    "share": "SELECT product, sum(price) * 100 / sum(sum(price)) OVER (PARTITION BY number) FROM item "
    "GROUP BY product, number",
    "casts": "SELECT CAST(id AS STRING), CAST(paid AS INT), CAST(day AS STRING), CAST(total AS DOUBLE), "
    "CAST(paid AS STRING), CAST(id AS DECIMAL(20, 2)), CAST('12' AS INT), CAST('2000-02-29' AS DATE), "
    "CAST(total AS BOOLEAN) FROM orders",
    "nulls": "SELECT id FROM customer WHERE city <=> name OR NOT (city = name) OR balance IS NULL",
    "constants": "SELECT * FROM VALUES (1, 'a', 1.5, DATE '2000-01-01', true), (2, NULL, 2.5, NULL, false) "
    "AS t(a, b, c, d, e) JOIN customer ON a = id",
    "values of nulls": "SELECT NULL AS n, id FROM customer UNION ALL SELECT 1, id FROM orders",
    "having": "SELECT city, count(DISTINCT name) FROM customer GROUP BY city HAVING count(*) > 1",
    "average": "SELECT avg(number) FROM item",
    "not in list": "SELECT id FROM customer WHERE id NOT IN (1, NULL)",
    "limit of a join": "SELECT c.id, o.id FROM customer c JOIN orders o ON c.id = o.customer ORDER BY c.id, o.id "
    "LIMIT 2",
    "one row": "SELECT 1 + 1 AS two, 'a' AS a",
}
"""Queries by name."""
