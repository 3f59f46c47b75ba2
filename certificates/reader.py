"""Reading certificates (FORMAT.md): typed, and bounded in every size.

A certificate is JSON. A dataclass is an array of its name and its fields, typed by their annotations; a term is its
row in a table, and so is a node of a query. What is read is data of the right types, and no more: `kernel.check` says
whether it proves its claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import NoneType
from typing import Any, Final, NoReturn

from tallystick.certificates.annotations import Allowed, allowed_by, annotation, fields_of
from tallystick.certificates.budget import CELLS, STEPS, TERM_SIZE, Budget
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.proofs import ASSUMPTIONS, Certificate, Counterexample, Step
from tallystick.certificates.queries.proofs import QueryCertificate
from tallystick.core.errors import CertificateError, SortError
from tallystick.core.interpreter import STEP_LIMIT
from tallystick.core.programs import SEMANTICS
from tallystick.core.queries.syntax import NODES, Query
from tallystick.core.terms import BOUND, OVER_BAGS, SOURCES, Operator, Term, build
from tallystick.core.types import BagType, BasicType, OptionType, TupleType
from tallystick.core.types import Type as TypeOfTerms

AnyCertificate = Certificate | QueryCertificate | DataflowCertificate
VERSIONS: Final[dict[type, int]] = {Certificate: 2, QueryCertificate: 3, DataflowCertificate: 1}
"""The versions of the formats."""
KINDS: Final[dict[str, type]] = {"sql": QueryCertificate, "dataflow": DataflowCertificate}
"""What certificates of another semantics than those of programs are."""
FRACTION: Final = "/"
"""What a fraction begins with: the array has its numerator and its denominator, too."""
_NAMED = tuple[str, BasicType]
PARAMETERS: Final[dict[Operator, Any]] = {
    Operator.CONSTANT: int | bool | str | Fraction,
    Operator.VARIABLE: tuple[str, TypeOfTerms],
    **dict.fromkeys((Operator.ELEMENT, Operator.ACCUMULATOR, Operator.NONE, Operator.EVERY), BasicType),
    Operator.SUMMATION: BasicType,
    **dict.fromkeys((Operator.DIV, Operator.MOD, Operator.PROJECTION), int),
    Operator.SCALE: int | Fraction,
    **dict.fromkeys((Operator.SLOT, Operator.ROW), tuple[int, BasicType]),
    **dict.fromkeys((Operator.APPLY, Operator.EXPAND, Operator.OPAQUE_BAG, Operator.AGGREGATE), _NAMED),
    Operator.TUPLE: TupleType | None,
    Operator.LIMIT: tuple[int | None, int, tuple[tuple[bool, bool], ...]],
    Operator.EXTREMUM: str,
}
"""The parameters of operators, where they have one."""
_BINDERS = (Operator.MONOMIAL, Operator.SUMMATION, Operator.EXISTS, Operator.SUM, Operator.EXTREMUM, Operator.AGGREGATE)
FOREIGN: Final[dict[type, frozenset[Operator]]] = {
    Certificate: frozenset({*SOURCES, *_BINDERS, Operator.SLOT, Operator.ROW} - {Operator.VARIABLE}),
    **dict.fromkeys(KINDS.values(), frozenset({*OVER_BAGS, *BOUND, Operator.BOTTOM} - {Operator.SLOT})),
}
"""The operators that do not occur in certificates of a kind."""


def header(kind: type) -> dict[str, Any]:
    """The keys by which certificates of a kind are known."""
    return {"format": "tallystick-certificate", "version": VERSIONS[kind]}


@dataclass(frozen=True, slots=True)
class AuditLimits:
    """What an audit accepts at most, and how many steps it takes to evaluate counterexamples and to check proofs.

    `terms` bounds the nodes of queries, too, and `columns` all their columns and references together.
    """

    bytes: int = 1_000_000
    terms: int = 20_000
    depth: int = 600
    digits: int = 300
    leaves: int = 200
    letters: int = 100
    nodes: int = 50_000
    columns: int = 1_000_000
    evaluation: int = STEP_LIMIT
    steps: int = STEPS
    cells: int = CELLS
    term_size: int = TERM_SIZE

    def budget(self) -> Budget:
        """What the kernel may spend."""
        return Budget(self.steps, self.cells, self.term_size)


LIMITS = AuditLimits()


def read(data: bytes, limits: AuditLimits = LIMITS) -> AnyCertificate:
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
    def __init__(self, limits: AuditLimits) -> None:
        self.limits = limits
        self.path: list[str | int] = []
        self.terms: list[Term] = []
        self.syntax: list[Any] = []
        self.depths_of_syntax: list[int] = []
        self.deepest = 0
        self.columns = 0
        self.nodes = 0
        self.kind: type = Certificate

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

    def certificate(self, document: Any) -> AnyCertificate:
        semantics = document.get("semantics") if isinstance(document, dict) else None
        self.kind = KINDS.get(semantics, Certificate) if isinstance(semantics, str) else Certificate
        queries = self.kind is not Certificate
        kinds = fields_of(self.kind)
        keys: list[str] = sorted([*kinds, *header(self.kind), "terms", "verdict", *(["syntax"] if queries else [])])
        if not isinstance(document, dict) or sorted(document) != keys:
            self.fail(f"expected an object with the keys {', '.join(keys)}")
        for key, expected in header(self.kind).items():
            if type(document[key]) is not type(expected) or document[key] != expected:
                old = ", but that of an older Tallystick: make the certificate anew" if document[key] == 1 else ""
                self.fail(f"its {key} is not {expected!r}{old}")
        for row in self.table(document, "terms"):
            self.row(row)
        for row in self.table(document, "syntax") if queries else []:
            self.node(row)
        parts = {name: self.read(kinds[name], document[name], name) for name in kinds if name != "result"}
        if queries:
            if not parts["dialect"].isidentifier():
                self.fail("the name of a dialect is an identifier")
            if "result" in kinds:
                parts["result"] = self.read(kinds["result"], document["result"], "result")
            return self.built(partial(self.kind, **parts))
        return self.of_programs(parts, document)

    def table(self, document: dict[str, Any], key: str) -> list[Any]:
        """The rows of a table."""
        rows = document[key] if isinstance(document[key], list) else self.fail(f"its {key} are no array")
        self.bounded(len(rows), "terms")
        return rows

    def of_programs(self, parts: dict[str, Any], document: dict[str, Any]) -> Certificate:
        """The certificate about two programs, from its parts and its result."""
        claimed, (left, right) = document["result"], (parts["left"], parts["right"])
        if parts["semantics"] not in SEMANTICS:
            self.fail(f"its semantics is none of {', '.join(SEMANTICS)}")
        for program in (left, right):
            self.bounded(len(program.name), "letters")
            names = program.name, *(parameter.parameter[0] for parameter in program.parameters)
            if not all(map(str.isidentifier, names)):
                self.fail("names of programs and parameters are identifiers")
        for sentence in parts["assumptions"]:
            if sentence not in ASSUMPTIONS:
                self.fail(f"{ascii(sentence)[:60]} is no assumption of the format")
        if document["verdict"] == "inequivalent":
            inputs = tuple[tuple(annotation(parameter.type) for parameter in left.parameters)]
            outputs = tuple[annotation(left.result), annotation(right.result)]
            result = Counterexample(*self.read(tuple[str, inputs, outputs], claimed, "result")[1:])
        else:
            result = self.read(Step, claimed, "result")
        return Certificate(**parts, result=result)

    def node(self, data: Any) -> None:
        """Adds the node of a query that a row of the table encodes."""
        self.path = ["syntax", len(self.syntax)]
        self.deepest = 0
        kind = NODES.get(data[0]) if isinstance(data, list) and data and isinstance(data[0], str) else None
        if kind is None:
            self.fail("expected a node of a query and its parts")
        kinds = fields_of(kind)
        if len(data) != len(kinds) + 1:
            self.fail(f"expected {len(kinds)} parts, not {len(data) - 1}")
        parts = [self.read(kinds[name], part, name) for name, part in zip(kinds, data[1:], strict=True)]
        node = self.built(partial(_construct, kind), parts)
        # Built from the leaves on, so that nothing recurs far: what is computed here is kept in the node.
        self.columns += len(node.free) + (len(node.columns) if isinstance(node, Query) else 0)
        self.bounded(self.columns, "columns")
        self.bounded(self.deepest + 1, "depth")
        self.depths_of_syntax.append(self.deepest + 1)
        self.syntax.append(node)
        self.path = []

    def row(self, data: Any) -> None:
        """Adds the term that a row of the table encodes."""
        self.path = ["terms", len(self.terms)]
        word, parameter, *numbers = data if isinstance(data, list) and len(data) > 1 else (None, None)
        operator = _OPERATORS.get(word) if isinstance(word, str) else None
        if operator is None:
            self.fail("expected an operator, its parameter and its arguments")
        if operator in FOREIGN[self.kind]:
            self.fail(f"{operator.value} is no operator of certificates about {_ABOUT[self.kind]}")
        kind = PARAMETERS.get(operator, NoneType)
        arguments = self.read(tuple[Term, ...], numbers, "arguments")
        named = self.kind is not Certificate or (isinstance(parameter, list) and _is_name(parameter[:1]))
        if operator is Operator.VARIABLE and not named:
            self.fail("the name of a variable is an identifier, or a primed one")
        term = self.built(build, operator, arguments, self.read(kind, parameter, "parameter"))
        self.bounded(term.depth, "depth")
        if operator is Operator.VARIABLE:
            self.bounded(len(term.parameter[0]), "letters")
        self.bounded(_leaves(term.type), "leaves")
        self.terms.append(term)
        self.path = []

    def read(self, kind: Any, data: Any, name: str | int) -> Any:
        """What `data` encodes, of the annotated type `kind`; `name` is its step on the path of a failure."""
        self.path.append(name)
        if len(self.path) > self.limits.depth:
            self.bounded(len(self.path), "depth")
        allowed = allowed_by(kind)
        if isinstance(data, list):
            make, kinds, parts, names = self.shape(allowed, data)
            if len(kinds) != len(parts):
                self.fail(f"expected {len(kinds)} parts, not {len(parts)}")
            result = self.built(make, [self.read(*part) for part in zip(kinds, parts, names, strict=True)])
        elif type(data) is int and allowed.tabled:
            result = self.tabled(allowed, data)
        elif isinstance(data, str) and data in allowed.choices:
            result = allowed.choices[data]
        elif type(data) not in allowed.scalars:
            self.unexpected(allowed, data)
        elif isinstance(data, str) and any("\ud800" <= letter <= "\udfff" for letter in data):
            self.fail("a lone surrogate is no text")
        else:
            result = data
        self.path.pop()
        return result

    def tabled(self, allowed: Allowed, number: int) -> Any:
        """The term, or the node of a query, in a row of its table."""
        table = self.terms if Term in allowed.tabled else self.syntax
        if not 0 <= number < len(table):
            self.fail(f"there is no {'term' if table is self.terms else 'node'} {number} before it")
        if table is self.syntax:
            self.deepest = max(self.deepest, self.depths_of_syntax[number])
            if type(table[number]) not in allowed.tabled:
                self.fail(f"node {number} is a {type(table[number]).__name__}, which does not belong here")
        return table[number]

    def shape(self, allowed: Allowed, data: list[Any]) -> tuple[Callable[..., Any], Any, list[Any], Any]:
        """A function that makes an object of one of the types, and the types, encodings and names of its parts."""
        if allowed.items is not None:
            kinds = allowed.items
            return tuple, kinds[:1] * len(data) if kinds[1:] == (...,) else kinds, data, range(len(data))
        if allowed.entries is not None:
            return dict, (tuple[allowed.entries],) * len(data), data, range(len(data))
        if Fraction in allowed.scalars and data[:1] == [FRACTION]:
            return _fraction, (int, int), data[1:], ("numerator", "denominator")
        record = allowed.records.get(data[0]) if data and isinstance(data[0], str) else None
        if record is None:
            self.unexpected(allowed, data)
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            self.bounded(self.nodes, "nodes")
        hints = fields_of(record)
        return partial(_construct, record), tuple(hints.values()), data[1:], tuple(hints)

    def unexpected(self, allowed: Allowed, data: Any) -> NoReturn:
        self.fail(f"expected {allowed.described}, not {json.dumps(data)[:40]}")

    def built(self, make: Callable[..., Any], *parts: Any) -> Any:
        try:
            return make(*parts)
        except SortError as error:
            self.fail(str(error)[:400])


def _is_name(data: list[Any]) -> bool:
    return all(isinstance(name, str) and name.rstrip("'").isidentifier() for name in data)


def _construct(kind: Any, parts: list[Any]) -> Any:
    return kind(*parts)


def _fraction(parts: list[int]) -> Fraction:
    if parts[1] == 0:
        raise SortError("a fraction has no denominator 0")
    return Fraction(*parts)


_OPERATORS: Final = {operator.value: operator for operator in Operator}
_ABOUT: Final = {Certificate: "programs", QueryCertificate: "queries", DataflowCertificate: "dataflows"}


def _leaves(of: TypeOfTerms) -> int:
    """How many components without components a type has."""
    match of:
        case TupleType(components):
            return sum(map(_leaves, components))
        case BagType(element):
            return _leaves(element)
        case OptionType(inner):
            return _leaves(inner)
    return 1
