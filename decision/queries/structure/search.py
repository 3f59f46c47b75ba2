"""Proofs by structure: what two statements have in common below their groups, windows and joins is named (untrusted).

From the leaves on, boundaries of both sides are compared whose inputs have no boundary any more. Those whose inputs
have the same monomials form a *family*: its first member stands for all, and the others are exchanged for projections
of it, or of its rows on which a condition on keys holds, which one of the optimisers has pushed below. Then the first
is named, and what is left of both statements is smaller. What cannot be compared stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.queries.proofs import Exchange, Name, Pull
from tallystick.certificates.queries.pulling import pushed
from tallystick.certificates.queries.rewriting import Rewriter, exchange_goal
from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.bags import free_of_charge
from tallystick.core.queries.expressions import And, Expression, Literal
from tallystick.core.queries.syntax import (
    Aggregate,
    Filter,
    Join,
    Project,
    Query,
    Scan,
    SetOperation,
    Statement,
    Values,
    Window,
    reference,
    references,
)
from tallystick.core.queries.traversal import inputs, nodes
from tallystick.core.queries.types import INTEGER
from tallystick.core.terms import Term
from tallystick.decision.queries.structure.aligning import Pair, column_of, further_conditions, paired
from tallystick.decision.queries.structure.boundaries import (
    Boundary,
    CorrelatedError,
    Place,
    boundaries,
    boundary,
    outputs,
    rebuilt,
    substituted,
)
from tallystick.decision.queries.structure.preparing import prepared
from tallystick.decision.queries.structure.repeating import repeated

SIDES = ("left", "right")
ProveGoal = Callable[[Goal, float], Step | None]
"""A proof of a goal, within so many seconds."""
ONE = Literal(1, INTEGER)
"""What is read of rows that are only counted."""
ONE_PROOF = 6.0
"""Seconds for the proof that an exchange needs."""


@dataclass
class Family:
    """Boundaries with the same rows below.

    Attributes:
        columns: for each input of the first, the operands and then all columns.
        members: side, boundary, and for each input the column of the first for each operand; conditions.
    """

    first: Boundary
    side: str
    wide: Sequence[Query]
    forms: list[Term]
    members: list[Member] = field(default_factory=list)

    @property
    def spans(self) -> bool:
        """Whether it has members on both sides."""
        return any(member.side != self.side for member in self.members)


@dataclass
class Member:
    """A boundary, and where its operands are among the columns of the first of its family."""

    side: str
    boundary: Boundary
    places: list[dict[Expression, int]]
    pairs: list[list[Pair]]


def keys_of(member: Member) -> frozenset[int] | tuple[int, ...]:
    """By which columns a member groups: in any order, unless groupings tell them by their places."""
    node = member.boundary.node
    if isinstance(node, Aggregate):
        found = [member.places[0][key] for key in node.keys if not isinstance(key, Literal)]
        return frozenset(found) if node.grouping_sets is None else tuple(found)
    return frozenset(member.places[0].values()) if member.boundary.kind[0] == "groups" else frozenset()


class StructureSearch:
    """The steps that make two statements smaller.

    Attributes:
        found: how many families both statements have, and how many joins were dropped.
    """

    def __init__(
        self, left: Statement, right: Statement, catalogue: Catalogue, prove: ProveGoal, deadline: float
    ) -> None:
        self.deadline = deadline
        self.rewriter = Rewriter(left, right, catalogue, free_of_charge)
        self.statements = left, right
        self.prove = prove
        self.steps: list[Exchange | Name | Pull] = []
        self.numbers: dict[str, int] = {}
        self.folded: list[Scan] = []
        self.given_up: set[int] = set()
        self.log: list[str] = []
        self.proofs: dict[Goal, Step] = {}
        self.found = 0

    def run(self) -> None:
        """Takes steps until none is found."""
        for side in SIDES:
            self.prepare(side)
        while True:
            ready = list(self.ready())
            if not ready:
                break
            if any(self.repeat(side, each.node) for side, each in ready):
                continue
            families = [family for family in self.families(ready) if family.spans]
            done = sum(self.merge(family) for family in families)
            self.found += done
            if not done:
                for _, each in ready:
                    self.give_up(each.node)

    def ends(self) -> tuple[Statement, Statement]:
        """What is left of both statements."""
        left, right = self.statements
        return replace(left, query=self.rewriter.sides["left"]), replace(right, query=self.rewriter.sides["right"])

    def prepare(self, side: str, dropping: bool = False) -> None:
        """Brings a side to the form in which boundaries are compared, or only drops what nothing needs."""
        tried: set[int] = set()
        while self.prepare_part(side, tried, dropping) or self.unfold():
            pass

    def prepare_part(self, side: str, tried: set[int], dropping: bool) -> bool:
        """Exchanges a part that was not tried yet; whether that succeeded."""
        for each in prepared(self.rewriter.sides[side], self.rewriter.catalogue):
            if id(each.old) not in tried and (each.drops or not dropping):
                tried.add(id(each.old))
                if self.exchange_over(side, each.old, each.new, each.below):
                    if each.pulled is not None:
                        self.pull(side, each.pulled)
                    self.found += each.drops
                    return True
        return False

    def pull(self, side: str, filtered: Query) -> None:
        """A condition is pulled out."""
        self.steps.append(Pull(side, filtered))  # type: ignore[arg-type]
        self.rewriter.exchange(side, pushed(filtered), filtered)

    def exchange_over(self, side: str, old: Query, new: Query, below: Sequence[Query]) -> bool:
        """Exchanges a subquery by a proof for any rows of some queries below, the innermost first, which have names
        until they are unfolded."""
        named: dict[int, Query] = {}
        for query in dict.fromkeys(below):
            over = self.rewriter.shared(query, named)
            if not isinstance(over, Scan):
                named[id(over)] = scan = self.name(over)
                self.folded.append(scan)
        return self.exchange(side, self.rewriter.shared(old, named), self.rewriter.shared(new, named), ())

    def unfold(self) -> bool:
        """Puts the query that was named last, and may be unfolded, in the place of its name; whether there is one."""
        if not self.folded:
            return False
        scan = self.folded.pop()
        number = self.numbers[scan.table]
        for side in SIDES:
            if any(node is scan for node in nodes(self.rewriter.sides[side])):
                self.exchange(side, scan, self.rewriter.named[number][1], (number,))
        return True

    def give_up(self, node: Query) -> None:
        """Leaves a boundary as it is."""
        self.given_up.add(id(self.rewriter.shared(node)))

    def ready(self) -> Iterator[tuple[str, Boundary]]:
        """Boundaries with no others below, but such as could not be compared."""
        for side in SIDES:
            for node in boundaries(self.rewriter.sides[side]):
                found = boundary(node)
                if found is None or id(node) in self.given_up:
                    continue
                below = (each for each in nodes(node) if each is not node and isinstance(each, Query))
                if all(id(each) in self.given_up or each.free or boundary(each) is None for each in below):
                    yield side, found

    def repeat(self, side: str, node: Query) -> bool:
        """Exchanges calls over named rows for columns that have their values."""
        found = repeated(node, {scan.table: query for scan, query in self.rewriter.named})
        if found is None:
            return False
        again, columns = self.typed(found.over, node), self.typed(found.columns, found.whole)
        if again is None or columns is None or not self.exchange(side, node, again, ()):
            return False
        self.give_up(found.whole)
        if found.pulled is not None:
            self.pull(side, found.pulled)
        return self.exchange(side, found.whole, columns, (self.numbers[found.table.table],))

    def families(self, ready: Sequence[tuple[str, Boundary]]) -> list[Family]:
        """Boundaries by what they read."""
        found: list[Family] = []
        for side, each in ready:
            wide = [Project(part.query, (*part.operands, *references(part.query))) for part in each.inputs]
            try:
                forms = [self.rewriter.form(query, ()) for query in wide]
            except TallystickError:
                continue
            for family in found:
                member = self.member(family, side, each, forms)
                if member is not None:
                    family.members.append(member)
                    break
            else:
                family = Family(each, side, wide, forms)
                member = self.member(family, side, each, forms)
                if member is not None:
                    family.members.append(member)
                    found.append(family)
        return found

    def member(self, family: Family, side: str, each: Boundary, forms: Sequence[Term]) -> Member | None:
        """The boundary as a member of a family, if its inputs are those of the first."""
        if each.kind != family.first.kind:
            return None
        places: list[dict[Expression, int]] = []
        all_pairs: list[list[Pair]] = []
        for first, part, mine, theirs in zip(family.first.inputs, each.inputs, forms, family.forms, strict=True):
            pairs = paired(theirs, mine)
            if pairs is None:
                return None
            width = len(first.operands) + len(first.query.columns)
            found: dict[Expression, int] = {}
            for number, operand in enumerate(part.operands):
                column = column_of(pairs, number, range(width))
                if column is None:
                    return None
                found[operand] = column
            places.append(found)
            all_pairs.append(pairs)
        member = Member(side, each, places, all_pairs)
        if family.members and keys_of(member) != keys_of(family.members[0]):
            return None
        return member

    def merge(self, family: Family) -> bool:
        """Names the inputs of a family and then what its members are of these; whether both sides have it."""
        tables: list[Scan] = []
        columns: list[list[int]] = []
        for number, part in enumerate(family.first.inputs):
            used = list(dict.fromkeys(place for m in family.members for place in m.places[number].values()))
            expressions = (*part.operands, *references(part.query))
            columns.append(used)
            tables.append(self.name(Project(part.query, tuple(expressions[place] for place in used) or (ONE,))))
        done: list[tuple[Member, Over]] = []
        others: set[int] = set()
        for member in family.members:
            before = set(self.given_up)
            now = self.over_tables(family, member, tables, columns)
            if now is None:
                others |= self.given_up - before
            else:
                done.append((member, now))
        if done:  # those that turn out to read other rows may be a family of their own
            self.given_up -= others
        common = self.common([now for _, now in done], tables)
        if common is None:
            return False
        self.name(common)
        merged = [self.over_common(member, now, common) for member, now in done]
        return bool(merged) and any(merged)

    def over_tables(
        self, family: Family, member: Member, tables: Sequence[Scan], columns: Sequence[list[int]]
    ) -> Over | None:
        """Exchanges a member for the same over the named rows, or some of them."""
        node = member.boundary.node
        parts = member.boundary.inputs
        try:
            rows = [Project(part.query, part.operands or (ONE,)) for part in parts]
            own = [_at(part.operands, references(query)) for part, query in zip(parts, rows, strict=True)]
            if not self.exchange(member.side, node, self.over(node, rows, own), ()):
                return None
            now: list[Query] = []
            tops: list[Place] = []
            conditions: list[list[Expression]] = []
            for number, (part, table) in enumerate(zip(parts, tables, strict=True)):
                found = self.conditions(family, member, number, table, columns[number])
                conditions.append(found)
                kept = Filter(table, _all(found)) if found else table
                places = (columns[number].index(member.places[number][each]) for each in part.operands)
                wanted = tuple(reference(table, place) for place in places)
                new = self.typed(Project(kept, wanted or (ONE,)), rows[number])
                if new is None or not self.exchange(member.side, rows[number], new, (self.numbers[table.table],)):
                    return None
                now.append(new)
                tops.append(_at(part.operands, wanted))
            return Over(node, self.over(node, now, own), rebuilt(node, tables, tops), conditions, tops)
        except (CorrelatedError, TallystickError) as error:
            self.log.append(f"{type(error).__name__}: {error}")
            return None

    def over(self, node: Query, tables: Sequence[Query], places: Sequence[Place]) -> Query:
        """The node over other rows, with its own columns."""
        new = rebuilt(node, tables, places)
        self.give_up(new)  # unless it is named
        wanted = outputs(node, new, tables, places)
        return new if wanted == references(new) else Project(new, wanted)

    def common(self, found: Sequence[Over], tables: Sequence[Scan]) -> Query | None:
        """What members compute over the named rows, together; None where they have nothing in common."""
        if not found:
            return None
        first = found[0].plain
        if isinstance(first, Aggregate):
            every = [each.plain for each in found if isinstance(each.plain, Aggregate)]
            keys = tuple(dict.fromkeys(key for key in first.keys if not isinstance(key, Literal)))
            if first.grouping_sets is not None or not keys:
                keys = first.keys
            calls = tuple(dict.fromkeys(call for each in every for call in each.calls))
            return Aggregate(first.input, keys, calls, first.grouping_sets)
        if isinstance(first, Window):
            every_window = [each.plain for each in found if isinstance(each.plain, Window)]
            return Window(first.input, tuple(dict.fromkeys(call for each in every_window for call in each.calls)))
        return first

    def over_common(self, member: Member, now: Over, common: Query) -> bool:
        """Exchanges a member for rows of what is common, named already."""
        scan = self.rewriter.named[-1][0]
        try:
            if any(now.conditions) and not isinstance(now.plain, Join):
                found = self.pulled(member, now)
                if found is None:
                    return False
                now = found
            plain, node = now.plain, now.node
            if isinstance(common, Aggregate) and isinstance(plain, Aggregate):
                at = {key: reference(scan, place) for place, key in enumerate(common.keys)}
                behind = len(common.keys)
                calls = {call: reference(scan, behind + place) for place, call in enumerate(common.calls)}
                wanted = (*(at.get(key, key) for key in plain.keys), *(calls[call] for call in plain.calls))
            elif isinstance(common, Window) and isinstance(plain, Window):
                width = len(common.input.columns)
                values = (reference(scan, width + common.calls.index(call)) for call in plain.calls)
                wanted = (*outputs(node, plain, [common.input], now.places)[: -len(plain.calls)], *values)
            else:
                tables = inputs(common)
                wanted = outputs(node, common, tables, now.places)
            kept = _preserved_conditions(plain, now.conditions) if isinstance(plain, Join) else []
            new = self.typed(Project(Filter(scan, _all(kept)) if kept else scan, wanted), now.current)
            return new is not None and self.exchange(member.side, now.current, new, (len(self.rewriter.named) - 1,))
        except (CorrelatedError, TallystickError, KeyError) as error:
            self.log.append(f"{type(error).__name__}: {error}")
            return False

    def pulled(self, member: Member, now: Over) -> Over | None:
        """A member with the conditions on its rows as conditions on its groups or partitions."""
        plain = now.plain
        at: dict[Expression, Expression]
        if isinstance(plain, Aggregate) and plain.grouping_sets is None:
            at = {key: reference(plain, place) for place, key in reversed(list(enumerate(plain.keys)))}
        elif isinstance(plain, Window):
            at = {key: key for key in references(plain.input)}
        else:
            return None
        inner = replace(plain, input=Filter(plain.input, _all(now.conditions[0])))
        condition = substituted(_all(now.conditions[0]), lambda own: at[own])
        filtered = Filter(plain, condition)
        self.give_up(inner)
        self.give_up(plain)
        new = self.typed(Project(inner, outputs(now.node, inner, [plain.input], now.places)), now.current)
        if new is None or not self.exchange(member.side, now.current, new, ()):
            return None
        if self.rewriter.shared(pushed(filtered)) is not self.rewriter.shared(inner):
            return None
        self.pull(member.side, filtered)
        return Over(plain, plain, plain, [], [lambda each: each])

    def conditions(self, family: Family, member: Member, number: int, table: Scan, used: list[int]) -> list[Expression]:
        """The conditions on keys that the rows of a member satisfy, beyond those of the first."""
        keys: dict[int, Expression] = {}
        own = member.boundary.inputs[number].operands
        for key in own if isinstance(member.boundary.node, Join) else member.boundary.keys:
            place = member.places[number].get(key)
            if place is not None:
                keys[place] = reference(table, used.index(place))
        wide = family.wide[number].columns
        return further_conditions(member.pairs[number], wide, keys) or []

    def name(self, query: Query) -> Scan:
        """Names a subquery."""
        scan = self.rewriter.name(query)
        self.steps.append(Name(query))
        self.numbers[scan.table] = len(self.rewriter.named) - 1
        return scan

    def exchange(self, side: str, old: Query, new: Query, unfolded: tuple[int, ...]) -> bool:
        """Exchanges a subquery on a side, if there is a proof."""
        old, new = self.rewriter.shared(old), self.rewriter.shared(new)
        if old is new or old.columns != new.columns:
            return old is new
        goal = exchange_goal(self.rewriter, old, new, unfolded)
        proof = self.proofs.get(goal) or self.prove(goal, min(ONE_PROOF, self.deadline - clock()))
        if proof is None:
            self.log.append(f"no proof for a {type(old).__name__} with {unfolded}")
            return False
        self.proofs[goal] = proof
        self.steps.append(Exchange(side, old, new, unfolded, proof))  # type: ignore[arg-type]
        self.rewriter.exchange(side, old, new)
        return True

    def provable(self, old: Query, new: Query, seconds: float) -> bool:
        """Whether there is a proof that a subquery may be exchanged for another; then `exchange` has it."""
        goal = exchange_goal(self.rewriter, old, new, ())
        proof = self.prove(goal, seconds)
        if proof is not None:
            self.proofs[goal] = proof
        return proof is not None

    def typed(self, new: Query, old: Query) -> Query | None:
        """A query with columns that are nullable where those of another are; None where it holds NULLs and may not."""
        if new.columns == old.columns:
            return new
        pairs = list(zip(new.columns, old.columns, strict=True))
        if any(mine.type != theirs.type or (mine.nullable and not theirs.nullable) for mine, theirs in pairs):
            self.log.append("a column may be NULL")
            return None
        return SetOperation("union", True, new, Values((), old.columns))


@dataclass
class Over:
    """A member over named rows: as it stands in its statement, and without the conditions on the rows.

    Attributes:
        node: what it is, but for exchanges of its inputs.
        places: where the operands are in the named rows.
    """

    node: Query
    current: Query
    plain: Query
    conditions: list[list[Expression]]
    places: list[Place]


def _preserved_conditions(node: Join, conditions: Sequence[Sequence[Expression]]) -> list[Expression]:
    """The conditions on the rows of an outer join of which none is lost: on the join, they mean the same."""
    if node.kind == "left":
        return list(conditions[0])
    behind = len(node.left.columns)
    if node.kind == "right":
        return [substituted(each, lambda own: reference(node, behind + own.index)) for each in conditions[1]]
    return []


def _at(operands: Sequence[Expression], values: Sequence[Expression]) -> Place:
    """Where operands stand; constants stand for themselves."""
    at = dict(zip(operands, values, strict=False))

    def place(operand: Expression) -> Expression:
        return operand if isinstance(operand, Literal) else at[operand]

    return place


def _all(conditions: Sequence[Expression]) -> Expression:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))
