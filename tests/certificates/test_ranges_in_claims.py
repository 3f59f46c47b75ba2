"""Ranges of declared types are part of a claim: printed, kept by witnesses, used by proofs, compared by `against`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.queries.certificates import QueryCertificate, Witness
from tallystick.certificates.queries.reader import decode_queries
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import DATE
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.type_names import TypeName

from certificates.query_samples import question, read

SMALL = "CREATE TABLE t (a SMALLINT, s VARCHAR(2), d DECIMAL(5, 2))"
LARGE = "CREATE TABLE t (a BIGINT, s VARCHAR(3), d DECIMAL(6, 2))"
FINE = "CREATE TABLE t (a SMALLINT, s VARCHAR(2), d DECIMAL(6, 3))"
WIDER = [("a > 32767", LARGE), ("s = 'abc'", LARGE), ("d > 999.99", LARGE), ("d = 0.001", FINE)]


def asked(condition: str, schema: str) -> SqlPair:
    return read("SELECT a FROM t WHERE a IS NULL", f"SELECT a FROM t WHERE a IS NULL OR {condition}", schema)


def refuted(pair: SqlPair) -> bytes:
    found = find(pair.left, pair.right, pair.catalogue, 5.0)
    assert isinstance(found, DistinguishingDatabase), found
    return certificate(question(pair), found)


def proved(pair: SqlPair) -> bytes:
    found = decide(pair.left, pair.right, pair.catalogue, ProofLimits(5.0))
    assert isinstance(found, Proved), found
    return certificate(question(pair), found)


@pytest.mark.parametrize(("condition", "schema"), WIDER)
def test_a_witness_beyond_the_declared_ranges_is_none(condition: str, schema: str) -> None:
    """Made where its column has room for the value, and audited against a schema where it has not."""
    wide, narrow = asked(condition, schema), asked(condition, SMALL)
    made = refuted(wide)
    assert audit(made, question(wide))
    report = audit(made, question(narrow))
    assert report.reason == "the certificate is about other queries or constraints, or another reading of them"
    forged = replace(decode_queries(made), catalogue=narrow.catalogue)
    report = audit(encode(forged), question(narrow))
    assert not report
    assert " of table t breaks the range of column " in report.reason


def test_a_witness_of_a_narrower_schema_is_one_of_a_wider_one() -> None:
    made = refuted(asked("a > 32766", SMALL))
    assert audit(made, question(asked("a > 32766", SMALL)))
    assert audit(made, question(asked("a > 32766", LARGE)))
    assert not audit(made, question(asked("a > 32766", FINE.replace("VARCHAR(2)", "VARCHAR(1)"))))


@pytest.mark.parametrize("condition", ["a > 32767", "a < -32768", "d > 999.99", "d < -999.99", "NOT (a <= 32767)"])
def test_proofs_use_the_bounds_of_numbers(condition: str) -> None:
    narrow, wide = asked(condition, SMALL), asked(condition, LARGE)
    made = proved(narrow)
    assert audit(made, question(narrow)).verdict == "equivalent"
    assert not audit(made, question(wide)), "an equivalence may rest on no narrower ranges than there are"
    assert audit(made, question(asked(condition, SMALL.replace("SMALLINT", "TINYINT"))))
    assert "Check" in dict(audit(made).rules)
    unfounded = replace(decode_queries(made), catalogue=wide.catalogue)
    assert not audit(encode(unfounded)), "the certificate's own ranges are too wide for its proof"


def test_digits_and_lengths_are_not_used_by_proofs() -> None:
    for condition in ("d = 0.001", "s = 'abc'"):
        pair = asked(condition, SMALL)
        assert not isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(1.0)), Proved)


def test_days_have_the_range_that_a_reader_states() -> None:
    """A reader gives TypeName(DATE, least=…, greatest=…), in days since 1970."""
    room = Range(0, -719162, 2932896)
    assert TypeName(DATE, least=room.least, greatest=room.greatest).range == room
    pair = read(
        "SELECT d FROM t WHERE d >= DATE '2024-03-01'",
        "SELECT d FROM t WHERE d BETWEEN DATE '2024-03-01' AND DATE '9999-12-31'",
        "CREATE TABLE t (d DATE)",
    )
    (table,) = pair.catalogue.tables
    ranged, without = (
        replace(pair, catalogue=Catalogue((replace(table, columns=(replace(table.columns[0], range=of),)),)))
        for of in (room, None)
    )
    report = audit(proved(ranged), question(ranged))
    assert report
    assert "'d' date from date 0001-01-01 to date 9999-12-31" in report.claim
    assert not isinstance(decide(without.left, without.right, without.catalogue, ProofLimits(1.0)), Proved)


def test_ranges_are_printed() -> None:
    report = audit(refuted(asked("a > 32766", SMALL)))
    assert (
        "'t' has the columns 'a' integer of 16 bits, 's' text of at most 2 letters, "
        "'d' decimal of 5 digits, 2 behind the point"
    ) in report.claim


def test_digits_of_moments_are_printed() -> None:
    pair = read("SELECT ts FROM t", "SELECT ts FROM t WHERE ts IS NOT NULL", "CREATE TABLE t (ts TIMESTAMP)")
    (table,) = pair.catalogue.tables
    for room, said in ((Range(-6), "0 digits of a second"), (Range(-3, 0, 1000), "3 digits of a second from")):
        column = replace(table.columns[0], range=room)
        catalogue = Catalogue((replace(table, columns=(column,)),))
        assert f"'ts' timestamp of {said}" in audit(refuted(replace(pair, catalogue=catalogue))).claim


def test_a_range_of_another_type_is_no_part_of_a_certificate() -> None:
    data = refuted(asked("a > 32766", SMALL))
    assert b'["Range",0,-32768,32767,null]' in data
    for other in (b'["Range",0,null,null,null]', b'["Range",null,null,null,4]', b'["Range",2,-32768,32767,null]'):
        report = audit(data.replace(b'["Range",0,-32768,32767,null]', other))
        assert "the range of column a is none of values of type integer" in report.reason
    assert not audit(data.replace(b'["Range",0,-32768,32767,null]', b'["Range",0,-32768,true,null]'))


def test_the_witness_is_what_is_checked() -> None:
    made = decode_queries(refuted(asked("a > 32766", SMALL)))
    assert isinstance(made, QueryCertificate)
    assert isinstance(made.result, Witness)
    ((row,),) = made.result.tables
    outside = Witness((((32768, *row[1:]),),))
    assert audit(encode(replace(made, result=outside))).reason == "row 0 of table t breaks the range of column a"
