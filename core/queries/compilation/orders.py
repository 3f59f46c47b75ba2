"""Orders as formulas: which of two rows comes first, and whether no two rows tie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tallystick.core.queries.compilation.bags import Scopes, same_rows
from tallystick.core.queries.compilation.cells import Row, same, term_type, unpacked
from tallystick.core.queries.compilation.constants import constant_columns
from tallystick.core.queries.compilation.scalars import Scalars, ordered
from tallystick.core.queries.compilation.single import has_one_row
from tallystick.core.queries.constructs.functions import is_choice
from tallystick.core.queries.nodes import OrderKey
from tallystick.core.queries.types import RowType, padded
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


def is_total(keys: Sequence[Expression], rows: Term, columns: RowType, scalars: Scalars, outer: Scopes) -> bool:
    """Whether no two of the rows have the same values of these expressions, for a reason of syntax."""
    bags = scalars.bags
    own = tuple(unpacked(bags.row(term_type(key.column))) for key in keys)
    peers = bags.restricted(rows, columns, lambda other: same_rows(scalars.row(keys, (other, *outer)), own))
    summands = list(bags.opened(peers, columns))
    return not summands or (len(summands) == 1 and has_one_row(bags, summands[0]))


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


def with_order(
    rows: Term, query: Query, order: tuple[OrderKey, ...], scalars: Scalars, outer: Scopes
) -> tuple[RowType, Term, tuple[tuple[bool, bool], ...]]:
    """The rows of a query with further columns for their order keys, and the directions of these, without keys that
    are the same for all rows, but for those that tell choices apart."""
    columns, fixed = query.columns, constant_columns(query)
    keys = [key for key in order if is_choice(key.expression) or _varies(key.expression, fixed)]
    expressions = [key.expression for key in keys]
    wide = (*columns, *padded(expression.column for expression in expressions))
    bag = scalars.bags.projected(rows, columns, wide, lambda row: (*row, *scalars.row(expressions, (row, *outer))))
    return wide, bag, tuple((key.descending, key.nulls_first) for key in keys)


def keys_of(order: tuple[OrderKey, ...]) -> tuple[Expression, ...]:
    """The expressions of an order, each once, without those that tell choices apart."""
    return tuple(dict.fromkeys(key.expression for key in order if not is_choice(key.expression)))


def _varies(key: Expression, fixed: frozenset[int]) -> bool:
    """Whether a key may differ between rows of which these columns are the same."""
    return any(at.level == 0 and at.index not in fixed for at in key.free)
