"""The file of configuration: what it may say."""

from __future__ import annotations

from typing import Final

from tables import code, table
from tallystick.configuration import COMMANDS, KEYS

PLACE: Final = """\
Defaults of options stand in `tallystick.toml`, or in the table `[tool.tallystick]` of `pyproject.toml`. The file is
looked for in the working folder, then in those above it up to the root of its repository of git; the first that is
found counts. `tallystick --config FILE …` names another, `tallystick --no-config …` heeds none, and `tallystick doctor`
says which one holds. What stands on the command line goes before it."""
EXAMPLE: Final = """\
```toml
dialect = "postgres"
schema = "schema.sql"        # a path from the folder of this file
timeout = 20

[changes]                    # holds for `tallystick changes` alone, and goes before what stands above
sources = "models"
base = "origin/main"
```"""
TABLES: Final = """\
that has the option. A table that is called like one of these has the same keys, for it alone. What is no key is
refused, with the nearest one."""
SAFETY: Final = """\
No key runs a program or writes a file: a repository of somebody else's is compared without either. Functions make
DataFrames of tables only where `--schema` stands on the command line; else they are functions on RDDs."""


def configuration() -> str:
    """Where a file is looked for, its keys, and an example."""
    keys = table(("key", "value", "meaning"), ([code(key), of, said] for key, (of, said) in KEYS.items()))
    on_top = f"Keys on top hold for each of {', '.join(map(code, COMMANDS))}\n{TABLES}"
    return "\n\n".join(["Configuration", PLACE, EXAMPLE, on_top, keys, SAFETY])
