"""What programs compute of the elements of their inputs: every term, about the inputs' elements themselves.

A chain of UDFs is one term of the element that it starts from. What a fold has accumulated, and the items of a list,
are unknowns of which no more is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tallystick.core.operators import OVER_BAGS, Operator, Parameter
from tallystick.core.terms import Term, accumulator, element, project, rebuild, simplified, subterms, tuple_of, variable
from tallystick.core.types import BagType, BasicType

MOST_WAYS = 8
"""So many ways in which an element of one bag may be computed are followed."""


@dataclass(slots=True)
class Flow:
    """What is computed of the elements of input bags.

    Attributes:
        terms: conditions, values, keys and steps, about one element of each input bag.
        items: for each list whose items are gone through: its function, its arguments, and the item.
    """

    terms: dict[Term, None] = field(default_factory=dict)
    items: list[tuple[str, tuple[Term, ...], Term]] = field(default_factory=list)
    _ways: dict[Term, tuple[Term, ...]] = field(default_factory=dict)
    _unknowns: int = 0

    @classmethod
    def of(cls, terms: Iterable[Term]) -> Flow:
        """The flow of some programs."""
        flow = cls()
        for term in terms:
            for node in subterms(term):
                if node.operator in OVER_BAGS or isinstance(node.type, BagType):
                    flow.elements(node)
            if not isinstance(term.type, BagType):
                flow.terms[rebuild(term, {}, True, pushed)] = None
        return flow

    def elements(self, bag: Term) -> tuple[Term, ...]:
        """What an element of a bag may be."""
        if bag not in self._ways:
            self._ways[bag] = tuple(dict.fromkeys(self._computed(bag)))[:MOST_WAYS]
            self.terms.update(dict.fromkeys(self._ways[bag]))
        return self._ways[bag]

    def _computed(self, bag: Term) -> list[Term]:
        arguments = bag.arguments
        match bag.operator:
            case Operator.VARIABLE:
                return [element_of(bag)]
            case Operator.MAP:
                return [_applied(arguments[0], each) for each in self.elements(arguments[1])]
            case Operator.FILTER | Operator.WITHOUT:
                kept = self.elements(arguments[1])
                self.terms.update(dict.fromkeys(_applied(arguments[0], each) for each in kept))
                return list(kept)
            case Operator.UNION:
                return [each for part in arguments for each in self.elements(part)]
            case Operator.CARTESIAN:
                one, other = map(self.elements, arguments)
                return [tuple_of(first, second) for first in one for second in other]
            case Operator.DISTINCT:
                return list(self.elements(arguments[0]))
            case Operator.EXPAND:
                return [self._item(bag, each) for each in self.elements(arguments[1])]
            case Operator.FOLD_BY_KEY:
                return [self._folded(bag, each) for each in self.elements(arguments[2])]
            case Operator.FOLD:
                for each in self.elements(arguments[2]):
                    self._taken(bag, each)
        return []

    def _item(self, bag: Term, each: Term) -> Term:
        name, of = bag.parameter  # type: ignore[misc]
        item = self._unknown(of)  # type: ignore[arg-type]
        listed = _applied(bag.arguments[0], each)
        self.terms[listed] = None
        parts = listed.arguments if listed.operator is Operator.TUPLE else ()
        self.items.append((str(name), parts, item))
        return tuple_of(each, item)

    def _folded(self, bag: Term, pair: Term) -> Term:
        return tuple_of(
            pushed(Operator.PROJECTION, (pair,), 0), self._taken(bag, pushed(Operator.PROJECTION, (pair,), 1))
        )

    def _taken(self, fold: Term, value: Term) -> Term:
        """What a fold accumulates after a value; it is an unknown."""
        start, step, _ = fold.arguments
        state = self._unknown(start.type)  # type: ignore[arg-type]
        values = {element(value.type): value, accumulator(start.type): state}  # type: ignore[arg-type]
        self.terms[rebuild(step, {bound: values[bound] for bound in step.bound}, False, pushed)] = None
        return state

    def _unknown(self, of: BasicType) -> Term:
        self._unknowns += 1
        return variable(f"unknown {self._unknowns}", of)


def element_of(bag: Term) -> Term:
    """The element of an input bag, in the terms of a flow."""
    name, of = bag.parameter  # type: ignore[misc]
    return variable(f"element of {name}", of.element)  # type: ignore[union-attr]


def _applied(udf: Term, value: Term) -> Term:
    return rebuild(udf, dict.fromkeys(udf.bound, value), False, pushed)


def pushed(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
    """Like `simplified`, with projections moved into conditionals."""
    if operator is Operator.PROJECTION and arguments[0].operator is Operator.ITE and type(parameter) is int:
        condition, then, otherwise = arguments[0].arguments
        parts = (pushed(operator, (part,), parameter) for part in (then, otherwise))
        return simplified(Operator.ITE, (condition, *parts))
    return simplified(operator, arguments, parameter)


Leaf = Callable[[Term], object]
"""What stands for a component of a value that is no tuple."""


def leaves(root: Term, at: Leaf) -> object:
    """A value of a term's type, whose components that are no tuples `at` gives."""
    components = getattr(root.type, "components", None)
    if components is None:
        return at(root)
    return tuple(leaves(project(root, place), at) for place in range(len(components)))
