"""The kernel for dataflows: CUT, by which equal wires are found from the sources on, and what two versions then claim.

All claims are about databases of the catalogue on which every wire of either version satisfies the constraints that its
table lists. That two queries return the same, or do not, is for the kernel of queries to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallystick.certificates.budget import Budget
from tallystick.certificates.dataflows.proofs import Claim, Cut, DataflowCertificate, Place, VersionName
from tallystick.core.dataflows.substitution import Substitution, columns_of
from tallystick.core.dataflows.workflow import Opaque, Wire, Workflow, require_flow, visible
from tallystick.core.errors import KernelError
from tallystick.core.queries.assumptions import Assumption, require_assumptions, required
from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.syntax import Query, Scan, Statement
from tallystick.core.work import STEP_LIMIT

if TYPE_CHECKING:
    from tallystick.core.queries.interpreter.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Composed:
    """A theorem: what was claimed holds, if the oracles are right.

    Attributes:
        outcomes: for each claim with a witness, what both wires hold on it; None for the others.
    """

    claims: tuple[Claim, ...]
    outcomes: tuple[tuple[Outcome, Outcome] | None, ...]
    oracles: frozenset[str]


class Composition:
    """The wires of two versions of a workflow, and which are known to be equal: `cut` adds to them.

    Attributes:
        roots: for each wire that was found equal to another, that one, and which of its columns each column is.
        lists: the pairs that are equal as lists, up to rows that tie.
    """

    def __init__(self, certificate: DataflowCertificate) -> None:
        self.catalogue = certificate.catalogue
        self.wires: dict[Place, Wire] = {}
        versions: tuple[tuple[VersionName, Workflow], ...] = (("old", certificate.old), ("new", certificate.new))
        for version, workflow in versions:
            require_flow(workflow, self.catalogue)
            self.wires.update(((version, wire.name), wire) for wire in workflow)
        self.roots: dict[Place, tuple[Place, tuple[int, ...]]] = {}
        self.lists: set[tuple[Place, Place]] = set()
        self.unrepeatable: set[Place] = set()
        for place, wire in self.wires.items():
            draws = isinstance(wire.operator, Opaque) and not wire.operator.repeatable
            if draws or any((place[0], name) in self.unrepeatable for name in wire.reads):
                self.unrepeatable.add(place)

    def cut(self, cut: Cut, budget: Budget) -> frozenset[str]:
        """
        Σ, T ⊢ p[T] ≡ π q[T]
        ---------------------  CUT
        Σ ⊢ p ≡ π q

        p and q are what fills two wires, down to the wires of T: each of these is a fresh table, one for all wires that
        were found to be equal, of which the constraints of these wires are known. *Sound*: let T hold the rows of its
        wires; what the premise says of all tables is true of these. Instead of the premise, both wires may be filled
        by one operator from equal inputs. What does not repeat its rows, or reads such, is equal only in this way, and
        only to the wire of its name in the other version: so nothing that is drawn twice is taken for drawn once.

        Returns the oracles of the proof. Fails when the wires are not there or one has been found equal before; when
        the columns are not a permutation; when an opaque wire stands between p or q and T; and like `same_results`.
        """
        wire, _ = self.wire(cut.wire), self.wire(cut.root)
        for place in (cut.wire, cut.root, *cut.stops):
            if place in self.roots:
                raise KernelError(f"{place} was found equal to another wire before")
        identity = tuple(range(len(wire.table.columns)))
        if cut.wire == cut.root or tuple(sorted(cut.columns)) != identity:
            raise KernelError(f"the columns of {cut.wire} and {cut.root} do not correspond one to one")
        oracles = frozenset[str]()
        if cut.proof is None:
            if cut.columns != identity or cut.stops or not self.is_same_operator(cut.wire, cut.root):
                raise KernelError(f"{cut.wire} and {cut.root} are not filled by one operator from equal inputs")
        elif not self.unrepeatable.isdisjoint((cut.wire, cut.root)):
            raise KernelError(f"{cut.wire} or {cut.root} hangs on what does not repeat its rows")
        else:
            from tallystick.certificates.queries.kernel import same_results
            from tallystick.certificates.queries.rewriting import require_ties_of_tables

            fresh = tuple(self.fresh(stop, cut.stops) for stop in cut.stops)
            catalogue = Catalogue((*self.catalogue.tables, *fresh))
            left = self.statement(cut.wire, identity, cut.ordered, cut.stops)
            right = self.statement(cut.root, cut.columns, cut.ordered, cut.stops)
            oracles = same_results(left, right, catalogue, cut.proof, budget).oracles
            require_ties_of_tables(self.catalogue, budget)
        self.roots[cut.wire] = cut.root, cut.columns
        if cut.ordered:
            self.lists |= {(cut.wire, cut.root), (cut.root, cut.wire)}
        return oracles

    def is_same_operator(self, one: Place, other: Place) -> bool:
        """Whether two wires are filled by one operator from equal inputs; those of a function may have other names."""
        left, right = self.wires[one].operator, self.wires[other].operator
        if not self.unrepeatable.isdisjoint((one, other)) and (one[0] == other[0] or one[1] != other[1]):
            return False
        ports = [(name, name) for name in self.wires[one].reads]
        if isinstance(left, Opaque) and isinstance(right, Opaque) and len(left.inputs) == len(right.inputs):
            ports, right = list(zip(left.inputs, right.inputs, strict=True)), replace(right, inputs=left.inputs)
        return left == right and all(self.is_same_input((one[0], a), (other[0], b)) for a, b in ports)

    def is_same_input(self, one: Place, other: Place) -> bool:
        """Whether two inputs are one table, or equal wires whose columns have the same names."""
        if {one[1], other[1]} & self.catalogue.by_name.keys():
            return one[1] == other[1]
        names = [[column.name for column in self.wires[place].table.columns] for place in (one, other)]
        return self.root(one) == self.root(other) and names[0] == names[1]

    def wire(self, place: Place) -> Wire:
        """The wire at a place. Raises KernelError if there is none."""
        if place not in self.wires:
            raise KernelError(f"there is no wire {place}")
        return self.wires[place]

    def root(self, place: Place) -> tuple[Place, tuple[int, ...]]:
        """The wire that stands for all that are equal to one, and which of its columns each column is."""
        return self.roots.get(place, (place, tuple(range(len(self.wires[place].table.columns)))))

    def fresh(self, root: Place, stops: tuple[Place, ...]) -> Table:
        """The table of the wires that are equal to a root, with what is assumed of any of them."""
        own = self.wire(root).table
        members = [(root, self.root(root)[1])]
        members += [(place, columns) for place, (of, columns) in self.roots.items() if of == root]
        filled = {columns[i] for place, columns in members for i in _without_null(self.wires[place].table)}
        keys: dict[tuple[int, ...], None] = {}
        foreign: dict[ForeignKey, None] = {}
        for place, columns in members:
            keys |= {tuple(columns[i] for i in key): None for key in self.wires[place].table.keys}
            for key in self.wires[place].table.foreign_keys:
                here = tuple(columns[i] for i in key.columns)
                if key.table in self.catalogue.by_name:
                    foreign[replace(key, columns=here)] = None
                    continue
                target, places = self.root((place[0], key.table))
                if target in stops:
                    foreign[ForeignKey(here, named(target), tuple(places[i] for i in key.referenced))] = None
        columns = [Column(each.name, each.type, i not in filled) for i, each in enumerate(own.columns)]
        return Table(named(root), tuple(columns), tuple(keys), tuple(foreign))

    def statement(
        self, place: Place, columns: tuple[int, ...], ordered: bool, stops: Iterable[Place] = ()
    ) -> Statement:
        """What fills a wire, down to tables and the wires that it stops at; its columns in another order, if unordered.

        Raises KernelError where an opaque operator is in between, and for an order that the wire does not have.
        """
        operator = self.wire(place).operator
        rows = self.substitution(place[0], frozenset(stops))
        if isinstance(operator, Opaque):
            raise KernelError(f"nothing is known of what fills {place}")
        if ordered:
            if columns != tuple(range(len(columns))):
                raise KernelError("lists are compared with their columns in one order")
            return Statement(rows(operator.query), operator.names, rows(operator.order))
        query: Query = rows(visible(operator))
        names = tuple(operator.names[i] for i in columns)
        return Statement(columns_of(query, columns, tuple(query.columns[i] for i in columns)), names)

    def substitution(self, version: VersionName, stops: frozenset[Place]) -> Substitution:
        """What puts in the place of each wire of a version its fresh table, or what fills it."""

        def filled(scan: Scan) -> Query:
            if scan.table in self.catalogue.by_name:
                return scan
            place = version, scan.table
            root, columns = self.root(place)
            if root in stops:
                return columns_of(self.fresh(root, tuple(stops)).scan(), columns, scan.columns)
            operator = self.wires[place].operator
            if isinstance(operator, Opaque):
                raise KernelError(f"nothing is known of what fills {place}")
            return substitution(visible(operator))

        substitution = Substitution(filled)
        return substitution

    def require_claim(self, claim: Claim, steps: int) -> tuple[Outcome, Outcome] | None:
        """Fails (KernelError, EvaluationError) unless a claim follows; what its wires hold on its witness."""
        old, new = self.wire(("old", claim.old)), self.wire(("new", claim.new))
        identity = tuple(range(len(old.table.columns)))
        if tuple(sorted(claim.columns)) != identity or len(new.table.columns) != len(identity):
            raise KernelError(f"the columns of {claim.old!r} and {claim.new!r} do not correspond one to one")
        if claim.witness is not None:
            from tallystick.certificates.queries.refuting import database_of, different_results

            left = self.statement(("old", claim.old), identity, claim.ordered)
            right = self.statement(("new", claim.new), claim.columns, claim.ordered)
            self.require_legal(database_of(self.catalogue, claim.witness), steps)
            return different_results(left, right, self.catalogue, claim.witness, steps).outcomes
        (root, places), (other, others) = self.root(("old", claim.old)), self.root(("new", claim.new))
        if root != other or places != tuple(others[i] for i in claim.columns):
            raise KernelError(f"no cut says that {claim.old!r} and {claim.new!r} are the same")
        if claim.ordered and (("old", claim.old), ("new", claim.new)) not in self.lists:
            raise KernelError(f"no cut says that {claim.old!r} and {claim.new!r} are the same list")
        return None

    def require_legal(self, database: Database, steps: int) -> None:
        """Fails when a wire breaks a constraint; of wires that hang on opaque operators it is not known."""
        from tallystick.core.queries.interpreter.constraints import constraints
        from tallystick.core.queries.interpreter.evaluation import rows_of

        for version in ("old", "new"):
            wires = [wire for (of, _), wire in self.wires.items() if of == version]
            wanted: set[str] = set()
            for wire in reversed(wires):
                if wire.name in wanted or wire.table.is_constrained or wire.table.row != wire.operator.columns:
                    wanted |= {wire.name, *wire.reads, *(key.table for key in wire.table.foreign_keys)}
            rows, tables = dict(database), {table.name: table for table in self.catalogue.tables}
            for wire in wires:
                known = wire.name in wanted and all(each in rows for each in wire.reads)
                if known and isinstance(wire.operator, Statement):
                    rows[wire.name] = tuple(rows_of(visible(wire.operator), rows, steps))
                    tables[wire.name] = wire.table
            kept = [
                replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.table in tables))
                for table in tables.values()
            ]
            broken = constraints(Catalogue(tuple(kept)))(rows)
            if broken is not None:
                raise KernelError(f"on the witness, row {broken[1]} of {broken[0]!r} breaks {broken[2]}")


def named(place: Place) -> str:
    """The name of the fresh table of a wire."""
    return f"{place[0]} {place[1]}"


def _without_null(table: Table) -> Iterable[int]:
    return (i for i, column in enumerate(table.columns) if not column.nullable)


def check(certificate: DataflowCertificate, steps: int = STEP_LIMIT, budget: Budget | None = None) -> Composed:
    """The theorem that a certificate claims. Raises a TallystickError when it does not follow."""
    budget = Budget() if budget is None else budget
    composition = Composition(certificate)
    given, needed = certificate.assumptions, assumptions_of(certificate)
    require_assumptions(certificate.catalogue, certificate.unenforced, given, needed)
    oracles = frozenset[str]().union(*(composition.cut(cut, budget) for cut in certificate.cuts))
    outcomes = tuple(composition.require_claim(claim, steps) for claim in certificate.claims)
    return Composed(certificate.claims, outcomes, oracles)


def assumptions_of(certificate: DataflowCertificate) -> set[Assumption]:
    """What the operators, and the constraints of wires, have every claim assume."""
    wires = (*certificate.old, *certificate.new)
    needed = set(required(*(wire.operator for wire in wires if isinstance(wire.operator, Statement))))
    if any(wire.table.is_constrained or wire.table.row != wire.operator.columns for wire in wires):
        needed.add(Assumption.NOT_ENFORCED)
    opaque = (wire.operator for wire in wires if isinstance(wire.operator, Opaque))
    return needed | {Assumption.PURE_FUNCTIONS if each.repeatable else Assumption.SAME_DRAWS for each in opaque}
