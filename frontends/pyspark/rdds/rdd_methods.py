"""What an entry of the positive list of RDD methods is made of.

A module of methods ends with a table of them; `positive_list.py` puts the tables together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tallystick.core.terms import Term
from tallystick.frontends.pyspark.rdds.calls import Call, Signature
from tallystick.frontends.pyspark.values.kinds import (
    Broadcast,
    Collected,
    Dictionary,
    DictionaryOfGroups,
    Grouped,
    GroupJoin,
    Listing,
    Literals,
    Objects,
    Outer,
    Ranked,
    Sorted,
    SparkContextValue,
    StatCounter,
    Table,
    Taken,
)

Owner = Term | Grouped | GroupJoin | Outer | Literals | Objects | Sorted | SparkContextValue
Result = (
    Owner | Broadcast | Collected | Dictionary | DictionaryOfGroups | Listing | Ranked | StatCounter | Table | Taken
)
Meaning = Callable[[Call], Result]


@dataclass(frozen=True)
class SupportedCall:
    """One entry of the positive list: its name, signature, meaning in one line, and an example expression."""

    name: str
    signature: str
    meaning: str
    example: str


@dataclass(frozen=True)
class RddMethod:
    """A method of RDDs: its entry, its signature, and the function that makes the term of a call."""

    entry: SupportedCall
    signature: Signature
    meaning: Meaning


@dataclass(frozen=True)
class OtherMethods:
    """The methods of a kind of RDD that is no term, their function, and what to write instead of others."""

    kind: type
    signatures: dict[str, Signature]
    hint: str
    meaning: Callable[[Call, Any], Result]


def rdd_method(signature: str, example: str, meaning: Meaning) -> RddMethod:
    """An entry of the positive list; parameters written with `=` are optional.

    The first line of the function's docstring is the meaning that the documentation shows.
    """
    read = Signature.of(signature)
    first_line = (meaning.__doc__ or "").splitlines()[0]
    return RddMethod(SupportedCall(read.name, signature, first_line, example), read, meaning)


def methods_of(
    kind: type, signatures: Iterable[str], hint: str, meaning: Callable[[Call, Any], Result]
) -> OtherMethods:
    """The methods of a kind of RDD that is no term."""
    return OtherMethods(kind, {each.name: each for each in map(Signature.of, signatures)}, hint, meaning)
