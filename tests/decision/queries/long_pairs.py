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

SHOP_SCHEMA = """
CREATE TABLE customers (customer_id INT PRIMARY KEY, name VARCHAR(50) NOT NULL, country VARCHAR(2) NOT NULL);
CREATE TABLE orders (order_id INT PRIMARY KEY, customer_id INT NOT NULL REFERENCES customers(customer_id),
    status VARCHAR(10) NOT NULL, order_date DATE NOT NULL);
CREATE TABLE products (product_id INT PRIMARY KEY, category VARCHAR(20) NOT NULL);
CREATE TABLE order_items (order_id INT NOT NULL REFERENCES orders(order_id), line_no INT NOT NULL,
    product_id INT NOT NULL REFERENCES products(product_id), quantity INT NOT NULL,
    unit_price DECIMAL(10,2) NOT NULL, discount DECIMAL(10,2), PRIMARY KEY (order_id, line_no));
"""

SALES = """
WITH active AS (
    SELECT DISTINCT c.customer_id, c.country
    FROM customers c
    JOIN orders o ON o.customer_id = c.customer_id
    WHERE o.status <> 'cancelled'
),
lines AS (
    SELECT
        o.order_id,
        o.customer_id,
        p.category,
        oi.quantity * oi.unit_price - COALESCE(oi.discount, 0) AS amount
    FROM orders o
    JOIN order_items oi ON oi.order_id = o.order_id
    JOIN products p ON p.product_id = oi.product_id
    WHERE o.status = 'completed'
      AND o.order_date >= DATE '2024-01-01'
      AND o.order_date < DATE '2025-01-01'
),
per_customer AS (
    SELECT customer_id, category, SUM(amount) AS revenue, COUNT(*) AS n
    FROM lines
    GROUP BY customer_id, category
)
SELECT
    a.country,
    pc.category,
    SUM(pc.revenue) AS revenue,
    SUM(pc.n) AS line_count,
    COUNT(DISTINCT pc.customer_id) AS buyers
FROM per_customer pc
JOIN active a ON a.customer_id = pc.customer_id
WHERE pc.category IN ('books', 'music', 'games')
GROUP BY a.country, pc.category
HAVING SUM(pc.n) > 0
ORDER BY a.country, pc.category
"""

SALES_REFACTORED = """
WITH completed AS (
    SELECT order_id, customer_id
    FROM orders
    WHERE status = 'completed'
      AND order_date BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'
),
amounts AS (
    SELECT
        c.country,
        p.category,
        c.customer_id,
        CASE WHEN oi.discount IS NULL THEN oi.quantity * oi.unit_price
             ELSE oi.quantity * oi.unit_price - oi.discount END AS amount
    FROM completed co
    JOIN customers c USING (customer_id)
    JOIN order_items oi ON oi.order_id = co.order_id
    JOIN products p ON p.product_id = oi.product_id
    WHERE p.category = 'books' OR p.category = 'music' OR p.category = 'games'
)
SELECT country, category,
       SUM(amount) AS revenue,
       COUNT(*) AS line_count,
       COUNT(DISTINCT customer_id) AS buyers
FROM amounts
GROUP BY country, category
ORDER BY country, category
"""
