"""MEMBERS of Coq: claims that the kernel proves by normal forms, as theorems about elements, folds and sums."""

import pytest
from tallystick import check
from tallystick.certificates.codec import decode
from tallystick.certificates.exports.auditors import CLOSED, ROOT, TRANSLATED, compiled, extracted, opinions_of_ocaml
from tallystick.certificates.rules.normal import Normal
from tallystick.members.rule import members_proof
from tallystick.theorems import for_ocaml, goal_of, theorem_of

from coq.normal_pairs import proved_by_normal_forms
from coq.together import are_theorems

pytestmark = pytest.mark.xdist_group("normal_pairs")  # the certificates are made once


@pytest.fixture(scope="module")
def theorems() -> list[str]:
    """Files for Coq about claims that only normal forms prove in the kernel."""
    return [*map(theorem_of, proved_by_normal_forms())]


def test_they_are_theorems_without_axioms(development, theorems):
    assert all("(Members " in text for text in theorems)
    assert are_theorems(theorems)


def test_sums_over_buckets_and_bags_without_repetitions_are_among_them(theorems):
    assert "OverKeys" in theorems[3]
    assert "(SameElements (Injective " in theorems[4]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(Op LessEq [(Elem TInt)", "(Op Less [(Elem TInt)"),  # another program: the largest element is filtered out
        ("steps := [Induct [] [(1%nat, []); (0%nat, [])]", "steps := [Induct [] [(0%nat, []); (0%nat, [])]"),
        ('Build_defined "defined 2"', 'Build_defined "defined 1"'),  # two functions of one name
        ("Elementwise ([(", "Elementwise ([(1%nat, []); ("),  # one more law, at no argument
    ],
)
def test_what_is_not_so_is_no_theorem(development, theorems, old, new):
    forged = theorems[0].replace(old, new, 1)
    assert forged != theorems[0]
    assert compiled(forged).returncode == 1


@pytest.mark.parametrize(
    ("which", "old", "new"),
    [
        (3, "(OverKeys ", "(OverMap "),
        (4, "(SameElements (Injective ", "(SameElements (Selected "),
        (4, "(Op (Div 10) ", "(Op (Div 11) "),  # the first program groups by something else
    ],
)
def test_forged_sums_and_forged_reasons_prove_nothing(development, theorems, which, old, new):
    forged = theorems[which].replace(old, new, 1)
    assert forged != theorems[which]
    assert compiled(forged).returncode == 1


def test_sums_over_unions_are_sums_of_two(development, tmp_path):
    """Both programs count each node of an edge: one over a union of pairs, one over a union of nodes."""
    corpus = ROOT / "tests" / "corpus" / "graphs_text.py"
    certificate = check(f"{corpus}:degrees", f"{corpus}:degrees_right").certificate or b""
    text = theorem_of(certificate)
    assert "(OverUnion " in text
    done = compiled(text)
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)
    assert compiled(text.replace("(OverUnion ", "(OverMap ", 1)).returncode == 1
    path = tmp_path / "degrees.json"
    path.write_bytes(certificate)
    assert [each.reason for each in opinions_of_ocaml([path], for_ocaml)] == [TRANSLATED]


@pytest.fixture(scope="module")
def joined() -> bytes:
    """A certificate that a full outer join of two sums by key is a sum by key of a union, where one side is negated."""
    suite = ROOT / "experiments" / "suites" / "beyond_missing.py"
    found = check(f"{suite}:balances", f"{suite}:balances_of_union", semantics="sparklite").certificate or b""
    assert isinstance(decode(found).result.rule, Normal)
    return found


@pytest.mark.slow
def test_a_full_outer_join_is_a_union(development, joined):
    """A key's sums over each input are related by linear equations; one side filters buckets by who has the key."""
    text = theorem_of(joined)
    done = compiled(text)
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)
    for old, new in (
        ("(Op (Scale (-1)) [", "(Op (Scale (-2)) ["),  # another program: of one side, the double is taken away
        ("Any 2) TInt)]); (Int 0)])", "Any 2) TInt)]); (Int 1)])"),  # two opposite sums make one
    ):
        forged = text.replace(old, new, 1)
        assert forged != text
        assert compiled(forged).returncode == 1


def test_the_extracted_auditor_accepts_a_full_outer_join_and_no_forged_one(development, joined, tmp_path):
    path = tmp_path / "joined.json"
    path.write_bytes(joined)
    assert [each.reason for each in opinions_of_ocaml([path], for_ocaml)] == [TRANSLATED]
    good = for_ocaml(joined)
    for old, new in (
        (b'["scale",-1,', b'["scale",-2,'),
        (b'"OverUnion"', b'"OverMap"'),
        (b'["Once","Selected"', b'["Once","Keyed"'),
    ):
        forged = good.replace(old, new, 1)
        assert forged != good
        path.write_bytes(forged)
        assert [each.accepted for each in extracted([path])] == [False]


def test_programs_that_apply_functions_are_not_translated():
    """Functions in laws are those that a proof defines, so Coq would accept no such proof."""
    corpus = ROOT / "tests" / "corpus" / "shop.py"
    certificate = decode(check(f"{corpus}:cleaned_names", f"{corpus}:cleaned_names_right").certificate or b"")
    assert isinstance(certificate.result.rule, Normal)
    assert members_proof(goal_of(certificate), certificate.result.rule) is None
