"""Proofs by MEMBERS, a rule that only the Coq development has (`coq/MembersRule.v`): elements, folds and sums.

The classes are plain data, as `coq/` has them. `Any(i)` there is the variable `parameter(i, type)` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tallystick.certificates.annotations import names_of
from tallystick.certificates.evidence import Evidence
from tallystick.certificates.judgements import Judgement, Requirements
from tallystick.certificates.proofs import Certificate
from tallystick.core.errors import KernelError
from tallystick.core.monomials import name_of
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    Term,
    apply_function,
    free_variables,
    substitute,
    variable,
)
from tallystick.core.types import BasicType, Type

Types = tuple[BasicType, ...]
_ANY = "any "


def parameter(number: int, of: Type) -> Term:
    """`Any number`."""
    return variable(f"{_ANY}{number}", of)


def parameters(types: Sequence[BasicType], first: int = 0) -> tuple[Term, ...]:
    """`Any first`, and those after it."""
    return tuple(parameter(first + place, of) for place, of in enumerate(types))


def number_of(term: Term) -> int | None:
    """Which parameter a variable is; None for other terms."""
    name = name_of(term) if term.operator is Operator.VARIABLE else ""
    return int(name.removeprefix(_ANY)) if name.startswith(_ANY) else None


@dataclass(frozen=True, slots=True)
class Defined:
    """A function that a proof defines: the value of `body`, over its parameters."""

    called: str
    takes: Types
    body: Term

    def with_arguments(self, arguments: tuple[Term, ...]) -> Term:
        """What it returns for them."""
        return substitute(self.body, dict(zip(parameters(self.takes), arguments, strict=True)))

    def __call__(self, *arguments: Term) -> Term:
        return apply_function(self.called, self.body.type, *arguments)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Law:
    """A formula that holds for all values of its parameters."""

    over: Types
    says: Term


@dataclass(frozen=True, slots=True)
class Because:
    """Instances of laws, by their numbers, and a refutation tree that uses them."""

    uses: tuple[tuple[int, tuple[Term, ...]], ...]
    tree: Evidence


@dataclass(frozen=True, slots=True)
class Elements:
    """The laws that decompose a bag."""

    over: Types
    bag: Term


@dataclass(frozen=True, slots=True)
class Induct:
    """An invariant of folds over one bag."""

    over: Types
    calls: tuple[tuple[int, tuple[Term, ...]], ...]
    invariant: Term
    base: Because
    step: Because


@dataclass(frozen=True, slots=True)
class SumOver:
    """A sum over a bag is one over what it is made of; `how` is OverMap, OverFilter, OverUnion or OverKeys."""

    over: Types
    how: str
    functions: tuple[int, ...]
    evidence: tuple[Because, ...]


@dataclass(frozen=True, slots=True)
class Once:
    """Why no element of a bag occurs twice: Keyed, Injective or Selected."""

    how: str
    evidence: Because | None = None
    rest: Once | None = None

    def reasons(self) -> list[Because]:
        """All evidence in it."""
        inner = [] if self.rest is None else self.rest.reasons()
        return inner if self.evidence is None else [self.evidence, *inner]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Values, Elementwise or SameElements."""

    how: str
    evidence: tuple[Because, ...]
    once: tuple[Once, ...] = ()


@dataclass(frozen=True, slots=True)
class Members:
    """The rule, in the place of one of the kernel's."""

    definitions: tuple[Defined, ...]
    steps: tuple[Elements | Induct | SumOver, ...]
    conclusion: Conclusion

    def parameters(self) -> frozenset[Term]:
        """The parameters that occur anywhere."""
        terms = [each.body for each in self.definitions]
        reasons = list(self.conclusion.evidence)
        for step in self.steps:
            match step:
                case Elements(bag=bag):
                    terms.append(bag)
                case Induct(calls=calls, invariant=invariant, base=base, step=after):
                    terms += [invariant, *(each for _, given in calls for each in given)]
                    reasons += [base, after]
                case SumOver(evidence=evidence):
                    reasons += evidence
        reasons += [reason for once in self.conclusion.once for reason in once.reasons()]
        terms += [each for reason in reasons for _, given in reason.uses for each in given]
        return frozenset().union(*map(free_variables, terms))

    def requirements(self, goal: Judgement) -> Requirements:
        """The kernel does not have this rule."""
        raise KernelError("MEMBERS is a rule of the Coq development only")


@dataclass(frozen=True, slots=True)
class WithMembers(Certificate):
    """A certificate whose proof has MEMBERS: a version of the format that the extracted auditor alone reads."""

    VERSION: ClassVar[int] = 4


def with_members(certificate: Certificate) -> WithMembers:
    """The same certificate in that version."""
    return WithMembers(**{name: getattr(certificate, name) for name in names_of(Certificate)})
