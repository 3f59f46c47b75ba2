"""Earlier comparisons, kept in a folder: what was proved need not be searched again, and what differed is tried first.

Each comparison leaves its certificate. A cut of an earlier one is tried as it is, and the kernel says whether it holds
now; a witness is an input like any other. Certificates are audited before anything is concluded from them: they tell
which earlier version of a workflow computed a table that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from tallystick.certificates.audit import audit
from tallystick.certificates.dataflows.proofs import Cut, DataflowCertificate, Place
from tallystick.certificates.reader import read
from tallystick.core.dataflows.workflow import Workflow
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.dataflow.limits import LIMITS
from tallystick.output import write, writing

MOST = 50
"""Earlier comparisons that are looked at, the latest ones."""


class History:
    """The comparisons in a folder, which is made if it is missing. Files that no audit accepts are passed over.

    Attributes:
        refused: the names of these files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.refused: list[str] = []
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.paths = sorted(folder.glob("comparison-*.json"))
        self.kept = list(self._audited(self.paths[-MOST:]))

    def _audited(self, paths: list[Path]) -> Iterator[tuple[bytes, DataflowCertificate]]:
        for path in paths:
            data = path.read_bytes()
            found = read(data, LIMITS) if audit(data, limits=LIMITS) else None
            if isinstance(found, DataflowCertificate):
                yield data, found
            else:
                self.refused.append(path.name)

    def cuts(self, wire: Place, root: Place) -> Iterator[Cut]:
        """The cuts that said that two wires are equal, the latest first."""
        for _, certificate in reversed(self.kept):
            yield from (cut for cut in certificate.cuts if (cut.wire, cut.root) == (wire, root))

    def databases(self, catalogue: Catalogue) -> Iterator[Database]:
        """The inputs on which wires differed, over the same tables."""
        seen: set[object] = set()
        shape = [(table.name, table.row) for table in catalogue.tables]
        for _, certificate in reversed(self.kept):
            if [(table.name, table.row) for table in certificate.catalogue.tables] == shape:
                for claim in certificate.claims:
                    if claim.witness is not None and claim.witness.tables not in seen:
                        seen.add(claim.witness.tables)
                        names = (table.name for table in catalogue.tables)
                        yield dict(zip(names, claim.witness.tables, strict=True))

    def add(self, certificate: bytes) -> None:
        """Keeps the certificate of a comparison, unless it is there already."""
        if all(data != certificate for data, _ in self.kept):
            last = int(self.paths[-1].stem.rpartition("-")[2]) if self.paths else 0
            self.paths.append(self.folder / f"comparison-{last + 1:04}.json")
            write(self.paths[-1], certificate)
            found = read(certificate, LIMITS)
            self.kept.append((certificate, found))

    def versions(self) -> list[dict[str, str]]:
        """For each version that was compared, in the order of their first comparison, the digest of each wire."""
        found: list[dict[str, str]] = []
        for _, certificate in self.kept:
            for workflow in (certificate.old, certificate.new):
                digests = digests_of(workflow)
                if digests not in found:
                    found.append(digests)
        return found

    def computed(self, workflow: Workflow) -> dict[str, int]:
        """For each wire that an earlier version has computed, the number of the first such version, from 1.

        Two tables are one if they come from the sources by the same operators, or if certificates say that they are
        equal.
        """
        classes: dict[str, str] = {}

        def root(digest: str) -> str:
            while digest in classes:
                digest = classes[digest]
            return digest

        for _, certificate in self.kept:
            old, new = digests_of(certificate.old), digests_of(certificate.new)
            for claim in certificate.claims:
                same = claim.witness is None and claim.columns == tuple(range(len(claim.columns)))
                if same and root(old[claim.old]) != root(new[claim.new]):
                    classes[root(new[claim.new])] = root(old[claim.old])
        first: dict[str, int] = {}
        for number, digests in enumerate(self.versions(), 1):
            for digest in digests.values():
                first.setdefault(root(digest), number)
        return {name: first[root(each)] for name, each in digests_of(workflow).items() if root(each) in first}


def digests_of(workflow: Workflow) -> dict[str, str]:
    """For each wire, a digest of all operators from the sources to it, and of what is assumed of their rows."""
    found: dict[str, str] = {}
    for wire in workflow:
        inputs = [(name, found.get(name, "")) for name in wire.reads]
        found[wire.name] = sha256(repr((wire.operator, wire.table, inputs)).encode()).hexdigest()
    return found
