"""Fresh variables: what FOLD, BYKEY, CONG and the rules about single folds introduce."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.errors import KernelError
from tallystick.core.monomials import name_of, plain
from tallystick.core.terms import Operator, Term, free_variables


def require_fresh(variables: Sequence[Term], types: Sequence[object], others: Sequence[Term]) -> None:
    """Raises KernelError unless `variables` are distinct variables of the given types that occur in none of `others`.

    Names count: two variables of one name and of different types may not stand side by side either.
    """
    if any(term.operator is not Operator.VARIABLE for term in variables):
        raise KernelError("fresh variables are variables")
    plain(*variables, *others)
    names = [name_of(term) for term in variables]
    used = {name_of(term) for other in others for term in free_variables(other)}
    if len(set(names)) < len(names) or used & set(names) or [term.type for term in variables] != list(types):
        raise KernelError("fresh variables are distinct, of the right types, and occur nowhere else")
