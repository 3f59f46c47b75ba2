"""Certificates about SQL queries as theorems of Coq about the core language (`coq/core/`).

    Definition tables : schema := …          the tables that the queries read
    Definition constraints := …              the keys, foreign keys and checks of the catalogue
    Definition before : query := …           both queries, in the core
    Theorem claim : same_answers_under tables constraints before after.

The queries are written out in the core; Coq computes their normal forms, what the rules ask for, and checks the trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.core.compiling import Compiler
from tallystick.certificates.exports.core.ground import ANY, SORTS, Kind, Kinding
from tallystick.certificates.exports.core.proofs import CoqText, Proof
from tallystick.certificates.exports.core.queries import Elaboration, column, kind, lacking
from tallystick.certificates.exports.core.terms import Node, node, nodes_of, value
from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate
from tallystick.certificates.queries.refuting import different_results
from tallystick.core.errors import FragmentError, TallystickError
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import SqlRow

Prove = Callable[[Compiler, Kinding, Sequence[Node], Node, Node], tuple[Sequence[Node], Proof] | None]
"""Finds a proof that two queries of the core have the same rows, and the constraints that it uses."""


def theorem_of_core(certificate: QueryCertificate, prove: Prove) -> str:
    """A Coq file that proves the claim of a certificate about queries.

    Raises FragmentError for what the core has not, by name, and where no proof is found.
    """
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    order_alone = False
    if isinstance(certificate, Inequivalence) and (left.order or right.order):
        bags = replace(left, order=()), replace(right, order=())
        try:
            different_results(*bags, catalogue, certificate.result)
            left, right = bags
        except TallystickError:
            order_alone = True
    before, after = map(_statement, (left, right))
    if order_alone and not (before.order and after.order):
        raise lacking("difference from a list without an order")
    if not order_alone and (before.shown, before.order) != (after.shown, after.order):
        raise lacking("two orders of one claim")
    constraints = [*_constraints(catalogue)]
    if isinstance(certificate, Inequivalence):
        return _file(certificate, constraints, before, after, _difference(certificate, before.body, after.body))
    compiler = Compiler({each.name: len(each.columns) for each in catalogue.tables})
    kinding = Kinding({each.name: tuple(_kinds(each)) for each in catalogue.tables})
    found = prove(compiler, kinding, constraints, before.body, after.body)
    if found is None:
        raise FragmentError("no proof is found for the normal forms of these queries")
    used, proof = found
    return _file(certificate, used, before, after, proof)


@dataclass(frozen=True)
class _Statement:
    """A query with keys of an order behind the columns that are shown, and the places and directions of these keys."""

    body: Node
    shown: int
    order: tuple[tuple[int, bool, bool], ...]

    def lines(self, title: str, body: str) -> list[str]:
        """The definition of the statement, or of the query that it is without an order."""
        if not self.order:
            return [f"Definition {title} : query :=\n  {body}."]
        words = (f"({at}, ({str(descending).lower()}, {str(first).lower()}))" for at, descending, first in self.order)
        said = f"{{| body := {title}_rows; shown := {self.shown}; order := {listed(words)} |}}"
        return [f"Definition {title}_rows : query :=\n  {body}.", f"Definition {title} : statement := {said}."]


def _statement(of: Statement) -> _Statement:
    shown, body = len(of.names), Elaboration().query(of.query)
    _, keys = Elaboration().on().order(of.order)
    if keys or shown < len(of.query.columns):
        columns = [column(place) for place in range(shown)]
        body = node("Project", (*columns, *(key.args[0] for key in keys)), body)
    return _Statement(body, shown, tuple((shown + place, *key.args[1:]) for place, key in enumerate(keys)))


def _difference(certificate: Inequivalence, before: Node, after: Node) -> Node:
    """The rows of the tables of the database on which two queries differ."""
    for name, construct in (
        ("Call", "values of functions"),
        ("OfBag", "values of aggregates by name"),
    ):
        if any(each.name == name for each in nodes_of((before, after))):
            raise lacking(f"{construct} in a difference")
    given = zip(certificate.catalogue.tables, certificate.result.tables, strict=True)
    # the rows of all tables: a constraint may be about one that no query reads
    return node(
        "witness", tuple(node("rows", of.name, tuple(tuple(_cells(of, row)) for row in rows)) for of, rows in given)
    )


def _cells(of: Table, row: SqlRow) -> Iterator[Node]:
    for place, each in zip(of.columns, row, strict=True):
        other = kind(place.type) == "Others" and each is not None
        yield node("Other", each) if other else value(each)


def _names(of: object) -> Iterator[str]:
    """The tables that queries and constraints mention."""
    for each in nodes_of(of):
        match each.name, each.args:
            case (("Scan" | "Key" | "Check"), (str(name), *_)):
                yield name
            case "ForeignKey", (name, _, target, _):
                yield from (name, target)
            case _:
                pass


def _file(
    certificate: QueryCertificate,
    constraints: Sequence[Node],
    before: _Statement,
    after: _Statement,
    evidence: Proof | Node,
) -> str:
    """The claim, and what proves it."""
    parts = constraints, before.body, after.body, evidence
    counting = CoqText()
    _written(counting, *parts)
    text = CoqText(counting.uses)
    stated, one, other, proved = _written(text, *parts)
    names = {*_names(constraints), *_names((before.body, after.body))}
    mentioned = [each for each in certificate.catalogue.tables if each.name in names]
    ordered = bool(before.order)
    equal = isinstance(evidence, Proof)
    rows = ("before_rows", "after_rows") if ordered else ("before", "after")
    claim = f"{CLAIMS[equal, ordered]} tables constraints before after"
    lines = [
        "From Tallystick Require Refutation. Import Refutation(tree(..)).",
        "From Tallystick.core Require Import Differ Trees.",
        "Open Scope string_scope. Open Scope nat_scope.",
        "",
        f"Definition tables : schema :=\n  {listed(_table(text, each) for each in mentioned)}.",
        *text.lines,
        f"Definition constraints : list constraint :=\n  {stated}.",
        *(
            line
            for title, source, each, body in zip(
                ("before", "after"), certificate.sources, (before, after), (one, other), strict=True
            )
            for line in (_comment(source), *each.lines(title, body))
        ),
    ]
    if equal:
        lines += [
            f"Definition evidence : proof :=\n  {proved}.",
            "Definition fuel := Nat.pow 2 12.",
            f"Lemma checked : check_answers fuel fuel tables constraints {' '.join(rows)} evidence = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            f"Theorem claim : {claim}.",
            f"Proof. exact ({'same_results _ _ before after eq_refl eq_refl ' if ordered else ''}"
            f"(answers_sound fuel fuel tables constraints {' '.join(rows)} evidence checked)). Qed.",
        ]
    else:
        difference = "order" if ordered else "differ"
        lines += [
            f"Definition witness : list (string * list row) :=\n  {proved}.",
            f"Lemma checked : check_{difference} tables constraints before after witness = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            f"Theorem claim : {claim}.",
            f"Proof. exact ({difference}_sound tables constraints before after witness checked). Qed.",
        ]
    return "\n".join([*lines, "Print Assumptions claim."]) + "\n"


CLAIMS = {
    (True, False): "same_answers_under",
    (True, True): "same_results_under",
    (False, False): "different_answers",
    (False, True): "different_results",
}
"""What is claimed: of an equivalence or not, of lists in an order or of bags."""


def _written(
    text: CoqText, constraints: Iterable[Node], before: Node, after: Node, evidence: Proof | Node
) -> tuple[str, ...]:
    return listed(map(text.node, constraints)), text.node(before), text.node(after), text.argument(evidence)


def _table(text: CoqText, of: Table) -> str:
    columns = listed(f"Build_column {kind(each.type)} {str(each.nullable).lower()}" for each in of.columns)
    return f"({text.argument(of.name)}, {columns})"


def _kinds(of: Table) -> Iterator[Kind]:
    for each in of.columns:
        sort = SORTS.get(kind(each.type))
        yield Kind(sort or ANY.sort, each.nullable)


def _constraints(catalogue: Catalogue) -> Iterator[Node]:
    """The keys, foreign keys and checks of a catalogue that the core can say."""
    for each in catalogue.tables:
        for key in each.keys:
            yield node("Key", each.name, tuple(key))
        for foreign in each.foreign_keys:
            yield node("ForeignKey", each.name, tuple(foreign.columns), foreign.table, tuple(foreign.referenced))
        for check in each.checks:
            with suppress(FragmentError):
                yield node("Check", each.name, Elaboration().on().expression(check))


def _comment(source: str) -> str:
    """The text that a query was read from, as it says of itself, as a comment that nothing in it can end."""
    text = source.replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    shown = "".join(letter if letter.isprintable() or letter == chr(10) else "?" for letter in text)
    return f"(** not checked, the text that this is said to be:\n{shown} *)"
