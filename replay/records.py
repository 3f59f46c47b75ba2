"""What was run on Spark, and what came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tallystick.core.interpreter import Bag
from tallystick.core.types import Value
from tallystick.replay import wire


@dataclass(frozen=True, slots=True)
class Partitioned:
    """A bag that is spread over partitions in this way; without partitions, an RDD that has none."""

    partitions: tuple[tuple[Value, ...], ...]


Input = Value | Mapping[Value, int] | Sequence[Value] | Partitioned
"""The value of a parameter: a basic value, or a bag: as element -> multiplicity, as a list, or in given partitions."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A program returned this value, a mean, or an RDD or a dictionary with this bag of elements."""

    value: Value | Bag | float

    def __eq__(self, other: object) -> bool:
        """Whether both are the same value: True and 1 are not, although Python finds them equal."""
        return isinstance(other, Returned) and wire.encode_result(self.value) == wire.encode_result(other.value)

    def __hash__(self) -> int:
        return hash(str(wire.encode_result(self.value)))

    def __str__(self) -> str:
        return show(self.value)


@dataclass(frozen=True, slots=True)
class Raised:
    """A program raised an exception of this type.

    Two programs that raise the same type have the same outcome, whatever the messages say.
    """

    error: str
    message: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Raised) and self.error == other.error

    def __hash__(self) -> int:
        return hash(self.error)

    def __str__(self) -> str:
        return f"raised {self.error}: {self.message}" if self.message else f"raised {self.error}"


Outcome = Returned | Raised


@dataclass(frozen=True, slots=True)
class Run:
    """One program on one input.

    Attributes:
        written: its outcome as the user wrote it, with Spark's own folds.
        sparklite: its outcome when fold and foldByKey are one left fold, as in SparkLite (THEORY section 5).
        folds: whether it calls fold or foldByKey on an input of its batch; otherwise both outcomes are one.
    """

    written: Outcome
    sparklite: Outcome
    folds: bool

    @property
    def depends_on_meaning(self) -> bool:
        """Whether Spark's own folds gave another outcome than SparkLite's."""
        return self.written != self.sparklite


@dataclass(frozen=True, slots=True)
class ObservedFold:
    """A call of `fold`, `foldByKey` or `reduceByKey` by user code, as Spark carried it out.

    Attributes:
        method: the name of the method.
        path, line: the file, and the line of it where the method's name stands.
        partitions: the elements that were folded, as they were spread.
        outcome: what the fold returned, or raised.
    """

    method: str
    path: str
    line: int
    partitions: tuple[tuple[Value, ...], ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcomes of two programs on one input, in one meaning of folds."""

    left: Outcome
    right: Outcome

    @property
    def differs(self) -> bool:
        """Whether the outcomes differ."""
        return self.left != self.right

    @property
    def returned(self) -> bool:
        """Whether both programs returned: two programs that fail alike do not differ, but agree on nothing."""
        return isinstance(self.left, Returned) and isinstance(self.right, Returned)


@dataclass(frozen=True, slots=True)
class Replay:
    """Two programs, run on Spark on one input.

    Attributes:
        left, right: their runs.
        environment: the input.
        partitions: how many partitions each input RDD had.
    """

    left: Run
    right: Run
    environment: Mapping[str, Input]
    partitions: int

    @property
    def as_written(self) -> Comparison:
        """The outcomes of the programs as the user wrote them, with Spark's own folds."""
        return Comparison(self.left.written, self.right.written)

    @property
    def in_sparklite(self) -> Comparison:
        """The outcomes in SparkLite's meaning, computed on Spark."""
        return Comparison(self.left.sparklite, self.right.sparklite)

    @property
    def depends_on_meaning(self) -> bool:
        """Whether Spark's own folds gave one of the programs another outcome than SparkLite's."""
        return self.left.depends_on_meaning or self.right.depends_on_meaning

    def explain(self) -> str:
        """What each program returned, in each meaning in which they may be read, for people."""
        spread = f"{self.partitions} partition{'s' * (self.partitions != 1)}"
        lines = _lines(f"on Spark, input in {spread}", self.as_written)
        if self.left.folds or self.right.folds:
            lines += _lines("on Spark, each fold as one left fold", self.in_sparklite)
        if self.depends_on_meaning:
            lines.append("Spark folds each partition from the zero, and then the partial results: here that")
            lines.append("does not give the value of one left fold.")
        return "\n".join(lines)


def show(value: Value | Bag | float) -> str:
    """A value as Python writes it; a bag as {{ element, element × multiplicity }}, in ascending order."""
    if not isinstance(value, dict):
        return str(value)
    ascending = sorted(value.items(), key=lambda entry: _in_order(entry[0]))
    inside = ", ".join(f"{element} × {count}" if count > 1 else str(element) for element, count in ascending)
    return f"{{{{ {inside} }}}}" if inside else "{{ }}"


def _in_order(value: object) -> tuple[int, object]:
    """A sort key of values of one type, in which None comes first."""
    if isinstance(value, tuple):
        return 1, tuple(map(_in_order, value))
    return (0, 0) if value is None else (1, value)


def _lines(title: str, outcomes: Comparison) -> list[str]:
    verdict = "they differ" if outcomes.differs else "they agree"
    return [f"{title}: {verdict}", f"  left   {outcomes.left}", f"  right  {outcomes.right}"]
