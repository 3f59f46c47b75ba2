"""`python -m tallystick.experiments.dbt FOLDER`: what is read of a dbt project, and what is refused, by cause."""

from __future__ import annotations

import argparse
import json
import resource
import sys
from pathlib import Path

import yaml
from tallystick.experiments.dbt.files import PROJECT, ProjectError, ProjectFiles
from tallystick.experiments.dbt.reading import ProjectReading
from tallystick.experiments.dbt.rendering import Project
from tallystick.experiments.dbt.report import Report
from tallystick.frontends.sql.dialects import DIALECTS

MEBIBYTES = 4_096
"""Of memory, in all."""


def main(arguments: list[str] | None = None) -> int:
    """Prints the counts; the status is 3 where there is no project that can be read."""
    given = _parser().parse_args(arguments)
    try:
        report = read(given)
    except ProjectError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 3
    print(json.dumps(report.json(), indent=2, ensure_ascii=False) if given.json else report.text())
    return 0


def read(given: argparse.Namespace) -> Report:
    """The report of the project that the command line names; raises ProjectError where there is none."""
    files = ProjectFiles(given.folder, given.inputs)
    dialect = given.dialect or files.adapter
    if dialect not in DIALECTS:
        raise ProjectError(f"no dialect is read for the adapter {dialect or 'of the project'}: say --dialect")
    packages = given.packages or given.folder / "dbt_packages"
    reading = ProjectReading(Project(files, dialect, packages, _variables(given.vars)), given.exact_floats)
    reading.run()
    return Report(dialect, [reading.outcomes[model.name] for model in reading.counted])


def _variables(text: str) -> dict[str, object]:
    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError:
        said = None
    if not isinstance(said, dict):
        raise ProjectError("--vars is no mapping in YAML")
    return said


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tallystick.experiments.dbt", description=__doc__)
    parser.add_argument("folder", type=Path, help=f"the folder of the project, with {PROJECT}")
    parser.add_argument("--dialect", choices=list(DIALECTS), help="of its SQL; that of its profiles.yml if not given")
    parser.add_argument("--packages", type=Path, help="a folder of dbt packages; dbt_packages if not given")
    parser.add_argument("--inputs", default="", help="a folder of the project whose models fill refs that it lacks")
    parser.add_argument("--vars", default="{}", help="variables, in YAML")
    parser.add_argument("--exact-floats", action="store_true", help="read floating-point numbers as exact ones")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEBIBYTES << 20, MEBIBYTES << 20))
    sys.exit(main())
