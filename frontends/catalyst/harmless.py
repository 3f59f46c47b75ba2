"""Fields of Catalyst's nodes that say nothing of what a plan means. Others are read, or refused by their names.

A field that holds nothing (null, false, nothing in a list) asks for nothing.
"""

from __future__ import annotations

from typing import Any, Final

ANYWHERE: Final = frozenset(
    {
        *("class", "num-children", "product-class", "object"),
        *(
            "valueType",
            "computesAlike",
            "nullForNull",
            "nullForNullAlone",
        ),  # asked of what may be known by name alone (`named.py`)
        *("mutableAggBufferOffset", "inputAggBufferOffset"),
    }
)
NAMES: Final = frozenset({"name", "qualifier", "exprId", "nullable", "metadata"})
"""What columns are called, and what the reading finds by itself."""
HARMLESS: Final[dict[str, frozenset[str]]] = {
    "Alias": NAMES | {"explicitMetadata", "nonInheritableMetadataKeys"},
    "AttributeReference": NAMES | {"dataType"},
    "NamedLambdaVariable": NAMES | {"dataType", "value"},
    "CommonExpressionRef": NAMES - {"exprId"},
    "AggregateExpression": frozenset({"resultId"}),
    "PythonUDF": frozenset({"func", "resultId", "udfDeterministic"}),
    **dict.fromkeys(("ScalarSubquery", "Exists", "ListQuery"), frozenset({"exprId", "outerAttrs", "hint"})),
    "ListQuery": frozenset({"exprId", "outerAttrs", "hint", "numCols", "childOutputs"}),
    "GetStructField": frozenset({"name"}),
    **dict.fromkeys(("WithField", "DropField"), frozenset({"unsaid"})),  # they have no value, and so no type
    "StaticInvoke": frozenset({"dataType", "inputTypes", "propagateNull", "returnNullable", "isDeterministic"}),
    # How it is computed, not what.
    "SubqueryAlias": frozenset({"identifier"}),
    "View": frozenset({"desc", "isTempView"}),
    "CollectMetrics": frozenset({"name", "metrics", "dataframeId"}),
    "Join": frozenset({"hint"}),
    "Aggregate": frozenset({"hint"}),
    "Window": frozenset({"hint", "partitionSpec", "orderSpec"}),
    "Sort": frozenset({"hint"}),
    "SortOrder": frozenset({"sameOrderExpressions"}),
    **dict.fromkeys(("Rank", "DenseRank", "PercentRank", "CumeDist"), frozenset({"children"})),
    "Range": frozenset({"numSlices"}),
    "LogicalRDD": frozenset({"rdd", "session", "outputPartitioning", "outputOrdering"}),
    "LogicalRelation": frozenset({"relation"}),
    "CTERelationRef": frozenset({"_resolved", "statsOpt", "maxRows", "maxRowsPerPartition"}),
    "CTERelationDef": frozenset({"originalPlanWithPredicates", "underSubquery"}),
    # Whether an overflow is an error: it is assumed that there is none.
    "Round": frozenset({"ansiEnabled"}),
    **dict.fromkeys(("UnaryMinus", "Abs", "Floor", "Ceil"), frozenset({"failOnError"})),
    **dict.fromkeys(("Add", "Subtract", "Multiply", "Sum", "Average"), frozenset({"evalContext", "evalMode"})),
}
"""Fields by the classes of their nodes. Orders and frames that windows state twice are read once."""


def says_nothing(node: str, field: str, value: Any) -> bool:
    """Whether a field of a node of a class has no meaning, with this value."""
    if field in ANYWHERE or field in HARMLESS.get(node, ()):
        return True
    if isinstance(value, dict) and set(value) == {"value"}:
        return says_nothing(node, field, value["value"])
    return value is None or value is False or value in ([], {}, "")
