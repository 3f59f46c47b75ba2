"""Truth of sentences: the outermost alternation is played lazily, deeper blocks are eliminated (lift.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from tallystick.core.presburger.conjunctions import refuse
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Or,
    at_most,
    conjunction,
    disjunction,
    equal,
    free_names,
    nnf,
    normal_form,
    remake,
)
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.lift import lift
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.linear import Linear, unknown
from tallystick.core.presburger.projection import implicant, project
from tallystick.core.presburger.search import satisfy, satisfy_lazily


def decide(sentence: Formula, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Whether a formula without free unknowns is true.

    Raises ValueError when an unknown is free, and LimitError.
    """
    free = free_names(sentence)
    if free:
        raise ValueError(f"only a sentence can be decided; these unknowns are free: {', '.join(sorted(free))}")
    return _decide(normal_form(sentence, limits), limits)


def _decide(sentence: Formula, limits: Limits) -> bool:
    match sentence:
        case And(parts):
            return all(_decide(part, limits) for part in parts)
        case Or(parts):
            return any(_decide(part, limits) for part in parts)
        case Exists():
            return _satisfy_alternation(sentence, limits)
        case Forall(names, body):
            return not _decide(Exists(names, nnf(body, positive=False)), limits)
        case _:
            raise ValueError("a sentence in negation normal form has no other shape")


def _satisfy_alternation(sentence: Formula, limits: Limits) -> bool:
    """Whether a sentence of ∃, ∧, ∨, atoms and universal subformulas is true.

    Each ∀y. ψ is read as ¬R, with R growing towards ∃y. ¬ψ: values that satisfy the sentence read so are
    refuted by values of y, and a projection of what holds there joins R; or they cannot be refuted.
    """
    universals: list[_Universal] = []
    body = _open(sentence, count(), universals, limits)

    def refute(values: Values) -> Formula | None:
        found = [lemma for universal in universals if (lemma := universal.refute(values, limits)) is not None]
        return conjunction(found) if found else None

    return satisfy_lazily(body, refute, limits) is not None


@dataclass(slots=True)
class _Universal:
    """A subformula ∀ names. ¬negated that the atom flag ≥ 1 stands for."""

    flag: str
    names: frozenset[str]
    negated: Formula
    refuted: int = 0

    def refute(self, values: Values, limits: Limits) -> Formula | None:
        """What the flag implies and the values violate, if they set the flag although the subformula is false."""
        if values.get(self.flag, 0) < 1:
            return None
        outer = sorted(free_names(self.negated) - self.names)
        fixed = (equal(unknown(name).shift(-values.get(name, 0))) for name in outer)
        inner = satisfy(conjunction((self.negated, *fixed)), limits)
        if inner is None:
            return None
        self.refuted += 1
        limits.check("disjuncts", self.refuted)
        inner = {**dict.fromkeys(free_names(self.negated), 0), **inner}
        literals = implicant(self.negated, inner, self.names)
        return disjunction((at_most(unknown(self.flag)), refuse(project(literals, self.names, inner, limits))))


def _open(formula: Formula, fresh: Iterator[int], universals: list[_Universal], limits: Limits) -> Formula:
    """The formula with bound unknowns renamed and free, and flags in place of universal subformulas."""
    match formula:
        case And(parts):
            return conjunction(_open(part, fresh, universals, limits) for part in parts)
        case Or(parts):
            return disjunction(_open(part, fresh, universals, limits) for part in parts)
        case Exists(names, body):
            new = {name: unknown(f"{name}~{next(fresh)}") for name in names}
            return _open(_rename(body, new), fresh, universals, limits)
        case Forall(names, body):
            flag = f"∀{next(fresh)}"
            negated = lift(nnf(body, positive=False), limits)
            universals.append(_Universal(flag, frozenset(names), negated))
            return at_most(unknown(flag, -1).shift(1))
        case _:
            return formula


def _rename(formula: Formula, new: Mapping[str, Linear]) -> Formula:
    """A formula in negation normal form with new unknowns, that it does not bind, for free ones."""
    match formula:
        case Exists(names, body) | Forall(names, body):
            quantifier = Exists if isinstance(formula, Exists) else Forall
            return quantifier(names, _rename(body, {n: t for n, t in new.items() if n not in names}))
        case And(parts):
            return conjunction(_rename(part, new) for part in parts)
        case Or(parts):
            return disjunction(_rename(part, new) for part in parts)
        case Atom():
            return _renamed(formula, new)
        case _:
            raise ValueError("expected a formula in negation normal form")


def _renamed(atom: Atom, new: Mapping[str, Linear]) -> Formula:
    term = atom.term
    for name, replacement in new.items():
        term = term.substitute(name, replacement)
    return remake(atom, term, atom.divisor)
