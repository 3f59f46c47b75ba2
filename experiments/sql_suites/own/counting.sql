-- COUNT of rows, of values and of different values; flags of sums.

-- pair: count-of-a-literal  equivalent
SELECT COUNT(1) FROM event
-- and
SELECT COUNT(*) FROM event

-- pair: count-of-null  equivalent
SELECT COUNT(NULL) FROM event
-- and
SELECT 0 FROM (SELECT COUNT(*) FROM event) AS t

-- pair: count-of-a-column  inequivalent
SELECT COUNT(value) FROM event
-- and
SELECT COUNT(*) FROM event

-- pair: count-of-a-key  equivalent
SELECT COUNT(id) FROM customer
-- and
SELECT COUNT(*) FROM customer

-- pair: count-by-case  equivalent
SELECT COUNT(value) FROM event
-- and
SELECT COALESCE(SUM(CASE WHEN value IS NULL THEN 0 ELSE 1 END), 0) FROM event

-- pair: count-by-filter  equivalent
SELECT COUNT(*) FILTER (WHERE value > 1) FROM event
-- and
SELECT COUNT(CASE WHEN value > 1 THEN 1 END) FROM event

-- pair: count-by-where  equivalent
SELECT COUNT(*) FILTER (WHERE value > 1) FROM event
-- and
SELECT COUNT(*) FROM event WHERE value > 1

-- pair: count-of-truth  inequivalent
SELECT COUNT(value > 1) FROM event
-- and
SELECT COUNT(*) FROM event WHERE value > 1

-- pair: distinct-counted  equivalent
SELECT COUNT(DISTINCT kind) FROM event
-- and
SELECT COUNT(kind) FROM (SELECT DISTINCT kind FROM event) AS t

-- pair: distinct-rows-counted  inequivalent
SELECT COUNT(DISTINCT kind) FROM event
-- and
SELECT COUNT(*) FROM (SELECT DISTINCT kind FROM event) AS t

-- pair: distinct-of-a-key  equivalent
SELECT COUNT(DISTINCT id) FROM customer
-- and
SELECT COUNT(*) FROM customer

-- pair: distinct-of-a-unique-column  equivalent
SELECT COUNT(DISTINCT owner) FROM account
-- and
SELECT COUNT(owner) FROM account

-- pair: distinct-sum  inequivalent
SELECT SUM(DISTINCT value) FROM event
-- and
SELECT SUM(value) FROM event

-- pair: distinct-maximum  equivalent
SELECT MAX(DISTINCT value) FROM event
-- and
SELECT MAX(value) FROM event

-- pair: sum-of-a-sum-of-terms  equivalent
SELECT SUM(quantity + quantity) FROM item
-- and
SELECT 2 * SUM(quantity) FROM item

-- pair: sum-of-two-nullable-columns  inequivalent
SELECT SUM(tier + id) FROM customer
-- and
SELECT SUM(tier) + SUM(id) FROM customer

-- pair: sum-of-two-columns  equivalent
SELECT SUM(quantity + order_id) FROM item
-- and
SELECT SUM(quantity) + SUM(order_id) FROM item

-- pair: average-by-its-definition  equivalent
SELECT AVG(value) FROM event
-- and
SELECT SUM(value) / NULLIF(COUNT(value), 0) FROM event

-- pair: average-by-rows  inequivalent
SELECT AVG(value) FROM event
-- and
SELECT SUM(value) / NULLIF(COUNT(*), 0) FROM event

-- pair: average-of-averages  inequivalent
SELECT AVG(quantity) FROM item
-- and
SELECT AVG(a) FROM (SELECT AVG(quantity) AS a FROM item GROUP BY product) AS t

-- pair: average-through-sums  equivalent
SELECT order_id, AVG(quantity) FROM item GROUP BY order_id
-- and
SELECT order_id, SUM(s) / SUM(n)
FROM (SELECT order_id, product, SUM(quantity) AS s, COUNT(*) AS n FROM item GROUP BY order_id, product) AS t
GROUP BY order_id

-- pair: some-value-by-maximum  equivalent
SELECT kind, MAX(kind) FROM event GROUP BY kind
-- and
SELECT kind, kind FROM event GROUP BY kind
