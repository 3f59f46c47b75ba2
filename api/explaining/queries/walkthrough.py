"""The explanation of two queries: counterexample first, or queries, tables, normal forms, proof, constraints used."""

from __future__ import annotations

from difflib import SequenceMatcher, ndiff
from itertools import islice

from tallystick.certificates.queries.proofs import Rewriting
from tallystick.core.binders import element_type
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.compilation.cells import table_variable
from tallystick.core.queries.compilation.normal_form import check_formulas
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.traversal import nodes
from tallystick.core.terms import row
from tallystick.decision.queries.deciding import Proved
from tallystick.explaining.document import (
    Block,
    Changes,
    Code,
    Document,
    Formula,
    Grid,
    Items,
    Paragraph,
    Section,
    Tables,
    plain_text,
)
from tallystick.explaining.layout import laid_out
from tallystick.explaining.queries.evidence import Found
from tallystick.explaining.queries.normal_forms import steps
from tallystick.explaining.queries.notation import Notation
from tallystick.explaining.queries.proof import proof_blocks
from tallystick.explaining.queries.rewriting import rewriting_blocks
from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.tables import table_cells
from tallystick.queries.verdict import SqlVerdict, in_dialects, types_line
from tallystick.verdict import Answer

_RELATIONS = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}
_CONCLUSIONS = {
    Answer.EQUIVALENT: "Equivalent: both queries return the same on every database that satisfies the constraints.",
    Answer.INEQUIVALENT: "Inequivalent: there is a database on which the queries return different rows.",
    Answer.UNKNOWN: "Unknown: neither a proof nor a database on which the queries differ was found.",
}
ALIKE = 0.5
"""The part of their lines that two texts have in common, from which on the change is shown line by line."""
READING = (
    "A sum of monomials `⟨rows | condition ↦ result⟩`: each choice of rows that satisfies the condition adds the "
    "result once. `★` ranges over every value of a type, `Ex` says that a sum has a row, `Sum` adds up its results, "
    "and `≐` is equality by which NULL equals NULL."
)


def walkthrough(verdict: SqlVerdict) -> Document:
    """The explanation of a verdict about two queries; the same each time, so it tells no times."""
    pair = verdict.pair
    sections = [
        Section("Queries", tuple(_sources(verdict))),
        Section("Tables", tables(pair.catalogue, pair.left, pair.right)),
        *_normal_forms(verdict),
        *_result(verdict),
    ]
    if verdict.counterexample is not None:
        sections.insert(0, _counterexample(verdict))
    left, right = verdict.names
    opening: list[Block] = [Paragraph(_CONCLUSIONS[verdict.verdict])]
    taken = [(0, plain_text(f"assuming that {each.value}")) for each in pair.assumptions]
    types = [(0, plain_text(f"the types of columns: {types_line(pair)}"))] if pair.types else []
    opening.append(Items((*taken, (0, f"read in {in_dialects(pair)}"), *types)))
    return Document(f"{left} {_RELATIONS[verdict.verdict]} {right}", (*opening, *sections), str(verdict.verdict))


def _sources(verdict: SqlVerdict) -> list[Block]:
    left, right = (
        [line.rstrip() for line in each.text.expandtabs(4).strip().splitlines()] for each in verdict.pair.sources
    )
    blocks: list[Block] = []
    for name, lines in zip(verdict.names, (left, right), strict=True):
        blocks += [Paragraph(f"`{name}`:"), Code("\n".join(lines))]
    if left != right and SequenceMatcher(None, left, right).ratio() >= ALIKE:
        changes = tuple((line[0], line[2:]) for line in ndiff(left, right) if line[0] != "?")
        blocks.append(Section("The change, line by line", (Changes(changes),)))
    return blocks


def tables(catalogue: Catalogue, *statements: Statement) -> tuple[Block, ...]:
    """The tables that queries read, with their constraints."""
    read = {each.table for each in nodes(*(statement.query for statement in statements)) if isinstance(each, Scan)}
    found = [table for table in catalogue.tables if table.name in read]
    return tuple(block for table in found for block in _table(catalogue, table)) or (Paragraph("None is read."),)


def _table(catalogue: Catalogue, table: Table) -> tuple[Block, ...]:
    columns = ", ".join(f"{each.name} {each.type}{'' if each.nullable else ' NOT NULL'}" for each in table.columns)
    entries = [f"key ({_names_of(table, key)})" for key in table.keys]
    for key in table.foreign_keys:
        target = catalogue.by_name[key.table]
        entries.append(f"({_names_of(table, key.columns)}) refers to {key.table} ({_names_of(target, key.referenced)})")
    source = table_variable(table.name, table.row)
    notation = Notation(catalogue).over((source,))
    row_of_table = row(0, element_type(source))
    checks = map(notation.text, islice(check_formulas(table, row_of_table), len(table.checks)))
    entries += [f"CHECK, for each row {notation.write(row_of_table)}: {check}" for check in checks]
    items = (Items(tuple((0, plain_text(entry)) for entry in entries)),) if entries else ()
    return (Formula(laid_out(f"{table.name}({columns})")), *items)


def _names_of(table: Table, places: tuple[int, ...]) -> str:
    return ", ".join(table.columns[place].name for place in places)


def _counterexample(verdict: SqlVerdict) -> Section:
    assert verdict.counterexample is not None
    lines = "\n".join(verdict.database(verdict.counterexample)).strip("\n").splitlines()
    found = list(verdict.tables(verdict.counterexample))
    tables = tuple(
        Grid(f"{name} returns" if number >= len(found) - 2 else name, *table_cells(columns, types, rows))
        for number, (name, columns, types, rows) in enumerate(found)
    )
    replayed = f"The results were computed by: {', '.join(verdict.replayed_on)}."
    notes = tuple((0, plain_text(note)) for note in verdict.notes)
    return Section(
        "Counterexample",
        (Tables(tuple(lines), tables), Paragraph(replayed), *((Items(notes),) if notes else ())),
    )


def _normal_forms(verdict: SqlVerdict) -> list[Section]:
    pair = verdict.pair
    sections = [
        Section(f"The normal form of `{name}`, step by step", steps(side, pair.catalogue), folded=True)
        for name, side in zip(verdict.names, (pair.left, pair.right), strict=True)
    ]
    found: list[Block] = [Paragraph(READING)]
    if verdict.proof is not None and not isinstance(verdict.proof.proof, Rewriting):
        notation = Notation(pair.catalogue)
        for name, term in zip(verdict.names, (verdict.proof.goal.left, verdict.proof.goal.right), strict=True):
            found += [Paragraph(f"`{name}` is"), Formula(laid_out(notation.text(term)))]
    return [Section("Normal forms", (*found, *sections))]


def _proof(proved: Proved, pair: SqlPair) -> tuple[tuple[Block, ...], Found]:
    if isinstance(proved.proof, Rewriting):
        return rewriting_blocks(pair.left, pair.right, pair.catalogue, proved.proof)
    return proof_blocks(proved.goal, proved.proof, pair.catalogue)


def _result(verdict: SqlVerdict) -> list[Section]:
    if verdict.proof is not None:
        blocks, used = _proof(verdict.proof, verdict.pair)
        constraints = tuple((0, plain_text(words)) for words in used.constraints)
        without = Paragraph("No key, foreign key or CHECK is used. NOT NULL is part of the types of columns.")
        size = "" if verdict.certificate is None else f", from a certificate of {len(verdict.certificate)} bytes"
        accepted = Paragraph(f"The kernel has checked this proof{size}. No solver has to be trusted.")
        return [
            Section("Proof", blocks),
            Section("Constraints used", (Items(constraints),) if constraints else (without,)),
            Section("Check", (accepted,)),
        ]
    if verdict.verdict is Answer.UNKNOWN:
        tried = tuple((0, plain_text(f"{way}: {reason}")) for way, reason in verdict.reasons.items())
        return [Section("What was tried", (Items(tried),))]
    return []
