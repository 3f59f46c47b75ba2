"""Reading certificates (FORMAT.md): typed, and bounded in every size.

A certificate is JSON. A dataclass is an array of its name and its fields, typed by their annotations; a term is its
row in a table, and so is a node of a query. What is read is data of the right types, and no more: `kernel.check` says
whether it proves its claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from types import NoneType
from typing import Any, ClassVar, Final, NoReturn

from tallystick.certificates.annotations import Allowed, Annotations
from tallystick.certificates.budget import LIMITS, AuditLimits
from tallystick.core.errors import CertificateError, SortError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, build
from tallystick.core.types import BagType, BasicType, OptionType, TupleType
from tallystick.core.types import Type as TypeOfTerms
from tallystick.core.work import deeply_nested

FRACTION: Final = "/"
"""What a fraction begins with: the array has its numerator and its denominator, too."""
ARGUMENTS: Final = tuple[Term, ...]
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


def header(kind: Any) -> dict[str, Any]:
    """The keys by which certificates of a kind are known."""
    return {"format": "tallystick-certificate", "version": kind.VERSION}


class Reader:
    """Reads the certificates of a kind; raises CertificateError where there is none.

    Attributes:
        kind: the class of what it reads. about: in words. tables: the keys of its tables.
        annotations: what its dataclasses allow.
        foreign: the operators that do not occur in such a certificate. older: versions that are read no more.
    """

    kind: ClassVar[type]
    about: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = ("terms",)
    annotations: ClassVar[Annotations] = Annotations(frozenset({Term}), {})
    foreign: ClassVar[frozenset[Operator]] = frozenset()
    older: ClassVar[tuple[int, ...]] = (1,)

    def __init__(self, limits: AuditLimits) -> None:
        self.limits = limits
        self.path: list[str | int] = []
        self.terms: list[Term] = []
        self.nodes = 0

    def fail(self, problem: str) -> NoReturn:
        path = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        raise CertificateError(f"certificate{''.join(path)}: {problem}")

    def bounded(self, number: int, limit: str) -> None:
        if number > getattr(self.limits, limit):
            self.fail(f"more {limit} than the limit of {getattr(self.limits, limit)}")

    def document(self, data: bytes) -> Any:
        """The JSON of a certificate."""
        self.bounded(len(data), "bytes")
        try:
            return json.loads(
                data.decode("ascii"),
                object_pairs_hook=self.distinct,
                parse_int=self.integer,
                parse_float=self.refused,
                parse_constant=self.refused,
            )
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            self.fail(f"not JSON in ASCII: {error}")

    def distinct(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            self.fail("a key occurs twice")
        return dict(pairs)

    def integer(self, text: str) -> int:
        if len(text) > self.limits.digits:
            self.bounded(len(text), "digits")
        return int(text)

    def refused(self, text: str) -> NoReturn:
        self.fail(f"{text[:20]} is no integer")

    def certificate(self, document: Any) -> Any:
        """The certificate that a document encodes."""
        kinds, known = self.annotations.fields(self.kind), header(self.kind)
        keys: list[str] = sorted([*kinds, *known, *self.tables, "verdict"])
        if not isinstance(document, dict) or sorted(document) != keys:
            self.fail(f"expected an object with the keys {', '.join(keys)}")
        for key, expected in known.items():
            if type(document[key]) is not type(expected) or document[key] != expected:
                older = type(document[key]) is int and document[key] in self.older
                old = ", but that of an older Tallystick: make the certificate anew" if older else ""
                self.fail(f"its {key} is not {expected!r}{old}")
        for table in self.tables:
            rows = document[table] if isinstance(document[table], list) else self.fail(f"its {table} are no array")
            self.bounded(len(rows), "terms")
            for row in rows:
                self.row(table, row)
                self.path = []
        parts = {name: self.read(kinds[name], document[name], name) for name in kinds if name != "result"}
        self.require_names(parts)
        return self.kind(**parts, result=self.result(parts, document))

    def require_names(self, parts: dict[str, Any]) -> None:
        """Fails unless what a certificate calls by name has a name of the format."""

    def result(self, parts: dict[str, Any], document: dict[str, Any]) -> Any:
        """The proof, or what shows a difference."""
        return self.read(self.annotations.fields(self.kind)["result"], document["result"], "result")

    def row(self, table: str, data: Any) -> None:
        """Adds the term that a row of the table encodes."""
        self.path = [table, len(self.terms)]
        word, parameter, *numbers = data if isinstance(data, list) and len(data) > 1 else (None, None)
        operator = _OPERATORS.get(word) if isinstance(word, str) else None
        if operator is None:
            self.fail("expected an operator, its parameter and its arguments")
        if operator in self.foreign:
            self.fail(f"{operator.value} is no operator of certificates about {self.about}")
        allowed = self.annotations.allowed
        arguments = self.read(allowed(ARGUMENTS), numbers, "arguments")
        if operator is Operator.VARIABLE and not self.is_name(parameter):
            self.fail("the name of a variable is an identifier, or a primed one")
        given = self.read(allowed(PARAMETERS.get(operator, NoneType)), parameter, "parameter")
        try:
            term = build(operator, arguments, given)
        except SortError as error:
            self.fail(str(error)[:400])
        self.bounded(term.depth, "depth")
        if operator is Operator.VARIABLE:
            self.bounded(len(term.parameter[0]), "letters")  # type: ignore[index, arg-type]
        self.bounded(_leaves(term.type), "leaves")
        self.terms.append(term)

    def is_name(self, parameter: Any) -> bool:
        """Whether the parameter of a variable begins with a name that it may have: any, which is quoted in claims."""
        return True

    def read(self, allowed: Allowed, data: Any, name: str | int) -> Any:
        """What `data` encodes, out of what is allowed; `name` is its step on the path of a failure."""
        self.path.append(name)
        if len(self.path) > self.limits.depth:
            self.bounded(len(self.path), "depth")
        if type(data) is list:
            result = self.listed(allowed, data)
        elif type(data) is int and allowed.tabled:
            result = self.tabled(allowed, data)
        elif type(data) is str and data in allowed.choices:
            result = allowed.choices[data]
        elif type(data) not in allowed.scalars:
            self.unexpected(allowed, data)
        elif type(data) is str and any("\ud800" <= letter <= "\udfff" for letter in data):
            self.fail("a lone surrogate is no text")
        else:
            result = data
        self.path.pop()
        return result

    def tabled(self, allowed: Allowed, number: int) -> Any:
        """The term in a row of the table."""
        if Term not in allowed.tabled or not 0 <= number < len(self.terms):
            self.fail(f"there is no term {number} before it")
        return self.terms[number]

    def listed(self, allowed: Allowed, data: list[Any]) -> Any:
        """A tuple, dictionary, fraction or record."""
        if allowed.items is not None:
            kinds = allowed.items * len(data) if allowed.many else allowed.items
            return tuple(self.parts(kinds, data, range(len(data))))
        if allowed.entry is not None:
            return dict(self.parts((allowed.entry,) * len(data), data, range(len(data))))
        if Fraction in allowed.scalars and data[:1] == [FRACTION]:
            integer = self.annotations.allowed(int)
            over, under = self.parts((integer, integer), data[1:], ("numerator", "denominator"))
            return Fraction(over, under) if under else self.fail("a fraction has no denominator 0")
        record = allowed.record(data[0]) if data and isinstance(data[0], str) else None
        if record is None:
            self.unexpected(allowed, data)
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            self.bounded(self.nodes, "nodes")
        return self.made(record, data)

    def made(self, kind: type, data: list[Any]) -> Any:
        """The object of a dataclass with the parts that stand behind its name."""
        fields = self.annotations.fields(kind)
        parts = self.parts(tuple(fields.values()), data[1:], fields)
        try:
            return kind(*parts)
        except SortError as error:
            self.fail(str(error)[:400])

    def parts(self, kinds: tuple[Allowed, ...], data: list[Any], names: Iterable[str | int]) -> list[Any]:
        """Parts of what is allowed for each, with their names."""
        if len(kinds) != len(data):
            self.fail(f"expected {len(kinds)} parts, not {len(data)}")
        return [
            part if type(part) in allowed.plain else self.read(allowed, part, name)
            for allowed, part, name in zip(kinds, data, names, strict=True)
        ]

    def unexpected(self, allowed: Allowed, data: Any) -> NoReturn:
        self.fail(f"expected {allowed.described}, not {json.dumps(data)[:40]}")


def read(data: bytes, limits: AuditLimits = LIMITS) -> Any:
    """The certificate, a Certificate, QueryCertificate or DataflowCertificate, that `data` encodes.

    Raises CertificateError, which says where, when there is none.
    """
    reader: Any = Reader(limits)
    try:
        with deeply_nested():
            document = reader.document(data)
            reader = _reader_of(document.get("semantics") if isinstance(document, dict) else None)(limits)
            return reader.certificate(document)
    except RecursionError:
        reader.fail("nested too deeply")


def _reader_of(semantics: object) -> Any:
    """What reads certificates of a semantics; it alone is loaded."""
    if semantics == "sql":
        from tallystick.certificates.queries.reader import QueryReader

        return QueryReader
    if semantics == "dataflow":
        from tallystick.certificates.dataflows.reader import DataflowReader

        return DataflowReader
    from tallystick.certificates.program_reader import ProgramReader

    return ProgramReader


_OPERATORS: Final = {operator.value: operator for operator in Operator}


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
