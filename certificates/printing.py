"""Programs in full, for the claim that an audit prints: every subterm once, every name quoted, nothing cut.

Each operation on bags is a line with a number, and so is whatever else occurs more than once; `[3]` stands for line 3.
In a function, `element` and `state` are what it is applied to.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tallystick.certificates.words import quoted
from tallystick.core.operators import BOUND, OVER_BAGS
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BagType, TupleType, Type
from tallystick.core.work import present

_ATOMS: Final = (Operator.CONSTANT, Operator.VARIABLE, *BOUND)
_INFIX: Final = {
    Operator.ADD: " + ",
    Operator.EQUAL: " = ",
    Operator.LESS: " < ",
    Operator.LESS_EQUAL: " <= ",
    Operator.AND: " and ",
    Operator.OR: " or ",
}


def program_lines(program: Program) -> list[str]:
    """A program: its parameters, its operations on bags in order, and what it returns."""
    return list(_Lines(program))


def value_text(value: object, of: Type) -> str:
    """A value or bag."""
    match of:
        case BagType(element) if isinstance(value, dict):
            items = (f"{value_text(x, element)} (x{n})" if n != 1 else value_text(x, element) for x, n in value.items())
            return "{{" + ", ".join(items) + "}}"
        case TupleType(components) if isinstance(value, tuple):
            parts = [value_text(part, each) for part, each in zip(value, components, strict=True)]
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return quoted(value)


class _Lines(list[str]):
    def __init__(self, program: Program) -> None:
        nodes = dict.fromkeys(node for root in program.terms for node in subterms(root))
        uses = Counter(argument for node in nodes for argument in node.arguments)
        self.numbers: dict[Term, int] = {}
        parameters = ", ".join(f"{quoted(str(p.parameter[0]))}: {p.type}" for p in program.parameters)  # type: ignore[index]
        super().__init__([f"{quoted(program.name)} takes ({parameters})"])
        for node in nodes:
            if node.operator in OVER_BAGS or (uses[node] > 1 and node.operator not in _ATOMS):
                self.append(f"  [{len(self.numbers) + 1}] {self.text(node)}")
                self.numbers[node] = len(self.numbers) + 1
                present().spend(len(self[-1]), len(self[-1]) >> 6)
        kind = {"value": "", "dict": "the dictionary with the items ", "mean": "the mean with the sum and count "}
        kind["list"] = "the list that stands for (order, element) in "
        raises = "or raises, as (whether it returns, what it returns): " if program.may_raise else ""
        stands_for = kind.get(program.returns, f"{program.returns} by key, of pairs ")
        self.append(f"  returns {raises}{stands_for}{self.shown(program.expression)}")
        for each in program.folds:
            how = "by Spark's own method" if each.merge is None else f"by {self.shown(each.merge)}"
            self.append(f"  merges partitions of {self.shown(each.fold)} {how}")

    def shown(self, term: Term) -> str:
        """A term, or the number of its line."""
        return f"[{self.numbers[term]}]" if term in self.numbers else self.text(term)

    def text(self, term: Term) -> str:
        parameter, arguments = term.parameter, [self.shown(argument) for argument in term.arguments]
        match term.operator:
            case Operator.CONSTANT:
                return value_text(parameter, term.type)
            case Operator.VARIABLE:
                return quoted(str(parameter[0]))  # type: ignore[index]
            case Operator.ELEMENT:
                return "element"
            case Operator.ACCUMULATOR:
                return "state"
            case Operator.PROJECTION:
                return f"{arguments[0]}.{parameter}"
            case Operator.TUPLE:
                of = "" if parameter is None else f" of type {quoted(parameter)}"
                return f"({', '.join(arguments)}{',' if len(arguments) == 1 else ''}){of}"
            case Operator.ITE:
                return f"(if {arguments[0]} then {arguments[1]} else {arguments[2]})"
            case Operator.APPLY:
                return f"({quoted(parameter[0])}({', '.join(arguments)}): {parameter[1]})"  # type: ignore[index]
            case operator if operator in _INFIX:
                return f"({_INFIX[operator].join(arguments)})"
            case operator if parameter is None:
                return f"{operator.value}({', '.join(arguments)})"
        return f"{term.operator.value}[{quoted(parameter)}]({', '.join(arguments)})"
