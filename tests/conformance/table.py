"""The rows of the table: what is asked of which engines, and what is known to differ.

A line of `table/*.txt` is

    construct @ dialects @ text [@ dialects kind: reason]…

Dialects are letters: P PostgreSQL, M MariaDB (read as mysql), D DuckDB, S Spark, L SQLite; * all of them. A text that
starts with `=` is an expression over a row of t: `= a + 1` is `SELECT id, a + 1 AS q FROM t`. Exceptions name a kind of
`Kind` and a reason. Lines that start with # say what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Final

LETTERS: Final = {"P": "postgres", "M": "mysql", "D": "duckdb", "S": "spark", "L": "sqlite"}
LETTER_OF: Final = {name: letter for letter, name in LETTERS.items()}
FOLDER: Final = Path(__file__).parent / "table"


class Kind(Enum):
    """What becomes of a text. Those that differ fail, unless the row names them with a reason."""

    SAME = "same"
    """The engine's rows, names, types and order are those of the reading."""
    ASSUMED = "assumed"
    """The same but for what an assumption of the reading says, which every verdict prints."""
    BY_NAME = "by name"
    """Read, with a function that is known by its name alone, or a value that the reading leaves open."""
    REFUSED = "refused"
    """The reader refuses it, and the engine runs it."""
    BOTH_REFUSE = "both refuse"
    UNVERIFIED = "not verified"
    """Would be read otherwise than the engine does, and is refused: no text shows one of its cases to be right."""
    VALUE = "value"
    """Differs: other rows, another order, or NULL in a column that is read as NOT NULL."""
    TYPE = "type"
    """Differs: the same values, and a column of another type."""
    NAMES = "names"
    """Differs: a column has another name."""
    FAILS = "fails"
    """Differs: the reading fails where the engine does not, or the other way round without the assumption."""
    REJECTS = "rejects"
    """Differs: the engine takes no such text, and the reader does."""
    BREAKS = "breaks"
    """Differs: the reader or the interpreter ends with an error of no kind of its own."""

    @property
    def differs(self) -> bool:
        """Whether the reading is not what the engine does."""
        return self in (Kind.VALUE, Kind.TYPE, Kind.NAMES, Kind.FAILS, Kind.REJECTS, Kind.BREAKS)


@dataclass(frozen=True)
class Known:
    """A difference that is known, with its reason."""

    kind: Kind
    reason: str


@dataclass(frozen=True)
class Row:
    """A construct, the dialects that it is asked of, a text, and the exceptions by dialect."""

    construct: str
    dialects: tuple[str, ...]
    text: str
    exceptions: Mapping[str, Known]
    place: str = ""

    @property
    def query(self) -> str:
        """The text that is run."""
        return f"SELECT id, {self.text[1:].strip()} AS q FROM t" if self.text.startswith("=") else self.text

    def line(self) -> str:
        """The row as it stands in a file."""
        letters = "".join(LETTER_OF[each] for each in self.dialects)
        named: dict[Known, str] = {}
        for dialect, exception in self.exceptions.items():
            named[exception] = named.get(exception, "") + LETTER_OF[dialect]
        parts = [self.construct, "*" if len(letters) == len(LETTERS) else letters, self.text]
        return " @ ".join([*parts, *(f"{who} {each.kind.value}: {each.reason}" for each, who in named.items())])


def row(line: str, place: str) -> Row:
    """The row of a line. Raises ValueError, with the place, if it is none."""
    try:
        construct, letters, text, *exceptions = line.split(" @ ")
        known: dict[str, Known] = {}
        for each in exceptions:
            head, reason = each.split(": ", maxsplit=1)
            who, kind = head.split(" ", maxsplit=1)
            exception = Known(Kind(kind), reason)
            if not (reason.strip() and exception.kind.differs):
                raise ValueError("an exception is a difference with a reason")
            known |= dict.fromkeys(_named(who), exception)
        dialects = tuple(_named(letters))
        if not known.keys() <= set(dialects):
            raise ValueError("an exception is of a dialect that the row asks")
        return Row(construct, dialects, text, known, place)
    except (ValueError, KeyError) as problem:
        raise ValueError(f"{place}: {problem}") from None


def _named(letters: str) -> Iterable[str]:
    return LETTERS.values() if letters == "*" else [LETTERS[each] for each in letters]


def rows(folder: Path = FOLDER) -> Iterator[Row]:
    """The rows of all files of a folder."""
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if line.strip() and not line.startswith("#"):
                yield row(line, f"{path.name}:{number}")


def rewrite(changed: Mapping[str, Mapping[str, Known]], folder: Path = FOLDER) -> None:
    """Writes other exceptions, by the places of their rows, into the files."""
    for path in folder.glob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            place = f"{path.name}:{number}"
            if place in changed:
                lines[number - 1] = replace(row(line, place), exceptions=changed[place]).line()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
