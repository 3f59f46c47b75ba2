"""Reads certificates about queries: their nodes have a table of their own. Those of an inequivalence have no terms."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from tallystick.certificates.annotations import Allowed, Annotations
from tallystick.certificates.budget import LIMITS, AuditLimits
from tallystick.certificates.codec import require_canonical
from tallystick.certificates.queries.certificates import Inequivalence, QueryCertificate
from tallystick.certificates.reader import Reader, read
from tallystick.core.errors import CertificateError
from tallystick.core.queries.nodes import ExpressionNode, QueryNode, construct

SYNTAX: Final = "syntax"
"""The key of the table of nodes."""
NAMES: Final = {"Query": QueryNode, "Expression": ExpressionNode}
"""What annotations call queries and expressions of any construct."""


class NodeReader(Reader):
    """Reads the nodes of queries of a certificate; raises CertificateError where there are none."""

    about: ClassVar[str] = "queries"
    tables: ClassVar[tuple[str, ...]] = ("terms", SYNTAX)
    older: ClassVar[tuple[int, ...]] = (1, 2, 3, 5)

    def __init__(self, limits: AuditLimits) -> None:
        super().__init__(limits)
        self.syntax: list[Any] = []
        self.depths: list[int] = []
        self.deepest = 0
        self.columns = 0
        self.kinds = {kind.__name__: kind for kind in self.kind.NAMED}

    def require_names(self, parts: dict[str, Any]) -> None:
        """Fails unless dialects have names; tables and columns may have any, which is quoted where it is printed."""
        names = (name for _, name, _ in parts["switches"].readings(parts["dialect"]))
        if not all(map(str.isidentifier, names)):
            self.fail("the name of a dialect is an identifier")

    def row(self, table: str, data: Any) -> None:
        """Adds the term, or the node of a query, that a row of its table encodes."""
        if table != SYNTAX:
            super().row(table, data)
            return
        self.path, self.deepest = [table, len(self.syntax)], 0
        name = data[0] if isinstance(data, list) and data and isinstance(data[0], str) else ""
        kind = self.kinds.get(name) or construct(name)
        if kind is None:
            self.fail("expected a node of a query and its parts")
        node = self.made(kind, data)
        # Built from the leaves on, so that nothing recurs far: what is computed here is kept in the node.
        self.columns += len(getattr(node, "free", ())) + len(getattr(node, "columns", ()))
        self.bounded(self.columns, "columns")
        self.bounded(self.deepest + 1, "depth")
        self.depths.append(self.deepest + 1)
        self.syntax.append(node)

    def tabled(self, allowed: Allowed, number: int) -> Any:
        """The term, or the node of a query, in a row of its table."""
        if not allowed.tabled & self.annotations.nodes:
            return super().tabled(allowed, number)
        if not 0 <= number < len(self.syntax):
            self.fail(f"there is no node {number} before it")
        self.deepest = max(self.deepest, self.depths[number])
        node = self.syntax[number]
        if not isinstance(node, tuple(allowed.tabled)):
            self.fail(f"node {number} is a {type(node).__name__}, which does not belong here")
        return node


class InequivalenceReader(NodeReader):
    """Reads a certificate that two queries differ; raises CertificateError where there is none."""

    kind: ClassVar[type] = Inequivalence
    annotations: ClassVar[Annotations] = Annotations(Inequivalence.NODES, NAMES)


def decode_queries(data: bytes, limits: AuditLimits = LIMITS) -> QueryCertificate:
    """The certificate about queries that `data` is the encoding of; raises CertificateError when it is of none."""
    certificate = read(data, limits)
    if not isinstance(certificate, QueryCertificate):
        raise CertificateError("certificate: it is not about queries")
    require_canonical(certificate, data)
    return certificate
