"""Premises exported as SMT-LIB: z3 and cvc5 find each of them unsatisfiable, and wrong ones satisfiable."""

from __future__ import annotations

from pathlib import Path

import cvc5
import pytest
import z3
from hypothesis import given, settings
from strategies import formulas
from tallystick.certificates.exports.smtlib import export, script
from tallystick.certificates.judgements import Premise
from tallystick.certificates.obligations import Obligation, obligations
from tallystick.certificates.proofs import Oracle
from tallystick.core.terms import Term

from certificates.examples import CERTIFICATES
from certificates.z3_oracle import is_valid


def by_z3(text: str) -> str:
    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


def by_cvc5(text: str) -> str:
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "premise")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols)
        if answer:
            return str(answer).strip()
    return ""


@pytest.mark.parametrize("name", CERTIFICATES)
def test_both_solvers_agree_with_every_premise(name: str, tmp_path: Path) -> None:
    certificate = CERTIFICATES[name]()
    paths = export(certificate, tmp_path / "premises")
    assert len(paths) == len(list(obligations(certificate)))
    for path in paths:
        assert "(set-info :status unsat)" in path.read_text()
        assert by_z3(path.read_text()) == by_cvc5(path.read_text()) == "unsat"


@settings(max_examples=100)
@given(formulas())
def test_a_script_is_unsatisfiable_just_when_its_formula_is_valid(formula: Term) -> None:
    expected = "unsat" if is_valid(formula) else "sat"
    text = script(Obligation("proof", Premise("premise", formula), Oracle("z3"))).replace(
        "(set-info :status unsat)", ""
    )
    assert by_z3(text) == by_cvc5(text) == expected
