-- UNION, INTERSECT, EXCEPT, as sets and as bags; DISTINCT; VALUES.

-- pair: union-of-a-keyed-table-with-itself  equivalent
SELECT id, name FROM customer UNION SELECT id, name FROM customer
-- and
SELECT id, name FROM customer

-- pair: union-of-an-unkeyed-table-with-itself  inequivalent
SELECT kind, value FROM event UNION SELECT kind, value FROM event
-- and
SELECT kind, value FROM event

-- pair: union-all-of-a-table-with-itself  inequivalent
SELECT id FROM customer UNION ALL SELECT id FROM customer
-- and
SELECT id FROM customer

-- pair: union-by-distinct  equivalent
SELECT kind FROM event UNION SELECT city FROM customer
-- and
SELECT DISTINCT kind FROM (SELECT kind FROM event UNION ALL SELECT city FROM customer) AS t

-- pair: union-all-commutes  equivalent
SELECT kind FROM event UNION ALL SELECT city FROM customer
-- and
SELECT city FROM customer UNION ALL SELECT kind FROM event

-- pair: except-and-except-all  inequivalent
SELECT value FROM event EXCEPT SELECT amount FROM orders
-- and
SELECT value FROM event EXCEPT ALL SELECT amount FROM orders

-- pair: except-by-anti-join  equivalent
SELECT value FROM event EXCEPT SELECT amount FROM orders
-- and
SELECT DISTINCT value FROM event e WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.amount <=> e.value)

-- pair: except-by-not-in  inequivalent
SELECT value FROM event EXCEPT SELECT amount FROM orders
-- and
SELECT DISTINCT value FROM event WHERE value NOT IN (SELECT amount FROM orders)

-- pair: intersect-and-intersect-all  inequivalent
SELECT value FROM event INTERSECT SELECT amount FROM orders
-- and
SELECT value FROM event INTERSECT ALL SELECT amount FROM orders

-- pair: intersect-by-semi-join  equivalent
SELECT value FROM event INTERSECT SELECT amount FROM orders
-- and
SELECT DISTINCT value FROM event e WHERE EXISTS (SELECT 1 FROM orders o WHERE o.amount <=> e.value)

-- pair: intersect-by-in  inequivalent
SELECT value FROM event INTERSECT SELECT amount FROM orders
-- and
SELECT DISTINCT value FROM event WHERE value IN (SELECT amount FROM orders)

-- pair: intersect-binds-first  equivalent
SELECT value FROM event UNION SELECT amount FROM orders INTERSECT SELECT tier FROM customer
-- and
SELECT value FROM event UNION (SELECT amount FROM orders INTERSECT SELECT tier FROM customer)

-- pair: intersect-last  inequivalent
SELECT value FROM event UNION SELECT amount FROM orders INTERSECT SELECT tier FROM customer
-- and
(SELECT value FROM event UNION SELECT amount FROM orders) INTERSECT SELECT tier FROM customer

-- pair: difference-with-itself  equivalent
SELECT kind FROM event EXCEPT ALL SELECT kind FROM event
-- and
SELECT kind FROM event WHERE FALSE

-- pair: distinct-of-a-key  equivalent
SELECT DISTINCT id, city FROM customer
-- and
SELECT id, city FROM customer

-- pair: distinct-of-no-key  inequivalent
SELECT DISTINCT city FROM customer
-- and
SELECT city FROM customer

-- pair: distinct-by-group  equivalent
SELECT DISTINCT kind, value FROM event
-- and
SELECT kind, value FROM event GROUP BY kind, value

-- pair: distinct-below-a-join  equivalent
SELECT DISTINCT c.city FROM customer c JOIN orders o ON o.customer_id = c.id
-- and
SELECT DISTINCT city FROM customer WHERE id IN (SELECT customer_id FROM orders)

-- pair: filter-through-union  equivalent
SELECT v FROM (SELECT value AS v FROM event UNION ALL SELECT amount FROM orders) AS t WHERE v > 1
-- and
SELECT value FROM event WHERE value > 1 UNION ALL SELECT amount FROM orders WHERE amount > 1

-- pair: union-as-or  equivalent
SELECT id FROM customer WHERE tier = 1 UNION SELECT id FROM customer WHERE tier = 2
-- and
SELECT id FROM customer WHERE tier = 1 OR tier = 2

-- pair: union-all-as-or  inequivalent
SELECT id FROM customer WHERE tier < 2 UNION ALL SELECT id FROM customer WHERE tier > 0
-- and
SELECT id FROM customer WHERE tier < 2 OR tier > 0

-- pair: union-all-of-cases  equivalent
SELECT id FROM customer WHERE tier < 2 UNION ALL SELECT id FROM customer WHERE tier >= 2
-- and
SELECT id FROM customer WHERE tier IS NOT NULL

-- pair: values-filtered  equivalent
SELECT a FROM VALUES (1, 2), (3, 3) AS t(a, b) WHERE a = b
-- and
SELECT 3

-- pair: names-of-the-left-side  equivalent
SELECT v FROM (SELECT value AS v FROM event UNION ALL SELECT amount AS w FROM orders) AS t
-- and
SELECT w FROM (SELECT value AS w FROM event UNION ALL SELECT amount FROM orders) AS t
