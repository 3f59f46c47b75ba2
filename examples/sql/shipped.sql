-- The number of shipped orders, for each country
SELECT c.country, COUNT(*) AS orders
FROM orders o
JOIN customers c ON o.customer_id = c.id
WHERE o.status = 'shipped'
GROUP BY c.country
