"""The search for a refutation tree: a tableau guided by a simplex model (untrusted).

On each branch the simplex gives values that satisfy the branch's atoms, or a Farkas leaf. Only disjunctions
that these values falsify are split into cases, those first of which the bounds leave the fewest branches
open, so that definitions of conditionals matter only where their value does. Where all disjunctions hold but
a value is no integer, bounds are rounded modulo the equalities (`lattice`), then a value is split. A
refutation that does not use what its node added replaces the node: the other branches need not be searched.
The tree is numbered at the end, by replaying it with the checker's own `Facts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tallystick.certificates.evidence import Refutation
from tallystick.certificates.facts import Disjunction, Fact, Facts
from tallystick.certificates.forms import ONE, Form, tightened, total
from tallystick.certificates.refutation import require_formula
from tallystick.certificates.search.answers import Countermodel, GaveUp, SearchLimits
from tallystick.certificates.search.arithmetic import RATIONAL_SCALE, Arithmetic, Rounding
from tallystick.certificates.search.model import Model
from tallystick.certificates.search.plans import (
    ApplyPlan,
    CasePlan,
    CutPlan,
    LeafPlan,
    Plan,
    SplitPlan,
    congruence,
    numbered,
)
from tallystick.certificates.search.simplex import Conflict
from tallystick.core.clock import clock
from tallystick.core.errors import BudgetError, EvaluationError
from tallystick.core.interpreter import evaluate
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, subterms
from tallystick.core.types import RationalType, Value

DEFAULT_LIMITS = SearchLimits()
DEEPENING = ((3, None), (8, None), (8, 3))
"""How deep splits may nest in the first searches, and after how many of them a disjunction is split into cases although
the values satisfy it: a contradiction of remainders may need the definition of a conditional, which no splitting of
values finds; most need none, and are found sooner without."""
SPLITS_BEFORE_CASES = 3
"""The same for the last search, whose splits nest as deep as their limit allows."""


def search(formula: Term, limits: SearchLimits = DEFAULT_LIMITS) -> Refutation | Countermodel | GaveUp:
    """Decide a formula: a refutation that `check` accepts, values that falsify it, or the cap that was met.

    Raises RefutationError when `formula` is no formula.
    """
    try:
        require_formula(formula)
        facts = Facts()
        plan = _Tableau(formula, facts, limits).close_root()
        if plan is None:
            return GaveUp(f"more than {limits.splits} nested integer splits (SearchLimits.splits)")
        return numbered(formula, facts, plan)
    except _FoundError as found:
        return Countermodel(found.values)
    except _CapError as cap:
        return GaveUp(str(cap))
    except BudgetError as error:
        return GaveUp(str(error))
    except RecursionError:
        return GaveUp("the formula or its refutation is nested too deeply for Python's stack")


class _FoundError(Exception):
    def __init__(self, values: dict[Term, Value]) -> None:
        super().__init__()
        self.values = values


class _CapError(Exception):
    pass


class _Nesting(NamedTuple):
    """How many nodes, integer splits and rounds of cuts are above a node."""

    nodes: int
    splits: int
    cuts: int


class _Tableau:
    def __init__(self, formula: Term, facts: Facts, limits: SearchLimits) -> None:
        self._formula, self._facts, self._limits = formula, facts, limits
        rational = any(isinstance(node.type, RationalType) for node in subterms(formula))
        self._arithmetic = Arithmetic(RATIONAL_SCALE if rational else 1)
        self._split_up: set[Disjunction] = set()  # the disjunctions above in the tree
        self._congruent: set[tuple[Term, Term]] = set()  # the Apply nodes above in the tree
        self._opened = 0
        self._deadline = clock() + limits.seconds
        self._splits = 0  # the splits that are allowed to nest
        self._splits_before_cases: int | None = None

    def close_root(self) -> Plan | None:
        """A refutation, or None when splits would have to nest deeper than their limit.

        The limit is approached step by step: the integers that falsify a formula may lie near at hand, where
        unbounded variables lead a depth-first search far astray.
        """
        plan = None
        first = [step for step in DEEPENING if step[0] < self._limits.splits]
        for splits, before_cases in (*first, (self._limits.splits, SPLITS_BEFORE_CASES)):
            self._splits, self._splits_before_cases = splits, before_cases
            plan, _ = self._open(self._facts.lower(self._formula, False), _Nesting(0, 0, 0))
            if plan is not None:
                break
        return plan

    def _open(self, assumed: Iterable[Fact], nesting: _Nesting) -> tuple[Plan | None, set[Fact]]:
        """A refutation of the branch on which some facts are added, and what is new with them."""
        facts, simplex = self._facts, self._arithmetic.simplex
        bounds, start = simplex.mark(), len(facts.facts)
        with facts.branch():
            for fact in assumed:
                facts.add(fact)
            added = set(facts.facts[start:])
            plan = self._close(start, nesting)
            if plan is not None:
                added.difference_update(facts.facts[:start])
        simplex.restore(bounds)
        return plan, added

    def _close(self, start: int, nesting: _Nesting) -> Plan | None:
        """Refute the present branch, whose facts from number `start` on are new; None as in `close_root`."""
        self._count(nesting)
        arithmetic = self._arithmetic
        for fact in self._facts.facts[start:]:
            conflict = arithmetic.assume(fact) if isinstance(fact, Form) else None
            if conflict:
                return LeafPlan(conflict)
        conflict = arithmetic.simplex.check()
        if conflict:
            return LeafPlan(conflict)
        model = Model(self._facts, arithmetic, {})
        falsified, branches = model.falsified(self._split_up)
        if branches > 1 and arithmetic.scale > 1:
            fractional = arithmetic.fractional(self._facts.unknowns) if falsified is None else None
            if fractional is not None:
                return self._split(*fractional, nesting) if nesting.splits < self._splits else None
        elif branches > 1 and not arithmetic.is_integral(self._facts.unknowns):
            rounding = Rounding(arithmetic)
            cuts = rounding.cuts()
            if cuts:
                return self._cut(cuts, nesting)
            self._try(rounding.nearby())
            before_cases = self._splits_before_cases
            if falsified is None and before_cases is not None and nesting.splits >= before_cases:
                falsified = model.undecided(self._split_up)
            if falsified is None:
                return self._split(*rounding.split(), nesting) if nesting.splits < self._splits else None
        if falsified is None:
            pair = model.incongruent(self._congruent)
            if pair is not None:
                return self._apply(*pair, nesting)
            raise self._found(model)
        return self._case(falsified, nesting)

    def _count(self, nesting: _Nesting) -> None:
        self._opened += 1
        limits = self._limits
        if self._opened > limits.nodes:
            raise _CapError(f"more than {limits.nodes} branches (SearchLimits.nodes)")
        if nesting.nodes > limits.depth:
            raise _CapError(f"more than {limits.depth} nested nodes (SearchLimits.depth)")
        if nesting.cuts > limits.cuts:
            raise _CapError(f"more than {limits.cuts} nested rounds of cuts (SearchLimits.cuts)")
        if clock() > self._deadline:
            raise _CapError(f"more than {limits.seconds} seconds of processor time (SearchLimits.seconds)")

    def _case(self, disjunction: Disjunction, nesting: _Nesting) -> Plan | None:
        self._split_up.add(disjunction)
        lowered = [
            [fact for literal in branch for fact in self._facts.lower(*literal)] for branch in disjunction.branches
        ]
        result = self._all(lowered, nesting._replace(nodes=nesting.nodes + 1))
        self._split_up.remove(disjunction)
        if isinstance(result, tuple):
            branches, used = result
            return CasePlan(disjunction, tuple(branches), used | {disjunction})
        return result

    def _split(self, form: dict[Term, int], bound: int, nesting: _Nesting) -> Plan | None:
        below = Form(form, -bound)
        atoms = tightened(below), tightened(total((-1, below), (1, ONE)))
        nested = nesting._replace(nodes=nesting.nodes + 1, splits=nesting.splits + 1)
        result = self._all([[atom] for atom in atoms], nested)
        if isinstance(result, tuple):
            (first, second), used = result
            return SplitPlan(form, bound, atoms, (first, second), used | self._mentions(form))
        return result

    def _mentions(self, unknowns: Iterable[Term]) -> set[Fact]:
        """The first atoms that mention the unknowns: where these stay, a split can name them."""
        atoms = [fact for fact in self._facts.facts if isinstance(fact, Form)]
        return {next(atom for atom in atoms if unknown in atom.coefficients) for unknown in unknowns}

    def _all(self, branches: list[list[Fact]], nesting: _Nesting) -> tuple[list[Plan], set[Fact]] | Plan | None:
        """Refutations of all branches and what they use of the facts above; or one that needs only these."""
        plans: list[Plan] = []
        used: set[Fact] = set()
        for assumed in branches:
            plan, added = self._open(assumed, nesting)
            if plan is not None:
                if added.isdisjoint(plan.used):
                    return plan
                used |= plan.used - added
                plans.append(plan)
        return (plans, used) if len(plans) == len(branches) else None

    def _cut(self, cuts: list[tuple[Conflict, Form]], nesting: _Nesting) -> Plan | None:
        start = len(self._facts.facts)
        for _, atom in cuts:
            self._facts.add(atom)
        plan = self._close(start, nesting._replace(nodes=nesting.nodes + len(cuts), cuts=nesting.cuts + 1))
        for combination, atom in reversed(cuts):
            if plan is not None and atom in plan.used:
                used = plan.used - {atom} | {summand for summand, _ in combination}
                plan = CutPlan(combination, atom, plan, used)
        return plan

    def _apply(self, first: Term, second: Term, nesting: _Nesting) -> Plan | None:
        """Equal arguments have equal values, as a further fact."""
        facts = self._facts
        start = len(facts.facts)
        facts.assume((congruence(facts, first, second), True))
        new = set(facts.facts[start:])
        self._congruent.add((first, second))
        plan = self._close(start, nesting._replace(nodes=nesting.nodes + 1))
        self._congruent.remove((first, second))
        if plan is None or new.isdisjoint(plan.used):
            return plan
        return ApplyPlan(first, second, plan, plan.used - new | self._mentions((first, second)))

    def _try(self, point: dict[Term, int] | None) -> None:
        """Raise the countermodel that a point gives, if it satisfies the disjunctions as well."""
        if point is not None:
            model = Model(self._facts, self._arithmetic, point)
            if model.falsified(self._split_up)[0] is None and model.incongruent(set()) is None:
                raise self._found(model)

    def _found(self, model: Model) -> Exception:
        values = model.assignment(self._formula)
        try:
            if evaluate(self._formula, values) is False:
                return _FoundError(values)
        except EvaluationError:  # a function has no value
            pass
        if any(node.operator in (Operator.APPLY, Operator.MULTIPLY) for node in subterms(self._formula)):
            return _CapError("it does not follow from what is known of functions and products")
        return _CapError("values that satisfy the negation do not falsify the formula: a defect of the search")
