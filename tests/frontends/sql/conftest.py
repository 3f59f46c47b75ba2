"""The schema that the tests of the SQL front-end share."""

from __future__ import annotations

import pytest
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.schema import Schema

SCHEMA = """
CREATE TABLE emp (
    empno INT PRIMARY KEY,
    name VARCHAR(20) NOT NULL,
    salary INT,
    bonus DECIMAL(10, 2),
    hired DATE,
    active BOOLEAN,
    deptno INT REFERENCES dept (deptno),
    weight DOUBLE
);
CREATE TABLE dept (deptno INT PRIMARY KEY, name VARCHAR(20), CHECK (deptno > 0));
CREATE TABLE log (at TIMESTAMP, message STRING, tags ARRAY<STRING>);
"""


@pytest.fixture(scope="session")
def schema() -> Schema:
    return read_schema(SCHEMA, SPARK)
