"""IS TRUE and IS FALSE as they are written out: whether the value is that one, and no other."""

from __future__ import annotations

import pytest
from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import UNIT, Project
from tallystick.core.queries.types import BOOLEAN
from tallystick.frontends.elaboration.truths import is_truth


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("value", [True, False, None])
def test_whether_the_value_is_that_one(value: bool | None, truth: bool) -> None:
    test = is_truth(Literal(value, BOOLEAN), truth)
    assert rows_of(Project(UNIT, (test,)), {}) == [(value is truth,)]
    assert not test.nullable
