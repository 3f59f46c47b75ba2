"""Constants of plans whose types have no meaning are known by their text, and columns of these types are texts."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tallystick.core.queries.expressions import Function, Literal
from tallystick.core.queries.types import INTEGER, TEXT
from tallystick.frontends.sql.qed.literals import read_literal
from tallystick.frontends.sql.qed.values import carried_type, plain_type

PLAN = cast("Any", None)  # that is asked for nothing but an error


@pytest.mark.parametrize("name", ["JSONB", "GEOMETRY", "GEOGRAPHY", "INTERVAL", "OID", "INT[]", "BYTES"])
def test_a_type_without_a_meaning_is_carried_by_texts(name: str) -> None:
    assert (plain_type(name), carried_type(name)) == (None, TEXT)
    said = Literal("'a value'", TEXT)
    assert read_literal(PLAN, "'a value'", name) == Function(f"{name} literal", (said,), TEXT, strict=False)
    assert read_literal(PLAN, "NULL", name) == Literal(None, TEXT)


def test_a_type_with_a_meaning_has_its_own_constants() -> None:
    assert read_literal(PLAN, "7", "INT") == Literal(7, INTEGER)
    assert read_literal(PLAN, "'7'", "STRING") == Literal("7", TEXT)
