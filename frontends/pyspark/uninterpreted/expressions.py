"""Expressions of pure code: read into a small language of nested tuples, with their types.

A node is `(operator, …)`; variables are unique in the code. What a node means is what `interpreter.py` computes.
"""

from __future__ import annotations

import ast
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import isfinite
from typing import Any, Final, TypeAlias

from tallystick.frontends.pyspark.uninterpreted.checks import Checks
from tallystick.frontends.pyspark.uninterpreted.names import Constant, Imported, Local
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    DATE,
    DATETIME,
    DECIMAL,
    EXACT,
    FLOAT,
    INT,
    ITERATORS,
    NEVER,
    NONE,
    RATIONAL,
    TEXT,
    TIMEDELTA,
    UNORDERED,
    NotPureError,
    PureType,
    certain,
    contains,
    inner,
    plain,
    sequence_of,
    tuple_of,
    variables,
)

Node: TypeAlias = tuple[Any, ...]
Typed: TypeAlias = tuple[Node, PureType]

OPERATORS: Final = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
COMPARISONS: Final = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
ATTRIBUTES: Final = {
    **{("date", name): INT for name in ("year", "month", "day")},
    **{("datetime", name): INT for name in ("year", "month", "day", "hour", "minute", "second", "microsecond")},
    **{("timedelta", name): INT for name in ("days", "seconds", "microseconds")},
}
_NUMBERS: Final = ("+", "-", "*", "/", "//", "%", "**")
_TIMES: Final = {
    ("date", "+", "timedelta"): DATE,
    ("timedelta", "+", "date"): DATE,
    ("date", "-", "timedelta"): DATE,
    ("date", "-", "date"): TIMEDELTA,
    ("datetime", "+", "timedelta"): DATETIME,
    ("timedelta", "+", "datetime"): DATETIME,
    ("datetime", "-", "timedelta"): DATETIME,
    ("datetime", "-", "datetime"): TIMEDELTA,
    ("timedelta", "+", "timedelta"): TIMEDELTA,
    ("timedelta", "-", "timedelta"): TIMEDELTA,
    ("timedelta", "*", "int"): TIMEDELTA,
    ("int", "*", "timedelta"): TIMEDELTA,
    ("timedelta", "/", "timedelta"): FLOAT,
    ("timedelta", "/", "int"): TIMEDELTA,
    ("timedelta", "//", "timedelta"): INT,
    ("timedelta", "//", "int"): TIMEDELTA,
    ("timedelta", "%", "timedelta"): TIMEDELTA,
}


_CONSTANTS: Final = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    Fraction: RATIONAL,
    str: TEXT,
    type(None): NONE,
    date: DATE,
    datetime: DATETIME,
    timedelta: TIMEDELTA,
}


def type_of(value: object, node: object) -> PureType:
    """The type of a constant; raises NotPureError."""
    found = _CONSTANTS.get(type(value))
    if found is None:
        raise NotPureError(
            node,
            f"constants of {type(value).__name__} are not supported: int, float, bool, str, None, dates and times are",
        )
    return found


def _late(node: object) -> set[str]:
    """The variables that are looked up when an iterator runs."""
    if not isinstance(node, tuple) or not node:
        return set()
    if node[0] == "fun" or node[:2] == ("comprehension", "generator"):
        return variables(node)
    return {name for each in node for name in _late(each)}


class Expressions(Checks):
    """Reads expressions; `call` and `function` are added by calls.py."""

    def expression(self, node: ast.expr) -> Typed:
        """An expression and its type; raises NotPureError."""
        read = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        if read is None:
            raise NotPureError(node, f"the expression `{ast.unparse(node)}` is not supported in pure code")
        return read(node)

    def value(self, node: ast.expr) -> Typed:
        """An expression that is kept: no iterator, which a later use would find at another place."""
        found, of = self.expression(node)
        if contains(of, ITERATORS):
            raise NotPureError(node, "an iterator can be iterated where it is made; keep a list of its items")
        return found, of

    def iterable(self, node: ast.expr, later: bool = False) -> tuple[Node, PureType, bool]:
        """What is iterated, the type of its items, and whether their order is known; `later` if other code runs too."""
        found, of = self.expression(node)
        if later and any(self.is_rebound(name) for name in _late(found)):
            raise NotPureError(node, "an iterator over names that are assigned again is not supported: a list is")
        return found, *self.items(of, node)

    def items(self, of: PureType, node: ast.AST) -> tuple[PureType, bool]:
        """The type of the items of an iterable, and whether their order is known."""
        of = plain(of)
        if of in (NEVER, NONE):
            return NEVER, True
        if of == TEXT:
            return TEXT, True
        if of.kind == "range":
            return INT, True
        if of.kind in ("list", "sequence", "deque", "dict", "iterator", *UNORDERED):
            return inner(of)[0], of.kind not in UNORDERED
        if of.kind == "tuple" or (of.kind == "record" and of.ordered):
            joined = NEVER
            for each in inner(of):
                joined = self.growth.join(joined, each, node)
            return joined, True
        raise NotPureError(node, f"values of the type {of} cannot be iterated")

    def ordered_items(self, node: ast.expr, later: bool = False) -> tuple[Node, PureType]:
        """What is iterated where the order matters; raises NotPureError where it is not known."""
        found, of, ordered = self.iterable(node, later)
        if not ordered:
            raise NotPureError(node, "the order of a group or set is not known: iterate `sorted(…)` of it")
        return found, of

    def _read_constant(self, node: ast.Constant) -> Typed:
        if self.growth.exact and isinstance(node.value, float) and isfinite(node.value):
            return ("const", Fraction(repr(node.value))), RATIONAL  # as it is written
        return ("const", node.value), type_of(node.value, node)

    def constant(self, value: object, node: ast.AST, path: tuple[int, ...] = ()) -> Typed:
        """A constant of a module, by value; `path` is its place in a larger one."""
        if isinstance(value, tuple | list | set | frozenset | dict):
            return self._constants(value, node, path)
        return ("const", value), type_of(value, node)

    def _constants(self, value: Any, node: ast.AST, path: tuple[int, ...]) -> Typed:
        if isinstance(value, dict):
            items = enumerate(value.items())
            pairs = [
                (self.constant(k, node, (*path, i, 0)), self.constant(v, node, (*path, i, 1))) for i, (k, v) in items
            ]
            types = self.all_of([k[1] for k, _ in pairs], node), self.all_of([v[1] for _, v in pairs], node)
            return ("dict", *((k[0], v[0]) for k, v in pairs)), self._unchanged(node, path, "dict", *types)
        try:
            inside = sorted(value) if isinstance(value, set | frozenset) else value
        except TypeError:
            raise NotPureError(node, "a set of constants without an order is not supported") from None
        items = [self.constant(each, node, (*path, i)) for i, each in enumerate(inside)]
        nodes = tuple(each for each, _ in items)
        if isinstance(value, tuple):
            return ("tuple", *nodes), tuple_of(*(of for _, of in items))
        kind = "list" if isinstance(value, list) else "set"
        return (kind, *nodes), self._unchanged(node, path, kind, self.all_of([of for _, of in items], node))

    def _unchanged(self, node: ast.AST, path: tuple[int, ...], kind: str, *inside: PureType) -> PureType:
        """The type of a container of the module, which this code may not change."""
        of = self.growth.fresh((self.calls, path), node, kind, *inside)
        for cell in of.cells:
            cell.root().fixed = True
        return of

    def all_of(self, types: list[PureType], node: ast.AST) -> PureType:
        """The type of values of any of these types."""
        joined = NEVER
        for each in types:
            joined = self.growth.join(joined, each, node)
        return joined

    def _read_name(self, node: ast.Name) -> Typed:
        found = self.find(node.id, node)
        if isinstance(found, Constant):
            return self.constant(found.value, node)
        if not isinstance(found, tuple) or isinstance(found[1], Local):
            raise NotPureError(node, f"`{node.id}` stands for no value that is supported in pure code")
        return ("var", found[0]), found[1]

    def _read_tuple(self, node: ast.Tuple) -> Typed:
        if not any(isinstance(each, ast.Starred) for each in node.elts):
            items = [self.value(each) for each in node.elts]
            return ("tuple", *(each for each, _ in items)), tuple_of(*(of for _, of in items))
        found: list[Node] = []
        types: list[PureType] = []
        known = True
        for each in node.elts:
            if isinstance(each, ast.Starred):
                item, of = self.expression(each.value)
                known = known and of.kind in ("tuple", "record")
                types += inner(of) if known else [self.items(of, each)[0]]
                if not self.items(of, each)[1]:
                    raise NotPureError(each, "the order of a group or set is not known: `*sorted(…)` is supported")
                found.append(("star", item))
            else:
                item, of = self.value(each)
                found.append(item)
                types.append(of)
        return ("tuple", *found), tuple_of(*types) if known else sequence_of(self.all_of(types, node))

    def _read_list(self, node: ast.List | ast.Set) -> Typed:
        kind = "list" if isinstance(node, ast.List) else "set"
        found: list[Node] = []
        types: list[PureType] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                item, of, ordered = self.iterable(each.value)
                if not ordered and kind == "list":
                    raise NotPureError(each, "the order of a group or set is not known: `*sorted(…)` is supported")
                found.append(("star", item))
            else:
                item, of = self.value(each)
                found.append(item)
            types.append(of)
        return (kind, *found), self.fresh(node, kind, self.all_of(types, node))

    _read_set = _read_list

    def _read_dict(self, node: ast.Dict) -> Typed:
        keys, values, pairs = [], [], []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                found, of = self.value(value)
                if of.kind != "dict":
                    raise NotPureError(value, f"`**` is supported of dicts whose order is known, and this is {of}")
                pairs.append(("star", found))
                keys.append(inner(of)[0])
                values.append(inner(of)[1])
            else:
                (one, key_type), (other, value_type) = self.value(key), self.value(value)
                pairs.append((one, other))
                keys.append(key_type)
                values.append(value_type)
        return ("dict", *pairs), self.fresh(node, "dict", self.all_of(keys, node), self.all_of(values, node))

    def _read_unaryop(self, node: ast.UnaryOp) -> Typed:
        found, of = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            self.check_truth(of, node)
            return ("not", found), BOOL
        of = plain(of)
        if of in EXACT and isinstance(node.op, ast.Invert):
            raise NotPureError(node, "`~` of floats is not supported")
        if of not in (INT, BOOL, FLOAT, *EXACT, TIMEDELTA, NEVER, NONE):
            raise NotPureError(node, f"the sign of values of the type {of} is not supported")
        if isinstance(node.op, ast.USub) and found[0] == "const" and type(found[1]) is int:
            return ("const", -found[1]), INT
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        return ("unary", sign, found), INT if of == BOOL else of

    def _read_binop(self, node: ast.BinOp) -> Typed:
        (one, left), (other, right) = self.value(node.left), self.value(node.right)
        sign = OPERATORS.get(type(node.op))
        if sign == "/" and self.growth.exact and {plain(left), plain(right)} <= {INT, BOOL}:
            return ("call", "quotient", one, other), RATIONAL
        if sign == "**" and not (other[0] == "const" and type(other[1]) is int and other[1] >= 0):
            raise NotPureError(node, "powers with a constant exponent that is not negative are supported")
        if sign is None:
            raise NotPureError(node, f"`{ast.unparse(node)}`: this operator is not supported in pure code; `//` is")
        return ("binary", sign, one, other), self.operation(sign, left, right, node)

    def operation(self, sign: str, left: PureType, right: PureType, node: ast.AST) -> PureType:
        """The type of what an operator gives; raises NotPureError."""
        left, right = plain(left), plain(right)
        if NEVER in (left, right) or NONE in (left, right):
            return NEVER
        if {left, right} == {BOOL} and sign in "&|^":
            return BOOL
        if {left, right} <= {INT, BOOL, FLOAT} and sign in _NUMBERS:
            return FLOAT if sign == "/" or FLOAT in (left, right) else INT
        if {left, right} <= {INT, BOOL}:
            return INT
        if {left, right} <= {INT, RATIONAL} and sign in ("+", "-", "*", "/", "//", "%"):
            return RATIONAL
        if {left, right} <= {INT, DECIMAL} and sign in ("+", "-", "*", "/"):
            return DECIMAL
        if left == right == TEXT and sign == "+":
            return TEXT
        if left.kind == right.kind == "list" and sign == "+":
            return self.fresh(node, "list", self.growth.join(inner(left)[0], inner(right)[0], node))
        if sign == "+" and all(each.kind == "list" or (each.kind == "bag" and each.name) for each in (left, right)):
            return PureType("bag", (self.growth.join(inner(left)[0], inner(right)[0], node),), "list")
        if left.kind == right.kind == "tuple" and sign == "+":
            return tuple_of(*inner(left), *inner(right))
        if {left.kind, right.kind} <= {"tuple", "sequence"} and sign == "+":
            return sequence_of(self.growth.join(self.items(left, node)[0], self.items(right, node)[0], node))
        if left.kind == right.kind == "set" and sign in ("|", "&", "-", "^"):
            return self.fresh(node, "set", self.growth.join(inner(left)[0], inner(right)[0], node))
        if sign == "*" and INT in (left, right):
            many = left if right == INT else right
            if many == TEXT:
                return TEXT
            if many.kind == "list":
                return self.fresh(node, "list", inner(many)[0])
            if many.kind in ("tuple", "sequence"):
                return sequence_of(self.items(many, node)[0])
        if (found := _TIMES.get((left.kind, sign, right.kind))) is not None:
            return found
        raise NotPureError(node, f"`{sign}` of values of the types {left} and {right} is not supported")

    def _read_boolop(self, node: ast.BoolOp) -> Typed:
        both = isinstance(node.op, ast.And)
        items: list[Typed] = []
        known: dict[str, PureType] = {}
        for index, each in enumerate(node.values, 1):
            value, of = self.value(each)
            self.check_truth(of, node)
            items.append((value, of if both or index == len(node.values) else certain(of)))  # `or` passes None on
            known = self.narrow(each, both) | known
        self.widen(known, node)
        found = ("and" if both else "or", *(each for each, _ in items))
        try:
            return found, self.all_of([of for _, of in items], node)
        except NotPureError:
            return found, PureType("condition")

    def condition(self, node: ast.expr) -> Node:
        """An expression of which only the truth is asked."""
        found, of = self.expression(node)
        self.check_truth(of, node)
        return found

    def _read_ifexp(self, node: ast.IfExp) -> Typed:
        test = self.condition(node.test)
        known = self.narrow(node.test, True)
        one, left = self.value(node.body)
        self.widen(known, node)
        known = self.narrow(node.test, False)
        other, right = self.value(node.orelse)
        self.widen(known, node)
        return ("if", test, one, other), self.growth.join(left, right, node)

    def _read_namedexpr(self, node: ast.NamedExpr) -> Typed:
        found, of = self.value(node.value)
        name, scope = node.target.id, self.scope
        while name not in scope.bound and scope.parent is not None:
            scope = scope.parent
        before = scope.known.get(name)
        if isinstance(before, Local):
            raise NotPureError(node, "a function cannot be assigned here")
        target = self.bind(name, of if before is None else self.growth.join(before, of, node), node)
        return ("walrus", target, found), of

    def _read_compare(self, node: ast.Compare) -> Typed:
        operands = [self.value(node.left)]
        signs = []
        for each, right in zip(node.ops, node.comparators, strict=True):
            operands.append(self.expression(right) if isinstance(each, ast.In | ast.NotIn) else self.value(right))
            signs.append(COMPARISONS[type(each)])
            self._check_comparison(signs[-1], operands[-2], operands[-1], node)
        nodes = [found for found, _ in operands]
        if len(signs) == 1:
            return ("compare", signs[0], *nodes), BOOL
        if all(found[0] in ("var", "const") for found in nodes[1:-1]):
            return ("and", *(("compare", s, a, b) for s, a, b in zip(signs, nodes, nodes[1:], strict=False))), BOOL
        return ("chain", tuple(signs), *nodes), BOOL

    def _check_comparison(self, sign: str, one: Typed, other: Typed, node: ast.AST) -> None:
        left, right = plain(one[1]), plain(other[1])
        self.check_seen(left, node)
        self.check_seen(right, node)
        if sign in ("is", "is not"):
            if not any(
                each[0] == "const" and (each[1] is None or type(each[1]) is bool) for each in (one[0], other[0])
            ):
                raise NotPureError(node, "`is` is supported with None, True and False")
        elif sign in ("in", "not in"):
            self.check_membership(one, other, node)
        elif sign in ("==", "!="):
            self.check_equality(left, right, node)
        elif (left.kind == "set") != (right.kind == "set") and NEVER not in (left, right):
            raise NotPureError(node, f"values of the types {left} and {right} have no order")
        elif {left.kind, right.kind} != {"set"} and not (self.comparable(left) and self.comparable(right)):
            raise NotPureError(node, f"the order of values of the types {left} and {right} is not supported")
        else:
            self.check_alike(left, right, node)

    def check_membership(self, one: Typed, other: Typed, node: ast.AST) -> None:
        """Whether `in` is known; raises NotPureError."""
        right = plain(other[1])
        if right.kind == "condition":
            raise NotPureError(node, "`in` of a value of no known type is not supported")
        if right == TEXT and plain(one[1]) not in (TEXT, NEVER, NONE):
            raise NotPureError(node, f"values of the type {one[1]} are not searched in texts")
        if right != TEXT:
            item, ordered = self.items(right, node)
            self.check_equality(plain(one[1]), plain(item), node)
            if right.kind in ITERATORS and not ordered:
                raise NotPureError(node, "`in` of an iterator without an order is not supported: of a set it is")

    def _read_joinedstr(self, node: ast.JoinedStr) -> Typed:
        parts: list[Node] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                parts.append(self._formatted(each))
            else:
                parts.append(self.expression(each)[0])
        return ("text", *parts), TEXT

    def _formatted(self, node: ast.FormattedValue) -> Node:
        found, of = self.value(node.value)
        spec = ""
        if node.format_spec is not None:
            parts = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
            if not all(isinstance(each, ast.Constant) for each in parts):
                raise NotPureError(node, "formats that are constants are supported")
            spec = "".join(str(each.value) for each in parts if isinstance(each, ast.Constant))
        if node.conversion not in (-1, 115):
            raise NotPureError(node, "`!r` and `!a` are not supported")
        self.check_printed(of, node)
        if spec and plain(of) not in (INT, FLOAT, TEXT, NEVER, NONE):
            raise NotPureError(node, "formats are supported of int, float and str")
        return (
            ("format", found, spec) if node.conversion == -1 or not spec else ("format", ("call", "str", found), spec)
        )

    def _read_attribute(self, node: ast.Attribute) -> Typed:
        if isinstance(found := self.imported(node), str):
            raise NotPureError(node, f"`{found}` is no value that is supported in pure code")
        found, of = self.value(node.value)
        of = plain(of)
        if of in (NEVER, NONE):
            return ("attribute", found, node.attr), NEVER
        if of.kind == "record" and node.attr in of.fields:
            index = of.fields.index(node.attr)
            return ("at", found, ("const", index)), self.certain_part(node) or inner(of)[index]
        if (of.kind, node.attr) in ATTRIBUTES:
            return ("attribute", found, node.attr), ATTRIBUTES[of.kind, node.attr]
        raise NotPureError(node, f"`.{node.attr}` of values of the type {of} is not supported")

    def imported(self, node: ast.expr) -> str | None:
        """The full name of a module of Python, or of something of one."""
        if isinstance(node, ast.Attribute):
            module = self.imported(node.value)
            return f"{module}.{node.attr}" if module is not None else None
        if isinstance(node, ast.Name):
            try:
                found = self.find(node.id, node)
            except NotPureError:
                return None
            return found.name if isinstance(found, Imported) else None
        return None
