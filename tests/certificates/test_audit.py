"""The audit: what it reports, and that it needs nothing but the trusted modules."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import Counterexample
from tallystick.certificates.reader import Limits
from tallystick.certificates.trusted import trusted_modules
from tallystick.core.programs import Program
from tallystick.core.terms import add, constant, element, variable
from tallystick.core.types import INT, BagType

from certificates.examples import CERTIFICATES, R, certificate, different_bags, mapped, programs, sum_of_doubles
from certificates.test_codec import ENCODED
from certificates.test_forgeries import FORGERIES

ALONE = """
import sys

BLOCKED = {"z3", "cvc5", "pysmt", "sympy", "numpy", "pyspark", "click", "rich", "hypothesis", "matplotlib"}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocker())
from tallystick.certificates.audit import audit
from tallystick.certificates.trusted import trusted_modules

for path in sys.argv[1:]:
    report = audit(path)
    print(report.accepted, report.reason)
loaded = {name for name in sys.modules if name.startswith("tallystick.")}
words = {"tallystick.core", *(f"tallystick.certificates.{name}" for name in ("audit", "codec", "trusted"))}
print(sorted(loaded - set(trusted_modules()) - words))
outside = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(name for name in outside if not name.startswith(("__", "_distutils_hack", "tallystick"))))
"""


@pytest.mark.parametrize("options", [(), ("-O",), ("-OO",)], ids=["plain", "-O", "-OO"])
def test_audits_need_the_trusted_modules_their_words_and_the_standard_library_alone(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    expected = []
    for name, data in ENCODED.items():
        (tmp_path / name).write_bytes(data)
        expected.append("True every step holds")
    for forge in FORGERIES[:-1]:
        forged, message = forge()
        (tmp_path / forge.__name__).write_bytes(encode(forged))
        expected.append(f"False {message}")
    paths = [str(tmp_path / name) for name in [*ENCODED, *(forge.__name__ for forge in FORGERIES[:-1])]]
    command = [sys.executable, *options, "-c", ALONE, *paths]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.splitlines()
    assert len(lines) == len(expected) + 2
    for line, start in zip(lines, expected, strict=False):
        assert line.startswith(start)
    assert lines[-2:] == ["[]", "[]"]


@pytest.mark.parametrize("name", CERTIFICATES)
def test_good_certificates_are_accepted_for_their_programs(name: str) -> None:
    made = CERTIFICATES[name]()
    report = audit(encode(made), against=(made.left, made.right))
    assert (report.accepted, report.reason, report.verdict) == (True, "every step holds", made.verdict)
    assert report.oracles == (("z3",) if name == "with_an_oracle" else ())


def test_names_and_sources_are_no_part_of_the_claim() -> None:
    made = sum_of_doubles()
    renamed = replace(made.left, name="f"), replace(made.right, name="g")
    other = replace(made, sources=("", "anything"), producer=())
    assert audit(encode(other), against=renamed).accepted


def test_a_certificate_is_against_programs_in_order_with_their_parameters() -> None:
    made = sum_of_doubles()
    more = Program("after", (R, variable("k", INT)), made.right.expression)
    for against in ((made.right, made.left), (made.left, made.left), (made.left, more)):
        report = audit(encode(made), against=against)
        assert (report.accepted, report.reason) == (False, "the certificate is about other programs")


def _lines() -> str:
    modules = trusted_modules()
    return f"trusted   {sum(modules.values())} lines in {len(modules)} modules"


def test_the_report_of_a_proof() -> None:
    assert str(audit(encode(sum_of_doubles()))).splitlines() == [
        "accepted  every step holds",
        "claim     for every input (R: Bag[Int]), 'before' and 'after' return the same",
        "          Int",
        "assuming  integers do not overflow",
        "rules     Fold 1, Case 5, Farkas 10, NoAgg 1",
        "oracles   none",
        _lines(),
    ]


def test_the_report_of_a_counterexample() -> None:
    assert str(audit(encode(different_bags()))).splitlines() == [
        "accepted  every step holds",
        "claim     on the input R = {{1 (×2), 5}}, k = 4, 'before' and 'after' return {{5",
        "          (×2), 9}} and {{1 (×2), 5}}",
        "assuming  integers do not overflow",
        "rules     Counterexample 1",
        "oracles   none",
        _lines(),
    ]


def test_the_report_names_oracles() -> None:
    report = audit(ENCODED["with_an_oracle"])
    assert report.rules == (("NoAgg", 1), ("Oracle", 2))
    assert report.steps == 3
    assert "oracles   z3" in str(report).splitlines()


def test_the_report_of_a_rejection_says_where_and_why() -> None:
    made = sum_of_doubles()
    wrong = replace(made, result=replace(made.result, evidence=()))  # type: ignore[type-var]
    report = audit(encode(wrong))
    assert report == AuditReport(
        False,
        "proof: 4 premises need as many pieces of evidence, not 0",
        "equivalent",
        "for every input (R: Bag[Int]), 'before' and 'after' return the same Int",
        ("integers do not overflow",),
        (("Fold", 1), ("NoAgg", 1), ("Case", 1), ("Farkas", 2)),
    )
    assert str(report).startswith("rejected  proof: 4 premises need as many pieces of evidence, not 0\nclaim     ")


def test_what_cannot_be_read_claims_nothing() -> None:
    report = audit(b"\x00")
    assert (report.accepted, report.verdict, report.claim, report.steps) == (False, "", "", 0)


def test_reports_hold_nothing_that_a_terminal_would_obey() -> None:
    name, escape = variable("R", BagType(INT)), "\x1b[2J\u202e\n"
    left, right = programs(name, mapped(add(element(INT), constant(1)), name), name)
    made = certificate((replace(left, name=escape), right), Counterexample(({1: 1},), ({1: 1}, {2: 1})))
    report = audit(encode(replace(made, assumptions=(escape,))))
    assert report.accepted
    assert all(line.isprintable() for line in str(report).splitlines())


def test_files_are_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    path.write_bytes(ENCODED["halves"])
    assert audit(path).accepted
    assert audit(str(path)).accepted
    report = audit(path, limits=Limits(bytes=100))
    assert report.reason == "certificate: more bytes than the limit of 100"
    with pytest.raises(FileNotFoundError):
        audit(tmp_path / "none.json")


def test_evaluations_are_limited() -> None:
    report = audit(encode(different_bags()), limits=Limits(evaluation=3))
    assert report.reason == "the evaluation takes more steps than its limit allows"


def test_terms_that_are_too_deep_are_rejected_without_a_crash() -> None:
    term = name = variable("R", BagType(INT))
    for _ in range(500):
        term = mapped(add(element(INT), constant(1)), term)
    made = certificate(programs(term, name, name), Counterexample(({1: 1},), ({501: 1}, {1: 1})))
    report = audit(encode(made))
    assert report.accepted or "recursion" in report.reason
