"""The named switches in which dialects of SQL differ: they are part of a claim, as what its texts were read with."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal as Choice


@dataclass(frozen=True)
class Switches:
    """How a dialect reads texts, where dialects differ. What a query means is spelled out in its syntax.

    Attributes:
        integer_division: what `/` of two integers is: the exact quotient, or the quotient rounded towards zero.
        average_of_integers: likewise for AVG.
        division_by_zero: whether it is an error or NULL; or infinite by `/`, and an error elsewhere.
        null_order: whether NULL counts as smaller than all values, as larger, or comes last in either direction.
        identifiers: whether the case of names is ignored, folded to lower or upper case unless quoted, or kept.
        group_by_names: whether GROUP BY understands positions and names of the SELECT list.
        having_names: whether HAVING understands names of the SELECT list.
        lateral_names: whether a later item of the SELECT list sees the names of earlier ones.
        text_as_number: whether a text that meets a number is converted to one; else that is an error.
        truth_as_number: whether a truth value that meets a number is 0 or 1; else that is an error.
        comma_binds_weakest: whether `a, b RIGHT JOIN c` joins b with c first.
        enforces_keys: whether keys, foreign keys and checks hold in every database; else they are assumed.
        greatest_skips_null: whether GREATEST and LEAST skip NULL; else one NULL makes them NULL.
        collation: how texts are compared: by their characters, or without regard to the case of letters.
    """

    integer_division: Choice["exact", "truncate"]
    average_of_integers: Choice["exact", "truncate"]
    division_by_zero: Choice["error", "null", "infinite"]
    null_order: Choice["smallest", "largest", "last"]
    identifiers: Choice["ignored", "lower", "upper", "kept"]
    group_by_names: bool
    having_names: bool
    lateral_names: bool
    text_as_number: bool
    truth_as_number: bool
    comma_binds_weakest: bool
    enforces_keys: bool
    greatest_skips_null: bool
    collation: Choice["binary", "any case"]

    @property
    def positions(self) -> dict[str, str]:
        """The switches and their positions, as text."""
        positions = {each.name: getattr(self, each.name) for each in fields(Switches)}
        return {name: {True: "on", False: "off"}.get(value, str(value)) for name, value in positions.items()}

    def readings(self, dialect: str) -> tuple[tuple[str, str, Switches], ...]:
        """Of which texts one speaks, in which dialect they are read, and how."""
        return (("", dialect, self),)


@dataclass(frozen=True)
class TwoSwitches:
    """The switches of a left text, and those of a right one in another dialect, which is called `to`."""

    left: Switches
    right: Switches
    to: str

    def readings(self, dialect: str) -> tuple[tuple[str, str, Switches], ...]:
        """Of which texts one speaks, in which dialect they are read, and how."""
        return (("the left query is ", dialect, self.left), ("the right query is ", self.to, self.right))
