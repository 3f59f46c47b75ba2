"""`mean`, `stats` and what a StatCounter knows: exact quotients of the count, the sum and the sum of squares.

    mean             S / n                        0 of no elements
    variance         Q / n - (S / n)²             nan of no elements
    sampleVariance   (Q - S² / n) / (n - 1)       nan of less than two
    stdev            the root of the variance
    min, max                                      inf and -inf of no elements

Spark computes all of these in floats; that these are exact is an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply_function,
    build,
    constant,
    element,
    equal,
    ite,
    less,
    multiply,
    negation,
    project,
    scale,
    tuple_of,
)
from tallystick.core.types import INT, RATIONAL, BasicType
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.operators import number_of_elements
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.pyspark.values.kinds import StatCounter, Value
from tallystick.frontends.pyspark.values.means import mean, over
from tallystick.frontends.pyspark.values.nominal_types import (
    FLOAT_OR_INFINITY,
    FLOAT_OR_NAN,
)
from tallystick.frontends.pyspark.values.options import converted
from tallystick.frontends.pyspark.values.partial_floats import computed, partial


def _mean(call: Call) -> Term:
    """The exact quotient of sum and count, 0 for an empty RDD."""
    return mean(_sum_of(call, element(_number_type(call))), number_of_elements(call))


def _stats(call: Call) -> StatCounter:
    """The number, sum, minimum and maximum of the elements, their mean, variance and standard deviation."""
    number = element(_number_type(call))
    smaller, larger = (_extremum(call, is_better) for is_better in (less, lambda one, other: less(other, one)))
    squares = _sum_of(call, multiply(number, number))
    return StatCounter(number_of_elements(call), _sum_of(call, number), squares, smaller, larger)


def _number_type(call: Call) -> BasicType:
    if call.element not in (INT, RATIONAL):
        message = f"`{call.name}` needs an RDD[int] or RDD[float], and this is {show_type(call.bag.type)}"
        raise call.place.error(message)
    return call.element  # type: ignore[return-value]


def _sum_of(call: Call, summand: Term) -> Term:
    of = summand.type
    zero = constant(0) if of == INT else constant(Fraction(0))
    return call.folded(build(Operator.FOLD, (zero, add(accumulator(of), summand), call.bag)), "none")  # type: ignore[arg-type]


def _extremum(call: Call, is_better: Callable[[Term, Term], Term]) -> Term:
    """Whether there is an element, and the best one, as a float."""
    number = converted(element(call.element), RATIONAL)
    initial = tuple_of(FALSE, constant(Fraction(0)))
    there, best = (project(accumulator(initial.type), place) for place in (0, 1))  # type: ignore[arg-type]
    step = tuple_of(TRUE, ite(there, ite(is_better(number, best), number, best), number))
    return call.folded(build(Operator.FOLD, (initial, step, call.bag)), "none")


def root(number: Term) -> Term:
    """The square root of a number, which raises below 0."""
    return apply_function("math.sqrt", RATIONAL, converted(number, RATIONAL))


def _variance(of: StatCounter) -> Term:
    center = over(of.total, of.count)
    variance = add(over(of.squares, of.count), scale(-1, multiply(center, center)))
    return partial(FLOAT_OR_NAN, negation(equal(of.count, constant(0))), variance)


def _sample_variance(of: StatCounter) -> Term:
    total = converted(of.total, RATIONAL)
    deviations = add(converted(of.squares, RATIONAL), scale(-1, over(multiply(total, total), of.count)))
    variance = over(deviations, add(of.count, constant(-1)))
    return partial(FLOAT_OR_NAN, less(constant(1), of.count), variance)


_ASKED: Final[Mapping[str, Callable[[StatCounter], Term]]] = {
    "count": lambda of: of.count,
    "sum": lambda of: converted(of.total, RATIONAL),
    "mean": lambda of: mean(of.total, of.count),
    "min": lambda of: partial(FLOAT_OR_INFINITY, project(of.least, 0), project(of.least, 1), 1),
    "max": lambda of: partial(FLOAT_OR_INFINITY, project(of.greatest, 0), project(of.greatest, 1), -1),
    "variance": _variance,
    "stdev": lambda of: computed(root, [_variance(of)]),
    "sampleVariance": _sample_variance,
    "sampleStdev": lambda of: computed(root, [_sample_variance(of)]),
}


def asked(counter: StatCounter, name: str, given: list[Value], place: Place) -> Term:
    """What a method of a StatCounter returns."""
    if name not in _ASKED or given:
        raise place.error(f"`{name}` of `stats()` is not supported", f"supported are {', '.join(_ASKED)}")
    return _ASKED[name](counter)


def _asked_of_rdd(call: Call) -> Term:
    return _ASKED[call.name](_stats(call))


def _variance_of(call: Call) -> Term:
    """The exact mean of squares less the square of the mean; nan for an empty RDD."""
    return _asked_of_rdd(call)


def _stdev_of(call: Call) -> Term:
    """The root of the variance; nan for an empty RDD."""
    return _asked_of_rdd(call)


def _sample_variance_of(call: Call) -> Term:
    """As the variance, over the number of elements less 1; nan for less than two."""
    return _asked_of_rdd(call)


def _sample_stdev_of(call: Call) -> Term:
    """The root of the sample variance; nan for less than two elements."""
    return _asked_of_rdd(call)


RDD_METHODS = (
    rdd_method("mean()", "r.mean()", _mean),
    rdd_method("stats()", "r.stats().count()", _stats),
    rdd_method("variance()", "r.variance()", _variance_of),
    rdd_method("stdev()", "r.filter(lambda x: x > 3).stdev()", _stdev_of),
    rdd_method("sampleVariance()", "r.sampleVariance()", _sample_variance_of),
    rdd_method("sampleStdev()", "r.map(lambda x: 3).sampleStdev()", _sample_stdev_of),
)
