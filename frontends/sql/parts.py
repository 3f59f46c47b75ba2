"""Nothing of a parse tree is dropped: the views through which its nodes are read.

A reader asks the view of a node for the node's arguments. What it has not asked for when it is done is refused by its
name, and so is a node of a statement that no reader has opened. There is no list of arguments that may be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, Final

from sqlglot import exp
from tallystick.frontends.errors import SourceError

CONSTRUCTS: Final = {
    "laterals": ("LATERAL VIEW", "the elements of arrays and maps are not understood"),
    "sample": ("TABLESAMPLE", "it draws rows at random; compare the queries without it"),
}
"""Parts of a query that no reader takes: they are refused first, by their own names, with advice."""


class Parts:
    """The arguments of a node: with `with`, one that is given and that nobody asks for raises SourceError.

    Its attributes are called as those of the parser's nodes.

    Attributes:
        of: the node; its identity is added to a set when all that it holds is taken.
        args: its arguments, which are taken when they are asked for.
    """

    def __init__(self, node: exp.Expr, error: Callable[[exp.Expr, str, str], SourceError], opened: set[int]) -> None:
        self._error = error
        self._opened = opened
        self.of = node
        self.args = _Arguments(node)
        self._elsewhere = False

    @property
    def this(self) -> Any:
        """What the parser calls the first argument."""
        return self.args.get("this")

    @property
    def expression(self) -> Any:
        """What the parser calls the second one."""
        return self.args.get("expression")

    @property
    def expressions(self) -> list[exp.Expr]:
        """What the parser calls further ones."""
        return self.args.get("expressions") or []

    @property
    def name(self) -> str:
        """The first argument as a text."""
        return str(self.this)

    def whole(self) -> exp.Expr:
        """The node, for another reader that opens it itself."""
        self._elsewhere = True
        return self.of

    def unwritten(self, *parts: str) -> None:
        """Takes parts that the parser notes of the dialect and of the name of a function, and that no text can say."""
        for part in parts:
            self.args.get(part)

    def __enter__(self) -> Parts:
        required = (part for part, needed in self.of.arg_types.items() if needed)
        # Calcite writes VALUES without rows for no rows.
        if not isinstance(self.of, exp.Values) and any(self.of.args.get(part) in (None, []) for part in required):
            raise self._error(self.of, f"{described(self.of)} lacks an argument", "")
        for part in self.args.left():
            if part in CONSTRUCTS:
                raise self._refused(part)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is None and not self._elsewhere:
            for part in self.args.left():
                raise self._refused(part)
            self._opened.add(id(self.of))

    def _refused(self, part: str) -> SourceError:
        value = self.of.args[part]
        inner = value[0] if isinstance(value, list) else value
        place = inner if isinstance(inner, exp.Expr) else self.of
        name, hint = CONSTRUCTS.get(part, ("", ""))
        construct = part.rstrip("_").replace("_", " ").upper()
        return self._error(place, f"{name or f'{construct} in {described(self.of)}'} is not understood", hint)


class _Arguments(Mapping[str, Any]):
    def __init__(self, node: exp.Expr) -> None:
        self._given = node.args
        self._taken: set[str] = set()

    def __getitem__(self, part: str) -> Any:
        self._taken.add(part)
        return self._given[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def left(self) -> Iterator[str]:
        """The arguments that are given and not taken."""
        return (part for part, value in self._given.items() if part not in self._taken and not _is_absent(value))


def _is_absent(value: object) -> bool:
    return value is None or value is False or (isinstance(value, list | str) and not value)


def described(node: exp.Expr) -> str:
    """What messages call a construct: its name in SQL."""
    if isinstance(node, exp.Anonymous):
        return f"the function {node.name}"
    if isinstance(node, exp.Func):
        return f"the function {node.sql_name()}"
    return _WORD.sub(" ", type(node).__name__).upper()


_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a word of the parser's names begins."""
Place = exp.Expr | Parts
"""What an error points at."""
