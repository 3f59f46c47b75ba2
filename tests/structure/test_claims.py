"""The claims of the paper: each is cited, and its function, test and sample certificate exist and say what it says."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import pytest
from tallystick.certificates.audit import audit
from tallystick.decision.service.portfolio import METHODS

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "paper"
CLAIMS = runpy.run_path(str(PAPER / "claims.py"))["claims"]()
BY_ID = {claim.id: claim for claim in CLAIMS}
TEXT = "".join(path.read_text(encoding="utf-8") for path in [PAPER / "main.typ", *sorted(PAPER.glob("sections/*.typ"))])

each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


def functions(path: Path) -> set[str]:
    """The names of the functions and classes at the top of a file."""
    return {
        node.name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def test_claims_have_ids_and_statements_of_their_own():
    assert len(BY_ID) == len({claim.statement for claim in CLAIMS}) == len(CLAIMS)


def test_the_text_cites_every_claim_and_no_other():
    assert set(re.findall(r'#claim\("([^"]*)"\)', TEXT)) == set(BY_ID)


def test_every_theorem_and_lemma_is_a_claim_and_has_a_proof():
    statements = re.split(r"#(?=theorem\(|lemma\()", TEXT)[1:]
    assert len(statements) >= 9
    for statement in statements:
        stated, _, proved = statement.partition("#proof[")
        assert '#claim("' in stated, stated[:80]
        assert proved, stated[:80]


@each_claim
def test_the_function_of_a_claim_exists(claim):
    path, name = claim.module.split(":")
    assert name in functions(ROOT / path)


@each_claim
def test_the_test_of_a_claim_exists(claim):
    path, name = claim.test.split("::")
    assert path.startswith("tests/")
    assert name in functions(ROOT / path)


@each_claim
def test_the_sample_certificate_of_a_claim_is_accepted_for_its_pair_without_oracles(claim):
    report = audit(claim.certificate, against=claim.programs)
    assert (report.accepted, report.verdict, report.oracles) == (True, claim.verdict, ())
    assert claim.rule in dict(report.rules)


def test_every_stored_certificate_belongs_to_a_claim():
    assert set((PAPER / "certificates").iterdir()) == {claim.certificate for claim in CLAIMS}


def test_claims_about_methods_are_about_methods_that_are_tried():
    for claim in CLAIMS:
        assert claim.method in ("", *METHODS)
        if claim.module.startswith("decision/"):
            assert Path(claim.module.split(":")[0]).stem in METHODS


def test_the_text_cites_every_reference_and_no_other():
    keys = set(re.findall(r"^@\w+\{(\w+),", (PAPER / "references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    labels = set(re.findall(r"<([\w-]+)>", TEXT))
    assert set(re.findall(r"@([a-z][\w-]*)", TEXT)) - labels == keys
