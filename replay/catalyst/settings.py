"""The settings of a session that the meaning of a plan, and the order of its rows, hang on."""

from __future__ import annotations

import re
from typing import Any

Json = Any

UNORDERED = re.compile(
    r"spark\.(?!sql\.|databricks\.|default\.)|spark\.sql\.(ui|debug|warehouse|execution\.arrow|broadcastTimeout"
    r"|maxPlanStringLength|repl|thriftserver|event|redaction)"
)
"""Names of settings on which neither values nor the order of rows hang: those of others than Spark SQL, among them."""
MEANINGLESS = re.compile(
    r"spark\.sql\.(shuffle|adaptive|cbo|statistics|codegen|optimizer|autoBroadcast|broadcast|join"
    r"|inMemoryColumnarStorage|files\.(max|min|open)|leafNodeDefaultParallelism)|spark\.default\."
)
"""Names of settings on which no values hang, but perhaps the order in which rows come: how something is computed."""
KEPT = "changed after rows were kept"
"""Stands in `order` if some rows may have come under other settings than the last ones: equal to no other order."""


def settings(session: Any) -> dict[str, Json]:
    """The settings that the meaning of a plan depends on, and the version of Spark.

    `order` are those on which alone the order hangs in which rows come, and so what a choice among them gives.
    """

    def of(key: str, default: str) -> str:
        return str(session.conf.get(key, default)).lower()

    version, chosen = str(session.version), _chosen(session)
    order = {key: value for key, value in chosen.items() if MEANINGLESS.match(key)}
    others = {key: value for key, value in chosen.items() if key not in order}
    return {
        "version": version,
        "ansi": of("spark.sql.ansi.enabled", "true" if version >= "4" else "false") == "true",
        "time_zone": session.conf.get("spark.sql.session.timeZone"),
        "precision_loss": of("spark.sql.decimalOperations.allowPrecisionLoss", "true") == "true",
        "others": {**others, "database": str(session._jsparkSession.catalog().currentDatabase())},
        "empty_grouping_set": of("spark.sql.legacy.groupingIdWithAppendedUserGroupBy", "false"),
        "order": order,
    }


def meaning(found: dict[str, Json]) -> dict[str, Json]:
    """Settings without those on which the order of rows alone hangs."""
    return {key: value for key, value in found.items() if key != "order"}


def same_order(first: dict[str, Json], second: dict[str, Json]) -> bool:
    """Whether rows that are made alike come in the same order under these settings."""
    return first["order"] == second["order"] and KEPT not in first["order"]


def other_settings(first: dict[str, Json], second: dict[str, Json]) -> list[str]:
    """The names of settings that differ."""
    flat = [{**each, **each["others"], **each.get("order", {})} for each in (first, second)]
    keys = {*flat[0], *flat[1]} - {"others", "order"}
    return sorted(key for key in keys if flat[0].get(key) != flat[1].get(key))


def _chosen(session: Any) -> dict[str, str]:
    """The settings that were chosen, and are not as they would be anyway, on which rows or their order may hang."""
    chosen = session._jsparkSession.sessionState().conf().settings()
    plain = session._jvm.org.apache.spark.sql.internal.SQLConf()
    asked = {str(key): str(chosen[key]) for key in sorted(chosen) if not UNORDERED.match(str(key))}
    return {key: value for key, value in asked.items() if value != _default_of(plain, key)}


def is_known(session: Any, key: str) -> bool:
    """Whether what a session says of a setting holds in others: it was set in this session alone, or is Spark SQL's."""
    java = session._jsparkSession
    now, at_start = java.sessionState().conf().settings(), java.sparkContext().conf()
    value = now.get(key)
    if value is not None and (not at_start.contains(key) or str(at_start.get(key)) != str(value)):
        return True
    if key == "spark.sql.session.timeZone":
        return True
    plain = session._jvm.org.apache.spark.sql.internal.SQLConf()
    known = key.startswith("spark.sql.") and (session.conf.isModifiable(key) or _default_of(plain, key) is not None)
    return known and not at_start.contains(key)


def _default_of(plain: Any, key: str) -> str | None:
    """The value of a setting that nobody has chosen; None if it has none."""
    try:
        return str(plain.getConfString(key))
    except Exception:  # a setting that Spark does not know, or that is not set
        return None
