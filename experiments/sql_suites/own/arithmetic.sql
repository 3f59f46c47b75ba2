-- Division, remainders, decimals, dates, texts and casts.

-- pair: quotient-is-no-integer  inequivalent
SELECT value / 2 FROM event
-- and
SELECT value DIV 2 FROM event

-- pair: remainder-by-quotient  equivalent
SELECT value % 3 FROM event
-- and
SELECT value - 3 * (value DIV 3) FROM event

-- pair: remainder-has-a-sign  inequivalent
SELECT value % 3 FROM event
-- and
SELECT ((value % 3) + 3) % 3 FROM event

-- pair: half-and-half  equivalent
SELECT value / 2 + value / 2 FROM event WHERE value IS NOT NULL
-- and
SELECT value * 1.0 FROM event WHERE value IS NOT NULL

-- pair: product-distributes  equivalent
SELECT price * (quantity + 1) FROM item
-- and
SELECT price * quantity + price FROM item

-- pair: product-forgets-a-term  inequivalent
SELECT price * (quantity + 1) FROM item
-- and
SELECT price * quantity + 1 FROM item

-- pair: comparison-moved  equivalent
SELECT id FROM orders WHERE amount + 3 > 5
-- and
SELECT id FROM orders WHERE amount > 2

-- pair: comparison-of-integers-is-strict  equivalent
SELECT id FROM orders WHERE amount > 2
-- and
SELECT id FROM orders WHERE amount >= 3

-- pair: comparison-of-decimals-is-dense  inequivalent
SELECT order_id FROM item WHERE price > 2
-- and
SELECT order_id FROM item WHERE price >= 3

-- pair: even-and-odd  equivalent
SELECT value FROM event WHERE 2 * value = 7
-- and
SELECT value FROM event WHERE FALSE

-- pair: absolute-value  equivalent
SELECT ABS(value) FROM event
-- and
SELECT CASE WHEN value >= 0 THEN value ELSE -value END FROM event

-- pair: days-added  equivalent
SELECT id FROM orders WHERE placed >= DATE '2024-02-28' + INTERVAL 2 DAY
-- and
SELECT id FROM orders WHERE placed > '2024-02-29'

-- pair: months-added  equivalent
SELECT id FROM orders WHERE placed < DATE '2023-11-30' + INTERVAL 3 MONTH
-- and
SELECT id FROM orders WHERE placed < DATE '2024-02-29'

-- pair: day-of-the-month  inequivalent
SELECT id FROM orders WHERE placed <= DATE '2024-03-01' - INTERVAL 1 MONTH
-- and
SELECT id FROM orders WHERE placed <= DATE '2024-03-01' - INTERVAL 30 DAY

-- pair: text-and-number  equivalent
SELECT id FROM customer WHERE tier = '1'
-- and
SELECT id FROM customer WHERE tier = 1

-- pair: trailing-blank  inequivalent
SELECT id FROM customer WHERE city = 'a '
-- and
SELECT id FROM customer WHERE city = 'a'

-- pair: pattern-without-wildcards  inequivalent
SELECT id FROM customer WHERE city LIKE 'a%'
-- and
SELECT id FROM customer WHERE city = 'a'

-- pair: pattern-twice  equivalent
SELECT id FROM customer WHERE city LIKE 'a%' AND NOT city NOT LIKE 'a%'
-- and
SELECT id FROM customer WHERE city LIKE 'a%'

-- pair: order-of-texts  equivalent
SELECT id FROM customer WHERE city > 'a' AND city > 'b'
-- and
SELECT id FROM customer WHERE city > 'b'

-- pair: cast-of-an-integer  equivalent
SELECT CAST(tier AS BIGINT) + 1 FROM customer
-- and
SELECT tier + 1 FROM customer

-- pair: simple-case  equivalent
SELECT CASE tier WHEN 1 THEN 'x' WHEN 2 THEN 'y' END FROM customer
-- and
SELECT CASE WHEN tier = 2 THEN 'y' WHEN tier = 1 THEN 'x' ELSE NULL END FROM customer

-- pair: order-of-cases  inequivalent
SELECT CASE WHEN tier > 0 THEN 'x' WHEN tier > 1 THEN 'y' END FROM customer
-- and
SELECT CASE WHEN tier > 1 THEN 'y' WHEN tier > 0 THEN 'x' END FROM customer
