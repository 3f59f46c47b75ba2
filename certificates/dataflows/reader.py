"""Reads certificates about dataflows: wires and tables are rows of the table of nodes, too."""

from __future__ import annotations

from typing import ClassVar

from tallystick.certificates.annotations import Annotations
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.queries.reader import QueryReader
from tallystick.core.queries.syntax import Query
from tallystick.core.terms import Term


class DataflowReader(QueryReader):
    """Reads a certificate about dataflows; raises CertificateError where there is none."""

    kind: ClassVar[type] = DataflowCertificate
    about: ClassVar[str] = "dataflows"
    annotations: ClassVar[Annotations] = Annotations(frozenset({Term, *DataflowCertificate.NODES}), {"Query": Query})
