"""What commits of public dbt projects changed, from benchmarks/dbt_commits.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tables import code, table

RECORDED: Final = Path(__file__).parents[1] / "benchmarks" / "dbt_commits.json"


def commits() -> str:
    """Tables of what was recorded, one for each project."""
    projects = json.loads(RECORDED.read_text(encoding="utf-8"))
    return "\n\n".join(("Commits of dbt projects", INTRODUCTION, *map(_project, projects)))


INTRODUCTION: Final = (
    "Commits, each compared with its parent by the command above its table. *dbt rebuilds*: the models of "
    "`state:modified+`, which are those whose files or macros changed, and all that read them. *Seconds*: of the "
    "processor, for the comparison, and for rendering and reading both versions without dbt. *Run*: DuckDB returned "
    "both results on the input that shows the difference; a column that is added or lost needs none."
)


def _project(said: Mapping[str, Any]) -> str:
    sums = [sum(each.get("counts", {}).get(kind, 0) for each in said["commits"]) for kind in KINDS]
    head = ("commit", "files changed for", "dbt rebuilds", "we say", "changed", "seconds")
    return "\n\n".join(
        [
            f"## {said['project']}",
            f"    {said['command']}",
            f"{said['left_out']} In all {len(said['commits'])} commits: "
            f"{', '.join(f'{count} {kind}' for kind, count in zip(KINDS, sums, strict=True) if count)}.",
            table(head, map(_row, said["commits"])),
            "What was unknown, by its first cause:",
            table(("models", "cause"), [(str(count), cause) for cause, count in _causes(said["commits"])]),
        ]
    )


KINDS: Final = ("unchanged", "changed", "added", "removed", "unknown")


def _row(each: Mapping[str, Any]) -> tuple[str, ...]:
    counts = each.get("counts", {})
    answers = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts.get(kind))
    changed = (
        f"{code(name)}{', run' if why.endswith('; replayed on duckdb') else ''}"
        for name, why in each.get("changed", {}).items()
    )
    return (
        f"{each['commit']}, {each['day']}: {each['subject']}",
        ", ".join(map(code, each["modified"])),
        str(each["flagged"]),
        each.get("error") or answers,
        ", ".join(changed),
        f"{each['seconds']:.0f} + {each['rendered']:.0f}",
    )


def _causes(commits: list[dict[str, Any]]) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for each in commits:
        for cause, count in each.get("unknown", {}).items():
            found[cause] = found.get(cause, 0) + count
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
