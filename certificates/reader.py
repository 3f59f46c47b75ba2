"""Reading certificates (FORMAT.md): typed, and bounded in every size.

A certificate is JSON. A dataclass is an array of its name and its fields, typed by their annotations; a term is its
row in a table. What is read is data of the right types, and no more: `kernel.check` says whether it proves its claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from tallystick.certificates.budget import STEPS, TERM_SIZE, Budget
from tallystick.certificates.proofs import ASSUMPTIONS, Certificate, Counterexample, Step
from tallystick.core.errors import CertificateError, SortError
from tallystick.core.interpreter import STEP_LIMIT
from tallystick.core.programs import SEMANTICS
from tallystick.core.terms import Operator, Term, build
from tallystick.core.types import INT, BagType, BasicType, OptionType, RationalType, TextType, TupleType, Type

HEADER = {"format": "tallystick-certificate", "version": 2}
PARAMETERS = {
    Operator.CONSTANT: int | bool | str | Fraction,
    Operator.VARIABLE: tuple[str, Type],
    **dict.fromkeys((Operator.ELEMENT, Operator.ACCUMULATOR), BasicType),
    **dict.fromkeys((Operator.APPLY, Operator.EXPAND), tuple[str, BasicType]),
    Operator.SCALE: int | Fraction,
    **dict.fromkeys((Operator.DIV, Operator.MOD, Operator.PROJECTION), int),
}
"""The parameters of operators, where they have one."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an audit accepts at most, and how many steps it takes to evaluate counterexamples and to check proofs."""

    bytes: int = 1_000_000
    terms: int = 20_000
    depth: int = 600
    digits: int = 300
    leaves: int = 200
    nodes: int = 50_000
    evaluation: int = STEP_LIMIT
    steps: int = STEPS
    term_size: int = TERM_SIZE

    def budget(self) -> Budget:
        """What the kernel may spend."""
        return Budget(self.steps, self.term_size)


LIMITS = Limits()


def read(data: bytes, limits: Limits = LIMITS) -> Certificate:
    """The certificate that `data` encodes; raises CertificateError, which says where, when there is none."""
    reader = _Reader(limits)
    reader.bounded(len(data), "bytes")
    hooks: dict[str, Any] = {
        "parse_int": reader.integer,
        "parse_float": reader.refused,
        "parse_constant": reader.refused,
    }
    try:
        return reader.certificate(json.loads(data.decode("ascii"), object_pairs_hook=reader.distinct, **hooks))
    except RecursionError:
        reader.fail("nested too deeply")
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        reader.fail(f"not JSON in ASCII: {error}")


class _Reader:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.path: list[str | int] = []
        self.terms: list[Term] = []
        self.depths: dict[Term, int] = {}
        self.nodes = 0

    def fail(self, problem: str) -> NoReturn:
        path = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        raise CertificateError(f"certificate{''.join(path)}: {problem}")

    def bounded(self, number: int, limit: str) -> None:
        if number > getattr(self.limits, limit):
            self.fail(f"more {limit} than the limit of {getattr(self.limits, limit)}")

    def distinct(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            self.fail("a key occurs twice")
        return dict(pairs)

    def integer(self, text: str) -> int:
        self.bounded(len(text), "digits")
        return int(text)

    def refused(self, text: str) -> NoReturn:
        self.fail(f"{text[:20]} is no integer")

    def certificate(self, document: Any) -> Certificate:
        kinds = _annotations(Certificate)
        keys = sorted([*kinds, *HEADER, "terms", "verdict"])
        if not isinstance(document, dict) or sorted(document) != keys:
            self.fail(f"expected an object with the keys {', '.join(keys)}")
        for key, expected in HEADER.items():
            if type(document[key]) is not type(expected) or document[key] != expected:
                old = ", but that of an older Tallystick: make the certificate anew" if document[key] == 1 else ""
                self.fail(f"its {key} is not {expected!r}{old}")
        rows = document["terms"] if isinstance(document["terms"], list) else self.fail("its terms are no array")
        self.bounded(len(rows), "terms")
        for row in rows:
            self.row(row)
        parts = {name: self.read(kinds[name], document[name], name) for name in kinds if name != "result"}
        claimed, (left, right) = document["result"], (parts["left"], parts["right"])
        if parts["semantics"] not in SEMANTICS:
            self.fail(f"its semantics is none of {', '.join(SEMANTICS)}")
        for program in (left, right):
            names = program.name, *(parameter.parameter[0] for parameter in program.parameters)
            if not all(map(str.isidentifier, names)):
                self.fail("names of programs and parameters are identifiers")
        for sentence in parts["assumptions"]:
            if sentence not in ASSUMPTIONS:
                self.fail(f"{ascii(sentence)[:60]} is no assumption of the format")
        if document["verdict"] == "inequivalent":
            inputs = tuple[tuple(_annotation(parameter.type) for parameter in left.parameters)]
            outputs = tuple[_annotation(left.result), _annotation(right.result)]
            result = Counterexample(*self.read(tuple[str, inputs, outputs], claimed, "result")[1:])
        else:
            result = self.read(Step, claimed, "result")
        return Certificate(**parts, result=result)

    def row(self, data: Any) -> None:
        """Adds the term that a row of the table encodes."""
        self.path = ["terms", len(self.terms)]
        word, parameter, *numbers = data if isinstance(data, list) and len(data) > 1 else (None, None)
        operator = next((operator for operator in Operator if operator.value == word), None)
        if operator is None:
            self.fail("expected an operator, its parameter and its arguments")
        kind = PARAMETERS.get(operator, NoneType)
        arguments = self.read(tuple[Term, ...], numbers, "arguments")
        if operator is Operator.VARIABLE and not (isinstance(parameter, list) and _is_name(parameter[:1])):
            self.fail("the name of a variable is an identifier, or a primed one")
        term = self.built(build, operator, arguments, self.read(kind, parameter, "parameter"))
        self.depths[term] = 1 + max((self.depths[argument] for argument in arguments), default=0)
        self.bounded(self.depths[term], "depth")
        self.bounded(_leaves(term.type), "leaves")
        self.terms.append(term)
        self.path = []

    def read(self, kind: Any, data: Any, name: str | int) -> Any:
        """What `data` encodes, of the annotated type `kind`; `name` is its step on the path of a failure."""
        self.path.append(name)
        if len(self.path) > self.limits.depth:
            self.bounded(len(self.path), "depth")
        members = _members(kind)
        if isinstance(data, list):
            make, kinds, parts, names = self.shape(members, data)
            if len(kinds) != len(parts):
                self.fail(f"expected {len(kinds)} parts, not {len(parts)}")
            result = self.built(make, [self.read(*part) for part in zip(kinds, parts, names, strict=True)])
        elif type(data) is int and Term in members:
            if not 0 <= data < len(self.terms):
                self.fail(f"there is no term {data} before it")
            result = self.terms[data]
        elif type(data) not in members:
            self.unexpected(members, data)
        elif isinstance(data, str) and any("\ud800" <= letter <= "\udfff" for letter in data):
            self.fail("a lone surrogate is no text")
        else:
            result = data
        self.path.pop()
        return result

    def shape(self, members: dict[Any, Any], data: list[Any]) -> tuple[Callable[..., Any], Any, list[Any], Any]:
        """A function that makes an object of one of the types, and the types, encodings and names of its parts."""
        for kind, (origin, kinds) in members.items():
            if kind is Fraction:
                if data[:1] == ["/"]:
                    return partial(_construct, Fraction), (int, int), data[1:], ("numerator", "denominator")
                continue
            if origin is tuple:
                return tuple, kinds[:1] * len(data) if kinds[1:] == (...,) else kinds, data, range(len(data))
            if origin is dict:
                return dict, (tuple[kinds],) * len(data), data, range(len(data))
            if origin is _RECORD and data[:1] == [kind.__name__]:
                self.nodes += 1
                if self.nodes > self.limits.nodes:
                    self.bounded(self.nodes, "nodes")
                hints = _annotations(kind)
                return partial(_construct, kind), tuple(hints.values()), data[1:], tuple(hints)
        return self.unexpected(members, data)

    def unexpected(self, members: dict[Any, Any], data: Any) -> NoReturn:
        names = " or ".join(getattr(kind, "__name__", str(kind)) for kind in members)
        self.fail(f"expected {names}, not {json.dumps(data)[:40]}")

    def built(self, make: Callable[..., Any], *parts: Any) -> Any:
        try:
            return make(*parts)
        except ZeroDivisionError:
            self.fail("the denominator is 0")
        except SortError as error:
            self.fail(str(error)[:400])


def _is_name(data: list[Any]) -> bool:
    return all(isinstance(name, str) and name.rstrip("'").isidentifier() for name in data)


def _construct(kind: Any, parts: list[Any]) -> Any:
    return kind(*parts)


_annotations = cache(get_type_hints)
_RECORD = object()


@cache
def _members(kind: Any) -> dict[Any, tuple[Any, tuple[Any, ...]]]:
    """The types that an annotation allows, each with its origin, or _RECORD for a dataclass, and its arguments."""
    members = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    return {each: (_RECORD if is_dataclass(each) else get_origin(each), get_args(each)) for each in members}


def _annotation(of: Type) -> Any:
    """The annotation of the Python values of a type."""
    match of:
        case TupleType(components):
            return tuple[tuple(map(_annotation, components))]
        case BagType(element):
            return dict[_annotation(element), int]
        case TextType():
            return str
        case RationalType():
            return Fraction
        case OptionType(inner):
            return _annotation(inner) | None
    return int if of == INT else bool


def _leaves(of: Type) -> int:
    """How many components without components a type has."""
    match of:
        case TupleType(components):
            return sum(map(_leaves, components))
        case BagType(element):
            return _leaves(element)
    return 1
