"""Terms and programs as text, in the papers' notation.

    map(λx. 2*x)(filter(λx. x < 50)(R))          ite(x_R < 50, 2*x_R, ⊥)          fold(0, λA,x. A + x)(R)

The text is for people: it is the same for the same term every time, parentheses stand where precedence asks for
them, and terms that differ in harmless ways (¬(x < 5) and 5 ≤ x) read the same. A UDF that only looks at components
of its tuple names them, λ(x, y). x + y; elsewhere pᵢ(t) is component i of t, counted from 1 as in the papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import Any

from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.monomials import name_of, rows_of
from tallystick.core.programs import Program
from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    build,
    element,
    free_variables,
    rebuild,
    subterms,
    variable,
)
from tallystick.core.types import BagType, TupleType

IMPLIES, OR, AND, NOT, COMPARISON, SUM, PRODUCT, ATOM = range(8)
"""How strongly operators bind, the weakest first."""

_SIGNS = {Operator.EQUAL: "=", Operator.LESS: "<", Operator.LESS_EQUAL: "≤"}
_NEGATED = {"=": "≠", "<": "≥", "≤": ">"}
_EXCHANGED = {"=": "=", "≠": "≠", "<": ">", "≤": "≥", ">": "<", "≥": "≤"}
_NAMES = {Operator.FOLD_BY_KEY: "foldByKey"}
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def text(term: Term) -> str:
    """The term as one line of text; a bound variable outside of a UDF reads `element` or `accumulator`."""
    return Writer({}).write(term)


def udf_text(udf: Term, *bound: Term) -> str:
    """The UDF with the given body as text; `bound` are the terms for its arguments, in their order."""
    taken = {Writer({}).write(free) for free in free_variables(udf)}
    names: dict[Term, str] = {}
    whole = {udf}.union(*(node.arguments for node in subterms(udf) if node.operator is not Operator.PROJECTION))

    def pattern(term: Term, letters: str) -> str:
        if isinstance(term.type, TupleType) and term not in whole and _has_projections(udf, term):
            parts = [build(Operator.PROJECTION, (term,), index) for index in range(len(term.type.components))]
            return _tuple_text([pattern(part, letters) for part in parts])
        names[term] = _fresh(letters, taken)
        return names[term]

    arguments = [pattern(term, "ABCDE" if term.operator is Operator.ACCUMULATOR else "xyzwuv") for term in bound]
    return f"λ{','.join(arguments)}. {Writer(names).write(udf)}"


def with_named_rows(term: Term, sources: Sequence[Term]) -> Term:
    """The term with variables, of names that it does not have yet, for the rows of these sources: x_R, x_R', … for
    those of an input bag R, and y, y', … for those of others."""
    taken = {str(free.parameter[0]) for free in free_variables(term)}  # type: ignore[index]
    named: dict[Term, Term] = {}
    for slot, source in zip(rows_of(sources), sources, strict=True):
        name = f"x_{name_of(source)}" if source.operator is Operator.VARIABLE else "y"
        while name in taken:
            name += "'"
        taken.add(name)
        named[slot] = variable(name, slot.type)
    return rebuild(term, named, inside=True, make=build)


def program_text(program: Program) -> str:
    """The program as one line: its name, its parameters with their types, and its main expression."""
    parameters = ", ".join(f"{text(parameter)}: {parameter.type}" for parameter in program.parameters)
    return f"{program.name}({parameters}) = {text(program.expression)}"


class Writer:
    """Writes terms; `names` has what bound variables, or components of them, are called.

    A notation with other signs for some terms overrides `compute`, which gives how strongly a term's text binds.
    """

    def __init__(self, names: dict[Term, str]) -> None:
        self.names = names

    def write(self, term: Term, context: int = IMPLIES) -> str:
        """The text of a term, in parentheses when it binds less strongly than its context."""
        if term in self.names:
            return self.names[term]
        strength, written = self.compute(term)
        return f"({written})" if strength < context else written

    def compute(self, term: Term) -> tuple[int, str]:
        operator, arguments = term.operator, term.arguments
        match operator:
            case Operator.NOT | Operator.AND | Operator.OR | Operator.EQUAL | Operator.LESS | Operator.LESS_EQUAL:
                return self.formula(operator, arguments)
            case Operator.ADD | Operator.SCALE | Operator.DIV | Operator.MOD:
                return self.arithmetic(term)
            case Operator.CONSTANT if isinstance(term.parameter, str):
                return ATOM, repr(term.parameter)
            case Operator.CONSTANT:
                number = not isinstance(term.parameter, bool) and term.parameter < 0  # type: ignore[operator]
                return SUM if number else ATOM, str(term.parameter).lower()
            case Operator.VARIABLE:
                return ATOM, name_of(term)
            case Operator.ELEMENT | Operator.ACCUMULATOR:
                return ATOM, operator.value
            case Operator.BOTTOM:
                return ATOM, "⊥"
            case Operator.TUPLE:
                return ATOM, _tuple_text([self.write(argument) for argument in arguments])
            case Operator.PROJECTION:
                index = str(term.parameter + 1).translate(_SUBSCRIPTS)  # type: ignore[operator]
                return ATOM, f"p{index}({self.write(arguments[0])})"
            case Operator.MAP | Operator.FILTER | Operator.FOLD | Operator.FOLD_BY_KEY | Operator.EXPAND:
                return ATOM, self.higher_order(term, operator, arguments)
            case Operator.ITE | Operator.CARTESIAN | Operator.UNION | Operator.DISTINCT:
                return ATOM, f"{operator.value}({', '.join(map(self.write, arguments))})"
        return ATOM, self.normal_form(term)

    def normal_form(self, term: Term) -> str:
        """What only normal forms of queries have; slots are written as the rows that a monomial is opened to."""
        parameter: Any = term.parameter
        parts = [self.write(argument) for argument in term.arguments if argument.operator is not Operator.MONOMIAL]
        match term.operator:
            case Operator.NONE:
                return "NULL"
            case Operator.SOME:
                return parts[0]
            case Operator.EVERY:
                return f"★{parameter}"
            case Operator.SLOT | Operator.ROW:
                return f"{'slot' if term.operator is Operator.SLOT else 'x'}{parameter[0]}"
            case Operator.SUMMATION:
                return " + ".join(map(self.monomial, term.arguments)) or "∅"
            case Operator.MONOMIAL:
                return self.monomial(term)
            case Operator.APPLY | Operator.OPAQUE_BAG | Operator.AGGREGATE:
                return f"{parameter[0]}({', '.join(parts)})"
            case Operator.LIMIT:
                count, offset, directions = parameter
                keys = "".join(
                    f", {'desc' if down else 'asc'} nulls {'first' if low else 'last'}" for down, low in directions
                )
                return f"limit({count}, {offset}, {parts[0]}{keys})"
            case Operator.EXTREMUM:
                return f"{parameter}({parts[0]})"
        return f"{term.operator.value}({', '.join(parts)})"

    def monomial(self, monomial: Term) -> str:
        """⟨x0: R, x1: ★Int | condition ↦ head⟩."""
        rows = fresh_rows(monomial, 1 + max((term.parameter[0] for term in monomial.rows), default=-1))  # type: ignore[index, operator, type-var]
        opened = instantiate(monomial, rows)
        sources = ", ".join(
            f"{self.write(slot)}: {self.write(source)}" for slot, source in zip(rows, opened.sources, strict=True)
        )
        return f"⟨{sources} | {self.write(opened.condition)} ↦ {self.write(opened.head)}⟩"

    def formula(self, operator: Operator, arguments: tuple[Term, ...]) -> tuple[int, str]:
        first, *rest = arguments
        match operator:
            case Operator.NOT if first.operator in _SIGNS:
                return self.comparison(_NEGATED[_SIGNS[first.operator]], *first.arguments)
            case Operator.NOT:
                return NOT, "¬" + self.write(first, NOT)
            case Operator.AND:
                return AND, " ∧ ".join(self.write(argument, NOT) for argument in arguments)
            case Operator.OR if first.operator is Operator.NOT:
                conclusion = " ∨ ".join(self.write(argument, AND) for argument in rest)
                return IMPLIES, f"{self.write(first.arguments[0], OR)} ⇒ {conclusion}"
            case Operator.OR:
                return OR, " ∨ ".join(self.write(argument, AND) for argument in arguments)
        return self.comparison(_SIGNS[operator], *arguments)

    def comparison(self, sign: str, left: Term, right: Term) -> tuple[int, str]:
        if left.operator is Operator.CONSTANT and right.operator is not Operator.CONSTANT:
            sign, left, right = _EXCHANGED[sign], right, left
        return COMPARISON, f"{self.write(left, SUM)} {sign} {self.write(right, SUM)}"

    def arithmetic(self, term: Term) -> tuple[int, str]:
        first, *rest = term.arguments
        if term.operator is Operator.ADD:
            return SUM, self.write(first, SUM) + "".join(map(self.summand, rest))
        if term.operator is not Operator.SCALE:
            return PRODUCT, f"{self.write(first, ATOM)} {term.operator.value} {term.parameter}"
        factor = "-" if term.parameter == -1 else f"{term.parameter}*"
        return SUM if term.parameter < 0 else PRODUCT, factor + self.write(first, ATOM)  # type: ignore[operator]

    def summand(self, term: Term) -> str:
        """A summand after the first one, with its sign."""
        written = self.write(term, SUM)
        if term.operator in (Operator.SCALE, Operator.CONSTANT) and written.startswith("-"):
            return f" - {written[1:]}"
        return f" + {self.write(term, PRODUCT)}"

    def higher_order(self, term: Term, operator: Operator, arguments: tuple[Term, ...]) -> str:
        *initial, udf, bag = arguments
        assert isinstance(bag.type, BagType)
        of = bag.type.element
        if operator is Operator.FOLD_BY_KEY:
            assert isinstance(of, TupleType)
            of = of.components[1]
        bound = [*(accumulator(start.type) for start in initial), element(of)]  # type: ignore[arg-type]
        given = "".join(f"{self.write(start)}, " for start in initial)
        name = _NAMES.get(operator, operator.value)
        if operator is Operator.EXPAND:
            name = str(term.parameter[0])  # type: ignore[index]
        return f"{name}({given}{udf_text(udf, *bound)})({self.write(bag)})"


def _has_projections(udf: Term, term: Term) -> bool:
    return any(node.operator is Operator.PROJECTION and node.arguments[0] is term for node in subterms(udf))


def _tuple_text(parts: list[str]) -> str:
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


def _fresh(letters: str, taken: set[str]) -> str:
    """The first name that is not taken: a letter, or a letter and a number."""
    names = (letter + number for number in chain([""], map(str, count(1))) for letter in letters)
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name
