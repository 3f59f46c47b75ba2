CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL, amount DECIMAL(12, 2), placed DATE, status STRING);
CREATE TABLE customers (id INT PRIMARY KEY, name STRING, region STRING, joined DATE);
CREATE TABLE events (customer INT, kind STRING, day DATE, number INT, flag BOOLEAN);
