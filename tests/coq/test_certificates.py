"""Coq and the extracted auditor accept what the Python auditor accepts, and reject what it rejects."""

import json
import random
from pathlib import Path

import pytest
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode
from tallystick.certificates.exports.auditors import CLOSED, ROOT, compiled, opinions
from tallystick.certificates.exports.coq import batch

from certificates.test_hostile import CORPUS

SAMPLES = sorted((ROOT / "paper" / "certificates").glob("*.json"))


def mutated(text: str, random_: random.Random) -> str:
    """A certificate with one number, operator or flag changed, written canonically."""
    document = json.loads(text)
    places: list[tuple[list[object], int]] = []

    def visit(node: object) -> None:
        if isinstance(node, dict):
            for key in ("terms", "result", "left", "right"):
                visit(node[key])
        elif isinstance(node, list):
            for index, part in enumerate(node):
                if isinstance(part, bool | int):
                    places.append((node, index))
                visit(part)

    visit(document)
    where, index = random_.choice(places)
    old = where[index]
    where[index] = not old if isinstance(old, bool) else old + random_.choice((-2, -1, 1, 2, 7))  # type: ignore[operator]
    lines = [f'"{key}":{json.dumps(document[key], separators=(",", ":"))}' for key in sorted(document)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def disagreements(folder: Path, count: int, seed: int) -> list[str]:
    """The mutants, of `count`, on which the extracted auditor and the Python one do not agree."""
    random_ = random.Random(seed)
    texts = [path.read_text() for path in SAMPLES]
    paths = []
    for number in range(count):
        path = folder / f"{number}.json"
        path.write_text(mutated(random_.choice(texts), random_))
        paths.append(path)
    found = []
    for path, opinion in zip(paths, opinions("ocaml", paths), strict=True):
        report = audit(path)
        if report.accepted is not opinion.accepted:
            found.append(f"Python: {report.accepted}, {report.reason}; OCaml: {opinion.reason}; {path.read_text()}")
    return found


def test_each_sample_certificate_is_a_theorem_without_axioms(development):
    done = compiled(batch([decode(path.read_bytes()) for path in SAMPLES]))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == CLOSED


def test_the_extracted_auditor_accepts_each_sample(development):
    assert [opinion for opinion in opinions("ocaml", SAMPLES) if not opinion.accepted] == []


def test_a_false_claim_is_no_theorem(development):
    text = batch([decode((ROOT / "paper/certificates/sparklite-cav-P1-P2.json").read_bytes())])
    forged = text.replace("(Int 50)", "(Int 51)")
    assert forged != text
    done = compiled(forged)
    assert done.returncode == 1
    assert "Unable to unify" in done.stderr


def test_no_auditor_accepts_a_file_of_the_hostile_corpus(development, tmp_path):
    paths = [tmp_path / f"{number}.json" for number in range(len(CORPUS))]
    for path, data in zip(paths, CORPUS.values(), strict=True):
        path.write_bytes(data)
    for auditor in ("ocaml", "coq"):
        accepted = [name for name, each in zip(CORPUS, opinions(auditor, paths), strict=True) if each.accepted]
        assert accepted == [], auditor


def test_both_auditors_agree_on_mutated_certificates(development, tmp_path):
    assert disagreements(tmp_path, 250, seed=1) == []


@pytest.mark.slow
def test_both_auditors_agree_on_five_thousand_mutated_certificates(development, tmp_path):
    assert disagreements(tmp_path, 5000, seed=2) == []
