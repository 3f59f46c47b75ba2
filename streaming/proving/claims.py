"""Claims about batches as formulas over symbolic letters."""

from __future__ import annotations

from collections.abc import Mapping

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    conjunction,
    constant,
    disjunction,
    ite,
    less_equal,
    negation,
    substitute,
    variable,
)
from tallystick.streaming.predicates import Number, OneOf
from tallystick.streaming.proving.functions import literal, same, truth_of
from tallystick.streaming.proving.letters import Entry, Letters
from tallystick.streaming.proving.recording import NotUnderstoodError
from tallystick.streaming.proving.shapes import Branch
from tallystick.streaming.proving.violations import AllOf, AnyOf, Claim, Violation, claims_of

Streams = Mapping[str, tuple[Branch, ...]]


class Tests:
    """The tests of claims, each read once, over an arbitrary record of its stream."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._known: dict[tuple[str, Number], tuple[Term, Term]] = {}

    def of(self, claim: Claim, value: Term) -> Term:
        """Whether a record of the claim's stream counts."""
        key = claim.stream, claim.number
        if key not in self._known:
            record = variable("a record that is tested", value.type)
            self._known[key] = record, self._test(claim.number, record)
        record, test = self._known[key]
        return substitute(test, {record: value})

    def branches(self, claim: Claim) -> tuple[Branch, ...]:
        """The branches of the claim's stream."""
        if claim.stream not in self._streams:
            raise NotUnderstoodError(f"the formula names the stream {claim.stream!r}, which is not there")
        return self._streams[claim.stream]

    def _test(self, number: Number, record: Term) -> Term:
        match number.test:
            case None:
                holds = TRUE
            case OneOf(records):
                holds = disjunction(FALSE, *(same(record, literal(each, record.type)) for each in records))  # type: ignore
            case function:
                holds = truth_of(function, record)
        return holds if number.wanted else negation(holds)


def formula_of(violation: Violation, letters: Letters, tests: Tests, known: int) -> Term:
    """When a violation shows in the first `known` letters; of later ones nothing is claimed."""
    claims = [claim for claim in claims_of(violation) if claim.letter <= known]
    entries = {claim: _counted(claim, letters, tests) for claim in claims}  # All sums are made before bounds are.
    terms: dict[Violation, Term] = {claim: _term(claim, entries[claim], letters, tests) for claim in claims}

    def term_of(part: Violation) -> Term:
        if part not in terms:
            match part:
                case Claim():
                    terms[part] = FALSE
                case AllOf(parts):
                    terms[part] = conjunction(TRUE, *map(term_of, parts))
                case AnyOf(parts):
                    terms[part] = disjunction(FALSE, *map(term_of, parts))
        return terms[part]

    return term_of(violation)


def _counted(claim: Claim, letters: Letters, tests: Tests) -> list[Term]:
    """For each record that may be in the batch, whether it is there and counts."""
    found: list[Entry] = [*letters.entries(tests.branches(claim), claim.letter)]
    return [conjunction(entry.there, tests.of(claim, entry.value)) for entry in found]


def _term(claim: Claim, counted: list[Term], letters: Letters, tests: Tests) -> Term:
    if claim.count == 1:
        return disjunction(FALSE, *counted) if claim.at_least else _none(claim, counted, letters, tests)
    number = add(constant(0), constant(0), *(ite(there, constant(1), constant(0)) for there in counted))
    if claim.at_least:
        return less_equal(constant(claim.count), number)
    return less_equal(add(number, constant(0), *_in_rests(claim, letters, tests)), constant(claim.count - 1))


def _in_rests(claim: Claim, letters: Letters, tests: Tests) -> list[Term]:
    """How many records of rests count surely; those of which this is not known are left out."""
    numbers: list[Term] = []
    for branch in tests.branches(claim):
        counts = conjunction(branch.condition, tests.of(claim, branch.value))
        for rest in letters.rests_of(branch, claim.letter):
            if rest.record is not None:
                known = substitute(counts, {branch.source.element: rest.record})
                numbers.append(ite(known, rest.number, constant(0)))
    return numbers


def _none(claim: Claim, counted: list[Term], letters: Letters, tests: Tests) -> Term:
    """No record counts: of the slots, and of the rests, whose sums are bounded by that."""
    parts = [negation(there) for there in counted]
    for branch in tests.branches(claim):
        for rest in letters.rests_of(branch, claim.letter):
            outside = negation(conjunction(branch.condition, tests.of(claim, branch.value)))
            condition = conjunction(letters.where(branch.source), outside)
            parts += [letters.bounds.of_sum(condition, of, rest.number, total) for of, total in rest.sums.items()]
    return conjunction(TRUE, *parts)
