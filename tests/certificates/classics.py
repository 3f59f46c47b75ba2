"""Formulas of the kinds that equivalence of programs asks for, by name: valid ones and invalid neighbours."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.terms import (
    Operator,
    Term,
    add,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    ite,
    less,
    less_equal,
    negation,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, TupleType

M, S, T, X, Y, Z = (variable(name, INT) for name in "MSTxyz")
BOOLEANS = tuple(variable(f"p{index}", BOOL) for index in range(6))
PAIR = TupleType((INT, BOOL))
U, V = (variable(name, PAIR) for name in "uv")
W = variable("w", TupleType((INT, INT)))
ZERO, ONE = constant(0), constant(1)


def div(term: Term, divisor: int) -> Term:
    return build(Operator.DIV, (term,), divisor)


def mod(term: Term, divisor: int) -> Term:
    return build(Operator.MOD, (term,), divisor)


def divides(divisor: int, term: Term) -> Term:
    return equal(mod(term, divisor), ZERO)


def maximum(left: Term, right: Term) -> Term:
    return ite(less(left, right), right, left)


def minimum(left: Term, right: Term) -> Term:
    return ite(less(left, right), left, right)


def absolute(term: Term) -> Term:
    return ite(less(term, ZERO), scale(-1, term), term)


def between(low: int, term: Term, high: int) -> Term:
    return conjunction(less_equal(constant(low), term), less_equal(term, constant(high)))


def pigeons(count: int, holes: int) -> Term:
    """`count` pigeons do not fit into `holes` holes."""
    sits = [[variable(f"h{pigeon}{hole}", BOOL) for hole in range(holes)] for pigeon in range(count)]
    apart = (
        disjunction(negation(sits[first][hole]), negation(sits[second][hole]))
        for hole in range(holes)
        for first in range(count)
        for second in range(first)
    )
    return negation(conjunction(*(disjunction(*row) for row in sits), *apart))


def iff_chain(order: tuple[Term, ...]) -> Term:
    result = order[0]
    for link in order[1:]:
        result = equal(result, link)
    return result


def best_of_pairs(pair: Term, other: Term) -> Term:
    """A fold over pairs: keep the one whose key is greater, the older one of two equal keys."""
    return ite(less(project(pair, 0), project(other, 0)), other, pair)


def best_two(best: Term, other: Term) -> Term:
    """A fold that keeps the two greatest values, the greater one first."""
    first, second = project(best, 0), project(best, 1)
    kept = ite(less(second, other), tuple_of(first, other), best)
    return ite(less(first, other), tuple_of(other, first), kept)


def extrema(so_far: Term, other: Term) -> Term:
    """A fold to the pair of minimum and maximum."""
    return tuple_of(minimum(project(so_far, 0), other), maximum(project(so_far, 1), other))


def clamped_sum(so_far: Term, other: Term) -> Term:
    """A fold that adds at least 0 and at most 100."""
    above = ite(less(constant(100), other), add(so_far, constant(100)), add(so_far, other))
    return ite(less(other, ZERO), so_far, above)


def counts(so_far: Term, other: Term) -> Term:
    """A fold to the sum of the digits and the number of even values."""
    digit = ite(between(0, other, 9), other, ZERO)
    even = ite(divides(2, other), ONE, ZERO)
    return tuple_of(add(project(so_far, 0), digit), add(project(so_far, 1), even))


def commutes(fold: Callable[[Term, Term], Term], so_far: Term) -> Term:
    return equal(fold(fold(so_far, X), Y), fold(fold(so_far, Y), X))


VALID: dict[str, Term] = {
    "the two best commute": commutes(best_two, W),
    "extrema commute": commutes(extrema, W),
    "clamped sums commute": commutes(clamped_sum, M),
    "counts commute": commutes(counts, W),
    "a clamp is a minimum of a maximum": equal(clamped_sum(M, X), add(M, minimum(maximum(X, ZERO), constant(100)))),
    "a maximum of doubles, one step on": implies(
        equal(M, maximum(scale(2, S), T)),
        equal(
            maximum(M, maximum(scale(2, X), Y)),
            maximum(scale(2, maximum(S, X)), maximum(T, Y)),
        ),
    ),
    "a sum modulo five, one step on": implies(
        equal(divides(5, scale(3, S)), divides(5, S)),
        equal(divides(5, scale(3, add(S, X))), divides(5, add(S, X))),
    ),
    "a discount in other units": equal(
        ite(less(X, constant(100)), div(scale(8, X), 10), div(scale(4, X), 5)), div(scale(4, X), 5)
    ),
    "the Chinese remainder": equal(
        conjunction(equal(mod(X, 4), ONE), equal(mod(X, 9), constant(2))), equal(mod(X, 36), constant(29))
    ),
    "three digits": equal(
        add(scale(100, mod(div(X, 100), 10)), scale(10, mod(div(X, 10), 10)), mod(X, 10)), mod(X, 1000)
    ),
    "leap years": equal(
        disjunction(divides(400, X), conjunction(divides(4, X), negation(divides(100, X)))),
        ite(divides(100, X), divides(400, X), divides(4, X)),
    ),
    "the median of three": equal(
        maximum(minimum(X, Y), minimum(maximum(X, Y), Z)), minimum(maximum(X, Y), maximum(minimum(X, Y), Z))
    ),
    "a maximum commutes over a fold": equal(maximum(maximum(M, X), Y), maximum(maximum(M, Y), X)),
    "a minimum commutes over a fold": equal(minimum(minimum(M, X), Y), minimum(minimum(M, Y), X)),
    "a maximum is associative": equal(maximum(maximum(X, Y), Z), maximum(X, maximum(Y, Z))),
    "a minimum distributes over a maximum": equal(minimum(X, maximum(Y, Z)), maximum(minimum(X, Y), minimum(X, Z))),
    "the maximum of four in two orders": equal(
        maximum(maximum(X, Y), maximum(Z, S)), maximum(maximum(S, maximum(Z, X)), Y)
    ),
    "minimum by maximum of opposites": equal(minimum(X, Y), scale(-1, maximum(scale(-1, X), scale(-1, Y)))),
    "maxima are equal or one is less": disjunction(
        equal(maximum(X, Y), maximum(Z, S)),
        less(maximum(X, Y), maximum(Z, S)),
        less(maximum(Z, S), maximum(X, Y)),
    ),
    "three coprime to five": equal(divides(5, scale(3, S)), divides(5, S)),
    "three is seven's inverse of five": equal(equal(mod(scale(3, S), 7), ONE), equal(mod(S, 7), constant(5))),
    "six divides, so three divides": implies(divides(6, X), divides(3, X)),
    "six divides just when two and three do": equal(divides(6, X), conjunction(divides(2, X), divides(3, X))),
    "parity of a sum": equal(mod(add(mod(X, 2), mod(Y, 2)), 2), mod(add(X, Y), 2)),
    "one of two neighbours is even": disjunction(divides(2, X), divides(2, add(X, ONE))),
    "one of three neighbours is divisible by three": disjunction(*(divides(3, add(X, constant(k))) for k in range(3))),
    "a remainder is one of five": disjunction(*(equal(mod(X, 5), constant(k)) for k in range(5))),
    "quotients compose": equal(div(div(X, 2), 3), div(X, 6)),
    "a remainder of a remainder": equal(mod(mod(X, 10), 5), mod(X, 5)),
    "a remainder of a multiple": equal(mod(scale(2, X), 10), scale(2, mod(X, 5))),
    "a quotient one further": equal(div(add(X, constant(10)), 10), add(div(X, 10), ONE)),
    "quotients of a sum": less_equal(add(div(X, 6), div(Y, 6)), div(add(X, Y), 6)),
    "a double halved": equal(div(scale(2, X), 2), X),
    "congruent sums": equal(divides(5, add(scale(3, S), scale(2, T))), divides(5, add(S, scale(-1, T)))),
    "the triangle inequality": less_equal(absolute(add(X, Y)), add(absolute(X), absolute(Y))),
    "the triangle inequality of three": less_equal(absolute(add(X, Y, Z)), add(absolute(X), absolute(Y), absolute(Z))),
    "an absolute value is a maximum": equal(absolute(X), maximum(X, scale(-1, X))),
    "no stamps of 3 and 5 for 7": implies(
        conjunction(less_equal(ZERO, X), less_equal(ZERO, Y)),
        negation(equal(add(scale(3, X), scale(5, Y)), constant(7))),
    ),
    "no stamps of 6, 9 and 20 for 43": implies(
        conjunction(less_equal(ZERO, X), less_equal(ZERO, Y), less_equal(ZERO, Z)),
        negation(equal(add(scale(6, X), scale(9, Y), scale(20, Z)), constant(43))),
    ),
    "a thin strip without integers": negation(
        conjunction(between(27, add(scale(11, X), scale(13, Y)), 45), between(-10, add(scale(7, X), scale(-9, Y)), 4))
    ),
    "sums in step": implies(
        conjunction(equal(X, add(Y, Z)), equal(S, scale(2, X)), equal(T, add(scale(2, Y), scale(2, Z)))),
        equal(S, T),
    ),
    "three pigeons, two holes": pigeons(3, 2),
    "four pigeons, three holes": pigeons(4, 3),
    "equivalences in another order": equal(iff_chain(BOOLEANS[:4]), iff_chain(BOOLEANS[3::-1])),
    "conditionals with equal cases": implies(equal(X, Y), equal(ite(BOOLEANS[0], X, Y), ite(BOOLEANS[1], Y, X))),
    "tuples with equal components": equal(
        equal(U, V), conjunction(*(equal(project(U, k), project(V, k)) for k in (0, 1)))
    ),
    "a tuple is the tuple of its components": equal(U, tuple_of(project(U, 0), project(U, 1))),
    "the best of pairs has the greatest key": equal(
        project(best_of_pairs(U, V), 0), maximum(project(U, 0), project(V, 0))
    ),
}

INVALID: dict[str, Term] = {
    "the last value does not commute": commutes(lambda so_far, other: other, M),
    "a saturating sum does not commute": commutes(lambda so_far, other: minimum(add(so_far, other), constant(100)), M),
    "a difference does not commute": equal(add(X, scale(-1, Y)), add(Y, scale(-1, X))),
    "a maximum is not its first argument": equal(maximum(X, Y), X),
    "two is not coprime to four": equal(divides(4, scale(2, S)), divides(4, S)),
    "three divides, six need not": implies(divides(3, X), divides(6, X)),
    "quotients of a sum differ by a carry": equal(add(div(X, 6), div(Y, 6)), div(add(X, Y), 6)),
    "stamps of 3 and 5 for 8": implies(
        conjunction(less_equal(ZERO, X), less_equal(ZERO, Y)),
        negation(equal(add(scale(3, X), scale(5, Y)), constant(8))),
    ),
    "two pigeons, two holes": pigeons(2, 2),
    "tuples differ": equal(U, V),
    "the best of pairs depends on the order": equal(best_of_pairs(U, V), best_of_pairs(V, U)),
    "a large solution": negation(equal(add(scale(1001, X), scale(-997, Y)), constant(123_456))),
    "an equivalence is no conjunction": equal(equal(BOOLEANS[0], BOOLEANS[1]), conjunction(BOOLEANS[0], BOOLEANS[1])),
}
