"""Patterns of `match`: the formula that a subject matches, and the names that a pattern binds."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, disjunction, negation, project
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python.arithmetic import compare
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, describe
from tallystick.frontends.pyspark.values.kinds import Frame, Value
from tallystick.frontends.pyspark.values.options import component_count, is_none, is_tuple

SUPPORTED: Final = (
    "patterns are constants, None, True and False where a bool is matched, names, `_`, `a | b` of constants, and "
    "tuples of patterns"
)
Matched = tuple[Term, dict[str, Value]]


def matched(reader: Reading, pattern: ast.pattern, subject: Value, frame: Frame) -> Matched:
    """When a subject matches a pattern, and what the pattern binds; raises SourceError for other patterns."""
    place = frame.scope.source.place(pattern)
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return TRUE, {}
        case ast.MatchAs(pattern=None, name=str(name)):
            return TRUE, {name: _named(subject, place)}
        case ast.MatchAs(pattern=ast.pattern() as inner, name=str(name)):
            condition, bound = matched(reader, inner, subject, frame)
            return condition, {**bound, name: _named(subject, place)}
        case ast.MatchSingleton(value=None):
            return is_none(basic(subject, place, "what is matched")), {}
        case ast.MatchSingleton(value=bool(value)) if isinstance(subject, Term) and subject.type == BOOL:
            return subject if value else negation(subject), {}
        case ast.MatchValue(value=value):
            return compare(place, ast.Eq, subject, reader.evaluate(value, frame)), {}
        case ast.MatchOr(patterns=patterns):
            found = [matched(reader, each, subject, frame) for each in patterns]
            if any(bound for _, bound in found):
                raise place.error("`|` of patterns that bind names is not supported", "write one case for each")
            return disjunction(*(condition for condition, _ in found)), {}
        case ast.MatchSequence(patterns=patterns):
            return _sequence(reader, patterns, subject, frame, place)
    raise place.error("this pattern is not supported", SUPPORTED)


def _named(subject: Value, place: Place) -> Term:
    """A subject that a pattern gives a name; raises SourceError for what may change, of which it is a second name."""
    if not isinstance(subject, Term):
        raise place.error(f"a name in a pattern, where the subject is {describe(subject)}", "assign it before")
    return subject


def _sequence(reader: Reading, patterns: list[ast.pattern], subject: Value, frame: Frame, place: Place) -> Matched:
    if not isinstance(subject, Term) or not is_tuple(subject.type):
        raise place.error(f"a tuple's pattern, where the subject is {describe(subject)}", SUPPORTED)
    if len(patterns) != component_count(subject):
        return FALSE, {}
    condition, bound = TRUE, {}
    for index, each in enumerate(patterns):
        part, names = matched(reader, each, project(subject, index), frame)
        condition, bound = conjunction(condition, part), {**bound, **names}
    return condition, bound


def always_matches(case: ast.match_case) -> bool:
    """Whether a case has a name or `_` for its pattern, and no guard."""
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
