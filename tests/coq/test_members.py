"""MEMBERS of Coq: claims that the kernel proves by normal forms, as theorems about elements, folds and sums."""

import pytest
from tallystick import check
from tallystick.certificates.codec import decode
from tallystick.certificates.exports.auditors import CLOSED, ROOT, compiled, opinions
from tallystick.certificates.rules.normal import Normal
from tallystick.theorems import theorem_of

PAIRS = (
    ("beyond_nested", "at_most_largest", "everything"),
    ("beyond_extrema", "count_of_pairs", "both_not_empty"),
    ("beyond_extrema", "largest_sum_of_pair", "twice_the_largest"),
    ("beyond_by_key_inside", "grand_total", "plain_total"),
    ("beyond_by_key_inside", "grouped_once", "regrouped"),
)


@pytest.fixture(scope="module")
def certificates() -> list[bytes]:
    """Certificates of claims that only normal forms prove in the kernel."""
    found = []
    for suite, left, right in PAIRS:
        path = ROOT / "experiments" / "suites" / f"{suite}.py"
        certificate = check(f"{path}:{left}", f"{path}:{right}", semantics="sparklite").certificate or b""
        assert isinstance(decode(certificate).result.rule, Normal)
        found.append(certificate)
    return found


@pytest.fixture(scope="module")
def theorems(certificates) -> list[str]:
    """Their files for Coq."""
    return [*map(theorem_of, certificates)]


def test_the_extracted_auditor_says_that_it_does_not_cover_normal_forms(development, certificates, tmp_path):
    paths = [tmp_path / f"{number}.json" for number in range(len(certificates))]
    for path, certificate in zip(paths, certificates, strict=True):
        path.write_bytes(certificate)
    reasons = {
        "the Coq development has no rule Normal in its extracted auditor",
        "the Coq development has no normal forms in its extracted auditor",
    }
    found = opinions("ocaml", paths)
    assert [opinion.accepted for opinion in found] == [None] * len(paths)
    assert {opinion.reason for opinion in found} <= reasons


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
