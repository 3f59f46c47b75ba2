-- GROUP BY: keys, HAVING, determined keys, grouping sets, nested groups, eager aggregation.

-- pair: having-on-a-key  equivalent
SELECT kind, SUM(value) FROM event GROUP BY kind HAVING kind = 'a'
-- and
SELECT kind, SUM(value) FROM event WHERE kind = 'a' GROUP BY kind

-- pair: having-on-a-sum  inequivalent
SELECT kind, SUM(value) FROM event GROUP BY kind HAVING SUM(value) > 1
-- and
SELECT kind, SUM(value) FROM event WHERE value > 1 GROUP BY kind

-- pair: group-by-the-key  equivalent
SELECT id, SUM(tier) FROM customer GROUP BY id
-- and
SELECT id, tier FROM customer

-- pair: group-by-the-key-counted  equivalent
SELECT id, COUNT(tier) FROM customer GROUP BY id
-- and
SELECT id, CASE WHEN tier IS NULL THEN 0 ELSE 1 END FROM customer

-- pair: determined-key  equivalent
SELECT id, COUNT(*) FROM customer GROUP BY id, name
-- and
SELECT id, COUNT(*) FROM customer GROUP BY id

-- pair: undetermined-key  inequivalent
SELECT kind, COUNT(*) FROM event GROUP BY kind, value
-- and
SELECT kind, COUNT(*) FROM event GROUP BY kind

-- pair: constant-key  equivalent
SELECT kind, COUNT(*) FROM event WHERE value = 1 GROUP BY kind, value
-- and
SELECT kind, COUNT(*) FROM event WHERE value = 1 GROUP BY kind

-- pair: key-by-position  equivalent
SELECT kind, COUNT(*) FROM event GROUP BY 1
-- and
SELECT kind, COUNT(*) FROM event GROUP BY kind

-- pair: key-by-name-of-the-list  equivalent
SELECT value + 1 AS next, COUNT(*) FROM event GROUP BY next
-- and
SELECT value + 1, COUNT(*) FROM event GROUP BY value + 1

-- pair: key-prefers-the-column  inequivalent
SELECT MAX(kind) AS kind, COUNT(*) FROM event GROUP BY event.kind
-- and
SELECT MAX(kind), COUNT(*) FROM event

-- pair: expression-of-keys  equivalent
SELECT value + 1, COUNT(*) FROM event GROUP BY value
-- and
SELECT value + 1, COUNT(*) FROM event GROUP BY value + 1

-- pair: expression-that-loses-keys  inequivalent
SELECT value % 2, COUNT(*) FROM event GROUP BY value
-- and
SELECT value % 2, COUNT(*) FROM event GROUP BY value % 2

-- pair: group-of-a-group  equivalent
SELECT kind, SUM(s) FROM (SELECT kind, value, SUM(value) AS s FROM event GROUP BY kind, value) AS t GROUP BY kind
-- and
SELECT kind, SUM(value) FROM event GROUP BY kind

-- pair: counts-of-a-group  inequivalent
SELECT kind, COUNT(n) FROM (SELECT kind, value, COUNT(*) AS n FROM event GROUP BY kind, value) AS t GROUP BY kind
-- and
SELECT kind, COUNT(*) FROM event GROUP BY kind

-- pair: eager-sum  equivalent
SELECT c.city, SUM(o.amount) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.city
-- and
SELECT c.city, SUM(o.s)
FROM customer c JOIN (SELECT customer_id, SUM(amount) AS s FROM orders GROUP BY customer_id) o ON o.customer_id = c.id
GROUP BY c.city

-- pair: eager-count  equivalent
SELECT e.kind, COUNT(*) FROM event e JOIN orders o ON o.amount = e.value GROUP BY e.kind
-- and
SELECT e.kind, SUM(o.n)
FROM event e JOIN (SELECT amount, COUNT(*) AS n FROM orders GROUP BY amount) o ON o.amount = e.value
GROUP BY e.kind

-- pair: eager-sum-twice-counted  inequivalent
SELECT c.id, SUM(c.tier) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.id
-- and
SELECT c.id, MAX(c.tier) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.id

-- pair: join-back-on-a-group-key  inequivalent
SELECT e.kind, e.value, t.m FROM event e JOIN (SELECT kind, MAX(value) AS m FROM event GROUP BY kind) AS t ON t.kind = e.kind
-- and
SELECT kind, value, MAX(value) OVER (PARTITION BY kind) FROM event

-- pair: null-safe-join-back-on-a-group-key  equivalent
SELECT e.kind, e.value, t.m FROM event e JOIN (SELECT kind, MAX(value) AS m FROM event GROUP BY kind) AS t ON t.kind <=> e.kind
-- and
SELECT kind, value, MAX(value) OVER (PARTITION BY kind) FROM event

-- pair: nulls-are-one-group  equivalent
SELECT kind, COUNT(*) FROM event WHERE kind IS NULL GROUP BY kind
-- and
SELECT CAST(NULL AS STRING), COUNT(*) FROM event WHERE kind IS NULL HAVING COUNT(*) > 0

-- pair: grouping-sets-as-union  equivalent
SELECT kind, value, COUNT(*) FROM event GROUP BY GROUPING SETS ((kind), (value))
-- and
SELECT kind, NULL, COUNT(*) FROM event GROUP BY kind UNION ALL SELECT NULL, value, COUNT(*) FROM event GROUP BY value

-- pair: rollup-as-grouping-sets  equivalent
SELECT kind, value, COUNT(*) FROM event GROUP BY ROLLUP (kind, value)
-- and
SELECT kind, value, COUNT(*) FROM event GROUP BY GROUPING SETS ((kind, value), (kind), ())

-- pair: cube-is-no-rollup  inequivalent
SELECT kind, value, COUNT(*) FROM event GROUP BY CUBE (kind, value)
-- and
SELECT kind, value, COUNT(*) FROM event GROUP BY ROLLUP (kind, value)

-- pair: grouping-tells-nulls-apart  inequivalent
SELECT kind, GROUPING(kind), COUNT(*) FROM event GROUP BY ROLLUP (kind)
-- and
SELECT kind, CASE WHEN kind IS NULL THEN 1 ELSE 0 END, COUNT(*) FROM event GROUP BY ROLLUP (kind)
