"""Laws about the elements of a bag, by those of the bags that it is made of (`coq/Decompose.v`)."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.certificates.exports.coq_members import Elements, Law, Types, parameter, parameters
from tallystick.core.binders import element_type
from tallystick.core.operators import Operator
from tallystick.core.terms import (
    Term,
    apply,
    build,
    conjunction,
    disjunction,
    equal,
    implies,
    negation,
    project,
    tuple_of,
)
from tallystick.members.bags import bucket, chooser, has_key, member
from tallystick.members.theory import Theory


def decompose(theory: Theory, over: Types, bag: Term) -> int | None:
    """Adds the laws about the elements of a bag, and the functions that they mention; the number of the first law.

    The first says what an element is made of, the second what makes one. None for an input, of which nothing is known.
    """
    found = [*_laws(theory, over, bag)]
    first = theory.add(Elements(over, bag), *found)
    return first if found else None


def _laws(theory: Theory, over: Types, bag: Term) -> Iterator[Law]:
    of, arguments, given = element_type(bag), bag.arguments, parameters(over)
    own, item = member(theory, over, bag), parameter(len(over), of)
    inside = own(*given, item)

    def both_ways(known: Term) -> Iterator[Law]:
        yield Law((*over, of), implies(inside, known))
        yield Law((*over, of), implies(known, inside))

    def there(source: Term, one: Term) -> Term:
        return member(theory, over, source)(*given, one)

    match bag.operator:
        case Operator.MAP:
            udf, source = arguments
            each = parameter(len(over), element_type(source))
            other = there(source, each)
            chosen = chooser(theory, (*over, of), build(Operator.EQUAL, (udf, item)), source)(*given, item)
            made_of = conjunction(there(source, chosen), equal(apply(udf, chosen), item))
            yield Law((*over, of), implies(inside, made_of))
            yield Law((*over, element_type(source)), implies(other, own(*given, apply(udf, each))))
        case Operator.FILTER:
            yield from both_ways(conjunction(there(arguments[1], item), apply(arguments[0], item)))
        case Operator.CARTESIAN:
            types = tuple(map(element_type, arguments))
            pair = parameters(types, len(over))
            parts = (there(source, project(item, place)) for place, source in enumerate(arguments))
            yield Law((*over, of), implies(inside, conjunction(*parts)))
            both = conjunction(*map(there, arguments, pair))
            yield Law((*over, *types), implies(both, own(*given, tuple_of(*pair))))
        case Operator.UNION:
            yield from both_ways(disjunction(*(there(each, item) for each in arguments)))
        case Operator.DISTINCT:
            yield from both_ways(there(arguments[0], item))
        case Operator.WITHOUT:
            udf, source, taken = arguments
            gone = there(taken, apply(udf, item))
            yield from both_ways(conjunction(there(source, item), negation(gone)))
        case Operator.FOLD_BY_KEY:
            source, pair = arguments[2], element_type(arguments[2])
            each, key = parameter(len(over), pair), project(item, 0)
            other, value = member(theory, over, source), bucket(theory, over, bag)
            chosen = chooser(theory, (*over, key.type), has_key(over, source), source)(*given, key)  # type: ignore[arg-type]
            found = conjunction(other(*given, chosen), equal(project(chosen, 0), key))
            yield Law((*over, of), implies(inside, conjunction(equal(project(item, 1), value(*given, key)), found)))
            made = tuple_of(project(each, 0), value(*given, project(each, 0)))
            yield Law((*over, pair), implies(other(*given, each), own(*given, made)))
        case _:
            return
