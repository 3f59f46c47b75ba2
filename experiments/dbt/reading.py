"""Reads each rendered model of a dbt project alone with the reader of `frontends/sql`, over the columns of its inputs.

Columns of sources are those that the project declares; of seeds, those of their files; of models, those that their
texts return, by our reader or, where that refuses, by sqlglot. Columns that nobody declares are those that texts use,
with types that are guessed by name and use. Where a refusal shows that a guess was wrong, it is mended, and the models
are read again: no refusal that hangs on a guess says anything about the reader.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Final
from typing import Literal as Choice

from sqlglot import exp
from tallystick.core.errors import TallystickError
from tallystick.core.queries.types import DECIMAL, ColumnType
from tallystick.experiments.dbt.columns import (
    KINDS,
    Columns,
    folded,
    guess,
    parsed,
    passed,
    renamed,
    returned,
    type_of,
    used,
)
from tallystick.experiments.dbt.files import ProjectError
from tallystick.experiments.dbt.rendering import Project, Rendered
from tallystick.experiments.dbt.sandbox import OutOfTimeError, time_limit
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_statement
from tallystick.frontends.sql.schema import DeclaredColumn, DeclaredTable, Schema, SchemaBuilder
from tallystick.frontends.sql.schema_json import parsed_type
from tallystick.frontends.sql.source import SqlText

ROUNDS: Final = 4
"""How often all models are read, at most, while guesses are mended."""
SECONDS: Final = 20.0
"""Of processor time for the reading of a model."""
_UNKNOWN: Final = re.compile(
    r"there is no (column|table|query)|the SELECT list has no columns|expected table name|columns are not known"
)
_OF_TYPES: Final = re.compile(
    r"is expected, not a value of type|values of the types|types do not fit|arithmetic on two texts"
    r"|is no (decimal|date|timestamp|number|integer)|text of a decimal"
    r"|does not take `.*` \(of |\(a value of type text as |was not compared with arguments of types"
)
_EXPECTED: Final = (
    (r"a condition is expected", "boolean"),
    (r"a number is expected|arithmetic on two texts", "decimal"),
    (r"an integer is expected", "integer"),
    (r"a text is expected", "text"),
    (r"a date( or a timestamp)? is expected", "date"),
    (r"a timestamp is expected", "timestamp"),
    (r"an array( or a document)? is expected", "opaque"),
    (r"is no (decimal|integer|number|date|timestamp)", "text"),
)
_RANKED: Final = ("decimal", "integer", "date", "timestamp", "boolean", "text")
"""Of two types that meet, the earlier one is right: a text or a truth value is guessed by name alone."""

Kind = Choice["read", "refused", "guess", "not rendered", "unknown columns"]


@dataclass(frozen=True)
class Outcome:
    """What became of a model; `message` and `place` say why and where it was not read."""

    kind: Kind
    message: str = ""
    place: str = ""


class ProjectReading:
    """The models of a project, each read over the columns of what it reads."""

    def __init__(self, project: Project, exact_floats: bool = False) -> None:
        self.project, self.exact_floats = project, exact_floats
        self.dialect = dialect_named(project.dialect)
        self.counted = project.render_all()
        self.models = {name: project.render(name) for name in project.models}
        self.outcomes: dict[str, Outcome] = {}
        self._order = self._in_order()
        reads = {each for model in self.models.values() for each in model.reads}
        self._externals = sorted(reads - self.models.keys())
        self._given = {name: self._declared(name) for name in self._externals}
        self._uses: dict[str, dict[str, str]] = defaultdict(dict)
        self._find_uses()
        self._mended: dict[str, str] = {}
        self._guessed: set[str] = set()
        self._origins: dict[str, set[str]] = defaultdict(set)
        self._columns: dict[str, Columns] = {}
        self._read: dict[str, tuple[dict[str, Columns], Outcome, Columns]] = {}

    def _declared(self, name: str) -> Columns:
        return self.project.seeds.get(name) or self.project.declared.get(name) or {}

    def _in_order(self) -> list[str]:
        order = {name: model.reads.keys() & self.models.keys() - {name} for name, model in self.models.items()}
        try:
            return list(TopologicalSorter(order).static_order())
        except CycleError as problem:
            raise ProjectError(f"models read each other in a circle: {', '.join(problem.args[1])}") from None

    def _find_uses(self) -> None:
        """The columns of sources that texts use, also by way of models that pass all columns on."""
        through: dict[str, set[str]] = {}
        order = [name for name in self._order if not self.models[name].error]
        for model in (self.models[name] for name in order):
            mine = {name for name in model.reads if name in self._given or through.get(name)}
            through[model.name] = passed(model.sql, mine, self.project.dialect) if mine else set()
            for name, columns in used(model.sql, mine, self.project.dialect).items() if mine else ():
                self._use(name, columns)
        for name in reversed(order):
            for source in through[name]:
                self._use(source, self._uses[name])

    def _use(self, name: str, columns: Mapping[str, str]) -> None:
        for column, use in columns.items():
            self._uses[name][column] = self._uses[name].get(column) or use

    def run(self) -> None:
        """Reads all models until no guess is mended."""
        for _ in range(ROUNDS):
            known = len(self._mended), {name: dict(uses) for name, uses in self._uses.items()}
            self._columns = {name: self._external(name) for name in self._externals}
            for name in self._order:
                self.outcomes[name], self._columns[name] = self._model(self.models[name])
            if known == (len(self._mended), self._uses):
                break

    def columns(self, name: str) -> Columns:
        """The columns of a model or source; types that are not known are guessed by names."""
        found = self._columns.get(name) or self._declared(name)
        return {column: text or type_of(guess(column), self.project.dialect) for column, text in found.items()}

    def _external(self, name: str) -> Columns:
        """The columns of a source: those that are given, and those that texts use."""
        given = self._given[name]
        uses = {column.casefold(): use for column, use in self._uses[name].items()}
        found = {column: (text, uses.get(column.casefold(), "")) for column, text in given.items()}
        known = {column.casefold() for column in given}
        extra = self._uses[name].items() if not given or "." in name else ()
        found |= {column: ("", use) for column, use in extra if column.casefold() not in known}
        self._guessed |= {column.casefold() for column, (text, _) in found.items() if not text}
        return {
            column: text or type_of(self._mended.get(column.casefold()) or guess(column, use), self.project.dialect)
            for column, (text, use) in found.items()
        }

    def _model(self, model: Rendered) -> tuple[Outcome, Columns]:
        inputs = {name: self._columns[name] for name in model.reads if self._columns.get(name)}
        if model.error:
            return Outcome("not rendered", model.error, model.path), {}
        if model.name in self._read and self._read[model.name][0] == inputs:
            return self._read[model.name][1:]
        try:
            with time_limit(SECONDS):
                outcome, columns = self._outcome(model, inputs)
        except (OutOfTimeError, MemoryError, RecursionError) as problem:
            outcome, columns = Outcome("refused", str(problem) or "it takes too much memory", model.path), {}
        self._read[model.name] = inputs, outcome, columns
        return outcome, columns

    def _outcome(self, model: Rendered, inputs: Mapping[str, Columns]) -> tuple[Outcome, Columns]:
        try:
            text = SqlText(model.sql, model.path)
            schema = self._schema(inputs)
            read = read_statement(text, schema, self.dialect, exact_floats=self.exact_floats, open_sources=True)
        except SourceError as problem:
            return self._refused(model, problem), self._derived(model, inputs)
        except TallystickError as problem:
            return Outcome("refused", str(problem), model.path), self._derived(model, inputs)
        self._pass_guesses_on(model)
        return Outcome("read"), self._returned(model, inputs, read.names, read.columns)

    def _returned(
        self, model: Rendered, inputs: Mapping[str, Columns], names: tuple[str, ...], types: tuple[ColumnType, ...]
    ) -> Columns:
        """The columns that were read; with the digits that sqlglot finds for decimals, which types here do not have."""
        sized = any(each.type == DECIMAL for each in types)
        derived = returned(model.sql, inputs, self.project.dialect) if sized else {}
        digits = {name.casefold(): text for name, text in derived.items()}
        found = {}
        for name, column in zip(names, types, strict=False):
            text = digits.get(name.casefold(), "")
            declared = parsed_type(text, self.dialect) if text else None
            if declared is None or declared.type != column.type:
                kind = str(column.type)
                text = type_of(kind if kind in KINDS else "text", self.project.dialect)
            found[name] = text
        return found

    def _schema(self, inputs: Mapping[str, Columns]) -> Schema:
        tables = [self._table(name, columns) for name, columns in inputs.items()]
        built = SchemaBuilder("the inputs", self.dialect).build(tables)
        return built if self.exact_floats else built.with_floats()

    def _table(self, name: str, columns: Columns) -> DeclaredTable:
        distinct = {self.dialect.declared(each): (each, text) for each, text in columns.items()}
        declared = [DeclaredColumn(each, parsed_type(text, self.dialect), text) for each, text in distinct.values()]
        return DeclaredTable(folded(name, self.project.dialect), declared)

    def _derived(self, model: Rendered, inputs: Mapping[str, Columns]) -> Columns:
        """The columns of a model that is refused; those whose types are guessed are so known."""
        found = returned(model.sql, inputs, self.project.dialect)
        self._pass_guesses_on(model)
        own = {name.casefold(): text for name, text in self.project.declared.get(model.name, {}).items() if text}
        sure = {column.casefold() for columns in inputs.values() for column in columns} - self._guessed
        self._guessed |= {column.casefold() for column in found} - sure - own.keys()
        mended = {
            name: type_of(self._mended[name.casefold()], self.project.dialect)
            if name.casefold() in self._mended
            else ""
            for name in found
        }
        return {name: own.get(name.casefold()) or mended[name] or text for name, text in found.items()}

    def _pass_guesses_on(self, model: Rendered) -> None:
        """Other names that a text gives to columns whose types are guessed: their types are guessed, too."""
        own = self.project.declared.get(model.name, {}).keys()
        for name, columns in renamed(model.sql, self.project.dialect).items():
            if (passed_on := columns & self._guessed) and name not in own:
                self._guessed.add(name)
                self._origins[name] |= passed_on - {name}

    def _refused(self, model: Rendered, problem: SourceError) -> Outcome:
        place = f"{problem.path}:{problem.line}:{problem.column}"
        blind = [name for name in model.reads if name in self.models and not self._columns.get(name)]
        unknown = re.search(r"there is no column ([^\s.]+\.)?(\S+)", problem.message)
        if unknown and unknown[1] is None and re.search(rf"\bas\s+{re.escape(unknown[2])}\b", model.sql, re.IGNORECASE):
            return Outcome("refused", "the alias of a column is used where it is not known", place)
        for name in model.reads:
            if unknown and name in self._given and (not self._given[name] or "." in name):
                column = unknown[2].strip('"`')
                column = column if column != unknown[2] else folded(column, self.project.dialect)
                self._uses[name].setdefault(column, "")
        doubtful = re.search(r"the column (?:\S+\.)?(\S+) is ambiguous", problem.message)
        if doubtful and doubtful[1].casefold() in self._guessed:
            return Outcome("unknown columns", "a column that was guessed of several sources", place)
        if _UNKNOWN.search(problem.message):
            why = "the columns of an input are not known" if blind else "a column of a source is not known"
            return Outcome("unknown columns", why, place)
        if _OF_TYPES.search(problem.message) and self._mend(problem):
            return Outcome("guess", problem.message, place)
        return Outcome("refused", problem.message, place)

    def _mend(self, problem: SourceError) -> bool:
        """Whether an error about types stands at a column whose type was guessed: then the guess is mended."""
        named = re.search(r"meet in the column (\S+)", problem.message)
        under = [named[1]] if named else self._under(problem)
        guessed = [name.casefold() for name in under if name.casefold() in self._guessed]
        expected = next((kind for text, kind in _EXPECTED if re.search(text, problem.message)), "")
        if meeting := re.search(r"values of the types (\w+) and (\w+)", problem.message):
            expected = next((kind for kind in _RANKED if kind in meeting.groups()), expected)
        for name in self._with_origins(guessed) if expected else ():
            self._mended.setdefault(name, expected)
        return bool(guessed)

    def _with_origins(self, names: list[str]) -> set[str]:
        """Names, with those that they are other names of."""
        found, pending = set(names), list(names)
        while pending:
            new = self._origins[pending.pop()] - found
            found |= new
            pending += new
        return found

    def _under(self, problem: SourceError) -> list[str]:
        """The names of columns in the text that an error points at."""
        lines = problem.excerpt.split("\n")
        if len(lines) < 2 or "^" not in lines[-1]:
            return []
        begin, end = lines[-1].index("^"), lines[-1].rindex("^") + 1
        tree = parsed(f"select {lines[0][begin:end]}", self.project.dialect)
        if tree is None:
            return re.findall(r"[A-Za-z_]\w*", lines[0][begin:end])
        return [column.name for column in tree.find_all(exp.Column)]
