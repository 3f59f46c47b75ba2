"""Python's module `re`, of patterns that are constant.

What its functions give for a text is a function that is known by its name, with the pattern for an argument.
"""

from __future__ import annotations

import re
import warnings
from typing import Final

from tallystick.core.terms import Term, constant, tuple_of
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.functions.arguments import only_argument, refuse_named
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import matches
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.dictionaries import dictionary_of
from tallystick.frontends.pyspark.values.kinds import Builtin, Flags, Pattern, Pieces, Value
from tallystick.frontends.pyspark.values.matches import MatchType
from tallystick.frontends.pyspark.values.options import given, is_option

METHODS: Final = ("match", "search", "fullmatch", "findall", "split", "sub")
_FLAGS: Final = {"A": "ASCII", "I": "IGNORECASE", "M": "MULTILINE", "S": "DOTALL"}
HINT: Final = "supported are match, search, fullmatch, findall, split and sub of constant patterns"


def compiled(place: Place, values: list[Value], named: dict[str, Value]) -> Pattern:
    """`re.compile` of a constant, perhaps with flags."""
    flags = named.pop("flags", values[1] if len(values) > 1 else Flags(0))
    refuse_named("compile", named, place)
    if not 1 <= len(values) <= 2:
        raise place.error("`compile` takes a pattern and perhaps flags")
    if isinstance(values[0], Pattern) and flags == Flags(0):
        return values[0]
    written = constant_value(values[0])
    if not isinstance(written, str) or not isinstance(flags, Flags):
        raise place.error("a regular expression must be constant, and so must its flags")
    bits = flags.bits
    letters = "".join(each.lower() for each, name in _FLAGS.items() if bits & int(re.RegexFlag[name]))
    pattern = _with_flags(letters, written)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, Warning, RecursionError, OverflowError) as error:
        raise place.error(f"this is no regular expression that is read: {error}") from None
    return Pattern(pattern)


def _with_flags(letters: str, written: str) -> str:
    """A pattern with its flags, given or written, in one group at its beginning."""
    leading = re.match(r"\(\?([aims]+)\)", written)
    if leading and letters:
        letters, written = "".join(sorted({*letters, *leading[1]})), written[leading.end() :]
    return f"(?{letters})" * bool(letters) + written


def method(place: Place, pattern: Pattern, name: str) -> Builtin:
    """A method of a compiled pattern."""
    if name not in METHODS:
        raise place.error(f"`{name}` of a regular expression is not supported", HINT)

    def call(where: Place, values: list[Value]) -> Value:
        return _applied(where, pattern.text, name, values)

    return Builtin(name, call)


def _function(name: str) -> Builtin:
    """A function of the module: the pattern is its first argument."""

    def call(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
        flags = {"flags": named.pop("flags")} if "flags" in named else {}
        refuse_named(name, named, place)
        if name not in ("split", "sub") and len(values) == 3 and not flags:
            flags = {"flags": values.pop()}
        if not values:
            raise place.error(f"`{name}` takes a pattern and a text")
        return _applied(place, compiled(place, values[:1], flags).text, name, values[1:])

    return Builtin(name, lambda place, values: call(place, list(values), {}), call)


def _applied(place: Place, pattern: str, name: str, values: list[Value]) -> Value:
    groups = re.compile(pattern).groups
    known = constant(pattern)
    if name == "sub":
        if len(values) != 2:
            raise place.error("`sub` takes what to put in the place of matches, and a text")
        new = constant_value(values[0])
        if not isinstance(new, str):
            raise place.error("what `sub` puts in the place of matches must be a constant text")
        try:
            re.compile(pattern).sub(new, "")
        except (re.error, IndexError) as error:
            raise place.error(f"this is no replacement that is read: {error}") from None
        return texts.applied("re.sub", known, constant(new), texts.text(values[1], place, "the text of `sub`"))
    text = texts.text(only_argument(place, values, name), place, f"the text of `{name}`")
    if name in ("match", "search", "fullmatch"):
        return matches.match(name, pattern, text)
    if groups > (name == "findall"):
        hint = "write `(?:…)` for groups that are not asked for"
        raise place.error(f"`{name}` of a pattern with groups gives no list of texts", hint)
    return Pieces((known, text), f"re.{name}")


def is_match(value: Value) -> bool:
    """Whether a value is a match, or a match or None."""
    if not isinstance(value, Term):
        return False
    return isinstance(value.type.components[1] if is_option(value.type) else value.type, MatchType)  # type: ignore[union-attr]


def of_match(place: Place, owner: Value, name: str) -> Builtin:
    """A method of a match; of None, Python raises AttributeError."""
    assert isinstance(owner, Term)
    found = given(owner) if is_option(owner.type) else owner

    def call(where: Place, values: list[Value]) -> Value:
        match name, values:
            case "group", []:
                return matches.group(found, 0)
            case "group", [one]:
                return _group(found, one, where)
            case "group", several:
                return tuple_of(*(_group(found, each, where) for each in several))
            case "groups", [] if (count := matches.number_of_groups(found)) > 0:
                return tuple_of(*(matches.group(found, number) for number in range(1, count + 1)))
            case "groupdict", [] if names := matches.names_of(found):
                return dictionary_of({each: matches.group(found, number) for each, number in names.items()})
        raise where.error(f"`{name}` of a match is not supported so", "supported are group, groups and groupdict")

    return Builtin(name, call)


def item_of_match(place: Place, owner: Value, key: Value) -> Term:
    """`match[number]`."""
    assert isinstance(owner, Term)
    return _group(given(owner) if is_option(owner.type) else owner, key, place)


def _group(found: Term, key: Value, place: Place) -> Term:
    known = constant_value(key)
    number = matches.number_of(found, known) if isinstance(known, str) else known
    if type(number) is not int or not 0 <= number <= matches.number_of_groups(found):
        raise place.error("this is no group of the pattern", "give a constant number or name of a group")
    return matches.group(found, number)


RE_MODULE: Final = {
    **{name: _function(name) for name in METHODS},
    **{short: Flags(int(re.RegexFlag[name])) for short, name in _FLAGS.items()},
    **{name: Flags(int(re.RegexFlag[name])) for name in _FLAGS.values()},
    "compile": Builtin("compile", lambda place, values: compiled(place, values, {}), compiled),
}
