CREATE TABLE customer (
    id INT PRIMARY KEY,
    name VARCHAR(10) NOT NULL,
    city VARCHAR(10),
    tier INT
);

CREATE TABLE orders (
    id INT PRIMARY KEY,
    customer_id INT REFERENCES customer (id),
    amount INT,
    paid BOOLEAN,
    placed DATE
);

CREATE TABLE item (
    order_id INT NOT NULL REFERENCES orders (id),
    product VARCHAR(10),
    quantity INT NOT NULL,
    price DECIMAL(8, 2)
);

CREATE TABLE event (
    kind VARCHAR(10),
    value INT
);

CREATE TABLE account (
    id INT PRIMARY KEY,
    owner INT UNIQUE,
    balance INT NOT NULL CHECK (balance >= 0)
);
