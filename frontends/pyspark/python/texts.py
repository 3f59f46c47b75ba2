"""Texts: Python's methods and operators on `str`, as functions that are known by name (see `core.functions`).

Nothing is proved of these functions but that equal texts have equal values; constants are computed. What `split` gives
is a list of so many pieces as the text has, of which single ones can be taken.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from string import Formatter
from typing import Final

from tallystick.core import functions
from tallystick.core.errors import EvaluationError
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply_function,
    constant,
    disjunction,
    equal,
    ite,
    less,
    rebuild,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, TEXT, BasicType
from tallystick.frontends.pyspark.named_functions import containers, methods
from tallystick.frontends.pyspark.named_functions.lists import spread
from tallystick.frontends.pyspark.python.sequences import certain_items
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, constant_value, literal, show_type
from tallystick.frontends.pyspark.values.kinds import Listing, Pieces, Record, Spread, Tally, Value
from tallystick.frontends.pyspark.values.options import is_tuple

METHODS_WITHOUT_ARGUMENTS: Final = frozenset(
    name.removeprefix("str.")
    for name, function in functions.FUNCTIONS.items()
    if name.startswith("str.") and function.takes == (TEXT,)
)
HINT: Final = (
    "methods of texts that are read are lower, upper, strip, replace, split, join, startswith, endswith, count, find, "
    "partition, splitlines, zfill, ljust, format with {}, isdigit and the like"
)


def applied(name: str, *arguments: Term) -> Term:
    """A known function of some terms; of constants, its value, unless Python raises.

    Of a conditional with a constant in a branch it is a conditional: there its value is known.
    """
    of: BasicType = functions.FUNCTIONS[name].gives
    if all(each.operator is Operator.CONSTANT for each in arguments):
        try:
            types = [each.type for each in arguments]
            return constant(functions.apply(name, types, of, [each.parameter for each in arguments]))
        except EvaluationError:
            pass
    conditional = [place for place, each in enumerate(arguments) if each.operator is not Operator.CONSTANT]
    if len(conditional) == 1 and not functions.FUNCTIONS[name].raises:
        [place] = conditional
        chosen = arguments[place]
        if chosen.operator is Operator.ITE and any(each.operator is Operator.CONSTANT for each in chosen.arguments[1:]):
            condition, *branches = chosen.arguments
            return ite(
                condition, *(applied(name, *arguments[:place], each, *arguments[place + 1 :]) for each in branches)
            )
    return apply_function(name, of, *arguments)


_CHARACTER: Final = constant("(?s).")
"""The pattern of which each character of a text is a match: those that are found are the list of its characters."""


def characters(value: Value) -> Value:
    """A text as the list of its characters, where it is gone through; any other value, and a constant, as it is."""
    if isinstance(value, Term) and value.type == TEXT and value.operator is not Operator.CONSTANT:
        return Pieces((_CHARACTER, value), "re.findall")
    return value


def is_of_characters(pieces: Pieces) -> bool:
    """Whether a list, or a set, is of the characters of a text."""
    return pieces.arguments[:1] == (_CHARACTER,) and pieces.function in ("re.findall", "set of re.findall")


def _spelled(pieces: Pieces) -> Term | None:
    """The text whose list of characters this is; None for others, and for sets."""
    return pieces.arguments[1] if is_of_characters(pieces) and not pieces.is_set else None


def is_text(value: Value) -> bool:
    """Whether a value is a text."""
    return isinstance(value, Term) and value.type == TEXT


def text(value: Value, place: Place, what: str) -> Term:
    """The value as a text."""
    term = basic(value, place, what)
    if term.type != TEXT:
        raise place.error(f"{what} must be a str, and is of type {show_type(term.type)}")
    return term


def concatenated(*parts: Term) -> Term:
    """Texts one after the other; constants that meet are one."""
    flat: list[Term] = []
    for part in parts:
        for each in part.arguments if _is(part, "concat") else (part,):
            if flat and each.operator is flat[-1].operator is Operator.CONSTANT:
                each = constant(str(flat.pop().parameter) + str(each.parameter))
            if not (each.operator is Operator.CONSTANT and each.parameter == ""):
                flat.append(each)
    if len(flat) < 2:
        return flat[0] if flat else constant("")
    return apply_function("concat", TEXT, *flat)


def _is(term: Term, name: str) -> bool:
    return term.operator is Operator.APPLY and term.parameter[0] == name  # type: ignore[index]


def shown(value: Value, place: Place, what: str) -> Term:
    """`str` of a text, an int or a bool."""
    term = basic(value, place, what)
    if term.type == TEXT:
        return term
    if term.type == INT:
        return applied("str", term)
    if term.type == BOOL:
        return ite(term, constant("True"), constant("False"))
    raise place.error(f"the text of {what} is not read: it is of type {show_type(term.type)}", "write its parts")


def formatted(place: Place, parts: list[tuple[Value, str]]) -> Term:
    """An f-string of values, each with what stands after its colon."""
    terms: list[Term] = []
    for value, specification in parts:
        term = basic(value, place, "a value in an f-string")
        if specification and term.type != INT:
            raise place.error(f"`:{specification}` of {show_type(term.type)} is not supported", "write the value alone")
        known = shown(term, place, "a value in an f-string")
        terms.append(applied("format", term, constant(specification)) if specification else known)
    return concatenated(*terms)


def start_is(left: Term, right: Term) -> Term | None:
    """`text[:n] == constant` as `startswith`, which is the same of a constant of n characters; None for others."""
    written = constant_value(right)
    if not _is(left, "slice") or not isinstance(written, str) or not written:
        return None
    whole, start, stop = left.arguments
    if constant_value(start) == 0 and constant_value(stop) == len(written):
        return applied("str.startswith", whole, right)
    return None


def contains(whole: Term, part: Value, place: Place) -> Term:
    """`part in whole`, of texts."""
    return applied("in", text(part, place, "the left side of `in`"), whole)


def length(value: Term) -> Term:
    """len of a text."""
    return applied("len", value)


def character(whole: Term, index: Term) -> Term:
    """whole[index], which raises where there is none."""
    return applied("at", whole, index)


def sliced(whole: Term, bounds: ast.Slice, evaluate: Callable[[ast.expr], Value], place: Place) -> Term:
    """whole[start:stop], of ints."""
    if bounds.step is not None:
        raise place.error("a slice with a step is not supported", "write `text[start:stop]`")
    start, stop = (
        None if each is None else _int(evaluate(each), place, "a bound of a slice")
        for each in (bounds.lower, bounds.upper)
    )
    if start is None and stop is None:
        return whole
    start = constant(0) if start is None else start
    return applied("slice from", whole, start) if stop is None else applied("slice", whole, start, stop)


def _int(value: Value, place: Place, what: str) -> Term:
    term = basic(value, place, what)
    if term.type != INT:
        raise place.error(f"{what} must be an int, and is of type {show_type(term.type)}")
    return term


class UnknownListError(ValueError):
    """Something is asked of a whole list of which it is not said what makes it: of a partition's elements."""


def _maker(pieces: Pieces) -> str:
    """The name of the function that makes a list; raises UnknownListError."""
    if pieces.function not in functions.LISTS:
        raise UnknownListError
    return pieces.function


def piece(pieces: Pieces, index: int, count: int | None = None) -> Term:
    """One piece; where a count is given, of just so many, as Python takes a list apart."""
    if count is None and (whole := _spelled(pieces)) is not None:
        return applied("at", whole, constant(index))
    found = applied(functions.LISTS[_maker(pieces)][0], *pieces.arguments, constant(index))
    if count is None:
        return found
    return ite(equal(number_of_pieces(pieces), constant(count)), found, apply_function(functions.RAISE, TEXT))


def number_of_pieces(pieces: Pieces) -> Term:
    """len of the list that `split` gives; as many characters as a text is long, and numbers as a range says."""
    if pieces.function.endswith(methods.RANGE):  # whose items differ, so that it is as long as its set
        (count,) = pieces.arguments
        return ite(less(constant(0), count), count, constant(0))
    whole = _spelled(pieces)
    return applied(_maker(pieces), *pieces.arguments) if whole is None else length(whole)


def set_of(pieces: Pieces) -> Pieces:
    """The set of the items of a list of unknown length."""
    return pieces if pieces.is_set else replace(pieces, function=f"set of {pieces.function}")


def set_of_some(some: Spread, place: Place) -> Spread:
    """The set of those items of a list of unknown length for which a condition holds."""
    if any(item is not some.item for _, item in some.items):
        message = "a set of what is made of the items of a list of unknown length is not supported"
        raise place.error(message, "use `flatMap` and `distinct`, or a list")
    condition = disjunction(FALSE, *(there for there, _ in some.items))
    return Spread(set_of(some.pieces), some.item, ((condition, some.item),))


def count_of(pieces: Pieces, item: Term) -> Term:
    """How many items of a list are this text; a character that is constant is counted in the text itself."""
    known = constant_value(item)
    if (whole := _spelled(pieces)) is not None and isinstance(known, str) and len(known) == 1:
        return applied("str.count", whole, item)
    return applied(f"count in {_maker(pieces)}", item, *pieces.arguments)


def method(owner: Term, name: str, given: list[Value], named: dict[str, Value], place: Place) -> Value:
    """A method of a text."""
    if name in ("split", "rsplit"):
        return _split(owner, name, given, named, place)
    if named:
        raise place.error(f"`{next(iter(named))}=` of `{name}` is not supported", "give it by position")
    what = f"an argument of `{name}`"
    match name, given:
        case (("strip" | "lstrip" | "rstrip"), []) if owner.operator is Operator.APPLY and owner.parameter[0] in _CASES:  # type: ignore[index]
            return applied(str(owner.parameter[0]), method(owner.arguments[0], name, [], {}, place))  # type: ignore[index, arg-type]
        case _, [] if name in METHODS_WITHOUT_ARGUMENTS:
            return applied(f"str.{name}", owner)
        case _, [] if name in methods.QUESTIONS:
            return applied(methods.name_of_method(name), owner)
        case "splitlines", []:
            known = constant_value(owner)
            return _constants(known.splitlines()) if isinstance(known, str) else Pieces((owner,), methods.LINES)
        case _, [width, *fill] if name in methods.PADDED and len(fill) < 2:
            filled = text(fill[0], place, what) if fill else constant(" ")
            if not isinstance(known := constant_value(filled), str) or len(known) != 1:
                raise place.error(f"what `{name}` fills a text with must be one constant character")
            return applied(methods.name_of_method(name), owner, _int(width, place, what), filled)
        case "rfind", [part]:
            return applied(methods.name_of_method(name), owner, text(part, place, what))
        case (("startswith" | "endswith"), [Term() as options]) if options.type != TEXT:
            each = certain_items(options, place, what)
            return disjunction(FALSE, *(applied(f"str.{name}", owner, text(part, place, what)) for part in each))
        case (("startswith" | "endswith" | "count" | "find"), [part]):
            return applied(f"str.{name}", owner, text(part, place, what))
        case (("strip" | "lstrip" | "rstrip" | "removeprefix" | "removesuffix"), [part]):
            return applied(f"str.{name} of", owner, text(part, place, what))
        case "partition", [separator] if constant_value(separator):
            return _partition(owner, text(separator, place, what))
        case "rpartition", [separator] if constant_value(separator):
            return _partition_from_the_end(owner, text(separator, place, what))
        case "replace", [old, new]:
            return applied("str.replace", owner, text(old, place, what), text(new, place, what))
        case "zfill", [width]:
            return applied("str.zfill", owner, _int(width, place, what))
        case "join", [items]:
            return _joined(owner, items, place)
        case "format", values if owner.operator is Operator.CONSTANT:
            return _filled_in(str(owner.parameter), values, place)
    raise place.error(f"`{name}` of a text is not supported", HINT)


_CASES: Final = ("str.lower", "str.upper", "str.casefold", "str.swapcase")
"""Methods that make no character white space and leave white space as it is: it may be stripped before."""


def _split(owner: Term, name: str, given: list[Value], named: dict[str, Value], place: Place) -> Pieces | Listing:
    """`split()` at white space, or `split(separator, maxsplit)`; `rsplit` splits from the end so many times."""
    unknown = set(named) - {"sep", "maxsplit"}
    if unknown or len(given) > 2:
        raise place.error(f"`{name}` takes a separator and the most times to split")
    arguments = dict(zip(("sep", "maxsplit"), given, strict=False)) | named
    if "sep" not in arguments:
        if "maxsplit" in arguments:
            raise place.error(f"`{name}` at white space a number of times is not supported", "give a separator")
        known = constant_value(owner)
        return _constants(known.split()) if isinstance(known, str) else Pieces((owner,))
    most = literal(arguments.get("maxsplit", constant(-1)))
    if most is None:
        raise place.error(f"how often `{name}` splits must be constant")
    separator = text(arguments["sep"], place, "the separator")
    known = constant_value(owner), constant_value(separator)
    if name == "rsplit" and most >= 0:
        if not known[1]:
            raise place.error("the separator of `rsplit` must be constant, and not empty", "write `split`")
        return Pieces((owner, separator, constant(most)), methods.FROM_THE_END)
    if isinstance(known[0], str) and isinstance(known[1], str) and known[1]:
        return _constants(known[0].split(known[1], most))
    return Pieces((owner, separator, constant(most)), "pieces")


def _constants(items: list[str]) -> Listing:
    return Listing(tuple((TRUE, constant(each)) for each in items))


def _partition(owner: Term, separator: Term) -> Term:
    """The text before a separator, the separator, and what is after it; or the text and twice nothing."""
    pieces = Pieces((owner, separator, constant(1)), "pieces")
    found, nothing = applied("in", separator, owner), constant("")
    return tuple_of(piece(pieces, 0), ite(found, separator, nothing), ite(found, piece(pieces, 1), nothing))


def _partition_from_the_end(owner: Term, separator: Term) -> Term:
    """The text before the last place of a separator, the separator, and what is after it; or twice nothing before."""
    before, after = (applied(methods.name_of_method(f"rpartition {index}"), owner, separator) for index in (0, 2))
    return tuple_of(before, ite(applied("in", separator, owner), separator, constant("")), after)


def _joined(separator: Term, items: Value, place: Place) -> Term:
    parts = [text(each, place, "an item of `join`") for each in certain_items(items, place, "the argument of `join`")]
    between = [part for each in parts for part in (separator, each)]
    return concatenated(*between[1:])


def _filled_in(template: str, values: list[Value], place: Place) -> Term:
    """`"… {} …".format(…)`, with one value for each pair of braces."""
    parts: list[Term] = []
    fields: list[str] = []
    try:
        for before, name, specification, conversion in Formatter().parse(template):
            parts.append(constant(before))
            if name is None:
                continue
            index = int(name) if name else len(fields)
            if conversion or "{" in (specification or "") or not 0 <= index < len(values):
                raise ValueError
            parts.append(formatted(place, [(values[index], specification or "")]))
            fields.append(name)
    except ValueError:
        raise place.error("this format is not supported", "write `{}` once for each value") from None
    if len(set(map(bool, fields))) > 1 or (not any(fields) and len(fields) != len(values)):
        raise place.error("this format is not supported", "write `{}` once for each value")
    return concatenated(*parts)


def filled_by_percent(template: Term, value: Value, place: Place) -> Term:
    """`"… %s …" % value`: with the components of a tuple, or with one value."""
    if template.operator is not Operator.CONSTANT:
        raise place.error("`%` of a text that is not constant is not supported", "write an f-string")
    values = certain_items(value, place, "what `%` fills in") if _is_tuple(value) else [value]
    pieces = re.split("(%[0-9]*.?)", str(template.parameter).replace("%%", "\0"))
    marks = pieces[1::2]
    if not all(re.fullmatch("%(s|(0?[1-9][0-9]?)?d)", mark) for mark in marks) or len(marks) != len(values):
        raise place.error("this format is not supported", "write `%s` or `%d` once for each value, or an f-string")
    parts: list[Term] = [constant(pieces[0].replace("\0", "%"))]
    for mark, each, after in zip(marks, values, pieces[2::2], strict=True):
        if mark[-1] == "d":
            _int(each, place, "what `%d` shows")
        width = mark[1:-1]
        known = formatted(place, [(each, f"{width}d")]) if width else shown(each, place, "a value")
        parts += [known, constant(after.replace("\0", "%"))]
    return concatenated(*parts)


def _is_tuple(value: Value) -> bool:
    return isinstance(value, Record) or (isinstance(value, Term) and is_tuple(value.type))


def of_class(name: str, place: Place) -> Callable[[Place, list[Value]], Value]:
    """`str.lower` and the like: methods as functions of a text."""

    def call(where: Place, given: list[Value]) -> Value:
        if not given:
            raise where.error(f"`str.{name}` needs a text")
        return method(text(given[0], where, f"the argument of `str.{name}`"), name, given[1:], {}, where)

    if name not in METHODS_WITHOUT_ARGUMENTS and name not in ("split", "startswith", "endswith", "replace"):
        raise place.error(f"`str.{name}` is not supported", HINT)
    return call


ITEM: Final = "item of a list"
"""The name of the variable for one item of a list of unknown length; the source has no such name."""


def of_tally(tally: Tally, name: str, given: list[Value], place: Place) -> Value:
    """A method of a Counter of a list of texts: its items are there once for each text."""
    item = variable(ITEM, TEXT)
    count = count_of(tally.pieces, item)
    match name, given:
        case "items", []:
            return Spread(set_of(tally.pieces), item, ((TRUE, tuple_of(item, count)),))
        case "values", []:
            return Spread(set_of(tally.pieces), item, ((TRUE, count),))
        case "keys", []:
            return set_of(tally.pieces)
        case "get", [key, default] if constant_value(default) == 0:
            return count_of(tally.pieces, text(key, place, "a key"))
    raise place.error(f"`{name}` of a Counter of such a list is not supported", "supported are items, keys and values")


def of_dict(owner: Term, name: str, given: list[Value], place: Place) -> Value:
    """A method of a dict by name."""
    if name == "get":
        return containers.get(owner, given, place)
    if name in ("items", "keys") and not given:
        found = spread(owner, ITEM, pairs=name == "items")
        assert found is not None
        return found
    raise place.error(f"`{name}` of a {owner.type} is not supported here", "supported are get, items and keys")


def spread_of(value: Value) -> Value:
    """The list that `split` gives, as one with an item for each of its pieces; any other value as it is."""
    if isinstance(value, Tally):
        value = set_of(value.pieces)
    if isinstance(value, Term) and (found := spread(value, ITEM)) is not None:
        return found
    value = characters(value)
    if isinstance(value, Pieces):
        item = variable(ITEM, TEXT)
        return Spread(value, item, ((TRUE, item),))
    return value


def item_of(value: Pieces | Spread, index: int, count: int | None, place: Place) -> Term:
    """An item of a list of unknown length; where a count is given, of one that is just so long."""
    if (value if isinstance(value, Pieces) else value.pieces).is_set:
        raise place.error("the items of a set have no order that is fixed", "index a list")
    if isinstance(value, Pieces):
        return piece(value, index, count)
    (condition, item), *others = value.items
    if others or condition is not TRUE:
        raise place.error("this list may have fewer items than the one it is made of", "index that one")
    return rebuild_at(item, value.item, piece(value.pieces, index, count))


def rebuild_at(term: Term, item: Term, found: Term) -> Term:
    """A term with what is known for the variable of an item."""
    return rebuild(term, {item: found}, inside=True)
