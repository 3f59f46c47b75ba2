"""The deepest terms and proofs that are read are checked and printed too, in threads with small stacks as well."""

from __future__ import annotations

import sys
import threading

import pytest
from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.budget import LIMITS
from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Case, Farkas
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.core.programs import Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    build,
    free_variables,
    less,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BagType

from certificates.bombs import nested
from certificates.examples import ONE, A, K, R, X, filtered, folded, mapped

B = variable("b", BOOL)
DEPTH = LIMITS.depth


def deepest(around: object, start: Term, levels: int = 1) -> Term:
    """A term with nothing left of the depth that is allowed, where each layer adds so many levels."""
    return nested((DEPTH - start.depth) // levels, start, around)  # type: ignore[arg-type]


ONE_TUPLE = build(Operator.TUPLE, (K,))
TERMS = {
    "maps": deepest(lambda bag, _: mapped(add(X, ONE), bag), mapped(add(X, ONE), R)),
    "filters": deepest(lambda bag, _: filtered(less(X, ONE), bag), filtered(less(X, ONE), R)),
    "a function": mapped(nested(DEPTH - 2, X, lambda term, _: add(term, ONE)), R),
    "sums": deepest(lambda term, _: add(term, ONE), K),
    "products": deepest(lambda term, _: scale(1, term), K),
    "quotients": deepest(lambda term, _: build(Operator.DIV, (term,), 2), K),
    "remainders": deepest(lambda term, _: build(Operator.MOD, (term,), 7), K),
    "conditionals": deepest(lambda term, _: build(Operator.ITE, (B, term, ONE)), K),
    "conditions": deepest(lambda term, _: build(Operator.ITE, (term, B, TRUE)), B),
    "negations": deepest(lambda term, _: build(Operator.NOT, (term,)), B),
    "conjunctions": deepest(lambda term, _: build(Operator.AND, (term, B)), B),
    "both": deepest(lambda term, _: build(Operator.OR, (build(Operator.AND, (term, B)), B)), B, 2),
    "equations": deepest(lambda term, _: build(Operator.EQUAL, (term, B)), B),
    "components": deepest(lambda term, _: build(Operator.PROJECTION, (tuple_of(term),), 0), K, 2),
    "components of conditionals": deepest(
        lambda term, _: build(Operator.PROJECTION, (build(Operator.ITE, (B, tuple_of(term), ONE_TUPLE)),), 0), K, 3
    ),
    "initial values": deepest(lambda term, _: folded(term, add(A, X), R), folded(K, add(A, X), R)),
    "distinct bags": deepest(lambda bag, _: build(Operator.DISTINCT, (bag,)), R),
}


def proofs(term: Term) -> dict[str, Step | Counterexample]:
    """Proofs that look into a term as far as they can, and an input."""
    pieces = 2 if isinstance(term.type, BagType) else 1
    branch = Case(0, (Farkas(()), Farkas(())))
    names = sorted(free_variables(term), key=repr)
    inputs = tuple({1: 1} if name is R else (True if name is B else 1) for name in names)
    outputs = ({}, {}) if isinstance(term.type, BagType) else (True, False) if term.type == BOOL else (0, 1)
    return {
        "REFLEXIVE": Step(Reflexive()),
        "NOAGG": Step(NoAgg(((0, (0,)),) if pieces == 2 else None), (branch,) * pieces),
        "REFUTE": Counterexample(inputs, outputs),  # type: ignore[arg-type]
    }


def audited(left: Term, right: Term, result: Step | Counterexample) -> AuditReport:
    """The report about two terms, printed, in a thread with half a megabyte of stack and Python's usual limit."""
    names = tuple(sorted(free_variables(left) | free_variables(right), key=repr))
    pair = Program("f", names, left), Program("g", names, right)
    step = None if isinstance(result, Counterexample) else Step(Order(TRUE), (Farkas(()),) * 3)
    values = (step,) * len(one_values("sparklite", *pair))
    data = encode(Certificate(*pair, "sparklite", ("", ""), (), (), values, result))
    found: list[AuditReport] = []

    def run() -> None:
        sys.setrecursionlimit(1000)
        found.append(audit(data))
        str(found[0])

    before = threading.stack_size(512 * 1024)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    threading.stack_size(before)
    return found[0]


@pytest.mark.parametrize("name", TERMS)
def test_the_deepest_terms_are_checked_and_printed(name: str) -> None:
    term = TERMS[name]
    assert DEPTH - 3 < term.depth <= DEPTH
    for kind, result in proofs(term).items():
        for right in (term, _shallower(term)):
            report = audited(term, right, result)
            assert "nested" not in report.reason, kind
            assert "Recursion" not in report.reason
            assert kind != "REFLEXIVE" or report.accepted == (right is term and not _folds(term))


def _shallower(term: Term) -> Term:
    """What a term is made of, where that has the same type."""
    return next((part for part in term.arguments if part.type == term.type), term)


def _folds(term: Term) -> bool:
    return term.operator is Operator.FOLD


def test_a_term_that_is_nested_deeper_is_refused() -> None:
    report = audited(add(TERMS["sums"], ONE), K, Step(Reflexive()))
    assert report.reason == f"certificate.terms[{DEPTH + 1}]: more depth than the limit of {DEPTH}"


def test_the_deepest_proof_is_checked() -> None:
    step = Step(Reflexive())
    for _ in range(DEPTH // 2 - 3):
        step = Step(Symmetric(), (), (step,))
    assert audited(K, K, step).accepted


def test_the_deepest_refutation_is_checked() -> None:
    tree: Case | Farkas = Farkas(())
    for _ in range(DEPTH // 2 - 4):
        tree = Case(0, (tree, Farkas(())))
    report = audited(build(Operator.OR, (B, less(K, ONE))), B, Step(NoAgg(None), (tree,)))
    assert report.reason.endswith("the leaf () is not contradictory")


def test_an_audit_leaves_pythons_limit_as_it_was() -> None:
    """After a certificate that is accepted, one that is rejected, and from several threads at once."""
    before = sys.getrecursionlimit()
    good = encode(
        Certificate(*(Program(name, (K,), K) for name in "fg"), "sparklite", ("", ""), (), (), (), Step(Reflexive()))
    )
    assert audit(good)
    assert sys.getrecursionlimit() == before
    assert not audit(b"[" * 100_000)
    assert sys.getrecursionlimit() == before
    threads = [threading.Thread(target=lambda: [audit(good) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == before
