-- Orders whose customer is known are all orders, if the schema says so
SELECT SUM(amount) AS revenue FROM orders WHERE status = 'shipped'
