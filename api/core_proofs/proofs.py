"""The proof that two queries of the core have the same rows, and what it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time

from tallystick.certificates.exports.core.compiling import Compiler
from tallystick.certificates.exports.core.ground import Kinding
from tallystick.certificates.exports.core.proofs import Proof, Tree
from tallystick.certificates.exports.core.terms import (
    YES,
    Node,
    bag,
    nodes_of,
)
from tallystick.certificates.search.answers import SearchLimits
from tallystick.core_proofs.equations import Search
from tallystick.core_proofs.refuting import ExpiredError
from tallystick.decision.prover import NO_SOLVER, Prover

LIMITS = SearchLimits(nodes=200, seconds=1.0)
"""For one leaf of a tree: most are no refutations, which the first branches show."""
SECONDS = 10.0
"""How long a proof is searched for, of processor time: without constraints, with the keys alone, and with all."""
SECONDS_WITHOUT = 2.0
"""How long one is searched for without a constraint that the first one may use; for all of these SECONDS."""


def core_proof(
    compiler: Compiler, kinding: Kinding, constraints: Sequence[Node], left: Node, right: Node
) -> tuple[Sequence[Node], Proof] | None:
    """A proof that two queries of the core have the same rows, if one is found, and the constraints that it uses."""

    one, other = (bag(compiler.monos((), each)) for each in (left, right))
    single = any(each.name in ("Single", "Places") for each in nodes_of((one, other)))

    def found(given: Sequence[Node], seconds: float = SECONDS) -> Proof | None:
        prover = Prover(NO_SOLVER, limits=LIMITS)
        search = Search(compiler, kinding, given, prover, process_time() + seconds, single=single)
        try:
            return search.bags((), YES, one, other)
        except (ExpiredError, RecursionError):
            return None

    keys = [each for each in constraints if each.name == "Key"]
    for given in dict.fromkeys(((), (*keys,), (*constraints,))):
        proof = found(given)
        if proof is not None:
            break
    else:
        return None
    constraints = given
    used = {*used_by(proof)}
    fewer = [each for number, each in enumerate(constraints) if number in used or each.name == "Key"]
    deadline = process_time() + SECONDS
    for each in fewer:
        if process_time() >= deadline:
            break
        without = [kept for kept in constraints if kept in fewer and kept is not each]
        again = found(without, SECONDS_WITHOUT)
        if again is not None:
            constraints, proof = without, again
    return constraints, proof


def used_by(proof: Proof) -> Iterator[int | str]:
    """The numbers of the constraints that the trees of a proof use, and the names of its rules."""
    waiting: list[object] = [proof]
    while waiting:
        match waiting.pop():
            case Proof(rule=rule, trees=trees, parts=parts):
                yield rule
                waiting += [*trees, *parts]
            case Tree(name=name, arguments=arguments):
                if name in ("KeyOf", "Refers", "Checked"):
                    yield arguments[0]
                waiting += arguments
            case tuple() as several:
                waiting += several
            case _:
                pass
