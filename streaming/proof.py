"""What the attempt to prove a property for all streams found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tallystick.streaming.engines.base import Case


@dataclass(frozen=True)
class Proof:
    """The outcome of an attempt to prove a property for all streams.

    * `verdict`: the property "holds", it is "violated", or that is "unknown".
    * `reason`: why it is unknown; what the proof rests on, if it holds.
    * `streams`: the streams that it is about, one line for each input.
    * `letters`: for how many batches the program was unrolled: after them the formula is decided on every stream.
    * `keys`: how many keys one stream needs at most to violate the formula; the proof looked at so many.
    * `assumptions`: what was not proved.
    * `case`: a shortest violating prefix.
    """

    verdict: Literal["holds", "violated", "unknown"]
    reason: str
    streams: tuple[str, ...] = ()
    letters: int = 0
    keys: int = 0
    assumptions: tuple[str, ...] = ()
    case: Case | None = None
    seconds: float = 0.0

    def __str__(self) -> str:
        about = "; ".join(self.streams)
        match self.verdict:
            case "holds":
                text = f"holds for every stream ({about}), proved in {self.seconds:.2f} s: {self.reason}"
            case "violated":
                return f"violated by a stream ({about}), found in {self.seconds:.2f} s: {self.reason}"
            case "unknown":
                return f"not proved: {self.reason}"
        return "\n".join([text, *(f"  assuming {each}" for each in self.assumptions)])
