-- Aggregates of no rows: SUM is NULL and COUNT is 0; GROUP BY has no row where there is no group.

-- pair: count-as-sum-of-counts  inequivalent
SELECT COUNT(*) FROM event
-- and
SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM event GROUP BY kind) AS t

-- pair: count-as-sum-of-counts-or-zero  equivalent
SELECT COUNT(*) FROM event
-- and
SELECT COALESCE(SUM(n), 0) FROM (SELECT COUNT(*) AS n FROM event GROUP BY kind) AS t

-- pair: sum-or-zero  inequivalent
SELECT SUM(value) FROM event
-- and
SELECT COALESCE(SUM(value), 0) FROM event

-- pair: sum-of-sums  equivalent
SELECT SUM(value) FROM event
-- and
SELECT SUM(s) FROM (SELECT kind, SUM(value) AS s FROM event GROUP BY kind) AS t

-- pair: count-of-one-group  inequivalent
SELECT COUNT(*) FROM event WHERE kind = 'a'
-- and
SELECT COUNT(*) FROM event WHERE kind = 'a' GROUP BY kind

-- pair: count-of-one-group-if-any  equivalent
SELECT COUNT(*) FROM event WHERE kind = 'a' GROUP BY kind
-- and
SELECT COUNT(*) FROM event WHERE kind = 'a' HAVING COUNT(*) > 0

-- pair: count-bug  inequivalent
SELECT c.id FROM customer c WHERE c.tier = (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id)
-- and
SELECT c.id
FROM customer c
JOIN (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) o ON o.customer_id = c.id AND c.tier = o.n

-- pair: count-bug-mended  equivalent
SELECT c.id FROM customer c WHERE c.tier = (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id)
-- and
SELECT c.id
FROM customer c
LEFT JOIN (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) o ON o.customer_id = c.id
WHERE c.tier = COALESCE(o.n, 0)

-- pair: count-of-nothing  equivalent
SELECT COUNT(*) FROM event WHERE FALSE
-- and
SELECT 0

-- pair: maximum-of-nothing-is-a-row  inequivalent
SELECT MAX(value) FROM event WHERE FALSE
-- and
SELECT value FROM event WHERE FALSE

-- pair: maximum-of-nothing  equivalent
SELECT MAX(value) FROM event WHERE FALSE
-- and
SELECT CAST(NULL AS INT)

-- pair: sum-of-a-constant  inequivalent
SELECT SUM(2) FROM event
-- and
SELECT 2 * COUNT(*) FROM event

-- pair: sum-of-a-constant-by-key  equivalent
SELECT kind, SUM(2) FROM event GROUP BY kind
-- and
SELECT kind, 2 * COUNT(*) FROM event GROUP BY kind

-- pair: sum-of-a-constant-or-null  equivalent
SELECT SUM(2) FROM event
-- and
SELECT CASE WHEN COUNT(*) = 0 THEN NULL ELSE 2 * COUNT(*) END FROM event

-- pair: group-by-nothing-left  equivalent
SELECT kind, COUNT(*) FROM event WHERE value > 1 AND value < 1 GROUP BY kind
-- and
SELECT kind, value FROM event WHERE FALSE

-- pair: minimum-through-union  equivalent
SELECT MIN(value) FROM (SELECT value FROM event UNION ALL SELECT amount FROM orders) AS t
-- and
SELECT MIN(m) FROM (SELECT MIN(value) AS m FROM event UNION ALL SELECT MIN(amount) FROM orders) AS t

-- pair: rollup-of-a-total  equivalent
SELECT kind, SUM(value) FROM event GROUP BY GROUPING SETS ((kind))
-- and
SELECT kind, SUM(value) FROM event GROUP BY kind
