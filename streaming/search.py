"""Looking for a case that refutes a property, with Hypothesis: it generates, shrinks, and replays what failed before.

On Spark many cases run side by side, while Hypothesis asks for one after the other. So the cases are generated once
beforehand from the same seed and run together; when Hypothesis comes to generate them, their letters are there, and
the formula is evaluated on these, in Hypothesis's own context, so that `note`, `event` and `target` work.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import hypothesis
from hypothesis import Phase
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable
from tallystick.streaming.decorations import Decorations, shrinking_for, silent_settings, without_notes
from tallystick.streaming.engines.base import Case, Engine
from tallystick.streaming.errors import UnsatisfiableFormulaError
from tallystick.streaming.evaluation import CaseRun, as_case, evaluated_again, run_cases
from tallystick.streaming.logic.formulas import Formula
from tallystick.streaming.report import Report, Settings
from tallystick.streaming.shrinking import Choices, choices_so_far, simplified

#: How many cases are tried after Hypothesis has made one simple: where they are run in no time, and elsewhere.
_MORE_TRIES, _FEW_TRIES = 300, 10
_WHAT_WE_SHOW_OURSELVES = ("Falsifying", "Failing test case", "Failing explicit example", "You can reproduce this")


class CaseFailedError(Exception):
    """A case failed. Each way of failing is a class of its own, so that Hypothesis does not mix them when it
    shrinks."""

    def __init__(self, run: CaseRun) -> None:
        self.run = run
        super().__init__("a case failed")


class Search:
    """The search for a failing case of one property on one engine."""

    def __init__(self, subject: Any, formula: Formula, engine: Engine, settings: Settings, report: Report) -> None:
        self._subject = subject
        self._formula = formula
        self._engine = engine
        self._settings = settings
        self._report = report
        self._known: dict[bytes, CaseRun] = {}
        self._failing: list[CaseRun] = []
        #: The choices of the strategy for the last case that failed, by its run.
        self._choices: dict[int, Choices] = {}
        self._ways: dict[tuple[str, str], type[CaseFailedError]] = {}
        #: An engine that is faster by far, once it has been seen that the case fails there too.
        self._quick: Engine | None = None
        self._quick_is_wanted = True

    def run(self, generator: st.SearchStrategy[Any], decorations: Decorations, check: Callable[[Case], None]) -> None:
        """Fill the report. `check` refuses a case before it is run.

        Raises `UnsatisfiableFormulaError` if the generator cannot make any case.
        """
        self._check = check
        options = decorations.settings(self._settings)
        if self._engine.side_by_side > 1 and Phase.generate in options.phases:
            self._run_side_by_side(generate_cases(generator, options.max_examples, self._report.seed))
        self._explore(generator, options, decorations)
        if self._quick is not None and self._report.failure is not None:
            self._confirm(generator, options, decorations)

    def _explore(
        self, generator: st.SearchStrategy[Any], options: hypothesis.settings, decorations: Decorations
    ) -> None:
        test = _hypothesis_test(generator, self._visit, options, self._report.seed)
        decorations.apply(test, keep_examples=self._settings.seed is None)
        stopped: list[str] = []
        seconds = self._settings.shrink_seconds
        said = f"The case was shrunk for {seconds:g} s, and may not be the smallest."
        try:
            with shrinking_for(seconds, lambda: stopped.append(said)):
                test()
        except CaseFailedError as failed:
            self._report.failure = failed.run
            self._report.notes = stopped + _notes(failed)
            if Phase.shrink in options.phases and not stopped:
                self._simplify(generator, failed.run)
        except Flaky:
            # The case did not fail again: the program does not do the same twice.
            self._report.failure = self._failing[-1]
            self._report.notes = ["The case did not fail each time: the program may not always do the same."]
        except Unsatisfiable as error:
            raise UnsatisfiableFormulaError(generator, "those tried") from error

    def _simplify(self, generator: st.SearchStrategy[Any], run: CaseRun) -> None:
        """Make the case simpler still, where that is quick; its notes are made anew."""
        engine = self._quick or self._engine
        choices = self._choices.get(id(run))
        if choices is None:
            return

        def fails(case: Case) -> CaseRun | None:
            again = without_notes(lambda: self._run_one(case, engine))
            return again if again.way_of_failing == run.way_of_failing else None

        tries = _MORE_TRIES if engine.is_quick else _FEW_TRIES
        simpler = simplified(generator, choices, fails, tries, self._settings.shrink_seconds)
        if simpler is None:
            return
        self._report.failure = simpler
        if self._report.notes:
            try:
                _with_one_example(simpler.case, lambda case: self._raise(case, engine))()
            except CaseFailedError as failed:
                self._report.notes = _notes(failed)

    def _raise(self, case: Case, engine: Engine) -> None:
        run = self._run_one(case, engine)
        if run.failed:
            raise CaseFailedError(run)

    def _confirm(
        self, generator: st.SearchStrategy[Any], options: hypothesis.settings, decorations: Decorations
    ) -> None:
        """Run the case that was shrunk on the quick engine where it was found; if it passes there, shrink there."""
        assert self._report.failure is not None
        confirmed = self._run_one(self._report.failure.case, self._engine)
        self._quick = None
        if confirmed.way_of_failing == self._report.failure.way_of_failing:
            self._report.failure = confirmed
            return
        self._failing.clear()
        self._known.clear()
        self._report.failure = None
        self._report.runs.clear()
        self._quick_is_wanted = False
        self._explore(generator, options, decorations)

    def _run_side_by_side(self, cases: Sequence[Case]) -> None:
        """Run the cases group by group, up to the first group with a failure."""
        group = self._settings.side_by_side or self._engine.side_by_side
        for first in range(0, len(cases), group):
            together = cases[first : first + group]
            for case in together:
                self._check(case)
            limit = self._settings.deadline
            runs = without_notes(
                lambda together=together, limit=limit: run_cases(
                    self._engine, self._subject, self._formula, together, limit and limit * len(together)
                )
            )
            for case, run in zip(together, runs, strict=True):
                self._remember(case, run)
            if any(run.failed for run in runs):
                return

    def _visit(self, value: Any) -> None:
        """Hypothesis's test function: raise if the case fails."""
        case = as_case(value)
        self._check(case)
        known = self._recalled(case)
        run = evaluated_again(known, self._formula) if known else self._run_one(case, self._quick or self._engine)
        if not self._failing:
            self._report.runs.append(run)
            hypothesis.event(f"the case {'is ' if run.kind != 'predicate raised' else ''}{run.kind}")
        if not run.failed:
            return
        if not self._failing:
            self._first_failure(case, run)
        self._failing.append(run)
        self._choices = {id(run): choices_so_far()}
        self._remember(case, run)
        raise self._way_of(run)(run)

    def _first_failure(self, case: Case, run: CaseRun) -> None:
        self._report.found = case
        quick = self._engine.quick_engine() if self._quick_is_wanted else None
        if quick is not None and self._run_one(case, quick).way_of_failing == run.way_of_failing:
            self._quick = quick

    def _run_one(self, case: Case, engine: Engine) -> CaseRun:
        return run_cases(engine, self._subject, self._formula, [case], self._settings.deadline)[0]

    def _way_of(self, run: CaseRun) -> type[CaseFailedError]:
        way = run.way_of_failing
        if way not in self._ways:
            self._ways[way] = type(f"CaseFailedError_{len(self._ways)}", (CaseFailedError,), {})
        return self._ways[way]

    def _remember(self, case: Case, run: CaseRun) -> None:
        key = _key(case)
        if key is not None:
            self._known[key] = run

    def _recalled(self, case: Case) -> CaseRun | None:
        key = _key(case) if self._known else None
        return None if key is None else self._known.get(key)


def _notes(failed: CaseFailedError) -> list[str]:
    """Return what predicates have noted of a case."""
    notes = getattr(failed, "__notes__", ())
    return [note for note in notes if not note.lstrip().startswith(_WHAT_WE_SHOW_OURSELVES)]


def _with_one_example(example: Case, visit: Callable[[Case], None]) -> Any:
    """A test that visits one case."""

    def case_of_a_property(case: Case) -> None:
        visit(case)

    options = hypothesis.settings(phases=[Phase.explicit], database=None, deadline=None)
    return options(hypothesis.example(case=example)(hypothesis.given(case=st.none())(case_of_a_property)))


def generate_cases(generator: st.SearchStrategy[Any], examples: int, seed: int) -> list[Case]:
    """Return up to `examples` cases; fewer if the generator cannot make so many different ones.

    Raises `UnsatisfiableFormulaError` if it cannot make any.
    """
    cases: list[Case] = []
    options = silent_settings(examples)
    try:
        _hypothesis_test(generator, lambda value: cases.append(as_case(value)), options, seed)()
    except Unsatisfiable as error:
        raise UnsatisfiableFormulaError(generator, "those tried") from error
    return cases


def database_key(*parts: Any) -> bytes:
    """Return the key under which Hypothesis's database keeps the failing cases of a property."""
    return hashlib.sha256(repr(parts).encode()).digest()


def _hypothesis_test(
    generator: st.SearchStrategy[Any], visit: Callable[[Any], Any], options: hypothesis.settings, seed: int
) -> Any:
    def case_of_a_property(case: Any) -> None:
        visit(case)

    # The settings come last: `seed` alone would leave the database of examples out.
    return options(hypothesis.seed(seed)(hypothesis.given(case=generator)(case_of_a_property)))


def _key(case: Case) -> bytes | None:
    """Return what is the same for cases with the same records, or None for records that cannot be pickled."""
    text = io.BytesIO()
    pickler = pickle.Pickler(text)
    pickler.fast = True  # It does not matter which of two equal records are one object.
    try:
        pickler.dump(sorted(case.inputs.items()))
    except Exception:
        return None
    return text.getvalue()
