"""Reads certificates about dataflows: wires and tables are rows of the table of nodes, too."""

from __future__ import annotations

from typing import ClassVar

from tallystick.certificates.annotations import Annotations
from tallystick.certificates.dataflows.proofs import DataflowCertificate
from tallystick.certificates.queries.proof_reader import EquivalenceReader
from tallystick.certificates.queries.reader import NAMES
from tallystick.certificates.term_reader import with_terms


class DataflowReader(EquivalenceReader):
    """Reads a certificate about dataflows; raises CertificateError where there is none."""

    kind: ClassVar[type] = DataflowCertificate
    about: ClassVar[str] = "dataflows"
    annotations: ClassVar[Annotations] = with_terms(DataflowCertificate.NODES, NAMES)
