"""Program terms: the paper's translation φ (TR Fig. 6, CAV section 4.1), for reading and teaching.

φ turns a bag expression into a term that records its effect on one arbitrary element of each input bag, the
*representative variable* x_R; the term is ⊥ where the element is filtered out. The kernel reasons with
`core/monomials.py` instead, which keeps "is not ⊥" and the value apart; the tests show that both agree.

    φ(r) = x_r          φ(map(f)(μ)) = f(φ(μ))          φ(cartesian(μ, μ')) = (φ(μ), φ(μ'))
    φ(e) = e            φ(filter(f)(μ)) = ite(f(φ(μ)), φ(μ), ⊥)          φ(fold(i, f)(μ)) = [φ(μ)]_{i,f}

Beyond the paper: an expression with unions has one term a summand, a bag that occurs again gets another
representative variable (x_R, x_R', …), and a UDF that may ignore its element gets a guard, since f(⊥) = ⊥:

    >>> from tallystick.core.terms import Operator, build, constant, element, less, variable
    >>> from tallystick.core.types import INT, BagType
    >>> from tallystick.core.pretty import text, with_named_rows
    >>> small = build(Operator.FILTER, (less(element(INT), constant(50)), variable("R", BagType(INT))))
    >>> [program_term] = program_terms(build(Operator.MAP, (constant(1), small)))
    >>> text(with_named_rows(program_term.term, program_term.sources))
    'ite(x_R < 50, 1, ⊥)'
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.definedness import defined, value
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import SLOT_LIMIT, SUMMAND_LIMIT, name_of, plain, rows_of
from tallystick.core.terms import FALSE, TRUE, Operator, Parameter, Term, build, element, free_variables, rebuild, row
from tallystick.core.types import BagType, BasicType, Type


@dataclass(frozen=True, slots=True)
class ProgramTerm:
    """φ of an expression, or of one of its summands.

    Attributes:
        sources: the input bag of each representative variable, sorted by name, as for monomials.
        term: the APA+ term over the representative variables, which are rows, and the basic parameters.
    """

    sources: tuple[Term, ...]
    term: Term

    @property
    def representative_variables(self) -> frozenset[Term]:
        """RepVarSet (CAV section 4.1); a variable belongs to it even if the term ignores it."""
        return frozenset(rows_of(self.sources))

    @property
    def free_variables(self) -> frozenset[Term]:
        """FV: the representative variables and the basic parameters in the term."""
        return self.representative_variables.union(
            term for term in free_variables(self.term) if not isinstance(term.type, BagType)
        )


@dataclass(frozen=True, slots=True)
class AggregateTerm:
    """[φ(μ)]_{i,f}: the value of a fold, which no first-order term expresses (TR section 3.2).

    Attributes:
        folded: φ(μ), one program term for each summand of μ.
        initial: i.
        udf: f, a term over the accumulator and the element.
    """

    folded: tuple[ProgramTerm, ...]
    initial: Term
    udf: Term


def program_terms(expression: Term) -> tuple[ProgramTerm, ...]:
    """φ of a closed expression; folds inside basic expressions stay, and `aggregate_term` opens them.

    Raises FragmentError for a bag that comes from a by-key fold or from distinct, when it is not plain, and when there
    are too many summands or representative variables.
    """
    plain(expression)
    if not isinstance(expression.type, BagType):
        return (ProgramTerm((), expression),)
    return tuple(map(_sorted, _translate(expression, 0)))


def aggregate_term(fold: Term) -> AggregateTerm:
    """[φ(μ)]_{i,f} of the term fold(i, f)(μ); raises FragmentError for any other term, and like `program_terms`."""
    if fold.operator is not Operator.FOLD:
        raise FragmentError(f"{fold.operator.value} is not a fold")
    initial, udf, bag = fold.arguments
    return AggregateTerm(program_terms(bag), initial, udf)


def _sorted(program_term: ProgramTerm) -> ProgramTerm:
    """The program term with its sources in order."""
    bags, slots = program_term.sources, rows_of(program_term.sources)
    order = sorted(range(len(bags)), key=lambda slot: name_of(bags[slot]))
    sources = tuple(bags[slot] for slot in order)
    placed = dict(zip((slots[slot] for slot in order), rows_of(sources), strict=True))
    return ProgramTerm(sources, rebuild(program_term.term, placed, inside=True, make=build))


def _translate(expression: Term, first: int) -> tuple[ProgramTerm, ...]:
    """φ of an expression over the rows from number `first` on, in the order of their occurrence."""
    match expression.operator, expression.arguments:
        case Operator.VARIABLE, () if isinstance(expression.type, BagType):
            if first >= SLOT_LIMIT:
                raise FragmentError(f"a bag expression has more than {SLOT_LIMIT} slots")
            return (ProgramTerm((expression,), row(first, expression.type.element)),)
        case Operator.MAP, (udf, bag):
            return tuple(ProgramTerm(each.sources, _mapped(udf, each.term)) for each in _translate(bag, first))
        case Operator.FILTER, (udf, bag):
            return tuple(ProgramTerm(each.sources, _filtered(udf, each.term)) for each in _translate(bag, first))
        case Operator.CARTESIAN, (left, right):
            summands = tuple(
                ProgramTerm(one.sources + other.sources, build(Operator.TUPLE, (one.term, other.term)))
                for one in _translate(left, first)
                for other in _translate(right, first + len(one.sources))
            )
        case Operator.UNION, (left, right):
            summands = _translate(left, first) + _translate(right, first)
        case operator, _:
            raise FragmentError(
                f"φ is not defined on the bag that {operator.value} returns; put an input bag in its place"
            )
    if len(summands) > SUMMAND_LIMIT:
        raise FragmentError(f"a bag expression has more than {SUMMAND_LIMIT} summands")
    return summands


def _mapped(udf: Term, argument: Term) -> Term:
    exists = defined(argument)
    if exists is TRUE or is_strict(udf, argument.type):  # type: ignore[arg-type]
        return _applied(udf, argument)
    return build(Operator.ITE, (exists, _applied(udf, value(argument)), _missing(udf.type)))


def _filtered(udf: Term, argument: Term) -> Term:
    return build(Operator.ITE, (_applied(udf, argument), argument, _missing(argument.type)))


def is_strict(udf: Term, of: BasicType) -> bool:
    """Whether the body of a UDF on elements of type `of` is ⊥ when its element is: f(⊥) = ⊥ without a guard."""
    return defined(_applied(udf, _missing(of))) is FALSE


def _applied(udf: Term, argument: Term) -> Term:
    """The body with `argument` for its element."""
    return rebuild(udf, {element(argument.type): argument}, make=_make)  # type: ignore[arg-type]


def _make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
    """Like `build`, as simplifying could drop ⊥; but a component of a tuple that is sure to exist is that component."""
    term = build(operator, arguments, parameter)
    projected = operator is Operator.PROJECTION and arguments[0].operator is Operator.TUPLE
    return value(term) if projected and defined(term) is TRUE else term


def _missing(of: Type) -> Term:
    return build(Operator.BOTTOM, (), of)  # type: ignore[arg-type]
