"""Renders the models of a dbt project without dbt and without a warehouse: a light stand-in for `dbt compile`.

A model is called by its name, a source by `schema.table` with the name of the source as its schema; texts are those of
a full refresh (`is_incremental()` is false). Whatever needs a warehouse (`run_query`, `statement`) is not rendered;
`get_columns_in_relation` answers with the columns that the text of the other model returns. `enabled` is ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

import jinja2
import yaml
from tallystick.experiments.dbt.columns import Columns, folded, guess, returned, type_of
from tallystick.experiments.dbt.files import ProjectFiles
from tallystick.experiments.dbt.macros import COMMENT, Dispatch, Macros, Returned, load_macros
from tallystick.experiments.dbt.sandbox import (
    LONGEST,
    MODULES,
    MOMENT,
    Loose,
    NotRenderedError,
    OutOfTimeError,
    Package,
    Sandbox,
    time_limit,
)

INTERVALS: Final = 3_650
"""How many intervals a spine of dates has, which the warehouse would count."""
SECONDS: Final = 20.0
"""Of processor time for a model."""


class Relation(Loose):
    """A relation as macros see it: prints as its name."""

    def __init__(self, schema: str, identifier: str) -> None:
        named = {"schema": schema, "identifier": identifier, "name": identifier, "table": identifier}
        super().__init__(named, database="db", type="view", is_cte=False, metadata={"type": "Relation"})

    def __str__(self) -> str:
        parts = (self["schema"], self["identifier"]) if self["schema"] else (self["identifier"],)
        return ".".join(part if re.fullmatch(r"[A-Za-z_]\w*", part) else f'"{part}"' for part in parts)

    def include(self, *_: object, **__: object) -> Relation:
        """The same relation: names have no other parts here."""
        return self

    quote = incorporate = render = include


@dataclass
class Rendered:
    """A model and its text.

    Attributes:
        reads: the names of the models and sources that it asks for.
        error: why there is no text; "" if there is one.
    """

    name: str
    path: str
    sql: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    reads: dict[str, None] = field(default_factory=dict)
    error: str = ""


class Project:
    """A dbt project whose models are rendered as they are asked for."""

    def __init__(
        self,
        files: ProjectFiles,
        dialect: str,
        packages: Path | None = None,
        variables: Mapping[str, Any] | None = None,
    ) -> None:
        self.files, self.dialect = files, dialect
        self._variables = {**files.variables(), **(variables or {})}
        self._jinja = Sandbox(extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"])
        self._jinja.filters |= {"as_bool": _as_bool, "as_text": str, "as_native": _same, "as_number": _same}
        self._stack: list[Rendered] = []
        self._this = Relation("", "this")
        self._rendered: dict[str, Rendered] = {}
        self._columns: dict[str, Columns] = {}
        self._macros = load_macros(self._jinja, files, dialect, packages)
        self._set_globals(self._macros)
        self.models = {PurePosixPath(path).stem: path for path in files.of_kind("model", ".sql")}
        self.declared: dict[str, Columns] = {}
        for name, columns in files.declared():
            self.declared.setdefault(name, {}).update(self._typed(columns))
        self.seeds = {name: self._typed(columns) for name, columns in files.seeds()}

    def render(self, name: str) -> Rendered:
        """A model with its text, or with why it has none."""
        if name in self._rendered:
            return self._rendered[name]
        if name in {each.name for each in self._stack}:
            raise NotRenderedError(f"{name} asks for its own columns")
        path = self.models[name]
        model = Rendered(name, path, config={"materialized": self.files.materialised(path)})
        with self._rendering(model):
            try:
                with time_limit(SECONDS):
                    model.sql = self.text(self.files.folder.text(path))
                model.error = "" if model.sql.strip() else "the text is empty"
            except RecursionError:
                model.error = "macros are nested too deeply"
            except (OutOfTimeError, NotRenderedError, MemoryError) as problem:
                model.error = " ".join(str(problem).split())[:160] or "it takes too much memory"
            except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as problem:
                model.error = _told(problem)
            except (AttributeError, AssertionError, re.error) as problem:
                model.error = _told(problem)
        self._rendered[name] = model
        return model

    @contextmanager
    def _rendering(self, model: Rendered) -> Any:
        """While a model is rendered, `this` and `config` are its own."""
        self._stack.append(model)
        self._name_this()
        try:
            yield
        finally:
            self._stack.pop()
            self._name_this()

    def _name_this(self) -> None:
        if self._stack:
            self._this.update(dict.fromkeys(("identifier", "name", "table"), self._stack[-1].name))

    def render_all(self) -> list[Rendered]:
        """All models of the project."""
        return [self.render(name) for name, path in sorted(self.models.items()) if not self.files.is_input(path)]

    def text(self, template: str) -> str:
        """What a template says."""
        try:
            said = self._jinja.from_string(COMMENT.sub("", template)).render()
        except Returned as result:
            said = str(result.value)
        if len(said) > LONGEST:
            raise NotRenderedError(f"the text has more than {LONGEST:,} characters")
        return said

    def columns_of(self, name: str) -> Columns:
        """The columns of a model, seed or source as far as texts and declarations show them; {} if they do not."""
        if name not in self._columns and name in self.models:
            model = self.render(name)
            self._columns[name] = {}
            inputs = {each: self.columns_of(each) for each in model.reads} if not model.error else {}
            self._columns[name] = returned(model.sql, inputs, self.dialect)
        said = self._columns.get(name) or self.seeds.get(name) or self.declared.get(name) or {}
        return {column: text or type_of(guess(column), self.dialect) for column, text in said.items()}

    def _set_globals(self, macros: Macros) -> None:
        every = self._jinja.globals
        for package in sorted({of for of, _ in macros}, key=lambda each: (each == self.files.name, each == "dbt")):
            every |= {name: macro for (of, name), macro in macros.items() if of == package}
        own = {"is_incremental": _false, "statement": _warehouse, "run_query": _warehouse, "load_relation": _nothing}
        macros.update({("dbt", name): made for name, made in own.items()})
        macros["dbt_utils", "get_intervals_between"] = _intervals
        dispatch = Dispatch(macros, self.files.name, self.dialect)
        target = Loose(type=self.dialect, name="prod", schema="main", database="db", profile_name="prod", threads=1)
        every |= own
        every |= {package: Package(macros, package) for package, _ in macros}
        every |= {"dbt": Package(macros, "dbt"), "ref": self._ref, "source": self._source, "this": self._this}
        every |= {"config": _Config(self._stack), "var": _Variables(self, self._variables), "execute": True}
        every |= {"env_var": _environment, "return": _return, "log": _silent, "print": _silent, "target": target}
        every |= {"builtins": Loose(ref=self._ref, source=self._source, config=_Config(self._stack)), "set": set}
        every |= {"adapter": _Adapter(self, dispatch), "api": Loose(Column=_ColumnTypes(self.dialect))}
        every["api"]["Relation"] = Loose(create=_relation)
        every |= {"exceptions": Loose(raise_compiler_error=_refuse, warn=_silent), "run_started_at": MOMENT}
        every |= {"modules": MODULES, "zip": zip, "tojson": json.dumps, "fromjson": json.loads}
        every |= {"fromyaml": yaml.safe_load, "toyaml": yaml.safe_dump, "project_name": self.files.name}
        every |= {"flags": Loose(FULL_REFRESH=False, WHICH="compile"), "graph": Loose(nodes={}, sources={})}
        every |= {"invocation_id": "invocation", "dbt_version": "1.10.0", "model": self._this, "context": every}
        every |= {"load_result": _warehouse, "local_md5": _digest, "selected_resources": []}

    def _ref(self, *names: str, **version: object) -> Relation:
        number = version.get("v", version.get("version"))
        return self._reads("", names[-1] if number is None else f"{names[-1]}_v{number}")

    def _source(self, schema: str, table: str) -> Relation:
        return self._reads(schema, table)

    def _reads(self, schema: str, name: str) -> Relation:
        if self._stack:
            self._stack[-1].reads[f"{schema}.{name}" if schema else name] = None
        return Relation(schema, name)

    def _typed(self, columns: Columns) -> Columns:
        """Columns as the dialect keeps their names, and their types without Jinja."""
        found = {}
        for name, said in columns.items():
            try:
                text = self.text(said).strip() if "{" in said else said
            except (jinja2.TemplateError, NotRenderedError, TypeError, ValueError):
                text = ""
            found[folded(name.strip('"`'), self.dialect)] = text
        return found


class _Config:
    def __init__(self, stack: list[Rendered]) -> None:
        self._stack = stack

    def __call__(self, *given: Mapping[str, Any], **named: Any) -> str:
        for each in (*given, named) if self._stack else ():
            self._stack[-1].config |= each
        return ""

    def get(self, key: str, default: Any = None, **_: object) -> Any:
        """A setting of the model."""
        return self._stack[-1].config.get(key, default) if self._stack else default

    require = get


class _Variables:
    def __init__(self, project: Project, variables: Mapping[str, Any]) -> None:
        self._project, self._variables = project, variables

    def __call__(self, name: str, default: Any = None) -> Any:
        value = self._variables.get(name, default)
        return self._project.text(value) if isinstance(value, str) and "{" in value else value

    def has_var(self, name: str) -> bool:
        """Whether the project gives a variable."""
        return name in self._variables


class _Adapter:
    def __init__(self, project: Project, dispatch: Dispatch) -> None:
        self._project, self.dispatch = project, dispatch

    def quote(self, name: str) -> str:
        """A name in quotes."""
        return f"`{name}`" if self._project.dialect in ("bigquery", "databricks", "spark") else f'"{name}"'

    def get_columns_in_relation(self, relation: object) -> list[_Column]:
        """The columns that the text of a model returns, or that are declared."""
        found = self._project.columns_of(str(relation))
        if not found:
            raise NotRenderedError("the columns of a relation are not known without a warehouse")
        return [_Column(name, self.quote(name), text) for name, text in found.items()]

    def __getattr__(self, name: str) -> Callable[..., None]:
        return _nothing


class _Column(Loose):
    def __init__(self, name: str, quoted: str, text: str) -> None:
        super().__init__(name=name, column=name, quoted=quoted, dtype=text, data_type=text)

    def is_string(self) -> bool:
        """Whether it holds texts."""
        return str(self["dtype"]).upper().startswith(("VARCHAR", "STRING", "TEXT"))

    def string_size(self) -> int:
        """Room for letters."""
        return 0


class _ColumnTypes:
    def __init__(self, dialect: str) -> None:
        self._dialect = dialect

    def translate_type(self, name: str) -> str:
        """The type of a name that all adapters know."""
        if self._dialect == "bigquery":
            return {"text": "string", "float": "float64", "integer": "int64", "bigint": "int64"}.get(name.lower(), name)
        text = "string" if self._dialect in ("spark", "databricks") else "text"
        return {"string": text, "integer": "int"}.get(name.lower(), name)

    def numeric_type(self, name: str, precision: object, scale: object) -> str:
        """A type of decimals with its digits."""
        return name if precision is None else f"{name}({precision},{scale})"

    def string_type(self, size: int) -> str:
        """A type of texts with its size."""
        return f"varchar({size})"


def _told(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:160]


def _relation(database: str = "", schema: str = "", identifier: str = "", **_: object) -> Relation:
    return Relation(schema, identifier)


def _environment(name: str, default: str | None = None) -> str:
    return name.lower() if default is None else default


def _digest(text: object) -> str:
    from hashlib import md5

    return md5(str(text).encode(), usedforsecurity=False).hexdigest()


def _as_bool(value: object) -> bool:
    return value if isinstance(value, bool) else str(value).lower() == "true"


def _intervals(*_: object, **__: object) -> int:
    return INTERVALS


def _same(value: object) -> object:
    return value


def _false(*_: object) -> bool:
    return False


def _nothing(*_: object, **__: object) -> None:
    return None


def _silent(*_: object, **__: object) -> str:
    return ""


def _return(value: object = None) -> None:
    raise Returned(value)


def _refuse(message: object = "", *_: object) -> None:
    raise NotRenderedError(str(message))


def _warehouse(*_: object, **__: object) -> None:
    raise NotRenderedError("it asks the warehouse")
