"""Premises in SMT-LIB 2.6 (logic QF_LIA), so that any solver can give a second opinion (untrusted).

A script asserts the negation of one premise; its expected status is unsat. A tuple variable becomes one constant a
component. `div` and `mod` by positive constants are the same in SMT-LIB as in the core.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tallystick.certificates.obligations import Obligation, obligations
from tallystick.certificates.proofs import Certificate
from tallystick.core.errors import FragmentError
from tallystick.core.pretty import with_named_rows
from tallystick.core.solvers.encode import Encoder
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BOOL, Type


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
    made = Script()
    result = Encoder(made).encode(with_named_rows(premise.formula, premise.rows))
    lines = [
        f"; {ascii(f'{obligation.path}: {obligation.premise.about}')[1:-1]}",
        '(set-info :source "a premise of a Tallystick certificate")',
        "(set-info :status unsat)",
        "(set-logic QF_LIA)",
        *made.declarations.values(),
        *made.definitions,
        f"(assert (not {result}))",
        "(check-sat)",
        "(exit)",
    ]
    return "\n".join(lines) + "\n"


class Script:
    """A back-end whose terms are texts (see `BackEnd` for its methods); each application is defined as a name.

    Attributes:
        declarations: of the variables.
        definitions: of the applications, in terms of the variables and of earlier definitions.
    """

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}
        self.definitions: list[str] = []

    def constant(self, value: bool | int) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if value >= 0 else f"(- {-value})"

    def variable(self, path: Term) -> str:
        name = _name(path)
        if name in self.declarations:
            raise FragmentError(f"two variables are called {name!r}")
        self.declarations[name] = f"(declare-const |{name}| {_sort(path.type)})"
        return f"|{name}|"

    def apply(self, symbol: str, arguments: Sequence[str], of: Type) -> str:
        name = f"term!{len(self.definitions)}"
        self.definitions.append(f"(define-fun {name} () {_sort(of)} ({symbol} {' '.join(arguments)}))")
        return name


def _name(path: Term) -> str:
    if path.operator is Operator.PROJECTION:
        return f"{_name(path.arguments[0])}.{path.parameter}"
    name: str = path.parameter[0]  # type: ignore[index,assignment]
    if set(name) & set("|\\!"):
        raise FragmentError(f"{name!r} cannot be a name in SMT-LIB")
    return name


def _sort(of: Type) -> str:
    return "Bool" if of == BOOL else "Int"
