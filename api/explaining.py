"""A certificate in words: the programs, the rules, invariants and premises of its proof, or its counterexample."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.certificates import kernel, premises, proofs
from tallystick.certificates.codec import Certificate, Counterexample
from tallystick.core.pretty import program_text, text
from tallystick.core.terms import TRUE


def explain(certificate: Certificate) -> str:
    """The derivation that a certificate records, a step a paragraph; for a counterexample, the programs."""
    lines = [program_text(certificate.left), program_text(certificate.right)]
    if not isinstance(certificate.result, Counterexample):
        goal = (TRUE, certificate.left.expression, certificate.right.expression)
        lines += _steps(goal, certificate.result, "")
    return "\n".join(lines)


def _steps(goal: kernel.Goal, proof: proofs.Proof, indent: str) -> Iterator[str]:
    """The lines of a proof of `goal`; premises are named, not repeated, since the rule determines them."""
    inner = indent + "  "
    match proof:
        case proofs.NoAgg(matching):
            yield f"{indent}NOAGG: {_matching_in_words(matching)}"
            yield from _premises(premises.no_agg(*goal, matching), inner)
        case proofs.Fold(folds, accumulators, invariant, _, rest):
            yield f"{indent}FOLD: induction over the elements, with"
            for state, fold in zip(accumulators, folds, strict=True):
                yield f"{inner}{text(state)} for {text(fold)}"
            yield f"{inner}invariant: {text(invariant)}"
            yield from _premises(premises.fold(goal[0], folds, accumulators, invariant), inner)
            yield from _steps(kernel.fold_goal(*goal, folds, accumulators, invariant), rest, inner)
        case proofs.ByKey(folds, buckets, invariant, _):
            yield f"{indent}BYKEY: induction over the elements of a joint bucket, with"
            for fold, bucket in zip(folds, buckets, strict=True):
                names = ", ".join(map(text, bucket.variables))
                yield f"{inner}({names}) for key, existence and value in {text(fold)}"
            yield f"{inner}invariant: {text(invariant)}"
            required = premises.by_key(goal[0], folds, kernel.posts(goal[1:], folds), buckets, invariant)
            yield from _premises(required, inner)
        case proofs.Congruence(parts, fresh, equal_parts, whole):
            yield f"{indent}CONG: equal parts are replaced by one bag {text(fresh)}"
            yield from _steps((goal[0], *parts), equal_parts, inner)
            yield from _steps(kernel.congruence_goal(*goal, parts, fresh), whole, inner)
        case proofs.Transitive(middle, first, second):
            yield f"{indent}TRANS: both sides equal {text(middle)}"
            yield from _steps((goal[0], goal[1], middle), first, inner)
            yield from _steps((goal[0], middle, goal[2]), second, inner)
        case proofs.Symmetric(mirrored):
            yield f"{indent}SYM"
            yield from _steps((goal[0], goal[2], goal[1]), mirrored, inner)


def _premises(required: premises.Premises, indent: str) -> Iterator[str]:
    for name, formula in required:
        yield f"{indent}{name}: ⊢ {text(formula)}"


def _matching_in_words(matching: premises.Matching | None) -> str:
    if matching is None:
        return "the values on both sides are equal, with their multiplicities"
    return "element by element, for all values of the representative variables"
