"""What a suite asks: pairs of programs, read and ready to be sent to wherever they are decided."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import tallystick.core
from tallystick.certificates.codec import encode
from tallystick.core.errors import SortError, TallystickError
from tallystick.core.pretty import program_text
from tallystick.core.programs import Program, comparable
from tallystick.decision.service.process import MEMORY_MEBIBYTES, claim
from tallystick.experiments.suites import load
from tallystick.frontends.pyspark import aligned
from tallystick.frontends.rdd import read_program

LIBRARIES = {"cvc5": "cvc5", "pyspark": "pyspark", "pysmt": "pysmt", "z3-solver": "z3"}
"""The libraries that may decide or distribute, with their modules."""


@dataclass(frozen=True, slots=True)
class Question:
    """A pair of a suite, as text, so that it can be sent to other processes.

    Attributes:
        suite, pair: its name; a suite has each pair once.
        expected: the known verdict, or None.
        claim: both programs in the certificates' format; None where a program cannot be read.
        problem: why a program cannot be read.
        left, right: the programs as "path.py:function", where they have a source.
        by_source: whether the claim alone does not say what the programs mean: they return means, or fold by two
            functions that must be proved to agree first.
        seed: what the pair was generated from.
    """

    suite: str
    pair: str
    expected: str | None
    claim: str | None = None
    problem: str = ""
    left: str = ""
    right: str = ""
    by_source: bool = False
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How a question is decided.

    Attributes:
        solver: what decides premises first.
        methods: the names of the methods that are tried; None for all.
        timeout: seconds for deciding.
        memory: mebibytes for the process that decides.
    """

    solver: str = "auto"
    methods: tuple[str, ...] | None = None
    timeout: float = 30.0
    memory: int = MEMORY_MEBIBYTES


@dataclass(frozen=True, slots=True)
class Task:
    """A question with the way in which it is to be decided."""

    question: Question
    options: Options

    @property
    def key(self) -> str:
        """What a record of this task is found by: a digest of the programs, the options and the software."""
        question = asdict(self.question)
        del question["left"], question["right"]  # where the programs stand makes no difference
        content = json.dumps([question, asdict(self.options), versions()], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """The versions of Tallystick (with a digest of all its files), of Python and of LIBRARIES: no other software's
    records are taken for its own."""
    digest = hashlib.sha256()
    root = Path(tallystick.core.__file__ or "").parent.parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    own = f"{version('tallystick')}+{digest.hexdigest()[:12]}"
    libraries = {name: version(name) for name in LIBRARIES if find_spec(LIBRARIES[name]) is not None}
    return {"tallystick": own, "python": platform.python_version(), **libraries}


def question_of_programs(
    suite: str, pair: str, expected: str | None, left: Program, right: Program, seed: int | None = None
) -> Question:
    """A question about two comparable core programs, which have no other source than themselves."""
    sources = program_text(left), program_text(right)
    return Question(suite, pair, expected, encode(claim(left, right, sources)).decode(), seed=seed)


def question_of_sources(suite: str, pair: str, expected: str | None, left: str, right: str) -> Question:
    """A question about two PySpark programs, as "path.py:function"; one that cannot be read gives its problem."""
    try:
        before, after = aligned(read_program(left), read_program(right))
        if not comparable(before.program, after.program) or before.returns != after.returns:
            raise SortError(f"the programs cannot be compared: {before.signature} and {after.signature}")
        text = encode(claim(before.program, after.program, (before.source, after.source))).decode()
    except TallystickError as error:
        return Question(suite, pair, expected, None, str(error), left, right)
    by_source = before.returns == "mean" or any(fold.two_functions for fold in (*before.folds, *after.folds))
    return Question(suite, pair, expected, text, "", left, right, by_source)


def questions_of_suite(name: str) -> list[Question]:
    """The questions of one of Tallystick's own suites; raises UnknownSuiteError for an unknown name."""
    return [question_of_sources(name, pair.name, pair.expected, pair.left, pair.right) for pair in load(name)]
