"""Reads certificates that two queries return the same: their proofs have terms."""

from __future__ import annotations

from typing import ClassVar

from tallystick.certificates.annotations import Annotations
from tallystick.certificates.queries.proofs import Equivalence
from tallystick.certificates.queries.reader import NAMES, NodeReader
from tallystick.certificates.term_reader import TermReader, with_terms
from tallystick.core.operators import BOUND, OVER_BAGS, Operator


class EquivalenceReader(NodeReader, TermReader):
    """Reads a certificate that two queries return the same; raises CertificateError where there is none."""

    kind: ClassVar[type] = Equivalence
    annotations: ClassVar[Annotations] = with_terms(Equivalence.NODES, NAMES)
    foreign: ClassVar[frozenset[Operator]] = frozenset({*OVER_BAGS, *BOUND, Operator.BOTTOM} - {Operator.SLOT})
