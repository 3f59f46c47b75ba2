-- One row a customer before the join: COUNT(*) now counts customers
WITH by_customer AS (
  SELECT customer_id, COUNT(*) AS orders
  FROM orders
  WHERE status = 'shipped'
  GROUP BY customer_id
)
SELECT c.country, COUNT(*) AS orders
FROM by_customer b
JOIN customers c ON c.id = b.customer_id
GROUP BY c.country
