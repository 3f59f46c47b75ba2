"""Reads certificates about dataflows: what they are made of is nodes of queries, as in certificates about these."""

from __future__ import annotations

from typing import ClassVar

from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.queries.reader import QueryReader


class DataflowReader(QueryReader):
    """Reads a certificate about dataflows; raises CertificateError where there is none."""

    kind: ClassVar[type] = DataflowCertificate
    about: ClassVar[str] = "dataflows"
