"""Types of lists, sets, dicts and tuples of any length: values are texts, one for each such value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tallystick.core.types import TEXT, BasicType
from tallystick.frontends.pyspark.values.nominal_types import NominalType

ContainerKind = Literal["list", "set", "sequence", "dict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedType(NominalType):
    """The type of values whose codes are texts: equal values of one type have equal codes.

    Attributes:
        kind: what they are; a sequence is a tuple of any length.
        item: the type of their items; of a dict, pairs of a key and a value.
    """

    kind: ContainerKind
    item: BasicType

    def __hash__(self) -> int:
        return hash((self.name, self.kind))

    @property
    def input_code(self) -> str:
        """The name of the function from any text to the code of a value; each code stands for itself."""
        return f"python input {self.name}"

    @property
    def is_hashable(self) -> bool:
        """Whether values may be keys, as far as this type says; sets may be frozen, which is not known."""
        return self.kind == "sequence"


def coded_type(kind: ContainerKind, item: BasicType, shown: str) -> CodedType:
    """The type of containers of items of a type, whose name is `shown`: of a dict, `tuple[key, value]`."""
    name = {"sequence": f"tuple[{shown}, ...]", "dict": f"dict[{shown[6:-1]}]"}.get(kind, f"{kind}[{shown}]")
    return CodedType((TEXT,), name, kind=kind, item=item)
