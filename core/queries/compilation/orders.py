"""Orders as formulas: which of two rows comes first, and whether no two rows tie."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.compilation.bags import Scopes, same_rows
from tallystick.core.queries.compilation.cells import Row, same, term_type, unpacked
from tallystick.core.queries.compilation.scalars import Scalars, ordered
from tallystick.core.queries.expressions import Expression, is_choice
from tallystick.core.queries.types import RowType
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation


def is_total(keys: Sequence[Expression], rows: Term, columns: RowType, scalars: Scalars, outer: Scopes) -> bool:
    """Whether no two of the rows have the same values of these expressions, for a reason of syntax."""
    bags = scalars.bags
    own = tuple(unpacked(bags.row(term_type(key.column))) for key in keys)
    peers = bags.restricted(rows, columns, lambda other: same_rows(scalars.row(keys, (other, *outer)), own))
    summands = list(bags.opened(peers, columns))
    return not summands or (len(summands) == 1 and bags.has_one_row(summands[0]))


def precedes(order: Sequence[OrderKey], left: Row, right: Row, peers: bool = False) -> Term:
    """Whether a row with the keys `left` comes before one with `right`, or is its peer."""
    result = TRUE if peers else FALSE
    for key, first, second in reversed(list(zip(order, left, right, strict=True))):
        if is_choice(key.expression):
            continue
        smaller = ordered(">" if key.descending else "<", first.value, second.value)
        known = conjunction(negation(first.null), negation(second.null), smaller)
        lower, upper = (first.null, second.null) if key.nulls_first else (second.null, first.null)
        result = disjunction(known, conjunction(lower, negation(upper)), conjunction(same(first, second), result))
    return result
