"""The finite structure of an open branch: its rows, and values that satisfy its atoms (untrusted).

A branch that is not refuted yet suggests a database: one row for each row of the branch, with the values that the
simplex gives to its columns. EXISTS and its kin are evaluated over these rows. A structure that satisfies every fact of
the branch is a countermodel, as far as the uninterpreted parts of the premise mean anything; a fact that it violates is
one that the search should use next. Nothing here is believed: the search adds only what the checker allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

from tallystick.certificates.forms import Form
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, TRUE, Term, build, is_none, none, project, some, value_of
from tallystick.core.types import BoolType, OptionType, TupleType, Type
from tallystick.decision.queries.trees.slots import Environment, close

Number = int | Fraction
Evaluation = Callable[["Structure", Environment], Any]
ARBITRARY = 7_919
"""Unknowns that no atom mentions have multiples of this prime for values, so that no two are equal by accident."""


@dataclass(frozen=True, slots=True)
class OpenBranch:
    """What a branch that stays open says of a database: it outlives the branch.

    Attributes:
        rows: the values of the columns of its rows, by the source that they are in; texts are numbers.
        texts: the numbers of texts that the branch mentions.
    """

    rows: Mapping[Term, tuple[tuple[Any, ...], ...]]
    texts: Mapping[str, Number]


class Structure:
    """Values for terms, and rows for sources.

    `unknown` gives the values of unknowns, None for those that no atom mentions; `bounds`, whether a boolean unknown is
    known to be true, and to be false; `heads`, the heads of the instances of a bag in a structure; `same`, what
    aggregates were proved equal to, and what no atom mentions would best be equal to; `form`, what a number is as a
    combination of unknowns.

    Attributes:
        rows: the rows of the branch, by the source that they are in.
        defined: the values of conditionals and quotients.
    """

    def __init__(
        self,
        unknown: Callable[[Term], Number | None],
        bounds: Callable[[Term], tuple[bool, bool]],
        heads: Callable[[Structure, Term], Iterator[Any]],
        rows: dict[Term, list[Term]],
        same: Mapping[Term, Term],
        form: Callable[[Term], Form],
    ) -> None:
        self.unknown, self._bounds, self._heads = unknown, bounds, heads
        self.rows = rows
        self._same, self._form = same, form
        self._leaves: dict[Term, Any] = {}
        self._applications: dict[tuple[object, ...], Any] = {}
        self._instantiable: dict[Term, bool] = {}
        self._terms: dict[Type, list[Term]] = {}
        self.defined: dict[tuple[Term, Environment], Any] = {}

    def value(self, term: Term, environment: Environment = ()) -> Any:
        """The value of a term whose free slots the environment covers."""
        return compiled(term)(self, environment)

    def closed(self, term: Term, environment: Environment) -> Any:
        """The value of an unknown whose free slots the environment covers: it may be decided by what is put there."""
        closed = close(term, environment)
        return self.leaf(closed) if closed.operator is term.operator else self.value(closed)

    def holds(self, term: Term, environment: Environment = ()) -> bool:
        """Whether a formula is true."""
        return compiled(term)(self, environment) is True

    def exists(self, term: Term) -> bool:
        """Whether a closed EXISTS has an instance among the rows."""
        known = self._instantiable.get(term)
        if known is None:
            self._instantiable[term] = False
            known = self._instantiable[term] = any(True for _ in self._heads(self, term.arguments[0]))
        return known

    def open_branch(self, unknowns: Iterable[Term]) -> OpenBranch:
        """The values of columns at present, and those of the texts among some unknowns."""
        rows = {
            source: tuple(self.leaf(row) for row in rows if isinstance(row.type, TupleType))
            for source, rows in self.rows.items()
        }
        return OpenBranch(
            rows, {each.parameter: self.leaf(each) for each in unknowns if isinstance(each.parameter, str)}
        )

    def existence(self, term: Term, environment: Environment) -> bool:
        """Whether an EXISTS is true: as the branch has it, else whether it has an instance."""
        closed = close(term, environment)
        if closed.operator is not Operator.EXISTS:  # constants in the place of slots may have decided it
            return self.holds(closed)
        true, false = self._bounds(closed)
        return true or (not false and self.exists(closed))

    def terms(self, of: Type) -> list[Term]:
        """Terms of a type over the rows: columns, and columns of which NULL is a value or is not."""
        known = self._terms.get(of)
        if known is None:
            rows = [row for rows in self.rows.values() for row in rows]
            columns = [column for row in rows if isinstance(row.type, TupleType) for column in _columns(row)]
            values = [row for row in rows if not isinstance(row.type, TupleType)]
            known = self._terms[of] = [typed for term in (*columns, *values) for typed in converted(term, of)]
            kind = of.of if isinstance(of, OptionType) else of
            if isinstance(kind, BoolType):
                known += [typed for truth in (TRUE, FALSE) for typed in converted(truth, of)]
            if isinstance(of, OptionType):
                known.append(none(of.of))
        return known

    def leaf(self, term: Term) -> Any:
        """The value of a closed term that is an unknown, or made of unknowns."""
        if term in self._leaves:
            return self._leaves[term]
        self._leaves[term] = self._arbitrary()  # aggregates inside of aggregates may ask for it again
        result = self._leaves[term] = self._leaf(term)
        return result

    def _arbitrary(self) -> Number:
        return ARBITRARY * (len(self._leaves) + 101)

    def _leaf(self, term: Term) -> Any:
        match term.type:
            case TupleType(components):
                return tuple(self.leaf(project(term, index)) for index in range(len(components)))
            case OptionType():
                if term in self._same and not self._mentioned(term):
                    return self.value(self._same[term])
                if self.leaf(build(Operator.IS_NONE, (term,))):
                    return None
                return self.leaf(build(Operator.VALUE, (term,)))
            case BoolType():
                known = self.unknown(term)
                if known is None and term in self._same:
                    return self.value(self._same[term])
                return known is not None and known >= 1
            case _:
                known = self.unknown(term)
                return self._unmentioned(term) if known is None else known

    def _unmentioned(self, term: Term) -> Any:
        """A value for what no atom mentions: as its meaning has it over the rows, else unlike all others."""
        representative = self._same.get(term, term)
        if representative is not term:
            return self.value(representative)
        if term.operator is Operator.SUM and not any(self._heads(self, term.arguments[0])):
            return 0
        if term.operator is Operator.EXTREMUM:
            return (min if term.parameter == "min" else max)(self._heads(self, term.arguments[0]), default=0)
        return self._arbitrary()

    def aggregates(self) -> list[Term]:
        """The aggregates, and products with them, that were asked for their values."""
        return [term for term in self._leaves if is_aggregate(term)]

    def application(self, term: Term, environment: Environment) -> Any:
        """The value of an uninterpreted function: that of an unknown which applies it to equal values, if any.

        A product is one when it is multiplied out.
        """
        closed = close(term, environment)
        if closed.operator is Operator.MULTIPLY:
            form = self._form(closed)
            if form.coefficients != {closed: 1}:
                return form.constant + sum(part * self.value(each) for each, part in form.coefficients.items())
        if self._mentioned(closed):
            return self.leaf(closed)
        values = [self.value(argument, environment) for argument in term.arguments]
        key = (term.operator, term.parameter, *(sorted(values) if term.operator is Operator.MULTIPLY else values))
        if key not in self._applications:
            self._applications[key] = self.leaf(closed)
        return self._applications[key]

    def _mentioned(self, term: Term) -> bool:
        parts = (is_none(term), value_of(term)) if isinstance(term.type, OptionType) else (term,)
        return any(self.unknown(part) is not None for part in parts)

    def interpret(self, unknowns: Iterable[Term]) -> list[tuple[Term, Term]]:
        """Let the unknown applications define their functions; the pairs that disagree on equal arguments."""
        first: dict[tuple[object, ...], Term] = {}
        clashes: list[tuple[Term, Term]] = []
        for unknown in unknowns:
            term = _applied(unknown)
            if term is None:
                continue
            values = [self.value(argument) for argument in term.arguments]
            if term.operator is Operator.MULTIPLY:
                values.sort()
            self._applications.setdefault((term.operator, term.parameter, *values), self.leaf(term))
            known = first.setdefault((unknown.operator, term.operator, term.parameter, *values), unknown)
            if known is not unknown and self.leaf(known) != self.leaf(unknown):
                clashes.append((known, unknown))
        return clashes


def is_aggregate(term: Term) -> bool:
    """Whether a term is an aggregate, or a product with one."""
    if term.operator is Operator.MULTIPLY:
        return any(map(is_aggregate, term.arguments))
    return term.operator in (Operator.SUM, Operator.AGGREGATE, Operator.EXTREMUM)


def _applied(unknown: Term) -> Term | None:
    """The application that an unknown is, or the value or null flag of; None for other unknowns."""
    term = unknown
    if term.operator in (Operator.VALUE, Operator.IS_NONE):
        term = term.arguments[0]
    return term if term.operator in (Operator.APPLY, Operator.MULTIPLY) else None


def converted(term: Term, of: Type) -> list[Term]:
    """A term as one of another type: itself, its value, or it as a value that may be NULL."""
    if term.type == of:
        return [term]
    if isinstance(of, OptionType) and of.of == term.type:
        return [some(term)]
    if isinstance(term.type, OptionType) and term.type.of == of:
        return [value_of(term)]
    return []


@lru_cache(50_000)
def compiled(term: Term) -> Evaluation:
    """The evaluation of a term, as a function of structure and environment."""
    return _compile(term)


def _compile(term: Term) -> Evaluation:
    parameter: Any = term.parameter
    parts = term.arguments
    match term.operator:
        case Operator.CONSTANT:
            if parameter == "":
                return lambda structure, environment: 0
            if isinstance(parameter, str):
                return lambda structure, environment, term=term: structure.leaf(term)
            return lambda structure, environment: parameter
        case Operator.SLOT:
            index = -1 - parameter[0]
            return lambda structure, environment: structure.value(environment[index])
        case Operator.PROJECTION:
            return _projection(term)
        case Operator.IS_NONE:
            inner = compiled(parts[0])
            return lambda structure, environment: inner(structure, environment) is None
        case Operator.VALUE:
            return _option_value(term)
        case Operator.SOME | Operator.TO_RATIONAL:
            return compiled(parts[0])
        case Operator.NONE:
            return lambda structure, environment: None
        case Operator.TUPLE:
            functions = [compiled(part) for part in parts]
            return lambda structure, environment: tuple(function(structure, environment) for function in functions)
        case Operator.EXISTS:
            return _exists(term)
        case Operator.APPLY | Operator.MULTIPLY:
            return lambda structure, environment, term=term: structure.application(term, environment)
        case Operator.SUM | Operator.EXTREMUM | Operator.AGGREGATE | Operator.ROW | Operator.VARIABLE:
            return lambda structure, environment, term=term: structure.closed(term, environment)
        case Operator.ITE | Operator.DIV if not isinstance(term.type, BoolType):
            return _defined(term, _operation(term, [compiled(part) for part in parts]))
        case _:
            return _operation(term, [compiled(part) for part in parts])


def _defined(term: Term, operation: Evaluation) -> Evaluation:
    """Conditionals and quotients that atoms mention are unknowns, which their definitions tie to their values.

    Others are computed once: a condition is often about what the branches say again, `IF x IS NULL … ELSE x + 1`, of
    an x that is such a term itself.
    """

    def evaluate(structure: Structure, environment: Environment) -> Any:
        if not term.bound and (known := structure.unknown(term)) is not None:
            return known
        key = term, environment if term.bound else ()
        if key not in structure.defined:
            structure.defined[key] = operation(structure, environment)
        return structure.defined[key]

    return evaluate


def _columns(term: Term) -> Iterator[Term]:
    """The columns of a row, and those inside of columns that are records themselves."""
    if not isinstance(term.type, TupleType):
        yield term
        return
    for index in range(len(term.type.components)):
        yield from _columns(project(term, index))


def _projection(term: Term) -> Evaluation:
    index: Any = term.parameter
    inner, path = term.arguments[0], [index]
    while inner.operator is Operator.PROJECTION:
        path.append(inner.parameter)
        inner = inner.arguments[0]
    if inner.operator is Operator.SLOT:
        parameter: Any = inner.parameter
        slot = -1 - parameter[0]
        return lambda structure, environment: structure.value(reduce(project, reversed(path), environment[slot]))
    if inner.operator is Operator.ROW:
        return lambda structure, environment, term=term: structure.leaf(term)
    function = compiled(term.arguments[0])
    return lambda structure, environment: function(structure, environment)[index]


def _option_value(term: Term) -> Evaluation:
    inner = compiled(term.arguments[0])
    default = False if isinstance(term.type, BoolType) else 0

    def evaluate(structure: Structure, environment: Environment) -> Any:
        value = inner(structure, environment)
        return default if value is None else value

    return evaluate


def _exists(term: Term) -> Evaluation:
    return lambda structure, environment: structure.existence(term, environment)


def _operation(term: Term, parts: list[Evaluation]) -> Evaluation:
    parameter: Any = term.parameter
    match term.operator, parts:
        case Operator.ADD, _:
            return lambda structure, environment: sum([part(structure, environment) for part in parts])
        case Operator.SCALE, [part]:
            return lambda structure, environment: parameter * part(structure, environment)
        case Operator.DIV, [part]:
            return lambda structure, environment: part(structure, environment) // parameter
        case Operator.MOD, [part]:
            return lambda structure, environment: part(structure, environment) % parameter
        case Operator.EQUAL, [left, right]:
            return lambda structure, environment: left(structure, environment) == right(structure, environment)
        case Operator.LESS, [left, right]:
            return lambda structure, environment: left(structure, environment) < right(structure, environment)
        case Operator.LESS_EQUAL, [left, right]:
            return lambda structure, environment: left(structure, environment) <= right(structure, environment)
        case Operator.NOT, [part]:
            return lambda structure, environment: part(structure, environment) is False
        case Operator.AND, _:
            return lambda structure, environment: all(part(structure, environment) for part in parts)
        case Operator.OR, _:
            return lambda structure, environment: any(part(structure, environment) for part in parts)
        case Operator.ITE, [condition, then, otherwise]:
            return lambda structure, environment: (then if condition(structure, environment) else otherwise)(
                structure, environment
            )
    raise TypeError(f"a structure gives no value to {term.operator.value}")
