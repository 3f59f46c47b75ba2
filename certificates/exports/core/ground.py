"""Facts about rows as formulas of refutation trees: `coq/core/Kinds.v` and `Ground.v`, step by step.

The formulas are made as Coq makes them, without further simplification: a tree numbers their facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from tallystick.certificates.exports.core.terms import NULL, Node
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, TRUE, Term, build, constant, variable
from tallystick.core.types import BOOL, INT


@dataclass(frozen=True)
class Kind:
    """The sort of a value, and whether it may be NULL."""

    sort: str
    nullable: bool

    @property
    def numeric(self) -> bool:
        """Whether it is a number, unless NULL."""
        return self.sort in ("Wholes", "Numbers")

    @property
    def whole(self) -> bool:
        """Whether its number, 0 of what is none, is whole."""
        return self.sort in ("Wholes", "Truths")


ANY = Kind("Any", True)
Kinds = tuple[Kind, ...]
SORTS = {"Integers": "Wholes", "Decimals": "Numbers", "Core.Truths": "Truths"}


def never(sort: str) -> Kind:
    """Of a sort, and not NULL."""
    return Kind(sort, False)


def _join(left: Kind, right: Kind) -> Kind:
    sort = left.sort if left.sort == right.sort else "Numbers" if left.numeric and right.numeric else "Any"
    return Kind(sort, left.nullable or right.nullable)


def _literal(of: Node) -> Kind:
    match of.name:
        case "Null":
            return Kind("Wholes", True)
        case "Number":
            return never("Wholes" if of.args[0].denominator == 1 else "Numbers")
        case "Truth":
            return never("Truths")
        case _:
            return never("Any")


def _at(kinds: Kinds, column: int) -> Kind:
    return kinds[column] if column < len(kinds) else ANY


def _operation(operator: Node, kinds: Kinds) -> Kind:
    number = len(kinds)
    match operator.name:
        case "Lit":
            return _literal(operator.args[0])
        case "And" | "Or":
            return never("Truths")
        case "Not" | "Known" if number == 1:
            return never("Truths")
        case "IsSame" if number == 2:
            return never("Truths")
        case "Add":
            return never("Wholes" if all(each.whole for each in kinds) else "Numbers")
        case "Mul" if number == 2:
            return never("Wholes" if all(each.whole for each in kinds) else "Numbers")
        case "Count_if":
            return never("Wholes")
        case "Scalar":
            return _scalar(operator.args[0], kinds)
    return ANY


def _scalar(operator: Node, kinds: Kinds) -> Kind:
    number = len(kinds)
    match operator.name:
        case "SPlus" | "STimes" if number == 2:
            sort = "Wholes" if all(each.sort == "Wholes" for each in kinds) else "Numbers"
            return Kind(sort, any(not each.numeric or each.nullable for each in kinds))
        case "SQuotient":
            return Kind("Numbers" if operator.args[0].name == "Exact" else "Wholes", True)
        case "SCompare" if operator.args[0].name == "Same" and number == 2:
            return never("Truths")
        case "SIsNull" if number == 1:
            return never("Truths")
        case "SCompare" | "SBoth" | "SEither" | "SNegated":
            return Kind("Truths", True)
    return ANY


class Kinding:
    """The kinds of terms over slots, for tables with these kinds of columns."""

    def __init__(self, tables: Mapping[str, Kinds]) -> None:
        self.tables = tables
        self.done: dict[tuple[Node, tuple[Kinds, ...]], Kind] = {}

    def term(self, slots: tuple[Kinds, ...], of: Node) -> Kind:
        """The kind of a term; the innermost slot is the first."""
        key = of, slots
        found = self.done.get(key)
        if found is None:
            found = self.done[key] = self._term(slots, of)
        return found

    def _term(self, slots: tuple[Kinds, ...], of: Node) -> Kind:
        match of.name, of.args:
            case "Cell", (slot, column):
                return _at(slots[slot], column) if slot < len(slots) else ANY
            case (("Alike" | "Ex"), _):
                return never("Truths")
            case "Apply", (operator, terms):
                choice = operator.name == "Ite" or (operator.name == "Scalar" and operator.args[0].name == "SWhen")
                if choice and len(terms) == 3:
                    one, other = (self.term(slots, term) for term in terms[1:])
                    if terms[1] is NULL:
                        return Kind(other.sort, True)
                    return Kind(one.sort, True) if terms[2] is NULL else _join(one, other)
                return _operation(operator, tuple(self.term(slots, term) for term in terms))
            case "Total", (inner,):
                return never("Wholes" if _at(self.bag(slots, inner), 0).whole else "Numbers")
            case _, (aggregate, inner):
                head = _at(self.bag(slots, inner), 0)
                function = aggregate.args[0].name if aggregate.name == "Of" else ""
                if function == "Count":
                    return never("Wholes")
                if function == "OfBag" or (function == "Sum" and not head.numeric):
                    return ANY
                return Kind(head.sort, True)
        raise AssertionError(of.name)

    def bag(self, slots: tuple[Kinds, ...], of: Node) -> Kinds:
        """The kinds of the columns of a bag."""
        kinds = [self._mono(slots, each) for each in of.args[0]]
        if not kinds:
            return ()
        last, *others = reversed(kinds)
        return reduce(
            lambda joined, each: tuple(_join(*pair) for pair in zip(each, joined, strict=False)), others, last
        )

    def _mono(self, slots: tuple[Kinds, ...], of: Node) -> Kinds:
        sources, _, heads = of.args
        for source in sources:
            slots = (self.source(slots, source), *slots)
        return tuple(self.term(slots, head) for head in heads)

    def source(self, slots: tuple[Kinds, ...], of: Node) -> Kinds:
        """The kinds of the columns of a source."""
        match of.name:
            case "Table":
                return self.tables.get(of.args[0], ())
            case "Support":
                return self.bag(slots, of.args[0])
            case _:
                return ()

    def rows(self, rows: Sequence[Node]) -> tuple[Kinds, ...]:
        """The kinds of the slots of rows, the innermost first."""
        slots: tuple[Kinds, ...] = ()
        for source in rows:
            slots = (self.source(slots, source), *slots)
        return slots


def _not(of: Term) -> Term:
    if of is TRUE or of is FALSE:
        return FALSE if of is TRUE else TRUE
    return build(Operator.NOT, (of,))


def _and(left: Term, right: Term) -> Term:
    if left is TRUE or right is FALSE:
        return right if left is TRUE else (left if left is FALSE else right)
    if left is FALSE or right is TRUE:
        return left
    return build(Operator.AND, (left, right))


def _or(left: Term, right: Term) -> Term:
    if left is FALSE or right is TRUE:
        return right if left is FALSE else (left if left is TRUE else right)
    if left is TRUE or right is FALSE:
        return left
    return build(Operator.OR, (left, right))


def _iff(left: Term, right: Term) -> Term:
    return _or(_and(left, right), _and(_not(left), _not(right)))


def _ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if condition is TRUE or condition is FALSE:
        return then if condition is TRUE else otherwise
    return build(Operator.ITE, (condition, then, otherwise))


def _choose(condition: Term, then: Term, otherwise: Term) -> Term:
    return _or(_and(condition, then), _and(_not(condition), otherwise))


def _less(left: Term, right: Term) -> Term:
    return build(Operator.LESS, (left, right))


def _equal(left: Term, right: Term) -> Term:
    return build(Operator.EQUAL, (left, right))


def _scale(factor: int, of: Term) -> Term:
    return of if factor == 1 else build(Operator.SCALE, (of,), factor)


def _sum(terms: Sequence[Term]) -> Term:
    if not terms:
        return ZERO
    return terms[0] if len(terms) == 1 else build(Operator.ADD, tuple(terms))


ZERO = constant(0)


@dataclass(frozen=True)
class Aspects:
    """Whether a term is true, false or NULL, its number, and its place in the order of values."""

    yes: Term
    no: Term
    null: Term
    number: Term
    code: Term
    kind: Kind
    of: Node

    @property
    def total(self) -> Term:
        """The number of a value: 0 of NULL."""
        return _ite(self.null, ZERO, self.number) if self.kind.numeric else ZERO

    @property
    def factor(self) -> int | None:
        """The whole number that a literal is."""
        if self.of.name == "Apply" and self.of.args[0].name == "Lit" and not self.of.args[1]:
            given = self.of.args[0].args[0]
            if given.name == "Number" and given.args[0].denominator == 1:
                return int(given.args[0])
        return None


class Grounding:
    """Facts over rows of these sources, as one formula."""

    def __init__(self, kinding: Kinding, rows: Sequence[Node], facts: Sequence[Node]) -> None:
        self.kinding, self.slots, self.facts = kinding, kinding.rows(rows), facts
        self.atoms: dict[Node, int] = {}
        self._add(NULL)
        for fact in facts:
            self._add(fact)
        self.integral = all(kinding.term(self.slots, atom).sort != "Numbers" for atom in self.atoms)
        self.unit = constant(1) if self.integral else variable("unit", INT)
        self.done: dict[Node, Aspects] = {}

    def _add(self, of: Node) -> None:
        if of in self.atoms:
            return
        self.atoms[of] = len(self.atoms)
        if of.name == "Apply":
            for term in of.args[1]:
                self._add(term)

    @property
    def refuted(self) -> Term:
        """The formula that not all facts hold."""
        parts = [*(self.aspects(fact).yes for fact in self.facts), *self._background()]
        return _not(reduce(lambda rest, part: _and(part, rest), reversed(parts), TRUE))

    def _background(self) -> list[Term]:
        found = [] if self.integral else [build(Operator.LESS_EQUAL, (constant(1), self.unit)), *self._fractions()]
        literals = [(atom, given) for atom in self.atoms if (given := _ordered(atom)) is not None]
        for atom, given in literals:
            found += [_less(self.code(atom), self.code(other)) for other, above in literals if _below(given, above)]
        return found

    def _fractions(self) -> Iterator[Term]:
        """Fractions, times their denominators."""
        for atom in self.atoms:
            if atom.name == "Apply" and atom.args[0].name == "Lit" and atom.args[0].args[0].name == "Number":
                number = atom.args[0].args[0].args[0]
                if number.denominator != 1:
                    scaled = build(Operator.SCALE, (self.variable("number", atom, False),), number.denominator)
                    yield _equal(scaled, build(Operator.SCALE, (self.unit,), number.numerator))

    def variable(self, aspect: str, of: Node, boolean: bool) -> Term:
        """An aspect of which nothing simpler is known."""
        return variable(f"{aspect} {self.atoms[of]}", BOOL if boolean else INT)

    def code(self, of: Node) -> Term:
        """The number of a value in the order of values."""
        return self.variable("code", of, False)

    def literal(self, number: int) -> Term:
        """A whole number."""
        return constant(number) if self.integral else build(Operator.SCALE, (self.unit,), number)

    def aspects(self, of: Node) -> Aspects:
        """The aspects of a term."""
        found = self.done.get(of)
        if found is None:
            made = (
                self._operation(of, of.args[0], [self.aspects(term) for term in of.args[1]])
                if of.name == "Apply"
                else None
            )
            found = self.done[of] = made or self._leaf(of)
        return found

    def _leaf(self, of: Node) -> Aspects:
        kind = self.kinding.term(self.slots, of)
        null = FALSE
        if kind.nullable:
            null = _equal(self.code(of), self.code(NULL)) if kind.sort == "Any" else self.variable("null", of, True)
        match kind.sort:
            case "Truths":
                true = self.variable("true", of, True)
                return Aspects(
                    _and(_not(null), true), _and(_not(null), _not(true)), null, ZERO, self.code(of), kind, of
                )
            case "Any":
                return Aspects(
                    self.variable("true", of, True),
                    self.variable("false", of, True),
                    null,
                    ZERO,
                    self.code(of),
                    kind,
                    of,
                )
            case _:
                return Aspects(FALSE, FALSE, null, self.variable("number", of, False), self.code(of), kind, of)

    def same(self, one: Aspects, other: Aspects) -> Term:
        """Whether two terms have the same value."""
        if one.of is NULL or other.of is NULL:
            return other.null if one.of is NULL else one.null
        if one.kind.numeric and other.kind.numeric:
            return _and(_iff(one.null, other.null), _or(one.null, _equal(one.number, other.number)))
        if one.kind.sort == other.kind.sort == "Truths":
            alike = _iff(one.yes, other.yes)
            return _and(alike, _iff(one.no, other.no)) if one.kind.nullable or other.kind.nullable else alike
        return _equal(one.code, other.code)

    def _operation(self, of: Node, operator: Node, parts: list[Aspects]) -> Aspects | None:
        """None of what nothing simpler is known of."""
        kind = self.kinding.term(self.slots, of)

        def truth(yes: Term) -> Aspects:
            return Aspects(yes, _not(yes), FALSE, ZERO, self.code(of), kind, of)

        def number(null: Term, value: Term) -> Aspects:
            return Aspects(FALSE, FALSE, null, value, self.code(of), kind, of)

        def three(yes: Term, no: Term, null: Term) -> Aspects:
            return Aspects(yes, no, null, ZERO, self.code(of), kind, of)

        def neither(yes: Term, no: Term) -> Aspects:
            return three(yes, no, _and(_not(yes), _not(no)))

        def has_number(part: Aspects) -> bool:
            return part.kind.sort != "Any"

        name = operator.args[0].name if operator.name == "Scalar" else operator.name
        match name, parts:
            case "Lit", _:
                given = operator.args[0]
                match given.name:
                    case "Truth":
                        return truth(TRUE if given.args[0] else FALSE)
                    case "Number" if given.args[0].denominator == 1:
                        return number(FALSE, self.literal(int(given.args[0])))
                    case "Null":
                        return three(FALSE, FALSE, TRUE)
            case "And", _:
                return truth(reduce(lambda rest, part: _and(part.yes, rest), reversed(parts), TRUE))
            case "Or", _:
                return truth(reduce(lambda rest, part: _or(part.yes, rest), reversed(parts), FALSE))
            case "Not", [part]:
                return truth(_not(part.yes))
            case "IsSame", [one, other]:
                return truth(self.same(one, other))
            case "Known", [part]:
                return truth(_not(part.null))
            case (("Ite" | "SWhen"), [condition, then, otherwise]):
                when = condition.yes
                return Aspects(
                    _choose(when, then.yes, otherwise.yes),
                    _choose(when, then.no, otherwise.no),
                    _choose(when, then.null, otherwise.null),
                    _ite(when, then.number, otherwise.number),
                    _ite(when, then.code, otherwise.code),
                    kind,
                    of,
                )
            case "Add", _ if all(map(has_number, parts)):
                return number(FALSE, _sum([part.total for part in parts]))
            case "Mul", [one, other]:
                if one.factor is not None:
                    return number(FALSE, _scale(one.factor, other.total)) if has_number(other) else None
                if other.factor is not None and has_number(one):
                    return number(FALSE, _scale(other.factor, one.total))
            case "Count_if", _:
                return number(FALSE, _sum([_ite(part.yes, self.unit, ZERO) for part in parts]))
            case "SPlus", [one, other] if one.kind.numeric and other.kind.numeric:
                return number(_or(one.null, other.null), build(Operator.ADD, (one.number, other.number)))
            case "STimes", [one, other]:
                if one.factor is not None and other.kind.numeric:
                    return number(other.null, _scale(one.factor, other.number))
                if one.factor is None and other.factor is not None and one.kind.numeric:
                    return number(one.null, _scale(other.factor, one.number))
                return number(TRUE, ZERO) if NULL in of.args[1] else None
            case "SPlus", _ if NULL in of.args[1]:
                return number(TRUE, ZERO)
            case "SCompare", [one, other]:
                if operator.args[0].args[0].name == "Same":
                    return truth(self.same(one, other))
                null = _or(one.null, other.null)
                if operator.args[0].args[0].name == "Equal":
                    holds = self.same(one, other)
                elif one.kind.numeric and other.kind.numeric:
                    holds = _less(one.number, other.number)
                else:
                    holds = _less(one.code, other.code)
                return three(_and(_not(null), holds), _and(_not(null), _not(holds)), null)
            case "SBoth", [one, other]:
                return neither(_and(one.yes, other.yes), _or(one.no, other.no))
            case "SEither", [one, other]:
                return neither(_or(one.yes, other.yes), _and(one.no, other.no))
            case "SNegated", [part]:
                return three(part.no, part.yes, _and(_not(part.yes), _not(part.no)))
            case "SIsNull", [part]:
                return truth(part.null)
        return None


def _ordered(of: Node) -> Node | None:
    """The value of a literal that is no number and no truth value."""
    if of.name != "Apply" or of.args[0].name != "Lit":
        return None
    given: Node = of.args[0].args[0]
    return None if given.name in ("Number", "Truth") else given


RANKS = {"Null": 0, "Text": 3, "Other": 4}


def _below(left: Node, right: Node) -> bool:
    """`less`, of values that are no numbers and no truth values."""
    if left.name == right.name == "Text":
        return [*map(ord, left.args[0])] < [*map(ord, right.args[0])]
    if left.name == right.name == "Other":
        return bool(left.args[0] < right.args[0])
    return RANKS[left.name] < RANKS[right.name]
