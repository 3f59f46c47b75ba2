-- Three-valued logic: comparisons with NULL, NOT IN, join keys and null-safe equality.

-- pair: equal-to-itself  inequivalent
SELECT id FROM customer WHERE tier = tier
-- and
SELECT id FROM customer

-- pair: equal-to-itself-if-any  equivalent
SELECT id FROM customer WHERE tier = tier
-- and
SELECT id FROM customer WHERE tier IS NOT NULL

-- pair: key-equal-to-itself  equivalent
SELECT name FROM customer WHERE id = id
-- and
SELECT name FROM customer

-- pair: null-safe-with-itself  equivalent
SELECT id FROM customer WHERE tier <=> tier
-- and
SELECT id FROM customer

-- pair: not-equal-and-null  inequivalent
SELECT id FROM customer WHERE NOT (tier = 1)
-- and
SELECT id FROM customer WHERE tier IS DISTINCT FROM 1

-- pair: not-equal  equivalent
SELECT id FROM customer WHERE NOT (tier = 1)
-- and
SELECT id FROM customer WHERE tier < 1 OR tier > 1

-- pair: excluded-middle  inequivalent
SELECT id FROM customer WHERE tier > 1 OR tier <= 1
-- and
SELECT id FROM customer

-- pair: excluded-middle-of-a-test  equivalent
SELECT id FROM customer WHERE (tier > 1) IS TRUE OR (tier > 1) IS NOT TRUE
-- and
SELECT id FROM customer

-- pair: not-in-a-nullable-list  inequivalent
SELECT id FROM customer WHERE id NOT IN (SELECT customer_id FROM orders)
-- and
SELECT id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

-- pair: not-in-without-nulls  equivalent
SELECT id FROM customer WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)
-- and
SELECT id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

-- pair: not-in-of-a-key  equivalent
SELECT id FROM orders WHERE id NOT IN (SELECT id FROM account)
-- and
SELECT o.id FROM orders o LEFT JOIN account a ON a.id = o.id WHERE a.id IS NULL

-- pair: not-in-with-a-null-literal  equivalent
SELECT id FROM customer WHERE tier NOT IN (1, NULL)
-- and
SELECT id FROM customer WHERE FALSE

-- pair: in-with-a-null-literal  equivalent
SELECT id FROM customer WHERE tier IN (1, NULL)
-- and
SELECT id FROM customer WHERE tier = 1

-- pair: in-of-nothing  equivalent
SELECT id FROM customer WHERE tier NOT IN (SELECT value FROM event WHERE FALSE)
-- and
SELECT id FROM customer

-- pair: all-of-nothing  equivalent
SELECT id FROM customer WHERE tier > ALL (SELECT value FROM event WHERE FALSE)
-- and
SELECT id FROM customer

-- pair: all-and-maximum  inequivalent
SELECT id FROM customer WHERE id > ALL (SELECT amount FROM orders)
-- and
SELECT id FROM customer WHERE id > (SELECT MAX(amount) FROM orders)

-- pair: any-and-minimum  equivalent
SELECT id FROM customer WHERE id > ANY (SELECT amount FROM orders)
-- and
SELECT id FROM customer WHERE id > (SELECT MIN(amount) FROM orders)

-- pair: case-for-coalesce  equivalent
SELECT COALESCE(tier, 0) FROM customer
-- and
SELECT CASE WHEN tier IS NULL THEN 0 ELSE tier END FROM customer

-- pair: nullif-by-case  equivalent
SELECT NULLIF(tier, 1) FROM customer
-- and
SELECT CASE WHEN tier = 1 THEN NULL ELSE tier END FROM customer

-- pair: nullif-by-difference  inequivalent
SELECT COALESCE(NULLIF(tier, 1), 5) FROM customer
-- and
SELECT CASE WHEN tier <> 1 THEN tier ELSE 1 END FROM customer

-- pair: null-and-false  equivalent
SELECT id FROM customer WHERE NULL AND tier = 1
-- and
SELECT id FROM customer WHERE FALSE

-- pair: null-in-the-result  inequivalent
SELECT tier > 1 FROM customer
-- and
SELECT COALESCE(tier > 1, FALSE) FROM customer

-- pair: de-morgan  equivalent
SELECT NOT (tier > 1 AND id > 2) FROM customer
-- and
SELECT tier <= 1 OR id <= 2 FROM customer

-- pair: between-reversed  equivalent
SELECT id FROM customer WHERE tier BETWEEN 3 AND 1
-- and
SELECT id FROM customer WHERE tier <> tier

-- pair: between-symmetric  inequivalent
SELECT id FROM customer WHERE tier BETWEEN 1 AND id
-- and
SELECT id FROM customer WHERE tier BETWEEN id AND 1

-- pair: boolean-column-compared  equivalent
SELECT id FROM orders WHERE paid = TRUE
-- and
SELECT id FROM orders WHERE paid

-- pair: boolean-column-negated  inequivalent
SELECT id FROM orders WHERE NOT paid
-- and
SELECT id FROM orders WHERE paid IS NOT TRUE

-- pair: greatest-of-two  equivalent
SELECT GREATEST(id, 2) FROM customer
-- and
SELECT CASE WHEN id >= 2 THEN id ELSE 2 END FROM customer

-- pair: greatest-skips-null  equivalent
SELECT GREATEST(tier, 2) FROM customer
-- and
SELECT CASE WHEN tier > 2 THEN tier ELSE 2 END FROM customer
