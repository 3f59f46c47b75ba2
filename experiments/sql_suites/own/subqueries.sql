-- EXISTS, IN, scalar subqueries, common table expressions, and their joins.

-- pair: exists-by-in  equivalent
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 1)
-- and
SELECT id FROM customer WHERE id IN (SELECT customer_id FROM orders WHERE amount > 1)

-- pair: exists-by-count  equivalent
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
-- and
SELECT id FROM customer c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) > 0

-- pair: exists-of-a-count  inequivalent
SELECT id FROM customer c WHERE EXISTS (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id)
-- and
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

-- pair: exists-with-a-limit  equivalent
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.amount > 1 LIMIT 1)
-- and
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.amount > 1)

-- pair: two-exists  equivalent
SELECT id FROM customer c
WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 1)
   OR EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.paid)
-- and
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND (o.amount > 1 OR o.paid))

-- pair: two-exists-that-meet  inequivalent
SELECT id FROM customer c
WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 1)
  AND EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.paid)
-- and
SELECT id FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 1 AND o.paid)

-- pair: in-by-join  inequivalent
SELECT c.id FROM customer c WHERE c.id IN (SELECT customer_id FROM orders)
-- and
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id

-- pair: in-by-distinct-join  equivalent
SELECT c.id FROM customer c WHERE c.id IN (SELECT customer_id FROM orders)
-- and
SELECT DISTINCT c.id FROM customer c JOIN orders o ON o.customer_id = c.id

-- pair: scalar-by-left-join  equivalent
SELECT o.id, (SELECT c.name FROM customer c WHERE c.id = o.customer_id) FROM orders o
-- and
SELECT o.id, c.name FROM orders o LEFT JOIN customer c ON c.id = o.customer_id

-- pair: scalar-by-inner-join  inequivalent
SELECT o.id, (SELECT c.name FROM customer c WHERE c.id = o.customer_id) FROM orders o
-- and
SELECT o.id, c.name FROM orders o JOIN customer c ON c.id = o.customer_id

-- pair: scalar-sum-decorrelated  equivalent
SELECT c.id, (SELECT SUM(amount) FROM orders o WHERE o.customer_id = c.id) FROM customer c
-- and
SELECT c.id, o.s
FROM customer c LEFT JOIN (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY customer_id) o ON o.customer_id = c.id

-- pair: scalar-count-decorrelated  inequivalent
SELECT c.id, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) FROM customer c
-- and
SELECT c.id, o.n
FROM customer c LEFT JOIN (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) o ON o.customer_id = c.id

-- pair: maximum-by-not-exists  equivalent
SELECT id FROM orders o WHERE amount = (SELECT MAX(amount) FROM orders)
-- and
SELECT id FROM orders o WHERE amount IS NOT NULL AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.amount > o.amount)

-- pair: maximum-with-nulls  inequivalent
SELECT id FROM orders o WHERE amount = (SELECT MAX(amount) FROM orders)
-- and
SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM orders p WHERE p.amount > o.amount)

-- pair: cte-inlined  equivalent
WITH big AS (SELECT id, customer_id FROM orders WHERE amount > 1)
SELECT c.name, big.id FROM customer c JOIN big ON big.customer_id = c.id
-- and
SELECT c.name, o.id FROM customer c JOIN orders o ON o.customer_id = c.id WHERE o.amount > 1

-- pair: cte-used-twice  equivalent
WITH t AS (SELECT kind, SUM(value) AS s FROM event GROUP BY kind) SELECT a.kind, b.s FROM t a JOIN t b ON a.kind = b.kind
-- and
SELECT kind, SUM(value) FROM event WHERE kind IS NOT NULL GROUP BY kind

-- pair: cte-hides-a-table  inequivalent
WITH event AS (SELECT kind, value FROM event WHERE value > 1) SELECT COUNT(*) FROM event
-- and
SELECT COUNT(*) FROM event

-- pair: nearest-name-wins  equivalent
SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM item WHERE order_id = id AND quantity > 1)
-- and
SELECT o.id FROM orders o WHERE o.id IN (SELECT i.order_id FROM item i WHERE i.quantity > 1)

-- pair: check-makes-a-filter-void  equivalent
SELECT id FROM account WHERE balance >= 0
-- and
SELECT id FROM account

-- pair: no-check-no-void  inequivalent
SELECT id FROM orders WHERE amount >= 0
-- and
SELECT id FROM orders
