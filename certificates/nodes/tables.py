"""What is known of a row of a table, and of its columns."""

from __future__ import annotations

from typing import Any

from tallystick.certificates.facts import Facts, number
from tallystick.core.binders import element_type
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.relations import Relation
from tallystick.core.terms import FALSE, Term, conjunction, equal, is_none, negation, row, value_of
from tallystick.core.types import OptionType


def row_of_table(facts: Facts, place: int) -> tuple[Term, Relation]:
    """A row and its table; raises RefutationError when it is a row of none of which anything is known."""
    source = facts.rows[number(place, len(facts.rows), "row")]
    name: Any = source.parameter[0] if source.operator is Operator.VARIABLE else None  # type: ignore[index]
    relation = facts.relations.get(name)
    if relation is None or relation.source is not source:
        raise RefutationError(f"row {place} is a row of no table of the catalogue")
    return row(place, element_type(source)), relation


def absent(value: Term) -> Term:
    """Whether a column, which may be NOT NULL, is NULL."""
    return is_none(value) if isinstance(value.type, OptionType) else FALSE


def _present(value: Term) -> Term:
    """The value of a column that is not NULL."""
    return value_of(value) if isinstance(value.type, OptionType) else value


def same(left: Term, right: Term) -> Term:
    """left = right as SQL has it: neither is NULL, and the values are equal."""
    return conjunction(negation(absent(left)), negation(absent(right)), equal(_present(left), _present(right)))
