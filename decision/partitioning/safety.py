"""Partition safety: does a fold give one value however its elements are spread over partitions? (THEORY section 5)

What Spark computes, and the proof that the premises suffice, stand in `certificates/rules/partition.py`. What is here
are the questions that come before: which function merges the results of partitions, and whether Python can run it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tallystick.certificates import kernel
from tallystick.certificates.evidence import Evidence
from tallystick.certificates.judgements import OneValue
from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.order import OpenFold
from tallystick.certificates.rules.partition import Partition
from tallystick.core.definedness import defined
from tallystick.core.terms import FALSE, TRUE, Operator, Parameter, Term, build, constant, element, rebuild
from tallystick.core.types import BasicType, TupleType, default_value

Merge = Term | Literal["step", "none"]
"""How the results of partitions are merged: by a function over `accumulator` and `element`, both of the fold's type;
by the very function that takes elements; or in no way that a user's function has a say in."""


def is_mixed(term: Term, merge: Merge) -> bool:
    """Whether merging gives a function that takes elements of one type partial results of another."""
    fold = OpenFold(term, term.arguments[1])
    return merge == "step" and fold.state != fold.element


def merge_function(term: Term, merge: Merge) -> Term | str:
    """The function that merges the results of partitions, or the reason why there is none that a term can say.

    Where types are mixed and the function does not mention its element, its term says what it then does, unless the
    source looks into the element all the same, and fails.
    """
    if isinstance(merge, Term):
        return merge
    fold, udf = OpenFold(term, term.arguments[1]), term.arguments[1]
    if not is_mixed(term, merge) or not any(bound.operator is Operator.ELEMENT for bound in udf.bound):
        return udf
    return f"merging gives its function a partial result of type {fold.state} for an element of type {fold.element}"


def surely_ill_typed(term: Term, merge: Merge) -> bool:
    """Whether Python surely raises TypeError when the fold's function gets a partial result for an element.

    It does where the function, whatever happens, takes a component of what is an int or a bool, or adds an int to what
    is a tuple, or compares these. It may accept a bool for an int, an int for a truth value, a tuple for another, test
    any two values for equality, and multiply a tuple. So only uses that it refuses count, and the rest is defined.
    """
    fold, udf = OpenFold(term, term.arguments[1]), term.arguments[1]
    if not is_mixed(term, merge) or isinstance(fold.state, TupleType) == isinstance(fold.element, TupleType):
        return False
    refuses = _takes_a_component if isinstance(fold.element, TupleType) else _combines_numbers
    missing = build(Operator.BOTTOM, (), fold.element)

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if missing in arguments and not refuses(operator, [each for each in arguments if each is not missing]):
            arguments = tuple(_some(fold.element) if each is missing else each for each in arguments)
        return build(operator, arguments, parameter)

    return defined(rebuild(udf, {element(fold.element): missing}, make=make)) is FALSE


def _takes_a_component(operator: Operator, _: list[Term]) -> bool:
    return operator is Operator.PROJECTION


def _combines_numbers(operator: Operator, others: list[Term]) -> bool:
    """Whether the element is added to, or compared with, a number that is there whatever the element is."""
    there = [each for each in others if defined(each) is TRUE]
    return operator in (Operator.ADD, Operator.LESS, Operator.LESS_EQUAL) and bool(there)


def _some(of: BasicType) -> Term:
    """A value of a type, as a term."""
    if isinstance(of, TupleType):
        return build(Operator.TUPLE, tuple(map(_some, of.components)))
    return constant(default_value(of))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Safe:
    """A proof that a fold is partition-safe: an invariant over its state M, and evidence for each premise in order."""

    invariant: Term
    evidence: tuple[Evidence, ...]


def audited(term: Term, merge: Term, proof: Safe) -> frozenset[str]:
    """The oracles that a proof of partition safety rests on; raises KernelError when it is no proof."""
    return kernel.prove(OneValue(term, merge), Step(Partition(proof.invariant), proof.evidence)).oracles
