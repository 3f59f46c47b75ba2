"""Pairs of queries in the files that public repositories keep them in, as a clone has them.

    SPES       testData/*.json                        [{"name", "q1", "q2"}, …], over Calcite's tables (`calcite.sql`)
    SQLSolver  **/calcite_tests, **/spark_tests,      two lines a pair, over the CREATE TABLE statements of a file
               **/rules.*.txt                         NAME*.schema.sql of the clone
    VeriEQL    **/*.jsonlines                         {"index", "schema", "constraint", "pair"}, one a line

All pairs are *stated* to be equivalent; some are not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from tallystick.experiments.sql_suites.records import Record
from tallystick.frontends.errors import SourceError

STATED: Final = "stated"
CALCITE: Final = Path(__file__).with_name("calcite.sql")
SCHEMAS_OF_TESTS: Final = {"calcite_tests": ("calcite", "calcite"), "spark_tests": ("calcite", "spark")}
"""For files of SQLSolver, how the name of the schema begins, and the dialect of the texts."""
MOST_FILES: Final = 20_000


def raw_records(clone: Path) -> Iterator[Record]:
    """The pairs of a clone, file by file; nothing where no file is of a known format.

    Raises SourceError for a file that is not what its name says.
    """
    files = [path for path, _ in zip(sorted(clone.rglob("*")), range(MOST_FILES), strict=False) if path.is_file()]
    for path in files:
        read = _reader(path)
        if read is not None:
            yield from read(path, files)


Reader = Callable[[Path, list[Path]], Iterator[Record]]


def _reader(path: Path) -> Reader | None:
    if path.suffix == ".jsonlines":
        return _verieql
    if path.name in SCHEMAS_OF_TESTS or (path.name.startswith("rules.") and path.suffix == ".txt"):
        return _sqlsolver
    return _spes if path.suffix == ".json" and path.parent.name == "testData" else None


def _record(path: Path, name: str, schema: object, texts: tuple[object, object], dialect: str) -> Record:
    if not all(isinstance(text, str) for text in texts):
        raise SourceError(f"the pair {name} is no pair of texts", str(path))
    data = {"id": name, "schema": schema, "q1": texts[0], "q2": texts[1], "dialect": dialect, "expected": STATED}
    return Record(path.stem, name, data)


def _spes(path: Path, _: list[Path]) -> Iterator[Record]:
    pairs = _json(path, path.read_text(encoding="utf-8"))
    if not isinstance(pairs, list) or not all(isinstance(each, dict) and {"q1", "q2"} <= set(each) for each in pairs):
        return
    for number, each in enumerate(pairs, 1):
        name = str(each.get("name", number))
        yield _record(path, name, CALCITE.read_text(encoding="utf-8"), (each["q1"], each["q2"]), "calcite")


def _sqlsolver(path: Path, files: list[Path]) -> Iterator[Record]:
    part = path.name.split(".")[1] if path.name.startswith("rules.") else ""
    begins, dialect = SCHEMAS_OF_TESTS.get(path.name, (part, "spark" if ".spark." in path.name else "mysql"))
    schemas = [each for each in files if each.name.startswith(begins) and each.name.endswith(".schema.sql")]
    if not schemas:
        raise SourceError(f"there is no schema for it, {begins}*.schema.sql", str(path))
    schema = schemas[0].read_text(encoding="utf-8")
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len(lines) % 2:
        raise SourceError("it has an odd number of queries", str(path))
    for number, texts in enumerate(zip(lines[::2], lines[1::2], strict=True), 1):
        yield _record(path, str(number), schema, texts, dialect)


def _verieql(path: Path, _: list[Path]) -> Iterator[Record]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        data = _json(path, line)
        try:
            schema, texts = _tables(data["schema"], data["constraint"] or []), data["pair"]
            name = str(data.get("index", number))
            yield _record(path, name, {"tables": schema}, (texts[0], texts[1]), "mysql")
        except (KeyError, TypeError, IndexError, AttributeError, ValueError):
            raise SourceError("the line is no pair of VeriEQL", str(path), number) from None


def _tables(schema: dict[str, dict[str, str]], constraints: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema with constraints as the JSON of our records has it; other kinds of constraints are left out."""
    tables: dict[str, Any] = {
        table: {
            "columns": [{"name": name, "type": kind.lower(), "nullable": True} for name, kind in columns.items()],
            "primary_key": [],
            "unique": [],
            "foreign_keys": [],
        }
        for table, columns in schema.items()
    }
    for constraint in constraints:
        [(kind, places)] = constraint.items()
        parts = [each["value"].split("__", 1) for each in (places if isinstance(places, list) else [places])]
        table = tables[parts[0][0]]
        if kind == "not_null":
            next(column for column in table["columns"] if column["name"] == parts[0][1])["nullable"] = False
        elif kind == "primary":
            table["primary_key"] = [column for _, column in parts]
        elif kind == "unique":
            table["unique"].append([column for _, column in parts])
        elif kind == "foreign":
            (_, column), (target, referenced) = parts
            table["foreign_keys"].append({"columns": [column], "ref_table": target, "ref_columns": [referenced]})
    return tables


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise SourceError("it is no JSON", str(path)) from None
