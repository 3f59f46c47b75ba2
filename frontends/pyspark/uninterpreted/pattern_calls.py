"""Regular expressions that are constant, in pure code: functions of the module `re`, and what is asked of matches."""

from __future__ import annotations

import re

from tallystick.frontends.pyspark.uninterpreted.calls import Arguments
from tallystick.frontends.pyspark.uninterpreted.expressions import Node, Typed
from tallystick.frontends.pyspark.uninterpreted.module_calls import Modules
from tallystick.frontends.pyspark.uninterpreted.types import (
    INT,
    MATCH,
    NEVER,
    NONE,
    TEXT,
    NotPureError,
    PureType,
    optional,
    plain,
    tuple_of,
)


class Patterns(Modules):
    """Reads calls of functions of `re`, and methods of matches; one method for each, named after it."""

    def _searched_text(self, name: str, arguments: Arguments, after: int = 0) -> tuple[re.Pattern[str], list[Node]]:
        """The pattern, and the nodes of the arguments: the pattern, so many texts, and the text that is searched."""
        self._count(arguments, 2 + after, 2 + after)
        read = [self.read(each) for each in arguments.positional]
        if read[0][0][0] != "const" or any(plain(of) not in (TEXT, NEVER, NONE) for _, of in read):
            raise NotPureError(arguments.node, f"`{name}` is supported with a constant pattern, without flags")
        try:
            return re.compile(read[0][0][1]), [found for found, _ in read]
        except re.error:
            raise NotPureError(arguments.node, "this is no regular expression") from None

    def call_re_findall(self, arguments: Arguments) -> Typed:
        """`re.findall(pattern, text)`."""
        pattern, nodes = self._searched_text("re.findall", arguments)
        item = TEXT if pattern.groups < 2 else tuple_of(*[TEXT] * pattern.groups)
        return ("call", "re.findall", *nodes), self.fresh(arguments.node, "list", item)

    def call_re_finditer(self, arguments: Arguments) -> Typed:
        """`re.finditer(pattern, text)`."""
        _, nodes = self._searched_text("re.finditer", arguments)
        return self._lazy("re.finditer", nodes, MATCH)

    def call_re_split(self, arguments: Arguments) -> Typed:
        """`re.split(pattern, text)`, of a pattern without groups."""
        pattern, nodes = self._searched_text("re.split", arguments)
        if pattern.groups:
            raise NotPureError(arguments.node, "`re.split` is supported without groups")
        return ("call", "re.split", *nodes), self.fresh(arguments.node, "list", TEXT)

    def call_re_sub(self, arguments: Arguments) -> Typed:
        """`re.sub(pattern, text, text)`."""
        if not isinstance(arguments.positional[1], tuple) and self.value(arguments.positional[1])[1] != TEXT:
            raise NotPureError(arguments.node, "`re.sub` is supported with a text")
        _, nodes = self._searched_text("re.sub", arguments, 1)
        return ("call", "re.sub", *nodes), TEXT

    def _match(self, name: str, arguments: Arguments) -> Typed:
        _, nodes = self._searched_text(name, arguments)
        return ("call", name, *nodes), optional(MATCH)

    def call_re_match(self, arguments: Arguments) -> Typed:
        """`re.match(pattern, text)`."""
        return self._match("re.match", arguments)

    def call_re_search(self, arguments: Arguments) -> Typed:
        """`re.search(pattern, text)`."""
        return self._match("re.search", arguments)

    def call_re_fullmatch(self, arguments: Arguments) -> Typed:
        """`re.fullmatch(pattern, text)`."""
        return self._match("re.fullmatch", arguments)

    def method_group(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`m.group()`, `m.group(1)`, `m.group("name")`: None where the group took no part."""
        values = self._of_match("group", of, arguments, 1)
        whole = not values or values[0][0] == ("const", 0)
        return ("method", "group", found, *(each for each, _ in values)), TEXT if whole else optional(TEXT)

    def method_start(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`m.start()`."""
        self._of_match("start", of, arguments, 0)
        return ("method", "start", found), INT

    def method_end(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`m.end()`."""
        self._of_match("end", of, arguments, 0)
        return ("method", "end", found), INT

    def _of_match(self, name: str, of: PureType, arguments: Arguments, most: int) -> list[Typed]:
        values = self._no_more(arguments, 0, most)
        if of != MATCH or any(plain(each) not in (INT, TEXT) for _, each in values):
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        return values
