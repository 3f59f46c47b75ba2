"""Edit mappings between two versions, and the edits that they leave (section 2.1).

Sound where the paper is not: links have ports, so that exchanged inputs of a join are an edit (footnote 3 drops them);
and an operator is mapped to one of its own type alone, as definition 2.1 has it (figure 3 maps Project to Aggregate).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from tallystick.core.dataflows.substitution import Substitution
from tallystick.core.dataflows.workflow import Opaque, Wire, Workflow
from tallystick.core.queries.syntax import Project, Query, Scan, Statement
from tallystick.core.queries.traversal import inputs
from tallystick.dataflow.pair import Pair

Unit = tuple[str | None, str | None]
"""An operator or source of the old version and the one that it is mapped to; None on one side for those that are
deleted or inserted."""


@dataclass(frozen=True)
class Property:
    """An operator without its inputs.

    Attributes:
        type: what kind of operator it is.
        ports: what is read at each port.
        operator: the rest, as it is compared: names of inputs are numbers of ports.
    """

    type: str
    ports: tuple[str, ...]
    operator: Statement | Opaque


def property_of(wire: Wire) -> Property:
    """The property of a wire's operator."""
    operator = wire.operator
    if isinstance(operator, Opaque):
        numbered = tuple(str(i) for i in range(len(operator.inputs)))
        without = Opaque(operator.function, numbered, operator.columns, operator.repeatable)
        return Property("opaque", operator.inputs, without)
    ports: dict[str, str] = {}

    def port(scan: Scan) -> Scan:
        return Scan(ports.setdefault(scan.table, str(len(ports))), scan.columns)

    numbered = Substitution(port)
    body = Statement(numbered(operator.query), operator.names, numbered(operator.order))
    return Property(type_of(operator.query, bool(operator.order)), tuple(ports), body)


def type_of(query: Query, ordered: bool = False) -> str:
    """The kind of operator that a query is: what it does besides projecting; that of several if it does several."""
    found = [type(node).__name__.lower() for node in _inner(query) if not isinstance(node, (Project, Scan))]
    if not found:
        whole = isinstance(query, Scan) or (
            isinstance(query, Project) and isinstance(query.input, Scan) and _copies(query)
        )
        found = ["replicate" if whole else "project"]
    return ", ".join([*(["sort"] if ordered and found == ["replicate"] else found)])


def _inner(query: Query) -> Iterator[Query]:
    yield query
    for each in inputs(query):
        yield from _inner(each)


def _copies(query: Project) -> bool:
    """Whether a projection leaves rows as they are."""
    places = [getattr(each, "index", None) for each in query.expressions]
    return places == list(range(len(query.input.columns)))


@dataclass(frozen=True)
class Mapping:
    """A partial injection from operators of the old version to operators of the new one; sources are mapped to
    themselves.

    Attributes:
        images: the new name of each old one that is mapped.
    """

    pair: Pair
    images: tuple[tuple[str, str], ...]

    @cached_property
    def to_new(self) -> dict[str, str]:
        """The new name of each old one, also of sources."""
        return {**{name: name for name in self.pair.catalogue.by_name}, **dict(self.images)}

    @cached_property
    def to_old(self) -> dict[str, str]:
        """The old name of each new one."""
        return {new: old for old, new in self.to_new.items()}

    @cached_property
    def properties(self) -> tuple[dict[str, Property], dict[str, Property]]:
        """The properties of the operators of both versions."""
        return _properties(self.pair.old), _properties(self.pair.new)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """All units: sources that are read, then operators in the order of both versions."""
        old, new = self.properties
        read = {name for each in (*old.values(), *new.values()) for name in each.ports}
        found: list[Unit] = [(name, name) for name in self.pair.catalogue.by_name if name in read]
        found += [(name, self.to_new.get(name)) for name in old]
        return (*found, *((None, name) for name in new if name not in self.to_old))

    @cached_property
    def unit_of(self) -> tuple[dict[str, Unit], dict[str, Unit]]:
        """The unit of each name of either version."""
        return (
            {unit[0]: unit for unit in self.units if unit[0] is not None},
            {unit[1]: unit for unit in self.units if unit[1] is not None},
        )

    @cached_property
    def links(self) -> frozenset[tuple[Unit, Unit]]:
        """The links of either version, from the unit that is read to that which reads."""
        found = set()
        for names, properties in zip(self.unit_of, self.properties, strict=True):
            for name, each in properties.items():
                found |= {(names[port], names[name]) for port in each.ports}
        return frozenset(found)

    @cached_property
    def neighbours(self) -> dict[Unit, tuple[Unit, ...]]:
        """The units that are joined to each by a link of either version, in order."""
        found: dict[Unit, dict[Unit, None]] = {unit: {} for unit in self.units}
        for unit in self.units:
            for one, other in self.links:
                if unit == one:
                    found[unit][other] = None
                elif unit == other:
                    found[unit][one] = None
        order = {unit: place for place, unit in enumerate(self.units)}
        return {unit: tuple(sorted(each, key=order.__getitem__)) for unit, each in found.items()}

    @cached_property
    def edits(self) -> tuple[frozenset[Unit], ...]:
        """The units of each edit: an operator that is deleted, inserted or has another property; or, of a link between
        operators that are both kept, its ends. Those that share a unit are one."""
        found = [frozenset((unit,)) for unit in self.units if None in unit or self.is_modified(unit)]
        for old, new in self.images:
            for before, after in self.moved_ports(old, new):
                one, other = self.unit_of[0][before], self.unit_of[1][after]
                if one[1] is not None and other[0] is not None:
                    found.append(frozenset((one, other, (old, new))))
        return merged(found)

    @cached_property
    def operators_edited(self) -> int:
        """How many operators are deleted, inserted or modified, or read something else at a port."""
        moved = sum(
            all(self.unit_of[0][a][1] is not None and self.unit_of[1][b][0] is not None for a, b in ports)
            for old, new in self.images
            if (ports := list(self.moved_ports(old, new)))
        )
        return sum(None in unit or self.is_modified(unit) for unit in self.units) + moved

    def is_modified(self, unit: Unit) -> bool:
        """Whether a mapped operator has another property in the new version."""
        old, new = unit
        if old is None or new is None or old not in self.properties[0]:
            return False
        one, other = self.properties[0][old], self.properties[1][new]
        return one.operator != other.operator or len(one.ports) != len(other.ports)

    def moved_ports(self, old: str, new: str) -> Iterator[tuple[str, str]]:
        """What two mapped operators read at ports where that is not the same."""
        ports = self.properties[0][old].ports, self.properties[1][new].ports
        yield from ((a, b) for a, b in zip(*ports, strict=False) if self.to_new.get(a) != b)


def _properties(workflow: Workflow) -> dict[str, Property]:
    return {wire.name: property_of(wire) for wire in workflow}


def merged(sets: list[frozenset[Unit]]) -> tuple[frozenset[Unit], ...]:
    """The sets, those that meet as one."""
    found: list[frozenset[Unit]] = []
    for each in sets:
        meeting = [other for other in found if other & each]
        found = [other for other in found if not other & each]
        found.append(each.union(*meeting))
    return tuple(found)


def mapping_by_names(pair: Pair) -> Mapping:
    """The mapping of operators of equal names and types: that of an editor that keeps track of its operators."""
    old, new = _properties(pair.old), _properties(pair.new)
    images = ((name, name) for name, each in old.items() if name in new and new[name].type == each.type)
    return Mapping(pair, tuple(images))


def mappings(pair: Pair, most: int) -> Iterator[Mapping]:
    """That by names, then others, in the order of their number of edits, as far as so many are looked at.

    All partial injections between operators of equal type are mappings: more than can be listed. Looked at are those
    that map operators of one type in other orders, or leave some of them out.
    """
    first = mapping_by_names(pair)
    yield first
    candidates = list(islice(_injections(pair), most))
    candidates.sort(key=lambda each: each.operators_edited)
    yield from (each for each in candidates if set(each.images) != set(first.images))


def _injections(pair: Pair) -> Iterator[Mapping]:
    """Partial injections between operators of equal type, those first that map what is equal."""
    old, new = _properties(pair.old), _properties(pair.new)
    names = list(old)

    def extended(index: int, images: tuple[tuple[str, str], ...], used: frozenset[str]) -> Iterator[Mapping]:
        if index == len(names):
            yield Mapping(pair, images)
            return
        name = names[index]
        fitting = [other for other in new if other not in used and new[other].type == old[name].type]
        fitting.sort(key=lambda other: (new[other].operator != old[name].operator, other != name))
        for other in fitting:
            yield from extended(index + 1, (*images, (name, other)), used | {other})
        yield from extended(index + 1, images, used)

    return extended(0, (), frozenset())
