"""What the texts of plans say of spans and groups that their JSON does not."""

from __future__ import annotations

import pytest
from tallystick.frontends.sql.qed.losses import lost_ends, lost_groups

SCAN = """project
 ├── columns: a:1
 └── scan t@index
      ├── columns: a:1
      ├── constraint: /1/2{}
      └── key: (2)
"""


@pytest.mark.parametrize(
    ("spans", "lost"),
    [
        ([": [/1 - /3]"], False),
        ([": [/1 - ]"], False),
        ([": (/NULL - ]"], False),
        ([": [/'a b'/2 - /'a b'/9]"], False),
        ([": (/NULL - /9]"], True),
        ([": (/1 - ]"], True),
        ([": [/'foo' - /'fop')"], True),
        ([": [/1.5 - /2.25]"], False),
        ([": [/5.0 - /11.999999999999998]"], True),
        ([": [/0/5e-324 - /1]"], True),
        (["", "[/1 - /1]", "[/5 - /6]"], False),
        (["", "[/1 - /1]", "[/5 - /6)"], True),
    ],
)
def test_ends_of_spans(spans: list[str], lost: bool) -> None:
    first, *listed = spans
    assert lost_ends(SCAN.format("".join([first, *(f"\n      │    ├── {span}" for span in listed)]))) is lost


def test_conditions_of_filters_are_no_spans_of_scans() -> None:
    assert not lost_ends("select\n └── filters\n      └── a:1 < 10 [constraints=(/1: (/NULL - /9]; tight)]")


GROUP = """select
 ├── columns: a:1 count:2
 ├── {}
 │    ├── columns: a:1 count:2
 │    ├── {}
 │    ├── project
 │    │    └── scalar-group-by
 │    │         ├── columns: c:3
 │    │         └── scan t
 │    └── aggregations
 └── filters
"""


@pytest.mark.parametrize(
    ("node", "said", "lost"),
    [
        ("group-by (hash)", "grouping columns: a:1", False),
        ("group-by (streaming)", "cardinality: [0 - 1]", True),
        ("group-by", "key: ()", True),
        ("scalar-group-by", "cardinality: [1 - 1]", False),
    ],
)
def test_groups_of_no_rows(node: str, said: str, lost: bool) -> None:
    assert lost_groups(GROUP.format(node, said)) is lost
