"""Calls functions of the user's files, to ask for the plans or the rows of what they make."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import os
import site
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .arguments import Arguments
from .asking import analysed, where
from .created import CREATING, jobs, recorded
from .lake import Lake, in_lake
from .settings import settings
from .surroundings import Surroundings
from .unknown_rows import LOOKS, NothingMade, Refusal, on_all_ways

Json = Any
Made = dict[str, Any]
"""The DataFrames that a function makes, by their places in its result: "" where it is one."""


class Calls:
    """Calls functions of files. Each has a session and modules of its own: views, settings and imports end with it.

    A request may say what parameters are `given`, by the names of results that were kept, and under which name the
    result is to be `keep`t; which values parameters have that are no tables, `said`; what paths and names stand for,
    `sources`, and the `tables` of the schema. Any other parameter is the table of its name, or the session.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.given: frozenset[str] = frozenset()
        self.loaded = set(sys.modules)
        self.surroundings = Surroundings()
        sys.dont_write_bytecode = True

    def plan(self, session: Any, request: Json, path: str, name: str) -> Json:
        """The plan of what a function makes, its columns, and whether it says alone which rows these are."""
        with self.called(session, request, path, name) as (parts, lake, _):
            made = _only(parts, name)
            if lake.written:
                raise ValueError(f"it writes {', '.join(lake.written)}, which is not compared")
            plan = made._jdf.queryExecution().analyzed()
            columns = [
                {**field.jsonValue(), "nullable": field.nullable, "ddl": field.dataType.simpleString()}
                for field in made.schema.fields
            ]
            text = str(plan.toString()) if request.get("keep") else ""
            answer = {**analysed(made), "columns": columns, "text": text, "deterministic": _is_deterministic(plan)}
            if request.get("keep"):
                self.kept[request["keep"]] = made
            return answer

    def results(self, session: Any, request: Json, path: str, name: str) -> Json:
        """The plans of all that a function makes, what it reads by other names, and what of `said` it used.

        Or only `where` it makes expressions of a class: see `asking.where`.
        """
        with self.called(session, request, path, name) as (parts, lake, used):
            if request.get("where"):
                return {"where": [where(made, request["where"]) for made in parts.values()]}
            plans = {place: analysed(made) for place, made in parts.items()}
            for place, plan in plans.items():
                found = lake.order(plan["settings"]["order"])
                plan["settings"]["order"] = lake.orders.get(place.removeprefix(WRITTEN), found)
            return {"plans": plans, "read": lake.read, "used": sorted(used)}

    def rows(self, session: Any, request: Json, path: str, name: str) -> list[list[Json]]:
        """The rows of what a function makes."""
        with self.called(session, request, path, name) as (parts, _, _):
            made = _only(parts, name)
            if request.get("keep"):
                self.kept[request["keep"]] = made
            return [plain_row(row) for row in made.collect()]

    @contextmanager
    def called(self, session: Any, request: Json, path: str, name: str) -> Iterator[tuple[Made, Lake, set[str]]]:
        """What a function makes, what it reads and writes, and which of `said` it took, while its modules are there."""
        given = {parameter: self.kept[of] for parameter, of in request.get("given", {}).items()}
        try:
            with (
                self.surroundings.watched(_folders(path, request)),
                self.imported(path, name, request.get("roots", ())) as function,
            ):
                looked = False

                def once() -> tuple[Any, Made, Lake, set[str]]:
                    nonlocal looked
                    own = _of_its_own(session)
                    for text in request.get("setup", ()):
                        own.sql(text)
                    before = _executions(session).size(), jobs(session) - CREATING[0]
                    try:
                        with recorded(own):
                            return (own, *self.made(own, function, name, request, given))
                    finally:
                        looked |= _has_run(session, before[0]) or jobs(session) - CREATING[0] > before[1]

                if "collect" in request:
                    _, *found = once()
                else:
                    own, *found = on_all_ways(once, _alike)
                    if looked:
                        raise ValueError(LOOKS)
                    _active(own)
                yield tuple(found)  # type: ignore[misc]
        except Refusal as refusal:
            raise ValueError(str(refusal)) from None
        finally:
            _active(session)

    def made(
        self, session: Any, function: Any, name: str, request: Json, given: Mapping[str, Any]
    ) -> tuple[Made, Lake, set[str]]:
        """What a function makes of the tables of a session, what it reads and writes, and which of `said` it took."""
        tables = frozenset(request.get("tables", ()))
        lake = Lake(session, request.get("sources", {}), tables, self.given)
        own = functools.partial(_table, session, lake)
        arguments = Arguments(session, own, given, request.get("said", {}))
        with in_lake(lake):
            result = function(arguments)
            if self.register():  # a module that the function imported: its functions are to be pickled by value
                lake.read.clear()
                lake.written.clear()
                result = function(arguments)
            parts = _parts(result, lake, name)
            for place, frame in parts.items():
                if not place.startswith(WRITTEN):
                    lake.require_as_read(frame)
        return parts, lake, arguments.used

    def tried(self, session: Any, request: Json) -> Iterator[list[Json]]:
        """What each of some texts or functions gives on databases: rows, or a message.

        The statements of `databases` make views. The first is tried until it has taken some `seconds` of the processor,
        the others on the same databases. Each function is imported once; it has a path, a name, and which of the
        DataFrames is wanted that it makes; None for all, whose rows then start with their places.
        """
        databases, seconds = request["databases"], request["seconds"]
        for each in [*request.get("texts", ()), *request.get("tried", ())]:
            own = _of_its_own(session)
            try:
                if isinstance(each, str):
                    found = _on_databases(own, databases, seconds, lambda own=own, each=each: own.sql(each).collect())
                else:
                    path, name, place = each
                    with self.imported(path, name, request.get("roots", ())) as function, recorded(own):
                        made = functools.partial(self.made, own, function, name, request, {})
                        found = _on_databases(own, databases, seconds, functools.partial(_rows, made, place))
            finally:
                _active(session)
            databases, seconds = databases[: len(found)], float("inf")
            yield found

    @contextmanager
    def imported(self, path: str, name: str, roots: Sequence[str]) -> Iterator[Callable[[Arguments], Any]]:
        """A function of a file, or a method, as if this were the first that is imported; it takes `Arguments`.

        A file of a package is imported as part of it, another as if it were run: its folder is looked in first.
        """
        before, file = list(sys.path), Path(path).resolve()
        root, module_name = _place(file)
        others = [str(each) for each in _project(root) if str(each) not in before]
        own = [str(root), *roots] if "." in module_name else [str(file.parent), *roots]
        sys.path[:] = [*own, *before, *others, str(file.parent)]
        importlib.invalidate_caches()
        try:
            module = _imported(file, module_name)
            self.register()
            yield _callable(module, path, name)
        finally:
            for each in self.own():
                _by_value(each, False)
                del sys.modules[each]
            sys.path[:] = before

    def register(self) -> bool:
        """Has functions of the user's modules pickled by value: is there a module that was not there before?"""
        news = [each for each in self.own() if _by_value(each, True)]
        return bool(news)

    def own(self) -> list[str]:
        """The modules that were imported since the beginning, and are of no library."""
        return [name for name in sys.modules if name not in self.loaded and not _is_library(sys.modules[name])]


def _place(file: Path) -> tuple[Path, str]:
    """The folder that imports of a file start from, and the full name of its module there.

    A folder is a package if it has an `__init__.py`, or if relative imports of the file say so.
    """
    parts, root, up = [file.stem], file.parent, _relative_levels(file)
    while ((root / "__init__.py").is_file() or len(parts) <= up) and root != root.parent:
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts)


def _folders(path: str, request: Json) -> list[str]:
    """The folders whose files are part of the program that a file belongs to."""
    root, _ = _place(Path(path).resolve())
    return [str(Path(path).resolve().parent), *map(str, _project(root)), *request.get("roots", ())]


def _relative_levels(file: Path) -> int:
    """How many folders up the relative imports of a file go."""
    try:
        statements = ast.walk(ast.parse(file.read_bytes()))
        return max((each.level for each in statements if isinstance(each, ast.ImportFrom)), default=0)
    except (SyntaxError, OSError):
        return 0


PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
"""What a project has in its folder."""


def _project(root: Path) -> Iterator[Path]:
    """The folders up to that of a project, and those below them that are called `src`, where imports may start."""
    folders = [root, *root.parents]
    ends = [index for index, each in enumerate(folders) if any((each / name).exists() for name in PROJECT)]
    for each in folders[: ends[0] + 1] if ends else ():
        yield from (place for place in (each, each / "src") if place.is_dir())


def _imported(file: Path, name: str) -> Any:
    if "." in name:
        module = importlib.import_module(name)
        if not os.path.samefile(str(module.__file__), file):
            raise ImportError(f"Python has another module {name} than {file}")
        return module
    specification = importlib.util.spec_from_file_location(name, file)
    if specification is None or specification.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(specification)
    if name not in sys.modules:
        sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def _callable(module: Any, path: str, name: str) -> Callable[[Arguments], Any]:
    """A function of a module, or a method: of its class, or of an object that its class makes of the same arguments."""
    owner, dot, method = name.partition(".")
    found = getattr(module, owner, None)
    if not callable(found) or (dot and not callable(getattr(found, method, None))):
        raise AttributeError(f"{path} has no function {name}")
    is_of_class = dot and not isinstance(inspect.getattr_static(found, method), (staticmethod, classmethod))

    def call(arguments: Arguments) -> Any:
        function = found
        if dot:
            function = getattr(_call(found, arguments) if is_of_class else found, method)
        return _call(function, arguments)

    return call


def _call(function: Any, arguments: Arguments) -> Any:
    places, names = arguments.of(function)
    return function(*places, **names)


def _table(session: Any, lake: Lake, name: str) -> Any | None:
    """The table that a parameter is: of its name, or of the name that the caller has given it, or without `df`."""
    if not lake.tables:
        return session.table(name)
    plain = name.lower().removeprefix("df_").removesuffix("_df")
    for each in (lake.sources.get(name, name), plain):
        if each.lower() in lake.tables:
            return session.table(each)
    return None


def _parts(result: Any, lake: Lake, name: str) -> Made:
    """The DataFrames of a result, and those that are written. Raises NothingMade if there is none, or anything else."""
    written = {f"{WRITTEN}{place}": made for place, made in lake.written.items()}
    if result is None and written:
        return written
    if hasattr(result, "_jdf"):
        return {"": result, **written}
    as_dict: Any = getattr(result, "_asdict", None)
    fields: Any = result if as_dict is None else as_dict()
    if isinstance(fields, dict):
        parts = {f"[{key!r}]": each for key, each in fields.items()}
    elif isinstance(result, (tuple, list)):
        parts = {f"[{place}]": each for place, each in enumerate(result)}
    else:
        parts = {}
    if not parts or not all(hasattr(each, "_jdf") for each in parts.values()):
        inside = "".join(sorted({f" of {type(each).__name__}" for each in parts.values() if not hasattr(each, "_jdf")}))
        raise NothingMade(f"{name} returns a {type(result).__name__}{inside}, not a DataFrame, or several")
    return {**(dict(sorted(parts.items())) if isinstance(result, dict) else parts), **written}


WRITTEN = "written to "
"""What places of DataFrames that are written start with."""


def _of_its_own(session: Any) -> Any:
    """A new session, which sees no view of others."""
    session._jsparkSession.sharedState().globalTempViewManager().clear()
    return _active(session.newSession())


def _only(parts: Made, name: str) -> Any:
    if "" not in parts:
        raise TypeError(f"{name} makes several DataFrames, not one")
    return parts[""]


def _alike(first: Any, second: Any) -> bool:
    """Whether a function has made the same on two ways."""
    (session, one, lake, _), (other_session, other, other_lake, _) = first, second
    if [*one] != [*other] or lake.read != other_lake.read or settings(session) != settings(other_session):
        return False
    return all(one[place].columns == other[place].columns and _same_plan(one[place], other[place]) for place in one)


def _same_plan(one: Any, other: Any) -> bool:
    plans = [each._jdf.queryExecution().analyzed() for each in (one, other)]
    return bool(plans[0].sameResult(plans[1]))


def _rows(made: Callable[[], tuple[Made, Lake, set[str]]], place: str | None) -> list[Any]:
    parts, _, _ = made()
    if place is not None:
        return list(parts[place].collect())
    return [[key, *row] for key, each in parts.items() for row in each.collect()]


def _on_databases(session: Any, databases: Json, seconds: float, run: Callable[[], Any]) -> list[Json]:
    """The rows that are returned on each database, or why there are none, as far as there is time."""
    deadline = _processor_seconds(session) + seconds
    found: list[Json] = []
    for statements in databases:
        if _processor_seconds(session) > deadline:
            break
        try:
            for text in statements:
                session.sql(text)
            found.append([plain_row(row) for row in run()])
        except (Exception, Refusal) as error:
            found.append(message(error))
    return found


def _processor_seconds(session: Any) -> float:
    """What this process and Spark's have taken of the processor."""
    spent = session._jvm.java.lang.ProcessHandle.current().info().totalCpuDuration()
    return (spent.get().toMillis() / 1e3 if spent.isPresent() else 0.0) + time.process_time()


def _by_value(name: str, wanted: bool) -> bool:
    """Has functions of a module pickled by value, or no longer; whether that is news."""
    from pyspark import cloudpickle
    from pyspark.cloudpickle.cloudpickle import list_registry_pickle_by_value

    if (name in list_registry_pickle_by_value()) == wanted:
        return False
    register = cloudpickle.register_pickle_by_value if wanted else cloudpickle.unregister_pickle_by_value
    register(sys.modules[name])
    return True


def _is_library(module: Any) -> bool:
    """Whether a module is of Python, or was installed."""
    file = getattr(module, "__file__", None)
    places = [file] if file else list(getattr(module, "__path__", ()))
    libraries = [*sysconfig.get_paths().values(), *site.getsitepackages(), site.getusersitepackages()]
    return all(any(os.path.abspath(place).startswith(each + os.sep) for each in libraries) for place in places)


def _active(session: Any) -> Any:
    """Makes a session the one that `getOrCreate` and `getActiveSession` find."""
    kind = type(session)
    kind._instantiatedSession = session
    if hasattr(kind, "_activeSession"):
        kind._activeSession = session
    java = session._jvm.SparkSession
    java.setDefaultSession(session._jsparkSession)
    java.setActiveSession(session._jsparkSession)
    return session


def _is_deterministic(plan: Any) -> bool:
    """Whether Spark takes a plan for one that gives the same rows whenever it runs."""
    try:
        return bool(plan.deterministic())
    except Exception:
        return False


def _executions(session: Any) -> Any:
    """What the session's Spark has run."""
    session._jsc.sc().listenerBus().waitUntilEmpty()
    return session._jsparkSession.sharedState().statusStore().executionsList()


def _has_run(session: Any, since: int) -> bool:
    """Whether a query was run since there were so many; commands, such as those that make views, do not count."""
    listed = _executions(session)
    plans = (listed.apply(index).physicalPlanDescription() for index in range(since, listed.size()))
    return any("\nExecute " not in str(plan)[:40] for plan in plans)


def plain_row(row: Any) -> list[Json]:
    """The values of a row; others than JSON has as texts."""
    return [value if value is None or isinstance(value, bool | int | str) else str(value) for value in row]


def message(error: BaseException) -> str:
    """What Spark says of a query that it refuses, without the JVM's stack."""
    text = str(getattr(error, "desc", None) or error)
    return text.split("\n\nJVM stacktrace")[0].strip() or type(error).__name__
