CREATE TABLE customers (customer_id BIGINT PRIMARY KEY, first_name STRING, last_name STRING, email STRING,
    country STRING, segment STRING, signed_up DATE NOT NULL, birth_date DATE, is_active BOOLEAN);
CREATE TABLE changes (customer_id BIGINT NOT NULL, version INT NOT NULL, operation STRING NOT NULL, email STRING,
    changed_at TIMESTAMP NOT NULL, PRIMARY KEY (customer_id, version));
CREATE TABLE orders (order_id BIGINT PRIMARY KEY, customer_id BIGINT NOT NULL, status STRING NOT NULL, channel STRING,
    ordered_at TIMESTAMP NOT NULL, shipped_at TIMESTAMP, amount DECIMAL(12, 2), discount DECIMAL(12, 2),
    currency STRING, FOREIGN KEY (customer_id) REFERENCES customers (customer_id));
CREATE TABLE products (product_id BIGINT PRIMARY KEY, name STRING, category STRING, brand STRING,
    list_price DECIMAL(10, 2), discontinued BOOLEAN NOT NULL);
CREATE TABLE order_items (order_id BIGINT NOT NULL, line INT NOT NULL, product_id BIGINT NOT NULL,
    quantity INT NOT NULL, price DECIMAL(10, 2), PRIMARY KEY (order_id, line),
    FOREIGN KEY (order_id) REFERENCES orders (order_id), FOREIGN KEY (product_id) REFERENCES products (product_id));
CREATE TABLE payments (payment_id BIGINT PRIMARY KEY, order_id BIGINT NOT NULL, method STRING, paid_at TIMESTAMP,
    amount DECIMAL(12, 2), failed BOOLEAN NOT NULL);
CREATE TABLE rates (currency STRING NOT NULL, day DATE NOT NULL, rate DECIMAL(10, 4) NOT NULL,
    PRIMARY KEY (currency, day));
CREATE TABLE targets (country STRING NOT NULL, month DATE NOT NULL, target INT, PRIMARY KEY (country, month));
CREATE TABLE events (event_id BIGINT PRIMARY KEY, customer_id BIGINT, session STRING, kind STRING NOT NULL,
    page STRING, at TIMESTAMP NOT NULL, payload STRING, duration INT);
CREATE TABLE stock (warehouse STRING NOT NULL, product_id BIGINT NOT NULL, day DATE NOT NULL, on_hand INT NOT NULL,
    PRIMARY KEY (warehouse, product_id, day));
CREATE TABLE employees (employee_id BIGINT PRIMARY KEY, manager_id BIGINT, department STRING, name STRING,
    salary INT, hired DATE NOT NULL, left_on DATE);
