"""Queries of the core in Coq: certificates become closed theorems, and what is changed in one is none."""

import re

import pytest
from sampling import sampled
from tallystick import check_sql
from tallystick.certificates.exports.auditors import CLOSED, compiled
from tallystick.certificates.exports.core.theorems import theorem_of_core
from tallystick.certificates.queries.reader import decode_queries
from tallystick.core.errors import FragmentError
from tallystick.core_proofs.proofs import core_proof

from coq.together import are_theorems

SCHEMA = """
create table dept (id int primary key, name varchar, size int);
create table emp (id int primary key, boss int unique, dept int references dept (id), name varchar,
  wage int not null check (wage > 0), paid boolean, hired date);
create table log (who int, what varchar, cost decimal(10, 2));
"""
EQUIVALENT = {
    "BAG, slots in another order": (
        "select e.id, l.what from emp e join log l on e.dept = l.who",
        "select e.id, l.what from log l, emp e where l.who = e.dept and e.dept is not null",
    ),
    "BAG, counting two monomials against one": (
        "select e.id, d.size from emp e left join dept d on d.id = e.dept where e.wage > 3",
        "select e.id, d.size from emp e left join dept d on e.dept = d.id and e.wage > 3 where not e.wage <= 3",
    ),
    "ONE, a join that adds nothing": ("select e.id from emp e left join dept d on d.id = e.dept", "select id from emp"),
    "ONE, opening the rows of DISTINCT": ("select distinct id, name from emp", "select id, name from emp"),
    "rows of DISTINCT in another form": (
        "select distinct l.who from log l, log k where l.who = k.who",
        "select who from log where who is not null group by who",
    ),
    "a key": (
        "select id from emp e where exists (select 1 from emp f where f.id = e.id and f.wage > 3)",
        "select id from emp where wage > 3",
    ),
    "a foreign key": (
        "select id from emp where exists (select 1 from dept d where d.id = emp.dept)",
        "select id from emp where dept is not null",
    ),
    "a check": ("select id from emp where wage > 0", "select id from emp"),
    "NOT IN, with NULL": (
        "select id from emp where dept not in (select who from log)",
        "select id from emp where not exists (select 1 from log where who = dept or who is null or dept is null)",
    ),
    "decimals": ("select cost + 0.5 from log where cost > 1.5", "select 0.5 + cost from log where 3 < 2 * cost"),
    "the order of texts": ("select id from emp where name < 'b'", "select id from emp where not name >= 'b'"),
    "functions by name": ("select lower(name) from emp", "select lower(e.name) from emp e"),
    "a group without aggregates": ("select dept from emp group by dept", "select distinct dept from emp"),
    "equal aggregates of equal bags": (
        "select dept, sum(wage), max(id) from emp where dept > 3 group by dept",
        "select dept, sum(wage), max(id) from emp group by dept having dept > 3",
    ),
    "SUM": ("select sum(wage + wage) from emp", "select 2 * sum(wage) from emp"),
    "a product, multiplied out": (
        "select cost * (who + 1) * 2 from log",
        "select 2 * cost + 2 * who * cost from log",
    ),
    "EXISTS of the first rows": (
        "select id from emp where exists (select 1 from log where who = dept limit 2)",
        "select id from emp where exists (select 1 from log where who = dept)",
    ),
    "one row has no duplicates": (
        "select distinct what from (select what from log where who > 2 limit 1) t",
        "select what from (select what from log where who > 2 limit 1) t",
    ),
    "the only value of the first row": (
        "select id from emp where exists (select 1 from log where who > 2)",
        "select id from emp where (select 1 from log where who > 2 limit 1) is not null",
    ),
    "places are from 1 on": (
        "select what from log limit 0",
        "select what from (select what, row_number() over (order by who) as n from log) t where n < 1",
    ),
    "no rows of some columns": (
        "select who, what from log where false union all select who, what from log where who > 2",
        "select who, what from (select who, what from log limit 0) t union all select who, what from log where 2 < who",
    ),
    "a product with NULL": (
        "select id, case when who < 11 then -1 * who else who end from dept left join log on who = id",
        "select id, e from dept left join (select who, case when who < 11 then -1 * who else who end as e from log) t "
        "on who = id",
    ),
    "aggregates of groups, of one row each": (
        "select dept, sum(wage), min(id) from emp group by dept",
        "select dept, sum(s), min(m) from (select dept, sum(wage) as s, min(id) as m from emp group by dept) t "
        "group by dept",
    ),
    "COUNT as a sum": ("select count(dept) from emp", "select count(*) filter (where dept is not null) from emp"),
    "distinct rows": (
        "select count(distinct what) from log",
        "select count(what) from (select distinct what from log) t",
    ),
    "a rank": (
        "select id, rank() over (order by wage) from emp",
        "select id, 1 + (select count(*) from emp d where d.wage < emp.wage) from emp",
    ),
    "a total of a partition": (
        "select id, sum(wage) over (partition by dept) from emp",
        "select id, (select sum(f.wage) from emp f where f.dept is not distinct from e.dept) from emp e",
    ),
    "a scalar subquery": (
        "select id, (select max(who) from log where who < e.id) from emp e",
        "select id, (select max(l.who) from log l where e.id > l.who) from emp e",
    ),
    "filters and arithmetic": (
        "select id, wage + 1, 2 * dept from emp where wage > 3 and dept = 2",
        "select id, 1 + wage, 4 from (select * from emp where dept = 2) e where not (wage <= 3)",
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
    "FILTER": (
        "select dept, sum(wage) filter (where paid) from emp group by dept",
        "select dept, sum(case when paid then wage end) from emp group by dept",
    ),
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
    "sums of sums": (
        "select sum(wage) from emp",
        "select sum(s) from (select dept, sum(wage) as s from emp group by dept) t",
    ),
    "a sum of two columns": ("select sum(wage + id) from emp", "select sum(wage) + sum(id) from emp"),
    "a group of one row": ("select id, sum(dept) from emp group by id", "select id, dept from emp"),
    "quotients": ("select who / 2 + who / 2 from log where who > 0", "select who * 1.0 from log where who > 0"),
    "an average by its definition": (
        "select avg(who) from log",
        "select sum(who) / nullif(count(who), 0) from log",
    ),
    "IN as a distinct join": (
        "select id from emp where id in (select who from log)",
        "select distinct e.id from emp e join log l on l.who = e.id",
    ),
    "a scalar subquery by a left join": (
        "select e.id, (select d.name from dept d where d.id = e.dept) from emp e",
        "select e.id, d.name from emp e left join dept d on d.id = e.dept",
    ),
    "places of rows": (
        "select id, row_number() over (order by id) from emp where wage > 3",
        "select id, row_number() over (order by id) from emp where not wage <= 3",
    ),
    "nothing": ("select id from emp where paid and not paid", "select id from emp where id in (1) and id > 1"),
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
    "UNION and UNION ALL": ("select who from log union select who from log", "select who from log"),
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
        "select id from emp where dept not in (select who from log)",
        "select id from emp where not exists (select 1 from log where who = emp.dept)",
    ),
    "subqueries of subqueries": (
        "select id from emp where exists (select 1 from dept where exists (select 1 from log where who = emp.id))",
        "select id from emp where exists (select 1 from dept where exists (select 1 from log where who = dept.id))",
    ),
    "scalar subqueries": (
        "select id, (select count(*) from dept where dept.id = emp.dept) from emp",
        "select e.id, count(*) from emp e join dept d on d.id = e.dept group by e.id",
    ),
    "EXCEPT": ("select who from log except select id from emp", "select who from log except all select id from emp"),
    "INTERSECT": (
        "select who from log intersect select wage from emp",
        "select who from log intersect all select wage from emp",
    ),
    "VALUES": ("select * from (values (1), (2)) t(a)", "select * from (values (1), (1)) t(a)"),
    "a condition": ("select id from emp where wage > 3", "select id from emp where wage > 4"),
    "decimals": ("select cost from log where cost > 1.5", "select cost from log where cost > 1.25"),
    "an average": ("select avg(who) from log", "select sum(who) / count(*) from log"),
    "distinct rows": ("select count(distinct who) from log", "select count(who) from log"),
    "lists of other rows": ("select id from emp order by id", "select 1 from emp order by 1"),
    "dense ranks": (
        "select dense_rank() over (order by wage desc) from emp",
        "select rank() over (order by wage desc) from emp",
    ),
    "LAG and LEAD": (
        "select lag(wage, 2, 0) over (partition by dept order by id) from emp",
        "select lead(wage, 2, 0) over (partition by dept order by id) from emp",
    ),
    "frames of rows": (
        "select sum(wage) over (order by id rows between 1 preceding and 1 following) from emp",
        "select sum(wage) over (order by id rows between 1 preceding and current row) from emp",
    ),
    "places of rows in two orders": (
        "select row_number() over (order by id), row_number() over (order by id desc) from emp",
        "select row_number() over (order by id desc), row_number() over (order by id) from emp where wage > 1",
    ),
    "grouping sets": (
        "select who, what, count(*) from log group by rollup (who, what)",
        "select who, what, count(*) from log group by cube (who, what)",
    ),
}


PORTIONS = 4


def theorem(left: str, right: str, expected: str = "equivalent") -> str:
    verdict = check_sql(left, right, schema=SCHEMA)
    assert verdict.verdict == expected
    return theorem_of_core(decode_queries(verdict.certificate or b""), core_proof)


def accepted(text: str) -> bool:
    done = compiled(text)
    return (done.returncode, done.stdout.strip()) == (0, CLOSED)


@pytest.mark.parametrize("portion", sampled(range(PORTIONS), 2))
def test_equal_answers_are_closed_theorems(development, portion):
    """Half of the pairs, and all if slow; those of a portion in one run of Coq."""
    texts = [theorem(*pair) for pair in [*EQUIVALENT.values()][portion::PORTIONS]]
    assert all("Theorem claim : same_answers_under tables constraints before after." in text for text in texts)
    assert are_theorems(texts)


@pytest.mark.parametrize("portion", sampled(range(PORTIONS), 2))
def test_different_answers_are_closed_theorems(development, portion):
    """Half of the pairs, and all if slow; those of a portion in one run of Coq."""
    texts = [theorem(*pair, "inequivalent") for pair in [*DIFFERENT.values()][portion::PORTIONS]]
    assert all("Theorem claim : different_answers tables constraints before after." in text for text in texts)
    assert are_theorems(texts)


def test_no_query_differs_from_itself(development):
    text = theorem(*DIFFERENT["grouping sets"], "inequivalent")
    forged = text.replace(" before after", " before before")
    assert forged != text
    assert not accepted(forged)


@pytest.mark.parametrize(
    ("name", "constraint"),
    {"a key": "Key", "a foreign key": "ForeignKey", "a check": "Check", "decimals": ""}.items(),
)
def test_the_claim_has_the_constraints_that_the_proof_uses(development, name, constraint):
    text = theorem(*EQUIVALENT[name])
    stated = re.search(r"list constraint :=\n  \[(.*)\]\.", text)
    assert stated
    assert re.findall(r"\((Key|ForeignKey|Check) ", stated[1]) == ([constraint] if constraint else [])
    if constraint:
        assert not accepted(re.sub(r"(list constraint :=)\n.*", r"\1 [].", text))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a check", "(number (0)%Z)", "(number (1)%Z)"),
        ("BAG, slots in another order", "(Compare Equal ", "(Compare Same "),
        ("decimals", "(Q2Qc (Qmake (3)%Z 2%positive))", "(Q2Qc (Qmake (5)%Z 2%positive))"),
        ("a product, multiplied out", "(number (1)%Z)", "(number (2)%Z)"),
        ("one row has no duplicates", "(number (1)%Z)", "(number (2)%Z)"),
        ("places are from 1 on", "(number (1)%Z)", "(number (2)%Z)"),
        ("aggregates of groups, of one row each", "(Least, ", "(Greatest, "),
    ],
    ids=["a literal", "a comparison", "a decimal", "a factor", "two rows", "a place", "an extremum"],
)
def test_a_false_claim_is_no_theorem(development, name, before, after):
    text = theorem(*EQUIVALENT[name])
    start = text.index("Definition before")
    forged = text[:start] + text[start:].replace(before, after, 1)
    assert forged != text
    assert not accepted(forged)


def test_sums_and_products_agree_where_their_polynomials_and_atoms_do(development):
    """x * 0 is NULL where x is, and y * 0 is not."""
    text = """From Tallystick.core Require Import Polynomials.
Definition scalar_of o a b := Apply (Scalar o) (Tc a (Tc b Tn)).
Definition plus := scalar_of SPlus.
Definition times_ := scalar_of STimes.
Definition literal n := Apply (Lit (number n)) Tn.
Definition x := Cell 0 0.
Definition y := Cell 0 1.
"""
    same = [
        ("(times_ x y)", "(times_ y x)"),
        ("(times_ x (plus x (literal 1)))", "(plus (times_ x x) x)"),
        ("(times_ (plus x y) (plus x y))", "(plus (times_ x x) (plus (times_ y y) (times_ (literal 2) (times_ x y))))"),
        ("(plus x (times_ y (literal 0)))", "(plus (times_ (literal 0) y) x)"),
    ]
    others = [
        ("(times_ x (literal 0))", "(times_ y (literal 0))"),
        ("(times_ x (literal 0))", "(literal 0)"),
        ("(plus x (times_ y (literal 0)))", "(plus x (literal 0))"),
        ("(times_ x x)", "(plus x x)"),
        ("(times_ x y)", "(times_ x x)"),
        ("(plus x (literal 1))", "(plus x (literal 2))"),
        ("x", "(plus x (literal 0))"),
    ]
    for pairs, answer in ((same, "true"), (others, "false")):
        text += "".join(
            f"Goal same_polynomial {a} {b} = {answer}. Proof. vm_compute. reflexivity. Qed.\n" for a, b in pairs
        )
    done = compiled(text)
    assert done.returncode == 0, done.stderr


def test_a_key_says_nothing_of_null(development):
    text = theorem(*EQUIVALENT["a key"])
    forged = text.replace("Build_column Integers false", "Build_column Integers true", 1)
    assert forged != text
    assert not accepted(forged)


def test_a_wrong_order_of_slots_is_rejected(development):
    text = theorem("select a.who, b.what from log a, log b", "select b.who, a.what from log a, log b")
    assert accepted(text)
    assert "[(0, [0])]" in text
    for forged in ("[(0, [])]", "[(0, [1])]", "[(1, [0])]", "[]", "[(0, [0]); (0, [0])]"):
        assert not accepted(text.replace("[(0, [0])]", forged))


def test_a_monomial_left_out_or_taken_twice_is_rejected(development):
    text = theorem(
        "select who from log union all select id from emp", "select id from emp union all select who from log"
    )
    assert accepted(text)
    assert "[(0, []); (1, [])]" in text
    assert not accepted(text.replace("[(0, []); (1, [])]", "[(0, []); (0, [])]"))
    assert not accepted(text.replace("[(0, []); (1, [])]", "[(0, [])]"))


def test_lists_in_an_order_have_the_same_results(development):
    text = theorem("select id from emp order by wage, id desc", "select e.id from emp e order by e.wage, e.id desc")
    assert "Theorem claim : same_results_under tables constraints before after." in text
    assert accepted(text)
    assert not accepted(text.replace("(1, (false, ", "(1, (true, ", 1))


@pytest.mark.parametrize(
    "pair",
    [
        ("select id from emp order by id", "select id from emp order by id desc"),
        ("select who from log order by who nulls first, what", "select who from log order by who nulls last, what"),
    ],
    ids=["directions", "places of NULL"],
)
def test_lists_in_different_orders_have_different_results(development, pair):
    text = theorem(*pair, "inequivalent")
    assert "Theorem claim : different_results tables constraints before after." in text
    assert accepted(text)
    assert not accepted(text.replace(" before after", " before before"))


@pytest.mark.parametrize(
    ("construct", "pair", "expected"),
    [
        (
            "frame by differences, or of groups of peers",
            ("select sum(wage) over (order by id range between 1 preceding and current row) from emp",) * 2,
            "equivalent",
        ),
        ("window function ntile", ("select ntile(2) over (order by id) from emp",) * 2, "equivalent"),
        (
            "values of functions in a difference",
            ("select who from log where lower(what) = 'a'", "select who from log where lower(what) = 'b'"),
            "inequivalent",
        ),
    ],
)
def test_what_the_core_lacks_is_refused_by_name(construct, pair, expected):
    with pytest.raises(FragmentError, match=f"^the core language in Coq has no {construct}$"):
        theorem(*pair, expected)


def test_what_is_not_proved_is_refused_by_name():
    verdict = check_sql("select id from emp", "select id from emp", schema=SCHEMA)
    given = decode_queries(verdict.certificate or b"")
    with pytest.raises(FragmentError, match=r"^no proof is found for the normal forms of these queries$"):
        theorem_of_core(given, lambda *_: None)
