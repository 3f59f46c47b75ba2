"""The door: a reference to a function on RDDs, and the core program that it means."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tallystick.core.terms import Operator, Term
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import Reference, SourceProgram
from tallystick.frontends.pyspark.named_functions.driver_code import rests
from tallystick.frontends.pyspark.program import Found, found_at, inputs_of, lineage_of, program_of, read_text
from tallystick.frontends.pyspark.rdds.lookups import LookUpError
from tallystick.frontends.pyspark.scoping.imports import Finder
from tallystick.frontends.pyspark.scoping.scopes import Binding, Scope, scope_of
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile, load
from tallystick.frontends.pyspark.values import kinds
from tallystick.frontends.python.interpreter.attributes import PREFIX
from tallystick.frontends.python.interpreter.closures import Box, Closure, parts_of
from tallystick.frontends.python.interpreter.limits import Clock, StopError
from tallystick.frontends.python.interpreter.machine import Machine, World
from tallystick.frontends.python.lowering import Places, lowered
from tallystick.frontends.rdd.calls import Calls
from tallystick.frontends.rdd.evaluation import MACHINE, Frame
from tallystick.frontends.rdd.expressions import Expressions
from tallystick.frontends.rdd.library import OURS, Library
from tallystick.frontends.rdd.loops import Loops
from tallystick.frontends.rdd.modules import Modules
from tallystick.frontends.rdd.objects import Objects
from tallystick.frontends.rdd.reader import StoreReader
from tallystick.frontends.rdd.statements import RaisedError, Statements
from tallystick.frontends.rdd.store import Poison, Ref, State

STEPS: Final = 50_000
"""Steps of the interpreter while the bodies of modules run."""
_AFTER_ALL: Final = (10**9, 0)
"""A position behind each file."""


def read_program(reference: Reference, types: str | None = None) -> SourceProgram:
    """The program that a function on RDDs means.

    What `frontends/pyspark` refuses is evaluated on a store; such a reading counts only once it was tried.

    Args:
        reference: "path.py:function" (or "note.ipynb:function"), or a function object whose source is read.
        types: types of parameters as in "r: RDD[int], k: int"; they go before annotations.

    Raises SourceError, with the position, when the function is not found or uses what neither reads.
    """
    try:
        return read_text(reference, types)
    except SourceError as problem:
        with suppress(SourceError):
            return read_on_store(reference, types)
        raise problem from None


def read_on_store(reference: Reference, types: str | None = None) -> SourceProgram:
    """The program, evaluated on a store of references; raises SourceError where it uses what is not supported.

    What a function that is not evaluated does at the driver is a function by name, where it is pure code.
    """
    found = found_at(reference)
    function = None if isinstance(reference, str) else reference
    try:
        read = evaluated(found, types, function)
    except SourceError as problem:
        named = _named(found, types, function, problem.line)
        if named is None:
            raise
        return named
    if read.returns != "list":
        return read
    return replace(
        read,
        by_name=lambda: _named(found, types, function, found.node.body[-1].lineno),
        lineage=lineage_of(read, lambda: evaluated(found, types, function)),
    )


def _named(found: Found, types: str | None, function: Callable[..., Any] | None, line: int) -> SourceProgram | None:
    """The program with a function by name for what it does at the driver from a line or before; None if none is."""
    for whole, rest in rests(found.node, line, found.source.tree):
        with suppress(SourceError):
            return evaluated(_instead(found, whole), types, function, rest)
    return None


def _instead(found: Found, node: ast.FunctionDef) -> Found:
    """The same with another definition in the place of the function's own."""

    def within(body: list[ast.stmt], old: ast.stmt, new: ast.stmt) -> list[ast.stmt]:
        return [new if each is old else each for each in body]

    owner, outermost = found.owner, (found.node, node)
    if owner is not None:
        made = copy(owner)
        made.body = within(owner.body, found.node, node)
        owner, outermost = made, (owner, made)  # type: ignore[assignment]
    tree = ast.Module(within(found.source.tree.body, *outermost), found.source.tree.type_ignores)
    return replace(found, source=replace(found.source, tree=tree), node=node, owner=owner)


def evaluated(
    found: Found,
    types: str | None = None,
    function: Callable[..., Any] | None = None,
    rest: ast.FunctionDef | None = None,
) -> SourceProgram:
    """The program of a function, evaluated.

    Args:
        found: the function.
        types: types of parameters, which go before annotations.
        function: the function object, if it was given.
        rest: a function in it that is known by its name.

    Raises SourceError where it uses what is not supported.
    """
    place = found.source.place(found.node)
    reader = StoreReader()
    given = inputs_of(found, types, reader)
    evaluation = Evaluator(reader, found.source, place, rest)
    try:
        values = [evaluation.into(each) for each in given.values.values()]
        named = {name: evaluation.into(each) for name, each in given.named.items()}
        result = evaluation.out(evaluation.call(evaluation.function(found, given.frame), values, named))
    except RaisedError:
        raise place.error("this always raises an exception") from None
    except LookUpError as lookup:
        raise lookup.place.error("a look-up in a dictionary of an RDD's elements is not supported here") from None
    except RecursionError:
        raise place.error("the code is nested too deeply", "name intermediate values") from None
    except SourceError:
        raise
    except StopError as stopped:
        raise place.error(f"this program is not evaluated: {stopped}") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        # a call that does not fit a rule, or a defect of ours: a refusal, and never a reading
        raise place.error(f"this program is not evaluated: {type(error).__name__} ({error})") from error
    return replace(program_of(found, reader, given, result, function), must_be_tried=True)


class Evaluator(Expressions, Statements, Calls, Objects, Loops, Library, Modules):
    """The evaluation of one program.

    Attributes:
        sources, machines: the files that ran, and their modules, by the names of these.
        shared: the numbers of objects that are only read: of modules, and those that a value of the library may hold.
        by_name: the functions on elements that are not evaluated, but known by their names.
        handed_over: the numbers of objects that Spark has a copy of, which is what functions on elements see.
        lifted: for an object of a module, that object and the reference that stands for it.
        round_starts: how long the path was where the innermost loop began a round.
        round_objects: how many objects were made before that round.
    """

    def __init__(
        self, reader: StoreReader, source: SourceFile, place: Place, rest: ast.FunctionDef | None = None
    ) -> None:
        self.reader, self.place, self._rest = reader, place, rest
        reader.evaluation = self
        reader.names.objects_are_followed = True
        self.state, self.gone, self.ends = State(), False, []
        self.count = self.depth = self.round_starts = self.round_objects = 0
        self.by_name: tuple[Any, ...] = ()
        self.shared, self.handed_over = set[int](), set[int]()
        self.lifted: dict[int, tuple[Any, Ref]] = {}
        self._source, self._finder = source, Finder()
        self.machines: dict[str, Machine] = {}
        self.sources: dict[str, SourceFile] = {}
        self._places: dict[str, Places] = {}
        self._noted: set[tuple[str, str]] = set()
        self._made_local: dict[int, Closure] = {}
        self._world = World(self._find, Clock(STEPS))
        try:
            self._machine = self._world.machine(source.tree, f"{PREFIX}{source.file}")
        except (StopError, Exception) as error:
            raise place.error(f"the body of this file is not interpreted ({error})") from None
        self.know_modules()

    def _find(self, module: str, level: int, importer: str) -> tuple[str, ast.Module] | None:
        files = self._finder.files_of(module, level, Path(importer).parent)
        return (str(files[0]), load(files[0]).tree) if files else None

    def function(self, found: Found, frame: kinds.Frame) -> Any:
        """The function of the program; a method is one of an object that its class makes without arguments."""
        if found.around:
            return self.local_function(found.node, frame)
        name = found.node.name
        of = self._machine.globals.get(name if found.owner is None else found.owner.name)
        if found.owner is None:
            return self.lift(of)
        method = vars(of).get(name) if isinstance(of, type) else None
        if isinstance(method, staticmethod | classmethod):
            return self.attribute(of, name)
        return self.attribute(self.call(of, [], {}), name)

    def local_function(self, node: ast.FunctionDef | ast.Lambda, frame: kinds.Frame) -> Closure:
        """A function inside of others, which see what their texts fix of the names around it.

        Args:
            node: its definition.
            frame: the frame of the names around it.
        """
        source = frame.scope.source
        place, code = source.place(node), self._places[self._machine.name].function(node)
        if code is None or (isinstance(node, ast.FunctionDef) and node.decorator_list):
            raise place.error("a function with decorators inside of another is not supported", "define it outside")
        if (made := self._made_local.get(id(code))) is not None:
            return made
        boxes = {slot: Box() for slot in code.captured}
        defaults = tuple(self.into(self.reader.evaluate(each, frame)) for each in node.args.defaults)
        by_name = {
            each.arg: self.into(self.reader.evaluate(default, frame))
            for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            if default is not None
        }
        self._made_local[id(code)] = made = Closure(self._machine, code, boxes, defaults, by_name)
        for slot, box in boxes.items():
            try:
                value = self.reader.names.lookup(slot, frame, place)
                match value:
                    case kinds.Closure(own, of, kinds.Frame(static=True) as inner) if of is source:
                        self.state.cells[box] = self.local_function(own, inner)
                    case _:
                        self.state.cells[box] = self.into(value)
            except SourceError as problem:
                self.state.cells[box] = Poison(problem.message)
        return made

    def place_of(self, node: object, frame: Frame) -> Place:
        """Where a node stands; where that is not known, where the evaluation is."""
        name = frame[MACHINE].name
        found = self._places[name].of(node) if name in self._places else None
        return self.place if found is None else Place(self.sources[name], found)

    def know_modules(self) -> None:
        """Take note of the files that have run so far."""
        for each in self._world.machines:
            if each.name not in self.machines:
                self.machines[each.name] = each
                own = self._source if each is self._machine else load(Path(each.name.removeprefix(PREFIX)))
                self.sources[each.name], self._places[each.name] = own, lowered(own.tree)[1]

    def note_use(self, machine: Machine, name: str) -> None:
        """Note that the program uses a name of a module: code that may give it another value is refused."""
        self.know_modules()
        source = self.sources.get(machine.name)
        if source is None or (machine.name, name) in self._noted:
            return
        self._noted.add((machine.name, name))
        bindings = scope_of(source, source.tree).bindings
        if source.notebook is not None and len(bindings.get(name, ())) > 1:
            self.refuse(f"`{name}` is bound more than once in {source.name}", "bind it once: cells run in any order")
        for binding in (*bindings.get(name, ()), *bindings.get("*", ())):
            if isinstance(binding.statement, ast.ImportFrom):
                self._note_import(machine, binding.statement, name)
            elif not isinstance(binding.statement, ast.Import):
                self.reader.names.used[source, binding.statement] = None  # type: ignore[index]
        self.reader.note_static(name, source, self.place)
        value = machine.globals.get(name)
        if isinstance(value, list | set | dict):
            self.reader.names.note_shared(name, self.place, type(value).__name__)

    def _note_import(self, machine: Machine, statement: ast.ImportFrom, name: str) -> None:
        file = self._find(statement.module or "", statement.level, machine.name.removeprefix(PREFIX))
        found = None if file is None else self.machines.get(PREFIX + file[0])
        for alias in statement.names if found is not None else ():
            if alias.name == "*" or (alias.asname or alias.name) == name:
                self.note_use(found, name if alias.name == "*" else alias.name)  # type: ignore[arg-type]

    def assume(self, condition: Term) -> None:
        """Go on where a condition holds: elsewhere Python raises KeyError."""
        if self.reader.attempts is not None:
            with self.reader.here():
                self.reader.attempts.note_look_up(condition, self.reader.path, self.place)
        self.reader.may_fail = True
        self.state = self.state.fork(condition)

    def is_class(self, function: Any) -> bool:
        """Whether a value is a class of the program."""
        return isinstance(function, type) and str(function.__module__) in self.sources

    def write(self, of: Any, content: Any) -> None:
        """Change an object; refuses those of modules, which other programs see, and parts of values of the library."""
        if isinstance(of, Ref) and of.number in self.handed_over:
            self.refuse(
                "an object is changed after Spark was given it, which has a copy",
                "change it before `broadcast`, or broadcast a copy: `sc.broadcast(dict(d))`",
            )
        if not isinstance(of, Ref) or of.number in self.shared:
            self.refuse("an object is changed that is not this program's alone", "change a copy of it")
        self.state.store[of.number] = content

    @contextmanager
    def _standing(self, place: Place) -> Iterator[None]:
        outside, self.place = self.place, place
        before = self.state.path
        self.state.path = self.state.fork(*_parts(self.reader.path)).path
        try:
            yield
        finally:
            self.place = outside
            self.state.path = before

    def called_by_library(self, function: Any, place: Place, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function gives that the library calls where the evaluation is."""
        before = self.state.fork()
        with self._standing(place):
            by_name = {name: self.into(each) for name, each in named.items()}
            found = self.out(self.call(function, [*map(self.into, given)], by_name))
            if self.state.changes(before):
                self.refuse("a function that is called for each item changes something", "write a loop")
            return found

    def entered(self, function: Closure, given: list[Any], named: dict[str, Any]) -> Any:
        """What a function of the program returns; of the one that is known by its name, its term."""
        if self._rest is None or self._node_of(function) is not self._rest:
            return super().entered(function, given, named)
        text = self._as_text(function)
        if text is None:
            self.refuse("this function is not known by its name")
        self.reader.named.add(text.node)
        with self.reader.here():
            return self.into(self.reader.call(text, self.place, [*map(self.out, given)], {}))

    def on_element(
        self, function: Any, place: Place, arguments: list[Any], given_on: Callable[[Any], Any] | None = None
    ) -> Any:
        """What a function that Spark runs on elements gives; it may change nothing outside of itself.

        What it returns is given on as `given_on` says, as a value of the library if that is None.
        """
        before, outside = self.state, (self.place, self.ends, self.gone, self.round_starts, self.reader.in_udf)
        noted = self.reader.noted()
        self.state = before.fork(*_parts(self.reader.path))
        self.place, self.ends, self.gone, self.reader.in_udf = place, [], False, True
        try:
            if function in self.by_name:
                self.refuse("this function is known by its name")
            result = (given_on or self.out)(self.call(function, [*map(self.into, arguments)], {}))
            if self.state.changes(before):
                message = "a function that an RDD is given changes what is outside of it: workers have copies"
                raise _WritesError(place.error(message, "return what it makes"))
            return result
        except RaisedError:
            raise place.error("this function always raises an exception") from None
        except _WritesError as error:
            raise error.problem from None
        except SourceError as problem:
            self.state = before
            self.reader.forget(noted)
            text = self._as_text(function)
            if text is None:
                raise
            try:
                self.reader.in_udf = outside[-1]
                if function in self.by_name:
                    self.reader.named.add(text.node)
                return self.reader.by_text(function, text, place, *arguments)
            except SourceError:
                raise problem from None
        finally:
            self.state = before
            self.place, self.ends, self.gone, self.round_starts, self.reader.in_udf = outside

    def _node_of(self, function: Closure) -> ast.AST | None:
        """Where the text of a function stands, if that is known."""
        machine, code, *_ = parts_of(function)
        return self._places[machine.name].of(code) if machine.name in self._places else None

    def _as_text(self, function: Any) -> kinds.Closure | None:
        """A function as one that is read as a text, with what it captured; None where it has no such."""
        if not isinstance(function, Closure):
            return None
        machine, code, boxes, defaults, by_name = parts_of(function)
        source, node = self.sources.get(machine.name), self._node_of(function)
        if source is None or not isinstance(node, ast.FunctionDef | ast.Lambda):
            return None
        scope, values = Scope(source, node), {}
        with suppress(SourceError):
            for slot in code.captured:
                scope.bindings[slot] = [Binding(node, False)]
                values[slot] = self._text_value(self.variable(boxes[slot], slot))
            taken = dict(zip(reversed(code.positional), reversed(defaults), strict=False)) | by_name
            given = {name: self._text_value(self.lift(each)) for name, each in taken.items()}
            frame = kinds.Frame(scope, values, self.reader.names.module_frame(source), runs_at_once=True)
            return kinds.Closure(node, source, frame, _AFTER_ALL, defaults=given)
        return None

    def _text_value(self, value: Any) -> Any:
        found = self._as_text(value) if isinstance(value, Closure) else self.out(value)
        if found is None or isinstance(found, OURS):
            self.refuse("this is not captured by a function that is read as a text")
        return found


class _WritesError(Exception):
    """A function of an RDD changes what is outside of it."""

    def __init__(self, problem: SourceError) -> None:
        super().__init__(problem.message)
        self.problem = problem


def _parts(path: Term) -> tuple[Term, ...]:
    """The parts of a conjunction."""
    return path.arguments if path.operator is Operator.AND else (path,)
