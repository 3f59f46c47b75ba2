"""From `ast` to Core Python: expressions, functions and modules.

Lowering is total: what Core Python does not have becomes `Unread` where it stands, and only who comes to it stops.
Everything is evaluated as often, and in the order, as CPython does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.reading import OPERATORS
from tallystick.frontends.python.scopes import OWN_CLASS, Comprehension, mangled
from tallystick.frontends.python.statements import Statements
from tallystick.frontends.python.syntax import yields

_CONVERSIONS: Final = {115: "str", 114: "repr", 97: "ascii"}
_NONE: Final = core.Const(None)
_ITERATOR: Final = ".0"
"""The parameter of the function that a comprehension is: the iterator of its first iterable, as in CPython."""


class Places:
    """Where the nodes of a module come from, which no node says itself: equal code may stand in many places."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, ast.AST]] = {}

    def note(self, node: object, source: ast.AST) -> None:
        """Say what an object is made of; the innermost source of it counts."""
        self._known.setdefault(id(node), (node, source))

    def of(self, node: object) -> ast.AST | None:
        """What this very object is made of; None where nothing is known of it."""
        found = self._known.get(id(node))
        return None if found is None else found[1]

    def function(self, source: ast.AST) -> core.Function | None:
        """What is made of a definition, or of a lambda."""
        return next(
            (node for node, of in self._known.values() if of is source and isinstance(node, core.Function)), None
        )


@lru_cache(maxsize=64)
def lowered(tree: ast.Module) -> tuple[core.ModuleCode, Places]:
    """A module in Core Python, and where its nodes come from."""
    lowering = Lowering(tree)
    return core.ModuleCode(lowering.block(tree.body)), lowering.places


def lower(tree: ast.Module) -> core.ModuleCode:
    """A module in Core Python."""
    return lowered(tree)[0]


class Lowering(Statements):
    """Lowers one module."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__(tree)
        self.places = Places()
        self._first = ""  # the first parameter of the function that is read, which `super()` takes

    def expression(self, node: ast.expr) -> core.Expression:
        """What an expression means."""
        read = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        if read is None:
            return core.Unread(f"`{type(node).__name__}`", getattr(node, "lineno", 0))
        made = read(node)
        self.places.note(made, node)
        return made

    def statement(self, node: ast.stmt) -> Sequence[core.Statement]:
        """What a statement means."""
        made = super().statement(node)
        for each in made:
            self.places.note(each, node)
        return made

    def _read_constant(self, node: ast.Constant) -> core.Expression:
        return core.Const(node.value)

    def _read_name(self, node: ast.Name) -> core.Expression:
        return self.scopes.resolve(node.id, self.scope)

    def _read_tuple(self, node: ast.Tuple) -> core.Expression:
        return core.TupleOf(self.all(node.elts))

    def _read_list(self, node: ast.List) -> core.Expression:
        return core.New("list", self.all(node.elts))

    def _read_set(self, node: ast.Set) -> core.Expression:
        return core.New("set", self.all(node.elts))

    def _read_starred(self, node: ast.Starred) -> core.Expression:
        return core.Star(self.expression(node.value))

    def _read_dict(self, node: ast.Dict) -> core.Expression:
        items: list[core.Expression] = []
        for key, value in zip(node.keys, node.values, strict=True):
            pair = core.Star(self.expression(value)) if key is None else core.TupleOf(self.all([key, value]))
            items.append(pair)
        return core.New("dict", tuple(items))

    def _read_binop(self, node: ast.BinOp) -> core.Expression:
        return core.Apply(OPERATORS[type(node.op)], self.all([node.left, node.right]))

    def _read_unaryop(self, node: ast.UnaryOp) -> core.Expression:
        return core.Apply(OPERATORS[type(node.op)], (self.expression(node.operand),))

    def _read_boolop(self, node: ast.BoolOp) -> core.Expression:
        *first, result = self.all(node.values)
        for each in reversed(first):
            kept = self.temporary()
            choice = (result, kept) if isinstance(node.op, ast.And) else (kept, result)
            result = core.Block((core.Assign(kept, each),), core.If(kept, *choice))
        return result

    def _read_compare(self, node: ast.Compare) -> core.Expression:
        """Each operand once: `a < b < c` is `a < b and b < c`, with `b` in a variable of its own."""
        operands = self.all([node.left, *node.comparators])
        names: list[core.Expression] = [operands[0]]
        parts: list[core.Expression] = []
        for index, operator in enumerate(node.ops):
            right, before = operands[index + 1], ()
            if index + 1 < len(node.ops):
                kept = self.temporary()
                left = self.temporary()  # the left operand is computed before the one that gets a name
                before = (core.Assign(left, names[-1]), core.Assign(kept, right))
                test = core.Apply(OPERATORS[type(operator)], (left, kept))
                names.append(kept)
            else:
                test = core.Apply(OPERATORS[type(operator)], (names[-1], right))
            parts.append(core.Block(before, test) if before else test)
        *parts, result = parts
        for each in reversed(parts):
            kept = self.temporary()
            result = core.Block((core.Assign(kept, each),), core.If(kept, result, kept))
        return result

    def _read_ifexp(self, node: ast.IfExp) -> core.Expression:
        return core.If(*self.all([node.test, node.body, node.orelse]))

    def _read_namedexpr(self, node: ast.NamedExpr) -> core.Expression:
        target = self.name(node.target.id)
        return core.Block((core.Assign(target, self.expression(node.value)),), target)

    def _read_joinedstr(self, node: ast.JoinedStr) -> core.Expression:
        return core.Apply("concat", self.all(node.values))

    def _read_formattedvalue(self, node: ast.FormattedValue) -> core.Expression:
        value = self.expression(node.value)
        if node.conversion != -1:
            value = core.Call(core.Builtin(_CONVERSIONS[node.conversion]), (value,))
        spec = core.Const("") if node.format_spec is None else self.expression(node.format_spec)
        return core.Apply("format", (value, spec))

    def _read_attribute(self, node: ast.Attribute) -> core.Expression:
        return core.Attribute(self.expression(node.value), mangled(node.attr, self.scope.class_name))

    def _read_subscript(self, node: ast.Subscript) -> core.Expression:
        return core.Apply("item", self.all([node.value, node.slice]))

    def _read_slice(self, node: ast.Slice) -> core.Expression:
        bounds = (_NONE if each is None else self.expression(each) for each in (node.lower, node.upper, node.step))
        return core.Apply("slice", tuple(bounds))

    def _read_call(self, node: ast.Call) -> core.Expression:
        function, arguments = self.expression(node.func), self.all(node.args)
        if function == core.Builtin("super") and not arguments:
            arguments = (self.scopes.resolve(OWN_CLASS, self.scope), self.scopes.resolve(self._first, self.scope))
        return core.Call(function, arguments, self.keywords(node.keywords))

    def keywords(self, nodes: list[ast.keyword]) -> tuple[tuple[str, core.Expression], ...]:
        """Arguments by name."""
        return tuple((each.arg or "**", self.expression(each.value)) for each in nodes)

    def _read_lambda(self, node: ast.Lambda) -> core.Expression:
        return self.closure("<lambda>", node.args, node, lambda: (core.Return(self.expression(node.body)),))

    def closure(
        self, name: str, arguments: ast.arguments, node: ast.AST, body: Callable[[], core.Body]
    ) -> core.MakeClosure:
        """A function with its default values, which are computed where it is defined."""
        defaults = self.all(arguments.defaults)
        pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        by_name = tuple((self._known(each), self.expression(value)) for each, value in pairs if value is not None)
        return core.MakeClosure(self._function(name, arguments, node, body), defaults, by_name)

    def _known(self, parameter: ast.arg) -> str:
        return mangled(parameter.arg, self.scope.class_name)

    def _function(
        self, name: str, arguments: ast.arguments, node: ast.AST, body: Callable[[], core.Body]
    ) -> core.Function:
        outside, first = self.scope, self._first
        self.scope = scope = self.scopes.of[node]
        named = [*arguments.posonlyargs, *arguments.args]
        self._first = named[0].arg if named else ""
        lowered = body()
        function = core.Function(
            name,
            tuple(map(self._known, named)),
            len(arguments.posonlyargs),
            tuple(map(self._known, arguments.kwonlyargs)),
            arguments.vararg and self._known(arguments.vararg),
            arguments.kwarg and self._known(arguments.kwarg),
            lowered,
            tuple(sorted(scope.cells)),
            tuple(sorted(scope.captured)),
            any(map(yields, lowered)),
        )
        self.scope, self._first = outside, first
        self.places.note(function, node)
        return function

    def _read_listcomp(self, node: ast.ListComp) -> core.Expression:
        return self._filled(node, "list", "append", lambda: (self.expression(node.elt),))

    def _read_setcomp(self, node: ast.SetComp) -> core.Expression:
        return self._filled(node, "set", "add", lambda: (self.expression(node.elt),))

    def _read_dictcomp(self, node: ast.DictComp) -> core.Expression:
        return self._filled(node, "dict", "put", lambda: self.all([node.key, node.value]))

    def _filled(
        self, node: Comprehension, kind: str, how: str, item: Callable[[], tuple[core.Expression, ...]]
    ) -> core.Expression:
        """A comprehension is a function, as in CPython 3.11: a loop that fills a new object."""
        result = self.temporary()

        def body() -> core.Body:
            loop = self._loops(node.generators, lambda: core.Do(core.Apply(how, (result, *item()))))
            return core.Assign(result, core.New(kind, ())), loop, core.Return(result)

        return self._comprehension(f"<{kind}comp>", node, body)

    def _read_generatorexp(self, node: ast.GeneratorExp) -> core.Expression:
        return self._comprehension(
            "<genexpr>", node, lambda: (self._loops(node.generators, lambda: core.Yield(self.expression(node.elt))),)
        )

    def _comprehension(self, name: str, node: Comprehension, body: Callable[[], core.Body]) -> core.Expression:
        if any(each.is_async for each in node.generators):
            return core.Unread("an asynchronous comprehension", node.lineno)
        first = core.Apply("iterator", (self.expression(node.generators[0].iter),))
        given = ast.arguments([], [ast.arg(_ITERATOR)], None, [], [], None, [])
        function = self._function(name, given, node, body)
        return core.Call(core.MakeClosure(function), (first,))

    def _loops(
        self, generators: list[ast.comprehension], put: Callable[[], core.Statement], outermost: bool = True
    ) -> core.Statement:
        each, *others = generators
        iterable = core.Local(_ITERATOR) if outermost else self.expression(each.iter)
        target, before = self.loop_target(each.target)
        tests = self.all(each.ifs)
        inner = self._loops(others, put, False) if others else put()
        for test in reversed(tests):
            inner = core.Branch(test, (inner,))
        return core.For(target, iterable, (*before, inner))
