"""What claims about queries take for granted, by name: a fixed list, and what statements cannot do without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

from tallystick.core.errors import KernelError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.nodes import Statement, nodes
from tallystick.core.queries.types import ORDERED_ONLY, TEXT, TIMESTAMP


class Assumption(Enum):
    """A condition under which a claim holds, and a query means what its reading says."""

    EXACT_NUMBERS = "numbers are exact: nothing overflows, and no decimal is rounded to a scale"
    EXACT_QUOTIENTS = "quotients and averages are exact: they are not rounded"
    EXACT_FLOATS = "floating-point numbers are exact, and none is NaN or infinite"
    NO_ERROR = "neither query stops with an error"
    NOT_ENFORCED = "the constraints that the database does not enforce hold"
    CODE_POINTS = "texts are equal only if they are the same characters, and ordered by code points"
    SAME_VALUES = (
        "floating-point numbers, arrays and the like are equal only if they are the same (none is NaN or -0.0), and "
        "sums of floating-point numbers hang on no order"
    )
    SHOWN_UUIDS = "texts that are taken for UUIDs are written as these are shown: in small letters, with hyphens"
    UNPADDED = "texts of CHAR columns are without the blanks that pad them"
    SAME_MOMENT = "both queries run at the same moment"
    FIXED_CLOCKS = "the clocks of the session's time zone, if moments are shown in one, are never changed"
    ONE_CHOICE = (
        "where LIMIT, ROW_NUMBER and their like leave a choice in ties, both queries always choose the same rows, "
        "whatever is computed from these"
    )
    PURE_FUNCTIONS = "functions of the user's are deterministic, and those of equal code are equal"
    SAME_DRAWS = "what draws at random, or depends on earlier runs, does so alike in both versions"

    @property
    def label(self) -> str:
        """The name on command lines and in JSON."""
        return self.name.lower().replace("_", "-")


def of_checks(catalogue: Catalogue) -> frozenset[Assumption]:
    """What every claim about databases of a catalogue has to assume, by what its checks compute."""
    checks = (check for table in catalogue.tables for check in table.checks)
    return frozenset(found for node in nodes(*checks) for found in _of_node(node))


def required(*statements: Statement) -> frozenset[Assumption]:
    """What every claim about the results of the statements has to assume, by what they compute."""
    found = {Assumption.EXACT_NUMBERS, Assumption.NO_ERROR}
    for statement in statements:
        keys = [key.expression for key in statement.order]
        found |= set(of_order(keys))
        for node in nodes(statement.query, *keys):
            found |= set(_of_node(node))
    return frozenset(found)


def _of_node(node: Any) -> Iterator[Assumption]:
    """What is taken for granted by a node, of any construct."""
    match type(node).__name__:
        case "Comparison":
            yield from of_order([node.left])
        case "ForSome":
            yield from of_order(node.query.columns)
        case "Distinct":
            yield from of_order(node.columns)
        case "SetOperation" if node.kind != "union" or not node.all:
            yield from of_order(node.columns)
        case "Arithmetic" | "Cast" | "Function" if any(each.type == TIMESTAMP for each in (node, *node.operands)):
            yield Assumption.FIXED_CLOCKS
        case "Divide" if node.rounding == "exact":
            yield Assumption.EXACT_QUOTIENTS
        case "Limit":
            yield from of_order(node.operands)
            if node.cuts:
                yield Assumption.ONE_CHOICE
        case "Aggregate" | "Window":
            from tallystick.core.queries.assumptions_of_calls import of_calls

            yield from of_calls(node)


def of_order(compared: Iterable[Any]) -> Iterator[Assumption]:
    """What is taken for granted where expressions, or values of columns, are compared."""
    types = {each.type for each in compared}
    if TEXT in types:
        yield Assumption.CODE_POINTS
    if TIMESTAMP in types:
        yield Assumption.FIXED_CLOCKS
    if types & ORDERED_ONLY:
        yield Assumption.SAME_VALUES


def require_assumptions(
    catalogue: Catalogue, unenforced: tuple[str, ...], given: tuple[Assumption, ...], needed: Iterable[Assumption]
) -> None:
    """Fails unless a certificate states what is needed, and what tables without enforced constraints need."""
    tables = catalogue.by_name
    known = all(name in tables and tables[name].is_constrained for name in unenforced)
    if list(unenforced) != sorted(set(unenforced)) or not known:
        raise KernelError("the tables whose constraints are not enforced are different ones that have some, sorted")
    needed = {*needed, *of_checks(catalogue), *([Assumption.NOT_ENFORCED] if unenforced else ())}
    if given != tuple(each for each in Assumption if each in given):
        raise KernelError("the assumptions are different ones, in the order of their list")
    missing = [each for each in Assumption if each in needed and each not in given]
    if missing:
        raise KernelError(f"such a claim also assumes that {missing[0].value}")
