"""The RDD methods that are understood: the positive list, put together from the modules that have them."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from tallystick.core.terms import TRUE, Operator, Term, conjunction
from tallystick.core.types import BagType
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds import (
    combining,
    driver,
    group_joins,
    groups,
    joins,
    literals,
    lookups,
    objects,
    operators,
    ordering,
    partial,
    partitions,
    set_operations,
    statistics,
)
from tallystick.frontends.pyspark.rdds.calls import TUNED, Call, Signature, method_place, read_arguments
from tallystick.frontends.pyspark.rdds.lineages import KEEPS_ORDER, is_marking, marked, side
from tallystick.frontends.pyspark.rdds.rdd_methods import Owner, Result, SupportedCall
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.held_lists import of_elements
from tallystick.frontends.pyspark.values.kinds import Frame, Grouped, GroupJoin, Objects, Outer, Sorted, Value

_METHODS: Final = {
    method.entry.name: method
    for module in (
        operators,
        partial,
        combining,
        groups,
        joins,
        driver,
        set_operations,
        ordering,
        partitions,
        statistics,
    )
    for method in module.RDD_METHODS
}
_OF_OTHERS: Final = {
    of.kind: of
    for module in (groups, group_joins, joins, literals, objects, ordering, partitions)
    for of in module.OTHER_METHODS
}
_ORDERED = "it depends on the order of the elements, which an RDD does not fix"
_REFUSED: Final = {
    **dict.fromkeys(("first",), f"{_ORDERED}: write `sortBy(…)` before it, or `takeOrdered` and `top`"),
    **dict.fromkeys(("zipWithIndex", "zip", "glom", "zipWithUniqueId"), _ORDERED),
    **dict.fromkeys(("sample", "takeSample", "randomSplit"), "its result is random"),
    "mapPartitionsWithIndex": "it depends on how the elements are spread over partitions",
}


def supported_calls() -> tuple[SupportedCall, ...]:
    """The RDD methods that are understood, by name."""
    return tuple(_METHODS[name].entry for name in sorted(_METHODS))


def refused_calls() -> dict[str, str]:
    """The RDD methods that are refused by name, with what to write instead or the reason."""
    return dict(sorted(_REFUSED.items()))


def require_supported(name: str, place: Place) -> None:
    """Raise SourceError for an RDD method that is not on the positive list."""
    if name in _METHODS:
        return
    close = difflib.get_close_matches(name, _METHODS, 1)
    guess = f"did you mean `{close[0]}`? " if close else ""
    hint = _REFUSED.get(name, f"{guess}RDD_METHODS.md lists the {len(_METHODS)} methods that are read")
    raise place.error(f"the RDD method `{name}` is not supported", hint)


Arguments = dict[str, tuple[Place, Value]]
ArgumentsOf = Callable[[Signature], Arguments]
"""Makes the arguments of a call by the parameters of a signature."""


def call(reader: Reading, owner: Owner, node: ast.Call, frame: Frame) -> Result:
    """The value of a call of a method of an RDD."""
    method = method_place(frame.scope.source.place(node.func))
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return called(reader, owner, name, method, lambda signature: read_arguments(reader, signature, node, method, frame))


def called(reader: Reading, owner: Owner, name: str, method: Place, arguments_of: ArgumentsOf) -> Result:
    """The value of a method of an RDD, whose arguments are made once its signature is known."""
    if isinstance(owner, Outer) and name not in _OF_OTHERS[Outer].signatures:
        owner = joins.completed(owner)
    if isinstance(owner, Sorted) and name not in _OF_OTHERS[Sorted].signatures:
        owner = ordering.unordered(owner)
    if not isinstance(owner, Term):
        of = _OF_OTHERS[type(owner)]
        if name not in of.signatures:
            raise method.error(f"`{name}` of {describe(owner)} is not supported", of.hint)
        owner, arguments = _with_marks(name, method, owner, arguments_of(of.signatures[name]))
        bag = owner.bag if isinstance(owner, Grouped | Outer | Objects) else None
        return of_elements(of.meaning(Call(reader, bag, name, method, arguments), owner))
    require_supported(name, method)
    bag, arguments = _with_marks(name, method, owner, arguments_of(_METHODS[name].signature))
    made = Call(reader, bag, name, method, arguments)
    if name in group_joins.KEEPS and isinstance(groups_of := arguments["other"][1], Grouped):
        return group_joins.with_groups(made, groups_of, 1)
    with reader.assuming(_kept(owner) if name in _OF_ELEMENTS else TRUE):
        try:
            return of_elements(_METHODS[name].meaning(made))
        except lookups.LookUpError as lookup:
            return lookups.joined(made, lookup)


def _with_marks(name: str, place: Place, owner: Owner, arguments: Arguments) -> tuple[Any, Arguments]:
    """The RDDs that a method gets, with marks where they are read with such: by its name, and what only tunes it."""
    if not is_marking():
        return owner, arguments
    tuned = sorted(each for each in arguments if each.startswith(TUNED))
    given = {parameter: each for parameter, each in arguments.items() if parameter not in tuned}
    if name in KEEPS_ORDER and not tuned:
        return owner, given

    def with_mark(value: Any, number: int) -> Any:
        value = ordering.unordered(value) if isinstance(value, Sorted) else value
        if isinstance(value, Grouped | GroupJoin) and name not in ("count", "isEmpty"):
            raise place.error(f"in which order elements come after `{name}` of groups is not known")
        if isinstance(value, Objects):
            return replace(value, bag=with_mark(value.bag, number))
        if not (isinstance(value, Term) and isinstance(value.type, BagType)):
            return value
        return side(value, number) if name == "union" else marked(value, f"{name} {number} {' '.join(tuned)}")

    others = {parameter: (where, with_mark(value, 1)) for parameter, (where, value) in given.items()}
    return with_mark(owner, 0), others


_OF_ELEMENTS: Final = ("map", "flatMap", "filter", "keyBy", "groupBy", "sortBy", "mapValues", "flatMapValues")
"""Methods whose function is of one element of the RDD, and of nothing else."""


def _kept(bag: Term) -> Term:
    """What filters say of each element of an RDD."""
    known = TRUE
    while bag.operator is Operator.FILTER:
        known, bag = conjunction(bag.arguments[0], known), bag.arguments[1]
    return known
