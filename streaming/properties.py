"""`for_all_streams(generator)(subject)(formula)`: the temporal universal quantifier (paper, sections 3.1
and 3.2).

As a function, it makes a `Property`; as a decorator of a function that returns a formula, a pytest test:

    for_all_streams(batches.always(tweets, 5))(get_hashtags)(formula).check()

    @for_all_streams(batches.always(tweets, 5), examples=20)(get_hashtags)
    def test_hashtags_are_found():
        return always(at("output", for_each_record(lambda word: word.startswith("#")))).during(5)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st
from tallystick.streaming.decorations import Decorations, decorated_test
from tallystick.streaming.describe import describe
from tallystick.streaming.engines import make_engine
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.errors import (
    FormulaError,
    NoSafeWordLengthError,
    NotProvedError,
    PropertyFailedError,
    WordTooShortError,
)
from tallystick.streaming.every_stream import EveryStream
from tallystick.streaming.letters import INPUT
from tallystick.streaming.logic.formulas import Formula, as_formula
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.pasting import name_among
from tallystick.streaming.report import Report, Settings
from tallystick.streaming.search import Search, database_key
from tallystick.streaming.simplest import simplest
from tallystick.streaming.tables import failure_text


@dataclass(frozen=True)
class Property:
    """A generator, a subject and a formula: for all stream prefixes that are generated, the formula is not
    ⊥."""

    generator: st.SearchStrategy[Any] | Mapping[str, EveryStream]
    subject: Any
    formula: Formula
    settings: Settings = field(default_factory=Settings)

    def run(self, **changes: Any) -> Report:
        """Check the property and return the report, whether it holds or not; `changes` are changed settings.

        With `prove=True`, see `Report.proof`.

        Raises `WordTooShortError` (see `Settings.inconclusive`), `UnsatisfiableFormulaError`,
        `UnknownStreamError`, `CaseTimedOutError`, `EngineUnavailableError`.
        """
        key = database_key(describe(self.subject), str(self.formula), repr(self.generator))
        return self._run(replace(self.settings, **changes), Decorations(key))

    def check(self, **changes: Any) -> Report:
        """Like `run`, but raises `PropertyFailedError`, an AssertionError with a table, if the property fails, and
        `NotProvedError` if a proof was asked for and not found."""
        return _checked(self.run(**changes))

    def check_as(self, test: Any) -> Report:
        """Check the property as the given test function, as Hypothesis's decorators of the function say."""
        key = database_key(test.__module__, test.__qualname__)
        return _checked(self._run(self.settings, Decorations(key, test)))

    def _run(self, settings: Settings, decorations: Decorations) -> Report:
        if isinstance(settings.engine, Engine):
            return self._run_on(settings.engine, settings, decorations)
        with make_engine(settings.engine) as engine:
            return self._run_on(engine, settings, decorations)

    def _run_on(self, engine: Engine, settings: Settings, decorations: Decorations) -> Report:
        start = time.perf_counter()
        report = Report(self.formula, engine.name, decorations.seed(settings), _safe_length(self.formula))
        report.subject, report.name, report.module = self._names()
        report.test = getattr(decorations.function, "__name__", None)

        def refuse_short(case: Case) -> None:
            if settings.inconclusive == "error" and case.length < (report.safe_length or 0):
                raise WordTooShortError(case.length, report.safe_length, _too_short(case.length, report.safe_length))

        if settings.prove:
            self._prove(engine, settings, report)
        if report.proof is None or report.proof.verdict == "unknown":
            cases = self._cases(report.safe_length)
            Search(self.subject, self.formula, engine, settings, report).run(cases, decorations, refuse_short)
        report.seconds = time.perf_counter() - start
        if report.holds and report.runs and settings.inconclusive != "allow":
            self._refuse_inconclusive(report, settings)
        return report

    def _names(self) -> tuple[str, str, str]:
        """Names of the subject and of the formula in the module of the subject's function, and the module."""
        function = getattr(self.subject, "function", self.subject)
        around = getattr(function, "__globals__", {})
        own = getattr(function, "__name__", "")
        subject = name_among(around, self.subject) or (own if own.isidentifier() else "subject")
        return subject, name_among(around, self.formula) or "formula", around.get("__name__", "")

    def _prove(self, engine: Engine, settings: Settings, report: Report) -> None:
        """Fill in the proof, or the case that violates the property, which has been run on the engine."""
        from tallystick.streaming.proving.proving import prove

        if not isinstance(self.generator, Mapping):
            raise FormulaError("prove=True needs to know all records: generate with streams_of(…)")
        proof = prove(self.subject, self.generator, self.formula, engine.batch_interval, settings.prove_seconds)
        if proof.case is not None:
            run = simplest(engine, self.subject, self.formula, proof.case, self.generator, settings.shrink_seconds)
            report.failure, report.found = run, proof.case
            if run is None:
                reason = f"the prefix that was found violates nothing on {engine.name}: {dict(proof.case.inputs)!r}"
                proof = replace(proof, verdict="unknown", reason=reason, case=None)
        report.proof = proof

    def _cases(self, safe_length: int | None) -> st.SearchStrategy[Any]:
        if isinstance(self.generator, Mapping):
            return st.fixed_dictionaries({name: each.prefixes(safe_length) for name, each in self.generator.items()})
        return self.generator

    def _refuse_inconclusive(self, report: Report, settings: Settings) -> None:
        undecided = [run.case.length for run in report.runs if run.kind == "inconclusive"]
        if not undecided or (settings.inconclusive == "count" and len(undecided) < len(report.runs)):
            return
        length = max(undecided)
        which = "every case" if len(undecided) == len(report.runs) else f"{len(undecided)} cases"
        detail = f"{which} of {len(report.runs)} came out as ?: " + _too_short(length, report.safe_length)
        raise WordTooShortError(length, report.safe_length, detail)


@dataclass(frozen=True)
class _Quantified:
    """`for_all_streams(generator)(subject)`: waits for a formula, or for a function that returns one."""

    generator: st.SearchStrategy[Any] | Mapping[str, EveryStream]
    subject: Any
    settings: Settings

    def __call__(self, formula: Any) -> Any:
        """Return the `Property`, or, for a function, a test function that checks the formula it returns."""
        if isinstance(formula, Formula) or not callable(formula):
            return Property(self.generator, self.subject, as_formula(formula), self.settings)

        def check(made: Any, test: Any) -> None:
            Property(self.generator, self.subject, as_formula(made), self.settings).check_as(test)

        return decorated_test(formula, check)


def for_all_streams(
    generator: st.SearchStrategy[Any] | EveryStream | Mapping[str, st.SearchStrategy[Any] | EveryStream],
    settings: Settings | None = None,
    **changes: Any,
) -> Callable[[Any], _Quantified]:
    """Quantify over the stream prefixes of a generator, or of several, by the input stream's name.

    The result is called with the subject: a function from the input streams to an output stream or a dict of
    them, or a `StructuredSubject`. Settings are given as an object, or by keyword, or both. `streams_of(…)` stands for
    all streams of a type, and can be proved about with `prove=True`.
    """
    quantified = _quantified_over(generator)
    chosen = replace(settings or Settings(), **changes)

    def with_subject(subject: Any) -> _Quantified:
        if not callable(subject):
            raise FormulaError(f"for_all_streams(generator) is called with the subject first, not with {subject!r}")
        return _Quantified(quantified, subject, chosen)

    return with_subject


def _quantified_over(generator: Any) -> st.SearchStrategy[Any] | Mapping[str, EveryStream]:
    if isinstance(generator, EveryStream):
        return {INPUT: generator}
    if isinstance(generator, Mapping):
        every = {name: each for name, each in generator.items() if isinstance(each, EveryStream)}
        if len(every) == len(generator):
            return every
        if every:
            raise TypeError(
                f"streams_of is given for {', '.join(every)}, and so it must be for every input, or for none"
            )
        return st.fixed_dictionaries(dict(generator))
    if not isinstance(generator, st.SearchStrategy):
        raise TypeError(f"for_all_streams needs a Hypothesis strategy for stream prefixes, not {generator!r}")
    return generator


def _checked(report: Report) -> Report:
    if not report.holds:
        raise PropertyFailedError(failure_text(report), report)
    if report.proof is not None and report.proof.verdict == "unknown":
        raise NotProvedError(str(report), report)
    return report


def _safe_length(formula: Formula) -> int | None:
    try:
        return safe_word_length(formula)
    except NoSafeWordLengthError:
        return None


def _too_short(length: int, safe_length: int | None) -> str:
    words = f"a generated word has {length} letters, "
    if safe_length is None:
        return words + "too few for a verdict; generate more batches or shorten the timeouts"
    if length >= safe_length:
        return words + f"and the safe word length is {safe_length}: the formula has an operator that stays open"
    return words + f"and the formula needs {safe_length} to be safe; generate more batches or shorten the timeouts"
