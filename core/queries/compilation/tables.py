"""The catalogue as the logic sees it: tables are input bags, with constraints on their rows (trusted)."""

from __future__ import annotations

from tallystick.core.binders import element_type
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.compilation.bags import Spend, free_of_charge
from tallystick.core.queries.compilation.cells import table_variable
from tallystick.core.queries.compilation.normal_form import check_formulas
from tallystick.core.relations import Reference, Relation, Relations
from tallystick.core.terms import row


def relations(catalogue: Catalogue, spend: Spend = free_of_charge) -> Relations:
    """What is known of each table of a catalogue; raises what `spend` raises."""
    return {table.name: _relation(table, spend) for table in catalogue.tables}


def _relation(table: Table, spend: Spend) -> Relation:
    source = table_variable(table.name, table.row)
    first = row(0, element_type(source))
    return Relation(
        source,
        table.keys,
        tuple(Reference(key.columns, key.table, key.referenced) for key in table.foreign_keys),
        tuple(check_formulas(table, first, spend)),
    )
