"""`tallystick.check`: two functions on RDDs, two DataFrames, or two functions that make DataFrames of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame
    from tallystick.frontends.pyspark import Reference
    from tallystick.frontends.sql.source import Source
    from tallystick.options import ReplayOn, Semantics, Solver
    from tallystick.plans.verdict import PlanVerdict
    from tallystick.verdict import Verdict


@overload
def check(
    before: DataFrame,
    after: DataFrame,
    *,
    tables: Mapping[str, DataFrame] | None = None,
    schema: Source | None = None,
    timeout: float = 30.0,
    names: tuple[str, str] = ("the first DataFrame", "the second DataFrame"),
) -> PlanVerdict: ...


@overload
def check(
    before: Reference,
    after: Reference,
    *,
    schema: Source,
    timeout: float = 30.0,
    replay: ReplayOn | None = None,
    settings: Mapping[str, str] | None = None,
    param: Mapping[str, Any] | None = None,
    source: Mapping[str, str] | None = None,
) -> PlanVerdict: ...


@overload
def check(
    before: Reference,
    after: Reference,
    *,
    types: str | None = None,
    solver: Solver = "auto",
    timeout: float = 30.0,
    replay: ReplayOn = "reference",
    semantics: Semantics = "spark",
    as_sets: bool = False,
) -> Verdict: ...


def check(before: Any, after: Any, **options: Any) -> Any:
    """Whether two programs return the same on every input.

    Two DataFrames of one session, with the options of `tallystick.plans.dataframes.check_dataframes`: their plans are
    compared, no data is read. Two references "path.py:function" with the option `schema`: functions that make
    DataFrames of tables, called once in a process of its own (`check_functions`). Else functions on RDDs, which are
    parsed and never run, with the options of `tallystick.checking.check`.
    """
    from tallystick.plans.dataframes import check_dataframes, is_dataframe
    from tallystick.plans.functions import check_functions

    if is_dataframe(before) or is_dataframe(after):
        return check_dataframes(before, after, **_without(options, "prover"))
    if options.get("schema") is not None:
        return check_functions(before, after, **_without(options, "prover"))
    from tallystick import checking

    return checking.check(before, after, **options)


def _without(options: dict[str, Any], name: str) -> dict[str, Any]:
    """The options that the caller of a fixture has given."""
    return {key: value for key, value in options.items() if key != name}
