"""Texts, options and functions of Python's: their certificates are theorems, and false claims about them are none."""

from dataclasses import replace
from pathlib import Path

import pytest
from certificates.examples import certificate, filtered, mapped, negated, no_agg, programs
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.evidence import Refutation
from tallystick.certificates.exports.auditors import CLOSED, compiled, opinions_of_ocaml
from tallystick.certificates.exports.coq import batch, theorem
from tallystick.certificates.exports.plain_coq import text_literal
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core.terms import (
    TRUE,
    Term,
    apply_function,
    constant,
    element,
    equal,
    is_none,
    ite,
    less,
    none,
    some,
    value_of,
    variable,
)
from tallystick.core.types import INT, TEXT, BagType, OptionType

from coq import text_programs
from coq.test_certificates import certified

OPTIONS = variable("options", BagType(OptionType(INT)))
TEXTS = variable("texts", BagType(TEXT))
X, T = element(OptionType(INT)), element(TEXT)
MATCHING = ((0, (0,)),)


def proved(left: Term, right: Term, bag: Term) -> Certificate:
    """The certificate of an equivalence by NOAGG."""
    return certificate(programs(left, right, bag), no_agg(Goal(TRUE, left, right), MATCHING))


def options() -> list[Certificate]:
    present = filtered(negated(is_none(X)), OPTIONS)
    of_texts = variable("maybe", BagType(OptionType(TEXT)))
    maybe = element(OptionType(TEXT))
    return [
        proved(present, filtered(negated(equal(X, none(INT))), OPTIONS), OPTIONS),
        proved(mapped(some(value_of(X)), present), present, OPTIONS),
        proved(
            mapped(value_of(ite(is_none(X), some(constant(7)), X)), OPTIONS),
            mapped(ite(is_none(X), constant(7), value_of(X)), OPTIONS),
            OPTIONS,
        ),
        proved(
            filtered(negated(less(constant(""), value_of(maybe))), of_texts),
            filtered(equal(value_of(maybe), constant("")), of_texts),
            of_texts,
        ),
    ]


def functions() -> list[Certificate]:
    def size(text: Term) -> Term:
        return apply_function("len", INT, text)

    return [
        proved(
            filtered(equal(T, constant('a\n"é\\')), mapped(T, TEXTS)),
            mapped(constant('a\n"é\\'), filtered(equal(constant('a\n"é\\'), T), TEXTS)),
            TEXTS,
        ),
        proved(
            mapped(size(T), filtered(equal(T, constant("ab")), TEXTS)),
            mapped(size(constant("ab")), filtered(equal(T, constant("ab")), TEXTS)),
            TEXTS,
        ),
    ]


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> dict[str, list[Path]]:
    """Certificates of programs over texts, by their verdicts."""
    made = certified(Path(text_programs.__file__), text_programs.PAIRS, tmp_path_factory.mktemp("texts"))
    paths: dict[str, list[Path]] = {"equivalent": [], "inequivalent": []}
    for path, (_, _, verdict) in zip(made, text_programs.PAIRS, strict=True):
        paths[verdict].append(path)
    return paths


def test_claims_about_programs_over_texts_are_theorems(development, texts):
    certificates = [decode(path.read_bytes()) for paths in texts.values() for path in paths]
    done = compiled(batch(certificates))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)


def test_the_extracted_auditor_accepts_them_and_says_what_it_does_not_cover(development, texts):
    assert [each for each in opinions_of_ocaml(texts["equivalent"]) if not each.accepted] == []
    found = opinions_of_ocaml(texts["inequivalent"])
    assert [(each.accepted, each.reason) for each in found[:2]] == [
        (None, "the Coq development has no values of Python's functions")
    ] * 2
    assert found[2].accepted


def test_statements_quantify_over_the_functions(texts):
    text = theorem(decode(texts["equivalent"][1].read_bytes()))
    assert "Theorem plain : forall (words : string -> list string)" in text


def test_a_difference_says_which_values_of_functions_it_rests_on(development, texts):
    text = theorem(decode(texts["inequivalent"][0].read_bytes()))
    (known,) = (line for line in text.splitlines() if "App " in line)
    assert '(App "len" [TText] [VText "aaa"], TInt, VInt 3)' in known
    assert 'len "aaa" = 3' in text
    forged = text.replace("TInt, VInt 3)", "TInt, VInt 4)")
    assert compiled(forged).returncode == 1


@pytest.mark.parametrize("make", [options, functions])
def test_options_and_equal_arguments_are_covered_by_both(development, make, tmp_path):
    certificates = make()
    done = compiled(batch(certificates))
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", CLOSED)
    paths = []
    for number, each in enumerate(certificates):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(encode(each))
        assert audit(paths[-1]).accepted
    assert [opinion for opinion in opinions_of_ocaml(paths) if not opinion.accepted] == []


def test_a_difference_on_an_input_with_none(development):
    left, right = mapped(value_of(X), OPTIONS), mapped(value_of(X), filtered(negated(is_none(X)), OPTIONS))
    result = Counterexample(({None: 2, 5: 1},), ({0: 2, 5: 1}, {5: 1}))
    made = certificate(programs(left, right, OPTIONS), result)
    assert compiled(theorem(made)).stdout.split("\n") == [CLOSED, ""]


FALSE = {
    "equal values have equal arguments": (
        filtered(equal(apply_function("len", INT, T), apply_function("len", INT, constant("a"))), TEXTS),
        filtered(equal(T, constant("a")), TEXTS),
    ),
    "functions of other names are the same": (
        mapped(apply_function("str.lower", TEXT, T), TEXTS),
        mapped(apply_function("str.upper", TEXT, T), TEXTS),
    ),
    "texts are ordered as numbers": (
        filtered(less(T, constant("10")), TEXTS),
        filtered(less(T, constant("9")), TEXTS),
    ),
    "there is a text before the empty one": (
        filtered(less(T, constant("")), TEXTS),
        filtered(equal(T, constant("")), TEXTS),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_accepted_by_none(development, texts, name, tmp_path):
    """Each true certificate's evidence is tried for a false claim: no auditor accepts it, and they agree."""
    left, right = FALSE[name]
    steps = [*options(), *functions(), *(decode(path.read_bytes()) for path in texts["equivalent"])]
    paths = []
    for number, each in enumerate(steps):
        made = replace(each, left=programs(left, right, TEXTS)[0], right=programs(left, right, TEXTS)[1], one_values=())
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(encode(made))
    assert [audit(path).accepted for path in paths] == [False] * len(paths)
    assert [opinion.accepted for opinion in opinions_of_ocaml(paths)] == [False] * len(paths)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", '""'),
        ('say "é"', '("say """ ++ ("é" ++ """")%string)%string'),
        ("a\nb", '("a" ++ (String "010"%char "b"))%string'),
        ("\x00", '(String "000"%char "")'),
    ],
)
def test_texts_are_written_by_their_bytes(text, literal):
    assert text_literal(text) == literal


def test_refutations_of_texts_are_what_python_makes(texts):
    evidence = decode(texts["equivalent"][2].read_bytes()).result.evidence
    assert all(isinstance(each, Refutation) for each in evidence)
