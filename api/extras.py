"""The parts of Tallystick that are installed on demand, and how to name the one that is missing."""

from __future__ import annotations

EXTRAS = {
    "cvc5": "solvers",
    "pysmt": "solvers",
    "z3": "solvers",
    "pyspark": "spark",
    "sqlglot": "sql",
    "duckdb": "duckdb",
    "jinja2": "dbt",
    "yaml": "dbt",
    "matplotlib": "plots",
    "rich": "plots",
    "hypothesis": "streaming",
}
"""For each library, the extra that brings it."""


def install(library: str) -> str:
    """The command that installs a library of EXTRAS."""
    return f"pip install 'tallystick[{EXTRAS[library]}]'"


def missing(error: ModuleNotFoundError) -> str | None:
    """What to install when an import failed, as a sentence; None when no extra brings the module."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return f"{library} is not installed: {install(library)}"
