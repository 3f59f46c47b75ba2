"""Calls of Python's builtins, of itertools, collections and functools, with their types."""

from __future__ import annotations

import ast

from tallystick.frontends.pyspark.uninterpreted.calls import Arguments, Calls
from tallystick.frontends.pyspark.uninterpreted.expressions import Node, Typed
from tallystick.frontends.pyspark.uninterpreted.orders import is_plain, seen_by
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    EXACT,
    FLOAT,
    INT,
    NEVER,
    NONE,
    TEXT,
    TIMEDELTA,
    NotPureError,
    PureType,
    bag_of,
    inner,
    is_totally_ordered,
    plain,
    sequence_of,
    tuple_of,
)


class Builtins(Calls):
    """Reads calls of functions of Python; one method for each, named after it."""

    def _count(self, arguments: Arguments, least: int, most: int, keywords: tuple[str, ...] = ()) -> None:
        if not least <= len(arguments.positional) <= most or not set(arguments.keywords) <= set(keywords):
            raise NotPureError(arguments.node, f"this function is supported with {least} to {most} arguments")

    def _simple(
        self, name: str, arguments: Arguments, least: int, most: int, allowed: tuple[PureType, ...]
    ) -> list[Typed]:
        self._count(arguments, least, most)
        values = [self.read(each) for each in arguments.positional]
        for _, of in values:
            if plain(of) not in (*allowed, NEVER, NONE):
                raise NotPureError(arguments.node, f"`{name}` of values of the type {of} is not supported")
        return values

    def _iterated(self, arguments: Arguments, index: int = 0) -> tuple[Node, PureType, bool]:
        return self.read_iterable(arguments.positional[index], arguments.node)

    def _in_order(self, arguments: Arguments, index: int = 0) -> tuple[Node, PureType]:
        found, of, ordered = self._iterated(arguments, index)
        if not ordered:
            raise NotPureError(arguments.node, "the order of a group or set is not known: use `sorted(…)` of it")
        return found, of

    def call_builtins_len(self, arguments: Arguments) -> Typed:
        """`len(xs)`."""
        self._count(arguments, 1, 1)
        found, of = self.read(arguments.positional[0])
        if plain(of) != TEXT:
            self.items(of, arguments.node)
        return ("call", "len", found), INT

    def call_builtins_range(self, arguments: Arguments) -> Typed:
        """`range(…)`."""
        values = self._simple("range", arguments, 1, 3, (INT, BOOL))
        return ("call", "range", *(each for each, _ in values)), PureType("range")

    def _of_ints(self, name: str, arguments: Arguments, least: int, most: int, gives: PureType = INT) -> Typed:
        values = self._simple(name, arguments, least, most, (INT, BOOL))
        return ("call", name, *(each for each, _ in values)), gives

    def call_builtins_abs(self, arguments: Arguments) -> Typed:
        """`abs(n)`."""
        ((found, of),) = self._simple("abs", arguments, 1, 1, (INT, BOOL, FLOAT, *EXACT, TIMEDELTA))
        return ("call", "abs", found), plain(of) if plain(of) in (FLOAT, *EXACT, TIMEDELTA) else INT

    def call_builtins_divmod(self, arguments: Arguments) -> Typed:
        """`divmod(a, b)`."""
        return self._of_ints("divmod", arguments, 2, 2, tuple_of(INT, INT))

    def call_builtins_chr(self, arguments: Arguments) -> Typed:
        """`chr(n)`."""
        return self._of_ints("chr", arguments, 1, 1, TEXT)

    def call_math_gcd(self, arguments: Arguments) -> Typed:
        """`math.gcd(a, b)`."""
        return self._of_ints("math.gcd", arguments, 2, 2)

    def call_math_isqrt(self, arguments: Arguments) -> Typed:
        """`math.isqrt(n)`."""
        return self._of_ints("math.isqrt", arguments, 1, 1)

    def call_builtins_ord(self, arguments: Arguments) -> Typed:
        """`ord(c)`."""
        ((found, _),) = self._simple("ord", arguments, 1, 1, (TEXT,))
        return ("call", "ord", found), INT

    def call_builtins_int(self, arguments: Arguments) -> Typed:
        """`int(text)`, `int()`."""
        if not arguments.positional and not arguments.keywords:
            return ("const", 0), INT
        ((found, _),) = self._simple("int", arguments, 1, 1, (TEXT, INT, BOOL, FLOAT, *EXACT))
        return ("call", "int", found), INT

    def call_builtins_str(self, arguments: Arguments) -> Typed:
        """`str(n)`, `str()`."""
        if not arguments.positional and not arguments.keywords:
            return ("const", ""), TEXT
        self._count(arguments, 1, 1)
        found, of = self.read(arguments.positional[0])
        self.check_printed(of, arguments.node)
        return (found if of == TEXT else ("call", "str", found)), TEXT

    def call_builtins_bool(self, arguments: Arguments) -> Typed:
        """`bool(x)`, `bool()`."""
        if not arguments.positional and not arguments.keywords:
            return ("const", False), BOOL
        self._count(arguments, 1, 1)
        found, of = self.read(arguments.positional[0])
        self.check_truth(of, arguments.node)
        return ("not", ("not", found)), BOOL

    def call_builtins_sorted(self, arguments: Arguments) -> Typed:
        """`sorted(xs, key=…, reverse=…)`: of what has no order, with a total order."""
        self._count(arguments, 1, 1, ("key", "reverse"))
        found, of, ordered = self._iterated(arguments)
        key, seen = self.sort_key(of, ordered, arguments)
        gives = self.fresh(arguments.node, "list", seen)
        reverse = arguments.keywords.get("reverse")
        if reverse is None:
            return ("call", "sorted", found, key), gives
        return ("call", "sorted", found, key, self.whole(reverse, arguments.node)), gives

    def sort_key(self, of: PureType, ordered: bool, arguments: Arguments) -> Typed:
        """The key of an order of items, or None as a constant, and what is known of the items in that order."""
        argument = arguments.keywords.get("key")
        if argument is None or (isinstance(argument, ast.Constant) and argument.value is None):
            if not (self.comparable(of) if ordered else is_totally_ordered(of)):
                raise NotPureError(arguments.node, f"values of the type {of} are sorted by a key that is a total order")
            return ("const", None), of
        key, by = self.function(argument, [of], arguments.node)
        if not ordered and not is_plain(key[2], key[1][0], of):
            self.check_effects(key[2], arguments.node)
        if not (self.comparable(by) if ordered else is_totally_ordered(by)):
            raise NotPureError(arguments.node, f"values of the type {of} are sorted by a key that is a total order")
        return key, of if ordered else seen_by(key[2], key[1][0], of)

    def whole(self, argument: ast.expr | Typed, node: ast.AST) -> Node:
        """An argument that is an int, a bool or None."""
        found, of = self.read(argument)
        if plain(of) not in (INT, BOOL, NONE, NEVER):
            raise NotPureError(node, f"an argument is of the type {of}; int is supported")
        return found

    def _container(self, kind: str, arguments: Arguments) -> Typed:
        self._count(arguments, 0, 1)
        if not arguments.positional:
            return (kind,), self.fresh(arguments.node, kind, NEVER)
        found, of, ordered = self._iterated(arguments)
        if kind == "set":
            return ("call", "set", found), self.fresh(arguments.node, "set", of)
        return ("call", kind, found), self.fresh(arguments.node, kind, of) if ordered else PureType(
            "bag", (of,), "list"
        )

    def call_builtins_list(self, arguments: Arguments) -> Typed:
        """`list(xs)`; of what has no order, it has none."""
        return self._container("list", arguments)

    def call_builtins_set(self, arguments: Arguments) -> Typed:
        """`set(xs)`."""
        return self._container("set", arguments)

    def call_builtins_frozenset(self, arguments: Arguments) -> Typed:
        """`frozenset(xs)`."""
        found, of = self._container("set", arguments)
        return ("call", "frozenset", found), of

    def call_builtins_tuple(self, arguments: Arguments) -> Typed:
        """`tuple(xs)`."""
        self._count(arguments, 0, 1)
        if not arguments.positional:
            return ("tuple",), tuple_of()
        argument = arguments.positional[0]
        found, whole = self.expression(argument) if isinstance(argument, ast.expr) else argument
        if whole.kind == "tuple" or (whole.kind == "record" and whole.ordered):
            return ("call", "tuple", found), tuple_of(*inner(whole))
        of, ordered = self.items(whole, arguments.node)
        return ("call", "tuple", found), sequence_of(of) if ordered else bag_of(of)

    def call_builtins_dict(self, arguments: Arguments) -> Typed:
        """`dict()`, `dict(d)`, `dict(pairs)`."""
        self._count(arguments, 0, 1)
        if not arguments.positional:
            return ("dict",), self.fresh(arguments.node, "dict", NEVER, NEVER)
        argument = arguments.positional[0]
        found, of = self.expression(argument) if isinstance(argument, ast.expr) else argument
        if plain(of).kind in ("dict", "unordered dict"):
            return ("call", "dict", found), self.fresh(arguments.node, plain(of).kind, *inner(plain(of)))
        item, ordered = self.items(of, arguments.node)
        if item.kind != "tuple" or len(inner(item)) != 2 or not ordered:
            if item == NEVER:
                return ("call", "dict", found), self.fresh(arguments.node, "dict", NEVER, NEVER)
            raise NotPureError(arguments.node, "`dict` is supported of pairs in a known order")
        return ("call", "dict", found), self.fresh(arguments.node, "dict", *inner(item))

    def call_builtins_dict_fromkeys(self, arguments: Arguments) -> Typed:
        """`dict.fromkeys(xs)`, `dict.fromkeys(xs, value)`: all keys have one value."""
        self._count(arguments, 1, 2)
        found, of, ordered = self._iterated(arguments)
        value, its = self.read(arguments.positional[1]) if len(arguments.positional) > 1 else (("const", None), NONE)
        kind = "dict" if ordered else "unordered dict"
        return ("call", "dict.fromkeys", found, value), self.fresh(arguments.node, kind, of, its)

    def call_collections_ordereddict(self, arguments: Arguments) -> Typed:
        """`OrderedDict()`: as dict, where it is not compared."""
        raise NotPureError(arguments.node, "`OrderedDict` is not supported: dicts are ordered")

    def call_collections_counter(self, arguments: Arguments) -> Typed:
        """`Counter(xs)`."""
        self._count(arguments, 0, 1)
        if not arguments.positional:
            return ("call", "Counter"), self.fresh(arguments.node, "dict", NEVER, INT)
        found, of, ordered = self._iterated(arguments)
        return ("call", "Counter", found), self.fresh(arguments.node, "dict" if ordered else "unordered dict", of, INT)

    def call_collections_defaultdict(self, arguments: Arguments) -> Typed:
        """`defaultdict(int)`, `defaultdict(list)`, `defaultdict(lambda: …)`."""
        self._count(arguments, 1, 1)
        self.growth.found_default()
        made, of = self.function(arguments.positional[0], [], arguments.node)
        return ("call", "defaultdict", made), self.fresh(arguments.node, "dict", NEVER, of)

    def call_collections_deque(self, arguments: Arguments) -> Typed:
        """`deque()`, `deque(xs)`, `deque(xs, maxlen=n)`."""
        self._count(arguments, 0, 1, ("maxlen",))
        found, of = self._in_order(arguments) if arguments.positional else (("list",), NEVER)
        most = (
            self.whole(arguments.keywords["maxlen"], arguments.node)
            if "maxlen" in arguments.keywords
            else ("const", None)
        )
        return ("call", "deque", found, most), self.fresh(arguments.node, "deque", of)

    def call_builtins_sum(self, arguments: Arguments) -> Typed:
        """`sum(xs)`, of ints."""
        self._count(arguments, 1, 2, ("start",))
        found, of, ordered = self._iterated(arguments)
        if ordered and plain(of) == FLOAT and len(arguments.positional) == 1 and not arguments.keywords:
            return ("call", "sum", found), FLOAT
        if plain(of) not in (INT, BOOL, NEVER, NONE, *EXACT):
            raise NotPureError(arguments.node, f"`sum` of values of the type {of} is not supported: of ints it is")
        start = arguments.positional[1:] or list(arguments.keywords.values())
        gives = plain(of) if plain(of) in EXACT else INT
        if not start:
            return ("call", "sum", found), gives
        node, by = self.read(start[0])
        if plain(by) not in (INT, NEVER, *EXACT):
            raise NotPureError(arguments.node, "`sum` is supported of ints")
        if NEVER not in (plain(of), plain(by)):
            gives = self.operation("+", plain(by), gives, arguments.node)
        return ("call", "sum", found, node), gives

    def _extreme(self, name: str, arguments: Arguments) -> Typed:
        self._count(arguments, 1, 20, ("key", "default"))
        if len(arguments.positional) > 1:
            self._count(arguments, 2, 20, ("key",))
            values = [self.read(each) for each in arguments.positional]
            joined = NEVER
            for _, each in values:
                joined = self.growth.join(joined, each, arguments.node)
            key, _ = self.sort_key(joined, True, arguments)
            return ("call", name, ("tuple", *(each for each, _ in values)), key), joined
        found, of, ordered = self._iterated(arguments)
        key, of = self.sort_key(of, ordered, arguments)
        if "default" not in arguments.keywords:
            return ("call", name, found, key), of
        node, by = self.read(arguments.keywords["default"])
        return ("call", name, found, key, node), self.growth.join(of, by, arguments.node)

    def call_builtins_min(self, arguments: Arguments) -> Typed:
        """`min(…)`."""
        return self._extreme("min", arguments)

    def call_builtins_max(self, arguments: Arguments) -> Typed:
        """`max(…)`."""
        return self._extreme("max", arguments)

    def _all_or_any(self, name: str, arguments: Arguments) -> Typed:
        self._count(arguments, 1, 1)
        found, of, ordered = self._iterated(arguments)
        self.check_truth(of, arguments.node)
        if not ordered:  # which items are asked depends on the order: all are, so that it is known whether one raises
            found = ("call", "list", found)
        return ("call", name, found), BOOL

    def call_builtins_any(self, arguments: Arguments) -> Typed:
        """`any(xs)`."""
        return self._all_or_any("any", arguments)

    def call_builtins_all(self, arguments: Arguments) -> Typed:
        """`all(xs)`."""
        return self._all_or_any("all", arguments)

    def _lazy(self, name: str, nodes: list[Node], of: PureType, ordered: bool = True) -> Typed:
        if not ordered:
            self.check_effects(tuple(nodes), ast.Constant(None))
        return ("call", name, *nodes), PureType("iterator" if ordered else "unordered iterator", (of,))

    def call_builtins_enumerate(self, arguments: Arguments) -> Typed:
        """`enumerate(xs)`, `enumerate(xs, n)`."""
        self._count(arguments, 1, 2, ("start",))
        found, of = self._in_order(arguments)
        start = arguments.positional[1:] or list(arguments.keywords.values())
        nodes = [found, self.whole(start[0], arguments.node)] if start else [found]
        return self._lazy("enumerate", nodes, tuple_of(INT, of))

    def call_builtins_zip(self, arguments: Arguments) -> Typed:
        """`zip(xs, ys)`."""
        self._count(arguments, 1, 9)
        parts = [self._in_order(arguments, i) for i in range(len(arguments.positional))]
        return self._lazy("zip", [each for each, _ in parts], tuple_of(*(of for _, of in parts)))

    def call_builtins_reversed(self, arguments: Arguments) -> Typed:
        """`reversed(xs)`."""
        self._count(arguments, 1, 1)
        found, of = self.read(arguments.positional[0])
        item, ordered = self.items(of, arguments.node)
        if not ordered:
            raise NotPureError(arguments.node, "the order of a group or set is not known: use `sorted(…)` of it")
        return self._lazy("reversed", [found], item)

    def call_builtins_map(self, arguments: Arguments) -> Typed:
        """`map(f, xs)`."""
        self._count(arguments, 2, 2)
        found, of, ordered = self._iterated(arguments, 1)
        function, gives = self.function(arguments.positional[0], [of], arguments.node)
        return self._lazy("map", [function, found], gives, ordered)

    def _chosen(self, name: str, arguments: Arguments, anyway: bool) -> Typed:
        self._count(arguments, 2, 2)
        found, of, ordered = self._iterated(arguments, 1)
        if not ordered and not anyway:
            raise NotPureError(arguments.node, "the order of a group or set is not known: use `sorted(…)` of it")
        argument = arguments.positional[0]
        if isinstance(argument, ast.Constant) and argument.value is None:
            self.check_truth(of, arguments.node)
            return self._lazy(name, [("const", None), found], of, ordered)
        function, gives = self.function(argument, [of], arguments.node)
        self.check_truth(gives, arguments.node)
        return self._lazy(name, [function, found], of, ordered)

    def call_builtins_filter(self, arguments: Arguments) -> Typed:
        """`filter(f, xs)`."""
        return self._chosen("filter", arguments, True)

    def call_itertools_takewhile(self, arguments: Arguments) -> Typed:
        """`takewhile(f, xs)`."""
        return self._chosen("takewhile", arguments, False)

    def call_itertools_dropwhile(self, arguments: Arguments) -> Typed:
        """`dropwhile(f, xs)`."""
        return self._chosen("dropwhile", arguments, False)

    def call_itertools_pairwise(self, arguments: Arguments) -> Typed:
        """`pairwise(xs)`."""
        self._count(arguments, 1, 1)
        found, of = self._in_order(arguments)
        return self._lazy("pairwise", [found], tuple_of(of, of))

    def call_itertools_chain(self, arguments: Arguments) -> Typed:
        """`chain(xs, ys)`."""
        joined, nodes = NEVER, []
        self._count(arguments, 0, 9)
        for i in range(len(arguments.positional)):
            found, of = self._in_order(arguments, i)
            nodes.append(found)
            joined = self.growth.join(joined, of, arguments.node)
        return self._lazy("chain", nodes, joined)

    def call_itertools_chain_from_iterable(self, arguments: Arguments) -> Typed:
        """`chain.from_iterable(xss)`."""
        self._count(arguments, 1, 1)
        found, of = self._in_order(arguments)
        item, ordered = self.items(of, arguments.node)
        return self._lazy("chain.from_iterable", [found], item, ordered)

    def call_itertools_islice(self, arguments: Arguments) -> Typed:
        """`islice(xs, n)`, `islice(xs, a, b, step)`."""
        self._count(arguments, 2, 4)
        found, of = self._in_order(arguments)
        bounds = [self.whole(each, arguments.node) for each in arguments.positional[1:]]
        return self._lazy("islice", [found, *bounds], of)

    def call_itertools_groupby(self, arguments: Arguments) -> Typed:
        """`groupby(xs, key)`: runs of items with equal keys."""
        self._count(arguments, 1, 2, ("key",))
        found, of = self._in_order(arguments)
        keys = arguments.positional[1:] or list(arguments.keywords.values())
        key, by = self.function(keys[0], [of], arguments.node) if keys else (("const", None), of)
        self.check_equality(by, by, arguments.node)
        return self._lazy("groupby", [found, key], tuple_of(by, PureType("iterator", (of,))))

    def call_itertools_accumulate(self, arguments: Arguments) -> Typed:
        """`accumulate(xs)` of ints, `accumulate(xs, f)`, `accumulate(xs, f, initial=…)`."""
        self._count(arguments, 1, 2, ("func", "initial"))
        found, of = self._in_order(arguments)
        initial = self.read(arguments.keywords["initial"]) if "initial" in arguments.keywords else None
        start = initial[1] if initial else of
        functions = arguments.positional[1:] or [each for name, each in arguments.keywords.items() if name == "func"]
        if not functions:
            if plain(start) not in (INT, NEVER) or plain(of) not in (INT, BOOL, NEVER):
                raise NotPureError(arguments.node, "`accumulate` without a function is supported of ints")
            function, gives = ("const", None), INT
        else:
            function, gives = self.folded(functions[0], start, of, arguments.node)
        rest = [function] if initial is None else [function, initial[0]]
        return self._lazy("accumulate", [found, *rest], gives)

    def folded(self, function: ast.expr | Typed, start: PureType, of: PureType, node: ast.AST) -> Typed:
        """A function of what was accumulated and an item, for all types that it may accumulate."""
        for _ in range(4):
            found, gives = self.function(function, [start, of], node)
            joined = self.growth.join(start, gives, node)
            if joined == start:
                return found, start
            start = joined
        raise NotPureError(node, "what is accumulated has no type that is known")

    def call_functools_reduce(self, arguments: Arguments) -> Typed:
        """`reduce(f, xs)`, `reduce(f, xs, start)`."""
        self._count(arguments, 2, 3)
        found, of = self._in_order(arguments, 1)
        initial = self.read(arguments.positional[2]) if len(arguments.positional) == 3 else None
        function, gives = self.folded(arguments.positional[0], initial[1] if initial else of, of, arguments.node)
        return ("call", "reduce", function, found, *([initial[0]] if initial else [])), gives

    def _choices(self, name: str, arguments: Arguments) -> Typed:
        self._count(arguments, 2, 2)
        found, of = self._in_order(arguments)
        size = self.whole(arguments.positional[1], arguments.node)
        many = size[1] if size[0] == "const" and type(size[1]) is int and 0 <= size[1] < 9 else None
        return self._lazy(name, [found, size], sequence_of(of) if many is None else tuple_of(*[of] * many))

    def call_itertools_combinations(self, arguments: Arguments) -> Typed:
        """`combinations(xs, n)`."""
        return self._choices("combinations", arguments)

    def call_itertools_permutations(self, arguments: Arguments) -> Typed:
        """`permutations(xs, n)`."""
        return self._choices("permutations", arguments)

    def call_itertools_product(self, arguments: Arguments) -> Typed:
        """`product(xs, ys)`."""
        self._count(arguments, 1, 4)
        parts = [self._in_order(arguments, i) for i in range(len(arguments.positional))]
        return self._lazy("product", [each for each, _ in parts], tuple_of(*(of for _, of in parts)))

    def call_builtins_next(self, arguments: Arguments) -> Typed:
        """`next((… for …), default)`: the first item of an iterator that is made there."""
        self._count(arguments, 1, 2)
        argument = arguments.positional[0]
        found, of = self.expression(argument) if isinstance(argument, ast.expr) else argument
        if of.kind != "iterator" or found[0] == "var" or found[:2] == ("method", "items"):
            raise NotPureError(arguments.node, "`next` is supported of a generator in its brackets that has an order")
        if len(arguments.positional) == 1:
            return ("call", "next", found), inner(of)[0]
        node, by = self.read(arguments.positional[1])
        joined = self.growth.join(inner(of)[0], by, arguments.node)
        return ("call", "next", found, node), joined
