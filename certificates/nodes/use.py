"""Use: what EXISTS or an EXTREMUM has to do with one monomial of its bag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.certificates.facts import Facts, number, require_logical
from tallystick.certificates.nodes.naming import unknown
from tallystick.certificates.trees import RowNode
from tallystick.core.binders import in_scope, instantiate, slots_of
from tallystick.core.errors import RefutationError
from tallystick.core.finiteness import require_finite
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, disjunction, implies, less_equal, negation

if TYPE_CHECKING:
    from tallystick.certificates.evidence import Refutation


@dataclass(frozen=True, slots=True)
class Use(RowNode):
    """What EXISTS or an EXTREMUM, unknown number `unknown`, has to do with one monomial of its bag.

    `terms` stand for the monomial's slots: rows in scope, and any terms for slots that range over every value.
    """

    unknown: int
    monomial: int
    terms: tuple[Term, ...]
    rest: Refutation

    def formula(self, facts: Facts) -> Term:
        """
        Ex(B) ∨ ¬φθ        ¬φθ ∨ min(B) ≤ hθ        ¬φθ ∨ hθ ≤ max(B)

        for a monomial ⟨x̄ | φ ↦ h⟩ of B and a substitution θ of its slots.

        Fails when the unknown is neither EXISTS nor EXTREMUM, B has no such monomial, or θ does not give each slot a
        row of its source, or, if that is every value, a term over the rows in scope.
        """
        binder = unknown(facts, self.unknown, Operator.EXISTS, Operator.EXTREMUM)
        monomials = binder.arguments[0].arguments
        monomial = monomials[number(self.monomial, len(monomials), "monomial")]
        if len(self.terms) != (slots := slots_of(monomial)):
            raise RefutationError(f"expected {slots} terms for the slots of a monomial, not {len(self.terms)}")
        for term in self.terms:
            _require_in_scope(facts, term)
        instance = instantiate(monomial, self.terms)
        for source, term in zip(instance.sources, self.terms, strict=True):
            if source.operator is not Operator.EVERY and not _is_row_of(facts, term, source):
                raise RefutationError(f"{term!r} is no row of the source of its slot")
        if binder.operator is Operator.EXISTS:
            return disjunction(binder, negation(instance.condition))
        require_finite(binder.arguments[0])
        ends = (binder, instance.head) if binder.parameter == "min" else (instance.head, binder)
        return implies(instance.condition, less_equal(*ends))


def _require_in_scope(facts: Facts, term: Term) -> None:
    """Raises RefutationError unless a term, which may be anybody's, is one over the rows in scope."""
    if not isinstance(term, Term) or not in_scope(facts.rows, term):
        raise RefutationError(f"{term!r} is no term over the {len(facts.rows)} rows in scope")
    require_logical(term, facts.budget)


def _is_row_of(facts: Facts, term: Term, source: Term) -> bool:
    """Whether a term is a row in scope that comes from a source."""
    return term.operator is Operator.ROW and facts.rows[term.parameter[0]] is source  # type: ignore[index]
