CREATE TABLE customers (
  id INT PRIMARY KEY,
  name STRING NOT NULL,
  country STRING
);
CREATE TABLE orders (
  id INT PRIMARY KEY,
  customer_id INT NOT NULL REFERENCES customers (id),
  status STRING NOT NULL,
  amount DECIMAL(10, 2)
);
