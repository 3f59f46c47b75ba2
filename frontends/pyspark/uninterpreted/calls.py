"""Calls in pure code: builtins, methods, functions of the code and of modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.checks import has_effects
from tallystick.frontends.pyspark.uninterpreted.expressions import Node, Typed
from tallystick.frontends.pyspark.uninterpreted.given_generators import as_list, is_gone_through_once, stays_as_it_is
from tallystick.frontends.pyspark.uninterpreted.methods import CONSTRUCTORS, PATTERN_METHODS, TEXT_METHODS, TIME_METHODS
from tallystick.frontends.pyspark.uninterpreted.names import Compiled, Helper, Known, Local, RecordClass
from tallystick.frontends.pyspark.uninterpreted.places import Places
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    INT,
    NEVER,
    NONE,
    TEXT,
    NotPureError,
    PureType,
    bag_of,
    celled,
    inner,
    may_change,
    optional,
    plain,
    tuple_of,
)

_MOST_CALLS: Final = 12
"""Functions in functions that are read."""
_MOST_READ: Final = 5_000
_FORM: Final = re.compile("([^%]|%[YymdHMSfjaAbBpuwVGUWI%])*", re.DOTALL)
"""What dates are written in and read from: nothing that asks for a time zone or another library."""
_SHORT: Final = {"t": TEXT, "i": INT, "f": TEXT}
_MODULES: Final = (
    "bisect",
    "builtins",
    "math",
    "itertools",
    "collections",
    "functools",
    "heapq",
    "statistics",
    "operator",
    "datetime",
    "decimal",
    "re",
)


@dataclass
class Arguments:
    """What a function is called with: expressions, or values that are read."""

    node: ast.AST
    positional: list[ast.expr | Typed]
    keywords: dict[str, ast.expr | Typed]


class Calls(Places):
    """Reads calls; `body` is added by statements.py."""

    may_generate = False
    """Whether the function that is read may make its items at once."""

    def body(self, code: ast.FunctionDef) -> Typed:
        """The body of a function and the type of what it returns."""
        raise NotImplementedError

    def _read_call(self, node: ast.Call) -> Typed:
        positional: list[ast.expr | Typed] = []
        for each in node.args:
            positional += self._spread(each) if isinstance(each, ast.Starred) else [each]
        keywords: dict[str, ast.expr | Typed] = {}
        for each in node.keywords:
            if each.arg is None:
                raise NotPureError(node, "`**` in a call is not supported: arguments by name are")
            keywords[each.arg] = each.value
        arguments = Arguments(node, positional, keywords)
        if isinstance(node.func, ast.Attribute) and self.imported(node.func) is None:
            return self._called_method(node.func, arguments)
        return self.called(node.func, arguments)

    def _spread(self, node: ast.Starred) -> list[ast.expr | Typed]:
        found, of = self.value(node.value)
        if of.kind not in ("tuple", "record") or found[0] != "var":
            raise NotPureError(node, "`*` in a call is supported of a name for a tuple with a known number of items")
        return [(("at", found, ("const", i)), each) for i, each in enumerate(inner(of))]

    def read(self, argument: ast.expr | Typed) -> Typed:
        """The value of an argument."""
        return self.value(argument) if isinstance(argument, ast.expr) else argument

    def read_iterable(self, argument: ast.expr | Typed, node: ast.AST) -> tuple[Node, PureType, bool]:
        """An argument that is iterated at once: its items' type, and whether their order is known."""
        if isinstance(argument, ast.expr):
            return self.iterable(argument)
        return argument[0], *self.items(argument[1], node)

    def called(self, function: ast.expr, arguments: Arguments) -> Typed:
        """The call of what an expression stands for; raises NotPureError."""
        if isinstance(function, ast.Lambda):
            return self._applied(function, Local(function, self.scope), arguments)
        if isinstance(function, ast.Name):
            found = self.find(function.id, function)
            if isinstance(found, tuple):
                if not isinstance(found[1], Local):
                    raise NotPureError(function, f"`{function.id}` is called, and is a value of the type {found[1]}")
                return self._applied(found[1].code, found[1], arguments)
            if found is None:
                return self.named(f"builtins.{function.id}", arguments)
            return self._known(found, arguments)
        if (name := self.imported(function)) is not None:
            return self.named(name, arguments)
        raise NotPureError(function, f"`{ast.unparse(function)}` is no function that is supported in pure code")

    def _known(self, found: Known, arguments: Arguments) -> Typed:
        if isinstance(found, Helper):
            return self._applied(found.code, found, arguments)
        if isinstance(found, RecordClass):
            return self._record(found.of, arguments)
        if hasattr(found, "name"):
            return self.named(str(getattr(found, "name")), arguments)  # noqa: B009
        raise NotPureError(arguments.node, "a constant cannot be called")

    def _record(self, of: PureType, arguments: Arguments) -> Typed:
        names = of.fields[len(arguments.positional) :]
        in_order = tuple(arguments.keywords) == names
        if set(arguments.keywords) != set(names) or not (in_order or not self.trying):
            raise NotPureError(arguments.node, f"a record is made of its fields in order: {', '.join(of.fields)}")
        items = [self.read(each) for each in (*arguments.positional, *(arguments.keywords[name] for name in names))]
        if not in_order and any(has_effects(found) for found, _ in items):
            raise NotPureError(arguments.node, f"a record is made of its fields in order: {', '.join(of.fields)}")
        inside = tuple(
            self.growth.join(is_, declared, arguments.node) for (_, is_), declared in zip(items, of.of, strict=True)
        )
        return ("tuple", *(found for found, _ in items)), PureType("record", inside, of.name, of.fields, (), of.ordered)

    def _applied(self, code: ast.FunctionDef | ast.Lambda, of: Local | Helper, arguments: Arguments) -> Typed:
        """A call of a function of the code, or of a module: its body is read with the types of the arguments."""
        values: list[Typed] = [self.read(each) for each in self._arguments_of(code, of, arguments)]
        fun, gives = self.function_of(code, of, [each for _, each in values], arguments.node)
        return ("apply", fun, *(found for found, _ in values)), gives

    def _arguments_of(
        self, code: ast.FunctionDef | ast.Lambda, of: Local | Helper, arguments: Arguments
    ) -> list[ast.expr | Typed]:
        """The arguments by position; generators are lists, where the function goes through them once."""
        names = [each.arg for each in (*code.args.posonlyargs, *code.args.args)]
        found = _by_position(code, arguments)
        for place, (name, each) in enumerate(zip(names, found, strict=True)):
            if not isinstance(each, ast.GeneratorExp) or self.trying or not stays_as_it_is(self, each):
                continue
            if is_gone_through_once(code, name, lambda called: self._is_builtin(called, of)):
                found[place] = as_list(self, each)
        return found

    def _is_builtin(self, name: str, of: Local | Helper) -> bool:
        """Whether a name stands for Python's own function where a function stands."""
        scope = of.scope if isinstance(of, Local) else None
        while scope is not None:
            if name in scope.bound:
                return False
            scope = scope.parent
        return (of.scope.resolve if isinstance(of, Local) else of.resolve)(name) is None

    def outermost(self, code: ast.FunctionDef | ast.Lambda, of: Local, types: list[PureType]) -> Typed:
        """The function that is read, which may be a generator function: of that, the list of its items."""
        self.calls = ()
        self.scope = self.function_scope(code, of.scope, of.scope.resolve)
        names = [each.arg for each in (*code.args.posonlyargs, *code.args.args)]
        parameters = tuple(self.bind(name, each, code) for name, each in zip(names, types, strict=True))
        body, gives = self.body(code) if isinstance(code, ast.FunctionDef) else self.value(code.body)
        return ("fun", parameters, body), gives

    def function_of(
        self, code: ast.FunctionDef | ast.Lambda, of: Local | Helper, types: list[PureType], node: ast.AST
    ) -> Typed:
        """A function for arguments of these types, and the type of what it gives."""
        self.read_calls += 1
        if len(self.calls) >= _MOST_CALLS or self.read_calls > _MOST_READ:
            raise NotPureError(node, f"more than {_MOST_CALLS} functions in functions, or recursion, are not supported")
        around, outer, resolve = (
            (of.scope, self.scope, of.scope.resolve) if isinstance(of, Local) else (None, self.scope, of.resolve)
        )
        names = [each.arg for each in (*code.args.posonlyargs, *code.args.args)]
        if isinstance(code, ast.FunctionDef) and code.decorator_list:
            raise NotPureError(code, "decorators are not supported")
        self.scope = self.function_scope(code, around, resolve)
        self.calls = (*self.calls, id(node))
        observers, self.observers = self.observers, []
        generates, self.may_generate = self.may_generate, self._may_generate(of, types)
        try:
            parameters = tuple(self.bind(name, each, code) for name, each in zip(names, types, strict=True))
            body, gives = self.body(code) if isinstance(code, ast.FunctionDef) else self.value(code.body)
        finally:
            self.scope, self.calls, self.observers = outer, self.calls[:-1], observers
            self.may_generate = generates
        return ("fun", parameters, body), gives

    def _may_generate(self, of: Local | Helper, types: list[PureType]) -> bool:
        """Whether a function may be a generator function: what it looks at stays as it is."""
        return isinstance(of, Helper) and not self.trying and not any(map(may_change, types))

    def function(self, argument: ast.expr | Typed, types: list[PureType], node: ast.AST) -> Typed:
        """An argument that is a function of values of these types: `("fun", parameters, body)`, and what it gives."""
        if not isinstance(argument, ast.expr):
            raise NotPureError(node, "a function is expected here")
        if isinstance(argument, ast.Lambda):
            return self._function_of_code(argument, Local(argument, self.scope), types, node)
        found = self.find(argument.id, argument) if isinstance(argument, ast.Name) else None
        if isinstance(found, tuple) and isinstance(found[1], Local):
            return self._function_of_code(found[1].code, found[1], types, node)
        if isinstance(found, Helper):
            return self._function_of_code(found.code, found, types, node)
        self.scopes += 1
        parameters = tuple(("var", f"argument{i}#{self.scopes}") for i in range(len(types)))
        values: list[ast.expr | Typed] = list(zip(parameters, types, strict=True))
        self.calls = (*self.calls, id(node))
        try:
            body, gives = self._called_function(argument, values, node)
        finally:
            self.calls = self.calls[:-1]
        return ("fun", parameters, body), gives

    def _function_of_code(
        self, code: ast.FunctionDef | ast.Lambda, of: Local | Helper, types: list[PureType], node: ast.AST
    ) -> Typed:
        if len(_by_position(code, Arguments(node, [(("const", None), each) for each in types], {}))) != len(types):
            raise NotPureError(node, "functions of items with other parameters are not supported")
        return self.function_of(code, of, types, node)

    def _called_function(self, argument: ast.expr, values: list[ast.expr | Typed], node: ast.AST) -> Typed:
        """What a function that an expression makes or names gives: `itemgetter(1)`, `str.lower`, `len`."""
        if isinstance(argument, ast.Call) and len(values) == 1 and not argument.keywords:
            name = self.imported(argument.func)
            (found, of), parts = self.read(values[0]), argument.args
            if name == "operator.itemgetter" and parts:
                return _one_or_tuple([self.item_of((found, of), self.value(each), node) for each in parts])
            if name == "operator.attrgetter" and parts and plain(of).kind == "record":
                items = []
                for each in parts:
                    if not isinstance(each, ast.Constant) or each.value not in plain(of).fields:
                        raise NotPureError(each, "attributes are the names of fields, as constants")
                    place = plain(of).fields.index(each.value)
                    items.append((("at", found, ("const", place)), inner(plain(of))[place]))
                return _one_or_tuple(items)
        if isinstance(argument, ast.Attribute) and isinstance(argument.value, ast.Name):
            name = argument.value.id
            if name == "str" and self.find(name, argument) is None:
                return self.method(argument.attr, self.read(values[0]), Arguments(node, values[1:], {}))
            if argument.attr in ("get", "__getitem__", "index", "count"):
                return self.method(argument.attr, self.value(argument.value), Arguments(node, values, {}))
        return self.called(argument, Arguments(node, values, {}))

    def simple(self, name: str, takes: str, arguments: Arguments) -> list[Node]:
        """Arguments of simple types, as the letters of methods.py say; raises NotPureError."""
        needed = takes.index("?") if "?" in takes else len(takes)
        letters = takes.replace("?", "")
        if arguments.keywords or not needed <= len(arguments.positional) <= len(letters):
            raise NotPureError(arguments.node, f"`{name}` is supported with {needed} to {len(letters)} arguments")
        found: list[Node] = []
        for letter, argument in zip(letters, arguments.positional, strict=False):
            if letter == "s":
                node, item, ordered = self.read_iterable(argument, arguments.node)
                if plain(item) not in (TEXT, NEVER, NONE) or not ordered:
                    raise NotPureError(arguments.node, f"`{name}` is supported of texts in a known order")
                found.append(node)
                continue
            node, of = self.read(argument)
            allowed = {"n": (TEXT, NONE), "p": (TEXT,), "i": (INT, BOOL, NONE)}.get(letter, (_SHORT.get(letter, TEXT),))
            texts = letter == "p" and of.kind in ("tuple", "sequence") and set(map(plain, inner(of))) <= {TEXT}
            if plain(of) not in (*allowed, NEVER, NONE) and not texts:
                raise NotPureError(arguments.node, f"an argument of `{name}` is of the type {of}")
            if letter == "f" and not (node[0] == "const" and _FORM.fullmatch(str(node[1]))):
                raise NotPureError(arguments.node, f"`{name}` is supported with a constant form without time zones")
            found.append(node)
        return found

    def _called_method(self, function: ast.Attribute, arguments: Arguments) -> Typed:
        of = function.value.id if isinstance(function.value, ast.Name) else ""
        if of == "dict" and function.attr == "fromkeys" and self.find(of, function) is None:
            return self.named("builtins.dict_fromkeys", arguments)
        if of == "str" and self.find(of, function) is None and arguments.positional:
            return self.method(function.attr, self.read(arguments.positional[0]), _without_first(arguments))
        known = None if not of or function.attr not in PATTERN_METHODS else self.find(of, function)
        if isinstance(known, Compiled):
            arguments.positional.insert(0, (("const", known.pattern), TEXT))
            return self.named(f"re.{function.attr}", arguments)
        return self.method(function.attr, self.expression(function.value), arguments)

    def method(self, name: str, receiver: Typed, arguments: Arguments) -> Typed:
        """A call of a method that changes nothing; raises NotPureError."""
        found, of = receiver[0], plain(receiver[1])
        if of in (NEVER, NONE):
            nodes = [self.read(each)[0] for each in arguments.positional]
            return ("method", name, found, *nodes), NEVER
        table = TEXT_METHODS.get(name) if of == TEXT else TIME_METHODS.get((of.kind, name))
        if table is not None:
            if name == "split" and "maxsplit" in arguments.keywords:
                arguments.positional.append(arguments.keywords.pop("maxsplit"))
            gives = celled(table[1], False) if table[1].kind == "list" else table[1]
            if gives.kind == "list":
                gives = self.fresh(arguments.node, "list", TEXT)
            return ("method", name, found, *self.simple(name, table[0], arguments)), gives
        read: Callable[[Node, PureType, Arguments], Typed] | None = getattr(self, f"method_{name}", None)
        if read is None:
            raise NotPureError(arguments.node, f"the method `{name}` of values of the type {of} is not supported here")
        return read(found, of, arguments)

    def _no_more(self, arguments: Arguments, least: int, most: int) -> list[Typed]:
        if arguments.keywords or not least <= len(arguments.positional) <= most:
            raise NotPureError(arguments.node, f"this method is supported with {least} to {most} arguments")
        return [self.read(each) for each in arguments.positional]

    def method_get(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.get(key)` and `d.get(key, value)`."""
        if of.kind not in ("dict", "unordered dict"):
            raise NotPureError(arguments.node, f"`get` of values of the type {of} is not supported")
        values = self._no_more(arguments, 1, 2)
        self.check_equality(plain(values[0][1]), plain(inner(of)[0]), arguments.node)
        gives = inner(of)[1]
        gives = optional(gives) if len(values) == 1 else self.growth.join(gives, values[1][1], arguments.node)
        if len(values) == 1 and inner(of)[1] == NEVER:
            gives = NONE
        return ("method", "get", found, *(each for each, _ in values)), gives

    def method___getitem__(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.__getitem__` as a function."""
        (index,) = self._no_more(arguments, 1, 1)
        return self.item_of((found, of), index, arguments.node)

    def _of_dict(self, name: str, found: Node, of: PureType, arguments: Arguments) -> Typed:
        self._no_more(arguments, 0, 0)
        if of.kind not in ("dict", "unordered dict"):
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        key, value = inner(of)
        item = {"keys": key, "values": value, "items": tuple_of(key, value)}[name]
        return ("method", name, found), PureType("iterator", (item,)) if of.kind == "dict" else bag_of(item)

    def method_keys(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.keys()`."""
        return self._of_dict("keys", found, of, arguments)

    def method_values(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.values()`."""
        return self._of_dict("values", found, of, arguments)

    def method_items(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.items()`."""
        return self._of_dict("items", found, of, arguments)

    def method_copy(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`xs.copy()`."""
        self._no_more(arguments, 0, 0)
        if of.kind not in ("list", "set", "dict", "unordered dict", "deque"):
            raise NotPureError(arguments.node, f"`copy` of values of the type {of} is not supported")
        return ("method", "copy", found), self.fresh(arguments.node, of.kind, *inner(of))

    def method_index(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`xs.index(x)`."""
        return self._searched("index", found, of, arguments)

    def method_count(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`xs.count(x)`."""
        return self._searched("count", found, of, arguments)

    def _searched(self, name: str, found: Node, of: PureType, arguments: Arguments) -> Typed:
        ((item, by),) = self._no_more(arguments, 1, 1)
        if of.kind not in ("list", "tuple", "sequence", "deque") and not (of.kind == "bag" and name == "count"):
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        self.check_membership((item, by), (found, of), arguments.node)
        return ("method", name, found, item), INT

    def _of_sets(self, name: str, found: Node, of: PureType, arguments: Arguments) -> Typed:
        if of.kind != "set" or arguments.keywords:
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        nodes, item = [], inner(of)[0]
        for each in arguments.positional:
            node, its, _ = self.read_iterable(each, arguments.node)
            nodes.append(node)
            item = self.growth.join(item, its, arguments.node)
        gives = BOOL if name.startswith("is") else self.fresh(arguments.node, "set", item)
        return ("method", name, found, *nodes), gives

    def method_union(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.union(t)`."""
        return self._of_sets("union", found, of, arguments)

    def method_intersection(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.intersection(t)`."""
        return self._of_sets("intersection", found, of, arguments)

    def method_difference(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.difference(t)`."""
        return self._of_sets("difference", found, of, arguments)

    def method_issubset(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.issubset(t)`."""
        return self._of_sets("issubset", found, of, arguments)

    def method_issuperset(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.issuperset(t)`."""
        return self._of_sets("issuperset", found, of, arguments)

    def method_isdisjoint(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`s.isdisjoint(t)`."""
        return self._of_sets("isdisjoint", found, of, arguments)

    def method_most_common(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`Counter(xs).most_common(n)`: ties stand in the order of the first items."""
        values = self._no_more(arguments, 0, 1)
        self._check_whole([each for _, each in values], arguments.node)
        if of.kind != "dict":
            raise NotPureError(arguments.node, "`most_common` of what has no order is not known: sort the items")
        return ("method", "most_common", found, *(each for each, _ in values)), self.fresh(
            arguments.node, "list", tuple_of(*inner(of))
        )

    def method_setdefault(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`d.setdefault(key, value)`, of a dict of this code."""
        (key, by), (value, its) = self._no_more(arguments, 2, 2)
        if of.kind not in ("dict", "unordered dict"):
            raise NotPureError(arguments.node, f"`setdefault` of values of the type {of} is not supported")
        self.check_own(of, arguments.node)
        self.growth.add(of.cells[0], by, arguments.node)
        self.growth.add(of.cells[1], its, arguments.node)
        return ("method", "setdefault", found, key, value), inner(of)[1]

    def method_pop(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`xs.pop()`, of a list of this code."""
        return self._popped("pop", found, of, arguments)

    def method_popleft(self, found: Node, of: PureType, arguments: Arguments) -> Typed:
        """`xs.popleft()`, of a deque of this code."""
        return self._popped("popleft", found, of, arguments)

    def _popped(self, name: str, found: Node, of: PureType, arguments: Arguments) -> Typed:
        values = self._no_more(arguments, 0, 2)
        self.check_own(of, arguments.node)
        if of.kind in ("dict", "unordered dict") and values:
            self.check_equality(plain(values[0][1]), plain(inner(of)[0]), arguments.node)
            gives = inner(of)[1]
            gives = gives if len(values) == 1 else self.growth.join(gives, values[1][1], arguments.node)
        elif of.kind in ("list", "deque"):
            self._check_whole([each for _, each in values], arguments.node)
            gives = inner(of)[0]
        else:
            raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        return ("method", name, found, *(each for each, _ in values)), gives

    def _check_whole(self, types: list[PureType], node: ast.AST) -> None:
        if any(plain(each) not in (INT, BOOL, NONE, NEVER) for each in types):
            raise NotPureError(node, "this argument is an int")

    def check_own(self, of: PureType, node: ast.AST) -> None:
        """Whether objects of a type may be changed: they are of this code; raises NotPureError."""
        if not of.cells or any(cell.root().fixed for cell in of.cells):
            raise NotPureError(node, "what comes from outside cannot be changed: change a copy, such as `list(…)`")

    def named(self, name: str, arguments: Arguments) -> Typed:
        """A call of a function of Python by its full name; raises NotPureError."""
        if name in CONSTRUCTORS:
            takes, gives = CONSTRUCTORS[name]
            return ("call", name, *self.simple(name, takes, arguments)), gives
        known = name.partition(".")[0] in _MODULES
        read: Callable[[Arguments], Typed] | None = (
            getattr(self, "call_" + name.replace(".", "_").lower(), None) if known else None
        )
        if read is None:
            raise NotPureError(
                arguments.node, f"the function `{name.removeprefix('builtins.')}` is not supported in pure code"
            )
        return read(arguments)


def _one_or_tuple(items: list[Typed]) -> Typed:
    if len(items) == 1:
        return items[0]
    return ("tuple", *(found for found, _ in items)), tuple_of(*(of for _, of in items))


def _without_first(arguments: Arguments) -> Arguments:
    return Arguments(arguments.node, arguments.positional[1:], arguments.keywords)


def _by_position(code: ast.FunctionDef | ast.Lambda, arguments: Arguments) -> list[ast.expr | Typed]:
    """The arguments of a function in the order of its parameters, with constants for those that are missing."""
    args = code.args
    names = [each.arg for each in (*args.posonlyargs, *args.args)]
    if args.vararg or args.kwarg or args.kwonlyargs:
        raise NotPureError(code, "functions with a fixed number of parameters are supported")
    given = dict(zip(names, arguments.positional, strict=False))
    if (
        len(arguments.positional) > len(names)
        or set(arguments.keywords) & set(given)
        or not set(arguments.keywords) <= set(names)
    ):
        raise NotPureError(arguments.node, "the arguments do not fit the parameters")
    given |= arguments.keywords
    if list(arguments.keywords) != [name for name in names if name in arguments.keywords]:
        raise NotPureError(arguments.node, "arguments by name are supported in the order of the parameters")
    for name, default in zip(names[len(names) - len(args.defaults) :], args.defaults, strict=True):
        if name not in given:
            if not isinstance(default, ast.Constant):
                raise NotPureError(default, "default values that are constants are supported")
            given[name] = default
    if set(given) != set(names):
        raise NotPureError(arguments.node, "the arguments do not fit the parameters")
    return [given[name] for name in names]
