"""Refactorings of queries as analysts write them, and mistakes in them: pairs over one schema."""

SCHEMA = """
CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL, city VARCHAR(20));
CREATE TABLE orders (id INT PRIMARY KEY,
    customer INT NOT NULL REFERENCES customer(id), total DECIMAL(10,2) NOT NULL, day DATE);
CREATE TABLE item (order_id INT NOT NULL REFERENCES orders(id),
    product VARCHAR(10), price INT NOT NULL, n INT);
"""

REVENUE = """
WITH recent AS (
  SELECT id, customer, total, day
  FROM orders
  WHERE day >= DATE '2024-01-01'
    AND total > 0
),
lines AS (
  SELECT
    i.order_id,
    SUM(i.price * i.n) AS amount,
    COUNT(*) AS items
  FROM item i
  WHERE i.n IS NOT NULL
  GROUP BY i.order_id
),
enriched AS (
  SELECT
    r.id,
    r.customer,
    c.city,
    YEAR(r.day) AS y,
    MONTH(r.day) AS m,
    COALESCE(l.amount, 0) AS amount,
    COALESCE(l.items, 0) AS items
  FROM recent r
  JOIN customer c ON c.id = r.customer
  LEFT JOIN lines l ON l.order_id = r.id
),
loyal AS (
  SELECT customer
  FROM enriched
  GROUP BY customer
  HAVING COUNT(*) >= 2
)
SELECT
  e.city,
  e.y,
  e.m,
  SUM(e.amount) AS revenue,
  SUM(e.items) AS items
FROM enriched e
WHERE e.customer IN (SELECT customer FROM loyal)
GROUP BY e.city, e.y, e.m
ORDER BY e.city, e.y, e.m
"""

REVENUE_REFACTORED = """
WITH recent AS (
  SELECT id, customer, total, day
  FROM orders
  WHERE NOT day < DATE '2024-01-01'
    AND total > 0
),
lines AS (
  SELECT
    i.order_id,
    SUM(i.price * i.n) AS amount,
    COUNT(*) AS items
  FROM item i
  WHERE i.n IS NOT NULL
  GROUP BY i.order_id
),
enriched AS (
  SELECT
    r.id,
    r.customer,
    c.city,
    YEAR(r.day) AS y,
    MONTH(r.day) AS m,
    COALESCE(l.amount, 0) AS amount,
    COALESCE(l.items, 0) AS items
  FROM recent r
  LEFT JOIN customer c ON r.customer = c.id
  LEFT JOIN lines l ON l.order_id = r.id
),
loyal AS (
  SELECT customer
  FROM enriched
  GROUP BY customer
  HAVING COUNT(*) >= 2
)
SELECT
  e.city,
  e.y,
  e.m,
  SUM(e.amount) AS revenue,
  SUM(e.items) AS items
FROM enriched e
JOIN loyal k ON k.customer = e.customer
GROUP BY e.city, e.y, e.m
ORDER BY e.city, e.y, e.m
"""
