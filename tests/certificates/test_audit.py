"""The audit: what it reports, and that it needs nothing but the trusted modules."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.budget import AuditLimits
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import ASSUMPTIONS, Counterexample, Step
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.programs import MergedFold, Program
from tallystick.core.terms import add, constant, element, tuple_of, variable
from tallystick.core.types import INT, BagType

from certificates.examples import (
    CERTIFICATES,
    R,
    certificate,
    different_bags,
    filter_and_map,
    mapped,
    programs,
    sum_of_doubles,
)
from certificates.test_codec import ENCODED, GOOD
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
from tallystick.certificates.trusted import all_of

for path in sys.argv[1:]:
    report = audit(path)
    print(report.accepted, report.reason)
loaded = {name for name in sys.modules if name.startswith("tallystick.")}
print(sorted(loaded - set(all_of("programs")) - {"tallystick.core"}))
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
        oracle = name == "with_an_oracle"
        expected.append("False it rests on the word of z3" if oracle else "True every step holds")
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
    report = audit(encode(made), against=(made.left, made.right), allowed=("z3",))
    assert (report.accepted, report.reason, report.verdict) == (True, "every step holds", made.verdict)
    assert report.oracles == (("z3",) if name == "with_an_oracle" else ())
    assert report
    assert report.exit_status == 0


def test_the_word_of_a_solver_that_is_not_allowed_is_no_acceptance() -> None:
    data = ENCODED["with_an_oracle"]
    for allowed in ((), ("cvc5",)):
        report = audit(data, allowed=allowed)
        assert (report.accepted, report.reason, report.oracles) == (False, "it rests on the word of z3", ("z3",))
        assert not report
        assert report.exit_status == 2
        assert str(report).startswith("unproved  it rests on the word of z3\n")


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
        assert (report.accepted, report.reason) == (False, OTHER)
        assert report.exit_status == 1


def test_a_certificate_is_about_one_semantics() -> None:
    made = filter_and_map()
    assert audit(encode(made), against=(made.left, made.right)).accepted
    assert audit(encode(made), (made.left, made.right), "spark").reason == OTHER
    assert audit(encode(replace(made, semantics="spark")), (made.left, made.right), "spark").accepted


def test_kinds_of_results_and_ways_of_merging_belong_to_a_program() -> None:
    made = sum_of_doubles()
    pair = tuple_of(made.left.expression, made.right.expression)
    mean = Program("f", made.left.parameters, pair, "mean")
    step = certificate((mean, mean), Step(Reflexive()))
    with_means = replace(step, assumptions=ASSUMPTIONS[1:2])
    assert audit(encode(with_means), (mean, mean)).accepted
    assert audit(encode(step)).reason.startswith("a claim about means assumes that means are exact quotients")
    for other in (
        replace(mean, returns="value"),
        replace(mean, may_raise=False, folds=(MergedFold(pair.arguments[0], None),)),
    ):
        assert audit(encode(with_means), (mean, other)).reason == OTHER


OTHER = "the certificate is about other programs, or another meaning of folds"


def _lines(certificate: bytes) -> str:
    modules = audit(certificate).trusted
    return f"trusted   {sum(modules.values())} lines in {len(modules)} modules"


def test_the_report_of_a_proof() -> None:
    assert str(audit(encode(sum_of_doubles()))).splitlines() == [
        "accepted  every step holds",
        "claim     for every input, 'before' and 'after' return the same",
        "          'before' takes ('R': Bag[Int])",
        "            [1] map(scale[2](element), 'R')",
        "            [2] fold(0, (state + element), [1])",
        "            returns [2]",
        "          'after' takes ('R': Bag[Int])",
        "            [1] fold(0, (state + element), 'R')",
        "            returns scale[2]([1])",
        "meaning   sparklite: each fold is one left fold over all elements",
        "texts     the texts were not read: the claim is about what is printed here",
        "assuming  integers do not overflow",
        "rules     Fold 1, Case 7, Farkas 18, NoAgg 1, Order 2",
        "oracles   none",
        _lines(encode(sum_of_doubles())),
    ]


def test_the_report_of_a_counterexample() -> None:
    assert str(audit(encode(different_bags()))).splitlines() == [
        "accepted  every step holds",
        "claim     on the input 'R' = {{1 (x2), 5}}, 'k' = 4, 'before' and 'after' return",
        "                {{5 (x2), 9}} and {{1 (x2), 5}}",
        "          'before' takes ('R': Bag[Int], 'k': Int)",
        "            [1] map((element + 'k'), 'R')",
        "            returns [1]",
        "          'after' takes ('R': Bag[Int], 'k': Int)",
        "            returns 'R'",
        "meaning   sparklite: each fold is one left fold over all elements",
        "texts     the texts were not read: the claim is about what is printed here",
        "assuming  integers do not overflow",
        "rules     Counterexample 1",
        "oracles   none",
        _lines(encode(different_bags())),
    ]


def test_the_report_says_whether_texts_were_read() -> None:
    made = different_bags()
    given = made.left, made.right
    assert audit(encode(made)).texts == "the texts were not read: the claim is about what is printed here"
    assert audit(encode(made), given).texts == "the claim is about what was asked for"
    assert "texts     the claim is about what was asked for" in str(audit(encode(made), given)).splitlines()
    other = audit(encode(made), given[::-1])
    assert (other.accepted, other.texts) == (False, "")
    assert audit(b"{}").texts == ""


def test_the_report_names_oracles() -> None:
    report = audit(ENCODED["with_an_oracle"])
    assert report.rules == (("NoAgg", 1), ("Oracle", 2))
    assert sum(count for _, count in report.rules) == 3
    assert "oracles   z3" in str(report).splitlines()


def test_the_report_of_a_rejection_says_where_and_why() -> None:
    made = sum_of_doubles()
    wrong = replace(made, result=replace(made.result, evidence=()))  # type: ignore[type-var]
    report = audit(encode(wrong))
    expected = AuditReport(False, "proof: 4 premises need as many pieces of evidence, not 0", "equivalent", oracles=())
    told = replace(report, claim="", assumptions=(), rules=(), semantics="", texts="", loaded=())
    assert told == expected
    assert report.claim.startswith("for every input, 'before' and 'after' return the same\n'before' takes (")
    assert (report.semantics, report.assumptions) == ("sparklite", ("integers do not overflow",))
    assert str(report).startswith("rejected  proof: 4 premises need as many pieces of evidence, not 0\nclaim     ")


def test_what_cannot_be_read_claims_nothing() -> None:
    report = audit(b"\x00")
    assert (report.accepted, report.verdict, report.claim, report.rules) == (False, "", "", ())


def test_reports_hold_nothing_that_a_terminal_would_obey() -> None:
    name, escape = variable("R", BagType(INT)), "\x1b[2J\u202e\n"
    left, right = programs(name, mapped(add(element(INT), constant(1)), name), name)
    made = certificate((left, right), Counterexample(({1: 1},), ({1: 1}, {2: 1})))
    for wrong in (replace(made, assumptions=(escape,)), replace(made, left=replace(left, name=escape))):
        report = audit(encode(wrong))
        assert not report.accepted
        assert all(line.isprintable() for line in str(report).splitlines())


def test_names_beyond_ascii_are_escaped() -> None:
    """A Cyrillic letter looks like a Latin one."""
    name = variable("R", BagType(INT))
    left, right = programs(name, name, name)
    made = certificate((replace(left, name="b\u0435fore"), right), Step(Reflexive()))
    assert "'b\\u0435fore' takes ('R': Bag[Int])" in str(audit(encode(made)))


def test_files_are_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    path.write_bytes(ENCODED["halves"])
    assert audit(path).accepted
    assert audit(str(path)).accepted
    report = audit(path, limits=AuditLimits(bytes=100))
    assert report.reason == "certificate: more bytes than the limit of 100"
    with pytest.raises(FileNotFoundError):
        audit(tmp_path / "none.json")


def test_evaluations_are_limited() -> None:
    report = audit(encode(different_bags()), limits=AuditLimits(evaluation=3))
    assert report.reason == "the evaluation takes more steps than its limit allows"


def test_terms_that_are_too_deep_are_rejected_without_a_crash() -> None:
    term = name = variable("R", BagType(INT))
    for _ in range(500):
        term = mapped(add(element(INT), constant(1)), term)
    made = certificate(programs(term, name, name), Counterexample(({1: 1},), ({501: 1}, {1: 1})))
    report = audit(encode(made))
    assert report.accepted or "recursion" in report.reason


def test_the_trusted_modules_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = str(audit(GOOD))

    def read(path: str, **_: str) -> None:
        raise AssertionError("a module was read again")

    monkeypatch.setattr("builtins.open", read)
    assert str(audit(GOOD)) == first
