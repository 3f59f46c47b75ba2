"""What is said of one bag (`coq/Members.v`): whether something is in it, an element with a property, a key's bucket."""

from __future__ import annotations

from tallystick.certificates.exports.coq_members import Defined, Types, parameter, parameters
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, Term, accumulator, build, default_term, element, project
from tallystick.core.types import BOOL, TupleType
from tallystick.members.theory import Theory


def member(theory: Theory, over: Types, bag: Term) -> Defined:
    """Whether the last of its arguments is in a bag over the others."""
    return theory.define((*over, element_type(bag)), _is_met(over, bag))


def known_member(theory: Theory, over: Types, bag: Term, item: Term) -> list[Term]:
    """That an item is in a bag, if the function that says so is defined."""
    function = theory.defined((*over, element_type(bag)), _is_met(over, bag))
    return [] if function is None else [function(*parameters(over), item)]


def _is_met(over: Types, bag: Term) -> Term:
    of = element_type(bag)
    met = build(Operator.OR, (accumulator(BOOL), build(Operator.EQUAL, (element(of), parameter(len(over), of)))))
    return build(Operator.FOLD, (FALSE, met, bag))


def chooser(theory: Theory, takes: Types, condition: Term, bag: Term) -> Defined:
    """An element of a bag that satisfies a condition, if there is one."""
    of = element_type(bag)
    chosen = build(Operator.ITE, (condition, element(of), accumulator(of)))
    return theory.define(takes, build(Operator.FOLD, (default_term(of), chosen, bag)))


def bucket(theory: Theory, over: Types, fold: Term) -> Defined:
    """What a by-key fold accumulates for a key."""
    start, udf, source = fold.arguments
    return theory.define((*over, _pair(source).components[0]), build(Operator.FOLD, (start, udf, values(over, source))))


def has_key(over: Types, source: Term) -> Term:
    """Whether an element, which is a pair, has the key that is the next parameter."""
    pair = _pair(source)
    return build(Operator.EQUAL, (project(element(pair), 0), parameter(len(over), pair.components[0])))


def of_key(over: Types, source: Term) -> Term:
    """The pairs of a key."""
    return build(Operator.FILTER, (has_key(over, source), source))


def values(over: Types, source: Term) -> Term:
    """The values of a key."""
    return build(Operator.MAP, (project(element(_pair(source)), 1), of_key(over, source)))


def _pair(source: Term) -> TupleType:
    return element_type(source)  # type: ignore[return-value]
