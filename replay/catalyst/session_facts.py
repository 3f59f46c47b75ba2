"""What functions ask of their session and do to it: facts that are others in each session are refused."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from .settings import is_known
from .surroundings import PARAMETER, asked_by_user
from .unknown_rows import family

if TYPE_CHECKING:
    from .lake import Lake

PROPERTIES = ("defaultParallelism", "defaultMinPartitions", "applicationId", "uiWebUrl", "startTime", "getConf")
"""What a context has that is another one on each cluster."""
FIELDS = ("master", "appName", "environment")
"""The same, as fields of the object."""
KEEPING = ("cache", "persist", "checkpoint", "localCheckpoint")
"""Methods by which rows are kept as they come."""


def session_methods(lake: Lake) -> list[tuple[type, str, Any]]:
    """Methods in the place of those of Spark's classes: a lake notes which settings are set and when rows are kept, and
    refuses settings that the function, or the caller, has not chosen and that are no defaults of Spark SQL."""
    from pyspark import SparkContext
    from pyspark.sql import DataFrame
    from pyspark.sql.catalog import Catalog
    from pyspark.sql.conf import RuntimeConfig

    def keeping(method: Any) -> Any:
        @functools.wraps(method)
        def kept(*given: Any, **named: Any) -> Any:
            lake.keep()
            return method(*given, **named)

        return kept

    def setting(method: Any) -> Any:
        @functools.wraps(method)
        def changed(own: Any, key: str, *given: Any, **named: Any) -> Any:
            lake.set(str(key))
            return method(own, key, *given, **named)

        return changed

    def asking(method: Any) -> Any:
        @functools.wraps(method)
        def asked(own: Any, key: str, *given: Any, **named: Any) -> Any:
            known = key in lake.own | lake.given or not asked_by_user() or is_known(lake.session, key)
            if not known:
                lake.refuse(f"it asks for the setting {key}, which it has not set: {PARAMETER}")
            return method(own, key, *given, **named)

        return asked

    def of_cluster(name: str, method: Any) -> Any:
        def asked(*given: Any) -> Any:
            if asked_by_user():
                lake.refuse(f"it asks for {name} of the session: {PARAMETER}")
            return method(*given)

        return asked

    kinds = [*((each, KEEPING, keeping) for each in family(DataFrame)), (Catalog, ("cacheTable",), keeping)]
    kinds += [(RuntimeConfig, ("set", "unset"), setting), (RuntimeConfig, ("get",), asking)]
    methods = [(of, name, made(vars(of)[name])) for of, names, made in kinds for name in names if name in vars(of)]
    for of, name in ((RuntimeConfig, "getAll"), *((SparkContext, each) for each in PROPERTIES)):
        method = vars(of).get(name)
        if isinstance(method, property):
            methods.append((of, name, property(of_cluster(name, method.fget))))
        elif method is not None:
            methods.append((of, name, of_cluster(name, method)))
    fields = ((name, of_cluster(name, lambda own, name=name: vars(own)[name])) for name in FIELDS)
    return [*methods, *((SparkContext, name, property(ask)) for name, ask in fields)]
