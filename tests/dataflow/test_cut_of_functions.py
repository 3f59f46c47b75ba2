"""One function from equal inputs, whatever these are called: what CUT accepts without a proof, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.certificates.budget import Budget
from tallystick.certificates.dataflows.kernel import Composition
from tallystick.certificates.dataflows.proofs import Cut, DataflowCertificate
from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.errors import KernelError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.switches import Switches
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.types import INTEGER, ColumnType
from tallystick.frontends.sql.dialects import SPARK

ROW = (ColumnType(INTEGER, True),)
COLUMNS = (Column("x", INTEGER),)
SOURCES = Catalogue((Table("t", COLUMNS), Table("u", COLUMNS)))


def copy(name: str, source: str, column: str = "x") -> Wire:
    return Wire(Table(name, (Column(column, INTEGER),)), Statement(Scan(source, ROW), ("x",)))


def function(name: str, *inputs: str, called: str = "f", repeatable: bool = True) -> Wire:
    return Wire(Table(name, COLUMNS), Opaque(called, inputs, ROW, repeatable))


def composition(old: tuple[Wire, ...], new: tuple[Wire, ...]) -> Composition:
    switches: Switches = SPARK.switches
    return Composition(DataflowCertificate(SOURCES, old, new, (), "spark", switches, (), "dataflow", (), ()))


def cut(made: Composition, wire: str, root: str) -> None:
    made.cut(Cut(("new", wire), ("old", root), (0,), False, (), None), Budget())


OLD = (copy("a", "t"), copy("b", "u"), function("h", "a", "b"))
RENAMED = (copy("c", "t"), copy("d", "u"))


def with_equal_inputs(last: Wire, old: tuple[Wire, ...] = OLD) -> Composition:
    """c is a, d is b, and the last wire of the new version is h, or not."""
    made = composition(old, (*RENAMED, last))
    cut(made, "c", "a")
    cut(made, "d", "b")
    return made


def test_a_function_of_equal_inputs_is_one_whatever_they_are_called() -> None:
    made = with_equal_inputs(function("h", "c", "d"))
    cut(made, "h", "h")
    assert made.root(("new", "h")) == (("old", "h"), (0,))


@pytest.mark.parametrize(
    "last",
    [
        function("h", "d", "c"),
        function("h", "c"),
        function("h", "c", "d", "d"),
        function("h", "c", "c"),
        function("h", "c", "d", called="g"),
        function("h", "t", "d"),
        function("h", "t", "u"),
        replace(function("h", "c", "d"), operator=Opaque("f", ("c", "d"), ROW, False)),
        copy("h", "c"),
    ],
)
def test_ports_functions_and_inputs_have_to_correspond(last: Wire) -> None:
    made = with_equal_inputs(last)
    with pytest.raises(KernelError, match="are not filled by one operator from equal inputs"):
        cut(made, "h", "h")


def test_tables_are_equal_only_to_themselves() -> None:
    made = composition((function("h", "t", "u"),), (function("h", "u", "t"),))
    with pytest.raises(KernelError, match="are not filled by one operator"):
        cut(made, "h", "h")
    made = composition((function("h", "t", "u"),), (function("h", "t", "u"),))
    cut(made, "h", "h")


def test_inputs_that_are_not_known_to_be_equal_are_not_taken_for_equal() -> None:
    made = composition(OLD, (*RENAMED, function("h", "c", "d")))
    cut(made, "c", "a")
    with pytest.raises(KernelError, match="are not filled by one operator"):
        cut(made, "h", "h")


def test_columns_of_other_names_may_be_read_otherwise() -> None:
    made = composition(OLD, (copy("c", "t", "y"), copy("d", "u"), function("h", "c", "d")))
    cut(made, "c", "a")
    cut(made, "d", "b")
    with pytest.raises(KernelError, match="are not filled by one operator"):
        cut(made, "h", "h")


def test_what_draws_is_compared_by_its_name_in_the_other_version_alone() -> None:
    drawing = (*OLD[:2], function("h", "a", "b", repeatable=False))
    made = with_equal_inputs(function("h", "c", "d", repeatable=False), drawing)
    cut(made, "h", "h")
    made = with_equal_inputs(function("k", "c", "d", repeatable=False), drawing)
    with pytest.raises(KernelError, match="are not filled by one operator"):
        cut(made, "k", "h")
