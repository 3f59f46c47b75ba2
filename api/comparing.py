"""What two PySpark functions are compared as: one function for `check` and for `audit --against`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from tallystick.certificates.audit import AuditReport
from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import ASSUMPTIONS, Counterexample
from tallystick.core.errors import CertificateError, FragmentError, TallystickError
from tallystick.core.pretty import text
from tallystick.core.programs import MEAN, SPARK, MergedFold, Program, comparable
from tallystick.core.terms import Operator, aggregates
from tallystick.core.types import Type
from tallystick.decision.partitioning.safety import is_mixed, merge_function
from tallystick.frontends.pyspark import (
    FoldCall,
    SourceProgram,
    aligned,
    as_set,
    of_same_classes,
    unfixed,
    with_used_components,
    without_guards,
)
from tallystick.frontends.pyspark.named_functions.inputs import coded_types_in

IMPOSSIBLE = "the difference that was found is on an input that there is not"
MEANS = "means are exact quotients, and 0 for no elements"
NUMBERS_ONLY = "the results are equal as numbers, and one program returns ints where the other returns floats"
AT_ONCE = ("reduceByKeyLocally",)
"""Methods that fold by key, and run at once. Others are run only where the result is used."""
MIXED = "its function gets results of partitions, of type {0}, where it takes elements of type {1}"


class SignatureError(TallystickError, TypeError):
    """Two programs cannot be compared: they take different parameters or return different types."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two programs as they are compared.

    Attributes:
        left, right: as they were read, with results of one shape, or as sets.
        semantics: what their folds mean.
        assumptions: under which the core programs mean what the sources mean.
    """

    left: SourceProgram
    right: SourceProgram
    semantics: str
    assumptions: tuple[str, ...]

    @property
    def why_not_equivalent(self) -> str | None:
        """Why equal core programs do not say that the sources are equivalent, in words; None where they do."""
        return NUMBERS_ONLY if self.left.as_floats else unfixed(self.left, self.right)

    @property
    def programs(self) -> tuple[Program, Program]:
        """The core programs, with the folds that the meaning depends on.

        Raises FragmentError when no term says how Spark merges a fold.
        """
        return meant(self.left, self.semantics), meant(self.right, self.semantics)

    @property
    def without_guards(self) -> Comparison:
        """Both programs without the places where they raise, of which only equivalence says something."""
        return replace(self, left=without_guards(self.left), right=without_guards(self.right))

    def programs_of(self, certificate: bytes) -> tuple[Program, Program]:
        """The core programs that a certificate has to be about: these, or those without the places where they raise."""
        with suppress(CertificateError):
            content = decode(certificate)
            others = self.without_guards.programs
            if (content.left, content.right) == others and not isinstance(content.result, Counterexample):
                return others
        return self.programs

    def why_impossible(self, certificate: bytes) -> str | None:
        """Why the counterexample of an accepted certificate is an input that the sources cannot get, in words.

        None where they can, or where the certificate has no counterexample.
        """
        result = decode(certificate).result
        if not isinstance(result, Counterexample):
            return None
        reasons = (each.why_impossible(result.inputs) for each in (self.left, self.right))
        return next((f"{IMPOSSIBLE}: {reason}" for reason in reasons if reason is not None), None)

    def why_not_judged(self, certificate: bytes) -> str | None:
        """Why an accepted certificate about the core programs is none about the sources, in words; None where it is."""
        if isinstance(decode(certificate).result, Counterexample):
            return self.why_impossible(certificate)
        return self.why_not_equivalent

    def judged(self, report: AuditReport, certificate: bytes) -> AuditReport:
        """An audit that accepted a certificate about these programs, as one about their sources.

        The claim has to state what these programs rest on when they stand for the sources.
        """
        missing = [each for each in self.assumptions if each not in report.assumptions]
        reason = f"about these programs it also assumes: {missing[0]}" if missing else self.why_not_judged(certificate)
        return report if reason is None else replace(report, accepted=False, reason=reason)


def comparison(left: SourceProgram, right: SourceProgram, as_sets: bool, semantics: str) -> Comparison:
    """Both programs as they are compared; raises SetError and SignatureError when they cannot be."""
    signatures = f"  {_signature(left)}\n  {_signature(right)}"
    left, right = with_used_components(left), with_used_components(right)
    left, right = (as_set(left), as_set(right)) if as_sets else aligned(left, right)
    if not comparable(left.program, right.program):
        raise SignatureError(f"the programs cannot be compared: their parameters and results must agree\n{signatures}")
    if any(_containers(*each) for each in zip(left.declared, right.declared, strict=False)):
        raise SignatureError(f"the programs get lists, sets or dicts of types that differ\n{signatures}")
    if left.records != right.records:
        message = "the programs return dataclasses, dictionaries or lists that differ, and such are never equal"
        raise SignatureError(f"{message}\n{signatures}")
    one, other = left.result_type, right.result_type
    if one is not None and other is not None and not left.told_apart and not of_same_classes(one, other):
        message = "the programs return values of classes that differ, which are equal for some inputs only"
        raise SignatureError(f"{message}\n{signatures}")
    means = (MEANS,) if left.returns == MEAN else ()
    found = {*means, *left.assumptions, *right.assumptions}
    return Comparison(left, right, semantics, tuple(each for each in ASSUMPTIONS if each in found))


def _containers(one: Type, other: Type) -> bool:
    """Whether two types of inputs, which core programs do not tell apart, have other lists, sets and dicts in them."""
    kinds = ([each.input_code for each in coded_types_in(of)] for of in (one, other))
    return next(kinds) != next(kinds)


def _signature(source: SourceProgram) -> str:
    return f"{source.path}:{source.line}: {source.signature}"


def meant(source: SourceProgram, semantics: str) -> Program:
    """The core program, which says how each fold is merged that it computes in the given semantics."""
    if semantics != SPARK:
        return source.program
    return replace(source.program, folds=tuple(dict.fromkeys(map(_merged, computed(source)))))


def computed(source: SourceProgram) -> list[FoldCall]:
    """The calls that Spark runs: those on which the result depends, and actions that may raise, used or not.

    Raises FragmentError when it is not known how Spark computes an aggregate of the program.
    """
    used = set(aggregates(source.program.expression))
    for call in reversed(source.folds):  # what a term was put together from was noted before it
        if call.term in used:
            used.update(call.parts)
    unknown = used - {call.term for call in source.folds}
    if unknown:
        raise FragmentError(f"how Spark merges {text(next(iter(unknown)))} is not known")
    return [call for call in source.folds if call.term in used or may_raise(call)]


def may_raise(call: FoldCall) -> bool:
    """Whether a call runs even where its result is not used, and its function gets values of other types there."""
    at_once = call.term.operator is Operator.FOLD or call.method in AT_ONCE
    return at_once and call.merge != "none" and is_mixed(call.term, call.merge)


def _merged(call: FoldCall) -> MergedFold:
    if call.merge == "none":
        return MergedFold(call.term, None)
    function = merge_function(call.term, call.merge)
    if isinstance(function, str):
        raise FragmentError(f"{call.name}:{call.line}:{call.column}: {function}")
    if is_mixed(call.term, call.merge):
        element = call.term.arguments[2].type.element  # type: ignore[union-attr]
        raise FragmentError(f"{call.name}:{call.line}:{call.column}: {MIXED.format(function.type, element)}")
    return MergedFold(call.term, function)
