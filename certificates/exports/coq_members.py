"""Proofs by MEMBERS, a rule that only the Coq development has (`coq/MembersRule.v`): elements, folds and sums.

The classes are plain data, as `coq/` has them. `Any(i)` there is the variable `parameter(i, type)` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from tallystick.certificates.annotations import names_of
from tallystick.certificates.evidence import Evidence
from tallystick.certificates.judgements import Judgement, Requirements
from tallystick.certificates.proofs import Certificate
from tallystick.core.binders import element_type
from tallystick.core.errors import KernelError
from tallystick.core.monomials import name_of
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    FALSE,
    Term,
    accumulator,
    apply,
    apply_function,
    build,
    conjunction,
    constant,
    default_term,
    disjunction,
    element,
    equal,
    free_variables,
    implies,
    negation,
    project,
    substitute,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, BasicType, TupleType, Type

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
    """A sum over a bag is one over what it is made of; `how` is OverMap, OverFilter or OverKeys."""

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


@dataclass(slots=True)
class Theory:
    """Definitions and laws so far: the formulas are those that `coq/` computes.

    Attributes:
        hypothesis: what holds of the programs' parameters.
    """

    hypothesis: Term
    definitions: list[Defined] = field(default_factory=list)
    laws: list[Law] = field(default_factory=list)
    steps: list[Elements | Induct | SumOver] = field(default_factory=list)

    def define(self, takes: Types, body: Term) -> Defined:
        """The function with this body, which is defined if it is not."""
        for known in self.definitions:
            if (known.takes, known.body) == (takes, body):
                return known
        made = Defined(f"defined {len(self.definitions)}", takes, body)
        self.definitions.append(made)
        return made

    def number(self, function: Defined) -> int:
        """Which definition a function is."""
        return self.definitions.index(function)

    def member(self, over: Types, bag: Term) -> Defined:
        """Whether the last of its arguments is in a bag over the others."""
        of = element_type(bag)
        met = build(Operator.OR, (accumulator(BOOL), build(Operator.EQUAL, (element(of), parameter(len(over), of)))))
        return self.define((*over, of), build(Operator.FOLD, (FALSE, met, bag)))

    def known_member(self, over: Types, bag: Term, item: Term) -> list[Term]:
        """That an item is in a bag, if the function that says so is defined."""
        before = len(self.definitions)
        function = self.member(over, bag)
        if len(self.definitions) > before:
            self.definitions.pop()
            return []
        return [function(*parameters(over), item)]

    def named(self, formula: Term) -> Term:
        """A formula, with folds called by the names that were given to them."""
        names = {each.body: each() for each in reversed(self.definitions) if not each.takes}
        return substitute(formula, names)

    def instance(self, number: int, arguments: tuple[Term, ...]) -> Term:
        """A law for these arguments."""
        law = self.laws[number]
        return substitute(law.says, dict(zip(parameters(law.over), arguments, strict=True)))

    def premise(self, hypotheses: Iterable[Term], goal: Term, uses: Iterable[tuple[int, tuple[Term, ...]]]) -> Term:
        """What a tree has to prove."""
        known = [self.hypothesis, *hypotheses, *(self.instance(*use) for use in uses)]
        return self.named(implies(conjunction(*known), goal))

    def decomposed(self, over: Types, bag: Term) -> None:
        """The laws about the elements of a bag; defines the functions that they mention."""
        found = [*self._decomposed(over, bag)]
        self.steps.append(Elements(over, bag))
        self.laws += found

    def _decomposed(self, over: Types, bag: Term) -> Iterable[Law]:
        of = element_type(bag)
        own, item, given = self.member(over, bag), parameter(len(over), of), parameters(over)
        inside = own(*given, item)
        arguments = bag.arguments
        match bag.operator:
            case Operator.MAP:
                udf, source = arguments
                had = element_type(source)
                other = self.member(over, source)
                chosen = self.chooser((*over, of), build(Operator.EQUAL, (udf, item)), source)(*given, item)
                each = parameter(len(over), had)
                yield Law(
                    (*over, of), implies(inside, conjunction(other(*given, chosen), equal(apply(udf, chosen), item)))
                )
                yield Law((*over, had), implies(other(*given, each), own(*given, apply(udf, each))))
            case Operator.FILTER:
                both = conjunction(self.member(over, arguments[1])(*given, item), apply(arguments[0], item))
                yield Law((*over, of), implies(inside, both))
                yield Law((*over, of), implies(both, inside))
            case Operator.CARTESIAN:
                left, right = (self.member(over, each) for each in arguments)
                types = tuple(map(element_type, arguments))
                y, z = parameters(types, len(over))
                parts = conjunction(left(*given, project(item, 0)), right(*given, project(item, 1)))
                yield Law((*over, of), implies(inside, parts))
                both = conjunction(left(*given, y), right(*given, z))
                yield Law((*over, *types), implies(both, own(*given, tuple_of(y, z))))
            case Operator.UNION:
                either = disjunction(*(self.member(over, each)(*given, item) for each in arguments))
                yield Law((*over, of), implies(inside, either))
                yield Law((*over, of), implies(either, inside))
            case Operator.DISTINCT:
                other = self.member(over, arguments[0])(*given, item)
                yield Law((*over, of), implies(inside, other))
                yield Law((*over, of), implies(other, inside))
            case Operator.WITHOUT:
                udf, bag, taken = arguments
                gone = self.member(over, taken)(*given, apply(udf, item))
                alone = conjunction(self.member(over, bag)(*given, item), negation(gone))
                yield Law((*over, of), implies(inside, alone))
                yield Law((*over, of), implies(alone, inside))
            case Operator.FOLD_BY_KEY:
                yield from self._by_key(over, bag, own)

    def _by_key(self, over: Types, bag: Term, own: Defined) -> Iterable[Law]:
        of, given, source = element_type(bag), parameters(over), bag.arguments[2]
        pair: TupleType = element_type(source)  # type: ignore[assignment]
        key_type = pair.components[0]
        other, value = self.member(over, source), self.bucket(over, bag)
        of_key = build(Operator.EQUAL, (project(element(pair), 0), parameter(len(over), key_type)))
        chooser = self.chooser((*over, key_type), of_key, source)
        item, each = parameter(len(over), of), parameter(len(over), pair)
        key = project(item, 0)
        chosen = chooser(*given, key)
        there = conjunction(other(*given, chosen), equal(project(chosen, 0), key))
        yield Law(
            (*over, of),
            implies(own(*given, item), conjunction(equal(project(item, 1), value(*given, key)), there)),
        )
        made = tuple_of(project(each, 0), value(*given, project(each, 0)))
        yield Law((*over, pair), implies(other(*given, each), own(*given, made)))

    def chooser(self, takes: Types, condition: Term, bag: Term) -> Defined:
        """An element of a bag that satisfies a condition, if there is one."""
        of = element_type(bag)
        chosen = build(Operator.ITE, (condition, element(of), accumulator(of)))
        return self.define(takes, build(Operator.FOLD, (default_term(of), chosen, bag)))

    def bucket(self, over: Types, fold: Term) -> Defined:
        """What a by-key fold accumulates for a key."""
        start, udf, source = fold.arguments
        pair: TupleType = element_type(source)  # type: ignore[assignment]
        values = self.bucket_of(over, source)
        return self.define((*over, pair.components[0]), build(Operator.FOLD, (start, udf, values)))

    def bucket_of(self, over: Types, source: Term) -> Term:
        """The values of a key."""
        return build(Operator.MAP, (project(element(element_type(source)), 1), self.of_key(over, source)))

    def of_key(self, over: Types, source: Term) -> Term:
        """The pairs of a key."""
        pair: TupleType = element_type(source)  # type: ignore[assignment]
        wanted = build(Operator.EQUAL, (project(element(pair), 0), parameter(len(over), pair.components[0])))
        return build(Operator.FILTER, (wanted, source))

    def sum(self, takes: Types, weight: Term, bag: Term) -> Defined:
        """The sum of a function over the elements of a bag."""
        step = build(Operator.ADD, (accumulator(weight.type), weight))  # type: ignore[arg-type]
        return self.define(takes, build(Operator.FOLD, (constant(0), step, bag)))
