"""What is known of rows, as `stepped` of `coq/queries/Facts.v` has it, and proofs by BAG that use it (`Bags.v`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tallystick.certificates.exports.coq_compiled import Cell, stored_type
from tallystick.certificates.exports.coq_forms import Forms, table_cells, types_of
from tallystick.certificates.exports.coq_members import parameter
from tallystick.certificates.exports.coq_sql import Argument, Data, Index
from tallystick.certificates.proofs import Evidence
from tallystick.core.terms import Term, conjunction, disjunction, equal, implies, negation
from tallystick.core.types import BasicType

CONSTRAINED = ("KeyOf", "Referred", "Checked")
"""The steps that are about a constraint."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A key, a foreign key or a check of a table, as Coq has it."""

    data: Data

    @property
    def table(self) -> str:
        """The table that it is about."""
        return str(self.data.arguments[0])

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it mentions."""
        return (self.table, _target(self)[0]) if self.data.constructor == "ForeignKey" else (self.table,)


@dataclass(frozen=True, slots=True)
class Fact:
    """A step: an instance of Open, Use, KeyOf, Referred or Checked, of these functions, terms and numbers."""

    name: str
    number: int
    arguments: tuple[Term, ...] = ()
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A row in scope: of a table, where its guard holds."""

    of: BasicType
    source: str
    guard: Term


@dataclass
class Context:
    """The rows in scope and what is known of them."""

    forms: Forms
    constraints: Sequence[Constraint]
    variables: list[Variable]
    known: list[Term] = field(default_factory=list)
    steps: list[Fact] = field(default_factory=list)

    def row(self, place: int) -> Term:
        """The term for a row."""
        return parameter(place, self.variables[place].of)

    def take(self, fact: Fact) -> None:
        """A further step, as `stepped` of `Facts.v` has it."""
        hypotheses, goals, fresh = getattr(self, f"_{fact.name.lower()}")(fact)
        self.steps.append(fact)
        self.variables += fresh
        self.known.append(implies(conjunction(*hypotheses), conjunction(*goals)))

    def _open(self, fact: Fact) -> tuple[list[Term], list[Term], list[Variable]]:
        function = self.forms.functions[fact.number]
        call = function(fact.arguments)
        first = len(self.variables)
        rows = [parameter(first + place, of) for place, of in enumerate(types_of(function.over))]
        fresh = [Variable(of, source, call) for source, of in function.over]
        return [call], [function.with_arguments((*fact.arguments, *rows))], fresh

    def _use(self, fact: Fact) -> tuple[list[Term], list[Term], list[Variable]]:
        function = self.forms.functions[fact.number]
        instance = function.with_arguments((*fact.arguments, *map(self.row, fact.rows)))
        guards = [self.variables[place].guard for place in fact.rows]
        return [*guards, instance], [function(fact.arguments)], []

    def _columns(self, row: Term, table: str, columns: Sequence[int]) -> list[Cell]:
        cells = table_cells(row, self.forms.catalogue.by_name[table].row)
        return [cells[column][1] for column in columns]

    def _keyof(self, fact: Fact) -> tuple[list[Term], list[Term], list[Variable]]:
        table, columns = _named(self.constraints[fact.number])
        left, right = (self._columns(self.row(place), table, columns) for place in fact.rows)
        guards = [self.variables[place].guard for place in fact.rows]
        return [*guards, *_present(left), *_present(right), *_same(left, right)], [equal(*map(self.row, fact.rows))], []

    def _referred(self, fact: Fact) -> tuple[list[Term], list[Term], list[Variable]]:
        table, columns = _named(self.constraints[fact.number])
        target, referenced = _target(self.constraints[fact.number])
        of = stored_type(self.forms.catalogue.by_name[target].row)
        left = self._columns(self.row(fact.rows[0]), table, columns)
        right = self._columns(parameter(len(self.variables), of), target, referenced)
        guard = conjunction(self.variables[fact.rows[0]].guard, *_present(left))
        return [guard], [*_present(right), *_same(left, right)], [Variable(of, target, guard)]

    def _checked(self, fact: Fact) -> tuple[list[Term], list[Term], list[Variable]]:
        constraint = self.constraints[fact.number]
        (place,) = fact.rows
        cells = table_cells(self.row(place), self.forms.catalogue.by_name[constraint.table].row)
        types = tuple(each.of for each in self.variables)
        null, true = self.forms.truth(types, (cells,), constraint.data.arguments[1])
        return [self.variables[place].guard], [disjunction(null, true)], []

    def premise(self, hypotheses: Sequence[Term], goal: Term) -> Term:
        """What a refutation tree has to prove."""
        return implies(conjunction(*hypotheses, *self.known), goal)


def _indices(argument: Argument) -> list[int]:
    return [each.number for each in argument if isinstance(each, Index)] if isinstance(argument, list) else []


def _named(constraint: Constraint) -> tuple[str, list[int]]:
    return constraint.table, _indices(constraint.data.arguments[1])


def _target(constraint: Constraint) -> tuple[str, list[int]]:
    return str(constraint.data.arguments[2]), _indices(constraint.data.arguments[3])


def _present(cells: Iterable[Cell]) -> list[Term]:
    return [negation(null) for null, _ in cells]


def _same(left: Iterable[Cell], right: Iterable[Cell]) -> list[Term]:
    return [equal(one[1], other[1]) for one, other in zip(left, right, strict=True)]


@dataclass(frozen=True, slots=True)
class Because:
    """Steps, and the tree that uses what they say."""

    steps: tuple[Fact, ...]
    tree: Evidence


@dataclass(frozen=True, slots=True)
class Pair:
    """Two monomials that correspond, with the order of the slots, and why."""

    left: int
    right: int
    order: tuple[int, ...]
    evidence: tuple[Because, Because, Because]


@dataclass(frozen=True, slots=True)
class BagProof:
    """A proof by BAG: pairs, and monomials whose conditions never hold."""

    pairs: tuple[Pair, ...]
    empty: tuple[tuple[tuple[int, Because], ...], tuple[tuple[int, Because], ...]]

    def with_used(self, constraints: Sequence[Constraint]) -> tuple[tuple[Constraint, ...], BagProof]:
        """The constraints that the proof uses, and the proof with their numbers."""
        reasons = [each for pair in self.pairs for each in pair.evidence]
        reasons += [each for side in self.empty for _, each in side]
        used = sorted({fact.number for each in reasons for fact in each.steps if fact.name in CONSTRAINED})
        numbers = {number: place for place, number in enumerate(used)}

        def renumbered(because: Because) -> Because:
            steps = (
                replace(fact, number=numbers[fact.number]) if fact.name in CONSTRAINED else fact
                for fact in because.steps
            )
            return Because(tuple(steps), because.tree)

        pairs = (
            replace(pair, evidence=tuple(map(renumbered, pair.evidence)))  # type: ignore[arg-type]
            for pair in self.pairs
        )
        left, right = (tuple((number, renumbered(each)) for number, each in side) for side in self.empty)
        return tuple(constraints[number] for number in used), BagProof(tuple(pairs), (left, right))
