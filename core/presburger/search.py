"""Satisfiability of quantifier-free formulas: disjuncts are explored lazily, guided by models, with back-
jumping.

The search keeps a store of literals and the disjunctions that are still open. It solves the literals first; a
disjunction is opened only when the solution violates it. Each opened case is a bit; a conflict names the bits
that it needs, and a case whose bit is not among them refutes its siblings too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Formula,
    Or,
    at_most,
    holds,
    negate,
    normal_form,
)
from tallystick.core.presburger.fourier_motzkin import Conflict, Values
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.store import FRESH, Store

FEW = 8
"""Up to how many cases each may assume that those before it are refuted; beyond, assuming so costs too
much."""


class Clause(NamedTuple):
    """A disjunction that must hold because of `origins`."""

    parts: tuple[Formula, ...]
    origins: int


def satisfy(formula: Formula, limits: Limits = DEFAULT_LIMITS) -> Values | None:
    """Integers for the unknowns (0 for those not mentioned) that make a quantifier-free formula true, or
    None.

    Raises LimitError.
    """
    return satisfy_lazily(formula, lambda _: None, limits)


def satisfy_lazily(formula: Formula, lemma: Callable[[Values], Formula | None], limits: Limits) -> Values | None:
    """Values that satisfy a quantifier-free formula and all lemmas, or None; raises LimitError.

    `lemma` gets values that satisfy the formula and the lemmas so far. It returns a quantifier-free formula
    that is false there and must hold too, or None to accept the values. The search goes on where it was.
    """
    search = _Search(normal_form(formula, limits), lemma, limits)
    found = search.explore(Store(limits, search.fresh), [], [Clause((search.goal,), 0)], 0)
    return None if isinstance(found, Conflict) else found


class _Search:
    """The clauses that a branch holds are those of its decisions and the first so many lemmas."""

    def __init__(self, goal: Formula, lemma: Callable[[Values], Formula | None], limits: Limits) -> None:
        self.goal = goal
        self._lemma = lemma
        self._lemmas: list[Clause] = []
        self._limits = limits
        self._branches = 0
        self.fresh: Iterator[str] = (f"{FRESH}{index}" for index in count())

    def explore(
        self, store: Store, clauses: list[Clause], added: list[Clause], level: int, known: int = 0
    ) -> Values | Conflict:
        """A model of the store, the clauses, what is added to them, and all lemmas; or a conflict.

        `level` is the number of decisions so far, `known` the number of lemmas among the clauses.
        """
        self._branches += 1
        self._limits.check("branches", self._branches)
        self._limits.check("nested_cases", level)
        clauses = clauses + added
        while True:
            clauses += self._lemmas[known:]
            known = len(self._lemmas)
            conflict = _propagate(store, clauses)
            if conflict is not None:
                return conflict
            found = store.solve()
            if isinstance(found, Conflict):
                return found
            violated = [clause for clause in clauses if not any(holds(part, found) for part in clause.parts)]
            if violated:
                chosen = min(violated, key=lambda clause: len(clause.parts))
                clauses.remove(chosen)
                return self._cases(store, clauses, chosen, level, known)
            apart = list(store.violated(found))
            if not apart:
                if self._accepts(found):
                    return found
                continue
            term, divisor, origins = min(apart, key=lambda item: item[1])
            if divisor == 0:
                sides = (at_most(term.shift(1)), at_most(term.times(-1).shift(1)))
                return self._cases(store, clauses, Clause(sides, origins), level, known)
            conflict = store.name_remainder(term, divisor, origins)
            if conflict is not None:
                return conflict

    def _accepts(self, found: Values) -> bool:
        """Whether the values stand; otherwise there is one more lemma."""
        if not holds(self.goal, found):
            raise AssertionError("the values found do not satisfy the formula")
        lemma = self._lemma(found)
        if lemma is None:
            return True
        if holds(lemma, found):
            raise AssertionError("the lemma does not exclude the values")
        self._lemmas.append(Clause((lemma,), 0))
        return False

    def _cases(self, store: Store, clauses: list[Clause], chosen: Clause, level: int, known: int) -> Values | Conflict:
        """Opens the cases of a clause in turn; each may assume that the atoms before it are refuted."""
        blamed = chosen.origins
        bit = 1 << level
        refuted: list[Clause] = []
        for part in chosen.parts:
            found = self.explore(store.copy(), clauses, [*refuted, Clause((part,), bit)], level + 1, known)
            if not isinstance(found, Conflict) or not found.origins & bit:
                return found
            blamed |= found.origins & ~bit
            if isinstance(part, Atom) and len(chosen.parts) <= FEW:
                refuted.append(Clause((negate(part),), found.origins & ~bit))
        return Conflict(blamed)


def _propagate(store: Store, clauses: list[Clause]) -> Conflict | None:
    """Removes refuted disjuncts and asserts single ones until nothing changes; edits `clauses` in place."""
    changed = True
    while changed:
        changed = False
        remaining: list[Clause] = []
        for clause in clauses:
            parts, origins = _open_parts(store, clause)
            if len(parts) > 1:
                remaining.append(Clause(parts, origins))
                continue
            changed = True
            if not parts:
                return Conflict(origins)
            conflict = _assert(store, parts[0], origins, remaining)
            if conflict is not None:
                return conflict
        clauses[:] = remaining
    return None


def _assert(store: Store, formula: Formula, origins: int, clauses: list[Clause]) -> Conflict | None:
    """Adds the literals of a conjunction to the store and its disjunctions to the clauses."""
    match formula:
        case Atom():
            return store.add(formula, origins)
        case And(parts):
            for part in parts:
                conflict = _assert(store, part, origins, clauses)
                if conflict is not None:
                    return conflict
            return None
        case Or(parts):
            clause = Clause(parts, origins)
            if clause not in clauses:
                clauses.append(clause)
            return None
        case _:
            raise ValueError("expected a quantifier-free formula in negation normal form")


def _open_parts(store: Store, clause: Clause) -> tuple[tuple[Formula, ...], int]:
    """The disjuncts without those before the second open one that are refuted at sight, and the origins of all that."""
    origins = clause.origins
    parts: list[Formula] = []
    for index, part in enumerate(clause.parts):
        because = _refutation(store, part)
        if because is not None:
            origins |= because
            continue
        parts.append(part)
        if len(parts) == 2:
            parts += clause.parts[index + 1 :]
            break
    return tuple(parts), origins


def _refutation(store: Store, formula: Formula) -> int | None:
    match formula:
        case Atom():
            return store.refutes(formula)
        case And(parts):
            for part in parts:
                because = _refutation(store, part)
                if because is not None:
                    return because
            return None
        case Or(parts):
            blamed = 0
            for part in parts:
                because = _refutation(store, part)
                if because is None:
                    return None
                blamed |= because
            return blamed
        case _:
            raise ValueError("expected a quantifier-free formula in negation normal form")
