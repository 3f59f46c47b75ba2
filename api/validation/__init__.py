"""Each reading is tried before a verdict: the program runs in the interpreter of Core Python, beside its core program.

Both get the same small inputs. A difference is no verdict: the reading is wrong, or the interpreter is, and either is a
defect to report. What the interpreter cannot run is not tried, and the verdict says so.
"""

from __future__ import annotations

import ast
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, Final

from tallystick.certificates.kernel import one_values
from tallystick.certificates.refuting import require_one_value
from tallystick.core.errors import EvaluationError, TallystickError
from tallystick.core.functions import FunctionError
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import SPARKLITE
from tallystick.core.types import TEXT, BagType, Type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import Reference, SourceProgram
from tallystick.frontends.pyspark.assumptions import EXACT_FLOATS, NO_ERRORS
from tallystick.frontends.pyspark.named_functions.showing import as_python
from tallystick.frontends.pyspark.possible_inputs import why_no_lines
from tallystick.frontends.pyspark.scoping.imports import Finder
from tallystick.frontends.pyspark.scoping.source import SourceFile, load
from tallystick.frontends.pyspark.scoping.types import SESSION_NAMES
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.frontends.pyspark.values.options import python_value
from tallystick.frontends.python.interpreter.attributes import PREFIX
from tallystick.frontends.python.interpreter.closures import Box, Closure
from tallystick.frontends.python.interpreter.limits import Clock, StopError, UnreadError
from tallystick.frontends.python.interpreter.machine import Machine, World, prelude
from tallystick.frontends.python.lowering import lowered
from tallystick.frontends.rdd import read_program
from tallystick.validation.inputs import Draw, Interpreted, NoInputError
from tallystick.validation.results import agree, elements_of

INPUTS: Final = 30
SECONDS: Final = 0.5
"""Of the processor, after which no further input is tried."""
_DEEPEST: Final = 8
"""Functions that captured each other."""
STEPS: Final = 50_000
"""Steps of the interpreter, and of the core's, on one input."""


class ReadingError(TallystickError, RuntimeError):
    """The reading of a program is wrong: it means something else than what the interpreter computes.

    Attributes:
        exit_status: what commands end with: that of a defect of ours.
    """

    exit_status: ClassVar[int] = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """How a reading was tried.

    Attributes:
        compared: on how many inputs both gave values, which agree.
        why_not: why it was not tried on any; empty where it was.
    """

    compared: int
    why_not: str = ""

    def __str__(self) -> str:
        if self.why_not:
            return f"its reading was not tried: {self.why_not}"
        return f"its reading was tried on {self.compared} inputs"


_trials: deque[tuple[SourceProgram, Trial]] = deque(maxlen=8)
"""The last trials."""


def tried(read: SourceProgram) -> Trial:
    """Try the reading of a program, once; raises ReadingError, with the input, where it is wrong.

    Raises SourceError where a reading is not tried that counts only once it was.
    """
    trial = next((trial for each, trial in _trials if each is read), None)
    if trial is None:
        trial = _trial(read)
        _trials.append((read, trial))
    if read.must_be_tried and trial.why_not:
        message = f"`{read.function_name}` is read only where its reading can be tried, and {trial}"
        raise SourceError(message, str(read.path), read.line)
    return trial


def that_counts(reference: Reference, types: str | None = None) -> SourceProgram:
    """The program that a function means, tried where it counts only then.

    Raises SourceError where it is not read, or not tried and had to be, and ReadingError where its reading is wrong.
    """
    read = read_program(reference, types)
    if read.must_be_tried:
        tried(read)
    return read


def raises_on(read: SourceProgram, inputs: Sequence[Any]) -> bool:
    """Whether a program raises on inputs, values of the core, in the interpreter; not where that does not run it."""
    try:
        return _Trying(read).computed(list(inputs)) is None
    except (StopError, NoInputError, NotPureError, SourceError, EvaluationError, FunctionError):
        return False


def _trial(read: SourceProgram) -> Trial:
    try:
        return _Trying(read).compare()
    except (UnreadError, NoInputError, NotPureError, SourceError) as reason:
        return Trial(0, getattr(reason, "what", None) or str(reason))
    except StopError as reason:
        return Trial(0, f"it takes {reason}")


class _Trying:
    def __init__(self, read: SourceProgram) -> None:
        self._read = read
        self._source = load(read.path)
        self._finder = Finder()
        self._world = World(self._find, Clock(STEPS))
        self._machine = self._of(self._source)
        self._function = self._found()
        self._values = Interpreted(self._class_of, prelude().of_spark("RDD"))

    def compare(self) -> Trial:
        """Compare on inputs until there are enough, or the time is over; raises ReadingError and StopError."""
        read, compared, raised = self._read, 0, 0
        start = time.process_time()
        draw = Draw(self._source.tree, read.function_name)
        for _ in range(INPUTS):
            inputs = self._drawn(draw)
            if read.why_impossible(inputs) is not None:
                continue
            computed = self.computed(inputs)
            meant = self._meant(inputs)
            if computed is None or meant is None:
                if computed is None:
                    raised += 1
                    self._require_no_value(inputs, meant)
            elif not self._agree(meant[0], elements_of(computed[0])):
                if EXACT_FLOATS in read.assumptions and not self._is_exact:
                    continue  # the claim is about exact numbers
                if not self._has_one_value(inputs):
                    continue  # the claim is about inputs on which no order matters
                self._differs(inputs, repr(elements_of(computed[0])), repr(_as_list(meant[0])))
            else:
                compared += 1
            if time.process_time() - start > SECONDS:
                break
        if not compared:
            return Trial(0, "it raises on each input that was tried" if raised else "it has no value on any input")
        return Trial(compared)

    def _drawn(self, draw: Draw) -> list[Any]:
        """Inputs; of a file, lines that hold no end of a line."""
        draw.anew()
        drawn = [draw.value(of) for of in self._types]
        for at, name in enumerate(self._names):
            if name in self._read.files:
                drawn[at] = {line: count for line, count in drawn[at].items() if why_no_lines([line]) is None}
        return drawn

    def _agree(self, meant: Any, computed: Any) -> bool:
        try:
            return agree(self._read, meant, computed)
        except (TypeError, ValueError, OverflowError) as error:
            raise NoInputError(f"results of the type {self._read.result_type} are not compared ({error})") from None

    def computed(self, inputs: list[Any]) -> tuple[Any] | None:
        """What the interpreter computes; None where the program raises."""
        given = {
            name: self._given(name, of, value) for name, of, value in zip(self._names, self._types, inputs, strict=True)
        }
        given |= self._contexts
        self._world.clock.restart()
        prelude().clock.restart()
        try:
            by_place = [given.pop(each.arg) for each in self._definition.args.posonlyargs if each.arg in given]
            return (self._function(*by_place, **given),)
        except RecursionError:
            raise UnreadError("its calls are nested too deeply") from None
        except Exception:  # the program's own
            return None

    def _given(self, name: str, of: Any, value: Any) -> Any:
        made = self._values.value(of, value)
        if name in self._read.files:
            return prelude().of_spark("File")(elements_of(made))
        return made

    def _meant(self, inputs: list[Any]) -> tuple[Any] | None:
        """What the core program means; None where it has no value, or says that the program raises."""
        names = self._read.program.parameters
        try:
            result: Any = evaluate(self._read.program.expression, dict(zip(names, inputs, strict=True)), STEPS)
        except (EvaluationError, FunctionError):
            return None
        if self._read.may_raise:
            return (result[1],) if result[0] else None
        return (result,)

    def _has_one_value(self, inputs: list[Any]) -> bool:
        """Whether each fold is known to have the same value in every order of its elements."""
        program = self._read.program
        environment = dict(zip(program.parameters, inputs, strict=True))
        try:
            for goal in one_values(SPARKLITE, program):
                require_one_value(goal.fold, environment, STEPS)
        except TallystickError:
            return False
        return True

    def _require_no_value(self, inputs: list[Any], meant: tuple[Any] | None) -> None:
        """Where a program raises, its core program says so, or its reading assumes that it does not."""
        if meant is not None and NO_ERRORS not in self._read.assumptions:
            self._differs(inputs, "an exception", repr(_as_list(meant[0])))

    def _differs(self, inputs: list[Any], computed: str, meant: str) -> None:
        shown = ", ".join(
            f"{name} = {as_python(_as_list(value), of)!r}"
            for name, of, value in zip(self._names, self._types, inputs, strict=True)
        )
        raise ReadingError(
            f"the reading of {self._read.function_name} is wrong, on this input: {shown}\n"
            f"  the interpreter of Python has {computed}\n  the reading means {meant}\n"
            "Please report this, with the program."
        )

    @property
    def _is_exact(self) -> bool:
        """Whether the last run made no float that may have been rounded."""
        return self._world.clock.exact and prelude().clock.exact

    @property
    def _names(self) -> list[str]:
        return [str(each.parameter[0]) for each in self._read.program.parameters]  # type: ignore[index]

    @property
    def _types(self) -> list[Type]:
        """The types of the inputs in the source; of a file, its lines."""
        pairs = zip(self._names, self._read.declared, strict=True)
        return [BagType(TEXT) if name in self._read.files else of for name, of in pairs]

    @property
    def _contexts(self) -> dict[str, Any]:
        """Values of the parameters that are no inputs: a SparkContext, or a SparkSession."""
        arguments = self._definition.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        optional = {each.arg for each in named[len(named) - len(arguments.defaults) :]}
        found: dict[str, Any] = {}
        for each in named:
            if each.arg not in (*self._names, "self", "cls") and each.arg not in optional:
                annotation = "" if each.annotation is None else ast.unparse(each.annotation)
                session = "Session" in annotation or (not annotation and each.arg in SESSION_NAMES)
                found[each.arg] = prelude().of_spark("SparkSession" if session else "SparkContext")()
        return found

    def _found(self) -> Any:
        """The function in the interpreter; raises UnreadError."""
        owner, _, name = self._read.function_name.rpartition(".")
        for node, function in _definitions(self._source.tree):
            if function.name == name and function.lineno == self._read.line and (node is None) == (not owner):
                self._definition = function
                if node is None:
                    return self._machine.attribute(name)
                of = self._machine.attribute(node.name)
                names = {each.id for each in function.decorator_list if isinstance(each, ast.Name)}
                return getattr(of() if names.isdisjoint(("staticmethod", "classmethod")) else of, name)
        if isinstance(self._read.function, FunctionType):
            return self._local(self._read.function)
        raise UnreadError("it stands inside of another function, or is a lambda")

    def _local(self, function: FunctionType, depth: int = 0) -> Closure:
        """A function inside of others, as it is in memory: what it captured must be plain, or such functions too."""
        node = self._definition_of(function)
        code = lowered(self._source.tree)[1].function(node)
        plain = function.__defaults__ is function.__kwdefaults__ is None and not node.decorator_list
        if code is None or depth > _DEEPEST or not plain:
            raise UnreadError("it stands inside of another function")
        boxes = {slot: Box() for slot in code.captured}
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        for slot, box in boxes.items():
            try:
                value = cells[slot].cell_contents
            except (KeyError, ValueError):
                continue  # which is not bound
            if isinstance(value, FunctionType):
                value = self._local(value, depth + 1)
            elif type(value) not in (int, str, bool, type(None)):
                raise UnreadError(f"what it captured, `{slot}`")
            box.value = value
        if not depth:
            self._definition = node
        return Closure(self._machine, code, boxes, (), {})

    def _definition_of(self, function: FunctionType) -> ast.FunctionDef:
        first = function.__code__.co_firstlineno
        for node in ast.walk(self._source.tree):
            if isinstance(node, ast.FunctionDef) and node.name == function.__name__ and node.lineno == first:
                return node
        raise UnreadError("it captured a function that is not found, or a lambda")

    def _class_of(self, name: str, file: Path | None) -> Any:
        machines = [self._machine, *self._world.machines] if file is None else [self._of_file(file)]
        for machine in machines:
            found = machine.globals.get(name)
            if isinstance(found, type):
                return found
        raise NoInputError(f"there is no class `{name}` at the top of a file")

    def _of(self, source: SourceFile) -> Machine:
        try:
            return self._world.machine(source.tree, f"{PREFIX}{source.file}")
        except Exception as error:  # the program's own
            raise UnreadError(f"its file raises {type(error).__name__} ({error})") from None

    def _of_file(self, file: Path) -> Machine:
        return self._machine if file == self._source.file else self._of(load(file))

    def _find(self, module: str, level: int, importer: str) -> tuple[str, ast.Module] | None:
        files = self._finder.files_of(module, level, Path(importer).parent)
        return (str(files[0]), load(files[0]).tree) if files else None


def _definitions(tree: ast.Module) -> Iterator[tuple[ast.ClassDef | None, ast.FunctionDef]]:
    """The functions of a file and of its classes."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            yield from ((node, each) for each in node.body if isinstance(each, ast.FunctionDef))


def _as_list(value: Any) -> Any:
    """An input for messages: a bag as the list of its elements."""
    if isinstance(value, dict):
        return [python_value(each) for each, count in value.items() for _ in range(count)]
    return python_value(value)
