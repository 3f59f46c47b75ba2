"""One Spark for all tests that only use it, and a way to write a user's files."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from sampling import WHOLE
from tallystick.certificates.exports.auditors import NEEDED
from tallystick.replay import SparkReplayer

WriteFile = Callable[[str, str], str]

# Without deadlines: a loaded machine is no bug.
settings.register_profile("all", settings.default, deadline=None, max_examples=WHOLE)
settings.register_profile("some", settings.default, deadline=None, max_examples=WHOLE // 3)
settings.load_profile("some")


@pytest.fixture(scope="session")
def replayer() -> Iterator[SparkReplayer]:
    with SparkReplayer() as spark:
        yield spark


@pytest.fixture
def write(tmp_path: Path) -> WriteFile:
    """Writes a file below the test's folder, and returns its path."""

    def written(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return str(path)

    return written


LONGER = frozenset((Path(__file__).parent / "longer.txt").read_text().splitlines())


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in this hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the longer tests; those that use Spark run in one process of pytest-xdist, so that Spark starts once."""
    for item in items:
        if item.nodeid.partition("[")[0] in LONGER:
            item.add_marker(pytest.mark.longer)
        if item.get_closest_marker("spark"):
            item.add_marker(pytest.mark.xdist_group("spark"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests that were skipped for want of Coq are listed, each by its name."""
    reports = terminalreporter.stats.get("skipped", [])
    skipped = [report.nodeid for report in reports if NEEDED in str(report.longrepr)]
    if skipped:
        terminalreporter.section(f"skipped without Coq ({NEEDED})")
        for name in skipped:
            terminalreporter.line(f"SKIPPED {name}")
