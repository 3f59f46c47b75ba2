"""Certificates about SQL queries as theorems of Coq (`coq/queries/`).

    Definition tables : schema := …          the tables that the queries read
    Definition before : query := …           both queries
    Theorem claim : same_answers tables before after.

For an equivalence, a query is also compiled to a program over bags of tuples (`coq_compiled`), and a prover of programs
finds a proof. The certificate's own proof is about another normal form, and is not used. Nothing here is trusted: Coq
compiles the query itself, and checks the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tallystick.certificates.exports.coq import proof_lines
from tallystick.certificates.exports.coq_compiled import Compiler
from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.coq_sql import Data, lacking, query, quoted, table, value
from tallystick.certificates.proofs import Step
from tallystick.certificates.queries.proofs import QueryCertificate, Witness
from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program

Prove = Callable[[Program, Program], Step | None]
"""Finds a proof that two programs return the same."""


def theorem_of_queries(certificate: QueryCertificate, prove: Prove) -> str:
    """A Coq file that proves the claim of a certificate about queries.

    Raises FragmentError for what the development does not have, by name, and where `prove` finds no proof.
    """
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    if left.order or right.order:
        raise lacking("ORDER BY")
    if any(len(each.names) < len(each.query.columns) for each in (left, right)):
        raise lacking("invisible column")
    before, after = query(left.query), query(right.query)
    scanned = {*_scanned(before), *_scanned(after)}
    tables = [table(each.name, each.row) for each in catalogue.tables if each.name in scanned]
    lines = [
        "From Tallystick.queries Require Import Sound Meaning.",
        "Open Scope string_scope. Open Scope Z_scope.",
        "",
        f"Definition tables : schema :=\n  {listed(tables)}.",
        *(
            line
            for title, source, each in zip(("before", "after"), certificate.sources, (before, after), strict=True)
            for line in (_comment(source), f"Definition {title} : query :=\n  {each.text}.")
        ),
    ]
    result = certificate.result
    if isinstance(result, Witness):
        given = zip(catalogue.tables, result.tables, strict=True)
        rows = (
            f"({quoted(of.name)}, {listed(listed(value(each).text for each in row) for row in content)})"
            for of, content in given
            if of.name in scanned
        )
        lines += [
            f"Definition witness : list (string * list row) :=\n  {listed(rows)}.",
            "Lemma checked : differ_queries tables before after witness = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            "Theorem claim : different_answers tables before after.",
            "Proof. exact (queries_differ tables before after witness checked). Qed.",
        ]
    else:
        compiler = Compiler(catalogue)
        one, other = compiler.compile_both(before, after)
        parameters = tuple(compiler.scanned.values())
        step = prove(Program("before", parameters, one), Program("after", parameters, other))
        if step is None:
            raise FragmentError("no proof by the rules for programs is found for these queries")
        lines += [
            "Import Semantics.",
            *proof_lines(step),
            "Lemma checked : check_queries fuel tables before after evidence = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            "Theorem claim : same_answers tables before after.",
            "Proof. exact (queries_sound fuel tables before after evidence checked). Qed.",
        ]
    return "\n".join([*lines, "Print Assumptions claim."]) + "\n"


def _scanned(of: Data) -> Iterator[str]:
    """The tables that a query reads."""
    seen = set[int]()
    pending: list[object] = [of]
    while pending:
        match pending.pop():
            case Data("Table", (str(name),)):
                yield name
            case Data(arguments=arguments) as data if id(data) not in seen:
                seen.add(id(data))
                pending += arguments
            case list() | tuple() as parts:
                pending += parts
            case _:
                pass


def _comment(source: str) -> str:
    shown = source.replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    return f"(** {''.join(letter if letter.isprintable() or letter == chr(10) else '?' for letter in shown)} *)"
