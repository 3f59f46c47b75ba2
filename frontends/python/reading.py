"""What the parts of the lowering share: scopes, variables, and what each may ask of the others."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.scopes import Scope, Scopes

OPERATORS: Final = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~",
    ast.Not: "not",
}  # fmt: skip


class ModuleLowering(ABC):
    """A module that is lowered; `scope` is where names are looked up now."""

    def __init__(self, tree: ast.Module) -> None:
        self.scopes = Scopes(tree)
        self.scope: Scope = self.scopes.module
        self._made = 0

    def temporary(self) -> core.Local:
        """A new variable, which no source can name."""
        self._made += 1
        return core.Local(f"#{self._made}")

    def name(self, name: str) -> core.Place:
        """The variable that is assigned to under a name."""
        found = self.scopes.resolve(name, self.scope)
        assert not isinstance(found, core.Builtin)
        return found

    def all(self, nodes: Sequence[ast.expr]) -> tuple[core.Expression, ...]:
        """What expressions mean."""
        return tuple(map(self.expression, nodes))

    @abstractmethod
    def expression(self, node: ast.expr) -> core.Expression:
        """What an expression means."""

    @abstractmethod
    def keywords(self, nodes: list[ast.keyword]) -> tuple[tuple[str, core.Expression], ...]:
        """Arguments by name."""

    @abstractmethod
    def closure(
        self, name: str, arguments: ast.arguments, node: ast.AST, body: Callable[[], core.Body]
    ) -> core.MakeClosure:
        """A function with its default values."""

    @abstractmethod
    def block(self, nodes: Sequence[ast.stmt]) -> core.Body:
        """What statements mean, one after the other."""
