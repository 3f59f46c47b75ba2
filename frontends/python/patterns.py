"""From `ast` to Core Python: patterns of `match`, as a test and what is bound once it holds."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.reading import ModuleLowering

_TRUE: Final = core.Const(True)
_FALSE: Final = core.Const(False)
Test = tuple[core.Expression, list[core.Statement]]
"""Whether a pattern matches, and what it binds then."""


def _both(one: core.Expression, other: core.Expression) -> core.Expression:
    return other if one == _TRUE else one if other == _TRUE else core.If(one, other, _FALSE)


class Patterns(ModuleLowering):
    """The part of `Lowering` that reads `match`."""

    def _read_match(self, node: ast.Match) -> Sequence[core.Statement]:
        subject, done = self.temporary(), self.temporary()
        found: list[core.Statement] = []
        for case in reversed(node.cases):
            test, bindings = self.pattern(case.pattern, subject)
            body: core.Body = (core.Assign(done, _TRUE), *self.block(case.body))
            if case.guard is not None:
                body = (core.Branch(self.expression(case.guard), body),)
            others: core.Body = (core.Branch(core.Apply("not", (done,)), tuple(found)),) if found else ()
            found = [core.Branch(test, (*bindings, *body)), *others]
        first = [core.Assign(subject, self.expression(node.subject)), core.Assign(done, _FALSE)]
        return [*first, *found]

    def pattern(self, node: ast.pattern, subject: core.Expression) -> Test:
        """Whether a pattern matches the value of an expression, which may be computed often, and what it binds."""
        match node:
            case ast.MatchValue(value=value):
                return core.Apply("==", (subject, self.expression(value))), []
            case ast.MatchSingleton(value=value):
                return core.Apply("is", (subject, core.Const(value))), []
            case ast.MatchAs(pattern=inner, name=name):
                test, bindings = (_TRUE, []) if inner is None else self.pattern(inner, subject)
                return test, bindings if name is None else [*bindings, core.Assign(self.name(name), subject)]
            case ast.MatchOr(patterns=parts):
                return self._one_of([self.pattern(each, subject) for each in parts], node)
            case ast.MatchSequence(patterns=parts):
                return self._sequence(parts, subject)
            case ast.MatchMapping(keys=keys, patterns=parts, rest=None):
                found = self.temporary()
                given = core.Apply("values at", (subject, *self.all(keys)))
                return self._parts(core.Assign(found, given), found, parts)
            case ast.MatchClass(cls=of, patterns=parts, kwd_attrs=names, kwd_patterns=more):
                found, known = self.temporary(), core.Const((len(parts), *names))
                given = core.Apply("parts of", (subject, self.expression(of), known))
                return self._parts(core.Assign(found, given), found, [*parts, *more])
        return core.Unread(f"the pattern `{type(node).__name__}`", node.lineno), []

    def _one_of(self, parts: list[Test], node: ast.pattern) -> Test:
        if any(bindings for _, bindings in parts):
            return core.Unread("names in alternatives of patterns", node.lineno), []
        *first, (result, _) = parts
        for test, _ in reversed(first):
            result = core.If(test, _TRUE, result)
        return result, []

    def _parts(self, finds: core.Assign, found: core.Local, parts: list[ast.pattern]) -> Test:
        """What a subject has for the parts of a pattern: a tuple in a variable, or None where it does not match."""
        test: core.Expression = core.Block((finds,), core.Apply("is not", (found, core.Const(None))))
        bindings: list[core.Statement] = []
        for at, each in enumerate(parts):
            inner, more = self.pattern(each, core.Apply("item", (found, core.Const(at))))
            test, bindings = _both(test, inner), bindings + more
        return test, bindings

    def _sequence(self, parts: list[ast.pattern], subject: core.Expression) -> Test:
        star = next((at for at, each in enumerate(parts) if isinstance(each, ast.MatchStar)), None)
        found, known = self.temporary(), core.Const((len(parts), star))
        given = core.Assign(found, core.Apply("items of", (subject, known)))
        plain = [ast.MatchAs(None, each.name) if isinstance(each, ast.MatchStar) else each for each in parts]
        return self._parts(given, found, plain)
