"""The statement of a claim in plain Coq: over Z, bool, pairs and lists, with map, filter, fold_left and such.

    forall r : list Z, Permutation (map (fun x => (2 * x)) r) (…)

Coq checks that it says what the programs mean: what is written here has to be convertible to what `coq/Plain.v` makes
of them (`denote`). So nothing here is trusted either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tallystick.certificates.exports.function_values import FunctionOf, FunctionValue, function_of
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import with_none
from tallystick.core.monomials import name_of
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term, subterms
from tallystick.core.types import BagType, BoolType, IntType, OptionType, TextType, TupleType, Type, default_value

TEXT_LIMIT: Final = 200_000
"""How many letters a statement may have; terms that share parts are written out."""
# fmt: off
RESERVED: Final = frozenset(
    {
        "Logic", "None", "Permutation", "Some", "String", "TBag", "TBool", "TInt", "TOpt", "TText", "TTup", "Type",
        "Prop", "Set", "SProp", "eq", "fuel",
        "existsb", "flat_map", "function_of_type", "known", "option", "option_eqb", "plain_sound", "plain_differ",
        "string", "Z", "after", "as", "at", "before", "bool", "by", "checked", "cofix", "distinct", "else", "end",
        "evidence", "Axiom", "CoFixpoint", "Definition", "Fixpoint", "Hypothesis", "Parameter", "Theorem", "Variable",
        "exists", "exists2",
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


def statement(left: Program, right: Program, differ: bool, known: tuple[FunctionValue, ...] = ()) -> str:
    """That both programs return the same for all inputs, or, if they `differ`, something else for some.

    It is about all functions of the programs' names; if they differ, about some with the values that are `known`.
    """
    names = input_names(left.parameters)
    functions = names_of_functions(functions_of(left, right), names.values())
    inputs = [f"({name} : {function_text(each)})" for each, name in functions.items()]
    inputs += [f"({names[each]} : {type_text(each.type)})" for each in left.parameters]
    relation = "Permutation" if isinstance(left.result, BagType) else "eq"
    written = [_Writer(names, functions).term(program.expression) for program in (left, right)]
    said = "".join(f"{_call(functions[each.function], each)} = {_result_text(each)} /\\ " for each in known)
    claim = f"{said}{'~ ' if differ else ''}{relation}\n    {written[0]}\n    {written[1]}"
    return f"{'exists' if differ else 'forall'} {' '.join(inputs)}, {claim}" if inputs else claim


def functions_of(*programs: Program) -> tuple[FunctionOf, ...]:
    """The functions that programs apply, each once, in the order in which they occur."""
    nodes = (node for program in programs for node in subterms(program.expression))
    applied = (function_of(node) for node in nodes if node.operator in (Operator.APPLY, Operator.EXPAND))
    return tuple(dict.fromkeys(applied))


def names_of_functions(functions: Iterable[FunctionOf], taken: Iterable[str]) -> dict[FunctionOf, str]:
    """A name of Coq for each function: like its own, and none of those that are taken."""
    used = {*RESERVED, *taken}
    names: dict[FunctionOf, str] = {}
    for function in functions:
        name = re.sub(r"\W+", "_", function.name, flags=re.ASCII)
        name = name if re.match("[A-Za-z]", name) else f"f{name}"
        while name in used:
            name += "_"
        used.add(name)
        names[function] = name
    return names


def function_text(function: FunctionOf) -> str:
    """The type of a function, which takes its arguments one by one."""
    return " -> ".join([*map(_atom, function.takes), type_text(function.gives)])


def known_function(function: FunctionOf, known: Iterable[FunctionValue]) -> str:
    """A function that has the values that are known, and the default value elsewhere."""
    binders = [f"(a{number} : {type_text(of)})" for number, of in enumerate(function.takes, 1)]
    body = "[]" if isinstance(function.gives, BagType) else value_text(default_value(function.gives), function.gives)
    for each in known:
        if each.function == function:
            pairs = zip(each.arguments, function.takes, strict=True)
            same = [f"{equality(of)} a{place} {value_text(given, of)}" for place, (given, of) in enumerate(pairs, 1)]
            value = _result_text(each)
            body = f"(if {' && '.join(f'({one})' for one in same)} then {value} else {body})" if same else value
    return f"(fun {' '.join(binders)} => {body})" if binders else body


def _call(name: str, known: FunctionValue) -> str:
    pairs = zip(known.arguments, known.function.takes, strict=True)
    return " ".join([name, *(value_text(given, of) for given, of in pairs)])


def _result_text(known: FunctionValue) -> str:
    return value_text(known.value, known.function.gives)


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
        case TextType():
            return "string"
        case OptionType(of=inner):
            return f"option {_atom(inner)}"
        case TupleType(components=(only,)):
            return type_text(only)
        case TupleType(components=(first, *others)):
            return f"{_atom(first)} * {_atom(TupleType(tuple(others)))}"
        case BagType(element=element):
            return f"list {_atom(element)}"
        case _:
            raise FragmentError(f"the Coq development has no type {of}")


def value_text(given: Any, of: Type) -> str:
    """A value of plain Coq; a bag is a list of its elements."""
    match of:
        case BoolType():
            return str(given).lower()
        case IntType():
            return f"({given})" if given < 0 else str(given)
        case TextType():
            return text_literal(given)
        case OptionType(of=inner):
            return "None" if given is None else f"(Some {value_text(given, inner)})"
        case TupleType(components=components):
            return _tuple([value_text(each, part) for each, part in zip(given, components, strict=True)])
        case BagType(element=element):
            ascending = sorted(given, key=with_none)
            return f"[{'; '.join(value_text(each, element) for each in ascending for _ in range(given[each]))}]"
        case _:
            raise FragmentError(f"the Coq development has no type {of}")


def text_literal(text: str) -> str:
    """A text as a string of Coq, which is one of bytes in UTF-8; what cannot be printed is written by its bytes."""
    written = '""'
    for shown in reversed(re.findall(r"[ -~]+|[^ -~]", text)):
        if shown.isprintable():
            written = _quoted(shown) if written == '""' else f"({_quoted(shown)} ++ {written})%string"
        else:
            for byte in reversed(shown.encode()):
                written = f'(String "{byte:03}"%char {written})'
    return written


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


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
        case TextType():
            return "String.eqb"
        case OptionType(of=inner):
            return f"(option_eqb {equality(inner)})"
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

    def __init__(self, names: dict[Term, str], functions: dict[FunctionOf, str]) -> None:
        self.names = names
        self.functions = functions
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
            case Operator.CONSTANT:
                return value_text(parameter, term.type)
            case Operator.VARIABLE:
                return self.names[term]
            case Operator.ELEMENT:
                return "x"
            case Operator.ACCUMULATOR:
                return "a"
            case Operator.LESS | Operator.LESS_EQUAL if isinstance(arguments[0].type, TextType):
                compared = "String.ltb" if term.operator is Operator.LESS else "String.leb"
                return f"({compared} {' '.join(self.terms(arguments))})"
            case Operator.ADD | Operator.AND | Operator.OR | Operator.LESS | Operator.LESS_EQUAL:
                return _nested(_INFIX[term.operator], self.terms(arguments))
            case Operator.SCALE:
                return f"({value_text(parameter, term.type)} * {self.term(arguments[0])})"
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
            case Operator.NONE:
                return f"(@None {_atom(parameter)})"
            case Operator.SOME:
                return f"(Some {self.term(arguments[0])})"
            case Operator.IS_NONE:
                return f"(match {self.term(arguments[0])} with Some _ => false | None => true end)"
            case Operator.VALUE:
                default = value_text(default_value(term.type), term.type)  # type: ignore[arg-type]
                return f"(match {self.term(arguments[0])} with Some v => v | None => {default} end)"
            case Operator.APPLY:
                name = self.functions[function_of(term)]
                return f"({' '.join([name, *self.terms(arguments)])})" if arguments else name
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
            case Operator.EXPAND:
                udf, bag = arguments
                taken = udf.arguments if udf.operator is Operator.TUPLE else None
                size = len(udf.type.components)  # type: ignore[union-attr]
                given = self.terms(taken) if taken else [_read(self.term(udf), place, size) for place in range(size)]
                items = f"({' '.join([self.functions[function_of(term)], *given])})"
                pairs = f"(fun x : {type_text(element)} => map (fun y => (x, y)) {items})"
                return f"(flat_map {pairs} {self.term(bag)})"
            case Operator.WITHOUT:
                udf, bag, taken = arguments
                of: Any = bag.type
                found = f"(existsb ({equality(udf.type)} {self.term(udf)}) {self.term(taken)})"
                return f"(filter (fun x : {type_text(of.element)} => negb {found}) {self.term(bag)})"
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
