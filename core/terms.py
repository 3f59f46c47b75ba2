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

from collections.abc import Callable, Mapping
from fractions import Fraction
from threading import Lock
from typing import Final
from weakref import ref

from tallystick.core.errors import FragmentError, SortError
from tallystick.core.operators import AGGREGATES, BOUND, FIRST_ORDER, LINEAR, OVER_BAGS, Operator, Parameter
from tallystick.core.types import BOOL, INT, BasicType, OptionType, TupleType, Type, default_value
from tallystick.core.typing_rules import type_of
from tallystick.core.work import present

_AND, _OR, _NOT, _EQUAL, _ITE = Operator.AND, Operator.OR, Operator.NOT, Operator.EQUAL, Operator.ITE
_TUPLE, _PROJECTION, _SOME, _NONE = Operator.TUPLE, Operator.PROJECTION, Operator.SOME, Operator.NONE
_IS_NONE, _VALUE, _MULTIPLY = Operator.IS_NONE, Operator.VALUE, Operator.MULTIPLY  # an Enum looks its own up slowly
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


_FIELDS: Final = tuple(Term.__dict__[name].__set__ for name in Term.__slots__[1:])
_known: dict[tuple[object, ...], ref[Term]] = {}
"""The terms that there are, and some that are no more; each stands behind its arguments, which its key keeps alive."""
_one_thread = Lock()
_FEW: Final = 1 << 14
_most = _FEW
"""How many terms `_known` may have before those that are no more are taken out."""


def build(operator: Operator, arguments: tuple[Term, ...] = (), parameter: Parameter = None) -> Term:
    """The term with this operator, arguments and parameter; raises SortError when no rule admits them."""
    kind = tuple(map(type, parameter)) if type(parameter) is tuple else type(parameter)  # True == 1, and is no 1
    key = (operator, arguments, kind, parameter)
    known = _known.get(key)
    term = known and known()
    if term is not None:
        present().spend(1)
        return term
    types = [argument.type for argument in arguments]
    first_order = FIRST_ORDER.get(operator)
    result = first_order.typing(types, parameter) if first_order else type_of(operator, arguments, types, parameter)
    if result is None:
        found = ", ".join(map(str, types))
        raise SortError(f"no typing rule for {operator.value} of ({found}) with parameter {parameter!r}")
    term = object.__new__(Term)
    rows = frozenset((term,)) if operator is Operator.ROW else _joined([each.rows for each in arguments if each.rows])
    if operator in BOUND:
        bound = frozenset((term,))
    elif operator is Operator.MONOMIAL:
        bound = _bound_outside(arguments)
    else:
        bound = NO_TERMS if operator in OVER_BAGS else _joined([each.bound for each in arguments if each.bound])
    own = len(rows) + len(bound) if len(arguments) > 1 else 0  # sets of its own, where those of its arguments differ
    present().spend(1, 6 + len(arguments) + own)
    depth = 1 + max([argument.depth for argument in arguments], default=0)
    values = (arguments, bound, depth, operator, parameter, rows, result)
    for put, value in zip(_FIELDS, values, strict=True):
        put(term, value)
    with _one_thread:
        known = _known.get(key)
        found = known and known()
        if found is None:
            _known[key] = ref(term)
            if len(_known) > _most:
                _forget()
        return found or term


def _forget() -> None:
    """Takes out the terms that are no more. The last come first: with them, others may go."""
    global _most
    keys = list(_known)
    while keys:
        key = keys.pop()
        if _known[key]() is None:
            del _known[key]
    _most = max(_FEW, 2 * len(_known))


def _joined(sets: list[frozenset[Term]]) -> frozenset[Term]:
    """The union of sets: one of them where they are one object."""
    first = sets[0] if sets else NO_TERMS
    return first if all(each is first for each in sets) else first.union(*sets)


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


def multiply(*terms: Term) -> Term:
    """The product of two or more integers, or rationals."""
    return simplified(Operator.MULTIPLY, terms)


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
    first = arguments[0] if arguments else None
    if operator is _AND or operator is _OR:
        return _connected(operator, arguments)
    if operator is _EQUAL and len(arguments) == 2 and first is arguments[1]:
        return TRUE
    if operator is _NOT and (first is TRUE or first is FALSE):
        return FALSE if first is TRUE else TRUE
    if operator is _NOT and first is not None and first.operator is _NOT:
        return first.arguments[0]
    if operator is _ITE and len(arguments) == 3 and (first is TRUE or first is FALSE or arguments[1] is arguments[2]):
        return arguments[2 if first is FALSE else 1]
    components = first.arguments if first is not None and first.operator is _TUPLE else ()
    if operator is _PROJECTION and type(parameter) is int and 0 <= parameter < len(components):
        return components[parameter]
    if operator is _IS_NONE and first is not None and first.operator in (_SOME, _NONE):
        return FALSE if first.operator is _SOME else TRUE
    if operator is _VALUE and first is not None and first.operator is _SOME:
        return first.arguments[0]
    if operator is _VALUE and first is not None and first.operator is _NONE:
        return default_term(first.parameter)  # type: ignore[arg-type]
    if operator is _MULTIPLY and len(arguments) == 2:
        for factor, other in (arguments, arguments[::-1]):
            if factor.operator is Operator.CONSTANT and factor.type == other.type:
                return scale(factor.parameter, other)  # type: ignore[arg-type]
    return build(operator, arguments, parameter)


def _connected(operator: Operator, arguments: tuple[Term, ...]) -> Term:
    """A conjunction or disjunction: flat by a level, without repetitions and units."""
    unit, zero = (TRUE, FALSE) if operator is _AND else (FALSE, TRUE)
    parts: dict[Term, None] = {}
    for term in arguments:
        parts.update(dict.fromkeys(term.arguments if term.operator is operator else (term,)))
    parts.pop(unit, None)
    if zero in parts or len(parts) < 2:
        return zero if zero in parts else next(iter(parts), unit)
    return build(operator, tuple(parts))


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
    waiting = [term]
    while waiting:
        node = waiting.pop()
        if node in done:
            continue
        if not node.arguments or not (inside or node.bound):
            done[node] = node
            continue
        unknown = [argument for argument in node.arguments if argument not in done]
        if unknown:
            waiting += (node, *unknown)
        else:
            arguments = tuple([done[argument] for argument in node.arguments])
            done[node] = node if arguments == node.arguments else make(node.operator, arguments, node.parameter)
    present().spend(len(done) - len(replacements))
    return done[term]


def subterms(term: Term) -> list[Term]:
    """Every distinct subterm, arguments before the terms that they occur in, inside UDFs too."""
    found: dict[Term, None] = {}
    waiting = [term]
    while waiting:
        node = waiting.pop()
        if node not in found:
            unseen = [argument for argument in reversed(node.arguments) if argument not in found]
            if unseen:
                waiting += (node, *unseen)
            else:
                found[node] = None
    present().spend(len(found))
    return list(found)


def free_variables(term: Term) -> frozenset[Term]:
    """What a term is about: its rows, and its variables, which are input bags, basic parameters and logical ones."""
    return term.rows.union(node for node in subterms(term) if node.operator is Operator.VARIABLE)


def aggregates(term: Term) -> tuple[Term, ...]:
    """The folds and by-key folds in a term, innermost first."""
    return tuple(node for node in subterms(term) if node.operator in AGGREGATES)


def is_linear(formula: Term) -> bool:
    """Whether a formula is one of linear arithmetic of integers, the language that solvers are asked in."""
    return all(part.operator in LINEAR and _of_integers(part.type) for part in subterms(formula))


def _of_integers(of: Type) -> bool:
    return all(map(_of_integers, of.components)) if isinstance(of, TupleType) else of in (BOOL, INT)


def require_defined(*terms: Term) -> None:
    """Raises FragmentError unless terms are closed and without ⊥."""
    for term in terms:
        if term.bound or any(part.operator is Operator.BOTTOM for part in subterms(term)):
            raise FragmentError("programs have no ⊥, and no bound variable outside a UDF")
