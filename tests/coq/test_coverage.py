"""What certificates of programs are made of, and which of it the Coq development has: each thing, or it is refused."""

from dataclasses import replace
from typing import get_args

import pytest
from certificates.examples import R, X, certificate, folded, folded_by_key
from tallystick.certificates import evidence
from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Evidence, Oracle
from tallystick.certificates.exports.auditors import CLOSED, claim_of, compiled, opinions_of_ocaml
from tallystick.certificates.exports.coq import batch, proof_lines, theorem, type_of
from tallystick.certificates.exports.coq_evidence import Writer
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules import OF_BOTH, rule
from tallystick.certificates.rules import OF_PROGRAMS as RULES_OF_PROGRAMS
from tallystick.certificates.rules import OF_QUERIES as RULES_OF_QUERIES
from tallystick.certificates.rules.normal import Normal
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.errors import FragmentError
from tallystick.core.operators import OF_QUERIES
from tallystick.core.programs import LIST, MEAN, RETURNS, VALUE, Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply_function,
    build,
    constant,
    element,
    ite,
    less,
    less_equal,
    multiply,
    none,
    project,
    scale,
    some,
    subterms,
    to_rational,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BagType, OptionType, RationalType, TupleType, Type

OF_PROGRAMS = set(Operator) - OF_QUERIES
PAIR = TupleType((INT, INT))
PAIRS = variable("pairs", BagType(PAIR))
T, MAYBE = element(TEXT), element(OptionType(INT))
SUM = add(accumulator(INT), X)
PARITY = build(Operator.MOD, (X,), 2)


def over(udf: Term, of: Type) -> Term:
    """Maps a function over a bag of elements of a type."""
    return build(Operator.MAP, (udf, variable("bag", BagType(of))))  # type: ignore[arg-type]


COVERED = {
    Operator.CONSTANT: over(constant("a"), INT),
    Operator.VARIABLE: R,
    Operator.ELEMENT: over(X, INT),
    Operator.ACCUMULATOR: folded(constant(0), SUM, R),
    Operator.ADD: over(add(X, X), INT),
    Operator.SCALE: over(scale(2, X), INT),
    Operator.DIV: over(build(Operator.DIV, (X,), 2), INT),
    Operator.MOD: over(PARITY, INT),
    Operator.EQUAL: over(build(Operator.EQUAL, (T, constant("a"))), TEXT),
    Operator.LESS: over(less(T, constant("a")), TEXT),
    Operator.LESS_EQUAL: over(less_equal(T, constant("a")), TEXT),
    Operator.NOT: over(build(Operator.NOT, (less(X, X),)), INT),
    Operator.AND: over(build(Operator.AND, (less(X, X), TRUE)), INT),
    Operator.OR: over(build(Operator.OR, (less(X, X), TRUE)), INT),
    Operator.TUPLE: over(tuple_of(X), INT),
    Operator.PROJECTION: over(project(element(TupleType((INT, TEXT))), 1), TupleType((INT, TEXT))),
    Operator.ITE: over(ite(less(X, PARITY), X, PARITY), INT),
    Operator.NONE: over(none(INT), INT),
    Operator.SOME: over(some(X), INT),
    Operator.IS_NONE: over(build(Operator.IS_NONE, (MAYBE,)), OptionType(INT)),
    Operator.VALUE: over(build(Operator.VALUE, (MAYBE,)), OptionType(INT)),
    Operator.APPLY: over(apply_function("len", INT, T), TEXT),
    Operator.MAP: over(X, INT),
    Operator.FILTER: build(Operator.FILTER, (less(X, X), R)),
    Operator.CARTESIAN: build(Operator.CARTESIAN, (R, R)),
    Operator.UNION: build(Operator.UNION, (R, R)),
    Operator.DISTINCT: build(Operator.DISTINCT, (R,)),
    Operator.EXPAND: build(Operator.EXPAND, (tuple_of(T), variable("texts", BagType(TEXT))), ("words", TEXT)),
    Operator.WITHOUT: build(Operator.WITHOUT, (PARITY, R, R)),
    Operator.FOLD: folded(constant(0), SUM, R),
    Operator.FOLD_BY_KEY: folded_by_key(constant(0), SUM, PAIRS),
}
"""A program with each operator that the development has."""
REFUSED = {
    Operator.MULTIPLY: over(multiply(X, X), INT),
    Operator.TO_RATIONAL: over(to_rational(X), INT),
}
"""One with each operator that it does not have."""


NO_PROOF = evidence.Farkas(())
NODES = {
    evidence.Case: (evidence.Case(0, ()), "Case"),
    evidence.Split: (evidence.Split((), 0, NO_PROOF, NO_PROOF), "Split"),
    evidence.Cut: (evidence.Cut((), NO_PROOF), "Cut"),
    evidence.Farkas: (NO_PROOF, "Farkas"),
    evidence.Apply: (evidence.Apply(0, 1, NO_PROOF), "Congruent"),
}
"""A node of each kind that the development has, and what it is called there."""
OF_QUERIES = {
    evidence.Open,
    evidence.Use,
    evidence.Extremum,
    evidence.Key,
    evidence.Foreign,
    evidence.Check,
    evidence.Member,
    evidence.Sign,
    evidence.Lemma,
}
REFUSED_RULES = {*map(rule, RULES_OF_QUERIES), Normal}
COVERED_RULES = {*map(rule, (*RULES_OF_PROGRAMS, *OF_BOTH))} - REFUSED_RULES


def itself(term: Term, returns: str = VALUE) -> Certificate:
    """That a program is equivalent to itself, and that its folds have one value."""
    parameters = tuple(node for node in subterms(term) if node.operator is Operator.VARIABLE)
    left, right = (Program(name, parameters, term, returns) for name in ("before", "after"))
    return certificate((left, right), Step(Reflexive()))


def test_each_operator_of_programs_is_covered_or_refused():
    assert COVERED.keys() | REFUSED.keys() | {Operator.BOTTOM} == OF_PROGRAMS
    assert not COVERED.keys() & REFUSED.keys()
    for operator, term in (COVERED | REFUSED).items():
        assert operator in {node.operator for node in subterms(term)}


def test_programs_with_each_operator_that_is_covered_are_theorems(development):
    done = compiled(batch([itself(term) for term in COVERED.values()]))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)


def test_the_extracted_auditor_reads_each_operator_that_is_covered(development, tmp_path):
    paths = [tmp_path / f"{operator.value}.json" for operator in COVERED]
    for path, term in zip(paths, COVERED.values(), strict=True):
        path.write_bytes(encode(itself(term)))
    assert [opinion for opinion in opinions_of_ocaml(paths) if not opinion.accepted] == []


def test_both_auditors_quote_blanks_alike(development, tmp_path):
    texts = ("a b", "a  b", "   ", 'it\'s  "x"  ', "é  \\x20  \n  ")
    path = tmp_path / "texts.json"
    path.write_bytes(encode(itself(tuple_of(*map(constant, texts)))))
    (opinion,) = opinions_of_ocaml([path])
    assert opinion.accepted, opinion
    assert opinion.claim == claim_of(path.read_bytes())
    assert r"'a \x20b'" in opinion.claim[1] + opinion.claim[2]


@pytest.mark.parametrize("operator", REFUSED)
def test_operators_that_are_not_covered_are_refused_by_name(operator):
    with pytest.raises(FragmentError, match=rf"^the Coq development has no ({operator.value}|type Rational)$"):
        theorem(itself(REFUSED[operator]))


def test_each_node_of_evidence_is_covered_or_refused_by_name():
    assert NODES.keys() | OF_QUERIES | {Oracle} == set(get_args(Evidence))
    for node, name in NODES.values():
        assert Writer().tree(node).startswith(f"({name} ")
    for kind in OF_QUERIES:
        with pytest.raises(FragmentError, match=rf"^the Coq development has no {kind.__name__}$"):
            Writer().tree(object.__new__(kind))
    with pytest.raises(FragmentError, match=r"^Coq takes no solver's word, and a premise rests on that of z3$"):
        Writer().tree(Oracle("z3"))


def test_each_rule_is_covered_or_refused_by_name():
    assert None not in COVERED_RULES | REFUSED_RULES
    for each in COVERED_RULES & {Transitive, Symmetric, Reflexive}:
        assert each.__name__ in OF_BOTH
    for each in REFUSED_RULES:
        with pytest.raises(FragmentError, match=rf"^the Coq development has no rule {each.__name__}$"):
            proof_lines(Step(object.__new__(each)))


def test_each_type_is_covered_or_refused_by_name():
    covered = (INT, BOOL, TEXT, OptionType(INT), TupleType((INT, TEXT)), BagType(INT))
    assert {*map(type, covered), RationalType} == set(get_args(Type))
    assert [*map(type_of, covered)] == ["TInt", "TBool", "TText", "(TOpt TInt)", "(TTup [TInt; TText])", "(TBag TInt)"]
    with pytest.raises(FragmentError, match=r"^the Coq development has no type Rational$"):
        type_of(RATIONAL)


@pytest.mark.parametrize("returns", RETURNS)
def test_each_kind_of_result_is_covered(development, returns, tmp_path):
    made = itself(tuple_of(constant(1), constant(2)) if returns == MEAN else PAIRS, returns)
    assumed = replace(made, assumptions=("means are exact quotients, and 0 for no elements",))
    assert f"stands_for := {'Mean' if returns == MEAN else 'Value'} |}}" in theorem(made)
    path = tmp_path / "result.json"
    path.write_bytes(encode(assumed))
    [opinion] = opinions_of_ocaml([path])
    assert opinion.accepted


def test_lists_that_differ_are_refused_by_name(development, tmp_path):
    """Bags of (order, element) may differ where the lists that they stand for do not."""
    term = build(Operator.FILTER, (less(project(element(PAIR), 0), constant(0)), PAIRS))
    left, right = itself(PAIRS, LIST), itself(term, LIST)
    inputs: tuple = ({(1, 1): 1},)
    made = replace(left, right=right.left, result=Counterexample(inputs, (inputs[0], {})))
    reason = "the Coq development has no lists in an order, which two bags of pairs may share"
    with pytest.raises(FragmentError, match=f"^{reason}$"):
        theorem(made)
    path = tmp_path / "lists.json"
    path.write_bytes(encode(made))
    [opinion] = opinions_of_ocaml([path])
    assert (opinion.accepted, opinion.reason) == (None, reason)
