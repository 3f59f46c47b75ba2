"""The format: one encoding for each certificate, typed and bounded."""

from __future__ import annotations

import json
import os
import random
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import terms as some_terms
from tallystick.certificates.budget import AuditLimits
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.proofs import Counterexample
from tallystick.core.errors import CertificateError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Operator, build, variable
from tallystick.core.types import BOOL, INT, BagType, TupleType

from certificates.examples import CERTIFICATES, ONE, R, X, certificate, filter_and_map, mapped, programs
from certificates.mutations import altered, places

ENCODED = {name: encode(make()) for name, make in CERTIFICATES.items()}
GOOD = ENCODED["filter_and_map"]


def laid_out(document: dict[str, Any]) -> bytes:
    """A document in the format's layout."""
    lines = [f'"{key}":{json.dumps(document[key], separators=(",", ":"))}' for key in sorted(document)]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def rejection(data: bytes, limits: AuditLimits | None = None) -> str:
    with pytest.raises(CertificateError) as caught:
        decode(data, limits or AuditLimits())
    return str(caught.value)


@pytest.mark.parametrize("name", CERTIFICATES)
def test_decoding_inverts_encoding(name: str) -> None:
    made = CERTIFICATES[name]()
    assert decode(encode(made)) == made
    assert encode(decode(ENCODED[name])) == ENCODED[name] == laid_out(json.loads(ENCODED[name]))


def test_the_example_of_the_format_is_this_very_certificate() -> None:
    with open(os.path.join(os.path.dirname(__file__), "../../certificates/FORMAT.md"), encoding="utf-8") as file:
        assert GOOD.decode() in file.read()


@given(some_terms(INT, (variable("x", INT), variable("p", BOOL)), 4))
@settings(max_examples=60)
def test_every_term_is_decoded_as_it_was(term) -> None:
    pair = programs(term, term, variable("x", INT), variable("p", BOOL))
    made = certificate(pair, Counterexample((3, True), (0, 0)))
    assert decode(encode(made)) == made


VALUES = st.recursive(
    st.sampled_from((INT, BOOL)), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple).map(TupleType)
)


@given(VALUES, st.data())
@settings(max_examples=60)
def test_every_value_is_decoded_as_it_was(of, data) -> None:
    def value(kind):
        if isinstance(kind, TupleType):
            return tuple(map(value, kind.components))
        return data.draw(st.booleans() if kind == BOOL else st.integers())

    bag = {value(of): data.draw(st.integers(1, 10**20)) for _ in range(3)}
    name = variable("B", BagType(of))
    made = certificate(programs(name, name, name), Counterexample((bag,), (bag, {})))
    decoded = decode(encode(made))
    assert decoded == made
    assert evaluate(decoded.left.expression, {name: decoded.result.inputs[0]}) == bag  # type: ignore[union-attr]


def test_encodings_do_not_depend_on_the_order_of_a_bag() -> None:
    pair = programs(R, mapped(X, R), R)
    one, other = ({1: 1, 2: 2}, {2: 2, 1: 1})
    assert encode(certificate(pair, Counterexample((one,), (one, {})))) == encode(
        certificate(pair, Counterexample((other,), (other, {})))
    )


def _text(change: dict[str, Any] | None = None, **parts: Any) -> bytes:
    return laid_out({**json.loads(GOOD), **(change or {}), **parts})


TERMS: list[Any] = json.loads(GOOD)["terms"]
PROGRAM: list[Any] = json.loads(GOOD)["left"]


def terms(*rows: Any) -> bytes:
    """The good certificate with other rows in front, so that the first bad one is found."""
    return _text(terms=[*rows, *TERMS])


NESTED: Any = "IntType"
for _ in range(300):
    NESTED = ["TupleType", [NESTED]]

HOSTILE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "certificate: not JSON in ASCII: Expecting value: line 1 column 1 (char 0)"),
    "invalid UTF-8": (b"\xff\xfe", "certificate: not JSON in ASCII: 'ascii' codec can't decode byte 0xff"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "certificate: not JSON in ASCII"),
    "a letter beyond ASCII": (GOOD.replace(b"before", "bevör".encode()), "certificate: not JSON in ASCII"),
    "trailing data": (GOOD + b"{}", "certificate: not JSON in ASCII: Extra data"),
    "trailing blank": (GOOD + b" ", "certificate: not canonical"),
    "another layout": (json.dumps(json.loads(GOOD)).encode(), "certificate: not canonical"),
    "another order of keys": (
        GOOD.replace(b'{\n"assumptions"', b'{\n"version":2,\n"assumptions"').replace(b',\n"version":2\n', b"\n"),
        "certificate: not canonical",
    ),
    "an array": (
        b"[]",
        "certificate: expected an object with the keys assumptions, format, left, one_values, producer, result",
    ),
    "an unknown key": (_text(comment=""), "certificate: expected an object with the keys"),
    "a missing key": (
        laid_out({k: v for k, v in json.loads(GOOD).items() if k != "sources"}),
        "certificate: expected an object with the keys",
    ),
    "a key twice": (GOOD.replace(b'"version":2', b'"version":2,\n"version":2'), "certificate: a key occurs twice"),
    "a key twice inside": (_text().replace(b"[0],7,", b'[0],{"a":1,"a":2},'), "certificate: a key occurs twice"),
    "an object inside": (_text(left={}), "certificate.left: expected Program, not {}"),
    "another format": (_text(format="x"), "certificate: its format is not 'tallystick-certificate'"),
    "another version": (_text(version=1), "certificate: its version is not 2"),
    "the version true": (_text(version=True), "certificate: its version is not 2"),
    "another semantics": (_text(semantics="flink"), "certificate: its semantics is none of sparklite, spark"),
    "another verdict": (_text(verdict="unknown"), "certificate: not canonical"),
    "a proof of a difference": (_text(verdict="inequivalent"), "certificate.result: expected 3 parts, not 4"),
    "a float": (_text().replace(b'"version":2', b'"version":1.0'), "certificate: 1.0 is no integer"),
    "an exponent": (_text().replace(b'"version":2', b'"version":1e0'), "certificate: 1e0 is no integer"),
    "NaN": (_text(version=float("nan")), "certificate: NaN is no integer"),
    "Infinity": (_text(version=float("inf")), "certificate: Infinity is no integer"),
    "minus zero": (GOOD.replace(b"[0],7,", b"[-0],7,"), "certificate: not canonical"),
    "a huge integer": (_text(version=10**400), "certificate: more digits than the limit of 300"),
    "an integer that takes minutes to read": (
        GOOD.replace(b'"version":2', b'"version":' + b"9" * 900_000),
        "certificate: more digits than the limit of 300",
    ),
    "deep nesting": (b"[" * 500_000, "certificate: nested too deeply"),
    "deep nesting inside": (
        GOOD.replace(b'"version":2', b'"version":' + b"[" * 100_000 + b"]" * 100_000),
        "certificate: nested too deeply",
    ),
    "a lone surrogate": (_text(assumptions=["\ud800"]), "certificate.assumptions[0]: a lone surrogate is no text"),
    "an integer for a text": (_text(assumptions=[1]), "certificate.assumptions[0]: expected str, not 1"),
    "a term spelled out": (
        _text(left=[*PROGRAM[:3], ["Term", "constant", [], 1, "IntType", []], *PROGRAM[4:]]),
        "certificate.left.expression: expected Term, not [",
    ),
    "one source": (_text(sources=[""]), "certificate.sources: expected 2 parts, not 1"),
    "rows that are no array": (_text(terms={}), "certificate: its terms are no array"),
    "a row that is no array": (terms("x"), "certificate.terms[0]: expected an operator, its parameter"),
    "an empty row": (terms([]), "certificate.terms[0]: expected an operator, its parameter"),
    "an unknown operator": (terms(["power", None]), "certificate.terms[0]: expected an operator, its parameter"),
    "an operator that is no text": (terms([[], None]), "certificate.terms[0]: expected an operator"),
    "⊥": (terms(["bottom", None]), "certificate.terms[0]: no typing rule for bottom of ()"),
    "wrong arity": (terms(["constant", 1], ["not", None]), "certificate.terms[1]: no typing rule for not of ()"),
    "wrong types": (terms(["constant", 1], ["not", None, 0]), "certificate.terms[1]: no typing rule for not of (Int)"),
    "a parameter too many": (terms(["constant", 1], ["add", 1, 0, 0]), "certificate.terms[1].parameter: expected"),
    "no parameter": (
        terms(["constant", None]),
        "certificate.terms[0].parameter: expected int or bool or str or",
    ),
    "a divisor of zero": (
        terms(["constant", 1], ["div", 0, 0]),
        "certificate.terms[1]: no typing rule for div of (Int) with parameter 0",
    ),
    "a boolean divisor": (
        terms(["constant", 1], ["div", True, 0]),
        "certificate.terms[1].parameter: expected int, not true",
    ),
    "an empty tuple": (terms(["tuple", None]), "certificate.terms[0]: no typing rule for tuple of ()"),
    "an empty tuple type": (
        terms(["element", ["TupleType", []]]),
        "certificate.terms[0].parameter: a tuple type has at least one component",
    ),
    "a bag of bags": (
        terms(["variable", ["R", ["BagType", ["BagType", ["IntType"]]]]]),
        "certificate.terms[0].parameter[1].element: expected IntType or BoolType or TextType or",
    ),
    "an unknown type": (terms(["element", ["FloatType"]]), "certificate.terms[0].parameter: expected IntType or"),
    "a reference to itself": (terms(["not", None, 0]), "certificate.terms[0].arguments[0]: there is no term 0 before"),
    "a forward reference": (terms(["not", None, 1]), "certificate.terms[0].arguments[0]: there is no term 1 before"),
    "a negative reference": (
        terms(["constant", True], ["not", None, -1]),
        "certificate.terms[1].arguments[0]: there is no term -1 before it",
    ),
    "a boolean reference": (
        terms(["constant", True], ["not", None, False]),
        "certificate.terms[1].arguments[0]: expected Term, not false",
    ),
    "a term twice": (_text(terms=[*TERMS, TERMS[0]]), "certificate: not canonical"),
    "an unused term": (_text(terms=[*TERMS, ["constant", 99]]), "certificate: not canonical"),
    "a reference beyond the table": (
        _text(left=["Program", "before", [0], 99, *PROGRAM[4:]]),
        "certificate.left.expression: there is no term 99",
    ),
    "a parameter that is no variable": (
        _text(left=["Program", "before", [1], 7, *PROGRAM[4:]]),
        "certificate.left: before: parameters are variables with distinct names",
    ),
    "a parameter twice": (
        _text(left=["Program", "before", [0, 0], 7, *PROGRAM[4:]]),
        "certificate.left: before: parameters are variables with distinct names",
    ),
    "an undeclared parameter": (
        _text(left=["Program", "before", [], 7, *PROGRAM[4:]]),
        "certificate.left: before: the main expression has free variables",
    ),
    "an open program": (
        _text(left=["Program", "before", [0], 2, *PROGRAM[4:]]),
        "certificate.left: before: the main expression has",
    ),
    "a program with a part too many": (
        _text(left=[*PROGRAM, 1]),
        "certificate.left: expected 6 parts, not 7",
    ),
    "an unknown rule": (
        _text(result=["Step", ["Trust"], [], []]),
        "certificate.result.rule: expected a rule",
    ),
    "no rule": (_text(result=[]), "certificate.result: expected Step, not []"),
    "a rule without parts": (
        _text(result=["Step", ["NoAgg"], [], []]),
        "certificate.result.rule: expected 1 parts, not 0",
    ),
    "a boolean multiplier": (
        _text(result=["Step", ["NoAgg", None], [["Farkas", [[0, True]]]], []]),
        "certificate.result.evidence[0].multipliers[0][1]: expected int, not true",
    ),
    "many nodes": (
        _text(result=["Step", ["NoAgg", None], [["Farkas", []]] * 50_001, []]),
        "certificate.result.evidence[49993]: more nodes than the limit of 50000",
    ),
    "many terms": (_text(terms=[["constant", 1]] * 20_001), "certificate: more terms than the limit of 20000"),
    "many bytes": (GOOD + b" " * 10**6, "certificate: more bytes than the limit of 1000000"),
    "deep terms": (
        _text(terms=[["constant", 1], *(["scale", 2, n] for n in range(700))]),
        "certificate.terms[600]: more depth than the limit of 600",
    ),
    "a type with exponentially many leaves": (
        _text(terms=[["constant", 1], *(["tuple", None, n, n] for n in range(100))]),
        "certificate.terms[8]: more leaves than the limit of 200",
    ),
    "a type of deeply nested tuples": (terms(["element", NESTED]), "certificate.terms[0].parameter.components"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_certificate_is_refused_where_it_is_wrong(name: str) -> None:
    data, message = HOSTILE[name]
    assert rejection(data).startswith(message)


def _counterexample(inputs: list[Any], outputs: list[Any]) -> bytes:
    good = json.loads(ENCODED["different_bags"])
    return laid_out({**good, "result": ["Counterexample", inputs, outputs]})


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        ([[[1, 2]]], [[], []], ".result[1]: expected 2 parts, not 1"),
        ([[[1, 2]], True], [[], []], ".result[1][1]: expected int, not true"),
        ([[[True, 2]], 1], [[], []], ".result[1][0][0][0]: expected int, not true"),
        ([[[1, True]], 1], [[], []], ".result[1][0][0][1]: expected int, not true"),
        ([[[1]], 1], [[], []], ".result[1][0][0]: expected 2 parts, not 1"),
        ([[[[1], 1]], 1], [[], []], ".result[1][0][0][0]: expected int, not [1]"),
        ([1, 1], [[], []], ".result[1][0]: expected dict, not 1"),
        ([[[1, 1]], 1], [[]], ".result[2]: expected 2 parts, not 1"),
        ([[[2, 1], [1, 1]], 1], [[], []], ": not canonical"),
        ([[[1, 1], [1, 2]], 1], [[], []], ": not canonical"),
    ],
    ids=[
        "too few",
        "a boolean for an integer",
        "a boolean element",
        "a boolean multiplicity",
        "no multiplicity",
        "an element of another type",
        "a value for a bag",
        "one output",
        "not sorted",
        "an element twice",
    ],
)
def test_values_are_of_their_types(inputs: list[Any], outputs: list[Any], message: str) -> None:
    assert rejection(_counterexample(inputs, outputs)).startswith(f"certificate{message}")


@pytest.mark.parametrize("limit", ["bytes", "terms", "digits", "depth", "leaves", "nodes"])
def test_each_limit_is_kept(limit: str) -> None:
    message = rejection(GOOD, AuditLimits(**{limit: 0}))
    assert f"more {limit} than the limit of 0" in message


def test_certificates_at_the_limit_of_nesting_survive() -> None:
    term = ONE
    for _ in range(150):
        term = build(Operator.SCALE, (term,), 2)
    made = certificate(programs(term, term), Counterexample((), (2**150, 2**150)))
    assert decode(encode(made)) == made


def test_what_cannot_be_written_is_an_error_of_the_documented_kind() -> None:
    made = certificate(programs(ONE, ONE), Counterexample((), (10**5000, 0)))
    with pytest.raises(CertificateError, match=r"^the certificate cannot be written: "):
        encode(made)


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_bytes_at_random_are_refused(data: bytes) -> None:
    assert rejection(data).startswith("certificate")


def fuzzed(generator: random.Random) -> bytes:
    """A good certificate with a few parts or bytes changed."""
    document = json.loads(ENCODED[generator.choice(sorted(ENCODED))])
    for _ in range(generator.randint(1, 3)):
        document = altered(document, generator.choice(places(document)), generator)
    try:
        data = bytearray(laid_out(document))
    except (TypeError, AttributeError, LookupError):
        data = bytearray(json.dumps(document).encode())
    for _ in range(generator.choice((0, 0, 0, 1, 4))):
        data[generator.randrange(len(data))] = generator.randrange(256)
    return bytes(data)


def fuzz(seconds: float, seed: int) -> int:
    generator, done = random.Random(seed), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = fuzzed(generator)
        with suppress(CertificateError):
            assert encode(decode(data)) == data
        done += 1
    return done


def test_fuzzing_finds_no_other_exception_for_a_moment() -> None:
    assert fuzz(1.5, seed=1) > 100


@pytest.mark.slow
def test_fuzzing_finds_no_other_exception_for_a_minute() -> None:
    assert fuzz(60, seed=2) > 1000


def test_filter_and_map_is_the_good_one() -> None:
    assert encode(filter_and_map()) == GOOD
