-- ORDER BY, LIMIT and windows: lists up to ties, and the places of NULL.

-- pair: inner-order-means-nothing  equivalent
SELECT kind FROM (SELECT kind, value FROM event ORDER BY value) AS t
-- and
SELECT kind FROM event

-- pair: outer-order-means-something  inequivalent
SELECT id FROM customer ORDER BY id
-- and
SELECT id FROM customer ORDER BY id DESC

-- pair: order-by-position  equivalent
SELECT id, tier FROM customer ORDER BY 2, 1
-- and
SELECT id, tier FROM customer ORDER BY tier, id

-- pair: nulls-come-first  equivalent
SELECT id FROM customer ORDER BY tier, id
-- and
SELECT id FROM customer ORDER BY tier ASC NULLS FIRST, id

-- pair: nulls-come-last  inequivalent
SELECT id FROM customer ORDER BY tier, id
-- and
SELECT id FROM customer ORDER BY tier NULLS LAST, id

-- pair: constant-key-of-an-order  equivalent
SELECT id FROM customer ORDER BY 'x', id
-- and
SELECT id FROM customer ORDER BY id

-- pair: order-by-a-name-of-the-list  equivalent
SELECT -id AS n FROM customer ORDER BY n
-- and
SELECT -id FROM customer ORDER BY id DESC

-- pair: limit-of-none  equivalent
SELECT id FROM customer LIMIT 0
-- and
SELECT id FROM customer WHERE FALSE

-- pair: limits-nested  equivalent
SELECT id FROM (SELECT id FROM customer ORDER BY id LIMIT 5) AS t WHERE id > 0
-- and
SELECT id FROM (SELECT id FROM customer ORDER BY id LIMIT 5) AS t WHERE 0 < id

-- pair: limit-and-filter  inequivalent
SELECT id FROM (SELECT id, tier FROM customer ORDER BY id LIMIT 1) AS t WHERE tier > 1
-- and
SELECT id FROM customer WHERE tier > 1 ORDER BY id LIMIT 1

-- pair: smallest-by-limit  equivalent
SELECT id FROM (SELECT id FROM customer ORDER BY id LIMIT 1) AS t
-- and
SELECT MIN(id) FROM customer HAVING COUNT(*) > 0

-- pair: offset-by-limit  inequivalent
SELECT id FROM customer ORDER BY id LIMIT 2 OFFSET 1
-- and
SELECT id FROM customer ORDER BY id LIMIT 2

-- pair: window-by-scalar  equivalent
SELECT kind, SUM(value) OVER (PARTITION BY kind) FROM event
-- and
SELECT kind, (SELECT SUM(f.value) FROM event f WHERE f.kind <=> e.kind) FROM event e

-- pair: running-sum-is-no-total  inequivalent
SELECT kind, SUM(value) OVER (PARTITION BY kind ORDER BY value) FROM event
-- and
SELECT kind, SUM(value) OVER (PARTITION BY kind) FROM event

-- pair: frame-of-two-rows  inequivalent
SELECT id, SUM(id) OVER (ORDER BY id) FROM customer
-- and
SELECT id, SUM(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM customer

-- pair: frame-of-rows-without-ties  equivalent
SELECT id, COUNT(*) OVER (ORDER BY id) FROM customer
-- and
SELECT id, COUNT(*) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM customer

-- pair: rank-of-a-key  equivalent
SELECT id, RANK() OVER (ORDER BY id) FROM customer
-- and
SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM customer

-- pair: rank-with-ties  inequivalent
SELECT value, RANK() OVER (ORDER BY value) FROM event
-- and
SELECT value, DENSE_RANK() OVER (ORDER BY value) FROM event

-- pair: rank-by-counting  equivalent
SELECT id, RANK() OVER (ORDER BY tier) FROM customer WHERE tier IS NOT NULL
-- and
SELECT c.id, 1 + (SELECT COUNT(*) FROM customer d WHERE d.tier < c.tier) FROM customer c WHERE c.tier IS NOT NULL

-- pair: lag-by-join  equivalent
SELECT id, LAG(id) OVER (ORDER BY id) FROM customer
-- and
SELECT c.id, (SELECT MAX(d.id) FROM customer d WHERE d.id < c.id) FROM customer c

-- pair: lag-and-lead  inequivalent
SELECT id, LAG(id) OVER (ORDER BY id) FROM customer
-- and
SELECT id, LEAD(id) OVER (ORDER BY id) FROM customer

-- pair: first-row-of-a-group  equivalent
SELECT id FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) AS n FROM customer) AS t WHERE n = 1
-- and
SELECT MIN(id) FROM customer GROUP BY city
