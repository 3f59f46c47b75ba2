"""The pytest plugin: refactorings of Spark programs and of SQL queries, guarded by tests.

    def test_the_histogram_is_still_the_same(assert_equivalent):
        assert_equivalent("jobs.py:before", "jobs.py:after")

    def test_the_revenue_is_still_the_same(assert_equivalent_sql):
        assert_equivalent_sql("revenue.sql", "revenue_faster.sql", schema="schema.sql")

It is loaded wherever Tallystick is installed, and costs nothing until a test asks for the fixture.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from tallystick.decision.service.process import ProverProcess
    from tallystick.frontends.pyspark import Reference
    from tallystick.queries.verdict import SqlVerdict
    from tallystick.verdict import Verdict

TIMEOUT = "tallystick_timeout"
CERTIFICATES = "--tallystick-certificates"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the folder for certificates, and the limit for deciding one pair."""
    group = parser.getgroup("tallystick", "equivalence of Spark programs and queries")
    group.addoption(CERTIFICATES, metavar="DIR", type=Path, help="keep the certificate of each equivalence proved here")
    parser.addini(TIMEOUT, "seconds for deciding one pair of Spark programs or queries", default="30")


@pytest.fixture(scope="session")
def tallystick_prover() -> Iterator[ProverProcess]:
    """The process that decides for all tests of a session; it ends with the session."""
    from tallystick.decision.service.process import ProverProcess

    with ProverProcess() as prover:
        yield prover


@pytest.fixture
def assert_equivalent(request: pytest.FixtureRequest, tallystick_prover: ProverProcess) -> Callable[..., Verdict]:
    """Asserts that two PySpark functions return the same on every input, and gives the verdict.

    Takes two functions, or "path.py:function" with a path from the folder of the test's file, and the options of
    `tallystick.check`. They are parsed, not run. Or two DataFrames of a session of the user's; no job is run. The test
    fails with a counterexample when they differ, and with the reasons when it is not known.
    """
    from tallystick.assertions import assert_equivalent as assertion
    from tallystick.core.errors import TallystickError

    def assert_equivalent(before: Reference, after: Reference, **options: Any) -> Verdict:
        __tracebackhide__ = True
        folder = request.path.parent
        given = {"timeout": _timeout(request.config), "prover": tallystick_prover, **options}
        if isinstance(options.get("schema"), str) and (folder / options["schema"]).is_file():
            given["schema"] = folder / options["schema"]
        try:
            verdict = assertion(_from(folder, before), _from(folder, after), **given)
            _keep(request, verdict)
        except TallystickError as error:
            raise error.with_traceback(None) from None  # a refusal shows the user's code, not ours
        return verdict

    return assert_equivalent


@pytest.fixture
def assert_equivalent_sql(request: pytest.FixtureRequest) -> Callable[..., SqlVerdict]:
    """Asserts that two SQL queries return the same on every database of a schema, and gives the verdict.

    Takes the texts of queries, or files that end in .sql, with a path from the folder of the test's file; a schema
    likewise, or one of JSON; and the options of `tallystick.check_sql`. The test fails with a database when they
    differ, and with the reasons when it is not known. No query is run.
    """
    from tallystick.core.errors import TallystickError
    from tallystick.queries.checking import assert_equivalent_sql as assertion

    def assert_equivalent_sql(
        before: str | Path, after: str | Path, *, schema: str | Path, **options: Any
    ) -> SqlVerdict:
        __tracebackhide__ = True
        folder = request.path.parent
        given = {"timeout": _timeout(request.config), **options}
        try:
            verdict = assertion(_file(folder, before), _file(folder, after), schema=_file(folder, schema), **given)
            _keep(request, verdict)
        except TallystickError as error:
            raise error.with_traceback(None) from None
        return verdict

    return assert_equivalent_sql


def _file(folder: Path, source: Any) -> Any:
    """A path from a folder; a text with a blank stays what it is unless a file there is called so."""
    if not isinstance(source, str | Path):
        return source
    is_text = isinstance(source, str) and any(map(str.isspace, source.strip())) and not os.path.exists(folder / source)
    return source if is_text else folder / source


def _timeout(config: pytest.Config) -> float:
    text = config.getini(TIMEOUT)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise pytest.UsageError(f"{TIMEOUT} must be a number of seconds above 0, and is {text!r}")
    return seconds


def _from(folder: Path, reference: Reference) -> Reference:
    if not isinstance(reference, str):
        return reference
    path, colon, name = reference.rpartition(":")
    return f"{folder / path}:{name}" if colon and path else reference


def _keep(request: pytest.FixtureRequest, verdict: Verdict | SqlVerdict) -> None:
    """Writes a certificate to the folder of the option: named after the test, numbered where it has several."""
    folder: Path | None = request.config.getoption(CERTIFICATES)
    if folder is None or verdict.certificate is None:
        return
    from tallystick.output import write, writing

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    test = cast(pytest.Item, request.node)  # pyright: ignore[reportUnknownMemberType] - pytest 9.1 does not say it
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in test.nodeid)
    kept = test.stash.setdefault(_KEPT, [])
    kept.append(folder / (f"{name}-{len(kept) + 1}.json" if kept else f"{name}.json"))
    write(kept[-1], verdict.certificate)


_KEPT = pytest.StashKey[list[Path]]()
