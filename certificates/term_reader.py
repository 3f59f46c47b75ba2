"""Reading certificates with proofs: a term is a row of a table, a step has a rule, which is loaded by its name."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import NoneType
from typing import Any, ClassVar, Final

from tallystick.certificates.annotations import Allowed, Annotations
from tallystick.certificates.budget import AuditLimits
from tallystick.certificates.reader import Reader
from tallystick.certificates.rules import Rule, rule
from tallystick.certificates.trees import NAMES as TREES
from tallystick.certificates.trees import RowNode, row_node
from tallystick.core.errors import SortError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, build
from tallystick.core.types import BagType, BasicType, OptionType, TupleType
from tallystick.core.types import Type as TypeOfTerms

TERMS: Final = "terms"
"""The key of the table of terms."""
ARGUMENTS: Final = tuple[Term, ...]
_NAMED = tuple[str, BasicType]
PARAMETERS: Final[dict[Operator, Any]] = {
    Operator.CONSTANT: int | bool | str | Fraction,
    Operator.VARIABLE: tuple[str, TypeOfTerms],
    **dict.fromkeys((Operator.ELEMENT, Operator.ACCUMULATOR, Operator.NONE, Operator.EVERY), BasicType),
    Operator.SUMMATION: BasicType,
    **dict.fromkeys((Operator.DIV, Operator.MOD, Operator.PROJECTION), int),
    Operator.SCALE: int | Fraction,
    **dict.fromkeys((Operator.SLOT, Operator.ROW), tuple[int, BasicType]),
    **dict.fromkeys((Operator.APPLY, Operator.EXPAND, Operator.OPAQUE_BAG, Operator.AGGREGATE), _NAMED),
    Operator.TUPLE: TupleType | None,
    Operator.LIMIT: tuple[int | None, int, tuple[tuple[bool, bool], ...]],
    Operator.EXTREMUM: str,
}
"""The parameters of operators, where they have one."""


def with_terms(nodes: tuple[type, ...] = (), names: Mapping[str, Any] | None = None) -> Annotations:
    """What annotations allow where terms have rows in a table, and objects of the classes of nodes in another."""
    return Annotations(nodes, TREES | dict(names or {}), frozenset({Term}), {Rule: rule, RowNode: row_node})


class TermReader(Reader):
    """Reads the terms of a certificate.

    Attributes:
        foreign: the operators that do not occur in such a certificate.
    """

    tables: ClassVar[tuple[str, ...]] = (TERMS,)
    annotations: ClassVar[Annotations] = with_terms()
    foreign: ClassVar[frozenset[Operator]] = frozenset()

    def __init__(self, limits: AuditLimits) -> None:
        super().__init__(limits)
        self.terms: list[Term] = []

    def row(self, table: str, data: Any) -> None:
        """Adds the term that a row of the table encodes."""
        if table != TERMS:
            super().row(table, data)
            return
        self.path = [table, len(self.terms)]
        word, parameter, *numbers = data if isinstance(data, list) and len(data) > 1 else (None, None)
        operator = _OPERATORS.get(word) if isinstance(word, str) else None
        if operator is None:
            self.fail("expected an operator, its parameter and its arguments")
        if operator in self.foreign:
            self.fail(f"{operator.value} is no operator of certificates about {self.about}")
        allowed = self.annotations.allowed
        arguments = self.read(allowed(ARGUMENTS), numbers, "arguments")
        if operator is Operator.VARIABLE and not self.is_name(parameter):
            self.fail("the name of a variable is an identifier, or a primed one")
        given = self.read(allowed(PARAMETERS.get(operator, NoneType)), parameter, "parameter")
        try:
            term = build(operator, arguments, given)
        except SortError as error:
            self.fail(str(error)[:400])
        self.bounded(term.depth, "depth")
        if operator is Operator.VARIABLE:
            self.bounded(len(term.parameter[0]), "letters")  # type: ignore[index, arg-type]
        self.bounded(_leaves(term.type), "leaves")
        self.terms.append(term)

    def is_name(self, parameter: Any) -> bool:
        """Whether the parameter of a variable begins with a name that it may have: any, which is quoted in claims."""
        return True

    def tabled(self, allowed: Allowed, number: int) -> Any:
        """The term in a row of the table."""
        if Term not in allowed.tabled:
            return super().tabled(allowed, number)
        if not 0 <= number < len(self.terms):
            self.fail(f"there is no term {number} before it")
        return self.terms[number]


_OPERATORS: Final = {operator.value: operator for operator in Operator}


def _leaves(of: TypeOfTerms) -> int:
    """How many components without components a type has."""
    match of:
        case TupleType(components):
            return sum(map(_leaves, components))
        case BagType(element):
            return _leaves(element)
        case OptionType(inner):
            return _leaves(inner)
    return 1
