"""Reading certificates (FORMAT.md): typed, and bounded in every size.

A certificate is JSON. A dataclass is an array of its name and its fields, typed by their annotations; a term is its
row in a table (`term_reader`), and so is a node of a query (`queries/reader`). What is read is data of the right types,
and no more: `kernel.check` says whether it proves its claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, Final, NoReturn

from tallystick.certificates.annotations import Allowed, Annotations
from tallystick.certificates.budget import LIMITS, AuditLimits
from tallystick.core.errors import CertificateError, SortError
from tallystick.core.work import deeply_nested

FRACTION: Final = "/"
"""What a fraction begins with: the array has its numerator and its denominator, too."""


def header(kind: Any) -> dict[str, Any]:
    """The keys by which certificates of a kind are known."""
    return {"format": "tallystick-certificate", "version": kind.VERSION}


class Reader:
    """Reads the certificates of a kind; raises CertificateError where there is none.

    Attributes:
        kind: the class of what it reads. about: in words. tables: the keys of its tables.
        annotations: what its dataclasses allow. older: versions that are read no more.
    """

    kind: ClassVar[type]
    about: ClassVar[str]
    tables: ClassVar[tuple[str, ...]] = ()
    annotations: ClassVar[Annotations]
    older: ClassVar[tuple[int, ...]] = (1,)

    def __init__(self, limits: AuditLimits) -> None:
        self.limits = limits
        self.path: list[str | int] = []
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
        """Adds what a row of a table encodes."""
        self.path = [table, 0]
        self.fail("there is nothing that it could be used for")

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
        """What stands in a row of a table of what is allowed."""
        self.unexpected(allowed, number)

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
            said = document if isinstance(document, dict) else {}
            reader = _reader_of(said.get("semantics"), said.get("verdict"))(limits)
            return reader.certificate(document)
    except RecursionError:
        reader.fail("nested too deeply")


def _reader_of(semantics: object, verdict: object) -> Any:
    """What reads certificates of a semantics and a verdict; it alone is loaded."""
    if semantics == "sql" and verdict == "inequivalent":
        from tallystick.certificates.queries.reader import InequivalenceReader

        return InequivalenceReader
    if semantics == "sql":
        from tallystick.certificates.queries.proof_reader import EquivalenceReader

        return EquivalenceReader
    if semantics == "dataflow":
        from tallystick.certificates.dataflows.reader import DataflowReader

        return DataflowReader
    from tallystick.certificates.program_reader import ProgramReader

    return ProgramReader
