CREATE TABLE customer (id INT PRIMARY KEY, name STRING NOT NULL, city STRING, joined DATE);
CREATE TABLE orders (
    id BIGINT PRIMARY KEY, customer_id INT REFERENCES customer (id), amount DECIMAL(10, 2), day DATE, status STRING
);
CREATE TABLE event (customer_id INT, kind STRING, day DATE, value INT);
