"""Dialects, functions and assumptions, from the tables of the reader and of claims."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Parser
from sqlglot.errors import SqlglotError
from tables import attributes, code, table
from tallystick.certificates.proofs import ASSUMPTIONS
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import CHOICE
from tallystick.core.queries.switches import Switches
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.evidence import evidence
from tallystick.frontends.sql.evidence.cases import constructs, plain
from tallystick.frontends.sql.migration.functions import SHARED
from tallystick.frontends.sql.migration.types import examples
from tallystick.frontends.sql.named import NAMED
from tallystick.queries.assumptions import STANDARD

NO_FUNCTIONS: Final = (exp.Connector, exp.Exists, exp.Any, exp.All, exp.Case, exp.Cast)
"""What the parser keeps among functions, and is none for users."""


def dialects() -> str:
    """How texts are read, dialect by dialect."""
    sources = (
        [code(name), code(known.source) if not known.by_manual else known.source, str(len(known.cases))]
        for name, known in ((name, evidence(each.evidence)) for name, each in DIALECTS.items())
    )
    said = attributes(Switches.__doc__)
    switches = (
        [code(name), meaning, *(each.switches.positions[name] for each in DIALECTS.values())]
        for name, meaning in said.items()
    )
    return "\n\n".join(
        [
            "Dialects of SQL",
            "`--dialect` says what texts mean. A dialect is read by evidence: what no text has shown to be read as the "
            "engine does is refused. [What was verified](../../frontends/sql/CONFORMANCE.md) lists the texts that "
            "engines were asked; verdicts about dialects that are read by their manuals say so.",
            table(("dialect", "evidence", "cases"), sources),
            "## Switches",
            "In these, the meanings of dialects differ; a switch is part of the claim of a certificate.",
            table(("switch", "what it says", *DIALECTS), switches),
        ]
    )


def functions() -> str:
    """The functions that are read, by dialect."""
    read = {name: _functions_of(name) for name in DIALECTS}
    marks = {name: "manual" if evidence(each.evidence).by_manual else "✓" for name, each in DIALECTS.items()}
    rows = (
        [code(function), *(marks[name] if function in read[name] else "" for name in DIALECTS)]
        for function in sorted(frozenset().union(*read.values()))
    )
    return "\n\n".join(
        [
            "Functions of SQL",
            "✓: texts with this function were read as the dialect's engine reads them, for the types of arguments that "
            "[were asked](../../frontends/sql/CONFORMANCE.md); others are refused. *manual*: read by the manual, no "
            "engine was asked. Operators, casts and clauses are listed there, too.",
            table(("function", *DIALECTS), rows),
        ]
    )


def migration() -> str:
    """What two dialects have in common."""
    types = ([code(kind), *(code(there[name]) for name in DIALECTS)] for kind, there in examples().items())
    shared = ", ".join(code(name) for name in sorted(SHARED) if name != CHOICE)
    return "\n\n".join(
        [
            "Two dialects",
            "`--dialect A --to B` reads the first text and the schema in A, and the second text in B "
            "([how](../how-to/move.md)).",
            "## Types",
            "A column has the narrowest type of B that has room for its values; where B has less room, the answer is "
            "about values for which both have room. Without a counterpart, a column cannot be read: texts that are "
            "padded with blanks (declare VARCHAR), moments in a zone, intervals, times, arrays, documents, and truth "
            "values where these are numbers. For types of PostgreSQL:",
            table(("type", *DIALECTS), types),
            "Names are folded as each dialect folds names that are not quoted. A truth value of MySQL, which shows it "
            "as 1 or 0, is that truth value in other dialects. A day is the moment at which it begins; an answer notes "
            "where results have columns of two types.",
            "## Functions",
            "Dialects have functions of one name and another meaning, so that a function that is known by its name is "
            "that of its dialect. These, by their names in claims, are the same in all dialects, some of them for "
            "constant arguments alone, such as a pattern without a backslash or a place behind the first character; "
            "engines were asked on hard values:",
            shared,
            "Operators and functions that the reader writes out, such as `ABS`, `COALESCE`, `COUNT`, `SUM` of exact "
            "numbers and window functions, are not known by names, and mean what each dialect says.",
        ]
    )


def _functions_of(dialect: str) -> frozenset[str]:
    """Those read by name, and those of the parser of which the evidence has the word and what a call becomes."""
    name = DIALECTS[dialect].evidence
    cases = evidence(name).cases
    parser, shown = Parser.get_or_raise(None if name == "calcite" else name), {plain(case) for case in cases}
    named = frozenset(function for function, _ in NAMED.get(dialect, {}))
    known = {*parser.parser_class.FUNCTIONS, *parser.parser_class.FUNCTION_PARSERS} - named
    return named.union(word for word in cases & known if any(call in shown for call in _calls(word, parser)))


def _calls(word: str, parser: Parser) -> Iterator[str]:
    """What the parser makes of a word before brackets, by the names of evidence."""
    for number in range(4):
        with suppress(SqlglotError, ValueError, AttributeError):  # its builders raise these
            (select,) = parser.parse(f"SELECT {word}({', '.join('abc'[:number])})")
            call = next(iter(select.expressions), None) if isinstance(select, exp.Select) else None
            if isinstance(call, exp.Func) and not isinstance(call, NO_FUNCTIONS):
                yield plain(next(case for case, _ in constructs(call, {})))


def assumptions() -> str:
    """What claims take for granted."""
    rows = ([code(each.label), STANDARD.get(each, ""), each.value] for each in Assumption)
    return "\n\n".join(
        [
            "Assumptions",
            "An answer lists what it assumes, and a certificate states it as part of its claim.",
            "## Of answers about queries, DataFrames and dataflows",
            "What nearly every answer assumes stands in one line; `--assumptions` writes it in full.",
            table(("label in JSON", "in short", "in full"), rows),
            "## Of answers about programs on RDDs",
            "\n".join(f"* {each}" for each in ASSUMPTIONS),
        ]
    )
