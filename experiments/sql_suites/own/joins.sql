-- Outer joins, match flags, self-joins on keys, foreign keys, and the order of columns.

-- pair: condition-in-on  inequivalent
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND o.amount > 1
-- and
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.amount > 1

-- pair: condition-makes-inner  equivalent
SELECT c.id, o.id FROM customer c JOIN orders o ON o.customer_id = c.id AND o.amount > 1
-- and
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.amount > 1

-- pair: condition-on-the-kept-side  inequivalent
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND c.tier > 1
-- and
SELECT c.id, o.id FROM (SELECT * FROM customer WHERE tier > 1) c LEFT JOIN orders o ON o.customer_id = c.id

-- pair: filter-pushed-to-the-kept-side  equivalent
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE c.tier > 1
-- and
SELECT c.id, o.id FROM (SELECT * FROM customer WHERE tier > 1) c LEFT JOIN orders o ON o.customer_id = c.id

-- pair: filter-pushed-below-on  equivalent
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND o.amount > 1
-- and
SELECT c.id, o.id FROM customer c LEFT JOIN (SELECT * FROM orders WHERE amount > 1) o ON o.customer_id = c.id

-- pair: right-is-left-turned  equivalent
SELECT c.id, o.id FROM customer c RIGHT JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id, o.id FROM orders o LEFT JOIN customer c ON o.customer_id = c.id

-- pair: left-is-not-right  inequivalent
SELECT c.id, o.id FROM customer c RIGHT JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id

-- pair: full-as-union  equivalent
SELECT c.id, o.id FROM customer c FULL JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id, o.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id
UNION ALL
SELECT NULL, o.id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM customer c WHERE o.customer_id = c.id)

-- pair: anti-join-by-flag  equivalent
SELECT c.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL
-- and
SELECT c.id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

-- pair: anti-join-by-a-nullable-flag  inequivalent
SELECT c.id FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.amount IS NULL
-- and
SELECT c.id FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)

-- pair: semi-join  equivalent
SELECT c.id FROM customer c LEFT SEMI JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id FROM customer c WHERE c.id IN (SELECT customer_id FROM orders)

-- pair: anti-join  inequivalent
SELECT c.id FROM customer c LEFT ANTI JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id FROM customer c WHERE c.id NOT IN (SELECT customer_id FROM orders)

-- pair: semi-join-is-no-join  inequivalent
SELECT c.id FROM customer c LEFT SEMI JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id

-- pair: semi-join-on-a-key  equivalent
SELECT o.id FROM orders o LEFT SEMI JOIN customer c ON o.customer_id = c.id
-- and
SELECT o.id FROM orders o JOIN customer c ON o.customer_id = c.id

-- pair: join-to-a-key-removed  equivalent
SELECT o.id, o.amount FROM orders o LEFT JOIN customer c ON o.customer_id = c.id
-- and
SELECT id, amount FROM orders

-- pair: join-to-no-key-kept  inequivalent
SELECT o.id FROM orders o LEFT JOIN item i ON i.order_id = o.id
-- and
SELECT id FROM orders

-- pair: foreign-key-join-removed  equivalent
SELECT i.product FROM item i JOIN orders o ON i.order_id = o.id
-- and
SELECT product FROM item

-- pair: nullable-foreign-key-join  inequivalent
SELECT o.id FROM orders o JOIN customer c ON o.customer_id = c.id
-- and
SELECT id FROM orders

-- pair: nullable-foreign-key-join-mended  equivalent
SELECT o.id FROM orders o JOIN customer c ON o.customer_id = c.id
-- and
SELECT id FROM orders WHERE customer_id IS NOT NULL

-- pair: self-join-on-the-key  equivalent
SELECT a.name, b.city FROM customer a JOIN customer b ON a.id = b.id
-- and
SELECT name, city FROM customer

-- pair: self-join-on-no-key  inequivalent
SELECT a.kind, b.value FROM event a JOIN event b ON a.kind = b.kind
-- and
SELECT kind, value FROM event

-- pair: self-join-on-a-unique-column  inequivalent
SELECT a.id FROM account a JOIN account b ON a.owner = b.owner
-- and
SELECT id FROM account

-- pair: self-join-on-a-unique-column-mended  equivalent
SELECT a.id FROM account a JOIN account b ON a.owner = b.owner
-- and
SELECT id FROM account WHERE owner IS NOT NULL

-- pair: null-safe-self-join-on-a-unique-column  inequivalent
SELECT a.id FROM account a JOIN account b ON a.owner <=> b.owner
-- and
SELECT id FROM account

-- pair: columns-exchanged  inequivalent
SELECT id, tier FROM customer
-- and
SELECT tier, id FROM customer

-- pair: star-of-a-join-exchanged  inequivalent
SELECT * FROM account a JOIN (SELECT id AS n, amount FROM orders) o ON a.id = o.n
-- and
SELECT * FROM (SELECT id AS n, amount FROM orders) o JOIN account a ON a.id = o.n

-- pair: inner-join-commutes  equivalent
SELECT c.name, o.amount FROM customer c JOIN orders o ON o.customer_id = c.id
-- and
SELECT c.name, o.amount FROM orders o, customer c WHERE c.id = o.customer_id

-- pair: joins-associate  equivalent
SELECT c.id, i.product
FROM customer c JOIN (SELECT o.customer_id, i.product FROM orders o JOIN item i ON i.order_id = o.id) i ON i.customer_id = c.id
-- and
SELECT c.id, i.product FROM customer c JOIN orders o ON o.customer_id = c.id JOIN item i ON i.order_id = o.id

-- pair: natural-join  equivalent
SELECT name FROM customer NATURAL JOIN (SELECT id FROM account) AS a
-- and
SELECT name FROM customer JOIN account USING (id)

-- pair: natural-join-of-more-columns  inequivalent
SELECT COUNT(*) FROM customer NATURAL JOIN (SELECT id, city FROM customer) AS a
-- and
SELECT COUNT(*) FROM customer JOIN (SELECT id, city FROM customer) AS a USING (id)

-- pair: using-merges-a-full-join  equivalent
SELECT id FROM customer FULL JOIN account USING (id)
-- and
SELECT COALESCE(c.id, a.id) FROM customer c FULL JOIN account a ON c.id = a.id

-- pair: cross-join-with-one-row  equivalent
SELECT c.id, t.n FROM customer c CROSS JOIN (SELECT COUNT(*) AS n FROM event) AS t
-- and
SELECT id, (SELECT COUNT(*) FROM event) FROM customer

-- pair: comma-and-right-join  equivalent
SELECT c.id, e.value, a.id FROM customer c, event e RIGHT JOIN account a ON e.value = a.id
-- and
SELECT t.id, t.value, a.id
FROM (SELECT c.id, e.value FROM customer c CROSS JOIN event e) AS t RIGHT JOIN account a ON t.value = a.id

-- pair: lateral-by-scalar  equivalent
SELECT c.id, t.m FROM customer c LEFT JOIN LATERAL (SELECT MAX(amount) AS m FROM orders o WHERE o.customer_id = c.id) AS t
-- and
SELECT c.id, (SELECT MAX(amount) FROM orders o WHERE o.customer_id = c.id) FROM customer c

-- pair: transitive-condition  equivalent
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id WHERE c.id > 1
-- and
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id WHERE c.id > 1 AND o.customer_id > 1

-- pair: transitive-condition-too-strong  inequivalent
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id WHERE c.id > 1
-- and
SELECT c.id FROM customer c JOIN orders o ON o.customer_id = c.id WHERE c.id > 1 AND o.id > 1
