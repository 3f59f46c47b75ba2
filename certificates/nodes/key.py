"""Key: two rows of a table that agree on a key are equal."""

from __future__ import annotations

from tallystick.certificates.evidence import Key
from tallystick.certificates.facts import Facts, number
from tallystick.certificates.nodes.tables import row_of_table, same
from tallystick.core.errors import RefutationError
from tallystick.core.terms import Term, conjunction, equal, implies, project


def key(facts: Facts, node: Key) -> Term:
    """
    some column of the key K is NULL in x ∨ x and y differ in one ∨ x ≐ y

    for rows x, y of one table.

    Fails when they are no such rows, or the table has no such key.
    """
    first, table = row_of_table(facts, node.first)
    second, other = row_of_table(facts, node.second)
    if table.source is not other.source:
        raise RefutationError("a key is about two rows of one table")
    columns = table.keys[number(node.key, len(table.keys), "key")]
    return implies(conjunction(*(same(project(first, c), project(second, c)) for c in columns)), equal(first, second))
