"""What the parts of the evaluation ask of each other."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, negation
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile
from tallystick.frontends.pyspark.values.options import implies_literal
from tallystick.frontends.pyspark.values.record_types import RecordType
from tallystick.frontends.python import syntax as core
from tallystick.frontends.python.interpreter.closures import Box, Closure
from tallystick.frontends.python.interpreter.machine import Machine
from tallystick.frontends.rdd.store import Content, Entries, Items, KeyEntry, Poison, Ref, State, View
from tallystick.frontends.rdd.store import Place as StorePlace

if TYPE_CHECKING:
    from tallystick.frontends.rdd.reader import StoreReader

Frame = dict[str, Any]
"""The boxes of a function's variables; `MACHINE` has its module."""
MACHINE = "#machine"
End = tuple[str, Any, State]
"""How a body was left: by break, continue or return, with a value, in a state."""


class Evaluation(ABC):
    """An evaluation of one program; `state` is where control is, and `gone` says that it is nowhere.

    Attributes:
        reader: what the library of RDDs asks of a reading.
        place: where the code stands that is evaluated, for refusals.
        ends: how the bodies that run were left so far.
        count, depth: how many objects were made, and how many calls run.
        round_starts: how long the path was where the innermost loop began a round.
        round_objects: how many objects were made before that round.
        shared: the numbers of objects that are only read: of modules, and those that a value of the library may hold.
        takes_all: whether what asks for the items of an iterator takes all of them, before it does anything else.
        by_name: the functions on elements that are not evaluated, but known by their names.
        handed_over: the numbers of objects that Spark has a copy of, which is what functions on elements see.
        lifted: for an object of a module, that object and the reference that stands for it.
        sources, machines: the files that ran, and their modules, by the names of these.
    """

    reader: StoreReader
    state: State
    gone: bool
    ends: list[End]
    place: Place
    count: int
    depth: int
    round_starts: int
    round_objects: int
    shared: set[int]
    handed_over: set[int]
    takes_all: bool = False
    by_name: tuple[Any, ...]
    lifted: dict[int, tuple[Any, Ref]]
    sources: dict[str, SourceFile]
    machines: dict[str, Machine]

    def refuse(self, what: str, hint: str = "") -> NoReturn:
        """Refuse what stands at the present place; raises SourceError."""
        raise self.place.error(what, hint)

    def known(self, test: Term) -> bool | None:
        """Whether a test holds here, where that is known."""
        if test in (TRUE, FALSE):
            return test is TRUE
        path = conjunction(*self.state.path)
        if implies_literal(path, test):
            return True
        return False if implies_literal(path, negation(test)) else None

    def new(self, content: Content) -> Ref:
        """A new object."""
        self.count += 1
        self.state.store[self.count] = content
        return Ref(self.count)

    def content(self, value: Any) -> Any:
        """What a reference refers to; any other value itself; refuses what must not be used."""
        found = self.state.store[value.number] if isinstance(value, Ref) else value
        if isinstance(found, Poison):
            self.refuse(found.why)
        return self.viewed(found) if isinstance(found, View) else found

    def viewed(self, view: View) -> Items:
        """What a view of a dict has now."""
        entries = self.content(view.of)
        if not isinstance(entries, Entries):
            self.refuse(f"`{view.what}` of a dictionary that has changed is not supported", "make a list of it before")
        of = {"keys": lambda k, v: k, "values": lambda k, v: v, "items": lambda k, v: self.tuple_of([k, v])}[view.what]
        return Items("view", tuple((TRUE, of(key, value)) for key, value in entries.entries))

    @abstractmethod
    def write(self, of: Any, content: Content) -> None:
        """Change an object that may be changed."""

    @abstractmethod
    def value(self, node: core.Expression, frame: Frame) -> Any:
        """The value of an expression."""

    @abstractmethod
    def run(self, body: core.Body, frame: Frame) -> None:
        """Run statements."""

    @abstractmethod
    def call(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call gives."""

    @abstractmethod
    def method(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of a value gives."""

    @abstractmethod
    def attribute(self, of: Any, name: str) -> Any:
        """`of.name`."""

    @abstractmethod
    def apply(self, sign: str, values: list[Any]) -> Any:
        """What an operator gives."""

    @abstractmethod
    def truth(self, value: Any) -> Term:
        """When Python finds a value true."""

    @abstractmethod
    def equal(self, one: Any, other: Any) -> Term:
        """Whether two values are equal."""

    @abstractmethod
    def either(self, test: Term, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
        """Run one of two pieces of code, by a test."""

    @abstractmethod
    def choice(self, test: Term, one: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """What one of two computations gives, by a test."""

    @abstractmethod
    def select(self, test: Term, one: Any, other: Any) -> Any:
        """One of two values, by a test."""

    @abstractmethod
    def merged(self, test: Term, one: Any, other: Any) -> Any:
        """One of two terms, or of two values of the library, by a test."""

    @abstractmethod
    def merged_contents(self, test: Term, one: Any, other: Any) -> Any:
        """One of two contents of an object, by a test."""

    @abstractmethod
    def resolved(self, value: Any) -> Any:
        """A value, where it is known here which of two it is."""

    @abstractmethod
    def variable(self, box: Box | None, name: str) -> Any:
        """The value of a variable."""

    @abstractmethod
    def assign(self, target: core.Place, value: Any, frame: Frame) -> None:
        """Assign to a name."""

    @abstractmethod
    def assume(self, condition: Term) -> None:
        """Go on where a condition holds: elsewhere Python raises KeyError."""

    @abstractmethod
    def place_of(self, node: object, frame: Frame) -> Place:
        """Where a node stands."""

    @abstractmethod
    def note_use(self, machine: Machine, name: str) -> None:
        """Note that the program uses a name of a module."""

    @abstractmethod
    def loop(self, node: core.For, frame: Frame) -> None:
        """Run a `for` loop."""

    @abstractmethod
    def ended(self, *how: str) -> tuple[Any, State] | None:
        """The ends of some kinds as one value and one state."""

    @abstractmethod
    def join(self, one: State, other: State) -> State:
        """The state where two paths meet."""

    @abstractmethod
    def leave(self, how: str, value: Any) -> None:
        """Leave the body that runs."""

    @abstractmethod
    def continued(self) -> None:
        """Where a round of a loop goes on."""

    @abstractmethod
    def after_loop(self, otherwise: core.Body, frame: Frame, outside: list[Any]) -> None:
        """After the rounds of a loop."""

    @abstractmethod
    def under(self, base: State, test: Term, run: Callable[[], object]) -> tuple[State, bool]:
        """The state after code that runs where a test holds, and whether control is nowhere then."""

    @abstractmethod
    def entered(self, function: Closure, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of the program returns."""

    @abstractmethod
    def constructed(self, made_by: type, given: list[Any], named: dict[str, Any]) -> Any:
        """An instance of a class of the program."""

    @abstractmethod
    def of_class(self, made_by: type, given: list[Any], named: dict[str, Any]) -> Any:
        """A record, or a member of an enum, that a call of its class gives."""

    @abstractmethod
    def of_library(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a call of a function, or of a class, that the library has gives."""

    @abstractmethod
    def in_module(self, made_by: type, make: Callable[[ast.expr], ast.expr]) -> Any:
        """What an expression over the name of a class means in the module of the class."""

    @abstractmethod
    def class_of(self, of: RecordType) -> type | None:
        """The class of a record."""

    @abstractmethod
    def unpacked(self, value: Any, size: int, star: int | None) -> list[Any]:
        """The items of a value that is taken apart."""

    @abstractmethod
    def with_rest(self, items: list[Any], size: int, star: int) -> list[Any]:
        """Items for so many names, one of which takes the list of what the others leave."""

    @abstractmethod
    def items_to_unpack(self, value: Any, size: int, star: int | None) -> list[Any]:
        """The same of so many names."""

    @abstractmethod
    def items(self, value: Any, what: str = "this") -> Any:
        """What a loop goes through: items with their conditions, or a source of unknown length."""

    @abstractmethod
    def items_in_any_order(self, value: Any, what: str) -> list[tuple[Term, Any]]:
        """The items of a list or a set of known size."""

    @abstractmethod
    def certain(self, value: Any, what: str) -> list[Any]:
        """The items of what has a known number of them, all of which are there."""

    @abstractmethod
    def require_read(self, content: Items) -> Items:
        """A list or set that is read; refuses one that a loop is about to fill."""

    @abstractmethod
    def new_set(self, items: tuple[tuple[Term, Any], ...]) -> Ref:
        """A new set of items."""

    @abstractmethod
    def used_up(self, of: Any) -> Any:
        """The list of what is left in an iterator, which is empty then."""

    @abstractmethod
    def for_each(self, of: Any, made: Callable[[Any], tuple[Term, Any]]) -> Any:
        """The list of what is made of each item, where a condition holds."""

    @abstractmethod
    def flattened(self, of: Any) -> Any:
        """The list of the items of all items."""

    @abstractmethod
    def put(self, of: Any, key: Any, value: Any) -> None:
        """`of[key] = value`."""

    @abstractmethod
    def looked_up(self, of: Any, key: Any) -> Any:
        """`of[key]` of a dictionary."""

    @abstractmethod
    def cell_at(self, of: Any, key: Any) -> KeyEntry:
        """What a dict has at the key of a round."""

    @abstractmethod
    def translated(self, text: Term, table: Any) -> Any:
        """`text.translate(table)`."""

    @abstractmethod
    def extended(self, of: Any, content: Any, kind: str, items: tuple[tuple[Term, Any], ...]) -> Any:
        """A new list or set of what is at the key of a round and of some items."""

    @abstractmethod
    def joined_cells(self, test: Term, one: KeyEntry, other: KeyEntry) -> KeyEntry:
        """What a dict has at the key of a round where two paths meet."""

    @abstractmethod
    def method_of_object(self, of: Any, content: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of an object of the store gives."""

    @abstractmethod
    def method_of_rdd(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of an RDD gives."""

    @abstractmethod
    def is_context(self, value: Any) -> bool:
        """Whether a value is a SparkContext or a SparkSession."""

    @abstractmethod
    def tuple_of(self, items: list[Any]) -> Any:
        """A tuple."""

    @abstractmethod
    def integer(self, value: Any) -> int:
        """A constant int."""

    @abstractmethod
    def is_constant(self, value: Term) -> bool:
        """Whether a term is a constant, or a tuple of constants."""

    @abstractmethod
    def term(self, value: Any, what: str) -> Term:
        """A value as a term."""

    @abstractmethod
    def lift(self, value: Any) -> Any:
        """A value of a module that ran."""

    @abstractmethod
    def plain(self, make: Callable[..., ast.expr], *values: Any, **named: Any) -> Any:
        """What an expression means whose names stand for values."""

    @abstractmethod
    def called_outside(self, function: Any, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of Python's gives."""

    @abstractmethod
    def outside_method(self, of: Any, name: str, given: list[Any], named: dict[str, Any]) -> Any:
        """What a method of a value of the library gives."""

    @abstractmethod
    def outside_attribute(self, of: Any, name: str) -> Any:
        """An attribute of a value of the library."""

    @abstractmethod
    def captured_by(self, value: Any) -> list[tuple[StorePlace, Any]]:
        """The places that a value leads to, with what is in them."""

    @abstractmethod
    def own_places(self, content: Any, of: Ref) -> set[StorePlace]:
        """The places that only an iterator has."""

    @abstractmethod
    def out(self, value: Any) -> Any:
        """A value as the library of RDDs has it."""

    @abstractmethod
    def out_of(self, content: Any) -> Any:
        """The content of an object as the library has it."""

    @abstractmethod
    def into(self, value: Any) -> Any:
        """A value of the library of RDDs as one of this evaluation."""

    @abstractmethod
    def is_class(self, function: Any) -> bool:
        """Whether a value is a class of the program."""

    @abstractmethod
    def called_by_library(self, function: Any, place: Place, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function gives that the library calls where the evaluation is."""

    @abstractmethod
    def on_element(
        self, function: Any, place: Place, arguments: list[Any], given_on: Callable[[Any], Any] | None = None
    ) -> Any:
        """What a function that Spark runs on elements gives."""

    @abstractmethod
    def iterators_in(self, values: list[Any]) -> list[Ref]:
        """The iterators that some values are or read."""

    @abstractmethod
    def is_iterator(self, value: Ref) -> bool:
        """Whether an object is an iterator."""

    @abstractmethod
    def poison(self, iterators: list[Ref]) -> None:
        """Say that iterators were perhaps left early."""

    def machine(self, frame: Frame) -> Machine:
        """The module of the code that runs."""
        return frame[MACHINE]
