"""Small workflows from texts, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from tallystick.dataflow.comparing import compared
from tallystick.dataflow.pair import Pair, paired
from tallystick.dataflow.sweep.sweeping import SweepLimits
from tallystick.dataflow.verdict import DataflowVerdict
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.workflows.models import Model, read_models
from tallystick.frontends.workflows.version import Version

SHOP = """
CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(20), country VARCHAR(2));
CREATE TABLE orders (id INT PRIMARY KEY, customer INT NOT NULL REFERENCES customers (id), amount INT, status VARCHAR(9))
"""

Texts = Mapping[str, str | Model]


def version(texts: Texts, schema: str = SHOP, dialect: str = "duckdb", ordered: bool = True) -> Version:
    """Models by name, over a schema."""
    meaning = dialect_named(dialect)
    models = [
        each if isinstance(each, Model) else Model(name, SqlText(each, f"{name}.sql"), name)
        for name, each in texts.items()
    ]
    return read_models(models, read_schema(schema, meaning), meaning, ordered=ordered)


def pair_of(old: Texts, new: Texts, schema: str = SHOP, dialect: str = "duckdb") -> Pair:
    """Two versions."""
    return paired(version(old, schema, dialect), version(new, schema, dialect))


def verdict_of(
    old: Texts, new: Texts, schema: str = SHOP, dialect: str = "duckdb", columns: bool = False
) -> DataflowVerdict:
    """What is answered about two versions, in little time."""
    return compared(pair_of(old, new, schema, dialect), columns=columns, limits=SweepLimits(seconds=5, searching=0.5))


def answers(old: Texts, new: Texts, schema: str = SHOP, dialect: str = "duckdb") -> dict[str, str]:
    """The answers by name."""
    return {wire.name: str(wire.change) for wire in verdict_of(old, new, schema, dialect).wires}
