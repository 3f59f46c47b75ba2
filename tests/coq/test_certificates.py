"""Coq and the extracted auditor accept what the Python auditor accepts, and reject what it rejects."""

import json
import random
import re
from pathlib import Path

import pytest
from certificates.examples import ONE, X, mapped
from certificates.mutations import altered, at, places, replaced
from certificates.test_codec import laid_out
from certificates.test_hostile import CORPUS
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.exports.auditors import (
    CLOSED,
    ROOT,
    claim_of,
    compiled,
    extracted,
    opinions_of_coq,
    opinions_of_ocaml,
)
from tallystick.certificates.exports.coq import HEADER, batch, module_lines, theorem
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.rules.normal import Normal
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.errors import FragmentError, TallystickError
from tallystick.core.programs import Program
from tallystick.core.terms import add, variable
from tallystick.core.types import INT, BagType
from tallystick.theorems import for_ocaml, theorem_of

from coq import merged_programs, text_programs
from coq.together import are_theorems

pytestmark = pytest.mark.xdist_group("coq_certificates")  # those of programs and texts are made once

OF_QUERIES = [ROOT / "paper" / "certificates" / "veer-W4.json"]
SAMPLES = sorted({*(ROOT / "paper" / "certificates").glob("*.json")} - {*OF_QUERIES})


def certified(module: Path, pairs: tuple[tuple[str, str, str], ...], folder: Path) -> list[Path]:
    """Certificates of pairs of functions in a module, with the verdicts that are expected."""
    paths = []
    for left, right, expected in pairs:
        verdict = check(f"{module}:{left}", f"{module}:{right}")
        assert verdict.verdict == expected
        paths.append(folder / f"{left}-{right}.json")
        paths[-1].write_bytes(verdict.certificate or b"")
    return paths


@pytest.fixture(scope="module")
def merged(tmp_path_factory) -> list[Path]:
    """Certificates of programs under Spark's own meaning of folds."""
    return certified(Path(merged_programs.__file__), merged_programs.PAIRS, tmp_path_factory.mktemp("merged"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> list[Path]:
    """Certificates of programs over texts."""
    return certified(Path(text_programs.__file__), text_programs.PAIRS, tmp_path_factory.mktemp("texts"))


def mutated(text: str, generator: random.Random) -> str:
    """A certificate with one part changed: most often a number or a flag by a little, else anything."""
    document = json.loads(text)
    kept = [place for place in places(document) if place[:1] not in ((), ("sources",), ("producer",))]
    small = [place for place in kept if isinstance(at(document, place), bool | int)]
    if generator.random() < 0.7:
        place = generator.choice(small)
        old = at(document, place)
        other = not old if isinstance(old, bool) else old + generator.choice((-2, -1, 1, 2, 7))
        return laid_out(replaced(document, place, other)).decode()
    return laid_out(altered(document, generator.choice(kept), generator)).decode()


def disagreements(samples: list[Path], folder: Path, count: int, seed: int) -> list[str]:
    """The mutants, of `count`, on which the extracted auditor, if it covers them, and the Python one do not agree."""
    generator = random.Random(seed)
    texts = [path.read_text() for path in samples]
    paths = []
    for number in range(count):
        path = folder / f"{number}.json"
        path.write_text(mutated(generator.choice(texts), generator))
        paths.append(path)
    found = []
    for path, opinion in zip(paths, extracted(paths), strict=True):
        report = audit(path)
        if opinion.accepted is not None and report.accepted is not opinion.accepted:
            found.append(f"Python: {report.accepted}, {report.reason}; OCaml: {opinion.reason}; {path.read_text()}")
        elif opinion.accepted and opinion.claim != claim_of(path.read_bytes()):
            found.append(f"Python claims: {claim_of(path.read_bytes())}; OCaml: {opinion.claim}; {path.read_text()}")
    return found


def computed_by_coq(certificates: list[Certificate]) -> list[bool]:
    """What the checker says of each certificate, computed by Coq itself in one run."""
    lines = [*HEADER]
    for number, certificate in enumerate(certificates):
        data, _, rest = "\n".join(module_lines(certificate)).partition("Lemma checked : ")
        checked, equation, _ = rest.partition(" = true.")
        assert equation
        lines += [f"Module C{number}.", data, f"Eval vm_compute in {checked}.", f"End C{number}."]
    done = compiled("\n".join(lines), seconds=600)
    assert done.returncode == 0, done.stderr
    return [answer == "true" for answer in re.findall(r"= (true|false)\n *: bool", done.stdout)]


def read_or_none(text: str) -> Certificate | None:
    """The certificate that a text spells, where it is one that the export writes."""
    try:
        certificate = decode(text.encode())
        module_lines(certificate)
    except TallystickError:
        return None
    return certificate


def test_each_sample_certificate_is_a_theorem_without_axioms(development):
    done = compiled(batch([decode(path.read_bytes()) for path in SAMPLES]))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == CLOSED


def test_the_extracted_auditor_accepts_each_sample(development):
    assert [opinion for opinion in opinions_of_ocaml(SAMPLES) if not opinion.accepted] == []


def test_the_extracted_auditor_says_that_it_does_not_cover_queries(development):
    reason = "the Coq development has no certificates about queries in its extracted auditor"
    assert [(each.accepted, each.reason) for each in opinions_of_ocaml(OF_QUERIES)] == [(None, reason)]


def test_a_certificate_about_a_dataflow_is_refused_by_name():
    with pytest.raises(FragmentError, match=r"^the Coq development has no certificates about dataflows$"):
        theorem_of(OF_QUERIES[0].read_bytes())


def test_statements_in_plain_coq_survive_names_that_coq_uses(development):
    names = ("forall", "x", "Z", "a", "input1", "before", "Permutation", "r", "é")
    parameters = [variable(name, BagType(INT)) for name in names]
    programs = [Program("f", tuple(parameters), mapped(add(X, ONE), bag)) for bag in parameters]
    made = [Certificate(each, each, "sparklite", ("", ""), (), (), (), Step(Reflexive())) for each in programs]
    assert are_theorems([*map(theorem, made)])


def test_a_statement_in_plain_coq_is_about_the_programs(development):
    text = theorem(decode((ROOT / "paper/certificates/sparklite-cav-P1-P2.json").read_bytes()))
    before, statement = text.split("Theorem plain")
    forged = before + "Theorem plain" + statement.replace("<? 50", "<? 51")
    assert forged != text
    assert compiled(forged).returncode == 1


def test_claims_about_spark_s_own_folds_are_theorems(development, merged):
    done = compiled(batch([decode(path.read_bytes()) for path in merged]))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)
    assert [opinion for opinion in opinions_of_ocaml(merged) if not opinion.accepted] == []
    assert any('"Partition"' in path.read_text() for path in merged)


def test_a_claim_proved_by_normal_forms_is_a_theorem_by_another_proof(development):
    suite = ROOT / "experiments" / "suites" / "beyond_extrema.py"
    certificate = check(f"{suite}:any_above_10", f"{suite}:count_above_10", semantics="sparklite").certificate or b""
    assert isinstance(decode(certificate).result.rule, Normal)
    done = compiled(theorem_of(certificate))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)


def test_a_claim_that_only_normal_forms_prove_is_refused_by_name(monkeypatch):
    monkeypatch.setattr("tallystick.theorems.members_proof", lambda goal, rule: None)
    suite = ROOT / "experiments" / "suites" / "beyond_by_key_inside.py"
    certificate = check(f"{suite}:grand_total", f"{suite}:plain_total", semantics="sparklite").certificate or b""
    with pytest.raises(
        FragmentError, match=r"^the Coq development has no rule Normal, and no proof without it is found$"
    ):
        theorem_of(certificate)


def test_a_false_claim_is_no_theorem(development):
    text = batch([decode((ROOT / "paper/certificates/sparklite-cav-P1-P2.json").read_bytes())])
    forged = text.replace("(Int 50)", "(Int 51)")
    assert forged != text
    done = compiled(forged)
    assert done.returncode == 1
    assert "while it is expected to have type" in done.stderr


@pytest.fixture
def hostile(tmp_path) -> dict[Path, str]:
    """The hostile corpus as files, with their names."""
    paths = {tmp_path / f"{number}.json": name for number, name in enumerate(CORPUS)}
    for path, name in paths.items():
        path.write_bytes(CORPUS[name])
    return paths


def test_the_extracted_auditor_accepts_no_file_of_the_hostile_corpus(development, hostile):
    given = zip(hostile.values(), opinions_of_ocaml([*hostile], for_ocaml), strict=True)
    assert [name for name, opinion in given if opinion.accepted] == []


@pytest.mark.slow
def test_coq_accepts_no_file_of_the_hostile_corpus(development, hostile):
    given = zip(hostile.values(), opinions_of_coq([*hostile], theorem_of), strict=True)
    assert [name for name, opinion in given if opinion.accepted] == []


def test_both_auditors_agree_on_mutated_certificates(development, merged, texts, tmp_path):
    assert disagreements(SAMPLES + merged + texts, tmp_path, 250, seed=1) == []


@pytest.mark.slow
def test_coq_itself_agrees_on_mutated_certificates_that_can_be_read(development, merged):
    generator = random.Random(3)
    texts = [path.read_text() for path in SAMPLES + merged]
    mutants = (read_or_none(mutated(generator.choice(texts), generator)) for _ in range(400))
    certificates = [each for each in mutants if each is not None]
    expected = [audit(encode(each)).accepted for each in certificates]
    assert computed_by_coq(certificates) == expected
    assert expected.count(True) > 10
    assert expected.count(False) > 100


@pytest.mark.slow
def test_both_auditors_agree_on_five_thousand_mutated_certificates(development, merged, texts, tmp_path):
    assert disagreements(SAMPLES + merged + texts, tmp_path, 5000, seed=2) == []
