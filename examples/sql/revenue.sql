-- Revenue and number of shipped orders, for each country
SELECT c.country, SUM(o.amount) AS revenue, COUNT(*) AS orders
FROM orders o
JOIN customers c ON o.customer_id = c.id
WHERE o.status = 'shipped'
GROUP BY c.country
