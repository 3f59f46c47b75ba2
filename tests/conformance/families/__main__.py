"""Writes the rows that are made: `PYTHONPATH=tests python -m conformance.families`. All engines are needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from conformance.engines import Engine, FailedError, RejectedError
from conformance.families import Made
from conformance.families.calls import aggregates, windows
from conformance.families.clauses import joins, queries
from conformance.families.functions import casts, functions
from conformance.families.operators import meetings, operators
from conformance.families.precedences import precedences
from conformance.families.times import times
from conformance.readings import Reader
from conformance.running import ENGINES
from conformance.table import FOLDER, Known, Row, rows

FAMILIES: dict[str, Callable[[], Made]] = {
    each.__name__: each for each in (operators, meetings, functions, casts, times, aggregates, windows, joins, queries)
}
Listed = dict[tuple[str, str], list[str]]
"""The dialects of each text, by construct and text."""


def main() -> None:
    known = {(each.query, dialect): says for each in rows() for dialect, says in each.exceptions.items()}
    own = {(each.query, dialect) for each in rows() if not each.place.startswith("made-") for dialect in each.dialects}
    found: dict[str, Listed] = {name: _read(family) for name, family in FAMILIES.items()}
    pairs: Listed = defaultdict(list)
    for name, start in ENGINES.items():
        engine = start()
        try:
            for made in precedences(engine):
                pairs[made].append(name)
            for listed in found.values() if name != "spark" else ():
                for made, dialects in listed.items():
                    if name not in dialects and _takes(engine, made):
                        dialects.append(name)
        finally:
            engine.close()
    for family, listed in {**found, "precedences": pairs}.items():
        made = [
            _row(*each, [name for name in ENGINES if name in dialects], own, known) for each, dialects in listed.items()
        ]
        lines = [row.line() for row in made if row.dialects]
        (FOLDER / f"made-{family}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(family: Callable[[], Made]) -> Listed:
    """The texts of a family that are read in some dialect, with those dialects."""
    readers = [Reader(name) for name in ENGINES]
    listed: Listed = {}
    for construct, text in dict.fromkeys(family()):
        query = Row("", (), text, {}).query
        dialects = [reader.name for reader in readers if reader.reads(query)]
        if dialects:
            listed[construct, text] = dialects
    return listed


def _takes(engine: Engine, made: tuple[str, str]) -> bool:
    """Whether the engine takes a text that the reader refuses."""
    try:
        engine.run(Row("", (), made[1], {}).query)
    except FailedError:
        return True
    except RejectedError:
        return False
    return True


def _row(
    construct: str, text: str, names: list[str], own: set[tuple[str, str]], known: dict[tuple[str, str], Known]
) -> Row:
    query = Row("", (), text, {}).query
    dialects = tuple(name for name in names if (query, name) not in own)
    own.update((query, name) for name in dialects)
    return Row(construct, dialects, text, {name: known[query, name] for name in dialects if (query, name) in known})


if __name__ == "__main__":
    main()
