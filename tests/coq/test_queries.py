"""Certificates about SQL queries become closed theorems of Coq, or are refused by the name of what is lacking."""

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from tallystick import check_sql
from tallystick.certificates.exports.auditors import CLOSED, compiled, opinions_of_ocaml
from tallystick.certificates.exports.coq_compiled import code
from tallystick.certificates.exports.coq_queries import theorem_of_queries
from tallystick.certificates.proofs import Step
from tallystick.certificates.queries.reader import decode_queries
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.cli import main
from tallystick.core.errors import FragmentError
from tallystick.core.queries.syntax import SetOperation
from tallystick.form_proofs import bag_proof
from tallystick.theorems import program_proof

SCHEMA = """
create table emp (id int primary key, name varchar, dept int, hired date, paid boolean, wage int not null);
create table dept (id int not null, name varchar);
create table bill (id int, amount decimal(10, 2));
create table bill_of (who int);
"""
EQUIVALENT = {
    "filters and arithmetic": (
        "select id, wage + 1, 2 * dept from emp where wage > 3 and dept = 2",
        "select id, 1 + wage, 4 from (select * from emp where dept = 2) e where not (wage <= 3)",
    ),
    "a join whose sides change places": (
        "select e.id, d.name from emp e join dept d on e.dept = d.id",
        "select e.id, d.name from dept d, emp e where d.id = e.dept and e.dept is not null",
    ),
    "a self-join": (
        "select a.wage from emp a, emp b where a.wage < b.wage",
        "select b.wage from emp a, emp b where b.wage < a.wage",
    ),
    "DISTINCT and UNION": (
        "select distinct name from emp where name = 'a' or name = 'é'",
        "select name from emp where name = 'é' union select name from emp where name = 'a'",
    ),
    "cases of a filter": (
        "select coalesce(dept, 0) from emp where name in ('x', 'y')",
        "select case when dept is null then 0 else dept end from emp where name = 'x' "
        "union all select coalesce(dept, 0) from emp where name = 'y'",
    ),
    "truth values": (
        "select paid, paid is true, paid is distinct from null from emp where not (paid and dept = 1)",
        "select paid, coalesce(paid, false), paid is not null from emp where not paid or dept <> 1",
    ),
    "dates": (
        "select hired from emp where hired >= date '2020-01-01'",
        "select hired from emp where not (hired < date '2020-01-01')",
    ),
}
GROUPED = {
    "a filter before and after GROUP BY": (
        "select dept, sum(wage) from emp where dept > 3 group by dept",
        "select dept, sum(wage) from emp group by dept having dept > 3",
    ),
    "sums and counts": (
        "select dept, sum(2 * wage), count(*), count(id) from emp group by dept",
        "select dept, sum(wage + wage), count(id), count(*) from emp group by dept",
    ),
    "FILTER": (
        "select dept, sum(wage) filter (where paid) from emp group by dept",
        "select dept, sum(case when paid then wage end) from emp group by dept",
    ),
    "no calls": ("select dept from emp group by dept", "select distinct dept from emp"),
    "without GROUP BY": (
        "select sum(case when dept > 3 then wage end), count(*) + 1 from emp",
        "select sum(wage) filter (where dept > 3), 1 + count(id) from emp",
    ),
    "a total of a filter": (
        "select count(dept) from emp where wage > 2",
        "select count(case when wage > 2 then dept end) from emp",
    ),
    "extremes": (
        "select dept, max(0 - wage) from emp group by dept",
        "select dept, 0 - m from (select dept, min(wage) m from emp group by dept) g",
    ),
}
DIFFERENT = {
    "NOT and NULL": (
        "select name from emp where not (dept = 2)",
        "select name from emp where dept is null or dept <> 2",
    ),
    "COUNT and NULL": (
        "select name, count(*), sum(dept) from emp group by name",
        "select name, count(dept), sum(dept) from emp group by name",
    ),
    "UNION and UNION ALL": ("select id from dept union select id from dept", "select id from dept"),
    "a total of nothing": ("select sum(wage) from emp", "select coalesce(sum(wage), 0) from emp"),
    "outer joins": (
        "select e.id, d.name from emp e left join dept d on e.dept = d.id",
        "select e.id, d.name from emp e right join dept d on e.dept = d.id",
    ),
    "full joins": (
        "select e.id, d.id from emp e full join dept d on e.dept = d.id and e.wage > 2",
        "select e.id, d.id from emp e full join dept d on e.dept = d.id where e.wage > 2",
    ),
    "IN and NOT IN": (
        "select id from emp where dept not in (select id from dept)",
        "select id from emp where not exists (select 1 from dept where dept.id = emp.dept)",
    ),
    "subqueries of subqueries": (
        "select id from emp where exists (select 1 from dept where exists (select 1 from bill_of where who = emp.id))",
        "select id from emp where exists (select 1 from dept where exists (select 1 from bill_of where who = dept.id))",
    ),
    "scalar subqueries": (
        "select id, (select count(*) from dept where dept.id = emp.dept) from emp",
        "select e.id, count(*) from emp e join dept d on d.id = e.dept group by e.id",
    ),
    "EXCEPT": ("select id from dept except select id from emp", "select id from dept except all select id from emp"),
    "INTERSECT": (
        "select id from dept intersect select wage from emp",
        "select id from dept intersect all select wage from emp",
    ),
    "VALUES": ("select * from (values (1), (2)) t(a)", "select * from (values (1), (1)) t(a)"),
}
REFUSED = {
    "proof about outer joins": ("select e.dept, count(*) from emp e left join dept d on e.dept = d.id group by e.dept",)
    * 2,
    "proof about inner aggregates without GROUP BY": ("select s from (select sum(wage) s from emp) t where s > 1",) * 2,
    "proof about EXISTS, IN, ANY and ALL": (
        "select dept, count(*) from emp where exists (select 1 from dept where dept.id = emp.dept) group by dept",
    )
    * 2,
    "proof about semi and anti joins": (
        "select wage, count(*) from emp left semi join dept on dept.id = emp.dept group by wage",
    )
    * 2,
    "proof about scalar subqueries": ("select (select max(id) from dept) from emp",) * 2,
    "proof about EXCEPT and INTERSECT": (
        "select id, count(*) from (select id from emp except select id from dept) t group by id",
    )
    * 2,
    "proof about EXCEPT ALL": ("select id from emp except all select id from dept",) * 2,
    "proof about VALUES": ("select * from (values (1), (2)) t(a)",) * 2,
    "aggregate avg": ("select dept, avg(wage) from emp group by dept",) * 2,
    "aggregate count of distinct rows": ("select dept, count(distinct wage) from emp group by dept",) * 2,
    "aggregate min of values of type text": ("select dept, min(name) from emp group by dept",) * 2,
    "grouping sets": ("select dept, sum(wage) from emp group by rollup (dept)",) * 2,
    "decimal": ("select id from bill",) * 2,
    "ORDER BY": ("select id from dept order by id",) * 2,
    "LIMIT": ("select id from (select id from emp order by id limit 2) e",) * 2,
    "window function": ("select rank() over (order by id) from emp",) * 2,
    "lateral join": ("select d.id from emp e, lateral (select id from dept where dept.id = e.dept) d",) * 2,
    "function LOWER": ("select lower(name) from emp",) * 2,
    "order of values of type text": ("select id from emp where name < 'b'",) * 2,
    "product of columns": ("select wage * dept from emp",) * 2,
    "division": ("select wage / 2 from emp",) * 2,
    "remainder": ("select wage % 2 from emp",) * 2,
}


def theorem_of(data: bytes) -> str:
    return theorem_of_queries(decode_queries(data), program_proof, bag_proof)


def certificate(left: str, right: str, expected: str) -> bytes:
    verdict = check_sql(left, right, schema=SCHEMA)
    assert verdict.verdict == expected
    return verdict.certificate or b""


@pytest.mark.parametrize("pair", (EQUIVALENT | GROUPED).values(), ids=EQUIVALENT | GROUPED)
def test_equal_answers_are_a_closed_theorem(development, pair):
    text = theorem_of(certificate(*pair, "equivalent"))
    assert "Theorem claim : same_answers tables before after." in text
    done = compiled(text)
    assert (done.returncode, done.stdout.strip()) == (0, CLOSED), done.stderr


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_different_answers_are_a_closed_theorem(development, pair):
    text = theorem_of(certificate(*pair, "inequivalent"))
    assert "Theorem claim : different_answers tables before after." in text
    done = compiled(text)
    assert (done.returncode, done.stdout.strip()) == (0, CLOSED), done.stderr


@pytest.mark.parametrize("construct", REFUSED)
def test_what_the_development_lacks_is_refused_by_name(construct):
    data = certificate(*REFUSED[construct], "equivalent")
    with pytest.raises(FragmentError, match=f"^the Coq development has no {re.escape(construct)} in queries$"):
        theorem_of(data)


def test_queries_without_a_proof_about_their_programs_are_refused(development):
    given = decode_queries(certificate(*EQUIVALENT["dates"], "equivalent"))
    with pytest.raises(FragmentError, match=r"^no proof by the rules for programs is found for these queries$"):
        theorem_of_queries(given, lambda left, right: None)


def test_a_proof_about_other_programs_is_no_theorem(development):
    given = decode_queries(certificate(*EQUIVALENT["dates"], "equivalent"))
    done = compiled(theorem_of_queries(given, lambda left, right: Step(Reflexive())))
    assert done.returncode == 1
    assert "while it is expected to have type" in done.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [("(Number 2)", "(Number 3)"), ("Compare Equal", "Compare Same"), ("Column 0%nat 2%nat", "Column 0%nat 5%nat")],
    ids=["a literal", "a comparison", "a column"],
)
def test_a_false_claim_about_queries_is_no_theorem(development, before, after):
    text = theorem_of(certificate(*EQUIVALENT["filters and arithmetic"], "equivalent"))
    forged = text.replace(before, after, 1)
    assert forged != text
    assert compiled(forged).returncode == 1


def test_a_false_claim_about_a_total_is_no_theorem(development):
    text = theorem_of(certificate(*GROUPED["a total of a filter"], "equivalent"))
    forged = text.replace("(Number 2)", "(Number 3)", 1)
    assert forged != text
    assert [compiled(text).returncode, compiled(forged).returncode] == [0, 1]


def test_one_row_is_compared_with_a_bag_of_rows_by_no_proof_about_values(development):
    """A total has one row, and a group over a constant none where there are no rows: a proof for the former is none."""
    text = theorem_of(certificate(*GROUPED["a total of a filter"], "equivalent"))
    forged = text.replace("(Total [", "(GroupBy [(Constant Numbers (Number 0))] [", 1)
    assert forged != text
    assert compiled(forged).returncode == 1


def test_a_column_that_may_be_null_is_not_one_that_may_not(development):
    text = theorem_of(certificate("select id from dept where id = id", "select id from dept", "equivalent"))
    assert "check_forms" in text
    forged = text.replace("(Numbers, false)", "(Numbers, true)")
    assert [compiled(text).returncode, compiled(forged).returncode] == [0, 1]


def test_texts_have_different_numbers():
    texts = ["", "a", "b", "aa", "é", "a\x00", "\x00", "\x00\x00"]
    assert len({code(text) for text in texts}) == len(texts)
    assert code("a") == ord("a") + 1


def test_the_command_line_exports_and_asks_coq_about_queries(development, tmp_path):
    path = tmp_path / "dates.json"
    path.write_bytes(certificate(*EQUIVALENT["dates"], "equivalent"))
    exported = CliRunner().invoke(main, ["export", "--to", "coq", str(path), str(tmp_path / "theorems")])
    assert (exported.exit_code, exported.output) == (0, f"{tmp_path / 'theorems' / 'dates.v'}\n")
    asked = CliRunner().invoke(main, ["audit", str(path), "--with", "coq"])
    assert asked.exit_code == 0
    assert asked.output.splitlines()[-1] == "coq       accepted"


def test_what_coq_does_not_cover_is_no_disagreement(development, tmp_path):
    path = tmp_path / "lag.json"
    path.write_bytes(certificate(*("select lag(wage) over (order by id) from emp",) * 2, "equivalent"))
    asked = CliRunner().invoke(main, ["audit", str(path), "--with", "coq"])
    assert asked.exit_code == 2
    assert asked.output.splitlines()[-1] == "coq       not covered: the core language in Coq has no window function lag"


def test_columns_that_a_statement_does_not_show_are_refused():
    given = decode_queries(certificate(*EQUIVALENT["a self-join"], "equivalent"))
    wider = replace(given.left, query=given.left.query.input)
    with pytest.raises(FragmentError, match=r"^the Coq development has no invisible column in queries$"):
        theorem_of_queries(replace(given, left=wider), lambda left, right: None)


def test_a_query_whose_parts_are_shared_too_often_is_not_spelt_out():
    given = decode_queries(certificate("select id from dept", "select id from dept", "equivalent"))
    query = given.left.query
    for _ in range(40):
        query = SetOperation("union", True, query, query)
    doubled = replace(given.left, query=query)
    with pytest.raises(FragmentError, match=r"^the query is too long to be spelt out in Coq$"):
        theorem_of_queries(replace(given, left=doubled), lambda left, right: None)


def test_the_extracted_auditor_says_that_it_reads_no_queries(development, tmp_path):
    path = tmp_path / "dates.json"
    path.write_bytes(certificate(*EQUIVALENT["dates"], "equivalent"))
    reason = "the Coq development has no certificates about queries in its extracted auditor"
    [opinion] = opinions_of_ocaml([path])
    assert (opinion.accepted, opinion.reason) == (None, reason)
