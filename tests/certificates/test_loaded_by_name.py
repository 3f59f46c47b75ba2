"""What is loaded by its name is the class of that name, and there are no others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from tallystick.certificates import evidence, refutation
from tallystick.certificates.audit import audit
from tallystick.certificates.evidence import Farkas
from tallystick.certificates.trees import RowNode, row_node
from tallystick.core.errors import RefutationError
from tallystick.core.queries.nodes import ExpressionNode, QueryNode, construct
from tallystick.core.queries.syntax import NODES
from tallystick.core.terms import FALSE

from certificates.query_samples import sample

ABOUT_ROWS = [kind for kind in get_args(evidence.Refutation) if issubclass(kind, RowNode)]


@pytest.mark.parametrize("name", NODES)
def test_each_construct_has_its_class(name: str) -> None:
    kind = NODES[name]
    assert construct(name) is kind
    assert issubclass(kind, ExpressionNode | QueryNode)


@pytest.mark.parametrize("kind", ABOUT_ROWS, ids=lambda kind: kind.__name__)
def test_each_node_about_rows_has_its_class(kind: type) -> None:
    assert row_node(kind.__name__) is kind


@pytest.mark.parametrize("name", ["", "ExpressionNode", "QueryNode", "OneInput", "Binary", "Connective", "WithQuery"])
def test_what_is_no_construct_is_not_read(name: str) -> None:
    assert construct(name) is None
    document = json.loads(sample("an outer join")[1])
    document["syntax"][0][0] = name
    report = audit(json.dumps(document).encode())
    assert (report.accepted, report.reason) == (
        False,
        "certificate.syntax[0]: expected a node of a query and its parts",
    )


def test_a_tree_has_no_nodes_of_other_classes() -> None:
    @dataclass(frozen=True, slots=True)
    class Use(RowNode):
        rest: Any

        def close(self, tree: Any) -> None:
            """Accepts anything."""

    with pytest.raises(RefutationError, match="a refutation has no Use"):
        refutation.check(FALSE, Use(Farkas(())))  # type: ignore[arg-type]
    assert row_node("Case") is None
