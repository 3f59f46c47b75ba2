"""`tallystick audit`: checks certificates without a solver."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from tallystick.commands.options import (
    ASSUME,
    BAG,
    COLLATION,
    DIALECT,
    SCHEMA,
    TO,
    QueryOrPath,
    in_dialects,
    is_sql,
    only,
    schema_of,
)
from tallystick.commands.printing import print_json

if TYPE_CHECKING:
    from tallystick.certificates.audit import AuditReport
    from tallystick.certificates.exports.auditors import Opinion
    from tallystick.certificates.queries.certificates import QueryPair
    from tallystick.comparing import Comparison
    from tallystick.core.programs import Program
    from tallystick.frontends.sql.source import Source


def opinions(auditor: Literal["coq", "ocaml"], paths: tuple[Path, ...]) -> Sequence[Opinion]:
    """What another auditor says of the certificates; a usage error when it is not there."""
    from tallystick.certificates.exports.auditors import MissingAuditorError, opinions_of_coq, opinions_of_ocaml
    from tallystick.theorems import for_ocaml, theorem_of

    try:
        return opinions_of_coq(paths, theorem_of) if auditor == "coq" else opinions_of_ocaml(paths, for_ocaml)
    except MissingAuditorError as error:
        raise click.UsageError(str(error)) from error


def functions_of(against: tuple[str, str], types: str | None, as_sets: bool, semantics: str) -> Comparison:
    """Two functions, as `check` compares them."""
    from tallystick.comparing import comparison
    from tallystick.validation import that_counts

    before, after = (that_counts(each, types) for each in against)
    return comparison(before, after, as_sets, semantics)


def queries_of(against: tuple[Any, Any], schema: Source, **meaning: Any) -> QueryPair:
    """The statements of two queries, as `check` compares them."""
    from tallystick.queries.reading import question, read_queries

    return question(read_queries(*against, schema=schema, **meaning))


def _content(report: AuditReport) -> dict[str, Any]:
    """A report as JSON has it; the verdict is that of the audit."""
    content = {**asdict(report), "rules": dict(report.rules), "claimed": report.verdict}
    return content | {"verdict": ("accepted", "rejected", "unknown")[report.exit_status]}


CERTIFICATE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
ON_STANDARD_INPUT = Path("-")
EVERYWHERE = ("allowed", "auditor", "as_json")
SOLVERS = click.Choice(["z3", "cvc5", "cooper", "spacer"])
MEANINGS = click.Choice(["sparklite", "spark"])


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=CERTIFICATE)
@click.option(
    "--against", nargs=2, type=QueryOrPath(), metavar="BEFORE AFTER", help="Also check that it is about these two."
)
@click.option("--types", help="Types of parameters without annotations, for --against.")
@click.option("--set", "as_sets", is_flag=True, help="With --against: it is about the sets that they return.")
@click.option("--semantics", type=MEANINGS, help="With --against: what folds mean; default: spark.")
@SCHEMA
@DIALECT
@TO
@ASSUME
@COLLATION
@BAG
@click.option("--allow-oracle", "allowed", multiple=True, type=SOLVERS, help="Take this solver's word.")
@click.option("--with", "auditor", type=click.Choice(["coq", "ocaml"]), help="Also ask this auditor, and compare.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each certificate.")
def audit(
    certificates: tuple[Path, ...],
    against: tuple[Any, Any] | None,
    types: str | None,
    as_sets: bool,
    semantics: str | None,
    schema: Any,
    dialect: str,
    to: str | None,
    assume: tuple[str, ...],
    collation: str | None,
    bag: bool,
    allowed: tuple[str, ...],
    auditor: Literal["coq", "ocaml"] | None,
    as_json: bool,
) -> None:
    """Check certificates without a solver: replay each proof, or each counterexample, in the kernel.

    - is a certificate on standard input.

    --against takes two functions as PATH.py:FUNCTION, or two SQL queries as files or texts, which need --schema. The
    exit status is 0 when all are accepted, 1 when one is rejected, and 2 when one rests on the word of a solver that is
    not allowed.
    """
    from tallystick.certificates.audit import audit as audit_certificate

    if (as_sets or semantics) and not against:
        option = "--set" if as_sets else "--semantics"
        raise click.UsageError(
            f"{option} says what --against compares; a certificate's claim says by itself what it is about"
        )
    if not against:
        only("a certificate without --against", *EVERYWHERE)
    meaning = semantics or "spark"
    programs: tuple[Program, Program] | QueryPair | None = None
    compared: Comparison | None = None
    if against and (is_sql(against[0]) or is_sql(against[1])):
        only("queries", *EVERYWHERE, "against", "schema", "dialect", "to", "assume", "collation", "bag")
        given: Any = {"dialect": in_dialects(dialect, to), "assume": assume, "collation": collation, "bag": bag}
        programs = queries_of(against, schema_of(schema), **given)
    elif against:
        only("functions on RDDs", *EVERYWHERE, "against", "types", "as_sets", "semantics")
        compared = functions_of(against, types, as_sets, meaning)
        programs = compared.programs
    if auditor and ON_STANDARD_INPUT in certificates:
        raise click.UsageError("--with needs a certificate in a file")
    others = opinions(auditor, certificates) if auditor else [None] * len(certificates)
    statuses = []
    for path, other in zip(certificates, others, strict=True):
        certificate = sys.stdin.buffer.read() if path == ON_STANDARD_INPUT else path
        content = b"" if compared is None else certificate if isinstance(certificate, bytes) else path.read_bytes()
        if compared is not None:
            programs = compared.programs_of(content)
        report = audit_certificate(certificate, programs, meaning, allowed)
        if compared is not None and report.accepted:
            report = compared.judged(report, content)
        agreed = report.exit_status if other is None or other.accepted else 1
        statuses.append(agreed if other is None or other.accepted is not None else report.exit_status or 2)
        if as_json:
            print_json({"programs": [str(path)], **_content(report)}, indent=None)
        else:
            click.echo(f"{path}\n{report}" if len(certificates) > 1 else str(report))
        if other is not None:
            agrees = other.accepted is None or other.accepted is report.accepted
            click.echo(f"{auditor:<10}{other}{'' if agrees else '; THE AUDITORS DISAGREE'}")
    raise SystemExit(1 if 1 in statuses else max(statuses))
