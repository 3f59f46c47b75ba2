"""Terms: one immutable, hash-consed tree for APA+ (TR Appendix A) and SparkLite's expressions (TR Fig. 4).

A `Term` is an operator, its arguments and, for some operators, a parameter (a constant, name, index or type).
Equal terms are one object, so `is` decides equality. Every term is checked when it is built, and `build` is
the only door.

User-defined functions need no names for their parameters: a UDF is the term of its body, in which
`element(type)` stands for the element that it is applied to and `accumulator(type)` for the value accumulated
so far. UDFs do not nest, so one level of such *bound variables* is enough: nothing can be captured, and UDFs
that differ only in the names of their parameters are the same term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from threading import Lock
from typing import Any, Final
from weakref import WeakValueDictionary

from tallystick.core.errors import SortError
from tallystick.core.operators import FIRST_ORDER, NUMBERS, ORDERED, Operator, Parameter
from tallystick.core.types import (
    BOOL,
    INT,
    BagType,
    BasicType,
    BoolType,
    OptionType,
    TupleType,
    Type,
    default_value,
    is_basic,
)
from tallystick.core.work import present

BOUND: Final = (Operator.ELEMENT, Operator.ACCUMULATOR, Operator.SLOT)
AGGREGATES: Final = (Operator.FOLD, Operator.FOLD_BY_KEY)
OPAQUE: Final = (Operator.EXPAND, Operator.WITHOUT)
"""Bags of which proofs know nothing but that equal ones are equal."""
OVER_BAGS: Final = (
    Operator.MAP,
    Operator.FILTER,
    Operator.CARTESIAN,
    Operator.UNION,
    Operator.DISTINCT,
    *OPAQUE,
    *AGGREGATES,
)
SOURCES: Final = (
    Operator.VARIABLE,
    Operator.EVERY,
    Operator.LIMIT,
    Operator.EXCEPT_ALL,
    Operator.INTERSECT_ALL,
    Operator.OPAQUE_BAG,
)
"""What a slot of a monomial ranges over: a table, each value of a type, or a block."""
NO_TERMS: Final[frozenset[Term]] = frozenset()
SHOWN: Final = 50
"""How many subterms `repr` writes."""


class Term:
    """An immutable term, made by `build` alone; no dataclass, so that no certificate can spell one.

    Attributes:
        operator: its kind.
        arguments: its subterms, in the order that `Operator` gives.
        parameter: the constant, name, index or type that belongs to the operator, or None.
        type: the type of its value.
        bound: the `element`, `accumulator` and `slot` terms that occur free in it; empty for a closed term.
        rows: the `row` terms that occur in it.
        depth: how deep it is nested: 1 without arguments.
    """

    __slots__ = ("__weakref__", "arguments", "bound", "depth", "operator", "parameter", "rows", "type")
    operator: Operator
    arguments: tuple[Term, ...]
    parameter: Parameter
    type: Type
    bound: frozenset[Term]
    rows: frozenset[Term]
    depth: int

    def __setattr__(self, name: str, value: object = None) -> None:
        raise AttributeError("terms are immutable")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Term], tuple[object, ...]]:
        return build, (self.operator, self.arguments, self.parameter)

    def __repr__(self) -> str:
        """Operators, parameters and arguments, cut after some: written out, shared subterms may be many."""
        left = SHOWN

        def shown(term: Term) -> str:
            nonlocal left
            left -= 1
            parts = [] if term.parameter is None else [str(term.parameter)]
            for argument in term.arguments:
                parts.append(shown(argument) if left > 0 else "…")
                if left <= 0:
                    break
            return f"{term.operator.value}({', '.join(parts)})"

        return shown(self)


_known: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()
_one_thread = Lock()


def build(operator: Operator, arguments: tuple[Term, ...] = (), parameter: Parameter = None) -> Term:
    """The term with this operator, arguments and parameter; raises SortError when no rule admits them."""
    kind = tuple(map(type, parameter)) if type(parameter) is tuple else type(parameter)  # True == 1, and is no 1
    key = (operator, arguments, kind, parameter)
    known = _known.get(key)
    present().spend(1, 0 if known is not None else 6 + len(arguments))
    if known is not None:
        return known
    types = [argument.type for argument in arguments]
    first_order = FIRST_ORDER.get(operator)
    result = first_order.typing(types, parameter) if first_order else _type_of(operator, arguments, types, parameter)
    if result is None:
        found = ", ".join(map(str, types))
        raise SortError(f"no typing rule for {operator.value} of ({found}) with parameter {parameter!r}")
    term = object.__new__(Term)
    rows = _joined({argument.rows for argument in arguments}, term if operator is Operator.ROW else None)
    bounds = set() if operator in OVER_BAGS else {argument.bound for argument in arguments}
    bound = _joined(bounds, term if operator in BOUND else None)
    if operator is Operator.MONOMIAL:
        bound = _bound_outside(arguments)
    if len(arguments) > 1:  # sets of its own, where those of its arguments differ
        present().spend(0, len(rows) + len(bound))
    depth = 1 + max((argument.depth for argument in arguments), default=0)
    values = (arguments, bound, depth, operator, parameter, rows, result)
    for name, value in zip(Term.__slots__[1:], values, strict=True):
        object.__setattr__(term, name, value)
    with _one_thread:
        return _known.setdefault(key, term)


def _joined(sets: set[frozenset[Term]], term: Term | None) -> frozenset[Term]:
    sets.discard(NO_TERMS)
    if term is not None:
        return frozenset((term,)).union(*sets)
    return NO_TERMS.union(*sets) if len(sets) > 1 else sets.pop() if sets else NO_TERMS


def _bound_outside(arguments: tuple[Term, ...]) -> frozenset[Term]:
    """The slots that are free in a monomial, as they are called outside of it."""
    free: set[Term] = set()
    for place, argument in enumerate(arguments):
        depth = min(place, len(arguments) - 2)
        free |= {
            build(Operator.SLOT, (), (term.parameter[0] - depth, term.type))  # type: ignore[index, operator]
            for term in argument.bound
            if term.parameter[0] >= depth  # type: ignore[index, operator]
        }
    return frozenset(free) if free else NO_TERMS


def _type_of(operator: Operator, arguments: tuple[Term, ...], types: list[Type], parameter: Any) -> Type | None:
    """The typing rules of the operators that are not first-order: the type, or None where no rule applies."""
    if parameter is None:
        return _type_over_bags(operator, arguments, types)
    summations = all(argument.operator is Operator.SUMMATION for argument in arguments)
    match operator, types, parameter:
        case Operator.VARIABLE, [], (str(), of) if is_basic(of) or isinstance(of, BagType):
            return of
        case ((Operator.SLOT | Operator.ROW), [], (int() as number, of)) if is_basic(of):
            return of if type(number) is int and number >= 0 else None
        case ((Operator.ELEMENT | Operator.ACCUMULATOR | Operator.BOTTOM), [], of) if is_basic(of):
            return of
        case Operator.EXPAND, [TupleType(), BagType(of)], (str(), item) if is_basic(item):
            return BagType(TupleType((of, item))) if _scoped(arguments, element(of)) else None
        case Operator.EVERY, [], of if is_basic(of):
            return BagType(of)
        case Operator.SUMMATION, _, of if is_basic(of) and all(part == BagType(of) for part in types):
            return BagType(of) if all(part.operator is Operator.MONOMIAL for part in arguments) else None
        case Operator.LIMIT, [BagType(of) as bag], (count, int() as offset, tuple() as directions) if summations:
            return bag if _is_limit(count, offset) and _are_directions(directions, of) else None
        case Operator.OPAQUE_BAG, _, (str(), of) if is_basic(of) and summations:
            return BagType(of)
        case Operator.AGGREGATE, _, (str(), of) if is_basic(of) and summations:
            return of
        case Operator.EXTREMUM, [BagType(of)], "min" | "max" if summations and of in ORDERED:
            return of
    return None


def _type_over_bags(operator: Operator, arguments: tuple[Term, ...], types: list[Type]) -> Type | None:
    """The typing rules of the operators without a parameter that bind variables or range over bags."""
    summations = all(argument.operator is Operator.SUMMATION for argument in arguments)
    match operator, types:
        case Operator.MAP, [result, BagType(of)] if is_basic(result) and _scoped(arguments, element(of)):
            return BagType(result)  # type: ignore[arg-type]
        case Operator.FILTER, [BoolType(), BagType(of) as bag] if _scoped(arguments, element(of)):
            return bag
        case Operator.CARTESIAN, [BagType(left), BagType(right)] if _scoped(arguments):
            return BagType(TupleType((left, right)))
        case Operator.UNION, [BagType() as left, right] if left == right and _scoped(arguments):
            return left
        case Operator.DISTINCT, [BagType() as bag] if _scoped(arguments):
            return bag
        case Operator.WITHOUT, [key, BagType(of) as bag, BagType(other)] if key == other:
            closed = not arguments[2].bound and is_basic(key)
            return bag if closed and _scoped(arguments[:2], element(of)) else None
        case Operator.FOLD, [initial, result, BagType(of)] if initial == result and is_basic(initial):
            return initial if _scoped(arguments, accumulator(initial), element(of)) else None  # type: ignore[arg-type]
        case Operator.FOLD_BY_KEY, [initial, result, BagType(TupleType((key, of)))] if initial == result:
            pairs = is_basic(initial) and _scoped(arguments, accumulator(initial), element(of))  # type: ignore[arg-type]
            return BagType(TupleType((key, initial))) if pairs else None  # type: ignore[arg-type]
        case Operator.MONOMIAL, [*sources, BoolType(), head] if is_basic(head):
            return BagType(head) if _binds(arguments, sources) else None  # type: ignore[arg-type]
        case ((Operator.EXCEPT_ALL | Operator.INTERSECT_ALL), [left, right]) if left == right and summations:
            return left
        case Operator.EXISTS, [_] if summations:
            return BOOL
        case Operator.SUM, [BagType(of)] if summations and of in NUMBERS:
            return of
    return None


def _binds(arguments: tuple[Term, ...], sources: list[Type]) -> bool:
    """Whether a monomial's sources are sources, and nothing in it is bound but slots of the types that they give."""
    for place, argument in enumerate(arguments):
        depth = min(place, len(sources))
        for term in argument.bound:
            index, of = term.parameter if term.operator is Operator.SLOT else (0, None)  # type: ignore[misc]
            if of is None or (index < depth and sources[depth - 1 - index] != BagType(of)):  # type: ignore[operator, arg-type]
                return False
    return all(isinstance(of, BagType) for of in sources) and all(
        argument.operator in SOURCES for argument in arguments[: len(sources)]
    )


def _is_limit(count: object, offset: object) -> bool:
    return (count is None or (type(count) is int and count >= 0)) and type(offset) is int and offset >= 0


def _are_directions(directions: tuple[object, ...], of: Type) -> bool:
    """Whether there is one order key for each of the last columns of a row."""
    columns = len(of.components) if isinstance(of, TupleType) else 0
    kinds = (isinstance(each, tuple) and [*map(type, each)] == [bool, bool] for each in directions)
    return len(directions) <= columns and all(kinds)


def _scoped(arguments: tuple[Term, ...], *bound: Term) -> bool:
    """Whether the UDF, the last argument but one, has no other bound variables than `bound`, and the rest has none."""
    *initial, body, bag = (TRUE, *arguments)
    return body.bound <= set(bound) and not any(term.bound for term in (*initial, bag))


def constant(value: int | bool | str | Fraction) -> Term:
    """The literal `value`."""
    return build(Operator.CONSTANT, (), value)


TRUE: Final = constant(True)
FALSE: Final = constant(False)


def variable(name: str, of: Type) -> Term:
    """The variable `name` of type `of`."""
    return build(Operator.VARIABLE, (), (name, of))


def element(of: BasicType) -> Term:
    """The element that a UDF is applied to."""
    return build(Operator.ELEMENT, (), of)


def accumulator(of: BasicType) -> Term:
    """The value that a fold has accumulated so far."""
    return build(Operator.ACCUMULATOR, (), of)


def add(*terms: Term) -> Term:
    """The sum of two or more integers, or rationals."""
    return build(Operator.ADD, terms)


def scale(factor: int | Fraction, term: Term) -> Term:
    """`factor` times an integer or a rational."""
    return build(Operator.SCALE, (term,), factor)


def less(left: Term, right: Term) -> Term:
    """left < right."""
    return build(Operator.LESS, (left, right))


def less_equal(left: Term, right: Term) -> Term:
    """left ≤ right."""
    return build(Operator.LESS_EQUAL, (left, right))


def slot(index: int, of: BasicType) -> Term:
    """The bound slot with a de Bruijn index: 0 is the innermost one."""
    return build(Operator.SLOT, (), (index, of))


def row(number: int, of: BasicType) -> Term:
    """Row `number` of those in scope."""
    return build(Operator.ROW, (), (number, of))


def none(of: BasicType) -> Term:
    """None, the option of type `of` without a value: NULL."""
    return build(Operator.NONE, (), of)


def some(term: Term) -> Term:
    """The option that has a value."""
    return build(Operator.SOME, (term,))


def to_rational(term: Term) -> Term:
    """An integer as a rational."""
    return build(Operator.TO_RATIONAL, (term,))


def multiply(*terms: Term) -> Term:
    """The product of two or more integers, or rationals."""
    return build(Operator.MULTIPLY, terms)


def apply_function(name: str, of: BasicType, *arguments: Term) -> Term:
    """A function of which nothing is known but its name and type: equal arguments have equal values."""
    return build(Operator.APPLY, arguments, (name, of))


# The constructors from here to `simplified` simplify constants and repetitions. They may drop an argument, so they
# preserve the value of terms without ⊥ only.


def negation(term: Term) -> Term:
    """¬ term."""
    return simplified(Operator.NOT, (term,))


def conjunction(*terms: Term) -> Term:
    """The conjunction of any number of booleans; TRUE for none."""
    return simplified(Operator.AND, terms)


def disjunction(*terms: Term) -> Term:
    """The disjunction of any number of booleans; FALSE for none."""
    return simplified(Operator.OR, terms)


def implies(premise: Term, conclusion: Term) -> Term:
    """premise ⇒ conclusion."""
    return disjunction(negation(premise), conclusion)


def equal(left: Term, right: Term) -> Term:
    """left = right, for two terms of one basic type."""
    return simplified(Operator.EQUAL, (left, right))


def tuple_of(*components: Term) -> Term:
    """The tuple of one or more components."""
    return build(Operator.TUPLE, components)


def project(term: Term, index: int) -> Term:
    """Component `index` of a tuple, counted from 0."""
    return simplified(Operator.PROJECTION, (term,), index)


def is_none(term: Term) -> Term:
    """Whether an option has no value."""
    return simplified(Operator.IS_NONE, (term,))


def value_of(term: Term) -> Term:
    """The value of an option; of None, the default value of its type."""
    return simplified(Operator.VALUE, (term,))


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    """`then` where `condition` holds, else `otherwise`."""
    return simplified(Operator.ITE, (condition, then, otherwise))


def simplified(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter = None) -> Term:
    """Like `build`, but simplifies: for terms without ⊥."""
    match operator, arguments:
        case Operator.NOT, (Term(operator=Operator.NOT, arguments=(negated,)),):
            return negated
        case Operator.NOT, (Term(operator=Operator.CONSTANT) as known,):
            return FALSE if known is TRUE else TRUE
        case ((Operator.AND | Operator.OR), _):
            unit, zero = (TRUE, FALSE) if operator is Operator.AND else (FALSE, TRUE)
            parts: dict[Term, None] = {}
            for term in arguments:
                parts.update(dict.fromkeys(term.arguments if term.operator is operator else (term,)))
            parts.pop(unit, None)
            if zero in parts or len(parts) < 2:
                return zero if zero in parts else next(iter(parts), unit)
            arguments = tuple(parts)
        case Operator.EQUAL, (left, right) if left is right:
            return TRUE
        case Operator.ITE, (condition, then, otherwise) if condition is TRUE or then is otherwise:
            return then
        case Operator.ITE, (condition, _, otherwise) if condition is FALSE:
            return otherwise
        case Operator.PROJECTION, (Term(operator=Operator.TUPLE, arguments=components),) if isinstance(parameter, int):
            return components[parameter] if 0 <= parameter < len(components) else build(operator, arguments, parameter)
        case ((Operator.IS_NONE | Operator.VALUE), (Term(operator=Operator.SOME, arguments=(value,)),)):
            return FALSE if operator is Operator.IS_NONE else value
        case ((Operator.IS_NONE | Operator.VALUE), (Term(operator=Operator.NONE, parameter=of),)):
            return TRUE if operator is Operator.IS_NONE else default_term(of)  # type: ignore[arg-type]
    return build(operator, arguments, parameter)


def default_term(of: BasicType) -> Term:
    """The default value of a basic type, as a term."""
    match of:
        case TupleType(components):
            return tuple_of(*map(default_term, components))
        case OptionType(inner):
            return none(inner)
    return constant(default_value(of))  # type: ignore[arg-type]


def apply(udf: Term, argument: Term, accumulated: Term | None = None) -> Term:
    """The body of a UDF with `argument` for its element, `accumulated` for its accumulator; neither has ⊥.

    Bound variables inside an aggregate that `udf` mentions are other variables, and stay.
    """
    values = {bound: argument if bound.operator is Operator.ELEMENT else accumulated for bound in udf.bound}
    return rebuild(udf, {bound: value for bound, value in values.items() if value is not None})


def substitute(term: Term, replacements: Mapping[Term, Term]) -> Term:
    """`term` with each occurrence of a key replaced, inside UDFs too; keys and values are closed, without ⊥.

    Raises SortError when a key or a value is not closed, or when a value has another type than its key.
    """
    for key, value in replacements.items():
        if key.bound or value.bound or key.type != value.type:
            raise SortError(f"cannot replace {key!r} by {value!r}: both must be closed, and of one type")
    return rebuild(term, replacements, inside=True)


def rebuild(
    term: Term,
    replacements: Mapping[Term, Term],
    inside: bool = False,
    make: Callable[[Operator, tuple[Term, ...], Parameter], Term] = simplified,
) -> Term:
    """`term` with keys replaced by values at once, made anew by `make`; in closed subterms if `inside`."""
    done: dict[Term, Term] = dict(replacements)
    waiting, work = [term], present()
    while waiting:
        node = waiting.pop()
        if node in done:
            continue
        work.spend(1)
        if not node.arguments or not (inside or node.bound):
            done[node] = node
            continue
        unknown = [argument for argument in node.arguments if argument not in done]
        if unknown:
            waiting += (node, *unknown)
        else:
            arguments = tuple(map(done.__getitem__, node.arguments))
            done[node] = node if arguments == node.arguments else make(node.operator, arguments, node.parameter)
    return done[term]


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm, arguments before the terms that they occur in, inside UDFs too."""
    seen: set[Term] = set()
    waiting, work = [term], present()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        work.spend(1)
        unseen = [argument for argument in reversed(node.arguments) if argument not in seen]
        if unseen:
            waiting += (node, *unseen)
        else:
            seen.add(node)
            yield node


def free_variables(term: Term) -> frozenset[Term]:
    """What a term is about: its rows, and its variables, which are input bags, basic parameters and logical ones."""
    return term.rows.union(node for node in subterms(term) if node.operator is Operator.VARIABLE)


def aggregates(term: Term) -> tuple[Term, ...]:
    """The folds and by-key folds in a term, innermost first."""
    return tuple(node for node in subterms(term) if node.operator in AGGREGATES)


def is_linear(formula: Term) -> bool:
    """Whether a formula is one of linear arithmetic of integers, the language that solvers are asked in."""
    operators = FIRST_ORDER.keys() - {Operator.APPLY, Operator.MULTIPLY} | {Operator.VARIABLE, Operator.ROW}
    return all(part.operator in operators and _of_integers(part.type) for part in subterms(formula))


def _of_integers(of: Type) -> bool:
    return all(map(_of_integers, of.components)) if isinstance(of, TupleType) else of in (BOOL, INT)
