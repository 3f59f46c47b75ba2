"""The hostile corpus: no file of it is accepted, none takes more than 10 seconds or 500 MB, also under `python -O`.

The files are built here, the same each time: what is no certificate (`test_codec`), forged proofs (`test_forgeries`),
and the classes below: oracles, names that spell claims, folds that have no one value, kinds of results, and bombs.
Those about queries are in `hostile_queries`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import Certificate, Counterexample, Oracle, Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.partition import Partition
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.programs import MergedFold, Program
from tallystick.core.terms import TRUE, Term, accumulator, add, element, tuple_of, variable
from tallystick.core.types import INT, BagType

from certificates.bombs import BOMBS
from certificates.examples import ONE, SUM, ZERO, A, R, X, filter_and_map, folded, mapped, programs, union
from certificates.hostile_queries import QUERIES
from certificates.test_codec import GOOD, HOSTILE, laid_out
from certificates.test_forgeries import FORGERIES

SAME = Step(Reflexive())
LAST, COUNT = folded(ZERO, X, R), folded(ZERO, add(A, ONE), R)


def claimed(
    left: Program, right: Program, result: Step | Counterexample, values: tuple[Step | None, ...], semantics: str
) -> bytes:
    made = Certificate(left, right, semantics, ("", ""), (), (), values, result)
    return encode(made)


def by_word(solver: str) -> bytes:
    """R is map(x + 1)(R), on a solver's word."""
    proof = Step(NoAgg(((0, (0,)),)), (Oracle(solver),) * 2)
    return claimed(*programs(R, mapped(add(X, ONE), R), R), proof, (), "sparklite")


def named(name: str) -> bytes:
    document = json.loads(GOOD)
    document["left"][1] = name
    return laid_out(document)


def bag_named(name: str) -> bytes:
    bag = variable(name, BagType(INT))
    return claimed(*programs(bag, bag, bag), SAME, (), "sparklite")


def of_fold(term: Term, rule: object, semantics: str = "sparklite", merge: Term | None = None) -> bytes:
    """A program with a fold equals itself; that the fold has one value is claimed by nothing."""
    folds = (MergedFold(term, merge),) if semantics == "spark" or merge is not None else ()
    program = Program("f", (R,), term, folds=folds)
    evidence = (Oracle("z3"),) * 6 if rule == "oracle" else ()
    values: tuple[Step | None, ...] = (None,) if rule is None else (Step(rule or Order(TRUE), evidence),)  # type: ignore
    return claimed(program, program, SAME, values, semantics)


def swapped_union_of_last() -> bytes:
    """fold(last)(r ∪ s) against fold(last)(s ∪ r), by CONG."""
    s = variable("S", BagType(INT))
    one, other = union(R, s), union(s, R)
    fresh = variable("B", R.type)
    proof = Step(Congruence((one, other), fresh), (), (Step(NoAgg(((0, (0,)), (1, (0,)))), (Oracle("z3"),) * 4), SAME))
    return claimed(*programs(folded(ZERO, X, one), folded(ZERO, X, other), R, s), proof, (None, None), "sparklite")


def nested(step: Callable[[Step], Step], depth: int, term: Term = R) -> bytes:
    proof = Step(NoAgg(None))
    for _ in range(depth):
        proof = step(proof)
    return claimed(*programs(term, term, R), proof, (), "sparklite")


def deep(depth: int) -> Term:
    term: Term = R
    for _ in range(depth):
        term = mapped(add(X, ONE), term)
    return term


def wide_transitivity() -> bytes:
    """A balanced tree of TRANS over one deep term, whose leaves prove nothing."""
    term, proofs = deep(150), [Step(NoAgg(None))] * 256
    while len(proofs) > 1:
        proofs = [Step(Transitive(term), (), pair) for pair in zip(proofs[::2], proofs[1::2], strict=True)]
    return claimed(*programs(term, term, R), proofs[0], (), "sparklite")


def mean_and_pair() -> bytes:
    pair = tuple_of(folded(ZERO, SUM, R), COUNT)
    mean, plain = Program("f", (R,), pair, "mean"), Program("g", (R,), pair)
    return claimed(mean, plain, SAME, (None, None), "sparklite")


def equal_means() -> bytes:
    """1/2 and 2/4 are one mean."""
    means = [Program(name, (R,), tuple_of(folded(ZERO, SUM, b), folded(ZERO, add(A, ONE), b)), "mean") for name, b in
             (("f", R), ("g", union(R, R)))]  # fmt: skip
    result = Counterexample(({0: 1, 1: 1},), ((1, 2), (2, 4)))
    made = Certificate(means[0], means[1], "sparklite", ("", ""), (), (), (None,) * 4, result)
    return encode(replace(made, assumptions=("means are exact quotients, and 0 for no elements",)))


PLUS = add(accumulator(INT), element(INT))
NEW: dict[str, bytes] = {
    **{f"the word of {name!r}": by_word(name) for name in ("", "nobody", "z3", "cvc5", "cooper", "Z3", "z3 ", "none")},
    **{
        f"a program called {name!a}": named(name)
        for name in ("", "f' and 'g' return the same", "a b", "x\n", "r\n(assert false)\n; ", "\x1b[2J", "1", "f()")
    },
    **{
        f"a bag called {name!a}": bag_named(name)
        for name in ("", "r\n(assert false)\n; ", "R: Bag[Int]), 'a' and 'b'", "R#0", "|", "a b", "'", "1")
    },
    "last, by no proof": of_fold(LAST, None),
    "last, by ORDER without evidence": of_fold(LAST, Order(TRUE)),
    "last, on a solver's word": of_fold(LAST, "oracle"),
    "last below CONG": swapped_union_of_last(),
    "counting partitions, by no proof": of_fold(COUNT, None, "spark", PLUS),
    "counting partitions, by ORDER": of_fold(COUNT, Order(TRUE), "spark", PLUS),
    "counting partitions, by PARTITION without evidence": of_fold(COUNT, Partition(TRUE), "spark", PLUS),
    "two functions that do not agree": of_fold(COUNT, Partition(TRUE), "sparklite", PLUS),
    "a mean and a pair": mean_and_pair(),
    "one mean twice": equal_means(),
    "SYM 250 times": nested(lambda proof: Step(Symmetric(), (), (proof,)), 250),
    "TRANS 180 times over a deep term": nested(lambda proof: Step(Transitive(R), (), (SAME, proof)), 180),
    "TRANS in a tree over a deep term": wide_transitivity(),
}
CORPUS: dict[str, bytes] = {
    **NEW,
    **{f"queries: {name}": data for name, data in QUERIES.items()},
    **{name: data for name, (data, _) in HOSTILE.items()},
    **{forge.__name__: encode(forge()[0]) for forge in FORGERIES},
}
SECONDS, MEBIBYTES = 10, 500
AUDITOR = f"""
import resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, ({MEBIBYTES} << 20, {MEBIBYTES} << 20))
from tallystick.certificates.audit import audit
for path in sys.argv[1:]:
    started = time.process_time()
    report = audit(path)
    print(report.accepted, bool(report), report.exit_status, time.process_time() - started < {SECONDS})
"""


def test_the_corpus_has_at_least_60_files() -> None:
    assert len(CORPUS) == len(NEW) + len(QUERIES) + len(HOSTILE) + len(FORGERIES) >= 60


@pytest.mark.parametrize("options", [(), ("-O",)], ids=["plain", "-O"])
def test_no_hostile_file_is_accepted_or_takes_long(options: tuple[str, ...], tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(len(CORPUS))]
    for path, data in zip(paths, CORPUS.values(), strict=True):
        path.write_bytes(data)
    command = [sys.executable, *options, "-c", AUDITOR, *map(str, paths)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = dict(zip(CORPUS, lines, strict=True))
    assert {
        name: line for name, line in found.items() if line not in ("False False 1 True", "False False 2 True")
    } == {}
    assert found["the word of 'z3'"] == "False False 2 True"
    assert found["the word of ''"] == "False False 1 True"


MEASURED = """
import resource, sys, time
from tallystick.certificates.audit import audit
for path in sys.argv[1:]:
    started = time.process_time()
    report = audit(path)
    str(report)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(time.process_time() - started, used, report.accepted, report.reason, sep="\t")
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-O",)], ids=["plain", "-O"])
def test_budgets_hold_for_files_that_are_made_to_take_long_or_much_memory(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    """No limit of the system is set: the auditor's own budgets end the work, or it is small."""
    paths = [tmp_path / f"{make.__name__}.json" for make in BOMBS]
    for path, make in zip(paths, BOMBS, strict=True):
        path.write_bytes(make())
        assert path.stat().st_size < 1_000_000
    command = [sys.executable, *options, "-c", MEASURED, *map(str, paths)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for line, (make, expected) in zip(lines, BOMBS.items(), strict=True):
        seconds, mebibytes, accepted, reason = line.split("\t")
        assert (float(seconds) < SECONDS, int(mebibytes) < MEBIBYTES) == (True, True), (make, line)
        assert expected in reason
        assert accepted == str(expected == "every step holds")
        assert not {"RecursionError", "MemoryError"} & {reason, *reason.split()}


def test_a_good_file_is_accepted_within_the_same_limits(tmp_path: Path) -> None:
    path = tmp_path / "good.json"
    path.write_bytes(encode(filter_and_map()))
    done = subprocess.run([sys.executable, "-c", AUDITOR, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "True True 0 True\n"
