"""Certificates by NORMAL for the extracted auditor: a translation is believed about nothing, least of all its claim."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from certificates.test_codec import laid_out
from click.testing import CliRunner
from tallystick.certificates.annotations import Annotations
from tallystick.certificates.audit import audit
from tallystick.certificates.budget import LIMITS
from tallystick.certificates.codec import decode, encode, require_canonical
from tallystick.certificates.exports.auditors import TRANSLATED, claim_of, extracted, opinions_of_ocaml
from tallystick.certificates.exports.coq import module_lines
from tallystick.certificates.exports.coq_members import Members, WithMembers
from tallystick.certificates.program_reader import ProgramReader
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.rules import Rule
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.term_reader import with_terms
from tallystick.cli import main
from tallystick.core.errors import TallystickError
from tallystick.core.interpreter import Bag, Environment, bag_of, evaluate
from tallystick.core.types import BagType, TupleType, Type, Value
from tallystick.theorems import for_ocaml

from coq.normal_pairs import proved_by_normal_forms
from coq.test_certificates import SAMPLES, computed_by_coq, mutated

pytestmark = pytest.mark.xdist_group("normal_pairs")  # the certificates are made once

OTHER_CLAIM = "what it accepts is another claim: "


class MembersReader(ProgramReader):
    """Reads certificates with MEMBERS, as the extracted auditor does."""

    kind: ClassVar[type] = WithMembers
    annotations: ClassVar[Annotations] = with_terms(names={"Rule": Rule | Members})

    def is_name(self, parameter) -> bool:
        """Parameters of what MEMBERS defines are variables, too."""
        word, _, digits = str(parameter[0]).partition(" ")
        return (word == "any" and digits.isdecimal() and str(int(digits)) == digits) or super().is_name(parameter)


@pytest.fixture(scope="module")
def certificates() -> list[bytes]:
    """Certificates of claims that only normal forms prove in the kernel."""
    return proved_by_normal_forms()


@pytest.fixture(scope="module")
def translations(certificates) -> list[bytes]:
    """What the extracted auditor reads in their place."""
    return [*map(for_ocaml, certificates)]


@pytest.fixture
def one(certificates, tmp_path) -> Path:
    """One of the certificates, as a file."""
    path = tmp_path / "one.json"
    path.write_bytes(certificates[0])
    return path


def written(contents: list[bytes], folder: Path) -> list[Path]:
    paths = [folder / f"{number}.json" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return paths


def refused(path: Path, translated: Callable[[bytes], bytes]) -> str:
    """Why the extracted auditor does not accept a certificate that is translated so."""
    [opinion] = opinions_of_ocaml([path], translated)
    assert opinion.accepted is False
    return opinion.reason


def test_the_extracted_auditor_has_no_rule_normal(development, certificates, tmp_path):
    reasons = {
        "the Coq development has no rule Normal in its extracted auditor",
        "the Coq development has no normal forms in its extracted auditor",
    }
    found = opinions_of_ocaml(written(certificates, tmp_path))
    assert [opinion.accepted for opinion in found] == [None] * len(certificates)
    assert {opinion.reason for opinion in found} <= reasons


def test_it_accepts_translations_and_says_the_same_claim(development, certificates, translations, tmp_path):
    found = opinions_of_ocaml(written(certificates, tmp_path), for_ocaml)
    assert [opinion.accepted for opinion in found] == [True] * len(certificates)
    assert [opinion.claim for opinion in found] == [*map(claim_of, certificates)]
    assert all(b'["Members",' in each for each in translations)


def test_both_auditors_say_the_same_claim_of_each_sample(development):
    assert [each.claim for each in opinions_of_ocaml(SAMPLES)] == [claim_of(path.read_bytes()) for path in SAMPLES]


def test_the_commands_translate(development, one):
    run = CliRunner().invoke(main, ["audit", "--with", "ocaml", str(one)])
    assert (run.exit_code, run.output.splitlines()[-1]) == (0, f"ocaml     accepted, {TRANSLATED}")
    run = CliRunner().invoke(main, ["export", "--to", "ocaml", str(one), str(one.parent / "folder")])
    assert (run.exit_code, run.output) == (0, f"{one.parent / 'folder' / 'one.json'}\n")
    assert (one.parent / "folder" / "one.json").read_bytes() == for_ocaml(one.read_bytes())


def test_a_certificate_without_normal_is_its_own_translation():
    data = (SAMPLES[0]).read_bytes()
    assert for_ocaml(data) == data


def test_a_translation_into_another_true_claim_is_refused(development, one, translations):
    for other in translations[1:]:
        assert refused(one, lambda _, other=other: other).startswith(OTHER_CLAIM)


def reflexive(data: bytes, change: Callable[[Certificate], Certificate]) -> Callable[[bytes], bytes]:
    """A translator whose certificate proves that a program without folds is itself, after a change."""
    certificate = decode(data)
    made = replace(certificate, left=certificate.right, one_values=(), result=Step(Reflexive()))
    return lambda _: encode(change(made))


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made,
        lambda made: replace(made, right=replace(made.right, name="other")),
        lambda made: replace(made, assumptions=("integers do not overflow",)),
        lambda made: replace(made, semantics="spark"),
    ],
)
def test_a_translation_that_changes_the_claim_is_refused(development, certificates, one, change):
    assert refused(one, reflexive(certificates[0], change)).startswith(OTHER_CLAIM)


def test_a_translation_about_inputs_of_another_name_or_type_is_refused(development, one, translations, tmp_path):
    renamed = translations[0].replace(b'["variable",["r",', b'["variable",["q",')
    assert [opinion.accepted for opinion in extracted(written([renamed], tmp_path))] == [True]
    assert refused(one, lambda _: renamed).startswith(OTHER_CLAIM)


def test_only_a_proof_is_translated(development, certificates, tmp_path):
    """A claim may be true: what is translated is the certificate's proof of it, which has to be one."""
    document = json.loads(certificates[0])
    document["result"][2] = document["result"][2][::-1]
    forged = laid_out(document)
    assert not audit(forged)
    [opinion] = opinions_of_ocaml(written([forged], tmp_path), for_ocaml)
    assert opinion.accepted is None


def test_a_translation_of_nothing_is_refused(development, one):
    assert refused(one, lambda _: b"").startswith("not JSON")


def test_the_kernel_reads_no_members(development, translations, tmp_path):
    for translation, path in zip(translations, written(translations, tmp_path), strict=True):
        assert audit(path).reason == "certificate: its version is not 2"
        old = translation.replace(b'"version":4', b'"version":2')
        assert not audit(old)
        path.write_bytes(old)
    found = extracted(written([each.replace(b'"version":4', b'"version":2') for each in translations], tmp_path))
    assert {(each.accepted, each.reason) for each in found} == {(False, "no rule is called Members")}


def nested(levels: int) -> bytes:
    """A refutation tree that is nested so deeply."""
    return b'["Case",0,[' * levels + b'["Farkas",[]]' + b"]]" * levels


def test_what_has_no_members_is_of_the_kernel_s_version(development, tmp_path):
    data = SAMPLES[0].read_bytes().replace(b'"version":2', b'"version":4')
    [opinion] = extracted(written([data], tmp_path))
    assert (opinion.accepted, opinion.reason) == (False, "only what has MEMBERS is of this version")


def test_hostile_evidence_is_refused(development, one, translations):
    good = translations[0]
    deep = good.replace(b'["Farkas",[', nested(700) + b',["Farkas",[', 1)
    assert refused(one, lambda _: deep) == "nested too deeply"
    for old, new, reason in (
        (b'"Elements",[', b'"Elements",[7', "expected a type"),
        (b'["any 0",', b'["any 00",', "a number names nothing"),
        (b'["any 0",', b'["any 999999999",', "a number names nothing"),
        (b'["Conclusion","Elementwise"', b'["Conclusion","Everything"', "expected what follows from the laws"),
        (b'["Because",[],', b'["Because",[[-1,[]]],', "a number names nothing"),
        (b'["Because",[],', b'["Because",[[999999,[]]],', "the proof is none of this claim"),
    ):
        assert old in good
        assert refused(one, lambda _, old=old, new=new: good.replace(old, new, 1)) == reason


def test_terms_that_are_too_large_written_out_are_refused(development, tmp_path):
    document = json.loads(SAMPLES[0].read_bytes())
    first = len(document["terms"])
    document["terms"].append(["constant", 123456])
    document["terms"] += [["add", None, first + each, first + each] for each in range(60)]
    [opinion] = extracted(written([laid_out(document)], tmp_path))
    assert (opinion.accepted, opinion.reason) == (False, "a term is too large")


def read_with_members(data: bytes) -> Certificate | None:
    """The certificate with MEMBERS that these bytes encode, where it is one that the export writes."""
    try:
        reader = MembersReader(LIMITS)
        certificate = reader.certificate(reader.document(data))
        require_canonical(certificate, data)
        module_lines(certificate)
    except TallystickError:
        return None
    return certificate


def on_some_input(certificate: Certificate, generator: random.Random) -> Environment:
    """A few integers, or tuples of them, in each bag."""

    def item(of: Type) -> Value:
        return tuple(map(item, of.components)) if isinstance(of, TupleType) else generator.randint(-15, 25)

    def bag(of: BagType) -> Bag:
        return bag_of(item(of.element) for _ in range(generator.choice((0, 1, 2, 3, 5))))

    return {parameter: bag(parameter.type) for parameter in certificate.left.parameters}


def judged(translations: list[bytes], folder: Path, count: int, seed: int) -> list[tuple[bool, Certificate | None]]:
    """What the extracted auditor says of so many mutants of translations, and what they are where they can be read."""
    generator = random.Random(seed)
    texts = [each.decode() for each in translations]
    mutants = [mutated(generator.choice(texts), generator).encode() for _ in range(count)]
    found = extracted(written(mutants, folder))
    return [(bool(each.accepted), read_with_members(data)) for each, data in zip(found, mutants, strict=True)]


def require_true(accepted: list[Certificate | None]) -> None:
    """Fails where a claim is refuted by one of many inputs, or is of something that Python cannot read."""
    generator = random.Random(5)
    for certificate in accepted:
        assert certificate is not None
        for _ in range(60):
            environment = on_some_input(certificate, generator)
            left, right = (evaluate(each.expression, environment) for each in (certificate.left, certificate.right))
            assert left == right, encode(certificate)


def test_the_claims_of_mutants_that_are_accepted_are_true(development, translations, tmp_path):
    """One mutant in a hundred is accepted: a law or an element that nothing needs is another."""
    found = judged(translations, tmp_path, 200, seed=4)
    accepted = [certificate for well, certificate in found if well]
    require_true(accepted)
    assert 0 < len(accepted) < 100


@pytest.mark.slow
def test_coq_agrees_on_mutated_translations(development, translations, tmp_path):
    found = judged(translations, tmp_path, 150, seed=6)
    require_true([certificate for well, certificate in found if well])
    found += [(True, read_with_members(each)) for each in translations]
    legible = [(well, certificate) for well, certificate in found if certificate is not None]
    assert [well for well, _ in legible] == computed_by_coq([certificate for _, certificate in legible])
    assert sum(well for well, _ in legible) >= len(translations)
    assert sum(not well for well, _ in legible) > 30
