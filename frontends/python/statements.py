"""From `ast` to Core Python: statements and targets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain
from typing import Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.patterns import Patterns
from tallystick.frontends.python.reading import OPERATORS
from tallystick.frontends.python.scopes import mangled

_NONE: Final = core.Const(None)


class Statements(Patterns):
    """The part of `Lowering` that reads statements."""

    def block(self, nodes: Sequence[ast.stmt]) -> core.Body:
        """What statements mean, one after the other."""
        return tuple(chain.from_iterable(map(self.statement, nodes)))

    def statement(self, node: ast.stmt) -> Sequence[core.Statement]:
        """What a statement means."""
        read = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        if read is None:
            return [core.Unread(f"the statement `{type(node).__name__}`", node.lineno)]
        return read(node)

    # targets

    def target(self, node: ast.expr, value: core.Expression) -> list[core.Statement]:
        """What assigns a value, which is computed once and first, to a target."""
        match node:
            case ast.Name(id=name):
                return [core.Assign(self.name(name), value)]
            case ast.Subscript(value=of, slice=index):
                return [core.SetItem(self.expression(of), self.expression(index), value)]
            case ast.Attribute(value=of, attr=name):
                return [core.SetAttribute(self.expression(of), mangled(name, self.scope.class_name), value)]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._unpacked(parts, value)
        return [core.Unread(f"an assignment to `{type(node).__name__}`", node.lineno)]

    def _unpacked(self, parts: list[ast.expr], value: core.Expression) -> list[core.Statement]:
        """All items first, and then what the targets do with these, from left to right."""
        star = next((at for at, each in enumerate(parts) if isinstance(each, ast.Starred)), None)
        inner = [each.value if isinstance(each, ast.Starred) else each for each in parts]
        if all(isinstance(each, ast.Name) for each in inner):
            return [core.Unpack(tuple(self.name(each.id) for each in inner), star, value)]  # type: ignore[attr-defined]
        kept = [self.temporary() for _ in inner]
        after = chain.from_iterable(map(self.target, inner, kept))
        return [core.Unpack(tuple(kept), star, value), *after]

    def loop_target(self, node: ast.expr) -> tuple[core.Place, list[core.Statement]]:
        """The variable of a loop, and what takes it apart."""
        if isinstance(node, ast.Name):
            return self.name(node.id), []
        kept = self.temporary()
        return kept, self.target(node, kept)

    # simple statements

    def _read_expr(self, node: ast.Expr) -> Sequence[core.Statement]:
        match node.value:
            case ast.Constant():
                return []
            case ast.Yield(value=value):
                return [core.Yield(_NONE if value is None else self.expression(value))]
            case ast.YieldFrom(value=value):
                kept = self.temporary()  # no one sends to generators or throws into them: they have no such methods
                return [core.For(kept, self.expression(value), (core.Yield(kept),))]
        return [core.Do(self.expression(node.value))]

    def _read_assign(self, node: ast.Assign) -> Sequence[core.Statement]:
        value = self.expression(node.value)
        if len(node.targets) == 1:
            return self.target(node.targets[0], value)
        kept = self.temporary()
        return [core.Assign(kept, value), *chain.from_iterable(self.target(each, kept) for each in node.targets)]

    def _read_annassign(self, node: ast.AnnAssign) -> Sequence[core.Statement]:
        return [] if node.value is None else self.target(node.target, self.expression(node.value))

    def _read_augassign(self, node: ast.AugAssign) -> Sequence[core.Statement]:
        """`a op= b`: what `a` stands in is computed once, and `op=` may change its first operand in place."""
        operator, old, new = f"{OPERATORS[type(node.op)]}=", self.temporary(), self.temporary()

        def changed(before: core.Expression) -> list[core.Statement]:
            applied = core.Apply(operator, (old, self.expression(node.value)))
            return [core.Assign(old, before), core.Assign(new, applied)]

        match node.target:
            case ast.Name(id=name):
                place = self.name(name)
                return [*changed(place), core.Assign(place, new)]
            case ast.Subscript(value=of, slice=index):
                whole, at = self.temporary(), self.temporary()
                first = [core.Assign(whole, self.expression(of)), core.Assign(at, self.expression(index))]
                return [*first, *changed(core.Apply("item", (whole, at))), core.SetItem(whole, at, new)]
            case ast.Attribute(value=of, attr=name):
                whole, known = self.temporary(), mangled(name, self.scope.class_name)
                first = core.Assign(whole, self.expression(of))
                return [first, *changed(core.Attribute(whole, known)), core.SetAttribute(whole, known, new)]

    def _read_delete(self, node: ast.Delete) -> Sequence[core.Statement]:
        found: list[core.Statement] = []
        for each in node.targets:
            match each:
                case ast.Name(id=name):
                    found.append(core.Delete(self.name(name)))
                case ast.Subscript(value=of, slice=index):
                    found.append(core.Delete(core.Apply("item", self.all([of, index]))))
                case ast.Attribute(value=of, attr=name):
                    found.append(core.Delete(core.Attribute(self.expression(of), mangled(name, self.scope.class_name))))
                case _:
                    found.append(core.Unread("`del` of several in brackets", node.lineno))
        return found

    def _read_return(self, node: ast.Return) -> Sequence[core.Statement]:
        return [core.Return(_NONE if node.value is None else self.expression(node.value))]

    def _read_assert(self, node: ast.Assert) -> Sequence[core.Statement]:
        message = () if node.msg is None else (self.expression(node.msg),)
        failed = core.Raise(core.Call(core.Builtin("AssertionError"), message))
        return [core.Branch(self.expression(node.test), (), (failed,))]

    def _read_raise(self, node: ast.Raise) -> Sequence[core.Statement]:
        value, cause = (None if each is None else self.expression(each) for each in (node.exc, node.cause))
        return [core.Raise(value, cause)]

    def _read_break(self, node: ast.Break) -> Sequence[core.Statement]:
        return [core.Leave("break")]

    def _read_continue(self, node: ast.Continue) -> Sequence[core.Statement]:
        return [core.Leave("continue")]

    def _read_pass(self, node: ast.stmt) -> Sequence[core.Statement]:
        return []

    _read_global = _read_nonlocal = _read_pass

    def _read_import(self, node: ast.Import) -> Sequence[core.Statement]:
        """`import a.b` binds `a`, `import a.b as c` binds what `a` has under `b`."""
        found: list[core.Statement] = []
        for each in node.names:
            top, _, inner = each.name.partition(".")
            value: core.Expression = core.Import(each.name if each.asname else top, 0)
            if inner and not each.asname:
                found.append(core.Do(core.Import(each.name, 0)))
            found.append(core.Assign(self.name(each.asname or top), value))
        return found

    def _read_importfrom(self, node: ast.ImportFrom) -> Sequence[core.Statement]:
        module, level = node.module or "", node.level
        if node.names[0].name == "*":
            return [core.ImportAll(module, level)]
        return [
            core.Assign(self.name(each.asname or each.name), core.ImportName(module, level, each.name))
            for each in node.names
        ]

    # compound statements

    def _read_if(self, node: ast.If) -> Sequence[core.Statement]:
        return [core.Branch(self.expression(node.test), self.block(node.body), self.block(node.orelse))]

    def _read_for(self, node: ast.For) -> Sequence[core.Statement]:
        iterable = self.expression(node.iter)
        target, before = self.loop_target(node.target)
        return [core.For(target, iterable, (*before, *self.block(node.body)), self.block(node.orelse))]

    def _read_while(self, node: ast.While) -> Sequence[core.Statement]:
        return [core.While(self.expression(node.test), self.block(node.body), self.block(node.orelse))]

    def _read_try(self, node: ast.Try) -> Sequence[core.Statement]:
        handlers = tuple(
            core.Handler(
                None if each.type is None else self.expression(each.type),
                None if each.name is None else self.name(each.name),
                self.block(each.body),
            )
            for each in node.handlers
        )
        return [core.Try(self.block(node.body), handlers, self.block(node.orelse), self.block(node.finalbody))]

    def _read_with(self, node: ast.With) -> Sequence[core.Statement]:
        body = self.block(node.body)
        for each in reversed(node.items):
            target: core.Place = self.temporary()
            before: list[core.Statement] = []
            if each.optional_vars is not None:
                target, before = self.loop_target(each.optional_vars)
            body = (core.With(self.expression(each.context_expr), target, (*before, *body)),)
        return body

    def _read_functiondef(self, node: ast.FunctionDef) -> Sequence[core.Statement]:
        """Decorators are computed from the first on, before default values, and applied from the last on."""
        kept = [self.temporary() for _ in node.decorator_list]
        before = [
            core.Assign(each, self.expression(made)) for each, made in zip(kept, node.decorator_list, strict=True)
        ]
        value: core.Expression = self.closure(node.name, node.args, node, lambda: self.block(node.body))
        for each in reversed(kept):
            value = core.Call(each, (value,))
        return [*before, core.Assign(self.name(node.name), value)]

    def _read_classdef(self, node: ast.ClassDef) -> Sequence[core.Statement]:
        kept = [self.temporary() for _ in node.decorator_list]
        before = [
            core.Assign(each, self.expression(made)) for each, made in zip(kept, node.decorator_list, strict=True)
        ]
        bases, keywords = self.all(node.bases), self.keywords(node.keywords)
        outside, self.scope = self.scope, self.scopes.of[node]
        body = self.block(node.body)
        annotated = tuple(
            (each.target.id, self._annotation(each.annotation))
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        )
        captured = tuple(sorted(self.scope.captured))
        self.scope = outside
        value: core.Expression = core.MakeClass(node.name, bases, keywords, body, annotated, captured)
        for each in reversed(kept):
            value = core.Call(each, (value,))
        return [*before, core.Assign(self.name(node.name), value)]

    def _annotation(self, node: ast.expr) -> core.Expression:
        """An annotation, whose names are those of the class; a text stands for what is in it, which is not read."""
        return self.expression(node)
