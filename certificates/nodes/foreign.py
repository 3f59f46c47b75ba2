"""Foreign: a row of a table refers to a row by a foreign key."""

from __future__ import annotations

from tallystick.certificates.evidence import Foreign
from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import absent, row_of_table, same
from tallystick.core.binders import bind, element_type, exists, summation
from tallystick.core.terms import TRUE, Term, conjunction, disjunction, project, row
from tallystick.core.types import BOOL


def foreign(facts: Facts, node: Foreign) -> Term:
    """
    some column of the foreign key f is NULL in x ∨ Ex(y:S | y.k = x.f)

    Fails when x is no row of a table, or the table has no such foreign key.
    """
    referring, table = row_of_table(facts, node.row)
    found = table.references[number(node.key, len(table.references), "foreign key")]
    target = facts.relations[found.table].source
    slot = row(len(facts.rows), element_type(target))
    pairs = [(project(referring, c), project(slot, k)) for c, k in zip(found.columns, found.referenced, strict=True)]
    referred = bind((slot,), (target,), conjunction(*(same(here, there) for here, there in pairs)), TRUE)
    return disjunction(*(absent(here) for here, _ in pairs), exists(summation((referred,), BOOL)))
