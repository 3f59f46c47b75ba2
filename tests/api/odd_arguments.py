"""Odd files, and a random walk over command lines of odd arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
from tallystick.cli import COMMANDS, main

PROGRAMS = """
from functools import partial
from operator import add

from pyspark import RDD


def before(r: RDD[int]):
    return r.map(lambda x: x + 1)


def after(r: RDD[int]):
    return r.map(lambda x: 1 + x)


def unsafe(r: RDD[int]):
    return r.fold(0, lambda a, x: a + 1)


class Job:
    def run(self, r: RDD[int]):
        return r.map(lambda x: x)


constant = 1
applied = partial(add, 1)
shorter = lambda r: r
"""
ENDING = tuple(each for each in COMMANDS if each != "playground")
"""The commands that end by themselves."""
SCHEMA = "CREATE TABLE t (a INT PRIMARY KEY, b INT, s VARCHAR(3), d DATE);\n"
FILES: dict[str, str | bytes] = {
    "left.sql": "SELECT a FROM t WHERE b > 1",
    "right.sql": "SELECT a FROM t WHERE NOT b <= 1",
    "with blank.sql": "SELECT a FROM t",
    "two.sql": "SELECT 1; SELECT 2",
    "no_query.sql": "DROP TABLE t",
    "schema.sql": SCHEMA,
    "schema with blank.sql": SCHEMA,
    "schema.json": json.dumps({"tables": {"t": {"columns": [{"name": "a", "type": "INT"}]}}}),
    "odd_schema.json": json.dumps({"tables": {"t": {"columns": [{"name": 1}, []]}}}),
    "empty": "",
    "empty.sql": "",
    "empty.py": "",
    "empty.json": "",
    "blank.sql": " \n\t\n",
    "binary.sql": bytes(range(256)),
    "binary.py": bytes(range(256)),
    "binary.json": bytes(range(256)),
    "nul.sql": "SELECT \0 FROM t",
    "long.sql": "SELECT " + "1 + " * 300_000 + "1",
    "deep.sql": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "jobs.py": PROGRAMS,
    "jobs with blank.py": PROGRAMS,
    "syntax.py": "def before(:\n",
    "nul.py": "def before(r):\n    return '\0'\n",
    "list.json": "[1, [2], null]",
    "number.json": "1e400",
    "object.json": '{"version": 5, "left": [], "right": {}}',
    "deep.json": "[" * 100_000 + "]" * 100_000,
    "notes.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": PROGRAMS.splitlines(keepends=True)}]}),
    "odd.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": 3}, 4, {"source": [None]}]}),
    "list.ipynb": "[]",
    "machine.txt": "0: inc a 1\n1: dec b 0 2\n2: halt\n",
    "pairs.jsonl": '{"left": "SELECT 1 AS x", "right": "SELECT 1 AS x"}\n',
    "odd.jsonl": "1\n[]\n{}\n",
}
"""Files by their names."""
TEXTS = (
    "",
    " ",
    "\n",
    "SELECT 1 AS x",
    "SELECT",
    "select a from t",
    "SELECT a FROM t ORDER BY",
    "sélect ✓ from 🙂",
    "\udce9.sql",
    "a" * 5_000,
    ":",
    "::",
    ".py:",
    "missing.sql",
    "missing.py:before",
    "jobs.py",
    "jobs.py:",
    "jobs.py:missing",
    "jobs.py:constant",
    "jobs.py:applied",
    "jobs.py:shorter",
    "jobs.py:Job",
    "jobs.py:Job.run",
    "jobs.py:before",
    "jobs.py:after",
    "jobs.py:unsafe",
    "jobs with blank.py:before",
    "syntax.py:before",
    "binary.py:before",
    "notes.ipynb:before",
    "r: RDD[int]",
    "r: RDD[",
    "exact-floats",
    "exists y. 2*y < x",
    "x <",
    "spark",
    "sql",
    "z3",
    "all",
    "--",
    "-",
    "*",
    "/dev/null",
    "/proc/self/mem",
    "~",
    "t",
)
GOOD: dict[str, tuple[str, ...]] = {
    "before": ("left.sql", "right.sql", "with blank.sql", "SELECT a FROM t", "jobs.py:before", "jobs.py:Job.run"),
    "after": ("right.sql", "SELECT a FROM t", "jobs.py:after", "jobs.py:unsafe", "jobs with blank.py:after"),
    "schema": ("schema.sql", "schema with blank.sql", "schema.json", SCHEMA),
    "paths": ("jobs.py", "jobs with blank.py", "notes.ipynb", "folder", "jobs.py:unsafe"),
    "queries": ("left.sql", "folder", "with blank.sql"),
    "old": ("folder", "new folder"),
    "new": ("folder", "new folder"),
    "formula": ("exists y. 2*y < x", "exists y. x = 2*y"),
    "file": ("machine.txt",),
    "types": ("r: RDD[int]",),
    "dialect": ("spark", "duckdb", "postgres", "mysql"),
    "assume": ("exact-floats",),
}
"""What parameters take, by their names."""
NUMBERS = ("0", "-1", "nan", "inf", "-inf", "1e-9", "0.2", "1e400", "x", "", "1_0", "٣", "2", "64")


def made(folder: Path) -> None:
    """Makes the files, and folders that are called like files."""
    for name, content in FILES.items():
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
    for name in ("folder", "folder.sql", "folder.py", "folder.json"):
        (folder / name).mkdir()
    (folder / "new folder").mkdir()
    (folder / "folder" / "model.sql").write_text("SELECT a FROM t WHERE b > 1")
    (folder / "new folder" / "model.sql").write_text("SELECT a FROM t WHERE NOT b <= 1")
    (folder / "dangling.sql").symlink_to(folder / "nowhere")


def command_lines(random: Random, certificates: tuple[str, ...] = ()) -> Iterator[list[str]]:
    """Command lines of odd arguments, on and on."""
    paths = (*FILES, *certificates, "folder", "folder.sql", "folder.py", "folder.json", "dangling.sql")

    good = {**GOOD, "certificate": certificates or ("empty",), "certificates": certificates or ("empty",)}

    def value(parameter: click.Parameter) -> str:
        if parameter.name in good and random.random() < 0.6:
            return random.choice(good[parameter.name])
        if isinstance(parameter.type, click.Choice) and random.random() < 0.85:
            return random.choice([str(each) for each in parameter.type.choices])
        if parameter.name in ("timeout", "memory", "pairs", "seed", "validate") and random.random() < 0.9:
            return random.choice(NUMBERS)
        return random.choice(TEXTS if random.random() < 0.5 else paths)

    while True:
        words = []
        command: click.Command = main
        while isinstance(command, click.Group):
            context = click.Context(command)
            name = random.choice(ENDING if command is main else sorted(command.list_commands(context)))
            words.append(name)
            found = command.get_command(context, name)
            assert found is not None
            command = found
        limited = False
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                number = random.choice((1, 1, 1, 2, 0)) if parameter.nargs == -1 else parameter.nargs
                words += [value(parameter) for _ in range(number)]
            elif isinstance(parameter, click.Option):
                likely = 0.6 if parameter.name == "schema" else 0.12
                if random.random() < likely:
                    option = random.choice(parameter.opts)
                    words += [option] if parameter.is_flag else [option, value(parameter)]
                    limited |= parameter.name == "timeout"
                if parameter.name == "timeout" and not limited:
                    words += ["--timeout", "0.2"]
        if random.random() < 0.05:
            words += [random.choice(("--nonsense", "--help", "surplus", "--json"))]
        yield words
