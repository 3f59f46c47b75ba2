"""From a reference to a PySpark function to the core program that it means; no user code is run."""

from __future__ import annotations

import ast
import difflib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, Literal

from tallystick.core.errors import EvaluationError
from tallystick.core.functions import FunctionError
from tallystick.core.interpreter import evaluate
from tallystick.core.pretty import text
from tallystick.core.programs import MergedFold, Program
from tallystick.core.terms import (
    TRUE,
    Term,
    conjunction,
    free_variables,
    variable,
)
from tallystick.core.types import TEXT, BagType, TupleType, Type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.assumptions import NO_ERRORS, assumed
from tallystick.frontends.pyspark.defaults import Default, defaults, type_of_default
from tallystick.frontends.pyspark.named_functions.driver_code import rests
from tallystick.frontends.pyspark.named_functions.inputs import know_inputs
from tallystick.frontends.pyspark.possible_inputs import why_impossible, why_no_lines
from tallystick.frontends.pyspark.python.parameters import refuse_special_parameters
from tallystick.frontends.pyspark.python.reader import Reader
from tallystick.frontends.pyspark.rdds.folds import FoldCall
from tallystick.frontends.pyspark.rdds.joins import completed
from tallystick.frontends.pyspark.rdds.lineages import lineage, marking
from tallystick.frontends.pyspark.rdds.lookups import LookUpError
from tallystick.frontends.pyspark.rdds.orders import is_total
from tallystick.frontends.pyspark.rdds.partial import result_of
from tallystick.frontends.pyspark.rdds.set_operations import keys_of
from tallystick.frontends.pyspark.scoping.scopes import scope_of
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile, load, parse
from tallystick.frontends.pyspark.scoping.types import annotated_type, context_of, declared_types
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.describing import describe, dictionary_term, show_type, what_to_do_with
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, is_list, list_of
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Dictionary,
    DictionaryOfGroups,
    Frame,
    Grouped,
    Instance,
    Listing,
    Outer,
    Range,
    Ranked,
    RecordClass,
    Sorted,
    SparkContextValue,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.means import as_mean
from tallystick.frontends.pyspark.values.options import MISSING, canonical
from tallystick.frontends.pyspark.values.record_types import dataclasses_in, eraser, holds_objects
from tallystick.frontends.pyspark.values.records import bound_method, construct, function_of_class

REFERENCE_HINT: Final = 'name a function as "path.py:function", "path.py:Class.method" or "note.ipynb:function"'


Returns = Literal["value", "dict", "mean", "list", "lists", "sorted lists", "sets"]


Reference = str | Callable[..., Any]
"""A PySpark function: itself, or "path.py:function", of a file or a notebook (.ipynb)."""


def _is_not_read() -> None:
    """What there is of a program that returns no list: no reading by name."""


@dataclass(frozen=True)
class SourceProgram:
    """A PySpark function as it was read.

    Attributes:
        program: the core program that it means.
        source: the text of the function and of what it uses from outside itself.
        path, line: where the function stands.
        function_name: its name.
        parameters: its parameters with their types, for messages: "(r: RDD[int], k: int)".
        folds: the calls that made its aggregates, in order; one may be there whose value the program does not use.
        repartitions: whether it calls `coalesce` or `repartition`, which change no bag but its partitions.
        function: the function object that was given, or None if it was named as path.py:function.
        assumptions: under which the core program means what the source means.
        returns: a value or an RDD; a dictionary, as the bag of its items; a mean, as the pair (sum, count); a list, as
            pairs (order, element); or lists or sets by key, as the bag of pairs (key, item).
        may_raise: whether the program's result is a pair (whether it returns, what it returns) (see `partial`).
        returns_where: on which inputs it returns; of a program that returns an RDD, and whose result does not say so.
        declared: the types of its parameters as the source has them: a date is no int.
        files: the parameters that are paths of files, whose lines are the input.
        records: the dataclasses of records in its result, in order, with their files: a record equals its own kind; and
            its dictionaries with constant keys.
        result_type: the type of what it returns, as the source has it; None where that is not known.
        mean: the same program with the pair of sum and count for a mean that it returns; None where it returns none.
        told_apart: whether its result says which of two programs it is of: a triple, beside the values of both, or an
            RDD of such triples.
        as_floats: whether its ints stand where the other program has floats, or the other's where it has floats: equal
            results are then equal as numbers only.
        returns_record: whether it returns a dictionary with constant keys, or a list of so many items: no bag.
        by_name: reads it again, with what it makes a list of at the driver as a function by name, which returns the
            list as one value; gives None where that cannot be read.
        must_be_tried: whether the reading is refused where it cannot be tried in the interpreter.
        cut: where it takes the first elements of the list that it returns, in words, if its order does not fix which.
        lineage: how the elements come of which these are; equal where these come alike (see `rdds.lineages`).
        defaults: those of its parameters.
    """

    program: Program
    source: str
    path: Path
    line: int
    function_name: str
    parameters: str
    folds: tuple[FoldCall, ...] = ()
    repartitions: bool = False
    function: Callable[..., Any] | None = field(default=None, compare=False)
    may_raise: bool = False
    returns_where: Term = TRUE
    returns: Returns = "value"
    assumptions: frozenset[str] = frozenset()
    declared: tuple[Type, ...] = ()
    files: frozenset[str] = frozenset()
    records: tuple[tuple[Path, str], ...] = ()
    returns_record: bool = False
    result_type: Type | None = None
    mean: SourceProgram | None = None
    told_apart: bool = False
    as_floats: bool = False
    by_name: Callable[[], SourceProgram | None] = field(default=_is_not_read, compare=False)
    must_be_tried: bool = False
    cut: str = ""
    lineage: Callable[[], object] = field(default=object, compare=False)
    defaults: tuple[Default, ...] = ()

    def why_impossible(self, inputs: Sequence[Any]) -> str | None:
        """Why the program cannot get these inputs, values of the core in the order of its parameters; None if it can.

        Certificates are about core programs, whose inputs are more than those of the source; and on which it returns.
        """
        for term, of, value in zip(self.program.parameters, self.declared, inputs, strict=True):
            name = str(term.parameter[0])  # type: ignore[index]
            reason = why_no_lines(value) if name in self.files else why_impossible(of, value)
            if reason is not None:
                return f"`{name}`: {reason}"
        if self.returns_where is TRUE:
            return None
        with suppress(EvaluationError, FunctionError):
            if evaluate(self.returns_where, dict(zip(self.program.parameters, inputs, strict=True))):
                return None
        return f"`{self.function_name}` raises an exception on these"

    @property
    def returns_set(self) -> bool:
        """Whether it returns a set of an RDD's elements, at the driver."""
        return _SET in self.records

    @property
    def returns_in_order(self) -> bool:
        """Whether it returns a list in an order, read in full or by name."""
        of = self.result_type
        return self.returns == "list" or (isinstance(of, CodedType) and of.kind == "list")

    @property
    def signature(self) -> str:
        """Its name, parameters and result, for messages."""
        of = self.program.result
        if self.returns == "value" and self.result_type is not None:
            of = self.result_type  # which names the classes of its values
        elif self.may_raise and isinstance(of, TupleType):
            of = of.components[1]
        return f"{self.function_name}{self.parameters} -> {_shown(self.returns, of, _OF_GROUPS in self.records)}"


def _shown(returns: Returns, of: Type, in_dictionary: bool) -> str:
    """What a program returns, in Python's notation; `of` is the type of its expression."""
    match returns, of:
        case "dict", BagType(TupleType((key, value))):
            return f"dict[{show_type(key)}, {show_type(value)}]"
        case "list", BagType(TupleType((TupleType((_, *columns)), item))):
            by = ", ".join(map(show_type, columns[1::2])) or "nothing"
            return f"list[{show_type(item)}], in an order by {by}"
        case "lists" | "sorted lists" | "sets", BagType(TupleType((key, value))):
            kind = "set" if returns == "sets" else "list"
            what = {"lists": ", in any order", "sorted lists": ", sorted"}.get(returns, "")
            groups = f"{show_type(key)}, {kind}[{show_type(value)}]"
            return (f"dict[{groups}]" if in_dictionary else f"RDD[tuple[{groups}]]") + what
    return show_type(of)


@dataclass(frozen=True)
class Found:
    """A function definition, the functions that it stands inside of, outermost first, and its class if it has one."""

    source: SourceFile
    node: ast.FunctionDef
    around: list[ast.FunctionDef | ast.AsyncFunctionDef]
    owner: ast.ClassDef | None = None

    @property
    def name(self) -> str:
        """Its name, after that of its class if it is a method."""
        return self.node.name if self.owner is None else f"{self.owner.name}.{self.node.name}"


def read_text(reference: Reference, types: str | None = None) -> SourceProgram:
    """The program that a PySpark function means, by its text.

    Args:
        reference: "path.py:function" (or "note.ipynb:function"), or a function object whose source is read.
        types: types of parameters as in "r: RDD[int], k: int"; they go before annotations.

    Raises SourceError, with the position, when the function is not found or uses what is not supported.
    """
    found = found_at(reference)
    function = None if isinstance(reference, str) else reference
    try:
        return _read_or_named(found, types, function)
    except LookUpError as lookup:
        message = "a look-up in a dictionary of an RDD's elements is not supported here"
        raise lookup.place.error(message, "look up in functions of `map`, `filter` and `flatMap`, or join") from None
    except RecursionError:
        place = found.source.place(found.node)
        raise place.error("the code is nested too deeply", "name intermediate values") from None


def _read_or_named(found: Found, types: str | None, function: Callable[..., Any] | None) -> SourceProgram:
    """The program, of which what is not read at the driver is a function by name."""
    try:
        read = _read(found, types, function)
    except (SourceError, LookUpError) as problem:
        line = problem.line if isinstance(problem, SourceError) else problem.place.position[0]
        named = _named(found, types, function, line)
        if named is None:
            raise
        return named
    again = named_in_order(read, found, types, function)
    return replace(read, by_name=again, lineage=lineage_of(read, lambda: _read(found, types, function)))


def lineage_of(read: SourceProgram, again: Callable[[], SourceProgram]) -> Callable[[], object]:
    """How the elements come of a list in an order, by reading its program again; its place, where that is refused."""

    def found() -> object:
        try:
            with marking():
                whole = again()
        except (SourceError, LookUpError, RecursionError):
            return read.path, read.line
        return lineage(whole.program.expression) if whole.returns == "list" else (read.path, read.line)

    return found


def named_in_order(
    read: SourceProgram, found: Found, types: str | None, function: Callable[..., Any] | None
) -> Callable[[], SourceProgram | None]:
    """How a program that returns a list in an order is read again, with a function by name for the list."""
    if read.returns != "list":
        return _is_not_read
    return lambda: _named(found, types, function, found.node.body[-1].lineno)


def found_at(reference: Reference) -> Found:
    """The function that a reference names; raises SourceError where there is none."""
    return _by_name(reference) if isinstance(reference, str) else _by_object(reference)


def _named(found: Found, types: str | None, function: Callable[..., Any] | None, line: int) -> SourceProgram | None:
    """The program with a function by name for what it does at the driver from a line or before; None if none is."""
    for whole, rest in rests(found.node, line, found.source.tree):
        with suppress(SourceError, LookUpError):
            return _read(replace(found, node=whole), types, function, rest)
    return None


def programs_in(path: str) -> list[str]:
    """References to the functions at the top level of a file that have a parameter annotated as an RDD.

    Raises SourceError when the file cannot be read.
    """
    functions = [each for each in load(Path(path), path).tree.body if isinstance(each, ast.FunctionDef)]
    return [f"{path}:{each.name}" for each in functions if any(map(_is_annotated_as_rdd, each.args.args))]


def _is_annotated_as_rdd(argument: ast.arg) -> bool:
    return argument.annotation is not None and bool(re.search(r"\bRDD\b", ast.unparse(argument.annotation)))


def _read(
    found: Found, types: str | None, function: Callable[..., Any] | None, by_name: ast.FunctionDef | None = None
) -> SourceProgram:
    reader = Reader()
    if by_name is not None:
        reader.named.add(by_name)
    given = inputs_of(found, types, reader)
    place = found.source.place(found.node)
    result = reader.call(_function(found, given.frame, reader), place, list(given.values.values()), given.named)
    return program_of(found, reader, given, result, function)


@dataclass(frozen=True)
class Inputs:
    """What a program is given.

    Attributes:
        parameters: the types of its inputs, as the source has them.
        terms: the variables that stand for these.
        values, named: the values of its parameters, and of those that are given by name only.
        frame: the frame around it.
        defaults: those of its parameters.
    """

    parameters: dict[str, Type]
    terms: dict[str, Term]
    values: dict[str, Value]
    named: dict[str, Value]
    frame: Frame
    defaults: tuple[Default, ...] = ()


def inputs_of(found: Found, types: str | None, reader: Reader) -> Inputs:
    """What a program is given; raises SourceError where a parameter has no type that is read."""
    reader.names.remember(found.source)
    frame = reader.enclosing(found.source, found.around)
    declared = _parameters(found, frame, types, reader)
    parameters = {name: of for name, of in declared.items() if not isinstance(of, SparkContextValue)}
    terms = {name: variable(name, of) for name, of in parameters.items()}
    values: dict[str, Value] = {
        name: of if isinstance(of, SparkContextValue) else canonical(terms[name]) for name, of in declared.items()
    }
    named = {each.arg: values.pop(each.arg) for each in found.node.args.kwonlyargs}
    return Inputs(parameters, terms, values, named, frame, tuple(defaults(found.node, found.source, found.around)))


def program_of(
    found: Found, reader: Reader, given: Inputs, result: Value, function: Callable[..., Any] | None
) -> SourceProgram:
    """The program whose function returns a value, and what the reader noted of it."""
    parameters, terms = given.parameters, given.terms
    place = found.source.place(found.node)
    reader.names.refuse_assignments_from_outside()
    reader.names.refuse_changes()
    if isinstance(result, Outer):
        result = completed(result)
    if result is MISSING and not any(isinstance(each, ast.Return) and each.value for each in ast.walk(found.node)):
        hint = "return an RDD, an int, a bool, a str or a tuple of these"
        raise place.error(f"`{found.node.name}` has no `return` with a value", hint)
    others: tuple[tuple[Path, str], ...] = ()
    if isinstance(result, DictionaryOfGroups):
        others, result = (_OF_GROUPS,), result.grouped
    if isinstance(result, Grouped):
        if result.made is not None:
            message = "groups that may be empty, or of which some are left out, are not supported as results"
            where, _ = result.made
            raise where.error(message, "write `.filter(lambda kv: kv[1])` after it, or filter the values before")
        others = (*others, *_orders_of(result))
    if isinstance(result, Dictionary) and result.kind == "set":
        others = (_SET,)
    cut = result.cut if isinstance(result, Ranked) and not is_total(result.pairs) else ""
    returns, result = _returned(result)
    if isinstance(result, Range):
        raise place.error(f"`{found.node.name}` returns a range, which equals no list", "return `list(range(…))`")
    if isinstance(result, Listing) and result.items and all(there is TRUE for there, _ in result.items):
        result = list_of([item for _, item in result.items])
    if isinstance(result, Table) and (made := dictionary_term(result)) is not None:
        result = made
    if isinstance(result, Table):
        message = f"`{found.node.name}` returns a dictionary whose keys are no texts, or whose values are no terms"
        raise place.error(message, "return the tuple of its values, or a NamedTuple")
    if not isinstance(result, Term):
        message = f"`{found.node.name}` must return an RDD or a value, and returns {describe(result)}"
        raise place.error(
            message, what_to_do_with(result) or "return an RDD, an int, a bool, a str or a tuple of these"
        )
    if holds_objects(result.type):
        message = f"`{found.node.name}` returns objects of a plain class, which are never equal"
        raise place.error(message, "return their attributes, or make it a dataclass")
    where = conjunction(*(condition for _, condition in reader.conditions))
    raising = where is not TRUE
    terms = _with_files(terms, reader, result, place)

    def program(value: Term, kind: Returns) -> SourceProgram:
        whole = result_of(value, where) if raising else value
        return _program(found, reader, parameters, terms, whole, kind, where)

    source = replace(
        program(result, returns),
        function=function,
        cut=cut,
        defaults=given.defaults,
        result_type=result.type,
        returns_record=is_dictionary(result) or is_list(result),
        records=(*others, *((each.definition.source.path, str(each)) for each in dataclasses_in(result.type))),
    )
    mean = as_mean(result) if returns == "value" else None
    return source if mean is None else replace(source, mean=replace(program(mean.pair, "mean"), function=function))


def _program(
    found: Found,
    reader: Reader,
    parameters: Mapping[str, Type],
    terms: Mapping[str, Term],
    whole: Term,
    kind: Returns,
    where: Term,
) -> SourceProgram:
    """The program that was read, whose result is `whole`: a pair, where it may raise and returns no RDD."""
    erased = eraser()
    may_raise = where is not TRUE and not isinstance(whole.type, BagType)
    folded = (part for call in reader.folds for part in (call.term, call.merge) if isinstance(part, Term))
    return SourceProgram(
        program=Program(
            found.node.name,
            tuple(map(erased, terms.values())),
            erased(whole),
            kind,
            may_raise,
            tuple(dict.fromkeys(_merged(call, erased) for call in reader.folds if call.two_functions)),
        ),
        source=_text(found, reader),
        path=found.source.path,
        line=found.node.lineno,
        function_name=found.name,
        parameters="(" + ", ".join(f"{name}: {show_type(of)}" for name, of in parameters.items()) + ")",
        folds=tuple(dict.fromkeys(call.mapped(erased) for call in reader.folds)),
        repartitions=reader.repartitions,
        may_raise=may_raise,
        returns_where=TRUE if may_raise else erased(where),
        returns=kind,
        assumptions=assumed((*terms.values(), whole, *folded)).union([NO_ERRORS] if reader.may_fail else []),
        declared=tuple(parameters.values()),
        files=frozenset(str(path.parameter[0]) for path in reader.files),  # type: ignore[index]
    )


def _function(found: Found, frame: Frame, reader: Reader) -> Value:
    """The function that a program is; a method is one of an object that its class makes without arguments."""
    if found.owner is None:
        return reader.decorated(reader.closure(found.node, frame), frame)
    where = found.source.place(found.node)
    made = reader.names.static_value(found.owner.name, frame, where)
    if not isinstance(made, RecordClass) or found.node.name not in made.methods:
        raise where.error(f"`{found.owner.name}` is no plain class", "make it a function at the top level")
    if _is_decorated(found, "staticmethod", "classmethod"):
        return function_of_class(reader, made, found.node.name, where)
    owner = construct(reader, made, where, [], {})
    assert isinstance(owner, Term | Instance)
    return bound_method(reader, made, found.node, owner, where)


def _is_decorated(found: Found, *names: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in found.node.decorator_list)


def _with_files(terms: dict[str, Term], reader: Reader, result: Term, place: Place) -> dict[str, Term]:
    """The parameters, where a path of a file stands for the lines that are in it."""
    if reader.files & free_variables(result):
        raise place.error("a path of a file is used as a text, too", "use it for `textFile` only")
    return {name: variable(name, BagType(TEXT)) if term in reader.files else term for name, term in terms.items()}


_SET: Final = (Path(), "sets")
"""What `records` says of a set of an RDD's elements, which equals no list of them."""
_OF_GROUPS: Final = (Path(), "dictionaries of lists or sets")
"""What `records` says of a dictionary of lists or sets, which equals no RDD of these."""
_KINDS: Final[dict[str, Returns]] = {
    "list": "lists",
    "ascending": "sorted lists",
    "descending": "sorted lists",
    "set": "sets",
}


def _orders_of(groups: Grouped) -> tuple[tuple[Path, str], ...]:
    """What `records` says of lists, or RDDs of these, in an order, so that they are not compared with others."""
    by = "" if groups.by is None else f" by {text(groups.by)}"
    inside = [(Path(), f"lists in {groups.kind} order{by}")] if groups.kind == "descending" or by else []
    return *inside, *([] if groups.by_key is None else [(Path(), f"keys in {groups.by_key} order")])


def _returned(value: Value) -> tuple[Returns, Value]:
    """What kind of result a program has, and the value that stands for it."""
    match value:
        case Dictionary(kind="set"):
            return "value", keys_of(value.bag)
        case Dictionary():
            return "dict", value.bag
        case Collected(bag, once=False):
            return "value", bag
        case Sorted(pairs) | Ranked(pairs):
            return "list", pairs
        case Grouped(kind="list" | "set" | "ascending" | "descending", kept=(), alone=False, made=None):
            return _KINDS[value.kind], value.bag
    return "value", value


def _merged(call: FoldCall, erased: Callable[[Term], Term]) -> MergedFold:
    """How the results of partitions of a call with two functions are merged, in every semantics."""
    if not isinstance(call.merge, Term):
        raise TypeError("a call with two functions merges by one of them")
    return MergedFold(erased(call.term), erased(call.merge))


def _by_name(reference: str) -> Found:
    path, separator, name = reference.rpartition(":")
    if not separator or not path or not name:
        raise SourceError(f"{reference!r} names no function", reference or '""', hint=REFERENCE_HINT)
    source = load(Path(path), path)
    if "." in name:
        return _method(source, name, path)
    bindings = scope_of(source, source.tree).bindings.get(name, [])
    if len(bindings) > 1:
        raise source.place(bindings[1].statement).error(f"`{name}` is bound more than once", "bind it once")
    if bindings:
        node = bindings[0].statement
        if isinstance(node, ast.FunctionDef) and bindings[0].direct:
            return Found(source, node, [])
        raise source.place(node).error(f"`{name}` is no plain function", "define it by `def` at the top level")
    functions = [each.name for each in source.tree.body if isinstance(each, ast.FunctionDef)]
    close = difflib.get_close_matches(name, functions, 1)
    hint = f"did you mean `{close[0]}`?" if close else f"it defines {', '.join(functions) or 'no function'}"
    raise SourceError(f"there is no function `{name}` at the top level of this file", path, hint=hint)


def _method(source: SourceFile, name: str, path: str) -> Found:
    """A method of a class at the top level of a file."""
    class_name, _, method_name = name.partition(".")
    bindings = scope_of(source, source.tree).bindings.get(class_name, [])
    owner = bindings[0].statement if len(bindings) == 1 and bindings[0].direct else None
    if not isinstance(owner, ast.ClassDef):
        raise SourceError(f"there is no class `{class_name}` at the top level of this file", path, hint=REFERENCE_HINT)
    methods = [each for each in owner.body if isinstance(each, ast.FunctionDef)]
    found = [each for each in methods if each.name == method_name]
    if len(found) != 1:
        known = ", ".join(each.name for each in methods) or "no method"
        raise SourceError(f"the class `{class_name}` has no method `{method_name}`", path, hint=f"it defines {known}")
    return Found(source, found[0], [], owner)


def _by_object(function: Callable[..., Any]) -> Found:
    name = getattr(function, "__qualname__", repr(function))
    if not isinstance(function, FunctionType):
        raise SourceError(f"{name} is no Python function", "<object>", hint="define it by `def`")
    try:
        file = inspect.getsourcefile(function) or inspect.getfile(function)
        lines, _ = inspect.findsource(function)
    except (OSError, TypeError, IndexError, SyntaxError):
        message = f"the source text of {name} cannot be found"
        raise SourceError(message, "<object>", hint=REFERENCE_HINT) from None
    source = parse("".join(lines), Path(file), file)
    found = _definition(source, function.__code__)
    if found is None or not _compiled_from(source.code, function.__code__):
        hint = "give a function defined by `def`, and import it again after a change"
        message = f"the source text does not hold the function {name} as it is in memory"
        raise SourceError(message, file, hint=hint)
    return found


def _definition(source: SourceFile, code: CodeType) -> Found | None:
    """The definition that a code object was compiled from."""
    waiting: list[tuple[ast.AST, list[ast.FunctionDef | ast.AsyncFunctionDef]]] = [(source.tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            if node.name == code.co_name and first == code.co_firstlineno:
                return Found(source, node, around) if isinstance(node, ast.FunctionDef) else None
            around = [*around, node]
        waiting.extend((child, around) for child in ast.iter_child_nodes(node))
    return None


def _compiled_from(whole: CodeType, code: CodeType) -> bool:
    """Whether a code object is part of what a file compiles to."""
    waiting = [whole]
    while waiting:
        each = waiting.pop()
        if each == code:
            return True
        waiting.extend(constant for constant in each.co_consts if isinstance(constant, CodeType))
    return False


def _parameters(found: Found, frame: Frame, types: str | None, reader: Reader) -> dict[str, Type | SparkContextValue]:
    """The types of the parameters; a SparkContext or SparkSession is no input."""
    declared = declared_types(types) if types is not None else {}
    place = found.source.place(found.node)
    refuse_special_parameters(found.node, place)
    arguments = found.node.args
    result: dict[str, Type | SparkContextValue] = {}
    takes_owner = found.owner is not None and not _is_decorated(found, "staticmethod")
    for each in [*[*arguments.posonlyargs, *arguments.args][int(takes_owner) :], *arguments.kwonlyargs]:
        if each.arg in declared:
            result[each.arg] = declared[each.arg]
        elif (context := context_of(each, frame, found.source)) is not None:
            result[each.arg] = context
        elif each.annotation is None and (of := type_of_default(found.node, each)) is not None:
            result[each.arg] = of
        elif each.annotation is None:
            hint = f'annotate it, as in `{each.arg}: RDD[int]`, or give types: "{each.arg}: RDD[int]"'
            raise found.source.place(each).error(f"the parameter `{each.arg}` has no type", hint)
        else:
            result[each.arg] = annotated_type(each.annotation, frame, found.source.place(each.annotation), reader)
        _know_inputs(result[each.arg], found.source.place(each))
    for name in declared:
        if name not in result:
            raise place.error(f"types are given for `{name}`, which is no parameter of `{found.node.name}`")
    return result


def _know_inputs(of: Type | SparkContextValue, place: Place) -> None:
    """Lets a parameter be an input of a type with lists and dicts; raises SourceError where these have no codes."""
    try:
        if not isinstance(of, SparkContextValue):
            know_inputs(of)
    except NotPureError as problem:
        raise place.error(f"this parameter is not supported: {problem.message}", "take the items one by one") from None


def _text(found: Found, reader: Reader) -> str:
    """The text of the function, after what it uses from outside itself."""
    parts = {(found.source, found.node): None}
    used = {key: None for key in reader.names.used if key not in parts}
    return "\n\n".join(source.segment(node) for source, node in [*used, *parts])
