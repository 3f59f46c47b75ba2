"""What the elements of a by-key fold's bag are in the buckets of their keys: laws, and at what they are used."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.exports.coq_members import Types, parameter, parameters
from tallystick.core.binders import element_type
from tallystick.core.terms import Term, equal, project
from tallystick.core.types import TupleType
from tallystick.members.bags import member, of_key, values
from tallystick.members.decompose import decompose
from tallystick.members.search import Search
from tallystick.members.theory import Uses


@dataclass(frozen=True, slots=True)
class BucketLaws:
    """The numbers of the laws by which an element of the folded bag is taken into the bucket of its key.

    Attributes:
        link: that the folded bag has the same elements, whatever the key is.
        of_pairs: the first of those about the pairs of a key.
        of_values: the first of those about the values of a key.
    """

    given: tuple[Term, ...]
    link: int
    of_pairs: int
    of_values: int

    def uses(self, key: Term, each: Term, met: int) -> Uses:
        """Instances by which an element with this key is in the key's bucket, and was taken into what that holds."""
        one = (*self.given, key, each)
        return (
            (met, (*self.given, key, project(each, 1))),
            (self.link, one),
            (self.of_pairs + 1, one),
            (self.of_values + 1, one),
        )


def bucket_laws(search: Search, over: Types, fold: Term) -> BucketLaws | None:
    """Adds these laws; None where they are not found."""
    theory, source = search.theory, fold.arguments[2]
    pair: TupleType = element_type(source)  # type: ignore[assignment]
    all_of = (*over, pair.components[0])
    given, each = parameters(all_of), parameter(len(all_of), pair)
    of_pairs = decompose(theory, all_of, of_key(over, source))
    of_values = decompose(theory, all_of, values(over, source))
    here, there = member(theory, over, source), member(theory, all_of, source)
    link = search.induct((*all_of, pair), ((here, (*given[:-1], each)), (there, (*given, each))), equal)
    if of_pairs is None or of_values is None or link is None:
        return None
    return BucketLaws(given[:-1], link, of_pairs, of_values)
