"""What an expression of the source can stand for while it is read."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from tallystick.core.terms import FALSE, Term
from tallystick.core.types import (
    BasicType,
)
from tallystick.frontends.pyspark.scoping.scopes import Position, Scope
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values.groups import (
    Firsts,
    Gathered,
    Group,
    GroupDictionary,
    GroupKind,
    PerhapsGroup,
    Products,
    Tagged,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType
from tallystick.frontends.pyspark.values.record_types import RecordKind

MOST_LEAVES: Final = 128
"""Values with more components are refused: types are trees, and pairing a value with itself doubles it."""


@dataclass(eq=False)
class Frame:
    """The names of one scope while it is read.

    Attributes:
        scope: what the source text says about the names.
        values: the values bound so far.
        parent: the frame around it; None for a module.
        created_at: where the parent's code makes the function that this frame runs.
        static: a module, or a function that encloses the program and runs before it: its names are looked up
            in the source text and must be bound once.
        until: in a static frame, where the code that is being read stands; later bindings do not exist yet.
        runs_at_once: a comprehension, which sees the names around it as they are.
        loop: where the outermost loop begins that is being run; None outside of loops. What a loop binds may change
            after a function was made in it.
    """

    scope: Scope
    values: dict[str, Value] = field(default_factory=dict)
    parent: Frame | None = None
    created_at: Position = (0, 0)
    static: bool = False
    until: Position | None = None
    runs_at_once: bool = False
    loop: Position | None = None


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the source.

    Attributes:
        frame: the frame that it was made in.
        made_at: where it was made: in a loop, where the loop begins.
        defaults: the values that parameters have by default, which Python computes where it makes the function; None
            where that is a module or a class.
    """

    node: ast.FunctionDef | ast.Lambda
    source: SourceFile
    frame: Frame
    made_at: Position
    defaults: dict[str, Value] | None = None

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"`{self.node.name}`" if isinstance(self.node, ast.FunctionDef) else "the lambda"


@dataclass(frozen=True, eq=False)
class Builtin:
    """A function of Python's that is understood.

    Attributes:
        apply: makes its result from positional arguments.
        apply_named: makes its result where there are arguments by name, too; None where it takes none of these.
        calling: makes its result where it calls a function that it is given, from what calls one, from arguments by
            position and from those by name; None for others.
    """

    name: str
    apply: Callable[[Place, list[Value]], Value]
    apply_named: Callable[[Place, list[Value], dict[str, Value]], Value] | None = None
    calling: Callable[[Callable[[Value, list[Value]], Value], Place, list[Value], dict[str, Value]], Value] | None = (
        None
    )


@dataclass(frozen=True)
class Module:
    """An imported module: a sibling file, or one of the few library modules that are understood."""

    name: str
    source: SourceFile | None


@dataclass(frozen=True)
class Listing:
    """A list, as the result of a function given to `flatMap`: each item is there under a condition."""

    items: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True)
class Slots(Listing):
    """A list of so many items, one of which was set (see `python.slots`)."""


@dataclass(frozen=True)
class Range(Listing):
    """What `range` makes: used like the list of its items, and equal to no list."""


@dataclass(frozen=True)
class Pieces:
    """A list of texts of unknown length, such as `split` makes of a text.

    Attributes:
        arguments: what the list is made of.
        function: the name of what makes it, in `core.functions.LISTS`.
    """

    arguments: tuple[Term, ...]
    function: str = "words"

    @property
    def is_set(self) -> bool:
        """Whether it is a set: its items have no order, and each is there once."""
        return self.function.startswith("set of ")


@dataclass(frozen=True)
class Tally:
    """A Counter of a list of texts of unknown length."""

    pieces: Pieces


@dataclass(frozen=True)
class Flags:
    """Flags of regular expressions, as bits; in other places than these they are no ints."""

    bits: int


@dataclass(frozen=True)
class Pattern:
    """A compiled regular expression, with its flags in its text."""

    text: str


@dataclass(frozen=True)
class Spread:
    """A list with items for each item of a list of unknown length.

    Attributes:
        pieces: the list of unknown length.
        item: the variable that stands for one item of it.
        items: what there is for that item, each with the condition under which it is there.
        once: whether it is a generator, which the first that goes through it uses up.
    """

    pieces: Pieces
    item: Term
    items: tuple[tuple[Term, Term], ...]
    once: bool = False


@dataclass(frozen=True)
class Interval(Spread):
    """What `range` makes of bounds that are not constant.

    Attributes:
        start, stop: the bounds.
        step: the difference of neighbours.
    """

    start: Term = field(kw_only=True)
    stop: Term = field(kw_only=True)
    step: int = field(kw_only=True)


@dataclass(frozen=True)
class Generator:
    """The items of a generator, which the first that goes through them uses up; so it can be given no name."""

    items: tuple[tuple[Term, Term], ...]


@dataclass(frozen=True)
class ConstantSet:
    """A set of constants, each once."""

    items: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class WiderSet:
    """A set at the driver: the elements of an RDD, and constants.

    Attributes:
        elements: the set of the elements.
        constants: sets and lists of the constants.
    """

    elements: Dictionary
    constants: tuple[ConstantSet | Listing, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A dictionary of the source whose keys are constants, each once: pairs of key and value."""

    entries: tuple[tuple[Term, Value], ...]


@dataclass(frozen=True, eq=False)
class Partial:
    """What `functools.partial` makes: a function and its first arguments."""

    function: Value
    given: tuple[Value, ...]
    named: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, eq=False)
class RecordClass:
    """A NamedTuple or dataclass of the source.

    Attributes:
        fields: the names of the fields with their annotations, in order.
        defaults: the constants that fields have by default.
        methods: the functions of the class.
        frozen: whether it is a frozen dataclass, whose records have a hash.
        constants: the values of names of a plain class, which has no fields and makes no records.
        typed: whether the fields have annotations; of a `namedtuple` they have none.
        decorated: whether it is more than a plain class.
        base: the class of the source that it is derived from.
    """

    name: str
    kind: RecordKind
    fields: tuple[tuple[str, ast.expr], ...]
    defaults: dict[str, ast.expr]
    methods: dict[str, ast.FunctionDef]
    source: SourceFile
    frozen: bool
    constants: dict[str, ast.expr] = field(default_factory=dict)
    typed: bool = True
    decorated: bool = True
    base: RecordClass | None = None


@dataclass(frozen=True, eq=False)
class Instance:
    """An object of a plain class of the source: what its `__init__` gave its attributes."""

    made: RecordClass
    attributes: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Record:
    """A tuple in which there are groups."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class Grouped:
    """The RDD of keys and groups that `groupByKey` and `cogroup` make, or the list of these at the driver.

    Attributes:
        tagged: pairs of key and value; in a co-group, the values of both RDDs.
        values: the type of the values in each group.
        kind: what Python has for each group; a list when a function made one of it.
        kept: the functions of filters, each of a pair of key and group.
        alone: whether the elements are the groups, without their keys.
        by: what each list is in the order of, over its items; None where that is the items.
        by_key: whether the RDD is in the order of its keys, ascending or descending; None where it is in no order.
        at_driver: whether it was collected: code at the driver goes through no RDD, and a list has no methods of RDDs.
        made: what functions made of each group, which may be empty, and where; None where it is the values of the key.
    """

    tagged: Tagged
    values: tuple[BasicType, ...]
    kind: GroupKind = "iterable"
    kept: tuple[tuple[Place, Value], ...] = ()
    alone: bool = False
    by: Term | None = None
    by_key: Literal["ascending", "descending"] | None = None
    at_driver: bool = False
    made: tuple[Place, Group] | None = None

    @property
    def bag(self) -> Term:
        """The bag of pairs of key and value."""
        return self.tagged.bag


@dataclass(frozen=True, eq=False)
class GroupJoin:
    """The RDD of pairs (key, (value, group)) that a join of pairs with the groups of another RDD makes.

    Attributes:
        method, place: the call that made it.
        side: on which side of the join the groups are: 0 is the left one, 1 the right one.
        kept: the functions of filters, each of a pair of key and (value, group).
        alone: whether the elements are (value, group), without their keys.
    """

    method: str
    place: Place
    pairs: Term
    grouped: Grouped
    side: int
    kept: tuple[tuple[Place, Value], ...] = ()
    alone: bool = False


@dataclass(frozen=True)
class Part:
    """The bag of these values, where the condition holds; both are over the elements of another bag.

    Attributes:
        partner: whether the values are of rows that have a partner in a join.
        others: the keys of rows that would be partners, for what has none.
        key: what is compared with these; the first component where it is None.
    """

    condition: Term
    value: Term
    bag: Term
    partner: bool
    others: Term | None = None
    key: Term | None = None


@dataclass(frozen=True)
class Outer:
    """An outer join, some of whose rows may have no partner; these are candidates only, which no term says.

    Attributes:
        method, place: the call that made it.
        parts: rows with a partner, and rows that are there if they have none.
    """

    method: str
    place: Place
    parts: tuple[Part, ...]

    @property
    def bag(self) -> Term:
        """The bag of the first part."""
        return self.parts[0].bag


@dataclass(frozen=True)
class SparkContextValue:
    """A SparkContext, or the SparkSession that has one as `sparkContext`."""

    is_session: bool = False


@dataclass(frozen=True, eq=False)
class Broadcast:
    """A broadcast variable of Spark's: what `.value` of it is."""

    value: Value


@dataclass(frozen=True)
class Literals:
    """An RDD of literals: its elements, which are of one type and of no RDD's."""

    items: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Collected:
    """The elements of an RDD at the driver, as a list in an order that nothing fixes.

    Attributes:
        bag: the elements.
        ask: makes what a function of Python's gives for them, from its arguments by name; see `rdds.collected`.
        once: whether it is a generator, which the first that goes through it uses up.
    """

    bag: Term
    ask: Callable[[str, Collected, Place, dict[str, Value]], Value]
    once: bool = False

    def asked(self, name: str, place: Place, **named: Value) -> Value:
        """What a function of Python's gives for this list."""
        return self.ask(name, self, place, named)


DictionaryKind = Literal["dict", "defaultdict", "Counter", "set", "other default"]


@dataclass(frozen=True, eq=False)
class Taken:
    """Some of an RDD's elements, nothing says which: only whether there are any, and how many, is read."""

    of: Collected
    most: int


@dataclass(frozen=True, eq=False)
class Dictionary:
    """A dictionary at the driver: its items, whose keys do not repeat.

    Attributes:
        kind: a defaultdict and a Counter give 0 for keys that are not there, another defaultdict something else; a set
            has the keys alone.
    """

    items: Collected
    kind: DictionaryKind = "dict"

    @property
    def bag(self) -> Term:
        """The bag of its items."""
        return self.items.bag


@dataclass(frozen=True, eq=False)
class DictionaryOfGroups:
    """A dictionary at the driver whose values are lists in any order, or sets: its items, and its keys.

    Attributes:
        kind: in a defaultdict, `[…]` makes a key that is not there.
    """

    grouped: Grouped
    keys: Collected
    kind: DictionaryKind = "dict"


@dataclass(eq=False)
class KeyEntry:
    """What a dictionary has at the one key that a round of a loop uses: whether it is there, and what.

    The key and the value are None until they are known.

    Attributes:
        used: when the round uses the key.
    """

    there: Term
    value: Term | None = None
    key: Term | None = None
    used: Term = FALSE


Entry = tuple[Term, Term, Term, str]
"""What is put into a dictionary for one element: when, the key, the value, and how."""


@dataclass(frozen=True, eq=False)
class Growing:
    """An empty dictionary that a loop over the elements of an RDD may fill.

    Attributes:
        of: what stands at each key of a defaultdict of lists or sets.
        entries: what the loop puts in for one element: when, the key, the value, and how: it is "set", "add"ed,
            "append"ed to a list, or "collect"ed in a set; or the key gets an empty "list" or "set".
        cell: where the loop also looks at what is there already.
        collects: whether lists and sets may be filled.
        first: what a defaultdict makes for a key that is not there, where this is neither 0, nor a list or a set that
            grows; of a list of so many items, the tuple of these.
        size: how many items each value has, where these are lists that stand for tuples (see `lists_at_keys`).
    """

    kind: DictionaryKind
    of: Literal["list", "set"] | None = None
    entries: list[Entry] = field(default_factory=list)
    cell: KeyEntry | None = None
    collects: bool = False
    first: Term | None = None
    size: int | None = None


@dataclass(frozen=True)
class StatCounter:
    """What `stats` gives: the number, the sum and the sum of squares of an RDD's elements, and its extremes.

    The extremes are pairs of whether there is an element, and a float.
    """

    count: Term
    total: Term
    squares: Term
    least: Term
    greatest: Term


@dataclass(frozen=True)
class Raises:
    """What code gives that raises an exception; other branches decide the type."""


@dataclass(frozen=True)
class Ignored:
    """A function without influence on the result, such as `print`, or a logger."""


@dataclass(frozen=True, eq=False)
class EnumClass:
    """An enum of the source: its members' type, and their values in order."""

    of: NominalType
    values: tuple[Term, ...]


@dataclass(frozen=True)
class Objects:
    """An RDD whose elements are no terms, such as lists or dictionaries: a value over the elements of a bag."""

    value: Value
    bag: Term


@dataclass(frozen=True)
class Sorted:
    """An RDD in an order: the bag of pairs (what the order is by, element); see `ordering`."""

    pairs: Term


@dataclass(frozen=True)
class Ranked:
    """A list at the driver, in an order: pairs as of `Sorted`, which also say how many of the first there are.

    Attributes:
        most: how many there are at most; None for all.
        of: the list in any order that was sorted, where this has its elements.
        once: whether it is a generator, which the first that goes through it uses up.
        cut: where the first were taken, in words: "takeOrdered(1), jobs.py line 12".
    """

    pairs: Term
    most: Term | None = None
    of: Collected | None = None
    once: bool = False
    cut: str = ""


@dataclass(frozen=True)
class Setting:
    """A storage level of Spark's, which changes no result."""

    name: str


@dataclass(frozen=True)
class Choice:
    """One of two values that have no type in common, as `and` and `or` may give: only its truth is read.

    Attributes:
        condition: where it holds, the value is `then`, and else `otherwise`.
        reason: completes "this value …", where more than its truth is asked.
    """

    condition: Term
    then: Value
    otherwise: Value
    reason: str


@dataclass(frozen=True)
class Unusable:
    """A value that the source may compute but must not use; `reason` completes "`name` …"."""

    reason: str
    hint: str = ""


Value = (
    Term
    | Closure
    | Builtin
    | Module
    | Listing
    | Pieces
    | Pattern
    | Flags
    | Tally
    | Spread
    | Generator
    | ConstantSet
    | WiderSet
    | Table
    | Partial
    | RecordClass
    | Instance
    | Group
    | Products
    | Gathered
    | PerhapsGroup
    | GroupDictionary
    | Firsts
    | Record
    | Grouped
    | GroupJoin
    | Outer
    | SparkContextValue
    | Broadcast
    | Literals
    | Taken
    | Dictionary
    | DictionaryOfGroups
    | Growing
    | StatCounter
    | Setting
    | Raises
    | Ignored
    | EnumClass
    | Objects
    | Sorted
    | Ranked
    | Collected
    | Choice
    | Unusable
)
