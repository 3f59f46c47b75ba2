"""Python raises where a text is split by an empty one: what is claimed of such programs assumes that nothing raises."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode

NO_ERRORS = "no expression raises an error"
NOTHING = "r.map(lambda p: p[0])"
RAISING = {
    "by a text of the element": "r.flatMap(lambda p: p[0].split(p[1]))",
    "by no text": "r.flatMap(lambda p: p[0].split(''))",
    "a set": "r.flatMap(lambda p: set(p[0].split(p[1])))",
    "some of the pieces": "r.flatMap(lambda p: [w for w in p[0].split(p[1]) if w])",
    "after a filter": "r.filter(lambda p: p[1] > 'a').flatMap(lambda p: p[0].split(p[1]))",
}
OTHERS = {
    "by a constant": "r.flatMap(lambda p: p[0].split(', '))",
    "at most once": "r.flatMap(lambda p: p[0].split('=', 1))",
    "by spaces": "r.flatMap(lambda p: p[0].split())",
    "a set": "r.flatMap(lambda p: set(p[0].split('-')))",
}


def _pair(write: Callable[[str, str], str], body: str) -> tuple[str, str]:
    before, after = (
        f"def {name}(r: RDD[tuple[str, str]]): return {each}.filter(lambda w: False)\n"
        for name, each in (("before", body), ("after", NOTHING))
    )
    path = write("jobs.py", f"from pyspark import RDD\n{before}{after}")
    return f"{path}:before", f"{path}:after"


@pytest.mark.parametrize("name", RAISING)
def test_the_claim_assumes_that_nothing_raises(name: str, write: Callable[[str, str], str]) -> None:
    verdict = check(*_pair(write, RAISING[name]))
    assert verdict.verdict == "equivalent"
    assert NO_ERRORS in verdict.assumptions


@pytest.mark.parametrize("name", OTHERS)
def test_a_constant_that_is_not_empty_needs_no_assumption(name: str, write: Callable[[str, str], str]) -> None:
    verdict = check(*_pair(write, OTHERS[name]))
    assert verdict.verdict == "equivalent"
    assert not verdict.assumptions


@pytest.mark.parametrize("name", RAISING)
def test_the_kernel_rejects_a_certificate_without_the_assumption(name: str, write: Callable[[str, str], str]) -> None:
    found = check(*_pair(write, RAISING[name])).certificate
    assert found is not None
    certificate = decode(found)
    assert audit(found)
    report = audit(encode(dataclasses.replace(certificate, assumptions=())))
    assert not report
    assert report.reason.startswith("a function of these programs may raise")
