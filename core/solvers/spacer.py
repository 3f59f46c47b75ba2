"""Constrained Horn clauses, solved by Z3's Spacer engine (Komuravelli, Gurfinkel and Chaki, CAV 2014).

A clause says premise(t̄) ∧ condition ⇒ conclusion(ū) for all values of its variables. A solution gives each relation
a formula that makes all clauses true; where there is none, facts that follow lead from a clause without a premise to
one without a conclusion. Neither is trusted: solutions are candidates for invariants, and facts for inputs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tallystick.core import terms
from tallystick.core.answers import NoAnswer
from tallystick.core.errors import FragmentError
from tallystick.core.solvers.encode import Encoder
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BOOL, Type


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation of some values: arguments are integer and boolean terms, or in answers their values."""

    relation: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """premise ∧ condition ⇒ conclusion; no premise means true, no conclusion false."""

    premise: Fact | None
    condition: Term
    conclusion: Fact | None


@dataclass(frozen=True, slots=True)
class Solution:
    """For each relation, a formula over the parameters that were given for it."""

    formulas: dict[str, Term]


@dataclass(frozen=True, slots=True)
class Derivation:
    """Facts that follow one from another, until no relation can satisfy the clauses."""

    facts: tuple[Fact, ...]


def solve(
    relations: dict[str, tuple[Term, ...]], clauses: Sequence[Clause], seconds: float
) -> Solution | Derivation | NoAnswer:
    """A solution of Horn clauses, or facts that refute them, or why there is neither.

    `relations` gives each relation its parameters, integer and boolean terms that a solution is written with. Raises
    FragmentError when a clause has a term that is not part of a formula.
    """
    try:
        import z3
    except ModuleNotFoundError:
        return NoAnswer("spacer: Z3 is not installed")

    system = _System(relations)
    try:
        return system.answer(clauses, seconds)
    except z3.Z3Exception as error:
        reason = str(error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error)
        stopped = f"no answer within {seconds:g} seconds" if "cancel" in reason else reason
        return NoAnswer(f"spacer: {stopped}")


class Z3Terms:
    """Terms of Z3's own interface; see `BackEnd` for its methods.

    Attributes:
        variables: those that were made.
    """

    def __init__(self, context: Any) -> None:
        import z3

        self.z3: Any = z3
        self.context = context
        self.variables: list[Any] = []

    def constant(self, value: bool | int) -> Any:
        make = self.z3.BoolVal if isinstance(value, bool) else self.z3.IntVal
        return make(value, self.context)

    def variable(self, path: Term) -> Any:
        make = self.z3.Bool if path.type == BOOL else self.z3.Int
        self.variables.append(make(f"v{len(self.variables)}", self.context))
        return self.variables[-1]

    def apply(self, symbol: str, arguments: Sequence[Any], of: Type) -> Any:
        make: dict[str, Callable[..., Any]] = {
            "+": self.z3.Sum,
            "*": operator.mul,
            "div": operator.truediv,  # Z3's integer division, which rounds down for positive divisors
            "mod": operator.mod,
            "=": operator.eq,
            "<": operator.lt,
            "<=": operator.le,
            "not": self.z3.Not,
            "and": self.z3.And,
            "or": self.z3.Or,
            "ite": self.z3.If,
        }
        return make[symbol](*arguments)


class _System:
    def __init__(self, relations: dict[str, tuple[Term, ...]]) -> None:
        import z3

        self.z3: Any = z3
        self.context = z3.Context()
        self.parameters = relations
        self.terms = Z3Terms(self.context)
        self.encoder = Encoder(self.terms)
        self.functions = {
            name: z3.Function(name, *map(self.sort, parameters), z3.BoolSort(self.context))
            for name, parameters in relations.items()
        }

    def sort(self, term: Term) -> Any:
        return self.z3.BoolSort(self.context) if term.type == BOOL else self.z3.IntSort(self.context)

    def answer(self, clauses: Sequence[Clause], seconds: float) -> Solution | Derivation | NoAnswer:
        z3 = self.z3
        engine = z3.Fixedpoint(ctx=self.context)
        engine.set("engine", "spacer")
        engine.set("timeout", max(1, int(1000 * seconds)))
        wrong = z3.Function("wrong", z3.BoolSort(self.context))
        for function in (*self.functions.values(), wrong):
            engine.register_relation(function)
        rules = [(self.fact(c.conclusion) if c.conclusion else wrong(), self.body(c)) for c in clauses]
        engine.declare_var(*self.terms.variables)
        for head, body in rules:
            engine.rule(head, body)
        found = engine.query(wrong())
        if found == z3.unsat:
            return self.solution(engine.get_answer())
        if found == z3.sat:
            return Derivation(tuple(self.facts(engine.get_answer())))
        return NoAnswer(f"spacer: {engine.reason_unknown()}")

    def body(self, clause: Clause) -> list[Any]:
        condition = self.encoder.encode(clause.condition)
        return [condition] if clause.premise is None else [self.fact(clause.premise), condition]

    def fact(self, fact: Fact) -> Any:
        return self.functions[fact.relation](*map(self.encoder.encode, fact.arguments))

    def solution(self, answer: Any) -> Solution:
        """The formulas of an answer ⋀ ∀x̄. relation(x̄) = formula; one that it does not mention is false."""
        found = dict.fromkeys(self.parameters, terms.FALSE)
        for part in answer.children() if self.z3.is_and(answer) else [answer]:
            if not self.z3.is_quantifier(part):
                continue
            head, formula = part.body().children()
            name = head.decl().name()
            if name in found:
                places = {
                    self.z3.get_var_index(x): t for x, t in zip(head.children(), self.parameters[name], strict=True)
                }
                found[name] = self.decode(formula, places)
        return Solution(found)

    def decode(self, node: Any, places: dict[int, Term]) -> Term:
        """A formula of an answer as a core term; raises FragmentError when it has more than linear arithmetic."""
        z3 = self.z3
        if z3.is_var(node):
            return places[z3.get_var_index(node)]
        if z3.is_int_value(node):
            return terms.constant(node.as_long())
        if z3.is_true(node) or z3.is_false(node):
            return terms.constant(z3.is_true(node))
        if z3.is_quantifier(node):
            raise FragmentError("the solution has a quantifier")
        parts = [self.decode(child, places) for child in node.children()]
        make = self.decoders().get(node.decl().kind())
        if make is None:
            raise FragmentError(f"the solution has {node.decl().name()}, which is not part of a formula")
        return make(*parts)

    def decoders(self) -> dict[int, Any]:
        z3 = self.z3
        return {
            z3.Z3_OP_AND: terms.conjunction,
            z3.Z3_OP_OR: terms.disjunction,
            z3.Z3_OP_NOT: terms.negation,
            z3.Z3_OP_IMPLIES: terms.implies,
            z3.Z3_OP_EQ: terms.equal,
            z3.Z3_OP_IFF: terms.equal,
            z3.Z3_OP_LE: terms.less_equal,
            z3.Z3_OP_LT: terms.less,
            z3.Z3_OP_GE: lambda left, right: terms.less_equal(right, left),
            z3.Z3_OP_GT: lambda left, right: terms.less(right, left),
            z3.Z3_OP_ITE: terms.ite,
            z3.Z3_OP_ADD: terms.add,
            z3.Z3_OP_SUB: lambda first, *rest: terms.add(first, *(terms.scale(-1, term) for term in rest)),
            z3.Z3_OP_UMINUS: lambda term: terms.scale(-1, term),
            z3.Z3_OP_MUL: _product,
            z3.Z3_OP_IDIV: lambda term, divisor: terms.build(Operator.DIV, (term,), _positive(divisor)),
            z3.Z3_OP_MOD: lambda term, divisor: terms.build(Operator.MOD, (term,), _positive(divisor)),
        }

    def facts(self, proof: Any) -> list[Fact]:
        """The facts about relations that a proof derives, each after those that it follows from."""
        found: dict[Fact, None] = {}
        seen: set[int] = set()

        def visit(node: Any) -> None:
            if node.get_id() in seen or not self.z3.is_app(node):
                return
            seen.add(node.get_id())
            for child in node.children():
                visit(child)
            name = node.decl().name()
            if name in self.functions and node.decl() == self.functions[name]:
                values = tuple(map(self.value, node.children()))
                if None not in values:
                    found[Fact(name, values)] = None

        visit(proof)
        return list(found)

    def value(self, node: Any) -> int | bool | None:
        if self.z3.is_int_value(node):
            return node.as_long()
        return self.z3.is_true(node) if self.z3.is_true(node) or self.z3.is_false(node) else None


def _product(*factors: Term) -> Term:
    numbers = [term.parameter for term in factors if term.operator is Operator.CONSTANT]
    others = [term for term in factors if term.operator is not Operator.CONSTANT]
    if len(others) != 1 or len(numbers) != 1:
        raise FragmentError("the solution has a product of variables")
    return terms.scale(numbers[0], others[0])  # type: ignore[arg-type]


def _positive(divisor: Term) -> int:
    if type(divisor.parameter) is not int or divisor.parameter <= 0:
        raise FragmentError("the solution divides by what is not a positive constant")
    return divisor.parameter
