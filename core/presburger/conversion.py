"""Core formulas as Presburger formulas, and back.

A variable of a tuple type becomes one unknown for each component path, a boolean the unknown b with b ≥ 1 for
true. `ite`, `div` and `mod` inside an atom are named by unknowns: v with (c ∧ v = a) ∨ (¬c ∧ v = b), and the
quotient q with d·q ≤ t < d·q + d. As every value of the other unknowns determines them, "∃ of them,
definition and atom" is exact for an atom and for its negation alike. Comparisons of remainders become
divisibilities instead. Large subterms that are repeated are named too (`sharing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce

from tallystick.core import terms
from tallystick.core.errors import FragmentError
from tallystick.core.presburger.formulas import (
    FALSE,
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
    at_most,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
    negate,
    nnf,
    truth,
)
from tallystick.core.presburger.linear import ZERO, Linear, constant, unknown
from tallystick.core.presburger.sharing import shared
from tallystick.core.terms import Operator, Term, project
from tallystick.core.types import BOOL, INT, TupleType, Value

Named = tuple[Linear, tuple[Formula, ...]]
"""A linear term, and the definitions of the unknowns that name subterms in it."""


class Conversion:
    """The unknowns that stand for variables and their components, and for subterms.

    One conversion serves all formulas that are to share their unknowns.

    Attributes:
        paths: the Int or Bool variable, or projection of a variable, that each unknown stands for.
        auxiliary: the unknowns that name subterms.
    """

    def __init__(self) -> None:
        self.paths: dict[str, Term] = {}
        self.auxiliary: list[str] = []
        self._names: dict[Term, str] = {}
        self._named: dict[Term, Named] = {}
        self._quotients: dict[Term, Linear] = {}
        self._formulas: dict[tuple[Term, bool], Formula] = {}
        self._shared: dict[Term, Term] = {}

    def formula(self, term: Term, positive: bool = True) -> Formula:
        """A Bool-typed term (or its negation), quantifier-free, auxiliary unknowns to be read existentially.

        Raises FragmentError when the term is not a formula: not Bool-typed, or with ⊥, bags, bound variables.
        """
        if term.type != BOOL:
            raise FragmentError(f"expected a Bool-typed formula, found {term.type}")
        body, definitions = shared(term, self._share)
        return conjunction((self._formula(body, positive), *map(self._formula, definitions)))

    def _share(self, term: Term) -> Term:
        """The variable, of auxiliary unknowns, that names a subterm."""
        if term not in self._shared:
            name = self._shared[term] = terms.variable(f"?shared{len(self._shared)}", term.type)
            self.auxiliary.extend(self.unknowns(name))
        return self._shared[term]

    def _formula(self, term: Term, positive: bool = True) -> Formula:
        key = (term, positive)
        if key not in self._formulas:
            self._formulas[key] = self._boolean(term, positive)
        return self._formulas[key]

    def unknowns(self, variable: Term) -> tuple[str, ...]:
        """The unknowns of a variable's components, in order."""
        return tuple(self._name(path) for path in paths(variable))

    def _name(self, path: Term) -> str:
        if path not in self._names:
            name = _suggested(path)
            while name in self.paths:
                name += "'"
            self._names[path] = name
            self.paths[name] = path
        return self._names[path]

    def _auxiliary(self) -> str:
        self.auxiliary.append(f"?{len(self.auxiliary)}")
        return self.auxiliary[-1]

    def _boolean(self, term: Term, positive: bool) -> Formula:
        arguments = term.arguments
        match term.operator:
            case Operator.CONSTANT:
                return truth(term.parameter is positive)
            case Operator.NOT:
                return self._formula(arguments[0], not positive)
            case Operator.AND | Operator.OR:
                join = conjunction if (term.operator is Operator.AND) == positive else disjunction
                return join(self._formula(argument, positive) for argument in arguments)
            case Operator.ITE:
                condition, then, otherwise = arguments
                return self._choice(condition, self._formula(then, positive), self._formula(otherwise, positive))
            case Operator.EQUAL:
                return self._equality(arguments[0], arguments[1], positive)
            case Operator.LESS | Operator.LESS_EQUAL:
                left, right = arguments if positive else reversed(arguments)
                strict = (term.operator is Operator.LESS) == positive
                return self._compare(left, right, lambda t: at_most(t.shift(1 if strict else 0)))
            case Operator.VARIABLE | Operator.ROW:
                return self._truth_of(term, positive)
            case Operator.PROJECTION:
                path = component(arguments[0], _index(term))
                return self._truth_of(term, positive) if path is term else self._formula(path, positive)
        raise _outside(term)

    def _truth_of(self, path: Term, positive: bool) -> Formula:
        name = unknown(self._name(path))
        return at_most(name.times(-1).shift(1) if positive else name)

    def _choice(self, condition: Term, then: Formula, otherwise: Formula) -> Formula:
        if then == otherwise:
            return then
        chosen = conjunction((self._formula(condition), then))
        return disjunction((chosen, conjunction((self._formula(condition, False), otherwise))))

    def _equality(self, left: Term, right: Term, positive: bool) -> Formula:
        if isinstance(left.type, TupleType):
            join = conjunction if positive else disjunction
            pairs = ((component(left, i), component(right, i)) for i in range(len(left.type.components)))
            return join(self._equality(one, other, positive) for one, other in pairs)
        if left.type == BOOL:
            return self._choice(left, self._formula(right, positive), self._formula(right, not positive))
        found = self._congruence(left, right) or self._congruence(right, left)
        if found is not None:
            term, divisor, definitions = found
            atom = FALSE if divisor == 0 else divides(divisor, term)
            return conjunction((atom if positive else negate(atom), *definitions))
        return self._compare(left, right, equal if positive else differs)

    def _congruence(self, left: Term, right: Term) -> tuple[Linear, int, tuple[Formula, ...]] | None:
        """For u mod d = v mod d and u mod d = r: (u - v or u - r, d, definitions); d is 0 if r is no
        remainder."""
        if left.operator is not Operator.MOD:
            return None
        divisor = _index(left)
        if right.operator is Operator.MOD and right.parameter == divisor:
            other, more = self._linear(right.arguments[0])
        else:
            other, more = self._linear(right)
            if other.coefficients:
                return None
            if not 0 <= other.constant < divisor:
                return ZERO, 0, ()
        term, definitions = self._linear(left.arguments[0])
        return term.minus(other), divisor, (*definitions, *more)

    def _compare(self, left: Term, right: Term, relate: Callable[[Linear], Formula]) -> Formula:
        """relate(left - right), with the definitions of the unknowns in it."""
        minuend, definitions = self._linear(left)
        subtrahend, more = self._linear(right)
        return conjunction((relate(minuend.minus(subtrahend)), *definitions, *more))

    def _linear(self, term: Term) -> Named:
        """An Int-typed term as a linear term, with the definitions of its auxiliary unknowns."""
        if term not in self._named:
            self._named[term] = self._integer(term)
        return self._named[term]

    def _integer(self, term: Term) -> Named:
        match term.operator, term.parameter:
            case Operator.CONSTANT, int() as value:
                return constant(value), ()
            case Operator.VARIABLE | Operator.ROW, _:
                return unknown(self._name(term)), ()
            case Operator.PROJECTION, int() as index:
                path = component(term.arguments[0], index)
                return (unknown(self._name(term)), ()) if path is term else self._linear(path)
            case Operator.ADD, _:
                summands = [self._linear(argument) for argument in term.arguments]
                total = reduce(Linear.plus, (summand for summand, _ in summands))
                return total, tuple(d for _, definitions in summands for d in definitions)
            case Operator.SCALE, int() as factor:
                scaled, definitions = self._linear(term.arguments[0])
                return scaled.times(factor), definitions if factor else ()
            case ((Operator.DIV | Operator.MOD), int() as divisor):
                return self._quotient(term, divisor)
            case Operator.ITE, _:
                return self._conditional(*term.arguments)
        raise _outside(term)

    def _quotient(self, term: Term, divisor: int) -> Named:
        dividend, definitions = self._linear(term.arguments[0])
        if not dividend.coefficients:
            value = divmod(dividend.constant, divisor)[term.operator is Operator.MOD]
            return constant(value), definitions
        key = terms.build(Operator.DIV, term.arguments, divisor)
        if key not in self._quotients:
            self._quotients[key] = unknown(self._auxiliary())
        quotient = self._quotients[key]
        remainder = dividend.minus(quotient.times(divisor))
        bounds = conjunction((at_most(remainder.times(-1)), at_most(remainder.shift(1 - divisor))))
        chosen = quotient if term.operator is Operator.DIV else remainder
        return chosen, (*definitions, bounds)

    def _conditional(self, condition: Term, then: Term, otherwise: Term) -> Named:
        first, first_definitions = self._linear(then)
        second, second_definitions = self._linear(otherwise)
        holds, fails = self._formula(condition), self._formula(condition, False)
        if first == second or fails == FALSE:
            return first, first_definitions
        if holds == FALSE:
            return second, second_definitions
        name = unknown(self._auxiliary())
        chosen = conjunction((holds, equal(name.minus(first)), *first_definitions))
        other = conjunction((fails, equal(name.minus(second)), *second_definitions))
        return name, (disjunction((chosen, other)),)

    def model(self, values: Mapping[str, int], variables: Iterable[Term]) -> dict[Term, Value]:
        """The values that unknowns give to variables; 0 where an unknown has none."""
        return {variable: self._value(variable, values) for variable in variables}

    def _value(self, path: Term, values: Mapping[str, int]) -> Value:
        if isinstance(path.type, TupleType):
            return tuple(self._value(project(path, i), values) for i in range(len(path.type.components)))
        value = values.get(self._name(path), 0)
        return value >= 1 if path.type == BOOL else value

    def term(self, formula: Formula) -> Term:
        """A quantifier-free formula without auxiliary unknowns as a core term."""
        return to_term(formula, self.paths)


def from_term(term: Term) -> Formula:
    """A core formula as a Presburger formula over unknowns named after its variables (see `Conversion`).

    Auxiliary unknowns are bound by one ∃ in front. Raises FragmentError when the term is not a formula.
    """
    conversion = Conversion()
    body = conversion.formula(term)
    return Exists(tuple(conversion.auxiliary), body) if conversion.auxiliary else body


def paths(variable: Term) -> tuple[Term, ...]:
    """The Int- and Bool-typed components of a variable, as projections of it; itself when it has none."""
    if isinstance(variable.type, TupleType):
        inner = (paths(project(variable, index)) for index in range(len(variable.type.components)))
        return tuple(path for found in inner for path in found)
    if variable.type not in (INT, BOOL):
        raise FragmentError(f"a variable of type {variable.type} does not belong into a formula")
    return (variable,)


def component(term: Term, index: int) -> Term:
    """Component `index` of a tuple-typed term, the projection pushed into `ite` and tuples."""
    match term.operator:
        case Operator.TUPLE:
            return term.arguments[index]
        case Operator.ITE:
            condition, then, otherwise = term.arguments
            return terms.ite(condition, component(then, index), component(otherwise, index))
        case Operator.PROJECTION:
            inner = component(term.arguments[0], _index(term))
            return terms.project(inner, index) if inner is term else component(inner, index)
        case Operator.VARIABLE | Operator.ROW:
            return terms.project(term, index)
    raise _outside(term)


def to_term(formula: Formula, paths: Mapping[str, Term] | None = None) -> Term:
    """A quantifier-free formula as a core term; d | t becomes t mod d = 0.

    `paths` gives the Int or Bool variable, or projection of one, that an unknown stands for; an unknown that
    it does not give becomes an Int variable of that name. Raises FragmentError when a quantifier occurs, or
    when an unknown that stands for a boolean occurs otherwise than in b ≥ 1 or b ≤ 0.
    """
    known = paths or {}

    def visit(part: Formula) -> Term:
        match part:
            case Atom():
                return _atom_term(part, known)
            case And(parts):
                return terms.conjunction(*map(visit, parts))
            case Or(parts):
                return terms.disjunction(*map(visit, parts))
            case Not() | Implies() | Iff():
                return visit(nnf(part))
            case Exists() | Forall():
                raise FragmentError("a formula with a quantifier is no core term: eliminate it first")

    return visit(formula)


def _atom_term(atom: Atom, paths: Mapping[str, Term]) -> Term:
    relation, term, divisor = atom
    booleans = [name for name in term.names() if name in paths and paths[name].type == BOOL]
    if booleans:
        path = paths[booleans[0]]
        for literal, found in ((path, True), (terms.negation(path), False)):
            bound = unknown(booleans[0])
            if atom == at_most(bound.times(-1).shift(1) if found else bound):
                return literal
        raise FragmentError(f"the unknown {booleans[0]} stands for a boolean: {atom} says more than its truth")
    if relation in (Relation.DIVIDES, Relation.INDIVISIBLE):
        rest, remainder = Linear(term.coefficients, 0), -term.constant % divisor
        modulo = terms.build(Operator.MOD, (linear_term(rest, paths),), divisor)
        found = terms.equal(modulo, terms.constant(remainder))
        return found if relation is Relation.DIVIDES else terms.negation(found)
    left, right = sides(term)
    left, right = linear_term(left, paths), linear_term(right, paths)
    match relation:
        case Relation.AT_MOST:
            return terms.less_equal(left, right)
        case Relation.EQUAL:
            return terms.equal(left, right)
        case Relation.DIFFERS:
            return terms.negation(terms.equal(left, right))
    raise AssertionError(relation)


def sides(term: Linear) -> tuple[Linear, Linear]:
    """(l, r) without negative coefficients such that term = l - r; the constant stands where it is
    positive."""
    left = Linear(tuple(pair for pair in term.coefficients if pair[1] > 0), max(term.constant, 0))
    right = Linear(tuple((n, -c) for n, c in term.coefficients if c < 0), max(-term.constant, 0))
    return left, right


def linear_term(term: Linear, paths: Mapping[str, Term]) -> Term:
    """A linear term as a core term."""
    summands = [_scaled(paths.get(name, None) or terms.variable(name, INT), c) for name, c in term.coefficients]
    if term.constant or not summands:
        summands.append(terms.constant(term.constant))
    return terms.add(*summands) if len(summands) > 1 else summands[0]


def _scaled(path: Term, factor: int) -> Term:
    return path if factor == 1 else terms.scale(factor, path)


def _suggested(path: Term) -> str:
    if path.operator is Operator.PROJECTION:
        return f"{_suggested(path.arguments[0])}.{path.parameter}"
    if isinstance(path.parameter, tuple):
        return f"row{path.parameter[0]}" if path.operator is Operator.ROW else path.parameter[0]
    raise _outside(path)


def _index(term: Term) -> int:
    if type(term.parameter) is not int:
        raise _outside(term)
    return term.parameter


def _outside(term: Term) -> FragmentError:
    return FragmentError(f"{term.operator.value} does not belong into a formula")
