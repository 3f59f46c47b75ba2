"""The search for a refutation tree: a tableau guided by a simplex model (untrusted).

On each branch the simplex gives values that satisfy the branch's atoms, or a Farkas leaf. Only disjunctions
that these values falsify are split into cases, those first of which the bounds leave the fewest branches
open, so that definitions of conditionals matter only where their value does. Where all disjunctions hold but
a value is no integer, bounds are rounded modulo the equalities (`lattice`), then a value is split. A
refutation that does not use what its node added replaces the node: the other branches need not be searched.
The tree is numbered at the end, by replaying it with the checker's own `Facts`.
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

from tallystick.certificates.facts import (
    Disjunction,
    Fact,
    Facts,
    Form,
    Literal,
    tightened,
    total,
)
from tallystick.certificates.refutation import Refutation, require_formula
from tallystick.certificates.search.answers import Countermodel, GaveUp, Limits
from tallystick.certificates.search.evaluation import evaluate
from tallystick.certificates.search.lattice import Bound, Equality, Lattice, Vector
from tallystick.certificates.search.plans import CasePlan, CutPlan, LeafPlan, Plan, SplitPlan, numbered
from tallystick.certificates.search.simplex import Conflict, Simplex
from tallystick.core.terms import Operator, Term, build, free_variables
from tallystick.core.types import BoolType, IntType, TupleType, Value

DEFAULT_LIMITS = Limits()


def search(formula: Term, limits: Limits = DEFAULT_LIMITS) -> Refutation | Countermodel | GaveUp:
    """Decide a formula: a refutation that `check` accepts, values that falsify it, or the cap that was met.

    Raises RefutationError when `formula` is no formula.
    """
    try:
        require_formula(formula)
        facts = Facts()
        plan = _Tableau(formula, facts, limits).close_root()
        return numbered(formula, facts, plan)
    except _FoundError as found:
        return Countermodel(found.values)
    except _CapError as cap:
        return GaveUp(str(cap))
    except RecursionError:
        return GaveUp("the formula or its refutation is nested too deeply for Python's stack")


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
        self.bounds: dict[Form, tuple[int, bool, int]] = {}  # (variable, is upper, bound) of an atom
        self.split_up: set[Disjunction] = set()  # the disjunctions above in the tree
        self.values: dict[Term, int | Fraction] = {}  # the model's value of unknowns, at the present node

    def close_root(self) -> Plan:
        with self.facts.branch():
            self.facts.assume((self.formula, False))
            return self._close(0, 0, 0, 0)

    # Opening and closing branches

    def _close(self, start: int, depth: int, splits: int, cuts: int) -> Plan:
        """Refute the present branch, whose facts from number `start` on are new."""
        self._count(depth, splits, cuts)
        conflict = None
        for fact in self.facts.facts[start:]:
            if isinstance(fact, Form):
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
            equalities, bounds = self._constraints()
            lattice = Lattice(equalities)
            combinations = self._cuts(lattice, bounds)
            if combinations:
                return self._cut(combinations, depth, splits, cuts)
            self._try_nearby(lattice, equalities, bounds)
        if chosen is not None:
            return self._case(chosen, depth, splits, cuts)
        if fractional:
            return self._split(lattice, depth, splits, cuts)
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

    def _open(
        self, assumed: tuple[Literal, ...] | Form, depth: int, splits: int, cuts: int
    ) -> tuple[Plan, set[Fact]]:
        """A refutation of the branch in which something more is assumed, and the facts that this adds."""
        facts, simplex = self.facts, self.simplex
        bounds, start = simplex.mark(), len(facts.facts)
        with facts.branch():
            if isinstance(assumed, Form):
                facts.add(assumed)
            else:
                facts.assume(*assumed)
            added = set(facts.facts[start:])
            added.difference_update(facts.facts[:start])
            plan = self._close(start, depth + 1, splits, cuts)
        simplex.restore(bounds)
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

    def _split(self, lattice: Lattice, depth: int, splits: int, cuts: int) -> Plan:
        vector, bound = self._split_point(lattice)
        form = {unknown: vector[index] for unknown, index in self.variables.items() if vector.get(index)}
        used: set[Fact] = set()
        branches: list[Plan] = []
        atoms = tightened(Form(form, -bound)), tightened(total((-1, Form(form, -bound - 1))))
        for atom in atoms:
            plan, added = self._open(atom, depth, splits + 1, cuts)
            if added.isdisjoint(plan.used):
                return plan
            used |= plan.used - added
            branches.append(plan)
        return SplitPlan(form, bound, atoms, (branches[0], branches[1]), used)

    def _cut(self, combinations: list[tuple[Conflict, Form]], depth: int, splits: int, cuts: int) -> Plan:
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

    def _bound(self, atom: Form) -> tuple[int, bool, int]:
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

    def _assert(self, atom: Form) -> Conflict | None:
        if not atom.coefficients:
            return [(atom, 1)] if atom.constant > 0 else None
        variable, is_upper, bound = self._bound(atom)
        return (self.simplex.assert_upper if is_upper else self.simplex.assert_lower)(variable, bound, atom)

    # What the model falsifies

    def _choose(self) -> tuple[Disjunction | None, int]:
        """A disjunction that the model falsifies, and how many branches the bounds leave open: the fewest."""
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
            if isinstance(fact, Form):
                if self._sum(fact) > 0:
                    return False
            elif not self._holds_some(fact):
                return False
        return True

    def _sum(self, form: Form) -> int | Fraction:
        result = form.constant
        for unknown, part in form.coefficients.items():
            result += part * self._value(unknown)
        return result

    def _value(self, unknown: Term) -> int | Fraction:
        """The simplex' value of an unknown of this branch; another's value follows from its definition."""
        known = self.values.get(unknown)
        if known is None:
            if unknown in self.facts.unknowns and unknown in self.variables:
                known = self.simplex.value(self.variables[unknown])
            elif unknown.operator is Operator.DIV:
                known = self._sum(self.facts.form(unknown.arguments[0])) // unknown.parameter  # type: ignore[operator]
            elif unknown.operator is Operator.ITE:
                condition, then, otherwise = unknown.arguments
                known = self._sum(self.facts.form(then if self._holds(condition, True) else otherwise))
            else:
                known = 0
            self.values[unknown] = known
        return known

    def _refuted(self, literals: tuple[Literal, ...]) -> bool:
        """Whether an atom of the literals contradicts a bound."""
        for term, holds in literals:
            for fact in self.facts.lower(term, holds):
                if isinstance(fact, Form) and self._contradicts(fact):
                    return True
        return False

    def _contradicts(self, atom: Form) -> bool:
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

    def _cuts(self, lattice: Lattice, bounds: list[Bound]) -> list[tuple[Conflict, Form]]:
        """Cuts that tighten bounds modulo the equalities of the branch."""
        combinations = lattice.inconsistent or [
            cut for bound in bounds if (cut := lattice.cut(bound)) is not None
        ]
        result: list[tuple[Conflict, Form]] = []
        for combination in combinations:
            atom = tightened(total(*((part, atom) for atom, part in combination)))
            if not atom.coefficients or self._tightens(atom):
                result.append((combination, atom))
        return result

    def _tightens(self, atom: Form) -> bool:
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

    def _try_nearby(self, lattice: Lattice, equalities: list[Equality], bounds: list[Bound]) -> None:
        """Raise the countermodel that integers near the present values give, if they give one."""
        vectors = [equality.form for equality in equalities] + [bound.form for bound in bounds]
        unknowns = {unknown for vector in vectors for unknown in vector}
        lattice.include(unknowns)
        point = lattice.nearby({unknown: self.simplex.value(unknown) for unknown in unknowns})
        if all(sum(part * point[x] for x, part in bound.form.items()) <= bound.value for bound in bounds):
            self.values = {
                unknown: point[index] for unknown, index in self.variables.items() if index in point
            }
            if self._choose()[0] is None:
                raise self._countermodel()
            self.values.clear()

    def _split_point(self, lattice: Lattice) -> tuple[Vector, int]:
        """A form and an integer to split at: a bounded form, fractional if possible, or a coordinate."""
        simplex = self.simplex
        best: tuple[bool, int, int, int] | None = None
        for variable in self.vectors:
            lower, upper = simplex.lower[variable], simplex.upper[variable]
            if lower is not None and upper is not None and lower < upper:
                value = simplex.value(variable)
                candidate = (isinstance(value, int), upper - lower, variable, min(int(value // 1), upper - 1))
                if best is None or candidate < best:
                    best = candidate
        if best is not None:
            return self.vectors[best[2]], best[3]
        for form in lattice.coordinates.values():
            value = sum(part * simplex.value(unknown) for unknown, part in form.items())
            if value % 1:
                return form, int(value // 1)
        raise AssertionError("integer coordinates give integer values")


def _in_order(variables: frozenset[Term]) -> list[Term]:
    return sorted(variables, key=lambda variable: str(variable.parameter))
