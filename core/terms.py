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
from enum import Enum
from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

from tallystick.core.errors import SortError
from tallystick.core.types import BOOL, INT, BagType, BasicType, BoolType, IntType, TupleType, Type, is_basic


class Operator(Enum):
    """Every kind of term. The comment names its arguments and, after a semicolon, its parameter."""

    CONSTANT = "constant"  # ; an integer or a boolean
    VARIABLE = "variable"  # ; (name, type): an input bag, a basic parameter, or a logical variable
    ELEMENT = "element"  # ; a basic type
    ACCUMULATOR = "accumulator"  # ; a basic type
    BOTTOM = "bottom"  # ; a basic type: ⊥, the element that does not exist
    ADD = "add"  # two or more integers
    SCALE = "scale"  # an integer; the factor
    DIV = "div"  # an integer; the positive divisor: the quotient's floor
    MOD = "mod"  # an integer; the positive divisor: the remainder in 0 .. divisor - 1
    EQUAL = "equal"  # two terms of one basic type
    LESS = "less"  # two integers
    LESS_EQUAL = "less_equal"  # two integers
    NOT = "not"  # a boolean
    AND = "and"  # two or more booleans
    OR = "or"  # two or more booleans
    TUPLE = "tuple"  # one or more terms of basic types; none, or the type that says more of these components
    PROJECTION = "projection"  # a tuple; the index, from 0
    ITE = "ite"  # a boolean, two terms of one basic type
    MAP = "map"  # a UDF, a bag
    FILTER = "filter"  # a boolean UDF, a bag
    CARTESIAN = "cartesian"  # two bags
    UNION = "union"  # two bags of one type: multiplicities add up
    DISTINCT = "distinct"  # a bag: every multiplicity becomes 1
    FOLD = "fold"  # the initial value, a UDF over accumulator and element, a bag
    FOLD_BY_KEY = "fold_by_key"  # the initial value, a UDF over accumulator and value, a bag of pairs

    __hash__ = object.__hash__  # identity: building a term hashes its operator


BOUND: Final = (Operator.ELEMENT, Operator.ACCUMULATOR)
AGGREGATES: Final = (Operator.FOLD, Operator.FOLD_BY_KEY)
OVER_BAGS: Final = (Operator.MAP, Operator.FILTER, Operator.CARTESIAN, Operator.UNION, Operator.DISTINCT, *AGGREGATES)
Parameter = int | bool | Type | tuple[str, Type] | None


class Term:
    """An immutable term, made by `build` alone; no dataclass, so that no certificate can spell one.

    Attributes:
        operator: its kind.
        arguments: its subterms, in the order that `Operator` gives.
        parameter: the constant, name, index or type that belongs to the operator, or None.
        type: the type of its value.
        bound: the `element` and `accumulator` terms that occur free in it; empty for a closed term.
    """

    __slots__ = ("__weakref__", "arguments", "bound", "operator", "parameter", "type")
    operator: Operator
    arguments: tuple[Term, ...]
    parameter: Parameter
    type: Type
    bound: frozenset[Term]

    def __setattr__(self, name: str, value: object = None) -> None:
        raise AttributeError("terms are immutable")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Callable[..., Term], tuple[object, ...]]:
        return build, (self.operator, self.arguments, self.parameter)

    def __repr__(self) -> str:
        details = [] if self.parameter is None else [str(self.parameter)]
        return f"{self.operator.value}({', '.join([*details, *map(repr, self.arguments)])})"


_known: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()
_one_thread = Lock()


def build(operator: Operator, arguments: tuple[Term, ...] = (), parameter: Parameter = None) -> Term:
    """The term with this operator, arguments and parameter; raises SortError when no rule admits them."""
    key = (operator, arguments, type(parameter), parameter)
    known = _known.get(key)
    if known is not None:
        return known
    result = _type_of(operator, arguments, parameter)
    if result is None:
        found = ", ".join(str(argument.type) for argument in arguments)
        raise SortError(f"no typing rule for {operator.value} of ({found}) with parameter {parameter!r}")
    term = object.__new__(Term)
    bounds = set() if operator in OVER_BAGS else {argument.bound for argument in arguments}
    bound = bounds.pop() if len(bounds) == 1 else frozenset({term} if operator in BOUND else ()).union(*bounds)
    for name, value in zip(Term.__slots__[1:], (arguments, bound, operator, parameter, result), strict=True):
        object.__setattr__(term, name, value)
    with _one_thread:
        return _known.setdefault(key, term)


def _type_of(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Type | None:
    """The typing rules: the type of the term, or None where no rule applies."""
    types = [argument.type for argument in arguments]
    if parameter is not None:
        return _type_with(operator, types, parameter)
    match operator, types:
        case Operator.ADD, [IntType(), IntType(), *rest] if rest == [INT] * len(rest):
            return INT
        case Operator.EQUAL, [left, right] if left == right and is_basic(left):
            return BOOL
        case ((Operator.LESS | Operator.LESS_EQUAL), [IntType(), IntType()]):
            return BOOL
        case Operator.NOT, [BoolType()]:
            return BOOL
        case ((Operator.AND | Operator.OR), [BoolType(), BoolType(), *rest]) if rest == [BOOL] * len(rest):
            return BOOL
        case Operator.TUPLE, [_, *_] if all(map(is_basic, types)):
            return TupleType(tuple(types))  # type: ignore[arg-type]
        case Operator.ITE, [BoolType(), then, otherwise] if then == otherwise and is_basic(then):
            return then
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
        case Operator.FOLD, [initial, result, BagType(of)] if initial == result and is_basic(initial):
            return initial if _scoped(arguments, accumulator(initial), element(of)) else None  # type: ignore[arg-type]
        case Operator.FOLD_BY_KEY, [initial, result, BagType(TupleType((key, of)))] if initial == result:
            pairs = is_basic(initial) and _scoped(arguments, accumulator(initial), element(of))  # type: ignore[arg-type]
            return BagType(TupleType((key, initial))) if pairs else None  # type: ignore[arg-type]
    return None


def _type_with(operator: Operator, types: list[Type], parameter: Parameter) -> Type | None:
    """The typing rules of the operators that have a parameter."""
    match operator, types:
        case Operator.CONSTANT, [] if type(parameter) in (int, bool):
            return INT if type(parameter) is int else BOOL
        case Operator.VARIABLE, [] if isinstance(parameter, tuple) and len(parameter) == 2:
            name, of = parameter
            return of if type(name) is str and (is_basic(of) or isinstance(of, BagType)) else None
        case ((Operator.ELEMENT | Operator.ACCUMULATOR | Operator.BOTTOM), []) if is_basic(parameter):
            return parameter  # type: ignore[return-value]
        case ((Operator.SCALE | Operator.DIV | Operator.MOD), [IntType()]) if type(parameter) is int:
            return INT if operator is Operator.SCALE or parameter > 0 else None
        case Operator.TUPLE, _ if isinstance(parameter, TupleType) and tuple(types) == parameter.components:
            return parameter
        case Operator.PROJECTION, [TupleType(components)] if type(parameter) is int:
            return components[parameter] if 0 <= parameter < len(components) else None
    return None


def _scoped(arguments: tuple[Term, ...], *bound: Term) -> bool:
    """Whether the UDF, the last argument but one, has no other bound variables than `bound`, and the rest has none."""
    *initial, body, bag = (TRUE, *arguments)
    return body.bound <= set(bound) and not any(term.bound for term in (*initial, bag))


def constant(value: int | bool) -> Term:
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
    """The sum of two or more integers."""
    return build(Operator.ADD, terms)


def scale(factor: int, term: Term) -> Term:
    """`factor` times an integer."""
    return build(Operator.SCALE, (term,), factor)


def less(left: Term, right: Term) -> Term:
    """left < right."""
    return build(Operator.LESS, (left, right))


def less_equal(left: Term, right: Term) -> Term:
    """left ≤ right."""
    return build(Operator.LESS_EQUAL, (left, right))


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
    return build(operator, arguments, parameter)


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

    def visit(node: Term) -> Term:
        result = done.get(node)
        if result is None:
            if not node.arguments or not (inside or node.bound):
                return node
            arguments = tuple(map(visit, node.arguments))
            result = node if arguments == node.arguments else make(node.operator, arguments, node.parameter)
            done[node] = result
        return result

    return visit(term)


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm, arguments before the terms that they occur in, inside UDFs too."""
    seen: set[Term] = set()

    def visit(node: Term) -> Iterator[Term]:
        if node not in seen:
            seen.add(node)
            for argument in node.arguments:
                yield from visit(argument)
            yield node

    return visit(term)


def free_variables(term: Term) -> frozenset[Term]:
    """The variables that occur in a term: input bags, basic parameters and logical variables."""
    return frozenset(node for node in subterms(term) if node.operator is Operator.VARIABLE)


def aggregates(term: Term) -> tuple[Term, ...]:
    """The folds and by-key folds in a term, innermost first."""
    return tuple(node for node in subterms(term) if node.operator in AGGREGATES)
