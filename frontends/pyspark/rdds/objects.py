"""RDDs whose elements are no values of the language, such as lists and dictionaries, until they are values again.

`lines.map(lambda line: line.split(","))` has lists for elements. It is kept as what one list is for one line, and read
on where a function makes a value of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tallystick.core.terms import Operator, Term, build, tuple_of
from tallystick.frontends.pyspark.python.gathered import as_gathered
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds import fixed_states, gathering
from tallystick.frontends.pyspark.rdds.calls import Call, attempted, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.operators import flattened, mapped_or_kept, number_of_elements, whether_empty
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, methods_of
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.held_lists import holds_lists
from tallystick.frontends.pyspark.values.kinds import Objects, Record, Value

METHODS = (
    "map(f, preservesPartitioning=False)",
    "filter(f)",
    "flatMap(f, preservesPartitioning=False)",
    "mapValues(f)",
    "reduceByKey(func, numPartitions=None)",
    "foldByKey(zeroValue, func, numPartitions=None)",
    "fold(zeroValue, op)",
    "count()",
    "isEmpty()",
    "cache()",
)
HINT = (
    "an RDD of lists or dictionaries has `map`, `filter`, `flatMap`, `count`, and of pairs `mapValues` and "
    "`reduceByKey`: make tuples of them"
)


def _call_of_objects(call: Call, objects: Objects) -> Result:
    """A method of an RDD of objects."""
    if call.name in ("foldByKey", "fold"):
        return _folded(call, objects)
    if call.name == "reduceByKey":
        key, value = _pair_of(call, objects)
        shared = holds_lists(element_of(objects.bag))
        if not shared and (shape := fixed_states.shape_of(value)) is not None:
            of = shape.term(value, call.place)
            read = attempted(call.reader, lambda: fixed_states.reduced(call, shape, key, of, objects.bag))
            if read is not None:
                return read
        return gathering.reduced(call, "func", key, value, objects.bag, shared=shared)
    if "f" not in call.arguments:
        return objects if call.name == "cache" else COUNTS[call.name](call)
    place, function = call.arguments["f"]
    if call.name == "mapValues":
        key, value = _pair_of(call, objects)
        made = call.reader.udf(function, place, value)
        pair = tuple_of(key, made) if isinstance(made, Term) else Record((key, made))
        return mapped_or_kept(pair, objects.bag, place)
    if call.name == "flatMap":
        with call.reader.all_items_of(function):
            return flattened(call, call.reader.udf(function, place, objects.value), objects.bag)
    result = call.reader.udf(function, place, objects.value)
    match call.name:
        case "filter":
            condition = truth(result, place, "what this function returns")
            return Objects(objects.value, build(Operator.FILTER, (condition, objects.bag)))
        case _:
            return mapped_or_kept(result, objects.bag, place)


def _folded(call: Call, objects: Objects) -> Result:
    """`foldByKey` or `fold` of lists or sets, from an empty one."""
    place, zero = call.arguments["zeroValue"]
    key, value = _pair_of(call, objects) if call.name == "foldByKey" else (None, objects.value)
    whole = as_gathered(value)
    if whole is None or gathering.empty_kind(zero) != whole.kind:
        message = f"`{call.name}` of what is {describe(value)} is supported from an empty list or set"
        raise place.error(message, f"write `[]` for lists and `set()` for sets, or {HINT}")
    if key is None:
        return gathering.put_together(call, whole, "op", objects.bag)
    return gathering.reduced(call, "func", key, value, objects.bag, shared=True)


def _pair_of(call: Call, objects: Objects) -> tuple[Term, Value]:
    """Key and value of the pairs that the objects are."""
    match objects.value:
        case Record((Term() as key, value)):
            require_hashable(key.type, call.place, "a key")
            return key, value
    raise call.place.error(f"`{call.name}` needs an RDD of pairs, and this is of {describe(objects.value)}")


COUNTS: Final[dict[str, Callable[[Call], Term]]] = {"count": number_of_elements, "isEmpty": whether_empty}
OTHER_METHODS = (methods_of(Objects, METHODS, HINT, _call_of_objects),)
