"""Normal forms of queries and BAG in Coq: what is a closed theorem, and what is none."""

import re

import pytest
from tallystick import check_sql
from tallystick.certificates.exports.auditors import CLOSED, compiled
from tallystick.certificates.exports.coq_forms import Forms
from tallystick.certificates.exports.coq_queries import theorem_of_queries
from tallystick.certificates.exports.coq_sql import Data, Index
from tallystick.certificates.queries.reader import decode_queries
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.types import INTEGER, TEXT
from tallystick.form_proofs import bag_proof
from tallystick.theorems import program_proof

SCHEMA = """
create table dept (id int primary key, name varchar, size int);
create table emp (id int primary key, boss int unique, dept int references dept (id), name varchar,
  wage int not null check (wage > 0), paid boolean);
create table log (who int, what varchar);
"""
ALWAYS = {
    "a left join and its parts": (
        "select e.id, d.what from emp e left join log d on e.dept = d.who and d.who > 3 where e.wage > 2",
        "select e.id, d.what from (select * from emp where wage > 2) e left join (select * from log where who > 3) d "
        "on e.dept = d.who",
    ),
    "right and left joins": (
        "select e.id, l.what from log l right join emp e on e.dept = l.who",
        "select e.id, l.what from emp e left join log l on l.who = e.dept",
    ),
    "a full join as a union": (
        "select e.id, l.who from emp e full join log l on e.dept = l.who",
        "select e.id, l.who from emp e left join log l on e.dept = l.who union all "
        "select null, l.who from log l where not exists (select 1 from emp e where e.dept = l.who)",
    ),
    "an anti join": (
        "select id from emp left anti join log on who = id",
        "select id from emp where not exists (select what from log where who = id)",
    ),
    "IN and EXISTS": (
        "select id from emp where id in (select who from log where what = name)",
        "select id from emp where exists (select 1 from log where who = id and what = name)",
    ),
    "NOT IN, with NULL": (
        "select id from emp where dept not in (select who from log)",
        "select id from emp where not exists (select 1 from log where who = dept or who is null or dept is null)",
    ),
    "a disjunction of subqueries": (
        "select id from emp where exists (select 1 from log where who = id or what = name)",
        "select id from emp where exists (select 1 from log where who = id) "
        "or exists (select 1 from log where what = name)",
    ),
    "subqueries of subqueries": (
        "select id from emp e where exists (select 1 from log where who = e.id and exists "
        "(select 1 from dept where dept.id = who))",
        "select id from emp e where exists (select 1 from dept, log where who = dept.id and dept.id = e.id)",
    ),
    "EXCEPT": (
        "select who from log except select id from emp",
        "select distinct who from log where not exists (select 1 from emp where who is not distinct from emp.id)",
    ),
    "DISTINCT": (
        "select distinct l.who from log l, log k where l.who = k.who",
        "select who from log where who is not null group by who",
    ),
    "nothing": ("select id from emp where paid and not paid", "select id from emp where id in (1) and id > 1"),
}
UNDER = {
    "a key": (
        "Key",
        "select id from emp e where exists (select 1 from emp f where f.id = e.id and f.wage > 3)",
        "select id from emp where wage > 3",
    ),
    "a column that is unique, unless NULL": (
        "Key",
        "select id from emp e where exists (select 1 from emp f where f.boss = e.boss and f.wage > 3)",
        "select id from emp where boss is not null and wage > 3",
    ),
    "a foreign key": (
        "ForeignKey",
        "select id from emp where exists (select 1 from dept d where d.id = emp.dept)",
        "select id from emp where dept is not null",
    ),
    "a check": ("Check", "select id from emp where wage > 0", "select id from emp"),
}


def theorem(left: str, right: str) -> str:
    verdict = check_sql(left, right, schema=SCHEMA)
    assert verdict.verdict == "equivalent"
    return theorem_of_queries(decode_queries(verdict.certificate or b""), program_proof, bag_proof)


def accepted(text: str) -> bool:
    done = compiled(text)
    return (done.returncode, done.stdout.strip()) == (0, CLOSED)


@pytest.mark.parametrize("pair", ALWAYS.values(), ids=ALWAYS)
def test_normal_forms_make_closed_theorems(development, pair):
    text = theorem(*pair)
    assert "Theorem claim : same_answers tables before after." in text
    assert "check_forms" in text
    assert accepted(text)


@pytest.mark.parametrize("name", UNDER)
def test_what_a_proof_uses_of_the_catalogue_is_part_of_the_claim(development, name):
    constraint, *pair = UNDER[name]
    text = theorem(*pair)
    assert "Theorem claim : same_answers_under tables constraints before after." in text
    stated = re.search(r"list constraint :=\n  \[(.*)\]\.", text)
    assert stated
    assert stated[1].startswith(f"({constraint} ")
    assert ";" not in re.sub(r"\[.*?\]", "", stated[1])
    assert accepted(text)
    without = re.sub(r"(list constraint :=)\n.*", r"\1 [].", text)
    assert without != text
    assert not accepted(without)


def test_a_key_says_nothing_of_null(development):
    """Under a nullable key the row itself need not be the one with its value."""
    text = theorem(*UNDER["a key"][1:])
    nullable = text.replace('[("emp", [(Numbers, false)', '[("emp", [(Numbers, true)')
    assert nullable != text
    assert not accepted(nullable)


def test_a_key_of_other_columns_does_not_do(development):
    text = theorem(*UNDER["a key"][1:])
    other = text.replace('(Key "emp" [0%nat])', '(Key "emp" [2%nat])')
    assert other != text
    assert not accepted(other)


def test_a_wrong_matching_is_rejected(development):
    pair = "select a.who, b.what from log a, log b", "select b.who, a.what from log a, log b"
    text = theorem(*pair)
    assert accepted(text)
    assert "order := [1%nat; 0%nat]" in text
    for forged in ("[0%nat; 1%nat]", "[1%nat; 1%nat]", "[1%nat]", "[1%nat; 0%nat; 0%nat]"):
        assert not accepted(text.replace("order := [1%nat; 0%nat]", f"order := {forged}"))


def test_a_monomial_left_out_or_taken_twice_is_rejected(development):
    text = theorem(
        "select who from log union all select id from emp", "select id from emp union all select who from log"
    )
    assert accepted(text)
    assert not accepted(text.replace("left_one := 1%nat", "left_one := 0%nat"))
    assert not accepted(text.replace("right_one := 1%nat", "right_one := 0%nat"))
    assert not accepted(re.sub(r"pairs := \[(\{\|.*?\|\}); .*?\|\}\];", r"pairs := [\1];", text, flags=re.DOTALL))


def test_functions_with_one_name_or_in_a_circle_are_rejected(development):
    """What a name means must be one thing, and must not rest on itself."""
    text = theorem(*ALWAYS["subqueries of subqueries"])
    assert accepted(text)
    assert text.count('ex_name := "e1"') == 1
    assert not accepted(text.replace('ex_name := "e1"', 'ex_name := "e0"'))
    called = re.sub(r'Apply "e\d"', 'Apply "e1"', text)
    assert called != text
    assert not accepted(called)


def test_a_false_claim_is_rejected(development):
    text = theorem(*ALWAYS["NOT IN, with NULL"])
    forged = text.replace("(IsNull (Column 0%nat 0%nat))", "(Constant Truths (Truth false))", 1)
    assert forged != text
    assert not accepted(forged)


def test_what_bag_does_not_prove_is_refused_by_name():
    with pytest.raises(FragmentError, match=r"^no proof by BAG is found for the normal forms of these queries$"):
        theorem("select e.id from emp e left join dept d on d.id = e.dept", "select id from emp")


def test_columns_of_different_kinds_have_no_normal_form():
    """A number is no text, although both are numbers in the logic."""
    numbers, texts = (
        Data("Select", ([Data("Column", (Index(0), Index(at)))], Data("Table", ("log",)))) for at in (0, 1)
    )
    catalogue = Catalogue((Table("log", (Column("who", INTEGER, True), Column("what", TEXT, True))),))
    for query in (Data("Among", (False, numbers, texts)), Data("UnionAll", (numbers, texts))):
        with pytest.raises(FragmentError, match="whose parts have columns of different kinds"):
            Forms(catalogue).form((), (), query)
