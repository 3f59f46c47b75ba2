"""REFUTE for queries: the theorem that two statements differ on a database."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.queries.certificates import Witness
from tallystick.core.errors import KernelError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.interpreter.refuting import refute
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.nodes import Statement
from tallystick.core.queries.types import admits_row


@dataclass(frozen=True, slots=True)
class DifferentResults:
    """A theorem: the statements return `outcomes` on a database of the catalogue, and no list of rows is both."""

    left: Statement
    right: Statement
    catalogue: Catalogue
    outcomes: tuple[Outcome, Outcome]


def different_results(
    left: Statement, right: Statement, catalogue: Catalogue, witness: Witness, steps: int = STEP_LIMIT
) -> DifferentResults:
    """
    D satisfies Σ,  left(D) and right(D) have no list of rows in common
    --------------------------------------------------------------------  REFUTE
    Σ ⊬ left ≡ right

    Fails where no claim is about the statements, when D has not the tables of Σ or breaks a constraint, when results
    may be equal, and when one fails, hangs on a choice that SQL leaves open, or takes more than `steps` steps.
    """
    found = refute(left, right, catalogue, database_of(catalogue, witness), steps)
    return DifferentResults(left, right, catalogue, (found.left, found.right))


def database_of(catalogue: Catalogue, witness: Witness) -> Database:
    """The tables of a witness by their names. Raises KernelError where they are not those of the catalogue."""
    if len(witness.tables) != len(catalogue.tables):
        raise KernelError(f"a database has the {len(catalogue.tables)} tables of its catalogue")
    for table, rows in zip(catalogue.tables, witness.tables, strict=True):
        for number, row in enumerate(rows):
            if not admits_row(table.row, row):
                raise KernelError(f"row {number} of table {table.name} breaks the types of the columns")
    return {table.name: rows for table, rows in zip(catalogue.tables, witness.tables, strict=True)}
