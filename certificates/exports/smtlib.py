"""Premises in SMT-LIB 2.6 (logic QF_LIA), so that any solver can give a second opinion (untrusted).

A script asserts the negation of one premise; its expected status is unsat. A tuple variable becomes one constant a
component. `div` and `mod` by positive constants are the same in SMT-LIB as in the core.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tallystick.certificates.obligations import Obligation, obligations
from tallystick.certificates.proofs import Certificate
from tallystick.core.errors import FragmentError
from tallystick.core.pretty import with_named_rows
from tallystick.core.terms import Operator, Term, free_variables, ite, project
from tallystick.core.types import BOOL, TupleType

_SYMBOLS = {
    Operator.ADD: "+",
    Operator.LESS: "<",
    Operator.LESS_EQUAL: "<=",
    Operator.NOT: "not",
    Operator.AND: "and",
    Operator.OR: "or",
}


def export(certificate: Certificate, folder: Path) -> list[Path]:
    """Writes one .smt2 file for each premise into a folder, which is made; returns their paths, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, obligation in enumerate(obligations(certificate), 1):
        name = re.sub(r"\W+", "-", f"{obligation.path} {obligation.premise.about}").strip("-")
        path = folder / f"{number:02}-{name}.smt2"
        path.write_text(script(obligation), encoding="utf-8")
        paths.append(path)
    return paths


def script(obligation: Obligation) -> str:
    """The SMT-LIB script that is unsatisfiable if and only if the premise is valid."""
    premise = obligation.premise
    writer = _Writer(with_named_rows(premise.formula, premise.rows))
    lines = [
        f"; {ascii(f'{obligation.path}: {obligation.premise.about}')[1:-1]}",
        '(set-info :source "a premise of a Tallystick certificate")',
        "(set-info :status unsat)",
        "(set-logic QF_LIA)",
        *writer.lines,
        f"(assert (not {writer.result}))",
        "(check-sat)",
        "(exit)",
    ]
    return "\n".join(lines) + "\n"


class _Writer:
    """Declares the variables of a formula, and defines each shared subterm once."""

    def __init__(self, formula: Term) -> None:
        self.lines: list[str] = []
        self.known: dict[Term, str] = {}
        for variable in sorted(free_variables(formula), key=repr):
            for leaf in _leaves(variable):
                self.known[leaf] = f"|{_name(leaf)}|"
                self.lines.append(f"(declare-const {self.known[leaf]} {_sort(leaf)})")
        self.result = self.write(formula)

    def write(self, term: Term) -> str:
        """The text of an integer or boolean term; what is longer than a name is defined first."""
        if term not in self.known:
            text = self.text(term)
            if not text.startswith("(") or term.operator is Operator.CONSTANT:
                return text
            name = f"term!{len(self.known)}"
            self.lines.append(f"(define-fun {name} () {_sort(term)} {text})")
            self.known[term] = name
        return self.known[term]

    def text(self, term: Term) -> str:
        match term.operator, term.arguments, term.parameter:
            case Operator.CONSTANT, (), bool(value):
                return "true" if value else "false"
            case Operator.CONSTANT, (), int(value):
                return str(value) if value >= 0 else f"(- {-value})"
            case Operator.SCALE, (scaled,), int(factor):
                return f"(* {factor if factor >= 0 else f'(- {-factor})'} {self.write(scaled)})"
            case Operator.DIV | Operator.MOD, (dividend,), int(divisor):
                return f"({term.operator.value} {self.write(dividend)} {divisor})"
            case Operator.EQUAL, (left, right), _:
                pairs = zip(_leaves(left), _leaves(right), strict=True)
                equal = [f"(= {self.write(one)} {self.write(other)})" for one, other in pairs]
                return equal[0] if len(equal) == 1 else f"(and {' '.join(equal)})"
            case Operator.ITE, (condition, then, otherwise), _:
                return f"(ite {self.write(condition)} {self.write(then)} {self.write(otherwise)})"
            case Operator.PROJECTION, (inner,), int(index):
                return self.write(_projected(inner, index))
        if term.operator not in _SYMBOLS:
            raise FragmentError(f"{term.operator.value} has no place in a formula")
        return f"({_SYMBOLS[term.operator]} {' '.join(map(self.write, term.arguments))})"


def _projected(term: Term, index: int) -> Term:
    """A component of a tuple that is no variable: inside conditionals, and inside tuples in tuples."""
    if term.operator is Operator.PROJECTION and isinstance(term.parameter, int):
        term = _projected(term.arguments[0], term.parameter)
    if term.operator is Operator.ITE:
        condition, then, otherwise = term.arguments
        return ite(condition, _projected(then, index), _projected(otherwise, index))
    return project(term, index)


def _leaves(term: Term) -> Iterator[Term]:
    """The integer and boolean components of a term, itself if it is one."""
    if isinstance(term.type, TupleType):
        for index in range(len(term.type.components)):
            yield from _leaves(project(term, index))
    else:
        yield term


def _name(leaf: Term) -> str:
    if leaf.operator is Operator.PROJECTION:
        return f"{_name(leaf.arguments[0])}.{leaf.parameter}"
    name: str = leaf.parameter[0]  # type: ignore[index,assignment]
    if set(name) & set("|\\!"):
        raise FragmentError(f"{name!r} cannot be a name in SMT-LIB")
    return name


def _sort(term: Term) -> str:
    return "Bool" if term.type == BOOL else "Int"
