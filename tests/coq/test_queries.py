"""What the command line and the other auditors say of certificates about queries."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from tallystick import check_sql
from tallystick.certificates.exports.auditors import opinions_of_ocaml
from tallystick.certificates.exports.core.theorems import theorem_of_core
from tallystick.certificates.queries.reader import decode_queries
from tallystick.cli import main
from tallystick.core.errors import FragmentError
from tallystick.core.queries.syntax import SetOperation
from tallystick.core_proofs.proofs import core_proof

SCHEMA = "create table emp (id int primary key, hired date, wage int not null)"
DATES = (
    "select hired from emp where hired >= date '2020-01-01'",
    "select hired from emp where not (hired < date '2020-01-01')",
)


def certificate(left: str, right: str) -> bytes:
    verdict = check_sql(left, right, schema=SCHEMA)
    assert verdict.verdict == "equivalent"
    return verdict.certificate or b""


def test_the_command_line_exports_and_asks_coq_about_queries(development, tmp_path):
    path = tmp_path / "dates.json"
    path.write_bytes(certificate(*DATES))
    exported = CliRunner().invoke(main, ["export", "--to", "coq", str(path), str(tmp_path / "theorems")])
    assert (exported.exit_code, exported.output) == (0, f"{tmp_path / 'theorems' / 'dates.v'}\n")
    asked = CliRunner().invoke(main, ["audit", str(path), "--with", "coq"])
    assert asked.exit_code == 0
    assert asked.output.splitlines()[-1] == "coq       accepted"


def test_what_coq_does_not_cover_is_no_disagreement(development, tmp_path):
    path = tmp_path / "ntile.json"
    path.write_bytes(certificate(*("select ntile(2) over (order by id) from emp",) * 2))
    asked = CliRunner().invoke(main, ["audit", str(path), "--with", "coq"])
    assert asked.exit_code == 2
    assert (
        asked.output.splitlines()[-1] == "coq       not covered: the core language in Coq has no window function ntile"
    )


def test_the_extracted_auditor_says_that_it_reads_no_queries(development, tmp_path):
    path = tmp_path / "dates.json"
    path.write_bytes(certificate(*DATES))
    reason = "the Coq development has no certificates about queries in its extracted auditor"
    [opinion] = opinions_of_ocaml([path])
    assert (opinion.accepted, opinion.reason) == (None, reason)


def test_a_query_whose_parts_are_shared_too_often_is_not_spelt_out():
    given = decode_queries(certificate("select id from emp", "select id from emp"))
    query = given.left.query
    for _ in range(40):
        query = SetOperation("union", True, query, query)
    doubled = replace(given.left, query=query)
    with pytest.raises(FragmentError, match=r"^the query is too long to be spelt out in Coq$"):
        theorem_of_core(replace(given, left=doubled), core_proof)
