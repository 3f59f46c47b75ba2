"""Tallystick: decides whether two data programs return the same on every input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallystick.assertions import assert_equivalent
    from tallystick.certificates.audit import AuditReport, audit
    from tallystick.doors import check
    from tallystick.findings import Finding, LintReport, Safety
    from tallystick.linting import lint
    from tallystick.misreading import MisreadingError
    from tallystick.plans.verdict import PlanVerdict
    from tallystick.queries.checking import assert_equivalent_sql, check_sql
    from tallystick.queries.transpiling import Translation, transpile_sql
    from tallystick.queries.verdict import SqlVerdict
    from tallystick.verdict import Answer, DifferingInput, Verdict

    __version__: str

_HOMES = {
    "Answer": "verdict",
    "AuditReport": "certificates.audit",
    "DifferingInput": "verdict",
    "Finding": "findings",
    "LintReport": "findings",
    "MisreadingError": "misreading",
    "Safety": "findings",
    "Translation": "queries.transpiling",
    "Verdict": "verdict",
    "PlanVerdict": "plans.verdict",
    "SqlVerdict": "queries.verdict",
    "assert_equivalent": "assertions",
    "assert_equivalent_sql": "queries.checking",
    "audit": "certificates.audit",
    "check": "doors",
    "check_sql": "queries.checking",
    "lint": "linting",
    "transpile_sql": "queries.transpiling",
}

__all__ = [
    "Answer",
    "AuditReport",
    "DifferingInput",
    "Finding",
    "LintReport",
    "MisreadingError",
    "PlanVerdict",
    "Safety",
    "SqlVerdict",
    "Translation",
    "Verdict",
    "__version__",
    "assert_equivalent",
    "assert_equivalent_sql",
    "audit",
    "check",
    "check_sql",
    "lint",
    "transpile_sql",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Imports what is asked for, so that `import tallystick` loads neither solver nor Spark."""
    if name == "__version__":
        from tallystick.core.version import VERSION

        return VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'tallystick' has no attribute {name!r}")
    from importlib import import_module

    try:
        return getattr(import_module(f"tallystick.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        from tallystick.extras import missing

        if what := missing(error):
            raise ModuleNotFoundError(what, name=error.name) from error
        raise
