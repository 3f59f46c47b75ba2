"""Z3's own quantifier elimination (tactic `qe`), for comparison with ours.

Its results are evidence for nothing: some are wrong (tests/core/solvers/test_conformance.py shows the smallest).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3
from tallystick.core.answers import Answer, Invalid, NoAnswer, Valid
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Relation,
)
from tallystick.core.presburger.linear import Linear
from tallystick.core.solvers.interface import TIMED_OUT, confirmed, milliseconds
from tallystick.core.terms import Term, free_variables


@dataclass(frozen=True)
class Z3QeSolver:
    """Eliminates all quantifiers with Z3's tactic; see `Solver` for its methods."""

    name: str = "z3-qe"

    def validity(self, formula: Term, deadline: float | None = None) -> Answer:
        return self.validity_forall_exists((), (), formula, deadline)

    def validity_forall_exists(
        self,
        universals: Sequence[Term],
        existentials: Sequence[Term],
        body: Term,
        deadline: float | None = None,
    ) -> Answer:
        conversion = Conversion()
        names = tuple(name for variable in existentials for name in conversion.unknowns(variable))
        converted = conversion.formula(body)
        bound_names = (*names, *conversion.auxiliary)
        eliminated = eliminate(Exists(bound_names, converted) if bound_names else converted, deadline)
        if isinstance(eliminated, NoAnswer):
            return eliminated
        search = z3.Solver(ctx=eliminated.ctx)
        remaining = milliseconds(deadline)
        if remaining is not None:
            search.set("timeout", max(1, remaining))
        search.add(z3.Not(eliminated))
        outcome = search.check()
        if outcome == z3.unsat:
            return Valid()
        if outcome != z3.sat:
            return NoAnswer(TIMED_OUT)
        found = search.model()
        values = {str(symbol): found[symbol].as_long() for symbol in found.decls()}  # pyright: ignore
        bound = set(existentials)
        variables = dict.fromkeys((*universals, *sorted(free_variables(body) - bound, key=repr)))
        model = conversion.model(values, variables)
        return confirmed(model, existentials, body, deadline, self.name)

    def truth(self, sentence: Formula, deadline: float | None = None) -> Answer:
        eliminated = eliminate(sentence, deadline)
        if isinstance(eliminated, NoAnswer):
            return eliminated
        if z3.is_true(eliminated):
            return Valid()
        return Invalid({}) if z3.is_false(eliminated) else NoAnswer("qe left quantifiers or unknowns behind")


def eliminate(formula: Formula, deadline: float | None = None) -> Any:
    """The formula without quantifiers as a Z3 expression, as Z3's tactics return it; or `NoAnswer`."""
    context = z3.Context()
    tactic = z3.Then(z3.Tactic("simplify", context), z3.Tactic("qe", context), z3.Tactic("simplify", context))
    remaining = milliseconds(deadline)
    if remaining == 0:
        return NoAnswer(TIMED_OUT)
    if remaining is not None:
        tactic = z3.TryFor(tactic, remaining, ctx=context)
    try:
        result: Any = tactic(encode(formula, context)).as_expr()
    except z3.Z3Exception:
        return NoAnswer(TIMED_OUT if milliseconds(deadline) == 0 else "z3-qe gave up")
    return result if not _quantified(result) else NoAnswer("qe left quantifiers behind")


def _quantified(expression: z3.ExprRef) -> bool:
    pending, seen = [expression], set()
    while pending:
        current = pending.pop()
        if z3.is_quantifier(current):
            return True
        if current.get_id() not in seen:
            seen.add(current.get_id())
            pending.extend(current.children())
    return False


def result_size(expression: z3.ExprRef) -> int:
    """How many atoms and connectives a quantifier-free result has, counted as for our own formulas."""
    if z3.is_and(expression) or z3.is_or(expression) or z3.is_not(expression):
        return 1 + sum(map(result_size, expression.children()))
    return 1


def encode(formula: Formula, context: z3.Context) -> Any:
    """A Presburger formula with Z3's own `mod` for divisibility."""

    def linear(term: Linear) -> Any:
        products = [z3.IntVal(factor, context) * z3.Int(name, context) for name, factor in term.coefficients]
        return z3.Sum(z3.IntVal(term.constant, context), *products)

    def visit(part: Formula) -> Any:
        match part:
            case Atom(Relation.AT_MOST, term):
                return linear(term) <= 0
            case Atom(Relation.EQUAL, term):
                return linear(term) == 0
            case Atom(Relation.DIFFERS, term):
                return linear(term) != 0
            case Atom(Relation.DIVIDES, term, divisor):
                return linear(term) % divisor == 0
            case Atom(Relation.INDIVISIBLE, term, divisor):
                return linear(term) % divisor != 0
            case And(parts):
                return z3.And(z3.BoolVal(True, context), *map(visit, parts))
            case Or(parts):
                return z3.Or(z3.BoolVal(False, context), *map(visit, parts))
            case Not(inner):
                return z3.Not(visit(inner))
            case Implies(premise, conclusion):
                return z3.Implies(visit(premise), visit(conclusion))
            case Iff(left, right):
                return visit(left) == visit(right)
            case Exists(names, body) | Forall(names, body):
                quantify = z3.Exists if isinstance(part, Exists) else z3.ForAll
                return quantify([z3.Int(name, context) for name in names], visit(body))
            case _:
                raise AssertionError(part)

    return visit(formula)
