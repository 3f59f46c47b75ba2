"""Certificates about queries: what an audit of their files accepts, what it rejects, and what it prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from random_queries import CATALOGUE, random_case
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.evidence import Cut, Farkas, Split, Step
from tallystick.certificates.queries.certificates import QueryCertificate, Witness
from tallystick.certificates.queries.reader import decode_queries
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.core.errors import CertificateError
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_forms
from tallystick.core.queries.syntax import NODES
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.experiments.queries.random_queries import Options

from certificates.claim_mutants import claim_of, mutants
from certificates.examples import different_bags
from certificates.mutations import Place, altered, at, places, replaced
from certificates.query_samples import DIFFERENT, SAMPLES, question, read, sample, with_result
from certificates.test_codec import laid_out


def certificate_of(name: str) -> QueryCertificate:
    return decode_queries(sample(name)[1])


def rejected(certificate: QueryCertificate) -> str:
    """Why an audit of the encoding rejects a certificate."""
    report = audit(encode(certificate))
    assert not report.accepted
    return report.reason


@pytest.mark.parametrize("name", SAMPLES)
def test_certificates_of_verdicts_are_accepted_for_their_queries(name: str) -> None:
    asked, data = sample(name)
    report = audit(data, asked)
    assert (report.accepted, report.reason, report.oracles) == (True, "every step holds", ())
    assert report.verdict == ("inequivalent" if name in DIFFERENT else "equivalent")
    assert encode(decode_queries(data)) == data


KINDS = (
    *("Apply", "Bag", "Case", "Check", "Extremum", "Farkas", "Foreign", "Group", "Key", "Lemma"),
    *("LimitPush", "Match", "Member", "One", "Open", "Placed", "Sign", "Sum", "Transitive", "Use"),
)


def records(document: Any, kind: str, here: Place = ("result",)) -> Iterator[Place]:
    part = at(document, here)
    if isinstance(part, list):
        if part[:1] == [kind]:
            yield here
        for place in range(len(part)):
            yield from records(document, kind, (*here, place))


def neighbours(part: Any) -> list[Any]:
    """Other hints of the type of one."""
    if type(part) is bool:
        return [not part]
    if type(part) is int:
        return [part + 1, part - 1]
    return [{"left": "right", "right": "left"}[part]] if part in ("left", "right") else []


@pytest.mark.parametrize("kind", KINDS)
def test_each_rule_and_each_node_is_checked_in_files(kind: str) -> None:
    """Some sample has the record; with another number in it, the kernel rejects the proof at the path of a step."""
    reasons: list[str] = []
    for name in SAMPLES:
        document = json.loads(sample(name)[1])
        for place in list(records(document, kind))[:2]:
            for part in places(at(document, place))[1:12]:
                for other in neighbours(at(document, (*place, *part))):
                    report = audit(laid_out(replaced(document, (*place, *part), other)))
                    reasons += [] if report.accepted else [report.reason]
        if any(reason.startswith("proof") for reason in reasons):
            return
    raise AssertionError(reasons)


def test_the_bags_of_blocks_are_proved_equal_in_files() -> None:
    document = json.loads(sample("limits of equal bags")[1])
    [place] = records(document, "Inside")
    changed = replaced(document, (*place[:-1], 3), [["Step", ["Reflexive"], [], []], ["Step", ["Reflexive"], [], []]])
    assert audit(laid_out(changed)).reason.startswith("proof")
    assert audit(laid_out(replaced(document, (*place[:-1], 3), []))).reason.startswith("proof")


def wrapped(evidence: Any, leaf: Any) -> Any:
    """Evidence with its first leaf replaced by what a function makes of it."""
    done = False

    def visit(node: Any) -> Any:
        nonlocal done
        if isinstance(node, Farkas) and not done:
            done = True
            return leaf(node)
        if isinstance(node, tuple):
            return tuple(map(visit, node))
        return replace(node, branches=visit(node.branches)) if hasattr(node, "branches") else node

    return visit(evidence)


def test_splits_and_cuts_are_checked_in_files() -> None:
    made = certificate_of("halves")
    assert isinstance(made.result, Step)
    for leaf in (
        lambda rest: Split(((0, 1),), 0, rest, rest),
        lambda rest: Cut(rest.multipliers[:1], rest),
    ):
        proof = replace(made.result, evidence=wrapped(made.result.evidence, leaf))
        assert proof != made.result
        assert audit(encode(replace(made, result=proof))).accepted
    unknown = wrapped(made.result.evidence, lambda rest: Split(((99, 1),), 0, rest, rest))
    assert rejected(replace(made, result=replace(made.result, evidence=unknown))).startswith("proof")


def test_symmetry_and_reflexivity_are_checked_in_files() -> None:
    made = certificate_of("a list")
    assert made.left == made.right
    assert audit(encode(replace(made, result=Step(Reflexive())))).accepted
    assert audit(encode(replace(made, result=Step(Symmetric(), (), (Step(Reflexive()),))))).accepted
    other = certificate_of("a filter by parts")
    assert rejected(replace(other, result=Step(Reflexive()))) == "proof: the sides are not the same term"


def test_the_claim_is_about_both_queries_in_their_order() -> None:
    made = certificate_of("join to a referenced row")
    assert rejected(replace(made, left=made.right, right=made.left)).startswith("proof")
    assert rejected(replace(made, left=certificate_of("a check").left)).startswith("proof")


def test_a_proof_needs_the_constraints_that_it_uses() -> None:
    for name, change in {
        "self-join on the key": {"keys": ()},
        "join to a referenced row": {"foreign_keys": ()},
        "a check": {"checks": ()},
    }.items():
        made = certificate_of(name)
        tables = tuple(replace(table, **change) for table in made.catalogue.tables)
        assert rejected(replace(made, catalogue=Catalogue(tables))).startswith("proof"), name


def test_lists_are_no_bags() -> None:
    made = certificate_of("a list")
    assert rejected(replace(made, right=replace(made.right, order=()))) == "the results are ordered by different keys"
    assert "return the same list, up to rows that tie in its order" in audit(encode(made)).claim


def test_names_of_columns_are_not_compared() -> None:
    made = certificate_of("a filter by parts")
    assert audit(encode(replace(made, right=replace(made.right, names=("b\n'",))))).accepted


def test_a_claim_lists_the_assumptions_that_it_needs() -> None:
    made = certificate_of("a filter behind a limit")
    assert Assumption.ONE_CHOICE in made.assumptions
    fewer = tuple(each for each in made.assumptions if each is not Assumption.ONE_CHOICE)
    assert rejected(replace(made, assumptions=fewer)) == f"such a claim also assumes that {Assumption.ONE_CHOICE.value}"
    assert rejected(replace(made, assumptions=made.assumptions[::-1])) == (
        "the assumptions are different ones, in the order of their list"
    )
    keyed = certificate_of("self-join on the key")
    assert keyed.unenforced == ("t",)
    fewer = tuple(each for each in keyed.assumptions if each is not Assumption.NOT_ENFORCED)
    assert rejected(replace(keyed, assumptions=fewer)) == (
        f"such a claim also assumes that {Assumption.NOT_ENFORCED.value}"
    )
    average = certificate_of("average by its definition")
    assert Assumption.EXACT_QUOTIENTS in average.assumptions
    loose = certificate_of("a filter by parts")
    for made, wrong in ((keyed, ("v",)), (keyed, ("t", "t")), (loose, ("loose",))):
        assert rejected(replace(made, unenforced=wrong)) == (
            "the tables whose constraints are not enforced are different ones that have some, sorted"
        )


def with_rows(made: QueryCertificate, **rows: tuple[Any, ...]) -> QueryCertificate:
    """The claim that the queries differ on a database."""
    return with_result(made, Witness(tuple(rows.get(table.name, ()) for table in made.catalogue.tables)))


def test_a_database_satisfies_the_catalogue() -> None:
    made = certificate_of("an outer join")
    row = (1, None, 1, None)
    assert audit(encode(with_rows(made, t=(row,)))).accepted
    for rows, reason in (
        ({"t": (row, row)}, "row 1 of table t breaks a key"),
        ({"t": ((None, None, 1, None),)}, "row 0 of table t breaks the types of the columns"),
        ({"t": ((1, None, 0, None),)}, "row 0 of table t breaks a check"),
        ({"t": (row,), "u": ((1, 2, None, None),)}, "row 0 of table u breaks a foreign key to t"),
        ({"t": ((True, None, 1, None),)}, "row 0 of table t breaks the types of the columns"),
        ({"t": ((1, None, 1),)}, "row 0 of table t breaks the types of the columns"),
        ({"t": (row,), "u": ((1, 1, None, None),)}, "both statements may return the same on the database"),
    ):
        assert rejected(with_rows(made, **rows)) == reason
    assert rejected(replace(made, result=Witness(()))) == "a database has the 2 tables of its catalogue"


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (
            "SELECT a FROM loose ORDER BY b LIMIT 1",
            "SELECT 9",
            "a LIMIT or OFFSET cuts through different rows that tie in its order",
        ),
        (
            "SELECT ROW_NUMBER() OVER (ORDER BY b) + a FROM loose",
            "SELECT 9",
            "row_number depends on an order in which different rows tie",
        ),
        ("SELECT a / 0 FROM loose", "SELECT 9.5", "a division by zero is an error"),
        ("SELECT (SELECT a FROM loose)", "SELECT 9", "a scalar subquery with several rows is an error"),
        ("SELECT LPAD(s, 5, 'x') FROM loose", "SELECT s FROM loose", "both statements may return the same"),
        (
            "SELECT a FROM loose WHERE LPAD(s, 5, 'x') = s",
            "SELECT 9",
            "the function LPAD has no implementation",
        ),
        ("SELECT a FROM loose ORDER BY b", "SELECT a FROM loose", "both statements may return the same"),
    ],
)
def test_no_difference_hangs_on_a_choice_an_error_or_an_unknown_function(left: str, right: str, reason: str) -> None:
    asked = question(read(left, right))
    made = replace(
        certificate_of("an outer join"),
        left=asked.left,
        right=asked.right,
        catalogue=asked.catalogue,
        unenforced=tuple(sorted(asked.unenforced - {"loose"})),
        assumptions=tuple(Assumption),
    )
    assert rejected(with_rows(made, loose=((1, 0, "a"), (2, 0, "b")))).startswith(reason)


def test_a_certificate_is_about_the_queries_that_are_asked_about() -> None:
    other = "the certificate is about other queries or constraints, or another reading of them"
    asked, data = sample("join to a referenced row")
    fewer = Catalogue(tuple(replace(table, foreign_keys=()) for table in asked.catalogue.tables))
    for change in (
        {"left": asked.right},
        {"catalogue": fewer},
        {"dialect": "postgres"},
        {"switches": replace(asked.switches, integer_division="truncate")},
        {"unenforced": frozenset()},
    ):
        assert audit(data, replace(asked, **change)).reason == other
    more = Catalogue(tuple(replace(table, keys=(*table.keys, (1,))) for table in asked.catalogue.tables))
    assert audit(data, replace(asked, catalogue=more)).accepted
    asked, data = sample("an outer join")
    assert audit(data, replace(asked, catalogue=fewer)).accepted
    assert audit(data, replace(asked, catalogue=more)).reason == other
    spaced = data.replace(b",", b", ", 1)
    assert audit(spaced, asked).reason == audit(spaced).reason != other  # it is read, and is no canonical encoding
    programs = different_bags()
    assert audit(data, (programs.left, programs.right)).reason == other
    assert not audit(encode(programs), asked)


def test_certificates_about_queries_are_not_those_about_programs() -> None:
    with pytest.raises(CertificateError, match="it is not about programs"):
        decode(sample("a check")[1])
    with pytest.raises(CertificateError, match="it is not about queries"):
        decode_queries(encode(different_bags()))


def test_what_a_verdict_calls_for_is_read_and_nothing_else() -> None:
    """Inequivalences have no terms, and are no proofs."""
    differing, same = (json.loads(sample(name)[1]) for name in ("an outer join", "a check"))
    for document, changes, reason in (
        (differing, {"terms": [["constant", 3]]}, ".terms[0]: there is nothing that it could be used for"),
        (differing, {"verdict": "equivalent"}, ".result: expected Step or Rewriting, not ['Witness'"),
        (same, {"verdict": "inequivalent"}, ".result: expected Witness, not ['Step'"),
    ):
        report = audit(laid_out({**document, **changes}))
        assert report.reason.replace('"', "'").startswith(f"certificate{reason}")


def same_claim(one: QueryCertificate, other: QueryCertificate) -> bool:
    """Whether two certificates claim the same of the same queries, but for assumptions and names."""
    parts = ("left", "right", "catalogue", "unenforced", "dialect", "switches")
    blank = {"sources": ("", ""), "producer": (), "assumptions": ()}
    return one.verdict == other.verdict and encode(with_result(one, Witness(()), **blank)) == encode(
        with_result(other, Witness(()), **blank, **{part: getattr(other, part) for part in parts})
    )


def examine_mutations(seed: int, count: int) -> int:
    """How many mutated certificates are accepted: each claims the same, or what no database refutes."""
    random, accepted = Random(seed), 0
    printed = {name: (found.claim, found.assumptions) for name in SAMPLES for found in (audit(sample(name)[1]),)}
    documents = [(name, json.loads(sample(name)[1])) for name in SAMPLES]
    everywhere = {
        name: [place for place in places(document) if place[:1] not in ((), ("sources",), ("producer",))]
        for name, document in documents
    }
    for _ in range(count):
        name, document = random.choice(documents)
        data = laid_out(altered(document, random.choice(everywhere[name]), random))
        report = audit(data)
        if not report.accepted:
            assert report.reason
            continue
        accepted += 1
        claimed = decode_queries(data)
        if (report.claim, report.assumptions) == printed[name]:
            assert repr(claim_of(claimed)) == repr(claim_of(certificate_of(name)))
        if not same_claim(claimed, certificate_of(name)) and report.verdict == "equivalent":
            found = find(claimed.left, claimed.right, claimed.catalogue, 0.2, seed)
            assert not isinstance(found, DistinguishingDatabase), (name, data)
        asked = sample(name)[0]
        if audit(data, asked).accepted:
            assert encode(replace(claimed, left=asked.left, right=asked.right)) == data
    return accepted


def test_mutated_certificates_are_rejected_or_claim_what_is_true() -> None:
    assert examine_mutations(1, 300) < 150


@pytest.mark.slow
def test_many_mutated_certificates_are_rejected_or_claim_what_is_true() -> None:
    assert examine_mutations(2, 2_500) < 1_250


def examine_claims(name: str, step: int) -> int:
    """How many claims with one field changed are accepted with the same proof or database: each prints otherwise, and
    is true."""
    made, accepted = certificate_of(name), 0
    claim = audit(encode(made)).claim
    for number, other in enumerate(islice(mutants(made), 0, None, step)):
        report = audit(encode(other))
        if report.accepted and repr(claim_of(other)) != repr(claim_of(made)):
            accepted += 1
            assert (report.claim, other.assumptions) != (claim, made.assumptions)
            if report.verdict == "equivalent":
                found = find(other.left, other.right, other.catalogue, 0.02, number)
                assert not isinstance(found, DistinguishingDatabase), report.claim
    return accepted


@pytest.mark.parametrize("name", ["a check", "an outer join"])
def test_changed_claims_are_rejected_or_printed_and_true(name: str) -> None:
    assert examine_claims(name, 13) < 40


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_all_changed_claims_are_rejected_or_printed_and_true(name: str) -> None:
    assert examine_claims(name, 1) >= 1


def test_statements_of_every_node_are_read_as_they_are_written_and_compile_to_the_same_terms() -> None:
    """Shared nodes are one row, and the terms of a proof do not depend on what is shared."""
    made, seen = certificate_of("a filter by parts"), set[str]()
    for seed in range(60):
        statement, databases = random_case(seed, Options())
        witness = Witness(tuple(tuple(databases[0].get(table.name, ())) for table in CATALOGUE.tables))
        written = encode(with_result(made, witness, left=statement, right=statement, catalogue=CATALOGUE))
        decoded = decode_queries(written)
        assert decoded.left == statement
        assert decoded.result == witness
        read_again = normal_forms(decoded.left, decoded.right, decoded.catalogue)
        assert [form.bag for form in read_again] == [form.bag for form in normal_forms(statement, statement, CATALOGUE)]
        seen |= {row[0] for row in json.loads(written)["syntax"]}
    assert seen >= set(NODES) - {"Cast", "Remainder"}


def test_the_report_of_a_claim_about_queries() -> None:
    text = str(audit(sample("join to a referenced row")[1]))
    for line in (
        "claim     on every database of these tables, both queries return the same bag of",
        "          'u' has the columns 'id' integer NOT NULL of 32 bits, 't' integer NOT",
        "                NULL of 32 bits, 'v' decimal of 10 digits, 2 behind the point,",
        "            foreign key ('t') to 't' ('k')",
        "            check (#2'n' > 0)",
        "            [3] [1] inner join [2] on (#1't' = #4'k')",
        "            [4] [3] select #0'id'",
        "meaning   sql: bags of rows with NULL, in three-valued logic; lists, up to rows",
    ):
        assert line in text.splitlines()
    shown = str(audit(sample("a lost duplicate")[1]))
    assert "claim     on this database, both queries do not return the same" in shown.splitlines()
    assert "          the right query returns (NULL), in any order" in shown.splitlines()


def test_names_in_a_claim_are_quoted() -> None:
    made = certificate_of("a filter by parts")
    tables = tuple(
        replace(table, columns=tuple(replace(column, name="x\n\x1b[2J' accepted") for column in table.columns))
        for table in made.catalogue.tables
    )
    report = audit(encode(replace(made, catalogue=Catalogue(tables))))
    assert report.accepted
    assert "\x1b" not in report.claim
    assert '#0"x\\n\\x1b[2J\' accepted"' in report.claim
