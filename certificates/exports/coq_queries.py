"""Certificates about SQL queries as theorems of Coq (`coq/queries/`).

    Definition tables : schema := …          the tables that the queries read
    Definition before : query := …           both queries
    Theorem claim : same_answers tables before after.

For an equivalence, both queries are compiled to sums of monomials (`coq_forms`), and a proof by BAG is searched for;
where keys, foreign keys or checks are used, the claim has them: `same_answers_under tables constraints before after`.
Where there is none, both are compiled to programs over bags of tuples (`coq_compiled`), and a prover of programs finds
a proof. The certificate's own proof is not used: the kernel's normal form is simplified in other ways. Nothing here is
trusted: Coq compiles the queries itself, and checks the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tallystick.certificates.exports.coq import proof_lines
from tallystick.certificates.exports.coq_bags import form_proof_lines
from tallystick.certificates.exports.coq_compiled import Compiler
from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.coq_facts import BagProof, Constraint
from tallystick.certificates.exports.coq_forms import Forms, Monomial
from tallystick.certificates.exports.coq_sql import (
    Argument,
    Data,
    Index,
    expression,
    lacking,
    query,
    quoted,
    table,
    value,
)
from tallystick.certificates.proofs import Step
from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate
from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.types import DECIMAL

Prove = Callable[[Program, Program], Step | None]
"""Finds a proof that two programs return the same."""


ProveForms = Callable[[Forms, Sequence[Constraint], Sequence[Monomial], Sequence[Monomial]], BagProof | None]
"""Finds a proof that two normal forms have the same rows."""


def theorem_of_queries(certificate: QueryCertificate, prove: Prove, prove_forms: ProveForms = lambda *_: None) -> str:
    """A Coq file that proves the claim of a certificate about queries.

    Raises FragmentError for what the development does not have, by name, and where no proof is found.
    """
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    if left.order or right.order:
        raise lacking("ORDER BY")
    if any(len(each.names) < len(each.query.columns) for each in (left, right)):
        raise lacking("invisible column")
    before, after = query(left.query), query(right.query)
    scanned = {*_scanned(before), *_scanned(after)}
    normal = None if isinstance(certificate, Inequivalence) else _normal_forms(catalogue, before, after)
    forms = None if normal is None else _by_forms(*normal, prove_forms)
    if forms is not None:
        scanned |= forms.tables
    tables = [table(each.name, each.row) for each in catalogue.tables if each.name in scanned]
    lines = [
        "From Tallystick.queries Require Import Bags Meaning.",
        "Open Scope string_scope. Open Scope Z_scope.",
        "",
        f"Definition tables : schema :=\n  {listed(tables)}.",
        *(
            line
            for title, source, each in zip(("before", "after"), certificate.sources, (before, after), strict=True)
            for line in (_comment(source), f"Definition {title} : query :=\n  {each.text}.")
        ),
    ]
    if isinstance(certificate, Inequivalence):
        given = zip(catalogue.tables, certificate.result.tables, strict=True)
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
    elif forms is not None:
        lines += forms.lines()
    else:
        compiler = Compiler(catalogue)
        try:
            one, other = compiler.compile_both(before, after)
        except FragmentError:
            if normal is None:
                raise
            raise FragmentError("no proof by BAG is found for the normal forms of these queries") from None
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


@dataclass(frozen=True, slots=True)
class _ByForms:
    """A proof by BAG, with the constraints and the functions that it mentions."""

    constraints: tuple[Constraint, ...]
    forms: Forms
    proof: BagProof

    @property
    def tables(self) -> set[str]:
        """The tables that the constraints mention."""
        return {name for each in self.constraints for name in each.tables}

    def lines(self) -> list[str]:
        """The constraints, the proof as data, and the theorem."""
        listing = listed(each.data.text for each in self.constraints)
        if self.constraints:
            stated, sound = [f"Definition constraints : list constraint :=\n  {listing}."], "forms_sound"
            given, claim = "constraints", "same_answers_under tables constraints before after"
        else:
            stated, sound, given, claim = [], "forms_sound_always", "[]", "same_answers tables before after"
        arguments = f"fuel tables {'constraints ' if self.constraints else ''}before after evidence checked"
        return [
            *stated,
            "Import Semantics.",
            *form_proof_lines(self.forms, self.proof),
            f"Lemma checked : check_forms fuel tables {given} before after evidence = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            f"Theorem claim : {claim}.",
            f"Proof. exact ({sound} {arguments}). Qed.",
        ]


_Normal = tuple[Forms, Sequence[Monomial], Sequence[Monomial]]


def _normal_forms(catalogue: Catalogue, before: Data, after: Data) -> _Normal | None:
    """The monomials of both queries; None where one has no normal form."""
    forms = Forms(catalogue)
    try:
        return forms, forms.form((), (), before), forms.form((), (), after)
    except FragmentError:
        return None


def _by_forms(forms: Forms, left: Sequence[Monomial], right: Sequence[Monomial], prove: ProveForms) -> _ByForms | None:
    """A proof by BAG, without constraints or with those that it uses; None where there is none."""
    every = tuple(_constraints(forms.catalogue))
    for constraints in ((), *((each,) for each in every), every):  # few are stated where few do
        proof = prove(forms, constraints, left, right)
        if proof is not None:
            used, renumbered = proof.with_used(constraints)
            return _ByForms(used, forms, renumbered)
    return None


def _constraints(catalogue: Catalogue) -> Iterator[Constraint]:
    """The keys, foreign keys and checks of a catalogue that the development can express."""

    def places(columns: Sequence[int]) -> list[Argument]:
        return [Index(column) for column in columns]

    expressible = {each.name for each in catalogue.tables if DECIMAL not in {column.type for column in each.row}}
    for each in catalogue.tables:
        if each.name not in expressible:
            continue
        for key in each.keys:
            yield Constraint(Data("Key", (each.name, places(key))))
        for foreign in each.foreign_keys:
            if foreign.table in expressible:
                target = (foreign.table, places(foreign.referenced))
                yield Constraint(Data("ForeignKey", (each.name, places(foreign.columns), *target)))
        for check in each.checks:
            with suppress(FragmentError):
                yield Constraint(Data("Check", (each.name, expression(check))))


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
    """The text that a query was read from, as it says of itself, as a comment that nothing in it can end."""
    text = source.replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    shown = "".join(letter if letter.isprintable() or letter == chr(10) else "?" for letter in text)
    return f"(** not checked, the text that this is said to be:\n{shown} *)"
