"""The sweep: which wires of two versions hold the same rows, and a difference where they do not.

As SAT sweeping does with circuits: both versions are run on random legal inputs; wires of equal signatures are
candidates, which are proved from the sources on, through the smallest cut first, and merged, so that later proofs see
them as one table. Whatever tells two wires apart becomes an input for all.

Sound: a wire is unchanged only by a cut that the kernel accepts (`certificates/dataflows/kernel.py`), and changed only
by a legal input on which the reference interpreter gives different rows, or by other columns. Not complete: see
`decision/queries`, and opaque operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from tallystick.certificates.budget import Budget
from tallystick.certificates.dataflows.kernel import Composition
from tallystick.certificates.dataflows.proofs import Cut, Place
from tallystick.core.clock import clock
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.errors import KernelError, TallystickError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.syntax import Statement
from tallystick.dataflow.columns import Named, by_name, corresponding, told_apart
from tallystick.dataflow.history import History
from tallystick.dataflow.pair import Pair
from tallystick.dataflow.sweep.frontier import frontiers
from tallystick.dataflow.sweep.inputs import Inputs
from tallystick.dataflow.sweep.proving import Proofs
from tallystick.dataflow.verdict import Change, Difference, WireVerdict
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.differing import missing_rule

SHORT_SEARCH, SHORT_PROOF = 0.5, 1.0
"""Seconds of first attempts."""


@dataclass(frozen=True)
class SweepLimits:
    """What a sweep may take.

    Attributes:
        inputs: random legal inputs that all wires are run on.
        seconds: for the proof of one pair of wires.
        searching: seconds of a search for an input on which two wires differ, after no proof was found.
        candidates: wires of other names that a wire is compared with, if there is none of its own.
        total: seconds for all wires; a wire for which none are left is compared on the inputs that are known.
    """

    inputs: int = 24
    seconds: float = 10.0
    searching: float = 3.0
    candidates: int = 3
    total: float = inf


Progress = Callable[[int, int, str], None]
"""Takes the number of a wire, how many there are, and its name."""


@dataclass(frozen=True)
class Attempt:
    """What came of an attempt to prove two wires equal: a cut, or the reason why not; and the calls of the prover."""

    cut: Cut | None
    reason: str
    calls: int


class Sweep:
    """The sweep over one pair. `verdicts` runs it; `cuts` are the steps so far."""

    def __init__(self, pair: Pair, limits: SweepLimits, history: History | None = None) -> None:
        self.pair, self.limits = pair, limits
        self.composition = Composition(pair.certificate())
        self.inputs = Inputs(pair, self.composition)
        self.proofs, self.history = Proofs(), history
        self.cuts: list[Cut] = []
        self.choices: dict[object, object] = {}  # how LIMIT breaks ties, for all cuts
        self.old = {wire.name: wire for wire in pair.old}
        self.new = {wire.name: wire for wire in pair.new}
        self.found: dict[str, WireVerdict] = {}
        self.deadline = clock() + limits.total
        self.interrupted = False

    def verdicts(self, progress: Progress = lambda number, of, name: None) -> Iterator[WireVerdict]:
        """A verdict for each wire of the new version, then for each that is gone.

        An interrupt ends the work, not the answers: what was not compared by then is unknown.
        """
        try:
            for database in self.history.databases(self.pair.catalogue) if self.history is not None else ():
                self.inputs.keep(database)
            self.inputs.fill(self.limits.inputs)
        except KeyboardInterrupt:
            self.interrupted = True
        for number, wire in enumerate(self.pair.new):
            progress(number, len(self.pair.new), wire.name)
            self.found[wire.name] = self.answered(wire)
            yield self.found[wire.name]
        for wire in self.pair.old:
            if wire.name not in self.new:
                yield WireVerdict(wire.name, wire.name, Change.REMOVED, "the new version does not have it", True)

    def answered(self, wire: Wire) -> WireVerdict:
        """The verdict about a wire of the new version; unknown after an interrupt."""
        cuts = len(self.cuts)
        if not self.interrupted:
            try:
                return self.verdict(wire)
            except KeyboardInterrupt:
                self.interrupted = True
                del self.cuts[cuts:]
        edited = wire.name in self.pair.edited
        return WireVerdict(
            wire.name, wire.name * (wire.name in self.old), Change.UNKNOWN, "interrupted", edited, wire.reads
        )

    def left(self, seconds: float) -> float:
        """Of some seconds, those that are left for all wires."""
        return max(0.0, min(seconds, self.deadline - clock()))

    def verdict(self, wire: Wire) -> WireVerdict:
        """The verdict about a wire of the new version."""
        old = self.old.get(wire.name)
        if old is None:
            return self.renamed(wire)
        columns = by_name(*self.columns(old, wire))
        if columns is None:
            return self.other_columns(old, wire)
        return self.compared(old, wire, columns)

    def compared(self, old: Wire, new: Wire, columns: tuple[int, ...]) -> WireVerdict:
        """The verdict about two wires whose columns correspond."""
        attempt = self.same_operator(old, new, columns)
        difference: Difference | None = None
        if attempt.cut is None:
            difference = self.inputs.difference(("old", old.name), ("new", new.name), columns)
            if difference is None:
                difference, attempt = self.searched_and_proved(old, new, columns, attempt)
        if attempt.cut is None and self.is_ordered(old.name, new.name):
            self.cut_as_bags(old, new, columns)
        change = Change.UNCHANGED if attempt.cut else Change.UNKNOWN if difference is None else Change.CHANGED
        reason = attempt.reason if difference is None else self.because(new)
        if difference is not None and difference.functions:
            reason += f"; seen with the functions that were given: {', '.join(difference.functions)}"
        return self.about(old, new, change, reason, attempt, columns, difference)

    def cut_as_bags(self, old: Wire, new: Wire, columns: tuple[int, ...]) -> None:
        """A cut for two lists that are not found equal, if they are equal as bags: who reads them may not see it."""
        for _, values in self.inputs.known:
            one, other = values.signature(("old", old.name)), values.signature(("new", new.name), columns)
            if one is not None and other is not None and one != other:
                return
        attempt = self.proved(old, new, columns, SHORT_PROOF, as_bags=True)
        if attempt.cut is not None:
            self.cuts.append(attempt.cut)

    def searched_and_proved(
        self, old: Wire, new: Wire, columns: tuple[int, ...], attempt: Attempt
    ) -> tuple[Difference | None, Attempt]:
        """A difference, or a proof, or neither: both are tried in turn, for a short time first. Who reads what has
        changed mostly has changed, too: there, a difference is searched before a proof."""
        possible = self.may_hold(old, new, columns)
        changed = any(self.found[name].change is Change.CHANGED for name in new.reads if name in self.found)
        difference = self.searched(old, new, columns, SHORT_SEARCH) if changed else None
        if difference is None and possible:
            attempt = self.proved(old, new, columns, SHORT_PROOF)
        if difference is None and attempt.cut is None:
            difference = self.searched(old, new, columns, self.limits.searching)
        if difference is None and attempt.cut is None and possible:
            attempt = self.proved(old, new, columns, self.limits.seconds)
        return difference, attempt

    def may_hold(self, old: Wire, new: Wire, columns: tuple[int, ...]) -> bool:
        """Whether no input, nor a hash in the place of an opaque operator, tells two wires apart."""
        return not self.inputs.suggested(("old", old.name), ("new", new.name), columns)

    def searched(self, old: Wire, new: Wire, columns: tuple[int, ...], seconds: float) -> Difference | None:
        """A difference by a search that is about two wires alone."""
        seconds = self.left(min(seconds, self.limits.searching))
        return self.inputs.search(("old", old.name), ("new", new.name), columns, seconds, 1)

    def renamed(self, wire: Wire) -> WireVerdict:
        """The verdict about a wire whose name is new: it may be an old one that is gone."""
        gone = [old for old in reversed(self.pair.old) if old.name not in self.new]
        read = {self.composition.root(("new", name))[0][1] for name in wire.reads if name in self.new}
        near = [self.old[name] for name in sorted(read) if name in self.old and name in self.new]
        likely = [
            (old, columns) for old in (*gone, *near) if (columns := corresponding(*self.columns(old, wire))) is not None
        ]
        likely = [each for each in likely if self.inputs.agree(("old", each[0].name), ("new", wire.name), each[1])]
        for old, columns in likely[: self.limits.candidates]:
            attempt = self.same_operator(old, wire, columns)
            if attempt.cut is None:
                attempt = self.proved(old, wire, columns, self.limits.seconds if old in gone else SHORT_PROOF)
            if attempt.cut is not None and old in gone:
                reason = f"a new name of {old.name}: {attempt.reason}"
                return self.about(old, wire, Change.ADDED, reason, attempt, columns)
            if attempt.cut is not None:
                self.cuts.append(attempt.cut)
                reason = f"the old version does not have it; it holds what {old.name} holds"
                return WireVerdict(wire.name, "", Change.ADDED, reason, True, wire.reads, calls=attempt.calls)
        return WireVerdict(wire.name, "", Change.ADDED, "the old version does not have it", True, wire.reads)

    def other_columns(self, old: Wire, new: Wire) -> WireVerdict:
        """The verdict about a wire whose columns are other ones. Equal rows are found all the same, for later wires.

        The columns of an opaque operator are hearsay, or not known at all: they show nothing.
        """
        if isinstance(old.operator, Opaque) or isinstance(new.operator, Opaque):
            return self.about(old, new, Change.UNKNOWN, self.no_proof(old, new), Attempt(None, "", 0), ())
        both = self.columns(old, new)
        reason, columns = told_apart(*both), corresponding(*both)
        attempt = Attempt(None, "", 0)
        if columns is not None and self.may_hold(old, new, columns):
            attempt = self.same_operator(old, new, columns)
            attempt = attempt if attempt.cut else self.proved(old, new, columns)
        if attempt.cut is not None:
            reason += "; its rows are the same"
        return self.about(old, new, Change.CHANGED, reason, attempt, columns or ())

    def about(
        self,
        old: Wire,
        new: Wire,
        change: Change,
        reason: str,
        attempt: Attempt,
        columns: tuple[int, ...],
        difference: Difference | None = None,
    ) -> WireVerdict:
        """The verdict, with what is known of the wire."""
        if attempt.cut is not None:
            self.cuts.append(attempt.cut)
        edited = new.name in self.pair.edited or old.name != new.name
        return WireVerdict(
            new.name, old.name, change, reason, edited, new.reads, attempt.cut, columns, difference, attempt.calls
        )

    def because(self, wire: Wire) -> str:
        """Why a wire has changed: its text, or what it reads."""
        if wire.name in self.pair.edited:
            return "its text was changed"
        changed = [
            name for name in wire.reads if name in self.found and self.found[name].change is not Change.UNCHANGED
        ]
        return f"it reads {', '.join(changed)}" if changed else "its operator is another one"

    def same_operator(self, old: Wire, new: Wire, columns: tuple[int, ...]) -> Attempt:
        """Whether both are one operator on equal inputs."""
        identity = tuple(range(len(columns)))
        if columns != identity:
            return Attempt(None, "", 0)
        cut = Cut(("new", new.name), ("old", old.name), identity, self.is_ordered(old.name, new.name), (), None)
        try:
            self.composition.cut(cut, Budget(choices=self.choices))
        except KernelError:
            return Attempt(None, self.no_proof(old, new), 0)
        above = {name for version, name in self.inputs.simulation.upstream(("new", new.name)) if version == "new"}
        touched = above & self.pair.edited
        return Attempt(cut, "its text is the same, what it reads is equal" if touched else "nothing was edited", 0)

    def no_proof(self, old: Wire, new: Wire) -> str:
        """Why there is no proof where nothing was tried."""
        for version, wire in (("old", old), ("new", new)):
            if isinstance(wire.operator, Opaque):
                note = self.pair.notes[version].get(wire.name, "nothing is known of its operator")
                return f"{version} {wire.name}: {note}"
        return "an opaque operator that it hangs on may tell the versions apart"

    def proved(
        self, old: Wire, new: Wire, columns: tuple[int, ...], seconds: float | None = None, *, as_bags: bool = False
    ) -> Attempt:
        """A cut, through the smallest frontier first, within some seconds."""
        seconds = self.left(min(self.limits.seconds, self.limits.seconds if seconds is None else seconds))
        places: tuple[Place, Place] = (("old", old.name), ("new", new.name))
        if isinstance(old.operator, Opaque) or isinstance(new.operator, Opaque):
            return Attempt(None, self.no_proof(old, new), 0)
        if not self.composition.unrepeatable.isdisjoint(places):
            return Attempt(None, "it hangs on an operator that need not repeat its rows", 0)
        if not seconds:
            return Attempt(None, f"no proof was tried: the {self.limits.total:g} s for all models were over", 0)
        places_of_old = inverse(columns)
        deadline, calls, reason = clock() + seconds, 0, ""
        for cut in self.history.cuts(places[1], places[0]) if self.history is not None else ():
            try:
                self.composition.cut(cut, Budget(choices=self.choices))
            except TallystickError:
                continue
            return Attempt(cut, "proved as in an earlier comparison", 0)
        ordered = self.is_ordered(old.name, new.name) and columns == places_of_old and not as_bags
        for stops in frontiers(self.composition, *places):
            calls += 1
            try:
                found = self.through(stops, places, places_of_old, ordered, deadline - clock())
            except TallystickError as problem:
                found = str(problem)
            if not isinstance(found, str):
                return Attempt(found[0], found[1], calls)
            reason = found
            if clock() > deadline:
                reason = f"no proof in {seconds:g} s: {reason}"
                break
        return Attempt(None, reason, calls)

    def through(
        self,
        stops: tuple[Place, ...],
        places: tuple[Place, Place],
        columns: tuple[int, ...],
        ordered: bool,
        seconds: float,
    ) -> tuple[Cut, str] | str:
        """The cut that says that an old and a new wire are equal, with how, or why there is none through these stops.

        Raises a TallystickError where the kernel finds no goal there.
        """
        old, new = places
        left = self.composition.statement(new, tuple(range(len(columns))), ordered, stops)
        right = self.composition.statement(old, columns, ordered, stops)
        tables = (self.composition.fresh(stop, stops) for stop in stops)
        catalogue = Catalogue((*self.pair.catalogue.tables, *tables))
        proof = self.proofs.prove(left, right, catalogue, seconds)
        if isinstance(proof, str):
            return missing_rule(left, right, proof)
        cut = Cut(new, old, columns, ordered, stops, proof.proof)
        self.composition.cut(cut, Budget(choices=self.choices))
        return cut, _reason(proof, stops)

    def columns(self, old: Wire, new: Wire) -> tuple[list[Named], list[Named]]:
        """The columns of an old and of a new wire."""
        return self.pair.columns(("old", old.name)), self.pair.columns(("new", new.name))

    def is_ordered(self, old: str, new: str) -> bool:
        """Whether two wires are compared as lists."""
        operators = self.composition.wires["old", old].operator, self.composition.wires["new", new].operator
        return self.pair.ordered and any(isinstance(each, Statement) and each.order for each in operators)


def _reason(proof: Proved, stops: tuple[Place, ...]) -> str:
    shown = ", ".join(f"{name} {count}" for name, count in proof.used)
    through = ", ".join(name for _, name in stops) or "the sources"
    return f"proved over {through}{f' by {shown}' if shown else ''}"


def inverse(columns: tuple[int, ...]) -> tuple[int, ...]:
    """The inverse permutation."""
    return tuple(columns.index(i) for i in range(len(columns)))
