"""Queries of one row at most, and the value of a scalar subquery."""

from __future__ import annotations

from tallystick.core.binders import aggregate, conjuncts
from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.bags import Bags, Summand
from tallystick.core.queries.compilation.cells import Cell, row_of, symbol, unpacked, value_type
from tallystick.core.queries.compilation.extremes import extreme
from tallystick.core.queries.types import ColumnType, padded
from tallystick.core.terms import Term, disjunction, negation
from tallystick.core.types import OptionType


def single(bags: Bags, bag: Term, column: ColumnType, one: bool) -> Cell:
    """The value of a scalar subquery, which may be known to have one row at most.

    It is the head of its only monomial if that has no slots; the greatest of its values if it has one row at most;
    else a function of the bag of which nothing is known.
    """
    summands = list(bags.opened(bag, (column,)))
    if len(summands) == 1 and not summands[0].rows:
        (cell,) = summands[0].head
        return Cell(disjunction(negation(summands[0].condition), cell.null), cell.value)
    if one or not summands or (len(summands) == 1 and has_one_row(bags, summands[0])):
        return extreme(bags, "max", bag, (column,), column)
    values = bags.projected(bag, (column,), padded((column,)), lambda head: head)
    name = symbol("single_value", (column.type,), column.type)
    return unpacked(aggregate(name, OptionType(value_type(column.type)), values))


def has_one_row(bags: Bags, summand: Summand) -> bool:
    """Whether at most one choice of rows satisfies the condition, of multiplicity 1.

    This is so if for each slot the condition determines ★, or a key of the table that is not NULL in it, by
    equations with terms outside or over slots that are determined.
    """
    equations = [each.arguments for each in conjuncts(summand.condition) if each.operator is Operator.EQUAL]
    known = {each.arguments[0].arguments[0] for each in conjuncts(summand.condition) if _says_not_null(each)}
    determined: set[Term] = set()

    def fixed(part: Term) -> bool:
        """Whether an equation gives the part a value, and says that it is not NULL."""
        if part.operator is Operator.VALUE and part.arguments[0] not in known:
            return False
        inner = set(summand.rows) - determined
        sides = [(pair[1 - place]) for pair in equations for place in (0, 1) if pair[place] is part]
        return any(inner.isdisjoint(side.rows) for side in sides)

    for _ in summand.rows:
        for slot, source in zip(summand.rows, summand.sources, strict=True):
            if source.operator is Operator.EVERY:
                found = not isinstance(slot.type, OptionType) and fixed(slot)
            elif source.operator is Operator.VARIABLE:
                table = bags.catalogue.by_name[source.parameter[0]]  # type: ignore[index]
                cells = row_of(slot, table.row)
                found = any(all(fixed(cells[index].value) for index in key) for key in table.keys)
            else:
                found = False
            if found:
                determined.add(slot)
    return len(determined) == len(summand.rows)


def _says_not_null(formula: Term) -> bool:
    return formula.operator is Operator.NOT and formula.arguments[0].operator is Operator.IS_NONE
