"""Instances: the formulas that the nodes of `evidence.Added` add to a branch (trusted; THEORY-SQL section 3).

Each is true of every database that satisfies the catalogue, of all rows in scope and of every meaning of the unknown
functions. `added` is the only door: search and checker ask it alike. Rows of a branch are named by their numbers,
binders by the number of their unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any, Final

from tallystick.certificates.evidence import Added, Apply, Check, Extremum, Foreign, Key, Member, Sign, Use
from tallystick.certificates.facts import Facts, require_logical
from tallystick.certificates.forms import MAX_BITS
from tallystick.core.binders import (
    Instance,
    bind,
    element_type,
    exists,
    in_scope,
    instantiate,
    restricted,
    slots_of,
    summation,
)
from tallystick.core.errors import RefutationError
from tallystick.core.finiteness import require_finite
from tallystick.core.operators import Operator
from tallystick.core.relations import Relation
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    default_term,
    disjunction,
    equal,
    implies,
    is_none,
    less,
    less_equal,
    negation,
    project,
    row,
    substitute,
    value_of,
)
from tallystick.core.types import BOOL, OptionType


def added(facts: Facts, node: Added) -> Term:
    """The formula that a node adds to a branch; raises RefutationError when the branch does not have what it names."""
    make = INSTANCES.get(type(node))
    if make is None:
        raise RefutationError(f"a refutation has no {type(node).__name__}")
    formula = make(facts, node)
    facts.budget.spend_on(formula)
    return formula


def use(facts: Facts, node: Use) -> Term:
    """
    Ex(B) ∨ ¬φθ        ¬φθ ∨ min(B) ≤ hθ        ¬φθ ∨ hθ ≤ max(B)

    for a monomial ⟨x̄ | φ ↦ h⟩ of B and a substitution θ of its slots.

    Fails when the unknown is neither EXISTS nor EXTREMUM, B has no such monomial, or θ does not give each slot a row
    of its source, or, if that is every value, a term over the rows in scope.
    """
    binder = unknown(facts, node.unknown, Operator.EXISTS, Operator.EXTREMUM)
    monomials = binder.arguments[0].arguments
    monomial = monomials[number(node.monomial, len(monomials), "monomial")]
    if len(node.terms) != slots_of(monomial):
        raise RefutationError(f"expected {slots_of(monomial)} terms for the slots of a monomial, not {len(node.terms)}")
    for term in node.terms:
        require_in_scope(facts, term)
    instance = instantiate(monomial, node.terms)
    for source, term in zip(instance.sources, node.terms, strict=True):
        if source.operator is not Operator.EVERY and not is_row_of(facts, term, source):
            raise RefutationError(f"{term!r} is no row of the source of its slot")
    if binder.operator is Operator.EXISTS:
        return disjunction(binder, negation(instance.condition))
    require_finite(binder.arguments[0])
    ends = (binder, instance.head) if binder.parameter == "min" else (instance.head, binder)
    return implies(instance.condition, less_equal(*ends))


def extremum(facts: Facts, node: Extremum) -> Term:
    """
    (¬Ex(B) ∧ Ext(B) = default) ∨ Ex(B | h = Ext(B))

    Fails when the unknown is no EXTREMUM, or B might be infinite.
    """
    binder = unknown(facts, node.unknown, Operator.EXTREMUM)
    bag = binder.arguments[0]
    require_finite(bag)
    attained = exists(restricted(bag, len(facts.rows), lambda opened: equal(opened.head, binder)))
    empty = conjunction(negation(exists(bag)), equal(binder, default_term(element_type(bag))))
    return disjunction(empty, attained)


def key(facts: Facts, node: Key) -> Term:
    """
    some column of the key K is NULL in x ∨ x and y differ in one ∨ x ≐ y

    for rows x, y of one table.

    Fails when they are no such rows, or the table has no such key.
    """
    first, table = row_of_table(facts, node.first)
    second, other = row_of_table(facts, node.second)
    if table.source is not other.source:
        raise RefutationError("a key is about two rows of one table")
    columns = table.keys[number(node.key, len(table.keys), "key")]
    return implies(conjunction(*(same(project(first, c), project(second, c)) for c in columns)), equal(first, second))


def foreign(facts: Facts, node: Foreign) -> Term:
    """
    some column of the foreign key f is NULL in x ∨ Ex(y:S | y.k = x.f)

    Fails when x is no row of a table, or the table has no such foreign key.
    """
    referring, table = row_of_table(facts, node.row)
    found = table.references[number(node.key, len(table.references), "foreign key")]
    target = facts.relations[found.table].source
    slot = row(len(facts.rows), element_type(target))
    pairs = [(project(referring, c), project(slot, k)) for c, k in zip(found.columns, found.referenced, strict=True)]
    referred = bind((slot,), (target,), conjunction(*(same(here, there) for here, there in pairs)), TRUE)
    return disjunction(*(absent(here) for here, _ in pairs), exists(summation((referred,), BOOL)))


def check(facts: Facts, node: Check) -> Term:
    """
    the check c is not false on x

    Fails when x is no row of a table, or the table has no such check.
    """
    checked, table = row_of_table(facts, node.row)
    formula = table.checks[number(node.check, len(table.checks), "check")]
    return substitute(formula, {row(0, element_type(table.source)): checked})


def member(facts: Facts, node: Member) -> Term:
    """
    Ex(B | h ≐ x) for a row x of LIMIT(B) or EXCEPT ALL(B, C); Ex(B | h ≐ x) ∧ Ex(C | h ≐ x) of INTERSECT ALL(B, C)

    Fails when x is a row of none of these.
    """
    place = number(node.row, len(facts.rows), "row")
    source = facts.rows[place]
    found = row(place, element_type(source))
    if source.operator not in (Operator.LIMIT, Operator.EXCEPT_ALL, Operator.INTERSECT_ALL):
        raise RefutationError(f"row {place} is a row of no bag that is known to have it")
    bags = source.arguments if source.operator is Operator.INTERSECT_ALL else source.arguments[:1]

    def is_found(opened: Instance) -> Term:
        return equal(opened.head, found)

    return conjunction(*(exists(restricted(bag, len(facts.rows), is_found)) for bag in bags))


def apply(facts: Facts, node: Apply) -> Term:
    """
    some aᵢ and bᵢ differ ∨ f(ā) ≐ f(b̄)

    Of a product, the factors bᵢ may stand in any order; so many orders are tried while there are at most three.

    Fails when the unknowns are not read from values of one unknown function, or two products, of arguments of the same
    types.
    """
    first, second = (root(_unknown(facts, place)) for place in (node.first, node.second))
    types = [[argument.type for argument in term.arguments] for term in (first, second)]
    applied = first.operator is second.operator and first.operator in (Operator.APPLY, Operator.MULTIPLY)
    if not applied or first.parameter != second.parameter or types[0] != types[1]:
        raise RefutationError("congruence is about two values of one unknown function")
    orders = [second.arguments]
    if first.operator is Operator.MULTIPLY and len(orders[0]) <= 3:
        orders = list(permutations(orders[0]))
    alike = (conjunction(*map(equal, first.arguments, order)) for order in orders)
    return implies(disjunction(*alike), equal(first, second))


def sign(facts: Facts, node: Sign) -> Term:
    """
    (¬Ex(B | w ≠ 0) ∧ Sum(B) = 0) ∨ Ex(B | w ≠ 0)        or, if no weight is negative:
    (¬Ex(B | w ≠ 0) ∧ Sum(B) = 0) ∨ (Ex(B | w ≠ 0) ∧ 0 < Sum(B))

    Fails when the unknown is no SUM, or B might be infinite. That no weight is negative is for the caller to check.
    """
    binder = unknown(facts, node.unknown, Operator.SUM)
    bag = binder.arguments[0]
    require_finite(bag)
    zero = default_term(element_type(bag))
    some_weight = exists(restricted(bag, len(facts.rows), lambda opened: negation(equal(opened.head, zero))))
    none_left = conjunction(negation(some_weight), equal(binder, zero))
    positive = some_weight if node.nonnegative is None else conjunction(some_weight, less(zero, binder))
    return disjunction(none_left, positive)


INSTANCES: Final[dict[type, Callable[[Facts, Any], Term]]] = {
    Use: use,
    Extremum: extremum,
    Key: key,
    Foreign: foreign,
    Check: check,
    Member: member,
    Apply: apply,
    Sign: sign,
}


def number(value: object, size: int, what: str) -> int:
    """A number that names one of `size` things; raises RefutationError for another."""
    if not 0 <= integer(value) < size:
        raise RefutationError(f"there is no {what} {value}, only {size}")
    return integer(value)


def integer(value: object) -> int:
    """An integer of a bounded length; raises RefutationError for anything else."""
    if type(value) is not int or value.bit_length() > MAX_BITS:
        raise RefutationError(f"expected an integer of at most {MAX_BITS} bits, got {type(value).__name__}")
    return value


def _unknown(facts: Facts, place: int) -> Term:
    return facts.numbered[number(place, len(facts.numbered), "unknown")]


def unknown(facts: Facts, place: int, *operators: Operator) -> Term:
    """The unknown with a number; raises RefutationError unless it has one of the operators."""
    term = _unknown(facts, place)
    if term.operator not in operators:
        names = " or ".join(operator.value for operator in operators)
        raise RefutationError(f"unknown {place} is no {names}, but {term.operator.value}")
    return term


def root(term: Term) -> Term:
    """What a component or an option's part is read from."""
    while term.operator in (Operator.PROJECTION, Operator.IS_NONE, Operator.VALUE):
        term = term.arguments[0]
    return term


def require_in_scope(facts: Facts, term: Term) -> None:
    """Raises RefutationError unless a term, which may be anybody's, is one over the rows in scope."""
    if not isinstance(term, Term) or not in_scope(facts.rows, term):
        raise RefutationError(f"{term!r} is no term over the {len(facts.rows)} rows in scope")
    require_logical(term, facts.budget)


def is_row_of(facts: Facts, term: Term, source: Term) -> bool:
    """Whether a term is a row in scope that comes from a source."""
    return term.operator is Operator.ROW and facts.rows[term.parameter[0]] is source  # type: ignore[index]


def row_of_table(facts: Facts, place: int) -> tuple[Term, Relation]:
    """A row and its table; raises RefutationError when it is a row of none of which anything is known."""
    source = facts.rows[number(place, len(facts.rows), "row")]
    name: Any = source.parameter[0] if source.operator is Operator.VARIABLE else None  # type: ignore[index]
    relation = facts.relations.get(name)
    if relation is None or relation.source is not source:
        raise RefutationError(f"row {place} is a row of no table of the catalogue")
    return row(place, element_type(source)), relation


def absent(value: Term) -> Term:
    """Whether a column, which may be NOT NULL, is NULL."""
    return is_none(value) if isinstance(value.type, OptionType) else FALSE


def present(value: Term) -> Term:
    """The value of a column that is not NULL."""
    return value_of(value) if isinstance(value.type, OptionType) else value


def same(left: Term, right: Term) -> Term:
    """left = right as SQL has it: neither is NULL, and the values are equal."""
    return conjunction(negation(absent(left)), negation(absent(right)), equal(present(left), present(right)))
