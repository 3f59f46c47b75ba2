"""MEMBERS of Coq: claims that the kernel proves by normal forms, as theorems about elements, folds and sums."""

import pytest
from tallystick import check
from tallystick.certificates.exports.auditors import CLOSED, ROOT, TRANSLATED, compiled, opinions_of_ocaml
from tallystick.theorems import for_ocaml, theorem_of

from coq.normal_pairs import proved_by_normal_forms


@pytest.fixture(scope="module")
def theorems() -> list[str]:
    """Files for Coq about claims that only normal forms prove in the kernel."""
    return [*map(theorem_of, proved_by_normal_forms())]


def test_they_are_theorems_without_axioms(development, theorems):
    for text in theorems:
        assert "(Members " in text
        done = compiled(text)
        assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)


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
