"""Is a formula true of all streams? A proof, a shortest prefix that violates it, or neither."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tallystick.certificates.refutation import check
from tallystick.certificates.search.answers import Countermodel, GaveUp, SearchLimits
from tallystick.certificates.search.tableau import search
from tallystick.core.answers import Invalid, Model, NoAnswer, Valid
from tallystick.core.clock import clock
from tallystick.core.errors import RefutationError
from tallystick.core.interpreter import evaluate
from tallystick.core.presburger.limits import Limits
from tallystick.core.terms import (
    TRUE,
    Term,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
)
from tallystick.core.types import default_value
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.streaming.engines.base import Case, apply_subject
from tallystick.streaming.engines.structured.subject import StructuredSubject
from tallystick.streaming.errors import NoSafeWordLengthError, SubjectFailedError
from tallystick.streaming.every_stream import EveryStream
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.predicates import Number, OneOf
from tallystick.streaming.proof import Proof
from tallystick.streaming.proving.claims import Tests, formula_of
from tallystick.streaming.proving.functions import is_valid, literal, plain_value, truth_of, type_of_records
from tallystick.streaming.proving.keys import key_of_record, keys_of
from tallystick.streaming.proving.letters import Letters
from tallystick.streaming.proving.recording import Input, NotUnderstoodError, RecordedStream
from tallystick.streaming.proving.shapes import Branch, Program, Shapes
from tallystick.streaming.proving.texts import answer, without_texts
from tallystick.streaming.proving.violations import Claim, Unrolling, Violation, claims_of, shown, ways, witnesses

ASSUMPTIONS = (
    "the subject sets up the same streams each time it is called, on every engine",
    "the names that its functions use from around them keep their values",
)
#: Slots of symbolic letters; with more, a proof is not tried.
MOST_SLOTS = 2_000
#: Seconds for the first round of looking for a violation and for a proof; each further round takes twice as long.
FIRST_BUDGET = 1.0
#: Records that a key may have in a batch beyond witnesses, in the search for a violation of a program with sums.
MORE_RECORDS = 2


@dataclass(frozen=True)
class _Question:
    """A program and what it takes for a formula to be false of it, as terms."""

    shapes: Program
    tests: Tests
    where: dict[str, Term]
    violation: Violation
    letters: int

    def parts(self) -> list[_Question]:
        """Questions of which each has to be answered with no, if this one has."""
        return [self._about(part) for part in ways(self.violation, self.is_keyed_apart)]

    @cached_property
    def is_keyed_apart(self) -> bool:
        """Whether the program brings records together by several keys; each way is looked at by itself then."""
        try:
            keys_of(self.shapes)
        except NotUnderstoodError:
            return True
        return False

    def _about(self, violation: Violation) -> _Question:
        """The question for one way in which the formula may be false: with those reductions that it speaks of."""
        branches = [branch for claim in claims_of(violation) for branch in self.tests.branches(claim)]
        return replace(self, violation=violation, shapes=self.shapes.part_for(branches))

    @cached_property
    def keys(self) -> int:
        """How many keys the witnesses of a violation have at most: those of records that claims name, and of others."""
        keys, named = keys_of(self.shapes), set[Term]()

        def others(claim: Claim) -> int:
            branches = self.tests.branches(claim)
            if all(each.source.is_input and each.source.name not in keys for each in branches):
                return 0
            match claim.number:
                case Number(OneOf((record,)), True):
                    key = key_of_record(keys, branches, literal(record, basic_type(branches[0].value)))
                    if key is not None:
                        named.add(key)
                        return 0
            return claim.count

        return witnesses(self.violation, others) + len(named)

    def symbolic(self, more: int = 0) -> Letters:
        """New symbolic letters, with more slots than the witnesses need."""
        slots = {name: self._witnesses(name) + more for name in self.shapes.inputs}
        alike = more == 0 and all(claim.count == 1 for claim in claims_of(self.violation))
        return Letters(self.shapes, self.where, max(self.keys, 1), slots, alike)

    def _witnesses(self, name: str) -> int:
        """How many records of an input may be witnesses themselves."""

        def weight(claim: Claim) -> int:
            return claim.count if any(each.source.name == name for each in self.tests.branches(claim)) else 0

        return witnesses(self.violation, weight)

    def claim(self) -> tuple[Letters, Term]:
        """That nothing violates the formula, over symbolic letters."""
        letters = self.symbolic()
        false = formula_of(self.violation, letters, self.tests, self.letters)
        return letters, negation(conjunction(*letters.premises, false))


def prove(
    subject: Callable[..., Any],
    streams: Mapping[str, EveryStream],
    formula: Formula,
    interval: int = 1,
    seconds: float = 30.0,
) -> Proof:
    """Decide whether the formula is true of the program on all streams; what is not understood is "unknown".

    Args:
        subject: a program with DStreams, of batches of `interval` seconds.
        streams: by name, what each input may be.
        seconds: how long to try.
    """
    start = clock()
    about = tuple(f"{name}: {of}" for name, of in streams.items())

    def proof(verdict: Any, reason: str, **more: Any) -> Proof:
        return Proof(verdict, reason, about, seconds=clock() - start, **more)

    try:
        question = _question(subject, streams, formula, interval)
        return _decided(question, start + seconds, proof)
    except NotUnderstoodError as problem:
        return proof("unknown", str(problem))
    except NoSafeWordLengthError as problem:
        return proof("unknown", str(problem))
    except RecursionError:
        return proof("unknown", "the formula or the program is nested too deeply")


def _question(
    subject: Callable[..., Any], streams: Mapping[str, EveryStream], formula: Formula, interval: int
) -> _Question:
    if isinstance(subject, StructuredSubject):
        raise NotUnderstoodError("the program is one of Structured Streaming; proofs are about programs with DStreams")
    types = {name: type_of_records(of.records) for name, of in streams.items()}
    shapes = Shapes(types)
    recorded = {name: RecordedStream(Input(name), interval) for name in streams}
    try:
        outputs = apply_subject(subject, recorded)
    except SubjectFailedError as problem:
        raise NotUnderstoodError(str(problem)) from problem
    branches: dict[str, tuple[Branch, ...]] = {name: shapes.of(Input(name)) for name in streams}
    branches |= {name: shapes.of(stream.node) for name, stream in outputs.items()}
    branches |= {name: (Branch(source, 0, TRUE, source.element),) for name, source in shapes.inputs.items()}
    where = {
        name: truth_of(of.where, shapes.inputs[name].element) for name, of in streams.items() if of.where is not None
    }
    length = safe_word_length(formula)
    violation = Unrolling().when(formula, 1, False)
    tests = Tests(branches)

    return _Question(shapes.program, tests, where, violation, length)


def _decided(question: _Question, end: float, proof: Callable[..., Proof]) -> Proof:
    """Look for a violation and for a proof in turns, each time for longer."""
    for part in question.parts():
        letters, _ = part.claim()
        number = sum(map(len, letters.slots.values()))
        if number > MOST_SLOTS:
            return proof("unknown", f"a stream may need {number} records to violate it, more than {MOST_SLOTS}")
    hunt = _Hunt(question)
    parts, evidence, reason = question.parts(), list[bool](), "the time was up"
    open_parts = list(parts)
    budget, keys = FIRST_BUDGET, 0
    while clock() < end:
        case = hunt.found_before(min(clock() + budget, end))
        if case is not None:
            which = "a shortest prefix" if hunt.is_complete else "a prefix"
            found = f"{which} on which the formula is false has {case.length} batch{'es' * (case.length > 1)}"
            return proof("violated", found, case=case, letters=question.letters)
        limit = min(clock() + budget, end)
        is_bounded = False
        while open_parts and clock() < limit:
            letters, claim = open_parts[0].claim()
            found = answer(claim, Limits(deadline=limit))
            if isinstance(found, NoAnswer):
                reason = found.reason
                break
            if isinstance(found, Invalid):
                is_bounded = True
                break
            if not isinstance(answer(negation(conjunction(*letters.premises)), Limits(deadline=end)), Invalid):
                return proof("unknown", "it is not known that there are streams of this kind at all")
            evidence.append(_has_tree(claim, end))
            keys = max(keys, len(letters.keys) or open_parts[0].keys)
            del open_parts[0]
        if not open_parts:
            shape = {"letters": question.letters, "keys": keys}
            return proof("holds", _evidence(evidence) + _vacuity(question), assumptions=ASSUMPTIONS, **shape)
        if is_bounded and hunt.is_over:
            reason = "sums over any number of records are known within bounds only, and these do not do"
            break
        budget *= 2
    return proof("unknown", reason + _step(open_parts, len(parts)))


def _step(open_parts: list[_Question], total: int) -> str:
    """At which step a proof has failed: the first way in which the formula may be false that is not excluded."""
    done = f"{total - len(open_parts)} of {total} ways in which the formula may be false are excluded"
    return f"; {done}, and this one is not: {shown(open_parts[0].violation)}"


def _evidence(trees: list[bool]) -> str:
    """What a proof rests on."""
    if all(trees):
        return "by refutation trees that the checker of certificates accepts"
    return "by the search of Presburger arithmetic"


def _vacuity(question: _Question) -> str:
    """What is said of inputs that can have no record, of which much holds."""
    empty = [name for name, condition in question.where.items() if is_valid(negation(condition))]
    return "".join(f"; no record of {name} is possible, so that all its batches are empty" for name in empty)


def _has_tree(claim: Term, end: float) -> bool:
    """Whether a formula has a refutation tree that the auditor's checker accepts."""
    claim = without_texts(claim)
    found = search(claim, SearchLimits(seconds=max(end - clock(), 0.1)))
    if isinstance(found, GaveUp | Countermodel):
        return False
    try:
        check(claim, found)
    except RefutationError:
        return False
    return True


class _Hunt:
    """The search for a shortest prefix that violates the formula, letter by letter.

    It is complete as long as each shorter prefix is known not to violate it.
    """

    def __init__(self, question: _Question) -> None:
        self._question = question
        self._questions = question.parts() if question.is_keyed_apart else [question]
        self._next = 1
        self.is_complete = True

    @property
    def is_over(self) -> bool:
        """Whether prefixes of all lengths were looked at."""
        return self._next > self._question.letters

    def found_before(self, end: float) -> Case | None:
        """Return the prefix if it is found before some time; go on where the search was stopped."""
        while self._next <= self._question.letters and clock() < end:
            for question in self._questions:
                letters, goal = self._goal(question, self._next)
                found = answer(negation(goal), Limits(deadline=end))
                if isinstance(found, Invalid):
                    return _case(letters, found.model, question, self._next)
                if isinstance(found, NoAnswer) and clock() > end:
                    return None
                if not isinstance(found, Valid) or letters.rests:
                    any_number = self._any_number(question, self._next)
                    self.is_complete &= isinstance(answer(any_number, Limits(deadline=end)), Valid)
            self._next += 1
        return None

    def _any_number(self, question: _Question, known: int) -> Term:
        """That no prefix of a length violates the formula, however many records it has."""
        return replace(question, letters=known).claim()[1]

    def _goal(self, question: _Question, known: int) -> tuple[Letters, Term]:
        """Letters without rests, and what it takes for them to violate the formula."""
        letters = question.symbolic()
        false = formula_of(question.violation, letters, question.tests, known)
        if letters.rests:
            letters = question.symbolic(MORE_RECORDS)
            false = formula_of(question.violation, letters, question.tests, known)
        nothing = (equal(rest.number, constant(0)) for rest in letters.rests)
        return letters, conjunction(*letters.premises, false, *nothing)


def _value(term: Term, model: Model) -> Any:
    missing = {each: default_value(each.type) for each in free_variables(term) - model.keys()}  # type: ignore[arg-type]
    return plain_value(evaluate(term, {**model, **missing}), term.type)  # type: ignore[arg-type]


def _case(letters: Letters, model: Model, question: _Question, known: int) -> Case:
    inputs: dict[str, list[list[Any]]] = {name: [[] for _ in range(known)] for name in question.shapes.inputs}
    for (name, _, at), slots in sorted(letters.slots.items(), key=lambda item: item[0]):
        inputs[name][at - 1] += [_value(slot.record, model) for slot in slots if _value(slot.there, model)]
    return Case({name: tuple(map(tuple, batches)) for name, batches in inputs.items()})
