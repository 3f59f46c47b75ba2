"""Folds whose states are lists of a fixed number of items, or dictionaries with constant keys: tuples of their items.

`aggregate([0, 0], add_to, merge)` is read as the fold with the tuple of two ints for a state. Spark copies the first
value for each partition, and for each key, so what a function changes of its state nothing else sees.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tallystick.core.terms import FALSE, TRUE, Operator, Term, accumulator, build, element, ite, project, tuple_of
from tallystick.core.types import BOOL, BasicType, TupleType, is_basic
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.operators import mapped_or_kept
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, describe, dictionary_term
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.kinds import (
    Closure,
    Listing,
    Objects,
    Record,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.options import common_type, converted, default_of


@dataclass(frozen=True)
class Shape:
    """What states are: lists of so many items, or dictionaries with these keys.

    Attributes:
        size: how many items there are.
        keys: the keys of dictionaries; None of lists.
    """

    size: int
    keys: tuple[Term, ...] | None = None

    def result(self, whole: Term) -> Listing | Table:
        """A list or dictionary that a fold gives."""
        parts = [project(whole, index) for index in range(self.size)]
        if self.keys is not None:
            return Table(tuple(zip(self.keys, parts, strict=True)))
        return Listing(tuple((TRUE, each) for each in parts))

    def called(self, call: Call, parameter: str, own: bool, *arguments: tuple[Term, bool]) -> Term:
        """What a function makes, as a tuple, of arguments and whether these are states; it may set `own` ones."""
        place, function = call.arguments[parameter]
        given = [self.result(each) if is_state else each for each, is_state in arguments]
        reader, node = call.reader, function.node if isinstance(function, Closure) else None
        names = [] if node is None else [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        states = frozenset(name for name, (_, is_state) in zip(names, arguments, strict=False) if is_state and own)
        outside = reader.states, reader.state_size
        reader.states, reader.state_size = (node, states), None if self.keys else self.size
        try:
            return self.term(reader.udf(function, place, *given), place)
        finally:
            reader.states, reader.state_size = outside

    def term(self, value: Value, place: Place) -> Term:
        """A state as the tuple of its items; raises SourceError for what has another shape."""
        if isinstance(value, Term) and is_dictionary(value):
            value = table_of_entries(value)
        found = shape_of(value)
        if self.keys is not None and isinstance(value, Table):
            entries = dict(value.entries)
            if found is not None and set(entries) == set(self.keys):
                return tuple_of(*(basic(entries[key], place, "a value of a dictionary") for key in self.keys))
        elif self.keys is None and found == self and isinstance(value, Listing):
            return tuple_of(*(item for _, item in value.items))
        kind = f"a list of {self.size} items" if self.keys is None else "a dictionary with the keys of the first value"
        raise place.error(f"this function must return {kind}, and returns what is {describe(value)}", HINT)


HINT = "return the state, with items set, or a new one of as many items"


def shape_of(value: Value) -> Shape | None:
    """The shape of a list of certain items, or of a dictionary of constants; None of others, and of empty ones."""
    if isinstance(value, Listing) and all(there is TRUE for there, _ in value.items):
        parts: list[Value] = [item for _, item in value.items]
        shape = Shape(len(parts))
    elif isinstance(value, Table):
        parts = [each for _, each in value.entries]
        shape = Shape(len(parts), tuple(key for key, _ in value.entries))
    else:
        return None
    plain = bool(parts) and all(isinstance(each, Term) and is_basic(each.type) for each in parts)
    alone = len(parts) == 1 and isinstance(parts[0], Term) and parts[0].type == BOOL
    return shape if plain and not alone else None


def is_new(node: ast.AST) -> bool:
    """Whether an expression makes a list or dictionary that nothing else has."""
    match node:
        case ast.BinOp(left=made, op=ast.Mult()):
            return isinstance(made, ast.List)
        case ast.Lambda(body=made):
            return is_new(made)
    return isinstance(node, ast.List | ast.Dict | ast.ListComp | ast.DictComp)


def aggregated(call: Call, shape: Shape) -> Listing | Table:
    """What `aggregate` makes from a first value of a shape; Spark's driver merges into that very value."""
    own = is_new(call.arguments["zeroValue"][0].node)
    initial, step = _step(call, shape, "seqOp", call.element, own)
    merge = _merge(call, shape, "combOp", basic_type(initial), own)
    fold = call.folded(build(Operator.FOLD, (initial, step, call.bag)), merge, two_functions=True)
    return shape.result(fold)


def aggregated_by_key(call: Call, shape: Shape) -> Term | Objects:
    """What `aggregateByKey` makes from a first value of a shape, which Spark copies for each key."""
    initial, step = _step(call, shape, "seqFunc", call.pair[1], True)
    merge = _merge(call, shape, "combFunc", basic_type(initial), True)
    fold = call.folded(build(Operator.FOLD_BY_KEY, (initial, step, call.bag)), merge, two_functions=True)
    pair = element(element_of(fold))
    return _pairs(call, shape, project(pair, 0), project(pair, 1), fold)


def combined(call: Call, shape: Shape, first: Term) -> Term | Objects:
    """What `combineByKey` makes whose first values have a shape."""
    value, function = element(call.pair[1]), call.arguments["createCombiner"][1]
    own = isinstance(function, Closure) and is_new(function.node)

    def merged_value(of: BasicType) -> Term:
        state = project(accumulator(TupleType((of, BOOL))), 0)
        return shape.called(call, "mergeValue", own, (state, True), (value, False))

    of, step = call.widened("mergeValue", first, merged_value)
    return _from_first(call, shape, (step, converted(first, of)), of, call.bag, ("mergeCombiners", own))


def reduced(call: Call, shape: Shape, key: Term, value: Term, bag: Term) -> Term | Objects:
    """What `reduceByKey` makes of pairs whose values have a shape."""
    of, pairs = basic_type(value), build(Operator.MAP, (tuple_of(key, value), bag))
    before = project(accumulator(TupleType((of, BOOL))), 0)
    both = shape.called(call, "func", False, (before, True), (element(of), True))
    step = _of_type(both, of, call.arguments["func"][0])
    return _from_first(call, shape, (step, element(of)), of, pairs, ("func", False))


def _from_first(
    call: Call, shape: Shape, step: tuple[Term, Term], of: BasicType, bag: Term, merging: tuple[str, bool]
) -> Term | Objects:
    """A fold by key that starts from the first value: the later states and the first one, and what merges states."""
    states = TupleType((of, BOOL))
    so_far, other = accumulator(states), element(states)
    later, first = step
    update = tuple_of(ite(project(so_far, 1), later, first), TRUE)
    parameter, own = merging
    both = shape.called(call, parameter, own, (project(so_far, 0), True), (project(other, 0), True))
    merged = tuple_of(_of_type(both, of, call.arguments[parameter][0]), TRUE)
    merge = ite(project(other, 1), ite(project(so_far, 1), merged, other), so_far)
    fold = build(Operator.FOLD_BY_KEY, (tuple_of(default_of(of), FALSE), update, bag))
    call.folded(fold, merge, project(so_far, 0), two_functions=call.name == "combineByKey")
    pair = element(element_of(fold))
    return _pairs(call, shape, project(pair, 0), project(project(pair, 1), 0), fold)


def _step(call: Call, shape: Shape, parameter: str, of: BasicType, own: bool) -> tuple[Term, Term]:
    place, value = call.arguments["zeroValue"]
    first = shape.term(value, place)
    state, step = call.widened(
        parameter,
        first,
        lambda state: shape.called(call, parameter, own, (accumulator(state), True), (element(of), False)),
    )
    return converted(first, state), step


def _merge(call: Call, shape: Shape, parameter: str, of: BasicType, own: bool) -> Term:
    both = shape.called(call, parameter, own, (accumulator(of), True), (element(of), True))
    return _of_type(both, of, call.arguments[parameter][0])


def _of_type(result: Term, of: BasicType, place: Place) -> Term:
    if common_type(of, result.type) != of:
        raise place.error("this function returns items of other types than the states have", "make them of one type")
    return converted(result, of)


def _pairs(call: Call, shape: Shape, key: Term, state: Term, bag: Term) -> Term | Objects:
    value = shape.result(state)
    made = dictionary_term(value) if isinstance(value, Table) else None
    return mapped_or_kept(Record((key, value)) if made is None else tuple_of(key, made), bag, call.place)
