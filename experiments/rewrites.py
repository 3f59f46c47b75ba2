"""Rewrites that keep the meaning of a term.

A rule looks at the root of a subterm and gives another term of the same type, or None where it does not apply. Rules
hold for well-defined programs: those whose folds do not depend on the order of elements.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tallystick.core.terms import (
    Operator,
    Term,
    accumulator,
    add,
    apply,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    ite,
    less,
    less_equal,
    negation,
    project,
    rebuild,
    scale,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType

Rule = Callable[[Random, Term], Term | None]


def rewritten(random: Random, term: Term, rules: tuple[Rule, ...]) -> Term:
    """The term with one subterm, wherever it occurs, replaced by what a rule makes of it; itself when none applies."""
    nodes = list(subterms(term))
    for rule in random.sample(rules, len(rules)):  # rules first, so that all are used equally often
        for node in random.sample(nodes, len(nodes)):
            new = rule(random, node)
            if new is not None and new is not node and new.bound <= node.bound:
                return rebuild(term, {node: new}, inside=True)
    return term


# Rewrites of bags.


def _udf(term: Term) -> Term:
    return term.arguments[-2]


def _bag(term: Term) -> Term:
    return term.arguments[-1]


def _is(term: Term, outer: Operator, inner: Operator) -> bool:
    return term.operator is outer and _bag(term).operator is inner


def filter_before_map(_: Random, term: Term) -> Term | None:
    """filter(p)(map(f)(B)) = map(f)(filter(p ∘ f)(B))."""
    if not _is(term, Operator.FILTER, Operator.MAP):
        return None
    image, bag = _bag(term).arguments
    return build(Operator.MAP, (image, build(Operator.FILTER, (apply(_udf(term), image), bag))))


def maps_fused(_: Random, term: Term) -> Term | None:
    """map(g)(map(f)(B)) = map(g ∘ f)(B)."""
    if not _is(term, Operator.MAP, Operator.MAP):
        return None
    image, bag = _bag(term).arguments
    return build(Operator.MAP, (apply(_udf(term), image), bag))


def filters_fused(_: Random, term: Term) -> Term | None:
    """filter(p)(filter(q)(B)) = filter(p ∧ q)(B)."""
    if not _is(term, Operator.FILTER, Operator.FILTER):
        return None
    inner, bag = _bag(term).arguments
    return build(Operator.FILTER, (conjunction(_udf(term), inner), bag))


def filter_split(_: Random, term: Term) -> Term | None:
    """filter(p ∧ q ∧ …)(B) = filter(p)(filter(q ∧ …)(B))."""
    if term.operator is not Operator.FILTER or _udf(term).operator is not Operator.AND:
        return None
    first, *rest = _udf(term).arguments
    return build(Operator.FILTER, (first, build(Operator.FILTER, (conjunction(*rest), _bag(term)))))


def over_union(_: Random, term: Term) -> Term | None:
    """map(f)(A ∪ B) = map(f)(A) ∪ map(f)(B), and the same of filter."""
    if term.operator not in (Operator.MAP, Operator.FILTER) or _bag(term).operator is not Operator.UNION:
        return None
    parts = tuple(build(term.operator, (_udf(term), part)) for part in _bag(term).arguments)
    return build(Operator.UNION, parts)


def union_commuted(_: Random, term: Term) -> Term | None:
    """A ∪ B = B ∪ A."""
    return build(Operator.UNION, term.arguments[::-1]) if term.operator is Operator.UNION else None


def product_commuted(_: Random, term: Term) -> Term | None:
    """A × B = map(λ(y, x). (x, y))(B × A)."""
    if term.operator is not Operator.CARTESIAN:
        return None
    swapped = build(Operator.CARTESIAN, term.arguments[::-1])
    assert isinstance(swapped.type, BagType)
    both = element(swapped.type.element)
    return build(Operator.MAP, (tuple_of(project(both, 1), project(both, 0)), swapped))


def map_after_product(_: Random, term: Term) -> Term | None:
    """map(f)(A) × B = map(λ(x, y). (f(x), y))(A × B)."""
    if term.operator is not Operator.CARTESIAN or term.arguments[0].operator is not Operator.MAP:
        return None
    (image, bag), other = term.arguments[0].arguments, term.arguments[1]
    product = build(Operator.CARTESIAN, (bag, other))
    assert isinstance(product.type, BagType)
    both = element(product.type.element)
    return build(Operator.MAP, (tuple_of(apply(image, project(both, 0)), project(both, 1)), product))


def split_by_condition(random: Random, term: Term) -> Term | None:
    """B = filter(p)(B) ∪ filter(¬p)(B)."""
    if not isinstance(term.type, BagType):
        return None
    condition = less(_number(element(term.type.element)), constant(random.randint(-5, 5)))
    parts = tuple(build(Operator.FILTER, (each, term)) for each in (condition, negation(condition)))
    return build(Operator.UNION, parts)


def _number(term: Term) -> Term:
    """A number that can be read off a value: itself, its first component's, or 1 for true and 0 for false."""
    if isinstance(term.type, TupleType):
        return _number(project(term, 0))
    return term if term.type == INT else ite(term, constant(1), constant(0))


def distinct_commuted(_: Random, term: Term) -> Term | None:
    """distinct(filter(p)(B)) = filter(p)(distinct(B))."""
    if not _is(term, Operator.DISTINCT, Operator.FILTER):
        return None
    condition, bag = _bag(term).arguments
    return build(Operator.FILTER, (condition, build(Operator.DISTINCT, (bag,))))


# Rewrites of folds.


def fold_over_map(_: Random, term: Term) -> Term | None:
    """fold(i, f)(map(g)(B)) = fold(i, λA, x. f(A, g(x)))(B)."""
    if not _is(term, Operator.FOLD, Operator.MAP):
        return None
    start, udf, _bag_of_images = term.arguments
    image, bag = _bag(term).arguments
    return build(Operator.FOLD, (start, apply(udf, image), bag))


def fold_over_filter(_: Random, term: Term) -> Term | None:
    """fold(i, f)(filter(p)(B)) = fold(i, λA, x. ite(p(x), f(A, x), A))(B)."""
    if not _is(term, Operator.FOLD, Operator.FILTER):
        return None
    start, udf, _kept = term.arguments
    condition, bag = _bag(term).arguments
    return build(Operator.FOLD, (start, ite(condition, udf, accumulator(start.type)), bag))  # type: ignore[arg-type]


def sum_from_zero(_: Random, term: Term) -> Term | None:
    """fold(i, +g)(B) = i + fold(0, +g)(B)."""
    if not _is_sum(term) or term.arguments[0] is constant(0):
        return None
    start, udf, bag = term.arguments
    return add(start, build(Operator.FOLD, (constant(0), udf, bag)))


def sum_scaled(random: Random, term: Term) -> Term | None:
    """c · fold(0, +g)(B) = fold(0, +c·g)(B)."""
    if term.operator is not Operator.SCALE or not _is_sum(term.arguments[0]):
        return None
    start, udf, bag = term.arguments[0].arguments
    scaled = add(udf.arguments[0], scale(term.parameter, udf.arguments[1]))  # type: ignore[arg-type]
    return build(Operator.FOLD, (scale(term.parameter, start), scaled, bag))  # type: ignore[arg-type]


def key_filter_before_fold(_: Random, term: Term) -> Term | None:
    """filter(λ(k, a). p(k))(foldByKey(i, f)(B)) = foldByKey(i, f)(filter(λ(k, v). p(k))(B))."""
    if not _is(term, Operator.FILTER, Operator.FOLD_BY_KEY):
        return None
    start, udf, bag = _bag(term).arguments
    assert isinstance(bag.type, BagType)
    assert isinstance(_bag(term).type, BagType)
    key_of_result, key_of_entry = (project(element(each.type.element), 0) for each in (_bag(term), bag))  # type: ignore[union-attr]
    key = variable("the key", key_of_entry.type)
    condition = rebuild(_udf(term), {key_of_result: key})
    if condition.bound:
        return None
    kept = build(Operator.FILTER, (rebuild(condition, {key: key_of_entry}, inside=True), bag))
    return build(Operator.FOLD_BY_KEY, (start, udf, kept))


def _is_sum(term: Term) -> bool:
    """Whether a term is a fold that adds a value of each element to what was accumulated."""
    if term.operator is not Operator.FOLD or _udf(term).operator is not Operator.ADD or term.type != INT:
        return False
    first, *rest = _udf(term).arguments
    return first is accumulator(INT) and len(rest) == 1 and first not in rest[0].bound


# Rewrites inside UDFs.


def comparison_turned(_: Random, term: Term) -> Term | None:
    """x < y = ¬ (y ≤ x), and x ≤ y = ¬ (y < x)."""
    match term.operator, term.arguments:
        case Operator.LESS, (left, right):
            return negation(less_equal(right, left))
        case Operator.LESS_EQUAL, (left, right):
            return negation(less(right, left))
    return None


def comparison_by_one(_: Random, term: Term) -> Term | None:
    """x ≤ y = x < y + 1."""
    if term.operator is not Operator.LESS_EQUAL:
        return None
    return less(term.arguments[0], add(term.arguments[1], constant(1)))


def sum_commuted(_: Random, term: Term) -> Term | None:
    """x + y = y + x."""
    return build(Operator.ADD, term.arguments[::-1]) if term.operator is Operator.ADD else None


def scale_distributed(_: Random, term: Term) -> Term | None:
    """c · (x + y) = c · x + c · y."""
    if term.operator is not Operator.SCALE or term.arguments[0].operator is not Operator.ADD:
        return None
    return add(*(scale(term.parameter, part) for part in term.arguments[0].arguments))  # type: ignore[arg-type]


def scale_as_sum(_: Random, term: Term) -> Term | None:
    """2 · x = x + x."""
    return add(*term.arguments, *term.arguments) if term.operator is Operator.SCALE and term.parameter == 2 else None


def remainder_by_quotient(_: Random, term: Term) -> Term | None:
    """x mod c = x - c · (x div c)."""
    if term.operator is not Operator.MOD:
        return None
    divisor, (dividend,) = term.parameter, term.arguments
    assert isinstance(divisor, int)
    return add(dividend, scale(-divisor, build(Operator.DIV, (dividend,), divisor)))


def de_morgan(_: Random, term: Term) -> Term | None:
    """p ∧ q = ¬ (¬ p ∨ ¬ q), and dually."""
    if term.operator not in (Operator.AND, Operator.OR):
        return None
    connect = disjunction if term.operator is Operator.AND else conjunction
    return negation(connect(*map(negation, term.arguments)))


def branches_exchanged(_: Random, term: Term) -> Term | None:
    """ite(p, x, y) = ite(¬ p, y, x)."""
    if term.operator is not Operator.ITE:
        return None
    condition, then, otherwise = term.arguments
    return ite(negation(condition), otherwise, then)


def equality_by_bounds(_: Random, term: Term) -> Term | None:
    """x = y just when x ≤ y and y ≤ x, for numbers."""
    if term.operator is not Operator.EQUAL or term.arguments[0].type != INT:
        return None
    left, right = term.arguments
    return conjunction(less_equal(left, right), less_equal(right, left))


REWRITES: tuple[Rule, ...] = (
    filter_before_map,
    maps_fused,
    filters_fused,
    filter_split,
    over_union,
    union_commuted,
    product_commuted,
    map_after_product,
    split_by_condition,
    distinct_commuted,
    fold_over_map,
    fold_over_filter,
    sum_from_zero,
    sum_scaled,
    key_filter_before_fold,
    comparison_turned,
    comparison_by_one,
    sum_commuted,
    scale_distributed,
    scale_as_sum,
    remainder_by_quotient,
    de_morgan,
    branches_exchanged,
    equality_by_bounds,
)
"""Rules that keep the meaning."""
