"""The search for a refutation tree: a tableau guided by a simplex model (untrusted).

On each branch the simplex gives values that satisfy the branch's atoms, or a Farkas leaf. Only disjunctions
that these values falsify are split into cases, those first of which the bounds leave the fewest branches open,
so that definitions of conditionals matter only where their value does. Where all disjunctions hold but a value
is no integer, bounds are rounded modulo the equalities (`lattice`), then a value is split. A refutation that
does not use what its node added replaces the node: the other branches need not be searched. The tree is
numbered at the end, by replaying it with the checker's own `Facts`.
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

from tallystick.certificates.facts import (
    Atom,
    Disjunction,
    Fact,
    Facts,
    Literal,
    require_formula,
    tightened,
    total,
)
from tallystick.certificates.refutation import Refutation
from tallystick.certificates.search.answers import Countermodel, GaveUp, Limits
from tallystick.certificates.search.evaluation import evaluate
from tallystick.certificates.search.lattice import Bound, Equality, Lattice
from tallystick.certificates.search.plans import CasePlan, CutPlan, LeafPlan, Plan, SplitPlan, numbered
from tallystick.certificates.search.simplex import Conflict, Simplex
from tallystick.core.terms import Operator, Term, build, free_variables
from tallystick.core.types import BasicType, BoolType, IntType, TupleType, Value

DEFAULT_LIMITS = Limits()


def search(formula: Term, limits: Limits = DEFAULT_LIMITS) -> Refutation | Countermodel | GaveUp:
    """Decide a formula: a refutation that `check` accepts, values that falsify it, or the cap that was met.

    Raises RefutationError when `formula` is no formula.
    """
    require_formula(formula)
    try:
        facts = Facts()
        plan = _Tableau(formula, facts, limits).close_root()
        return numbered(formula, facts, plan)
    except _FoundError as found:
        return Countermodel(found.values)
    except _CapError as cap:
        return GaveUp(str(cap))
    except RecursionError:
        return GaveUp("the formula is nested too deeply")


class _FoundError(Exception):
    def __init__(self, values: dict[Term, Value]) -> None:
        super().__init__()
        self.values = values


class _CapError(Exception):
    pass


class _Tableau:
    def __init__(self, formula: Term, facts: Facts, limits: Limits) -> None:
        self.formula, self.facts, self.limits = formula, facts, limits
        self.simplex = Simplex()
        self.nodes = 0
        self.deadline = monotonic() + limits.seconds
        self.variables: dict[Term, int] = {}  # unknowns in the simplex
        self.forms: dict[tuple[tuple[int, int], ...], int] = {}  # forms in the simplex
        self.vectors: dict[int, dict[int, int]] = {}  # each simplex variable as a form in unknowns
        self.bounds: dict[Atom, tuple[int, bool, int]] = {}  # (variable, is upper, bound) of an atom
        self.split_up: set[Disjunction] = set()  # the disjunctions above in the tree
        self.values: dict[Term, int | Fraction] = {}  # the model's value of unknowns, at the present node

    def close_root(self) -> Plan:
        self.facts.assume([(self.formula, False)])
        return self._close(0, 0, 0, 0)

    # Opening and closing branches

    def _close(self, start: int, depth: int, splits: int, cuts: int) -> Plan:
        """Refute the present branch, whose facts from number `start` on are new."""
        self._count(depth, splits, cuts)
        conflict = None
        for fact in self.facts.facts[start:]:
            if isinstance(fact, Atom):
                conflict = self._assert(fact)
                if conflict:
                    return LeafPlan(conflict)
        conflict = self.simplex.check()
        if conflict:
            return LeafPlan(conflict)
        self.values.clear()
        chosen, live = self._choose()
        fractional = self._fractional()
        if fractional and live > 1:
            combinations = self._round()
            if combinations:
                return self._cut(combinations, depth, splits, cuts)
        if chosen is not None:
            return self._case(chosen, depth, splits, cuts)
        if fractional:
            return self._split(fractional, depth, splits, cuts)
        raise self._countermodel()

    def _count(self, depth: int, splits: int, cuts: int) -> None:
        self.nodes += 1
        limits = self.limits
        if self.nodes > limits.nodes:
            raise _CapError(f"more than {limits.nodes} branches (Limits.nodes)")
        if depth > limits.depth:
            raise _CapError(f"more than {limits.depth} nested nodes (Limits.depth)")
        if splits > limits.splits:
            raise _CapError(f"more than {limits.splits} nested integer splits (Limits.splits)")
        if cuts > limits.cuts:
            raise _CapError(f"more than {limits.cuts} nested rounds of cuts (Limits.cuts)")
        if monotonic() > self.deadline:
            raise _CapError(f"more than {limits.seconds} seconds (Limits.seconds)")

    def _open(self, assumed: tuple[Literal, ...] | Atom, depth: int, splits: int, cuts: int) -> tuple[Plan, set[Fact]]:
        """A refutation of the branch in which something more is assumed, and the facts that this adds."""
        facts, simplex = self.facts, self.simplex
        mark, bounds, start = facts.mark(), simplex.mark(), len(facts.facts)
        if isinstance(assumed, Atom):
            facts.add(assumed)
        else:
            facts.assume(assumed)
        added = set(facts.facts[start:])
        added.difference_update(facts.facts[:start])
        plan = self._close(start, depth + 1, splits, cuts)
        simplex.restore(bounds)
        facts.restore(mark)
        return plan, added

    def _case(self, disjunction: Disjunction, depth: int, splits: int, cuts: int) -> Plan:
        self.split_up.add(disjunction)
        branches: list[Plan] = []
        used: set[Fact] = {disjunction}
        for literals in disjunction.branches:
            plan, added = self._open(literals, depth, splits, cuts)
            if added.isdisjoint(plan.used):
                self.split_up.remove(disjunction)
                return plan
            used |= plan.used - added
            branches.append(plan)
        self.split_up.remove(disjunction)
        return CasePlan(disjunction, tuple(branches), used)

    def _split(self, fractional: list[int], depth: int, splits: int, cuts: int) -> Plan:
        variable, bound = self._split_point(fractional)
        form = self._terms(variable)
        used: set[Fact] = set()
        branches: list[Plan] = []
        atoms = tightened((form, -bound)), tightened(total([(-1, form, -bound - 1)]))
        for atom in atoms:
            plan, added = self._open(atom, depth, splits + 1, cuts)
            if added.isdisjoint(plan.used):
                return plan
            used |= plan.used - added
            branches.append(plan)
        return SplitPlan(form, bound, atoms, (branches[0], branches[1]), used)

    def _cut(self, combinations: list[tuple[Conflict, Atom]], depth: int, splits: int, cuts: int) -> Plan:
        start = len(self.facts.facts)
        for _, atom in combinations:
            self.facts.add(atom)
        plan = self._close(start, depth + len(combinations), splits, cuts + 1)
        for combination, atom in reversed(combinations):
            if atom in plan.used:
                used = plan.used - {atom} | {summand for summand, _ in combination}
                plan = CutPlan(combination, atom, plan, used)
        return plan

    # Atoms as bounds in the simplex

    def _variable(self, unknown: Term) -> int:
        known = self.variables.get(unknown)
        if known is None:
            known = self.variables[unknown] = self.simplex.new_variable()
            self.vectors[known] = {known: 1}
        return known

    def _bound(self, atom: Atom) -> tuple[int, bool, int]:
        """The simplex variable that the atom bounds, whether from above, and the bound."""
        known = self.bounds.get(atom)
        if known is None:
            form = sorted([(self._variable(unknown), part) for unknown, part in atom.coefficients.items()])
            is_upper = form[0][1] > 0
            if not is_upper:
                form = [(variable, -part) for variable, part in form]
            key = tuple(form)
            variable = self.forms.get(key)
            if variable is None:
                variable = form[0][0] if len(form) == 1 else self.simplex.new_form(form)
                self.forms[key] = variable
                self.vectors[variable] = dict(form)
            known = self.bounds[atom] = variable, is_upper, -atom.constant if is_upper else atom.constant
        return known

    def _assert(self, atom: Atom) -> Conflict | None:
        if not atom.coefficients:
            return [(atom, 1)] if atom.constant > 0 else None
        variable, is_upper, bound = self._bound(atom)
        return (self.simplex.assert_upper if is_upper else self.simplex.assert_lower)(variable, bound, atom)

    def _terms(self, variable: int) -> dict[Term, int]:
        """A simplex variable as a form in unknowns."""
        vector = self.vectors[variable]
        return {unknown: vector[index] for unknown, index in self.variables.items() if index in vector}

    # What the model falsifies

    def _choose(self) -> tuple[Disjunction | None, int]:
        """A disjunction that the model falsifies, with the fewest branches that the bounds leave open, or None."""
        chosen, fewest = None, 1_000_000
        for fact in self.facts.facts:
            if isinstance(fact, Disjunction) and fact not in self.split_up and not self._holds_some(fact):
                live = sum([not self._refuted(branch) for branch in fact.branches])
                if live <= 1:
                    return fact, live
                if live < fewest:
                    chosen, fewest = fact, live
        return chosen, fewest

    def _holds_some(self, disjunction: Disjunction) -> bool:
        return any(all(self._holds(*literal) for literal in branch) for branch in disjunction.branches)

    def _holds(self, term: Term, holds: bool) -> bool:
        """Whether the model satisfies a literal."""
        for fact in self.facts.lower(term, holds):
            if isinstance(fact, Atom):
                if self._sum(fact.coefficients, fact.constant) > 0:
                    return False
            elif not self._holds_some(fact):
                return False
        return True

    def _sum(self, coefficients, constant: int) -> int | Fraction:  # type: ignore[no-untyped-def]
        result = constant
        for unknown, part in coefficients.items():
            result += part * self._value(unknown)
        return result

    def _value(self, unknown: Term) -> int | Fraction:
        """The simplex' value of an unknown of this branch; another's value follows from its definition."""
        known = self.values.get(unknown)
        if known is None:
            if unknown in self.facts.unknowns and unknown in self.variables:
                known = self.simplex.value(self.variables[unknown])
            elif unknown.operator is Operator.DIV:
                known = self._sum(*self.facts.form(unknown.arguments[0])) // unknown.parameter  # type: ignore[operator]
            elif unknown.operator is Operator.ITE:
                condition, then, otherwise = unknown.arguments
                known = self._sum(*self.facts.form(then if self._holds(condition, True) else otherwise))
            else:
                known = 0
            self.values[unknown] = known
        return known

    def _refuted(self, literals: tuple[Literal, ...]) -> bool:
        """Whether an atom of the literals contradicts a bound."""
        for term, holds in literals:
            for fact in self.facts.lower(term, holds):
                if isinstance(fact, Atom) and self._contradicts(fact):
                    return True
        return False

    def _contradicts(self, atom: Atom) -> bool:
        if not atom.coefficients:
            return atom.constant > 0
        variable, is_upper, bound = self._bound(atom)
        opposite = self.simplex.lower[variable] if is_upper else self.simplex.upper[variable]
        return opposite is not None and (opposite > bound if is_upper else opposite < bound)

    def _countermodel(self) -> Exception:
        values = {variable: self._assigned(variable) for variable in _in_order(free_variables(self.formula))}
        if evaluate(self.formula, values) is False:
            return _FoundError(values)
        return _CapError("a model of the negation does not falsify the formula: a defect of the search")

    def _assigned(self, term: Term) -> Value:
        match term.type:
            case IntType():
                return int(self._value(term))
            case BoolType():
                return self._value(term) >= 1
            case TupleType(components):
                parts = (build(Operator.PROJECTION, (term,), index) for index in range(len(components)))
                return tuple(map(self._assigned, parts))
        raise TypeError(f"a formula has no variable of type {term.type}")

    # Integers

    def _fractional(self) -> list[int]:
        """The simplex variables that stand for unknowns of this branch and have no integer value."""
        rows, variables = self.simplex.rows, self.variables
        result: list[int] = []
        for unknown in self.facts.unknowns:
            row = rows.get(variables[unknown])
            if row is not None and row.denominator != 1 and row.numerator % row.denominator:
                result.append(variables[unknown])
        return result

    def _round(self) -> list[tuple[Conflict, Atom]]:
        """Cuts that tighten bounds modulo the equalities of the branch."""
        equalities, bounds = self._constraints()
        lattice = Lattice(equalities)
        combinations = lattice.inconsistent or [cut for bound in bounds if (cut := lattice.cut(bound)) is not None]
        result: list[tuple[Conflict, Atom]] = []
        for combination in combinations:
            atom = tightened(total((part, atom.coefficients, atom.constant) for atom, part in combination))
            if not atom.coefficients or self._tightens(atom):
                result.append((combination, atom))
        return result

    def _tightens(self, atom: Atom) -> bool:
        variable, is_upper, bound = self._bound(atom)
        known = self.simplex.upper[variable] if is_upper else self.simplex.lower[variable]
        return known is None or (known > bound if is_upper else known < bound)

    def _constraints(self) -> tuple[list[Equality], list[Bound]]:
        simplex = self.simplex
        equalities: list[Equality] = []
        bounds: list[Bound] = []
        for variable, vector in self.vectors.items():
            lower, upper = simplex.lower[variable], simplex.upper[variable]
            lower_atom, upper_atom = simplex.lower_atom[variable], simplex.upper_atom[variable]
            if lower_atom is not None and upper_atom is not None and lower == upper:
                equalities.append(Equality(vector, upper, upper_atom, lower_atom))  # type: ignore[arg-type]
                continue
            if upper_atom is not None:
                bounds.append(Bound(vector, upper, upper_atom))  # type: ignore[arg-type]
            if lower_atom is not None:
                negated = {unknown: -part for unknown, part in vector.items()}
                bounds.append(Bound(negated, -lower, lower_atom))  # type: ignore[operator]
        return equalities, bounds

    def _split_point(self, fractional: list[int]) -> tuple[int, int]:
        """A simplex variable and an integer to split at: a bounded variable if there is one."""
        simplex = self.simplex
        best: tuple[int, int, int] | None = None
        for variable in self.vectors:
            lower, upper = simplex.lower[variable], simplex.upper[variable]
            if lower is not None and upper is not None and lower < upper:
                value = simplex.value(variable)
                whole = isinstance(value, int)
                candidate = (upper - lower + (10 if whole else 0), variable, min(int(value // 1), upper - 1))
                if best is None or candidate < best:
                    best = candidate
        if best is not None:
            return best[1], best[2]
        return fractional[0], int(simplex.value(fractional[0]) // 1)


def _in_order(variables: frozenset[Term]) -> list[Term]:
    return sorted(variables, key=lambda variable: str(variable.parameter))
