"""A project of dbt as a version of a workflow: its compiled models, over sources and seeds.

Its tests become assumptions, see `tests.py`.

Nothing of the project is run. What a model is, beside its query, is told by its materialisation:

* table, view, ephemeral: the rows of the query.
* incremental: an unknown function of what a run adds, which hangs on earlier runs. If what a run adds hangs on what is
  there already (`is_incremental()`), the model is known by its text alone.
* a model whose contract is enforced: an unknown function, by the contract, of the rows of the query, which are put into
  its columns.
* snapshot, Python, other materialisations, models with hooks or a header: known by their texts and settings. Where
  these ask for what a manifest does not have, a variable say, two of them are never the same.

A seed is a source whose rows are those of a file; a file that was changed is a source of its own, of which nothing is
known, and so is one that is too large for dbt to have a checksum. A source is known by its name, as long as both
versions find it at the same place of the database.

What changes tables beside the models (hooks of runs, functions, macros in the place of dbt's) may change any of them:
where it was changed, no model is known. A model is unknown, too, if one of its settings differs that is not known to
change no rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError
from tallystick.core.queries.catalogue import Column
from tallystick.frontends.dbt.manifest import Part, load, require_version
from tallystick.frontends.dbt.tests import Tested, tested
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS, Dialect
from tallystick.frontends.sql.schema import (
    DeclaredColumn,
    DeclaredReference,
    DeclaredTable,
    Schema,
    SchemaBuilder,
    note_of,
)
from tallystick.frontends.sql.schema_json import parsed_type
from tallystick.frontends.sql.source import SqlText
from tallystick.frontends.workflows.models import Model, read_models
from tallystick.frontends.workflows.version import Version

ADAPTERS: Final = {"redshift": "postgres", "spark": "spark", "sqlite": "duckdb"}
"""Dialects of adapters whose names are others."""
OF_QUERIES: Final = ("table", "view", "ephemeral", "materialized_view", "materializedview", "dynamic_table")
"""Materialisations whose rows are those of the query."""
NOT_OF_ROWS: Final = frozenset({"tags", "docs", "group", "access", "grants", "persist_docs", "enabled"})
"""Settings on which no rows hang."""
OF_STORAGE: Final = frozenset((
    "meta", "description", "database", "schema", "alias", "quoting", "materialized", "contract", "packages",
    "column_types", "full_refresh", "unique_key", "on_schema_change", "incremental_strategy", "concurrent_batches",
    "merge_update_columns", "merge_exclude_columns", "incremental_predicates", "event_time", "lookback", "begin",
    "batch_size", "on_configuration_change", "cluster_by", "partition_by", "clustered_by", "buckets", "indexes",
    "sort", "sort_type", "dist", "bind", "backup", "unlogged", "file_format", "location_root", "transient",
    "automatic_clustering", "copy_grants", "secure", "query_tag", "snowflake_warehouse", "labels", "kms_key_name",
    "require_partition_filter", "liquid_clustered_by", "zorder", "compression", "pre-hook", "pre_hook", "post-hook",
    "post_hook",
))  # fmt: skip
"""Settings on which no rows of a table or view hang, and those that are looked at elsewhere."""
NOT_IN_MANIFESTS: Final = re.compile(
    r"\b(env_var|var|run_query|statement)\s*\(|\b(target|flags|graph|builtins|invocation_id|run_started_at)\b"
    r"|\badapter\.(?!dispatch)"
)
"""What Jinja asks for that a manifest does not say."""
EARLIER: Final = re.compile(r"\b(is_incremental|this|load_relation|get_relation|should_full_refresh|FULL_REFRESH)\b")
"""What Jinja asks for that hangs on what is there already."""
OPENS: Final = re.compile(r"\{[{%]")
CLOSES: Final = re.compile(r"[%}]\}")
COMMENTS: Final = re.compile(r"--|#|//|/\*")
OF_DBT: Final = frozenset({"dbt", *(f"dbt_{name}" for name in (*DIALECTS, *ADAPTERS))})
"""The packages of dbt and its adapters."""
HOOKS: Final = ("pre-hook", "pre_hook", "post-hook", "post_hook")
OF_SEEDS: Final = frozenset({"column_types", *HOOKS})
"""Settings on which the rows of a seed hang, beside its file, of those that are looked at elsewhere."""
STATEMENT: Final = re.compile(r"\b(run_query|statement|execute)\b")
CHANGES: Final = re.compile(r"(?i)\b(insert\s+into|delete\s+from|(update|merge|create|drop|truncate|alter|copy)\s+\S)")
"""Statements that macros may run beside the query of a model: those that change more than they show."""
FILLING: Final = re.compile(r"create|insert|merge|delete|snapshot|load_csv|incremental|strategy|truncate|rename")
"""Names of macros of dbt by which tables are filled."""


@dataclass(frozen=True)
class Project:
    """A manifest, with the columns of its tables as far as they are known.

    Attributes:
        names: what models, seeds and sources are called, by unique id.
        columns: of models, seeds and sources, by unique id: names, types as texts.
        beside: why models are not known by their queries: what differs from the other version, by unique id.
    """

    manifest: Part
    names: dict[str, str]
    columns: dict[str, dict[str, str]]
    beside: dict[str, str] = field(default_factory=dict)

    @property
    def nodes(self) -> dict[str, Part]:
        """Models, seeds, snapshots and tests by unique id."""
        return self.manifest.parts("nodes")

    @property
    def seeds(self) -> dict[str, str]:
        """What the rows of each seed hang on, by its name: the checksum of its file, and how the file is read."""
        return {node.text("name"): self.seed(node) for node in self.nodes.values() if _is_seed(node)}

    def seed(self, node: Part) -> str:
        """What the rows of a seed hang on. Of a large file dbt has no checksum but its path: it may be another one."""
        checksum, config = node.part("checksum"), node.part("config")
        of = self.manifest.where if checksum.text("name") == "path" else checksum.text("checksum")
        known = (NOT_OF_ROWS | OF_STORAGE) - OF_SEEDS
        settings = {key: value for key, value in config.data.items() if value and key not in known}
        said = json.dumps([of, settings], sort_keys=True, default=str)
        return said + (self.manifest.where if any(map(NOT_IN_MANIFESTS.search, _jinja(said))) else "")

    def places(self, dialect: Dialect) -> dict[str, str]:
        """Where each source is in the database, by its name."""
        found = _Project(self, dialect, None)
        return {self.names[of]: found.relation(node) for of, node in self.manifest.parts("sources").items()}

    def renamed(self, sources: Mapping[str, str]) -> Project:
        """The project with other names for some sources."""
        return replace(self, names={of: sources.get(name, name) for of, name in self.names.items()})

    def dialect(self) -> str:
        """The dialect of the adapter. Raises SourceError if it is not known."""
        adapter = self.manifest.part("metadata").text("adapter_type")
        name = ADAPTERS.get(adapter, adapter)
        if name not in DIALECTS:
            hint = f"choose one with --dialect: {', '.join(DIALECTS)}"
            raise SourceError(
                f"the dialect of the adapter {adapter or 'of the project'} is not known", "dbt", hint=hint
            )
        return name


def told_apart(old: Project, new: Project, dialect: Dialect) -> tuple[Project, Project]:
    """Both versions, in which sources of one name that are at two places of the database have two names, and models
    are not their queries where something beside these was changed."""
    places = old.places(dialect), new.places(dialect)
    moved = {name for name in places[0].keys() & places[1].keys() if places[0][name] != places[1][name]}
    first, second = ({name: f"{name} ({of[name]})" for name in moved} for of in places)
    beside = _changed_beside(old, new, dialect)
    return tuple(replace(each, beside=beside) for each in (old.renamed(first), new.renamed(second)))  # type: ignore[return-value]


def _changed_beside(old: Project, new: Project, dialect: Dialect) -> dict[str, str]:
    """What was changed beside the queries of models, and may change their rows: by unique ids of models."""
    around = [_Project(each, dialect, None).around() for each in (old, new)]
    changed = [of for of in sorted({*around[0], *around[1]}) if around[0].get(of) != around[1].get(of)]
    if changed:
        return dict.fromkeys(
            (*old.nodes, *new.nodes), f"{changed[0]} was changed, which may change the rows of any model"
        )
    found: dict[str, str] = {}
    for of in old.nodes.keys() & new.nodes.keys():
        settings = [each.nodes[of].part("config").data for each in (old, new)]
        keys = sorted({*settings[0], *settings[1]} - NOT_OF_ROWS - OF_STORAGE)
        differing = [key for key in keys if (settings[0].get(key) or None) != (settings[1].get(key) or None)]
        if differing:
            found[of] = f"its setting {differing[0]} was changed, which may change its rows"
    return found


def _is_of_dbt(macro: str) -> bool:
    """Whether a macro, by its unique id, is one of dbt or of an adapter."""
    return not OF_DBT.isdisjoint(macro.split(".")[1:2])


def _jinja(text: str) -> Iterator[str]:
    """The parts of a text that Jinja runs, comments or not; what is not closed goes to the end."""
    end = 0
    while opened := OPENS.search(text, end):
        closed = CLOSES.search(text, opened.end())
        end = len(text) if closed is None else closed.end()
        yield text[opened.start() : end]


def _runs_in_comments(text: str) -> bool:
    """Whether Jinja stands behind what may begin a comment."""
    for line in text.splitlines():
        comment = COMMENTS.search(line)
        if comment is not None and OPENS.search(line, comment.end()):
            return True
    return False


def _is_seed(node: Part) -> bool:
    return node.text("resource_type") == "seed"


def load_project(manifest: Path) -> Project:
    """The project of a manifest, with the catalogue beside it if there is one."""
    read = load(manifest)
    require_version(read)
    catalogue = manifest.with_name("catalog.json")
    known = load(catalogue) if catalogue.is_file() else Part({}, str(catalogue))
    names: dict[str, str] = {}
    columns: dict[str, dict[str, str]] = {}
    for group in ("nodes", "sources"):
        types = known.parts(group)
        for of, node in read.parts(group).items():
            if group == "nodes" and node.text("resource_type") not in ("model", "seed", "snapshot"):
                continue
            version = node.data.get("version")
            own = node.text("name") + (f".v{version}" if version is not None else "")
            names[of] = f"{node.text('source_name')}.{own}" if group == "sources" else own
            said = {
                name: part.text("data_type")
                for name, part in (*node.parts("columns").items(), *types.get(of, node).parts("columns").items())
                if part.text("data_type")
            }
            if of in types:
                said = {
                    part.text("name") or name: part.text("type") for name, part in types[of].parts("columns").items()
                }
            columns[of] = said
    return Project(read, names, columns)


def read_project(
    project: Project, dialect: Dialect, changed_seeds: frozenset[str], given: Schema | None, exact_floats: bool
) -> Version:
    """The version of a project.

    Args:
        changed_seeds: seeds whose files are others in the other version.
        given: tables that a user declares: columns of sources of which the project says none.
    """
    reading = _Project(project, dialect, given)
    said = tested(project.nodes.values(), project.names)
    sources, relations = reading.sources(said, changed_seeds)
    models = [
        model
        for of, node in project.nodes.items()
        if of in project.names and (node.text("resource_type") != "seed" or node.text("name") in changed_seeds)
        for model in reading.models(of, node, said.get(of, Tested()))
    ]
    return read_models(models, sources, dialect, relations=relations, exact_floats=exact_floats)


class _Project:
    def __init__(self, project: Project, dialect: Dialect, given: Schema | None) -> None:
        self.project, self.dialect, self.given = project, dialect, given
        self.nodes = project.nodes

    def relation(self, node: Part) -> str:
        """What compiled texts call the rows of a node, in parts as they are compared."""
        said = node.text("relation_name")
        if said:
            try:
                table = exp.to_table(said, dialect=self.dialect.parser)
            except (SqlglotError, ValueError):
                table = None
            parts = [table.args.get(each) for each in ("catalog", "db", "this")] if table is not None else []
            if any(parts):
                named = (each for each in parts if isinstance(each, exp.Identifier))
                return ".".join(self.dialect.folded(each.name, bool(each.args.get("quoted"))) for each in named)
        last = node.text("alias") or node.text("identifier") or node.text("name")
        return ".".join(part for part in (node.text("database"), node.text("schema"), last) if part)

    def sources(self, said: dict[str, Tested], changed_seeds: frozenset[str]) -> tuple[Schema, dict[str, str]]:
        """The tables that nothing in the project fills, whose columns are known; and what texts call them."""
        tables, relations = [], {}
        nodes = {of: node for of, node in self.nodes.items() if _is_seed(node)}
        for of, node in {**self.project.manifest.parts("sources"), **nodes}.items():
            name = self.project.names[of]
            if name in changed_seeds and of in nodes:
                continue
            table = self.table(name, node, self.project.columns[of], said.get(of, Tested()))
            if table is not None:
                tables.append(table)
                relations[name] = self.relation(node)
        known = {table.name for table in tables}
        for table in tables:
            table.references = [each for each in table.references if each.table in known]
        return SchemaBuilder("the sources of the project", self.dialect).build(tables), relations

    def table(self, name: str, node: Part, columns: dict[str, str], said: Tested) -> DeclaredTable | None:
        """A source or seed; None if its columns are not known."""
        if columns:
            declared = [DeclaredColumn(each, parsed_type(of, self.dialect), of) for each, of in columns.items()]
            made = DeclaredTable(name, declared, enforced=False)
        else:
            made = self.declared(name, node)
        if made is None:
            return None
        places = {self.dialect.declared(column.name): column for column in made.columns}
        for filled in said.not_null:
            if self.dialect.declared(filled) in places:
                places[self.dialect.declared(filled)].nullable = False
        own = set(places)
        made.unique += [list(key) for key in said.keys if {self.dialect.declared(each) for each in key} <= own]
        made.references += [
            DeclaredReference([each.column], each.table, [each.referenced])
            for each in said.references
            if self.dialect.declared(each.column) in own
        ]
        return made

    def declared(self, name: str, node: Part) -> DeclaredTable | None:
        """A source as the user declares it: by its identifier, with or without its schema."""
        identifier = node.text("identifier") or node.text("name")
        wanted = {identifier, f"{node.text('schema')}.{identifier}", name}
        for table in self.given.catalogue.tables if self.given is not None else ():
            if table.name in wanted:
                types = [(column, str(column.type)) for column in table.columns]
                columns = [
                    DeclaredColumn(column.name, parsed_type(_TYPES.get(of, of), self.dialect), of, column.nullable)
                    for column, of in types
                ]
                keys = [[table.columns[i].name for i in key] for key in table.keys]
                return DeclaredTable(name, columns, unique=keys, enforced=False)
        return None

    def models(self, of: str, node: Part, said: Tested) -> list[Model]:
        """The wire of a model, and for an incremental one what a run adds."""
        name = self.project.names[of]
        raw, compiled = node.text("raw_code"), node.text("compiled_code")
        source = SqlText(compiled, node.text("original_file_path") or name)
        reads = tuple(
            self.project.names[each] for each in node.part("depends_on").texts("nodes") if each in self.project.names
        )
        said_columns = [
            DeclaredColumn(column, parsed_type(text, self.dialect), text)
            for column, text in self.project.columns[of].items()
        ]
        declared = tuple(Column(each.name, each.value_type) for each in said_columns)
        notes = tuple((place, note) for place, each in enumerate(said_columns) if (note := note_of(each)))
        model = Model(
            name,
            source,
            self.relation(node),
            reads,
            declared,
            notes,
            tuple(said.keys),
            tuple(said.not_null),
            tuple(said.references),
        )
        config = node.part("config")
        how = config.text("materialized") or "view"
        if node.text("resource_type") == "seed":
            large = node.part("checksum").text("name") == "path"
            why = "its file is too large for dbt to say whether it was changed" if large else "its file was changed"
            return [replace(model, reads=(), opaque=why, identity=f"seed {self.project.seed(node)}", repeatable=True)]
        if of in self.project.beside:
            return [self.apart(model, node, self.project.beside[of])]
        if node.text("resource_type") == "snapshot":
            return [self.hidden(model, node, "it is a snapshot, which hangs on earlier runs")]
        if node.text("language") == "python":
            identity = self.settings(node) + raw  # which asks for settings as it runs
            return [replace(model, text=SqlText(raw, source.name), opaque="it is written in Python", identity=identity)]
        if not compiled:
            return [self.uncompiled(model, node)]
        if any(config.data.get(key) for key in HOOKS):
            return [self.hidden(model, node, "it has hooks, which may change its rows")]
        spoken = [raw, *(text for name, text in self.macro_texts(node) if not _is_of_dbt(name))]
        if any(STATEMENT.search(text) and CHANGES.search(text) for text in spoken):
            return [self.hidden(model, node, "it runs statements beside its query, which may change its rows")]
        if config.data.get("sql_header") or any("set_sql_header" in text for text in spoken):
            return [self.hidden(model, node, "it has a header, which may change what its text means")]
        if how not in (*OF_QUERIES, "incremental") or self.materialisations(how):
            return [self.hidden(model, node, f"it is materialised as {how}")]
        incremental = "it is incremental: its rows hang on earlier runs"
        if how == "incremental" and self.asks_for_earlier_runs(node):
            return [self.hidden(model, node, incremental)]
        enforced = config.part("contract").data.get("enforced")
        if how == "incremental" or enforced:
            why = incremental if how == "incremental" else "its contract may round or cut its values"
            run = f"{name}: what a run adds" if how == "incremental" else f"{name}: its query"
            added = replace(model, name=run, relation=f"{model.relation}: a run", keys=(), not_null=(), references=())
            kept = self.hidden(model, node, why, (run,))
            return [added, kept if enforced else replace(kept, columns_of=run)]
        return [model]

    def around(self) -> dict[str, list[str]]:
        """The texts of what fills and changes tables beside models, by unique ids: hooks of runs, functions, and macros
        that a project has put in the place of dbt's."""
        macros = self.project.manifest.parts("macros")
        dbts = {
            each.text("name") for of, each in macros.items() if _is_of_dbt(of) and FILLING.search(each.text("name"))
        }
        found = {of: [node.text("raw_code")] for of, node in self.project.manifest.parts("functions").items()}
        for of, node in self.nodes.items():
            if node.text("resource_type") == "operation":
                found[of] = [node.text("raw_code"), *(text for _, text in self.macro_texts(node))]
        for of, each in macros.items():
            if not _is_of_dbt(of) and not dbts.isdisjoint({each.text("name"), each.text("name").partition("__")[2]}):
                found[of] = [each.text("macro_sql")]
        return found

    def asks_for_earlier_runs(self, node: Part) -> bool:
        """Whether what a run of an incremental model adds hangs on what is there already."""
        if node.part("config").text("incremental_strategy") == "microbatch":
            return True
        texts = [node.text("raw_code"), *(text for name, text in self.macro_texts(node) if not _is_of_dbt(name))]
        return any(EARLIER.search(text) for text in texts)

    def materialisations(self, how: str) -> list[str]:
        """The project's own ways to fill a table, of this name, as texts."""
        return [
            macro.text("macro_sql")
            for of, macro in sorted(self.project.manifest.parts("macros").items())
            if macro.text("name").startswith(f"materialization_{how}_") and not _is_of_dbt(of)
        ]

    def apart(self, model: Model, node: Part, why: str) -> Model:
        """A model of which something was changed that its query does not show: never the same as any other."""
        hidden = self.hidden(model, node, why)
        return replace(hidden, identity=f"{hidden.identity}{self.project.manifest.where}")

    def hidden(self, model: Model, node: Part, why: str, reads: tuple[str, ...] | None = None) -> Model:
        """A model that hangs on earlier runs: known by its texts and settings; by its settings and what it reads, if
        `reads` says what a run adds."""
        identity = self.settings(node)
        if reads is None:
            how = node.part("config").text("materialized")
            texts = [node.text("raw_code"), *(text for _, text in self.macro_texts(node)), *self.materialisations(how)]
            identity += "".join(self.spoken(text) for text in (*texts, node.text("compiled_code")))
            identity += self.unsaid(node)
        if node.part("config").text("incremental_strategy") == "microbatch":  # what it reads is filtered by these
            read = {**self.nodes, **self.project.manifest.parts("sources")}
            parents = [read[each] for each in node.part("depends_on").texts("nodes") if each in read]
            identity += json.dumps([each.part("config").text("event_time") for each in parents])
        return replace(model, opaque=why, identity=identity, repeatable=False, reads=reads or model.reads)

    def settings(self, node: Part) -> str:
        """On what rows may hang beside texts: the settings of a node, and its columns if a contract has them."""
        config = node.part("config")
        said = {key: value for key, value in config.data.items() if key not in NOT_OF_ROWS}
        enforced = config.part("contract").data.get("enforced")
        columns = [[name, part.text("data_type")] for name, part in node.parts("columns").items()] if enforced else []
        return json.dumps([said, columns], sort_keys=True, default=str)

    def unsaid(self, node: Part) -> str:
        """What keeps a model whose texts ask for more than a manifest says from being the same as any other."""
        texts = [text for name, text in self.macro_texts(node) if not _is_of_dbt(name)]
        jinja = _jinja("\n".join((node.text("raw_code"), self.settings(node), *texts)))
        return self.project.manifest.where if any(map(NOT_IN_MANIFESTS.search, jinja)) else ""

    def spoken(self, text: str) -> str:
        """The words of a text of SQL and Jinja, which runs in comments, too."""
        from tallystick.frontends.workflows.models import words

        jinja = text if _runs_in_comments(text) else ""
        return "\0".join((*words(text, self.dialect), jinja))

    def macro_texts(self, node: Part) -> list[tuple[str, str]]:
        """The macros that a node hangs on, directly or not, in order of their names: these, and their texts."""
        known = self.project.manifest.parts("macros")
        found: set[str] = set()
        pending = node.part("depends_on").texts("macros")
        while pending:
            name = pending.pop()
            if name in known and name not in found:
                found.add(name)
                pending += known[name].part("depends_on").texts("macros")
        return [(name, known[name].text("macro_sql")) for name in sorted(found)]

    def uncompiled(self, model: Model, node: Part) -> Model:
        """A model of a manifest without compiled texts: what it is hangs on variables that the manifest lacks."""
        why = "its text is not compiled: run dbt compile"
        texts = [node.text("raw_code"), *(text for _, text in self.macro_texts(node))]
        identity = self.settings(node) + "".join(map(self.spoken, texts))
        identity += self.unsaid(node)
        text = SqlText(node.text("raw_code"), model.text.name)
        return replace(model, text=text, opaque=why, identity=identity)


_TYPES: Final = {"interval of months": "interval month", "interval of microseconds": "interval second"}
