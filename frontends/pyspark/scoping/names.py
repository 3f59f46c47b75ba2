"""What a name stands for: Python's scopes, modules bound once, and imports of sibling files.

A name is understood when the source text fixes its value. Names of modules, and of functions that enclose
the program, must be bound by one plain statement. Names of functions that run here may be rebound, but not
after a nested function was made that uses them: it would see the later value.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tallystick.core.terms import Term
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.python.functions.library import MODULES
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.scoping.bound_names import bound_names
from tallystick.frontends.pyspark.scoping.constructs import construct
from tallystick.frontends.pyspark.scoping.handing_on import all_names, takers
from tallystick.frontends.pyspark.scoping.imports import Finder, shown_from
from tallystick.frontends.pyspark.scoping.parts import holds_parts, parts_may_change, parts_of
from tallystick.frontends.pyspark.scoping.reflection import modules_handed_on, namespaces, patches, setters_handed_on
from tallystick.frontends.pyspark.scoping.scopes import (
    ANY,
    Binding,
    assigned_attributes,
    exported,
    is_assigned,
    library_name,
    names_that_may_change,
    position_of,
    scope_of,
    stands_in_init,
    stands_in_new,
    value_given,
)
from tallystick.frontends.pyspark.scoping.source import Place, SourceFile, load
from tallystick.frontends.pyspark.values import dates
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.enums import enum_class, is_enum
from tallystick.frontends.pyspark.values.kinds import (
    Closure,
    ConstantSet,
    Frame,
    Ignored,
    Listing,
    Module,
    RecordClass,
    Setting,
    Table,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.record_classes import (
    CLASSES,
    DATACLASSES_REPLACE,
    NAMEDTUPLE,
    base_of,
    inherited,
    record_class,
)
from tallystick.frontends.pyspark.values.record_types import dataclass_in
from tallystick.frontends.pyspark.values.row_values import ROW

IMPORT_HINT: Final = "functions come from the same file, from files beside it, and from the module operator"
_STORAGE_LEVEL: Final = re.compile(r"NONE|OFF_HEAP|DISK_ONLY(_[23])?|MEMORY_ONLY(_2)?|MEMORY_AND_DISK(_2|_DESER)?")
_INSTEAD_OF: Final = {
    "json": "compare what comes after parsing: a parameter `RDD[Order]`, `Order` being a TypedDict or NamedTuple",
    "csv": "write `line.split(',')[i]`, or compare what comes after parsing",
    "random": "what depends on chance is not the same twice: give the choice as a parameter",
    "time": "give the time as a parameter",
    "os": "give what the environment says as a parameter",
    "sys": "give it as a parameter",
}
"""What to write in the place of what modules of Python give."""
_INSTEAD_OF_BUILTIN: Final = {
    "hash": "what `hash` gives differs between runs: group or compare the values themselves",
    "open": "read the lines by `textFile` of a parameter",
    "input": "give it as a parameter",
    "isinstance": "a parameter's annotation says its type; test for None by `is None`",
    "type": "a parameter's annotation says its type; test for None by `is None`",
    "iter": "go through it by `for` or a comprehension",
    "ord": "compare texts themselves, or look them up in a dictionary of constants",
    "chr": "write the text itself, or look it up in a dictionary of constants",
    "object": "write a class without a base",
    "getattr": "write `x.name`, or `operator.attrgetter` of constants",
    "vars": "take the fields one by one",
}
_OF_FUNCTIONS: Final = ("__class__", "__code__", "__defaults__", "__kwdefaults__")
"""Attributes that change what a function or a method does."""
_OF_MEMBERS: Final = ("_value_", "_name_")
"""Attributes that say the value of a member of an enum; its `__new__` sets them."""
_LIBRARY: Final = (
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "datetime",
    "decimal",
    "fractions",
    "enum",
    "functools",
    "heapq",
    "itertools",
    "logging",
    "math",
    "operator",
    "pyspark",
    "re",
    "statistics",
    "string",
    "typing",
)


class Names:
    """Looks names up; remembers the files that it read and the statements that gave values.

    Attributes:
        used: the statements of modules that bind the names looked up so far, with their files.
        objects_are_followed: whether what methods assign to attributes of the program's own objects is followed.
    """

    def __init__(
        self, evaluate: Callable[[ast.expr, Frame], Value], decorated: Callable[[Closure, Frame], Value]
    ) -> None:
        self._evaluate = evaluate
        self._decorated = decorated
        self._files: dict[Path, SourceFile] = {}
        self._static: dict[tuple[SourceFile, ast.AST, str], Value | None] = {}
        self._given: dict[tuple[SourceFile, ast.AST, str], Value] = {}
        self._mutable: dict[str, tuple[Place, str]] = {}
        self._with_parts: dict[str, tuple[Place, Value]] = {}
        self._held: set[str] = set()  # attributes of objects, which any file may reach that is given the object
        self._members: set[str] = set()  # of classes in use
        self._attributes: set[str] = set()  # of plain classes in use and of their objects
        self._followed: set[str] = set()  # those that `__init__` assigns while objects are followed
        self._finder = Finder()
        self.used: dict[tuple[SourceFile, ast.AST], None] = {}
        self.objects_are_followed = False

    def give(self, name: str, source: SourceFile, function: ast.AST, value: Value) -> None:
        """The value that a parameter of an enclosing function has, unless the function binds it anew."""
        self._given[source, function, name] = value

    def module_frame(self, source: SourceFile) -> Frame:
        """The frame of a file's own names."""
        return Frame(scope_of(source, source.tree), static=True)

    def lookup(self, name: str, frame: Frame, place: Place) -> Value:
        """The value of a name where `frame` is the innermost scope; raises SourceError when it has none."""
        inner: Frame | None = None
        current: Frame | None = frame
        while current is not None:
            if (starred := self._starred(name, current, place)) is not None:
                return starred
            if name in current.scope.bindings:
                value = self._bound(name, current, inner, place)
                if isinstance(value, Unusable):
                    raise place.error(f"`{name}` {value.reason}", value.hint)
                return value
            inner, current = current, current.parent
        if name in BUILTINS and name != "Decimal":
            return BUILTINS[name]
        if name in ("print", "__name__"):
            return Ignored()
        if hasattr(builtins, name):
            hint = _INSTEAD_OF_BUILTIN.get(name, f"the builtins are {_names_in_order(BUILTINS)}")
            raise place.error(f"the builtin `{name}` is not supported", hint)
        raise place.error(f"the name `{name}` is not defined", _close(name, frame))

    def _bound(self, name: str, frame: Frame, inner: Frame | None, place: Place) -> Value:
        if frame.static:
            return self.static_value(name, frame, place)
        if inner is not None and not inner.runs_at_once:
            for binding in frame.scope.bindings[name]:
                if binding.effect > inner.created_at:
                    line = binding.position[0]
                    message = f"`{name}` gets a value on line {line}, after this function was made"
                    raise place.error(message, "bind it once, before the functions that use it")
        if name not in frame.values:
            raise place.error(f"`{name}` is used before it has a value")
        return frame.values[name]

    def static_value(self, name: str, frame: Frame, place: Place) -> Value:
        """The value of a name of a module or of an enclosing function, which must be bound exactly once."""
        source, bindings = frame.scope.source, frame.scope.bindings[name]
        binding = bindings[0]
        if len(bindings) > 1:
            raise place.error(f"`{name}` is bound more than once in {source.name}", "bind it once")
        if (source, frame.scope.node, name) in self._given:
            return self._given[source, frame.scope.node, name]
        if binding.typing_only:
            raise place.error(f"`{name}` is imported for type checking only in {source.name}")
        if not binding.direct:
            message = f"the value of `{name}` is not fixed by the text of {source.name}"
            raise place.error(message, "bind it by a plain assignment or `def` that always runs")
        if frame.until is not None and binding.position >= frame.until:
            raise place.error(f"`{name}` is used before it has a value")
        key = (source, frame.scope.node, name)
        if key not in self._static:
            self._static[key] = None
            try:
                self._static[key] = self._value_of(name, binding, frame, place)
            except SourceError:
                del self._static[key]
                raise
        value = self._static[key]
        if value is None:
            raise place.error(f"`{name}` is defined by itself")
        if not isinstance(binding.statement, ast.Import | ast.ImportFrom):
            self.used[source, binding.statement] = None
        return value

    def _value_of(self, name: str, binding: Binding, frame: Frame, place: Place) -> Value:
        source, statement = frame.scope.source, binding.statement
        before = replace(frame, until=position_of(statement))
        match statement:
            case ast.FunctionDef():
                return self._decorated(
                    Closure(statement, source, replace(frame, until=None), position_of(statement)), before
                )
            case ast.Assign() | ast.AnnAssign() if (value := value_given(name, statement)) is not None:
                result = self._evaluate(value, before)
                _refuse_changeable_parts(name, result, place)
                if holds_parts(result):
                    self._with_parts[name] = place, result
                if isinstance(result, Listing | ConstantSet | Table) or isinstance(value, ast.List | ast.ListComp):
                    self._mutable[name] = place, describe(result)
                return result
            case ast.Import() | ast.ImportFrom():
                return self.imported(statement, source)[name]
            case ast.ClassDef() if is_enum(statement, source):
                return enum_class(statement, source, lambda node: self._evaluate(node, before))
            case ast.ClassDef():
                made = self._with_base(record_class(statement, source), statement, before)
                self._members.update(made.methods)
                self._members.update(field for field, _ in made.fields)
                self._remember_attributes(made, place)
                return made
            case ast.AsyncFunctionDef():
                raise place.error(f"`{name}` is {construct(statement)}, which is not supported", IMPORT_HINT)
        message = f"the value of `{name}` is not fixed by the text of {source.name}"
        raise place.error(message, "bind it by a plain assignment or `def` that always runs")

    def _with_base(self, made: RecordClass, statement: ast.ClassDef, before: Frame) -> RecordClass:
        """A class with what it has of a class of the same module that it is derived from."""
        source, written = made.source, len(statement.bases)
        base = base_of(statement, source)
        if base is None:
            if any(library_name(each, source) is None for each in statement.bases):
                raise source.place(statement).error(f"the class `{made.name}` is not supported", CLASSES)
            return made
        found = self._evaluate(base, before)
        if not isinstance(found, RecordClass) or written > 1:
            raise source.place(statement).error(f"the class `{made.name}` is not supported", CLASSES)
        return inherited(made, found, source.place(statement))

    def _remember_attributes(self, made: RecordClass, place: Place) -> None:
        """The attributes of a plain class and of its objects, which nothing but the class and `__init__` may assign."""
        self._attributes.update(made.constants)
        method = made.methods.get("__init__")
        if method is not None and not made.fields:
            (self._followed if self.objects_are_followed else self._attributes).update(
                node.attr for node in ast.walk(method) if isinstance(node, ast.Attribute) and is_assigned(node)
            )
        for name, value in made.constants.items():
            if not isinstance(value, ast.Constant | ast.Tuple | ast.UnaryOp | ast.BinOp):
                self._mutable[name] = place, f"a constant of the class `{made.name}`"

    def follow_no_objects(self) -> None:
        """Note that code is read as a text, to which objects are as `__init__` has made them."""
        self.objects_are_followed = False
        self._attributes |= self._followed

    def note_attributes(self, names: Iterable[str]) -> None:
        """Note attributes of an object of a module, which is in use."""
        self._attributes.update(names)

    def note_shared(self, name: str, place: Place, kind: str) -> None:
        """Note that a name of a module is of an object in use that code may change."""
        self._mutable.setdefault(name, (place, f"a {kind}"))

    def holds(self, attribute: str, value: Value, place: Place) -> None:
        """Note that an attribute of an object of a plain class holds a list, a set or a dictionary."""
        self._held.add(attribute)
        self._mutable[attribute] = place, describe(value)
        if holds_parts(value):
            self._with_parts[attribute] = place, value

    def imported(self, statement: ast.Import | ast.ImportFrom, source: SourceFile) -> dict[str, Value]:
        """The names that an import statement binds; what cannot be read is bound to an Unusable."""
        place = source.place(statement)
        result: dict[str, Value] = {}
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                bound = alias.asname or alias.name.partition(".")[0]
                dotted = "." in alias.name and alias.asname is None
                result[bound] = (
                    Unusable("comes from an import of a dotted name", f"write `from {alias.name} import …`")
                    if dotted
                    else self._module(alias.name, 0, source, place)
                )
            return result
        module = statement.module or ""
        for alias in statement.names:
            bound = alias.asname or alias.name
            result[bound] = self._member(module, alias.name, statement.level, source, place)
        return result

    def _member(self, module: str, name: str, level: int, source: SourceFile, place: Place) -> Value:
        found = self._module(module, level, source, place)
        inner = self._module(f"{module}.{name}".lstrip("."), level, source, place)
        if isinstance(found, Unusable):
            return inner if isinstance(inner, Module) else found
        if found.source is not None and isinstance(inner, Module) and name not in _top_level(found.source):
            return inner
        return self.attribute(found, name, place)

    def attribute(self, module: Module, name: str, place: Place) -> Value:
        """A name of a module."""
        if module.source is not None:
            frame = self.module_frame(module.source)
            if (starred := self._starred(name, frame, place)) is not None:
                return starred
            if name not in frame.scope.bindings:
                raise place.error(f"{module.source.name} defines no `{name}`", _close(name, frame))
            return self.static_value(name, frame, place)
        if name in MODULES.get(module.name, {}):
            return MODULES[module.name][name]
        if module.name == "dataclasses" and name == "replace":
            return DATACLASSES_REPLACE
        if module.name == "collections" and name == "namedtuple":
            return NAMEDTUPLE
        if module.name in ("pyspark", "pyspark.storagelevel") and name == "StorageLevel":
            return Module("StorageLevel", None)
        if module.name == "StorageLevel" and _STORAGE_LEVEL.fullmatch(name):
            return Setting(name)
        if module.name == "datetime" and name in dates.CLASSES:
            return dates.CLASSES[name]
        if module.name == "decimal" and name == "Decimal":
            return BUILTINS["Decimal"]
        if module.name.partition(".")[0] == "logging":
            return Ignored()
        if module.name in ("pyspark", "pyspark.sql", "pyspark.sql.types") and name == "Row":
            return ROW
        listed = MODULES.get(module.name)
        known = IMPORT_HINT if listed is None else f"{module.name} has {_names_in_order(listed)}"
        return Unusable(f"of the module {module.name} is not supported", known)

    def _starred(self, name: str, frame: Frame, place: Place) -> Value | None:
        """What `import *` gives a name of a module; None where it gives it none; raises SourceError if that is open."""
        given: list[Module] = []
        for binding in frame.scope.bindings.get("*", ()):
            statement, source = binding.statement, frame.scope.source
            assert isinstance(statement, ast.ImportFrom)
            found = self._module(statement.module or "", statement.level, source, place)
            names = exported(found.source) if isinstance(found, Module) and found.source is not None else None
            if names is None or (name in names and (not binding.direct or name in frame.scope.bindings or given)):
                message = f"`import *` in {source.name} may give `{name}` another value"
                raise place.error(message, "import the names that are needed one by one")
            given += [found] if name in names else []  # type: ignore[list-item]
        return self.attribute(given[0], name, place) if given else None

    def _module(self, name: str, level: int, source: SourceFile, place: Place) -> Module | Unusable:
        parts = [part for part in name.split(".") if part]
        files = self._finder.files_of(name, level, source.folder)
        if level == 0 and parts and parts[0] in _LIBRARY:
            if files:
                raise place.error(f"`{name}` is both a library module and {files[0]}", "rename the file")
            return Module(name, None)
        if len(set(files)) > 1:
            raise place.error(f"`{name}` may be {files[0]} or {files[1]}", "rename one of the files")
        if not files and level == 0 and parts and parts[0] in sys.stdlib_module_names:
            hint = _INSTEAD_OF.get(
                parts[0], "write it with methods of texts and operators, or give its result as a parameter"
            )
            return Unusable("is of a module of Python that is not read", hint)
        if not files:
            return Unusable(f"comes from `{name}`, which is no file beside {source.name}", IMPORT_HINT)
        if files[0] not in self._files:
            self._files[files[0]] = load(files[0], shown_from(files[0], source))
        return Module(name, self._files[files[0]])

    def refuse_changes(self) -> None:
        """Raise SourceError when a file that runs may change a list, set or dictionary of a module in use."""
        importers, others = self._finder.run_with(self._files.values())
        sources = (*self._files.values(), *importers, *others)
        names = {name: all_names([name], sources) for name in sorted(self._mutable)}
        every = frozenset[str]().union(*names.values())
        taking = frozenset[str]().union(*(takers(source, every) for source in sources)) | {"__init__"}
        for source in sources:
            changing = names_that_may_change(source) - (
                self._mutable.keys() - self._held if source in others else set()
            )
            for node in assigned_attributes(source) if len(every) > len(names) else ():
                if _is_among(node.attr, {*taking}):
                    message = f"this may give `{node.attr}` another value, which is given what the program uses"
                    raise source.place(node).error(message, "bind a name in its own file only")
            for name in (each for each, others in names.items() if not others.isdisjoint(changing)):
                place, kind = self._mutable[name]
                hint = "only test membership in it, index it and go through it; or make it a tuple"
                raise place.error(f"`{name}` is {kind}, which other code in {source.name} may change", hint)
            for name, (place, value) in sorted(self._with_parts.items(), key=lambda each: each[0]):
                if (source not in others or name in self._held) and parts_may_change(source, name, value):
                    message = f"other code in {source.name} may change a list, set or dictionary that `{name}` holds"
                    raise place.error(message, "index it and test membership in its parts only; or make them tuples")

    def refuse_assignments_from_outside(self) -> None:
        """Raise SourceError when a file that runs may bind a name in use by other means than its statement."""
        used = {name for source, statement in self.used for name, _ in bound_names(statement)}
        importers, others = self._finder.run_with(self._files.values())
        for source in (*self._files.values(), *importers, *others):
            for node in assigned_attributes(source):
                if _is_of_library(node.value, source):
                    message = "this changes a module or a class of Python or Spark"
                    raise source.place(node).error(message, "define a function of another name")
            for place in map(source.place, modules_handed_on(source, _LIBRARY)):
                message = "this hands a module of Python or Spark on, which code may change by another name"
                raise place.error(message, "use its functions by their names")
        for source in (*self._files.values(), *importers):
            for place in map(source.place, namespaces(source)):
                message = "this gives every name of a module, which code may give other values without naming them"
                raise place.error(message, "write the names themselves")
            for place in map(source.place, patches(source)):
                raise place.error("this gives names other values by texts that name them", "patch in the tests' files")
            for place in map(source.place, setters_handed_on(source)):
                message = "this hands on what assigns to attributes, so that it is not seen which ones"
                raise place.error(message, "call it where it stands")
            top_level = scope_of(source, source.tree).bindings
            for node in assigned_attributes(source):
                owner = node.value.id if isinstance(node.value, ast.Name) else ""
                statements = [each.statement for each in top_level.get(owner, [])]
                outside = any(isinstance(each, ast.Import | ast.ImportFrom) for each in statements)
                of_class = outside or any(isinstance(each, ast.ClassDef) for each in statements)
                of_init = stands_in_init(node, source)
                of_object = _is_among(node.attr, self._attributes) and not of_init
                of_member = of_class and _is_among(node.attr, self._members)
                of_module = _is_among(node.attr, used) if outside else node.attr in used and not of_init
                of_enum = node.attr in _OF_MEMBERS and not stands_in_new(node, source)
                if of_object or of_module or of_member or of_enum or node.attr in _OF_FUNCTIONS:
                    what = "an attribute" if node.attr == ANY else f"`{node.attr}`"
                    message = f"this may give {what}, which the program uses, another value"
                    raise source.place(node).error(message, "bind a name in its own file only")

    def is_of_library(self, statement: ast.AST, source: SourceFile) -> bool:
        """Whether an import is of a module of Python that is read, and of no file of that name."""
        match statement:
            case ast.Import(names=names):
                modules = [each.name for each in names]
            case ast.ImportFrom(module=str(module), level=0):
                modules = [module]
            case _:
                return False
        in_library = all(each.partition(".")[0] in _LIBRARY for each in modules)
        return in_library and not any(self._finder.files_of(each, 0, source.folder) for each in modules)

    def remember(self, source: SourceFile) -> None:
        """Use this parsed file when another file imports it."""
        self._files[source.file] = source


def _is_of_library(owner: ast.expr, source: SourceFile) -> bool:
    """Whether an expression names a module of Python or Spark that is read, or what is in one."""
    name = library_name(owner, source) or ""
    module, _, inner = name.partition(".")
    return (module in _LIBRARY and module != "logging") or (module == "builtins" and inner in ("", "__builtins__"))


def _is_among(attribute: str, names: set[str]) -> bool:
    """Whether an attribute that is assigned to may have one of these names."""
    return attribute in names or (attribute == ANY and bool(names))


def _refuse_changeable_parts(name: str, value: Value, place: Place) -> None:
    """Raise SourceError for a module's value that holds what other code may change without naming it."""
    if not isinstance(value, Term):
        for part in parts_of(value):
            _refuse_changeable_parts(name, part, place)
    elif (found := dataclass_in(value.type)) is not None:
        message = f"`{name}` holds a record of the dataclass `{found}`, which other code may change"
        raise place.error(message, "write `@dataclass(frozen=True)`")


def _top_level(source: SourceFile) -> Iterable[str]:
    return scope_of(source, source.tree).bindings


def _names_in_order(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _close(name: str, frame: Frame) -> str:
    known: set[str] = set(BUILTINS)
    current: Frame | None = frame
    while current is not None:
        known |= set(current.scope.bindings)
        current = current.parent
    close = difflib.get_close_matches(name, sorted(known), 1)
    return f"did you mean `{close[0]}`?" if close else ""
