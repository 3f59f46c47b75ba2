"""Columns of relations: what a project declares, what a text returns, and guesses where neither says anything.

A guess goes by the name of a column and by its use. Nothing that hangs on a guess says anything about a reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

Columns = dict[str, str]
"""The types of columns by name, as the dialect writes them."""

KINDS: Final = ("text", "integer", "decimal", "boolean", "date", "timestamp", "double", "opaque")
_TYPES: Final = {
    "duckdb": ("VARCHAR", "BIGINT", "DECIMAL(18,2)", "BOOLEAN", "DATE", "TIMESTAMP", "DOUBLE", "JSON"),
    "snowflake": ("VARCHAR", "INTEGER", "NUMBER(38,2)", "BOOLEAN", "DATE", "TIMESTAMP_NTZ", "FLOAT", "VARIANT"),
    "bigquery": ("STRING", "INT64", "NUMERIC", "BOOL", "DATE", "TIMESTAMP", "FLOAT64", "JSON"),
    "spark": ("STRING", "BIGINT", "DECIMAL(18,2)", "BOOLEAN", "DATE", "TIMESTAMP", "DOUBLE", "VARIANT"),
    "databricks": ("STRING", "BIGINT", "DECIMAL(18,2)", "BOOLEAN", "DATE", "TIMESTAMP", "DOUBLE", "VARIANT"),
}
_BY_NAME: Final = (
    ("boolean", r"^(is|has|was|enable|allow)_|_(flag|enabled)$"),
    ("timestamp", r"(_at|timestamp|_ts|datetime|_time)$|^time$|^_valid_|(create|update|delete)at"),
    (
        "decimal",
        r"amount|price|cost|total|_paid$|_rate$|percent|ratio|avg|average|revenue$|score|factor$"
        r"|(^|_)(sum|arr|lat|lon)(_|$)",
    ),
    ("date", r"(^|_)(date|dt|day|month)$|_date_|^date_"),
    (
        "integer",
        r"(^|_)(counts?|users?|seats|days|hours?|minutes|seconds|quantity|rank|row_num(ber)?|rn|sequence|n)$"
        r"|(^|_)year(_number)?$"
        r"|^(num|number_of|count)_|line_number",
    ),
)


def type_of(kind: str, dialect: str) -> str:
    """How a dialect writes one of the kinds."""
    return _TYPES.get(dialect, _TYPES["duckdb"])[KINDS.index(kind)]


def guess(name: str, use: str = "") -> str:
    """The kind of a column, by its use, else by its name."""
    return use or next((kind for kind, pattern in _BY_NAME if re.search(pattern, name.lower())), "text")


def folded(name: str, dialect: str) -> str:
    """A name as the dialect keeps it where it is not quoted."""
    return name.upper() if dialect == "snowflake" else name.lower() if dialect == "postgres" else name


def kept(identifier: exp.Expr, dialect: str) -> str:
    """The name of an identifier as the dialect keeps it."""
    return identifier.name if identifier.args.get("quoted") else folded(identifier.name, dialect)


@lru_cache(maxsize=16)
def parsed(sql: str, dialect: str) -> exp.Query | None:
    """The query of a text, which is not to be altered; None if it is none, or cannot be parsed."""
    try:
        tree = parse_one(sql, dialect=dialect)
    except (SqlglotError, RecursionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
    return tree if isinstance(tree, exp.Query) else None


def returned(sql: str, inputs: Mapping[str, Columns], dialect: str) -> Columns:
    """The columns that a text returns over relations with these columns; {} if they are not known."""
    tree = parsed(sql, dialect)
    if tree is None:
        return {}
    tree = tree.copy()
    schema: dict[str, object] = {
        relation.replace(".", "__"): columns for relation, columns in inputs.items() if columns
    }
    for table in list(tree.find_all(exp.Table)):
        if table.db:  # one depth for all names
            alias = table.alias or table.name
            table.set("this", exp.to_identifier(f"{table.db}__{table.name}"))
            table.set("db", None)
            table.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
    try:
        typed = qualify(tree, dialect=dialect, schema=schema, validate_qualify_columns=False, quote_identifiers=False)
        typed = annotate_types(typed, schema=schema, dialect=dialect)
    except Exception:  # the optimizer of sqlglot gives up in many ways
        typed = tree
    found: Columns = {}
    known = {name.casefold(): text for columns in inputs.values() for name, text in columns.items()}
    for selected in typed.selects if isinstance(typed, exp.Query) else []:
        name = selected.alias_or_name
        if name == "*":
            return {}
        if name and name.casefold() not in {each.casefold() for each in found}:
            own = selected.type if not selected.is_type("unknown", "null") else None
            text = own.sql(dialect=dialect) if own is not None else known.get(name.casefold(), "")
            found[folded(name, dialect)] = text or type_of(guess(name), dialect)
    return found


def used(sql: str, externals: set[str], dialect: str) -> dict[str, dict[str, str]]:
    """The columns of some relations that a text uses, each with the kind that its use shows, or ""."""
    tree = parsed(sql, dialect)
    found: dict[str, dict[str, str]] = {name: {} for name in externals}
    if tree is None:
        return found
    by_key = {name.casefold(): name for name in externals}
    try:
        scopes = traverse_scope(tree)
    except Exception:  # as above
        return found
    for scope in scopes:
        selects = scope.expression.selects if isinstance(scope.expression, exp.Query) else []
        made = {each.alias for each in selects if isinstance(each, exp.Alias)} - {
            column.name for each in selects for column in each.find_all(exp.Column) if column.name == each.alias
        }
        for column in scope.columns:
            if column.table or column.name not in made:
                name = kept(column.this, dialect)
                for owner in _owners(scope, column.name, column.table, by_key):
                    found[owner][name] = found[owner].get(name, "") or _use(column)
    return found


def passed(sql: str, relations: set[str], dialect: str) -> set[str]:
    """Those of some relations of which a text returns all columns, whatever they are."""
    tree = parsed(sql, dialect) if "*" in sql else None
    if tree is None or not tree.is_star:
        return set()
    try:
        return _owners(traverse_scope(tree)[-1], "", "", {name.casefold(): name for name in relations})
    except Exception:  # as above
        return set()


VALUES: Final = (exp.Paren, exp.Coalesce, exp.Nullif, exp.Case, exp.If)
"""What has the value of a part of it."""
CHOOSING: Final = (
    *(exp.Min, exp.Max, exp.AnyValue, exp.ArgMax, exp.ArgMin, exp.Window, exp.IgnoreNulls),
    *(exp.FirstValue, exp.LastValue, exp.Lag, exp.Lead),
)
"""What has a value of its first part."""


def renamed(sql: str, dialect: str) -> dict[str, set[str]]:
    """The columns, without capitals, whose values stand behind a name of a SELECT list, by that name."""
    tree = parsed(sql, dialect)
    found: dict[str, set[str]] = {}
    for alias in tree.find_all(exp.Alias) if tree is not None else ():
        if columns := {name.casefold() for name in _of_values(alias.this)}:
            found.setdefault(alias.alias.casefold(), set()).update(columns)
    return found


def _of_values(node: exp.Expr) -> Iterator[str]:
    """The names of the columns whose values an expression may have."""
    if isinstance(node, exp.Column):
        yield node.name
    elif isinstance(node, CHOOSING):
        yield from _of_values(node.this)
    elif isinstance(node, VALUES):
        conditions = {id(each.this) for each in (node, *node.args.get("ifs", ())) if isinstance(each, exp.If)}
        for part in node.iter_expressions():
            if id(part) not in conditions:
                yield from _of_values(part)


def _owners(scope: Scope, name: str, qualifier: str, externals: Mapping[str, str]) -> set[str]:
    """The external relations that a column of a scope may be of."""
    if scope.set_operation_scopes:
        return {owner for each in scope.set_operation_scopes for owner in _owners(each, name, "", externals)}
    chosen = [scope.sources[qualifier]] if qualifier in scope.sources else [] if qualifier else scope.sources.values()
    owners: set[str] = set()
    for source in chosen:
        if isinstance(source, exp.Table):
            key = ".".join(part.name for part in source.parts).casefold()
            owners |= {externals[key]} if key in externals else set()
        elif isinstance(source.expression, exp.Query) and source.expression.is_star:
            owners |= _owners(source, name, "", externals)
        elif name.casefold() in {each.casefold() for each in getattr(source.expression, "named_selects", ())}:
            return set()
    return owners


def _use(column: exp.Column) -> str:
    """The kind of value that the use of a column shows; "" if it shows none."""
    parent = column.parent
    if isinstance(parent, exp.Sum | exp.Avg | exp.Div | exp.Mul):
        return "decimal"
    if isinstance(parent, exp.Where | exp.And | exp.Or):
        return "boolean"
    others = parent.expressions if isinstance(parent, exp.Coalesce | exp.In) else []
    if isinstance(parent, exp.EQ | exp.NEQ | exp.GT | exp.LT | exp.GTE | exp.LTE):
        others = [parent.expression if parent.this is column else parent.this]
    for other in others:
        if isinstance(other, exp.Boolean):
            return "boolean"
        if isinstance(other, exp.Cast) and other.to.is_type("date", "timestamp"):
            return other.to.sql("duckdb").lower()
        if isinstance(other, exp.Literal) and not other.is_string:
            return "integer" if other.name.isdigit() else "decimal"
        if isinstance(other, exp.Literal):
            return "date" if re.match(r"\d{4}-\d\d-\d\d", other.name) else "text"
    return ""
