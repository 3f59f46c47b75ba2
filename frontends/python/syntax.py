"""Core Python: what is left of Python when names are resolved and sugar is removed.

Nodes are frozen, and two functions with equal nodes mean the same. Expressions have a value; statements have an
outcome: they end normally, or by `break`, `continue`, `return` or an exception.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unread:
    """A construct that is not read, as an expression or a statement: whoever comes to it stops.

    Attributes:
        what: the construct, in words.
        line: where it stands.
    """

    what: str
    line: int = 0


# Expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A constant of Python's own: None, a truth value, a number, a text, bytes, the ellipsis."""

    value: object

    def __eq__(self, other: object) -> bool:
        """Whether both are one value of one type: True is not 1, and 0.0 is not -0.0."""
        return isinstance(other, Const) and self._known == other._known

    def __hash__(self) -> int:
        return hash(self._known)

    @property
    def _known(self) -> tuple[type, str]:
        return type(self.value), repr(self.value)


@dataclass(frozen=True, slots=True)
class Local:
    """A variable that only its own function sees."""

    slot: str


@dataclass(frozen=True, slots=True)
class CellVariable:
    """A variable that functions inside of its own see too: it stands in a box, which they share.

    Attributes:
        is_free: whether it is of a function around the one that uses it here.
    """

    slot: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class OfClass:
    """A name in the body of a class that this body binds; before it does, what the module or Python has."""

    name: str


@dataclass(frozen=True, slots=True)
class Global:
    """A name of the module; where it has none of this name yet, Python's own."""

    name: str


@dataclass(frozen=True, slots=True)
class Builtin:
    """A name that nothing binds: Python's own."""

    name: str


Place = Local | CellVariable | OfClass | Global
"""What a name may be that is assigned to."""


@dataclass(frozen=True, slots=True)
class Import:
    """A module; `level` counts the dots before its name."""

    module: str
    level: int


@dataclass(frozen=True, slots=True)
class ImportName:
    """What a module has under a name: a value, or a module in a package."""

    module: str
    level: int
    name: str


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A new tuple; items may be starred."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Star:
    """`*of` among items and arguments; among the items of a dict, `**of`."""

    of: Expression


@dataclass(frozen=True, slots=True)
class New:
    """A new list, set or dict; the items of a dict are pairs."""

    kind: str
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator, whose operands are computed from left to right."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call; a keyword `**` hands on the items of a dict."""

    function: Expression
    arguments: tuple[Expression, ...] = ()
    keywords: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """`of.name`."""

    of: Expression
    name: str


@dataclass(frozen=True, slots=True)
class If:
    """`then` where a test is true, and else `otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Block:
    """Statements, and then a value."""

    body: Body
    value: Expression


@dataclass(frozen=True, slots=True)
class Function:
    """What a closure is made of.

    Attributes:
        name: what it is called.
        positional, positional_only: its parameters, and how many of these have no name for callers.
        keyword_only, star, stars: its other parameters; `star` and `stars` are `*args` and `**kwargs`.
        body: its statements.
        cells: its own slots that functions in it see.
        captured: slots of functions around it that it, or a function in it, sees.
        is_generator: whether a call gives an iterator that runs the body.
    """

    name: str
    positional: tuple[str, ...]
    positional_only: int
    keyword_only: tuple[str, ...]
    star: str | None
    stars: str | None
    body: Body
    cells: tuple[str, ...]
    captured: tuple[str, ...]
    is_generator: bool


@dataclass(frozen=True, slots=True)
class MakeClosure:
    """A new function, with the boxes of what it captures, and the default values that its definition computes."""

    function: Function
    defaults: tuple[Expression, ...] = ()
    keyword_defaults: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, slots=True)
class MakeClass:
    """A new class: what its body binds becomes its attributes.

    Attributes:
        annotated: the names of the body that have annotations, in order, with these.
        captured: slots of functions around it that its methods see.
    """

    name: str
    bases: tuple[Expression, ...]
    keywords: tuple[tuple[str, Expression], ...]
    body: Body
    annotated: tuple[tuple[str, Expression], ...]
    captured: tuple[str, ...]


# Statements


@dataclass(frozen=True, slots=True)
class Assign:
    """A name gets a value."""

    target: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Unpack:
    """Names get the items of a value; the one at `star`, if any, gets the list of what the others leave."""

    targets: tuple[Place, ...]
    star: int | None
    value: Expression


@dataclass(frozen=True, slots=True)
class SetItem:
    """`of[index] = value`: the value is computed first."""

    of: Expression
    index: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """`of.name = value`: the value is computed first."""

    of: Expression
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Delete:
    """`del name`, `del of[index]`, `del of.name`."""

    target: Place | Apply | Attribute


@dataclass(frozen=True, slots=True)
class Do:
    """An expression that is computed for its effect."""

    value: Expression


@dataclass(frozen=True, slots=True)
class ImportAll:
    """`from module import *`."""

    module: str
    level: int


@dataclass(frozen=True, slots=True)
class Branch:
    """`if`."""

    test: Expression
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class For:
    """A loop over the items of a value; `otherwise` runs where no `break` ended it."""

    target: Place
    iterable: Expression
    body: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class While:
    """A loop while a test is true; `otherwise` runs where no `break` ended it."""

    test: Expression
    body: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """`break` or `continue`."""

    how: str


@dataclass(frozen=True, slots=True)
class Return:
    """`return`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Yield:
    """`yield`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise`; without a value, of the exception that is handled."""

    value: Expression | None = None
    cause: Expression | None = None


@dataclass(frozen=True, slots=True)
class Handler:
    """`except kinds as target`; the name is deleted when the body ends."""

    kinds: Expression | None
    target: Place | None
    body: Body


@dataclass(frozen=True, slots=True)
class Try:
    """`try` with its handlers, `else` and `finally`."""

    body: Body
    handlers: tuple[Handler, ...]
    otherwise: Body
    final: Body


@dataclass(frozen=True, slots=True)
class With:
    """`with manager as target`; the body begins with what takes the target apart."""

    manager: Expression
    target: Place
    body: Body


Expression = (
    Unread | Const | Local | CellVariable | OfClass | Global | Builtin | Import | ImportName | TupleOf | Star | New
    | Apply | Call | Attribute | If | Block | MakeClosure | MakeClass
)  # fmt: skip
Statement = (
    Unread | Assign | Unpack | SetItem | SetAttribute | Delete | Do | ImportAll | Branch | For | While | Leave | Return
    | Yield | Raise | Try | With
)  # fmt: skip
Node = Expression | Statement
Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ModuleCode:
    """The body of a module in Core Python."""

    body: Body


def yields(node: Node) -> bool:
    """Whether a statement yields; functions in it do not count."""
    match node:
        case Yield():
            return True
        case Branch(_, one, other) | For(_, _, one, other) | While(_, one, other):
            return any(map(yields, one)) or any(map(yields, other))
        case With(_, _, body):
            return any(map(yields, body))
        case Try(body, handlers, otherwise, final):
            inner = (each for handler in handlers for each in handler.body)
            return any(map(yields, (*body, *inner, *otherwise, *final)))
    return False
