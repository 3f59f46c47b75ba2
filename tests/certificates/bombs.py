"""Certificates that would take long, or much memory, if checking had no budget; some of them are true.

Each is under a million bytes, the most that is read.
"""

from __future__ import annotations

from collections.abc import Callable

from tallystick.certificates.codec import encode
from tallystick.certificates.evidence import Case, Farkas
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.programs import MergedFold, Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    build,
    constant,
    element,
    free_variables,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType

from certificates.examples import ONE, ZERO, A, K, R, X, cartesian, folded, mapped, union

SAME = Step(Reflexive())
NOTHING = Step(NoAgg(None), (Case(0, (Farkas(()), Farkas(()))),))
DEEP = 580
NAMES = [variable(f"v{number}", INT) for number in range(1000)]


def nested(times: int, start: Term, around: Callable[[Term, int], Term]) -> Term:
    """A term put into another so many times."""
    for number in range(times):
        start = around(start, number)
    return start


def claimed(
    left: Term, right: Term, result: object, values: tuple = (), semantics: str = "sparklite", folds: tuple = ()
) -> bytes:
    """The certificate with these expressions."""
    names = tuple(sorted(free_variables(left) | free_variables(right), key=repr))
    programs = (Program(name, names, side, folds=folds) for name, side in (("f", left), ("g", right)))
    return encode(Certificate(*programs, semantics, ("", ""), (), (), values, result))  # type: ignore[arg-type]


def tree_of(leaf: Step, middle: Term, leaves: int) -> Step:
    """A balanced tree of TRANS."""
    steps = [leaf] * leaves
    while len(steps) > 1:
        steps = [Step(Transitive(middle), (), pair) for pair in zip(steps[::2], steps[1::2], strict=True)]
    return steps[0]


def deep_maps() -> Term:
    return nested(DEEP, R, lambda term, _: mapped(add(X, ONE), term))


def trans_over_a_deep_term() -> bytes:
    """Thousands of steps about one deep term, each of which makes its monomials anew."""
    term = deep_maps()
    leaf = Step(NoAgg(((0, (0,)),)), (Farkas(((0, 1),)),) * 2)
    return claimed(term, term, tree_of(leaf, term, 8192))


def permutations_of_a_deep_term() -> bytes:
    """720 copies of a function of six slots."""
    six = nested(5, R, lambda bag, _: cartesian(bag, R))
    total = nested(DEEP - 10, project(element(six.type.element), 1), lambda term, n: add(term, constant(n)))  # type: ignore[union-attr]
    left, right = mapped(total, six), mapped(add(total, ONE), six)
    return claimed(left, right, tree_of(Step(NoAgg(None), (Farkas(()),) * 2), right, 1024))


def maps_of_deep_functions() -> bytes:
    """Monomials far deeper than any term of the file."""
    function = nested(40, X, lambda term, _: add(term, ONE))
    deep = nested(60, R, lambda bag, _: mapped(function, bag))
    return claimed(deep, mapped(add(X, ONE), deep), Step(NoAgg(((0, (0,)),)), (Farkas(()),) * 2))


def sums_of_many_names() -> bytes:
    """Hundreds of sums of a thousand variables, each a little longer."""
    chains = (nested(DEEP, add(*NAMES, constant(n)), lambda term, i: add(term, NAMES[i])) for n in range(8))
    total = add(*chains)
    return claimed(total, add(total, ONE), NOTHING)


def sums_of_long_numbers() -> bytes:
    long = nested(25, add(*NAMES), lambda term, n: scale(10**90 + n, term))
    total = nested(500, long, lambda term, i: add(term, NAMES[i]))
    return claimed(total, add(total, ONE), NOTHING)


def numbers_that_grow() -> bytes:
    total = nested(DEEP, add(*NAMES[:200]), lambda term, n: scale(10**299 + n, term))
    return claimed(total, add(total, ONE), NOTHING)


def folds_in_folds() -> bytes:
    total = nested(DEEP, K, lambda start, n: folded(start, add(A, X, constant(n)), R))
    return claimed(total, total, SAME, (Step(Order(TRUE), (Farkas(((0, 1),)),) * 3),) * DEEP)


def thousands_of_merged_folds() -> bytes:
    folds = tuple(MergedFold(folded(constant(n), add(A, X), R), None) for n in range(3000))
    total = add(*(each.fold for each in folds))
    return claimed(total, total, SAME, (SAME,) * 3000, "spark", folds)


def wide_elements() -> bytes:
    """An input of 450 elements, whose product with itself has wide tuples for elements."""
    pairs = cartesian(R, R)
    first = project(element(pairs.type.element), 0)  # type: ignore[union-attr]
    wide = mapped(tuple_of(*[X] * 200), mapped(first, pairs))
    total = folded(ZERO, add(A, project(element(wide.type.element), 0)), wide)  # type: ignore[union-attr]
    return claimed(total, add(total, ONE), Counterexample((dict.fromkeys(range(450), 1),), (0, 1)), (None,))


def keys_of_wide_elements() -> bytes:
    wide = mapped(tuple_of(*[X] * 90), R)
    total = folded(ZERO, add(A, ONE), cartesian(wide, wide))
    return claimed(total, add(total, ONE), Counterexample((dict.fromkeys(range(300), 1),), (0, 1)), (None,))


def products_of_products() -> bytes:
    bag = nested(3, R, lambda term, _: cartesian(term, R))
    total = folded(ZERO, add(A, ONE), union(bag, bag))
    return claimed(total, add(total, ONE), Counterexample((dict.fromkeys(range(26), 1),), (0, 1)), (None,))


def orders_of_costly_steps() -> bytes:
    """Each order of 16 elements, by a hundred folds whose functions are long."""
    function = build(Operator.MOD, (nested(DEEP - 10, A, lambda term, n: add(term, X, constant(n))),), 7)
    total = add(*(folded(constant(n), function, R) for n in range(100)))
    return claimed(total, add(total, ONE), Counterexample((dict.fromkeys(range(8), 2),), (0, 1)), (None,) * 100)


def a_term_of_shared_parts_in_a_message() -> bytes:
    """Written out, the part that CONG cannot replace has 2 to the power of 500 leaves."""
    doubled = nested(500, X, lambda term, _: add(term, term))
    return claimed(R, R, Step(Congruence((doubled, doubled), K), (), (SAME, SAME)))


def a_claim_of_shared_parts() -> bytes:
    doubled = nested(500, K, lambda term, _: add(term, term))
    return claimed(doubled, doubled, SAME)


def a_claim_of_long_numbers() -> bytes:
    long = [constant(10**299 + number) for number in range(100)]
    total = add(*(add(K, long[n % 100], long[n // 100 % 100]) for n in range(9000)))
    return claimed(total, total, SAME)


def a_long_name() -> bytes:
    name = variable("a" * 100_000, BagType(INT))
    return claimed(name, name, SAME)


BOMBS: dict[Callable[[], bytes], str] = {
    trans_over_a_deep_term: "checking takes more steps than its budget allows",
    permutations_of_a_deep_term: "checking takes more steps than its budget allows",
    maps_of_deep_functions: "a term is nested more than 900 levels deep",
    sums_of_many_names: "checking takes more memory than its budget allows",
    sums_of_long_numbers: "checking takes more memory than its budget allows",
    numbers_that_grow: "a number has more than 8192 bits",
    folds_in_folds: "one_values[0]: premise",
    thousands_of_merged_folds: "one_values[0]: this rule relates two bags or two values",
    wide_elements: "the evaluation takes more steps than its limit allows",
    keys_of_wide_elements: "",
    products_of_products: "checking takes more memory than its budget allows",
    orders_of_costly_steps: "",
    a_term_of_shared_parts_in_a_message: "both must be closed, and of one type",
    a_claim_of_shared_parts: "every step holds",
    a_claim_of_long_numbers: "every step holds",
    a_long_name: "certificate.terms[0]: more letters than the limit of 100",
}
"""What an audit says of each, as far as it is the same every time."""
