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
    >>> from tallystick.core.pretty import text
    >>> small = build(Operator.FILTER, (less(element(INT), constant(50)), variable("R", BagType(INT))))
    >>> [text(program_term.term) for program_term in program_terms(build(Operator.MAP, (constant(1), small)))]
    ['ite(x_R < 50, 1, ⊥)']
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.definedness import defined, value
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import SLOT_LIMIT, SUMMAND_LIMIT, Degree, is_slot, plain, representative
from tallystick.core.terms import FALSE, TRUE, Operator, Parameter, Term, build, element, free_variables, rebuild
from tallystick.core.types import BagType, BasicType, Type


@dataclass(frozen=True, slots=True)
class ProgramTerm:
    """φ of an expression, or of one of its summands.

    Attributes:
        degree: how many representative variables each input bag has.
        term: the APA+ term over the representative variables and the basic parameters.
    """

    degree: Degree
    term: Term

    @property
    def representative_variables(self) -> frozenset[Term]:
        """RepVarSet (CAV section 4.1); a variable belongs to it even if the term ignores it."""
        return frozenset(representative(bag, index) for bag, count in self.degree for index in range(count))

    @property
    def free_variables(self) -> frozenset[Term]:
        """FV: the representative variables and the basic parameters in the term."""
        basic = (term for term in free_variables(self.term) if not isinstance(term.type, BagType))
        return self.representative_variables.union(term for term in basic if not is_slot(term))


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

    Raises FragmentError for a bag that comes from a by-key fold or from distinct, when a variable has a name that could
    be a representative variable's, and when there are too many summands or representative variables.
    """
    plain(expression)
    if not isinstance(expression.type, BagType):
        return (ProgramTerm((), expression),)
    return _translate(expression, ())


def aggregate_term(fold: Term) -> AggregateTerm:
    """[φ(μ)]_{i,f} of the term fold(i, f)(μ); raises FragmentError for any other term, and like `program_terms`."""
    if fold.operator is not Operator.FOLD:
        raise FragmentError(f"{fold.operator.value} is not a fold")
    initial, udf, bag = fold.arguments
    return AggregateTerm(program_terms(bag), initial, udf)


def _translate(expression: Term, taken: Degree) -> tuple[ProgramTerm, ...]:
    """φ of an expression beside which the representative variables in `taken` stand; its degrees include them."""
    match expression.operator, expression.arguments:
        case Operator.VARIABLE, ():
            return (_representative(expression, dict(taken)),)
        case Operator.MAP, (udf, bag):
            return tuple(ProgramTerm(each.degree, _mapped(udf, each.term)) for each in _translate(bag, taken))
        case Operator.FILTER, (udf, bag):
            return tuple(ProgramTerm(each.degree, _filtered(udf, each.term)) for each in _translate(bag, taken))
        case Operator.CARTESIAN, (left, right):
            summands = tuple(
                ProgramTerm(second.degree, build(Operator.TUPLE, (first.term, second.term)))
                for first in _translate(left, taken)
                for second in _translate(right, first.degree)
            )
        case Operator.UNION, (left, right):
            summands = _translate(left, taken) + _translate(right, taken)
        case operator, _:
            raise FragmentError(
                f"φ is not defined on the bag that {operator.value} returns; put an input bag in its place"
            )
    if len(summands) > SUMMAND_LIMIT:
        raise FragmentError(f"a bag expression has more than {SUMMAND_LIMIT} summands")
    return summands


def _representative(bag: Term, taken: dict[Term, int]) -> ProgramTerm:
    index = taken.get(bag, 0)
    if sum(taken.values()) >= SLOT_LIMIT:
        raise FragmentError(f"a bag expression has more than {SLOT_LIMIT} slots")
    degree = sorted({**taken, bag: index + 1}.items(), key=lambda item: item[0].parameter[0])  # type: ignore[index]
    return ProgramTerm(tuple(degree), representative(bag, index))


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
