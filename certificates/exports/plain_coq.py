"""The statement of a claim in plain Coq: over Z, bool, pairs and lists, with map, filter, fold_left and such.

    forall r : list Z, Permutation (map (fun x => (2 * x)) r) (…)

Coq checks that it says what the programs mean: what is written here has to be convertible to what `coq/Plain.v` makes
of them (`denote`). So nothing here is trusted either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tallystick.core.errors import FragmentError
from tallystick.core.monomials import name_of
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BagType, BoolType, IntType, TupleType, Type

TEXT_LIMIT: Final = 200_000
"""How many letters a statement may have; terms that share parts are written out."""
# fmt: off
RESERVED: Final = frozenset(
    {
        "Permutation", "TBag", "TBool", "TInt", "TTup", "Type", "Prop", "Set", "SProp", "eq", "fuel",
        "plain_sound", "plain_differ",
        "Z", "after", "as", "at", "before", "bool", "checked", "cofix", "distinct", "else", "end", "evidence", "exists",
        "false", "filter", "fix", "fold_by_key", "fold_left", "for", "forall", "fst", "fun", "given", "if",
        "in", "let", "list", "list_prod", "map", "match", "mod", "negb", "orders", "plain", "return", "returned", "snd",
        "then", "true", "using", "value_of_type", "where", "with", "witness", "app", "x", "a", "x1", "x2"
    }
)
# fmt: on
"""Words that mean something in the statement or its proof."""
_INFIX: Final = {
    Operator.ADD: "+",
    Operator.AND: "&&",
    Operator.OR: "||",
    Operator.LESS: "<?",
    Operator.LESS_EQUAL: "<=?",
}


def statement(left: Program, right: Program, differ: bool) -> str:
    """That both programs return the same for all inputs, or, if they `differ`, something else for some."""
    names = input_names(left.parameters)
    inputs = [f"({names[each]} : {type_text(each.type)})" for each in left.parameters]
    relation = "Permutation" if isinstance(left.result, BagType) else "eq"
    written = [_Writer(names).term(program.expression) for program in (left, right)]
    claim = f"{'~ ' if differ else ''}{relation}\n    {written[0]}\n    {written[1]}"
    return f"{'exists' if differ else 'forall'} {' '.join(inputs)}, {claim}" if inputs else claim


def input_names(parameters: Sequence[Term]) -> dict[Term, str]:
    """A name of Coq for each parameter: its own, where Coq and the statement have no other use for it."""
    names: dict[Term, str] = {}
    for number, parameter in enumerate(parameters, 1):
        own = name_of(parameter)
        fits = re.fullmatch("[A-Za-z][A-Za-z0-9_]*", own) and own not in RESERVED and not own.startswith("input")
        names[parameter] = own if fits else f"input{number}"
    return names


def type_text(of: Type) -> str:
    """A type of plain Coq; a tuple is a pair of its first component and the tuple of the others."""
    match of:
        case IntType():
            return "Z"
        case BoolType():
            return "bool"
        case TupleType(components=(only,)):
            return type_text(only)
        case TupleType(components=(first, *others)):
            return f"{_atom(first)} * {_atom(TupleType(tuple(others)))}"
        case BagType(element=element):
            return f"list {_atom(element)}"
        case _:
            raise FragmentError(f"the Coq development has no type {of}")


def value_text(of: Any) -> str:
    """A value of plain Coq; a bag is a list of its elements."""
    match of:
        case bool():
            return str(of).lower()
        case int():
            return f"({of})" if of < 0 else str(of)
        case tuple():
            return _tuple([*map(value_text, of)])
        case dict():
            return f"[{'; '.join(value_text(each) for each, count in sorted(of.items()) for _ in range(count))}]"
        case _:
            raise FragmentError(f"the Coq development has no value {of!r}")


def _atom(of: Type) -> str:
    text = type_text(of)
    return f"({text})" if " " in text else text


def _tuple(parts: list[str]) -> str:
    first, *others = parts
    return f"({first}, {_tuple(others)})" if others else first


def _nested(sign: str, parts: list[str]) -> str:
    first, *others = parts
    return f"({first} {sign} {_nested(sign, others)})" if others else first


def _read(of: str, index: int, size: int) -> str:
    for _ in range(index):
        of = f"(snd {of})"
    return of if index == size - 1 else f"(fst {of})"


def equality(of: Type) -> str:
    """The function that compares two values of a type."""
    match of:
        case IntType():
            return "Z.eqb"
        case BoolType():
            return "Bool.eqb"
        case TupleType(components):
            size = len(components)
            parts = [
                f"({equality(each)} {_read('x1', index, size)} {_read('x2', index, size)})"
                for index, each in enumerate(components)
            ]
            return f"(fun x1 x2 : {type_text(of)} => {_nested('&&', parts)})"
        case _:
            raise FragmentError(f"the Coq development compares no {of}")


class _Writer:
    """Writes terms; in a function, x is the element and a what is accumulated."""

    def __init__(self, names: dict[Term, str]) -> None:
        self.names = names
        self.known: dict[Term, str] = {}
        self.letters = 0

    def term(self, term: Term) -> str:
        """A term as an expression of Coq."""
        if term not in self.known:
            text = self.known[term] = self.compound(term, list(term.arguments))
            self.letters += len(text)
            if self.letters > TEXT_LIMIT:
                raise FragmentError("the statement is too long to be spelt out in plain Coq")
        return self.known[term]

    def function(self, body: Term, *of: tuple[str, Type]) -> str:
        """A function over the variables, with their types."""
        binders = " ".join(f"({name} : {type_text(each)})" for name, each in of)
        return f"(fun {binders} => {self.term(body)})"

    def terms(self, terms: Iterable[Term]) -> list[str]:
        """Each of the terms."""
        return [*map(self.term, terms)]

    def compound(self, term: Term, arguments: list[Term]) -> str:
        """What `term` writes."""
        parameter: Any = term.parameter
        match term.operator:
            case Operator.CONSTANT if isinstance(parameter, bool | int):
                return value_text(parameter)
            case Operator.VARIABLE:
                return self.names[term]
            case Operator.ELEMENT:
                return "x"
            case Operator.ACCUMULATOR:
                return "a"
            case Operator.ADD | Operator.AND | Operator.OR | Operator.LESS | Operator.LESS_EQUAL:
                return _nested(_INFIX[term.operator], self.terms(arguments))
            case Operator.SCALE:
                return f"({value_text(parameter)} * {self.term(arguments[0])})"
            case Operator.DIV:
                return f"({self.term(arguments[0])} / {parameter})"
            case Operator.MOD:
                return f"({self.term(arguments[0])} mod {parameter})"
            case Operator.EQUAL:
                return f"({equality(arguments[0].type)} {' '.join(self.terms(arguments))})"
            case Operator.NOT:
                return f"(negb {self.term(arguments[0])})"
            case Operator.TUPLE:
                return _tuple(self.terms(arguments))
            case Operator.PROJECTION:
                return _read(self.term(arguments[0]), parameter, len(arguments[0].type.components))  # type: ignore[union-attr]
            case Operator.ITE:
                condition, then, otherwise = self.terms(arguments)
                return f"(if {condition} then {then} else {otherwise})"
            case _:
                return self.over_bags(term, arguments)

    def over_bags(self, term: Term, arguments: list[Term]) -> str:
        """What `term` writes, for operators over bags."""
        element: Any = getattr(arguments[-1].type, "element", None) if arguments else None
        match term.operator:
            case Operator.MAP | Operator.FILTER:
                function = self.function(arguments[0], ("x", element))
                return f"({term.operator.value} {function} {self.term(arguments[1])})"
            case Operator.CARTESIAN | Operator.UNION:
                name = "list_prod" if term.operator is Operator.CARTESIAN else "app"
                return f"({name} {' '.join(self.terms(arguments))})"
            case Operator.DISTINCT:
                return f"(distinct {equality(element)} {self.term(arguments[0])})"
            case Operator.FOLD:
                function = self.function(arguments[1], ("a", arguments[0].type), ("x", element))
                return f"(fold_left {function} {self.term(arguments[2])} {self.term(arguments[0])})"
            case Operator.FOLD_BY_KEY:
                key, folded = element.components
                function = self.function(arguments[1], ("a", arguments[0].type), ("x", folded))
                zero, bag = self.term(arguments[0]), self.term(arguments[2])
                return f"(fold_by_key {equality(key)} {function} {zero} {bag})"
            case operator:
                raise FragmentError(f"the Coq development has no {operator.value}")
