"""What is answered about the wires of two versions of a workflow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from tallystick.certificates.dataflows.proofs import Cut
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.dataflow.pair import Pair
from tallystick.showing import Shown


class Change(StrEnum):
    """The answers about a wire."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    UNKNOWN = "unknown"
    ADDED = "added"
    REMOVED = "removed"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Difference:
    """A legal database of the sources, and what a wire holds on it in either version.

    Attributes:
        functions: the functions of the user's that were called to see it. No certificate claims it then.
    """

    database: Database
    old: Outcome
    new: Outcome
    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class WireVerdict:
    """The answer about one wire.

    Attributes:
        name: what it is called in the new version, or in the old one if it was removed.
        old: what it is called in the old version; "" if it was added.
        change: the answer.
        reason: why, in a sentence.
        edited: whether its own text was edited.
        reads: the wires and sources that it reads.
        cut: of an unchanged wire, the step that says so.
        columns: column i of the old wire is compared with column columns[i] of the new one.
        difference: of a changed wire, an input on which it differs; None if its columns are other ones.
        calls: how often the prover was asked.
        by_column: if asked for, the answer for each column that both versions have, by its name.
        computed_by: the number of the first version of a history that computed the same table; 0 if there is none.
        shared: of a wire whose columns are other ones, the answer about those that both versions have.
    """

    name: str
    old: str
    change: Change
    reason: str
    edited: bool = False
    reads: tuple[str, ...] = ()
    cut: Cut | None = field(default=None, repr=False)
    columns: tuple[int, ...] = ()
    difference: Difference | None = None
    calls: int = 0
    by_column: tuple[tuple[str, Change], ...] = ()
    shared: WireVerdict | None = None
    computed_by: int = 0

    @property
    def needs_rebuild(self) -> bool:
        """Whether a table that was built by the old version may hold other rows than the new one gives."""
        return self.change in (Change.CHANGED, Change.UNKNOWN) or (self.change is Change.ADDED and not self.old)

    @property
    def is_renamed(self) -> bool:
        """Whether it holds, under a new name, what a wire that is gone has held."""
        return self.change is Change.ADDED and bool(self.old)


@dataclass(frozen=True, repr=False)
class DataflowVerdict(Shown):
    """The answers about two versions of a workflow; `str` prints them, changed wires first.

    Attributes:
        wires: in the order of the new version; wires that are gone come last.
        certificate: of all answers that a step or an input bears out, audited; None if the audit did not accept it.
        calls: how often the prover was asked.
        interrupted: whether an interrupt ended the comparison: what was not compared by then is unknown.
    """

    wires: tuple[WireVerdict, ...]
    pair: Pair = field(repr=False)
    certificate: bytes | None = field(repr=False)
    seconds: float
    calls: int
    interrupted: bool = False

    def __bool__(self) -> bool:
        raise TypeError("a verdict has several answers: look at its wires")

    def __repr__(self) -> str:
        counts = Counter(wire.change for wire in self.wires)
        shown = ", ".join(f"{counts[change]} {change}" for change in Change if counts[change])
        return f"<DataflowVerdict {shown or 'nothing to compare'}>"

    def __str__(self) -> str:
        from tallystick.dataflow.showing.text import text

        whole: Any = self
        return text(whole)

    def of(self, name: str) -> WireVerdict:
        """The answer about a wire. Raises KeyError if there is none of the name."""
        return {wire.name: wire for wire in self.wires}[name]

    def only(self, names: Collection[str] | None) -> DataflowVerdict:
        """The verdict about some wires; about all for None."""
        if names is None:
            return self
        return replace(self, wires=tuple(wire for wire in self.wires if wire.name in names or wire.old in names))

    @property
    def exit_status(self) -> int:
        """0 if every wire is unchanged, 1 if one is changed, added or removed, else 2."""
        answers = {wire.change for wire in self.wires}
        if answers <= {Change.UNCHANGED}:
            return 0
        return 2 if answers <= {Change.UNCHANGED, Change.UNKNOWN} else 1
