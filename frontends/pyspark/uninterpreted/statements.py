"""Statements and comprehensions of pure code."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.calls import Arguments
from tallystick.frontends.pyspark.uninterpreted.expressions import OPERATORS, Node, Typed
from tallystick.frontends.pyspark.uninterpreted.given_iterators import without_iter
from tallystick.frontends.pyspark.uninterpreted.loops import Loops
from tallystick.frontends.pyspark.uninterpreted.methods import CHANGES
from tallystick.frontends.pyspark.uninterpreted.names import Local, Scope
from tallystick.frontends.pyspark.uninterpreted.orders import is_totally_ordered_inside
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    INT,
    NEVER,
    NONE,
    NotPureError,
    PureType,
    inner,
    may_change,
    plain,
)

EXCEPTIONS: Final = (
    "ValueError",
    "KeyError",
    "IndexError",
    "LookupError",
    "ZeroDivisionError",
    "ArithmeticError",
    "TypeError",
    "AttributeError",
    "Exception",
    "AssertionError",
    "RuntimeError",
)
_PASSES: Final = 12


class Statements(Loops):
    """Reads the bodies of functions."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.returned: list[PureType] = []
        self.yielded: list[PureType] | None = None

    def body(self, code: ast.FunctionDef) -> Typed:
        """The body of a function and the type of what it returns; of a generator function, the list of its items."""
        outer, self.returned, yields, exits = self.returned, [], self.yielded, self.exits
        around, self.inside = self.inside, code
        generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(code))
        if generator and self.calls and not self.may_generate:
            message = "a generator function of a module is supported, of arguments that no code changes: return a list"
            raise NotPureError(code, message)
        self.yielded, self.exits = [] if generator else None, []
        try:
            found = self.block(code.body)
            if generator:
                of = self._joined(self.yielded or [], code)
                if self.calls and may_change(of):
                    raise NotPureError(code, "a generator that yields what may change is not supported: return a list")
                if self.calls:
                    return ("generator", *found), PureType("iterator", (of,))
                return ("generator", *found), self.fresh(code, "list", of)
            ends = () if _leaves(code.body) else (NONE,)
            return ("body", *found), self._joined([*self.returned, *ends], code)
        finally:
            self.returned, self.yielded, self.exits, self.inside = outer, yields, exits, around

    def _joined(self, types: list[PureType], node: ast.AST) -> PureType:
        joined = NEVER
        for each in types:
            joined = self.growth.join(joined, each, node)
        return joined

    def block(self, statements: list[ast.stmt]) -> tuple[Node, ...]:
        """Statements, one after the other."""
        found: list[Node] = []
        for each in without_iter(self, statements, self.inside):
            read = getattr(self, f"_read_{type(each).__name__.lower()}", None)
            if read is None:
                raise NotPureError(
                    each, f"the statement `{ast.unparse(each).splitlines()[0]}` is not supported in pure code"
                )
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                continue
            if (node := read(each)) is not None:
                found.append(node)
            if isinstance(each, ast.Return | ast.Break | ast.Continue | ast.Raise):
                break
        return tuple(found)

    def _read_pass(self, node: ast.Pass) -> None:
        del node

    def _read_return(self, node: ast.Return) -> Node:
        found, of = self.value(node.value) if node.value is not None else (("const", None), NONE)
        if self.yielded is None:
            self.returned.append(of)
        elif node.value is not None:
            raise NotPureError(node, "a generator function that returns a value is not supported")
        return "return", found

    def _read_expr(self, node: ast.Expr) -> Node:
        value = node.value
        if isinstance(value, ast.Yield | ast.YieldFrom) and self.yielded is not None:
            if isinstance(value, ast.YieldFrom):
                found, of = self.ordered_items(value.value)
                self.yielded.append(of)
                return "yield from", found
            found, of = self.value(value.value) if value.value is not None else (("const", None), NONE)
            self.yielded.append(of)
            return "yield", found
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            changed = self._changed(value, value.func) if self.imported(value.func) is None else None
            if changed is not None:
                return changed
        return "do", self.value(value)[0]

    def _changed(self, node: ast.Call, function: ast.Attribute) -> Node | None:
        """A method that changes its object, which must be of this code."""
        found, of = self.value(function.value)
        of = plain(of)
        if of.kind == "bag" and function.attr == "sort" and isinstance(function.value, ast.Name):
            return self._sorted_bag(node, function.value, found, of)
        takes = CHANGES.get(of.kind, {}).get(function.attr)
        if of in (NEVER, NONE):
            return "do", ("method", function.attr, found, *(self.expression(each)[0] for each in node.args))
        if takes is None:
            return None
        self.check_own(of, node)
        if function.attr == "sort":
            return self._sorted_list(node, found, of)
        if node.keywords or (len(node.args) != len(takes) and takes != "01"):
            raise NotPureError(node, f"`{function.attr}` is supported with {len(takes)} arguments by position")
        nodes = [self._added(of, letter, each, node) for letter, each in zip(takes, node.args, strict=False)]
        if function.attr == "remove":
            self.check_equality(inner(of)[0], inner(of)[0], node)
        return "do", ("method", function.attr, found, *nodes)

    def _added(self, of: PureType, letter: str, argument: ast.expr, node: ast.Call) -> Node:
        if letter == "d":
            found, its = self.value(argument)
            if plain(its).kind != "dict":
                raise NotPureError(node, "`update` is supported with a dict whose order is known")
            for mine, other in zip(of.cells, inner(plain(its)), strict=True):
                self.growth.add(mine, other, node)
            return found
        if letter == "*":
            found, item, ordered = self.iterable(argument)
            if not ordered and of.kind != "set":
                raise NotPureError(node, "the order of what is added is not known: `sorted(…)` of it is supported")
            self.growth.add(of.cells[0], item, node)
            return found
        found, its = self.value(argument)
        if letter in "01":
            self.growth.add(of.cells[int(letter)], its, node)
        elif letter == "i" and plain(its) not in (INT, BOOL):
            raise NotPureError(node, "the index is an int")
        elif letter == "c":
            raise NotPureError(node, "`subtract` is not supported")
        return found

    def _sort_arguments(self, node: ast.Call, found: Node, of: PureType, ordered: bool) -> tuple[Node, ...]:
        keywords: dict[str, ast.expr | Typed] = {each.arg or "": each.value for each in node.keywords}
        if node.args or not set(keywords) <= {"key", "reverse"}:
            raise NotPureError(node, "`sort` is supported with `key` and `reverse`")
        key, _ = self.sort_key(inner(of)[0], ordered, Arguments(node, [], keywords))
        return (key, self.whole(keywords["reverse"], node)) if "reverse" in keywords else (key,)

    def _sorted_list(self, node: ast.Call, found: Node, of: PureType) -> Node:
        if of.kind != "list":
            raise NotPureError(node, "`sort` is supported of lists")
        if any(each.arg == "reverse" for each in node.keywords[:-1]):
            raise NotPureError(node, "`reverse` is supported after `key`")
        return "sort", found, *self._sort_arguments(node, found, of, True)

    def _sorted_bag(self, node: ast.Call, name: ast.Name, found: Node, of: PureType) -> Node:
        """`xs.sort()` of a list that was made right before, from what has no order."""
        if of.name != "list" or not self.is_made_before(name.id, node):
            raise NotPureError(node, f"`sort` of a group is not supported here: `{name.id} = sorted({name.id})` is")
        keywords: dict[str, ast.expr | Typed] = {each.arg or "": each.value for each in node.keywords}
        if node.args or list(keywords) not in ([], ["key"], ["reverse"], ["key", "reverse"]):
            raise NotPureError(node, "`sort` is supported with `key` and `reverse`")
        key, seen = self.sort_key(inner(of)[0], False, Arguments(node, [], keywords))
        reverse = (self.whole(keywords["reverse"], node),) if "reverse" in keywords else ()
        self.bind(name.id, self.fresh(node, "list", seen), node)
        return "sort", found, key, *reverse

    def _read_assign(self, node: ast.Assign) -> Node | None:
        if isinstance(node.value, ast.Lambda) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self._check_defaults(node.value)
            self.bind(node.targets[0].id, Local(node.value, self.scope), node)
            return None
        if len(node.targets) > 1:
            found, of = self.value(node.value)
            self._check_kept(of, node)
            return "assign", tuple(self.place(each, of) for each in node.targets), found
        taken_apart = isinstance(node.targets[0], ast.Tuple | ast.List) and not self.trying
        found, of = self.expression(node.value) if taken_apart else self.value(node.value)
        self._check_kept(of, node)
        return "assign", (self.place(node.targets[0], of),), found

    def _check_kept(self, of: PureType, node: ast.stmt) -> None:
        if of.kind == "condition":
            raise NotPureError(node, "a value of different types cannot be kept under a name")

    def _read_annassign(self, node: ast.AnnAssign) -> Node | None:
        if node.value is None:
            return None
        found, of = self.value(node.value)
        self._check_kept(of, node)
        return "assign", (self.place(node.target, of),), found

    def place(self, node: ast.expr, of: PureType) -> Node:
        """Where a value is assigned: names, or a place of a list or dict of this code."""
        if not isinstance(node, ast.Subscript):
            return self.target(node, of)
        found, its = self.value(node.value)
        its = plain(its)
        index, by = self.value(node.slice) if not isinstance(node.slice, ast.Slice) else (("const", None), NONE)
        if its in (NEVER, NONE):
            return "place", found, index
        self.check_own(its, node)
        if its.kind in ("dict", "unordered dict"):
            self.growth.add(its.cells[0], by, node)
            self.growth.add(its.cells[1], of, node)
        elif its.kind in ("list", "deque") and not isinstance(node.slice, ast.Slice):
            self.item(its, index, by, node)
            self.growth.add(its.cells[0], of, node)
        else:
            raise NotPureError(node, f"a place of values of the type {its} cannot be assigned")
        return "place", found, index

    def _read_augassign(self, node: ast.AugAssign) -> Node:
        sign = OPERATORS.get(type(node.op))
        if sign is None or sign == "**":
            raise NotPureError(node, "this operator is not supported in pure code")
        value, right = self.value(node.value)
        if isinstance(node.target, ast.Subscript):
            found, its = self.value(node.target.value)
            its = plain(its)
            index, by = self.value(node.target.slice)
            if its in (NEVER, NONE):
                return "augment", sign, ("place", found, index), value
            self.check_own(its, node)
            left = self.item(its, index, by, node)
            if its.kind in ("dict", "unordered dict"):
                self.growth.add(its.cells[0], by, node)
            gives = self._augmented(sign, left, right, node)
            self.growth.add(its.cells[-1], gives, node)
            return "augment", sign, ("place", found, index), value
        if not isinstance(node.target, ast.Name):
            raise NotPureError(node, "names and places of lists and dicts can be assigned")
        name, left = self.value(node.target)
        gives = self._augmented(sign, left, right, node)
        self.bind(node.target.id, gives, node)
        return "augment", sign, name, value

    def _augmented(self, sign: str, left: PureType, right: PureType, node: ast.AugAssign) -> PureType:
        """The type after `+=`; lists and sets change, and must be of this code."""
        of = plain(left)
        if of.kind in ("list", "set", "deque"):
            self.check_own(of, node)
            if of.kind == "set" and sign in ("|", "&", "-", "^") and plain(right).kind == "set":
                self.growth.add(of.cells[0], inner(plain(right))[0], node)
                return left
            if of.kind == "list" and sign == "+":
                item, ordered = self.items(right, node)
                if not ordered:
                    raise NotPureError(node, "the order of what is added is not known: `sorted(…)` of it is supported")
                self.growth.add(of.cells[0], item, node)
                return left
            raise NotPureError(node, f"`{sign}=` of values of the type {left} is not supported")
        if of.kind in ("dict", "unordered dict"):
            raise NotPureError(node, "`|=` of dicts is not supported: `update` is")
        return self.operation(sign, left, right, node)

    def _read_functiondef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            raise NotPureError(node, "decorators are not supported")
        self._check_defaults(node)
        self.bind(node.name, Local(node, self.scope), node)

    def _check_defaults(self, node: ast.FunctionDef | ast.Lambda) -> None:
        if not all(isinstance(each, ast.Constant | ast.Name) for each in node.args.defaults):
            raise NotPureError(node, "default values that are constants are supported")

    def _read_if(self, node: ast.If) -> Node:
        test = self.condition(node.test)
        before = dict(self.scope.known)
        self.narrow(node.test, True)
        one = self.block(node.body)
        after = self.scope.known
        self.scope.known = before
        self.narrow(node.test, False)
        other = self.block(node.orelse)
        if _leaves(node.body):
            pass
        elif _leaves(node.orelse):
            self.scope.known = after
        else:
            self.merge(self.scope.known, after, node)
        return "if", test, one, other

    def _read_raise(self, node: ast.Raise) -> Node:
        name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not isinstance(name, ast.Name) or name.id not in EXCEPTIONS or self.find(name.id, node) is not None:
            raise NotPureError(node, f"exceptions that are raised: {', '.join(EXCEPTIONS)}")
        given = [*node.exc.args, *(each.value for each in node.exc.keywords)] if isinstance(node.exc, ast.Call) else []
        if not isinstance(node.cause, ast.Name | ast.Constant | None):
            raise NotPureError(node, "`raise … from` is supported with a name")
        return "raise", name.id, *self._said(given)

    def _said(self, given: list[ast.expr]) -> list[Node]:
        """What an exception says is never seen; where exceptions are caught, making it may raise another one."""
        return [self.value(each)[0] for each in given if self.trying and not isinstance(each, ast.Constant)]

    def _read_assert(self, node: ast.Assert) -> Node:
        said = self._said([node.msg] if node.msg is not None else [])
        return "if", self.condition(node.test), (), (("raise", "AssertionError", *said),)

    def _read_try(self, node: ast.Try) -> Node:
        """`try`: the names after it are those of the body or a handler."""
        if node.finalbody:
            raise NotPureError(node, "`finally` is not supported")
        seen = dict(self.scope.known)
        self.observers.append(seen)
        self.trying += 1
        try:
            body = self.block(node.body)
        finally:
            self.observers.pop()
            self.trying -= 1
        rest = self.block(node.orelse)
        ends = [] if _leaves([*node.body, *node.orelse]) else [self.scope.known]
        handlers = []
        for handler in node.handlers:
            self.scope.known = dict(seen)
            handlers.append((self._caught(handler), self.block(handler.body)))
            if not _leaves(handler.body):
                ends.append(self.scope.known)
        first, *others = ends or [seen]
        self.scope.known = dict(first)
        for each in others:
            self.merge(self.scope.known, each, node)
        return "try", body, tuple(handlers), rest

    def _caught(self, handler: ast.ExceptHandler) -> tuple[str, ...]:
        nodes = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = []
        for each in nodes:
            if not isinstance(each, ast.Name) or each.id not in EXCEPTIONS or self.find(each.id, each) is not None:
                raise NotPureError(handler, f"exceptions that are caught: {', '.join(EXCEPTIONS)}")
            names.append(each.id)
        if handler.name and any(
            isinstance(e, ast.Name) and e.id == handler.name for s in handler.body for e in ast.walk(s)
        ):
            raise NotPureError(handler, "what an exception says is not read")
        return tuple(names)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> tuple[list[Node], bool]:
        """The clauses of a comprehension, and whether the order of its items is known; leaves its scope open."""
        clauses: list[Node] = []
        every = True
        outer = self.scope
        for index, each in enumerate(node.generators):
            if each.is_async:
                raise NotPureError(node, "`async` is not supported")
            found, of, ordered = self.iterable(each.iter)
            every = every and ordered
            if index == 0:
                names = {e.id for g in node.generators for e in ast.walk(g.target) if isinstance(e, ast.Name)}
                self.scope = self.comprehension_scope(frozenset(names))
            clauses.append(("for", self.target(each.target, of), found))
            for test in each.ifs:
                clauses.append(("if", self.condition(test)))
                self.narrow(test, True)
        if not every and self.trying:
            self.scope = outer
            raise NotPureError(node, "inside of `try`, what has no order is not iterated: which exception comes first?")
        return clauses, every

    def _elements(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> tuple[list[Node], Typed, bool]:
        outer = self.scope
        try:
            clauses, ordered = self._comprehension(node)
            element = self.value(node.elt)
            if not ordered:
                self.check_effects((*clauses, element[0]), node)
            return clauses, element, ordered
        finally:
            self.scope = outer

    def _read_listcomp(self, node: ast.ListComp) -> Typed:
        clauses, (element, of), ordered = self._elements(node)
        found = ("comprehension", "list", element, *clauses)
        return found, self.fresh(node, "list", of) if ordered else PureType("bag", (of,), "list")

    def _read_setcomp(self, node: ast.SetComp) -> Typed:
        clauses, (element, of), _ = self._elements(node)
        return ("comprehension", "set", element, *clauses), self.fresh(node, "set", of)

    def _read_generatorexp(self, node: ast.GeneratorExp) -> Typed:
        clauses, (element, of), ordered = self._elements(node)
        return ("comprehension", "generator", element, *clauses), PureType(
            "iterator" if ordered else "unordered iterator", (of,)
        )

    def _read_dictcomp(self, node: ast.DictComp) -> Typed:
        outer = self.scope
        try:
            clauses, ordered = self._comprehension(node)
            (key, by), (value, of) = self.value(node.key), self.value(node.value)
        finally:
            self.scope = outer
        if not ordered:
            self.check_effects((*clauses, key, value), node)
            fors = [each for each in clauses if each[0] == "for"]
            constant = value[0] == "const" or value == key
            whole = len(fors) == 1 and _is_whole(key, fors[0][1])
            if not ((constant or whole) and is_totally_ordered_inside(by)):
                raise NotPureError(node, "a dict of what has no order is supported where its keys tell all items apart")
        found = ("comprehension", "dict", ("tuple", key, value), *clauses)
        return found, self.fresh(node, "dict" if ordered else "unordered dict", by, of)


def _is_whole(key: Node, target: Node) -> bool:
    """Whether a key holds all of an item."""
    if key == target:
        return True
    both = target[0] == key[0] == "tuple"
    return both and all(each[0] == "var" and each in key[1:] for each in target[1:])


def _leaves(statements: list[ast.stmt]) -> bool:
    """Whether control never goes on after these statements."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    if isinstance(last, ast.Try):
        return _leaves([*last.body, *last.orelse]) and all(_leaves(each.body) for each in last.handlers)
    return isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)


def _own(code: ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function, without those of the functions inside."""
    waiting: list[ast.AST] = list(code.body)
    found: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found
