"""Letters: what is seen of a streaming program at one instant, one batch for each named stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from tallystick.streaming.errors import UnknownStreamError

#: The records of one stream at one instant, in no particular order.
Batch: TypeAlias = tuple[Any, ...]
#: A finite prefix of a stream, batch by batch.
StreamPrefix: TypeAlias = tuple[Batch, ...]

#: The stream's name when a subject has one input, or one output.
INPUT = "input"
OUTPUT = "output"


class Letter(Mapping[str, Batch]):
    """The batches of all input and output streams at one instant, by name: `letter["output"]`,
    `letter.output`.

    Raises `UnknownStreamError` for a name that is not there. Immutable; compares by value.
    """

    def __init__(self, batches: Mapping[str, Batch]) -> None:
        self._batches = {name: tuple(batch) for name, batch in batches.items()}

    def __getitem__(self, name: str) -> Batch:
        try:
            return self._batches[name]
        except KeyError:
            raise UnknownStreamError(name, self._batches) from None

    def __getattr__(self, name: str) -> Batch:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._batches)

    def __len__(self) -> int:
        return len(self._batches)

    def __contains__(self, name: object) -> bool:
        return name in self._batches

    def __hash__(self) -> int:
        return hash(frozenset(self._batches.items()))

    def __repr__(self) -> str:
        return f"Letter({', '.join(f'{name}={list(batch)!r}' for name, batch in self._batches.items())})"
