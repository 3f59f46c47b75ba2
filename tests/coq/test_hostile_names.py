"""Whatever names, texts and numbers a certificate has, its file for Coq is about just these, or there is none."""

from functools import reduce

import pytest
from certificates.examples import ONE, R, X, filtered, mapped
from tallystick.certificates.codec import encode
from tallystick.certificates.exports.auditors import CLOSED, compiled
from tallystick.certificates.exports.coq import batch
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.core.errors import FragmentError
from tallystick.core.programs import SPARKLITE, Program
from tallystick.core.terms import (
    Operator,
    Term,
    add,
    apply_function,
    build,
    constant,
    element,
    equal,
    free_variables,
    variable,
)
from tallystick.core.types import INT, TEXT, BagType
from tallystick.theorems import theorem_of

LETTERS = element(TEXT)
WORDS = variable("words", BagType(TEXT))
IDENTIFIERS = """
    forall exists exists2 IF fun SProp Set Type Axiom Definition Fixpoint CoFixpoint Hypothesis Parameter Theorem by do
    Variable Inductive Qed Logic list_prod nil cons pair nat unit I S N Var Op v y t0 n10 evidence claims plain_sound
    Tallystick Bool _ __ input1 é λ ª \U0001d4b3 eq_refl Permutation fold_left r x a program Z bool return mod let in
    match end else if then as at where with using cofix fix Coq
    """.split()  # noqa: SIM905
TEXTS = (
    *(
        '"',
        '""',
        '"*)',
        "(*",
        "*)",
        "(*)",
        '(* "',
        "\\",
        "\n",
        "\r\n",
        "\x00",
        "\x7f",
        "\u200f",
        "\ufeff",
        "",
        " ",
        "é",
    ),
    *('"). Axiom a : False. (* "', "%string", "str.lower", "forall", "x", "map", "9", "a\tb", "\U0001d4b3" * 50),
)
NUMBERS = (0, -1, 10**9 - 1, 2**63, -(2**64), 10**1000, -(10**1000))


def reflexive(*expressions: Term) -> list[Certificate]:
    """Certificates that programs return what they return."""
    programs = [Program("f", tuple(free_variables(each)), each) for each in expressions]
    return [Certificate(each, each, SPARKLITE, ("", ""), (), (), (), Step(Reflexive())) for each in programs]


def closed(certificates: list[Certificate]) -> None:
    """Fails unless Coq proves all claims."""
    done = compiled(batch(certificates))
    assert (done.returncode, done.stderr[-1500:], done.stdout.strip()) == (0, "", CLOSED)


def test_inputs_may_have_any_name(development):
    closed(reflexive(*(mapped(add(X, ONE), variable(name, BagType(INT))) for name in IDENTIFIERS)))


def test_texts_may_be_any(development):
    closed(reflexive(*(filtered(equal(LETTERS, constant(text)), WORDS) for text in TEXTS)))


def test_functions_may_have_any_name(development):
    closed(reflexive(*(mapped(apply_function(text, INT, LETTERS), WORDS) for text in TEXTS)))


def test_names_that_proofs_introduce_may_be_any(development):
    program = Program("f", (R,), mapped(add(X, ONE), R))
    certificates = []
    for text in (*TEXTS, *IDENTIFIERS):
        rule = Congruence((R, R), variable(text, BagType(INT)))
        step = Step(rule, (), (Step(Reflexive()), Step(Reflexive())))
        certificates.append(Certificate(program, program, SPARKLITE, ("", ""), (), (), (), step))
    closed([each for each in certificates if each.result.rule.fresh is not R])  # type: ignore[union-attr]


def test_what_is_nested_too_deeply_is_refused_by_name():
    deep = reduce(lambda inner, _: build(Operator.DIV, (add(inner, ONE),), 2), range(100), X)
    (certificate,) = reflexive(mapped(deep, R))
    with pytest.raises(FragmentError, match=r"^the certificate is nested too deeply to be written for Coq$"):
        theorem_of(encode(certificate))


def test_numbers_may_have_any_size(development):
    closed(reflexive(*(mapped(add(X, constant(number)), R) for number in NUMBERS)))
