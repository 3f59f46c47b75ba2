"""Answers to questions that are lines of JSON: for editors and tools that have many, and do not start anew for each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, TextIO

from tallystick.answers import answer
from tallystick.core.errors import TallystickError
from tallystick.failures import INTERNAL, to_json

LONGEST: Final = 1 << 20
"""Characters of a question."""
KEYS: Final = {
    "id": (str | int, "what the answer repeats"),
    "before": (str, "a query, as text"),
    "after": (str, "the other"),
    "schema": (str | dict, "CREATE TABLE statements, or a dictionary as of a schema in JSON"),
    "dialect": (str, "the dialect of all three"),
    "to": (str, "the dialect of `after`, if it is another"),
    "timeout": (int | float, "seconds for this question, at most those of the command"),
    "certificate": (bool, "whether the answer has the certificate"),
}
"""The keys of a question, with their types and what they say. The texts are needed."""
NEEDED: Final = ("before", "after", "schema")


class QuestionError(TallystickError, ValueError):
    """A line is no question."""


def serve(questions: TextIO, answers: TextIO, dialect: str, seconds: float) -> None:
    """Answers each line with a line, `{"id": …, "answer": …}`, until there are no more.

    Args:
        questions: lines of JSON objects with KEYS. No file is opened: queries and schemas are texts.
        answers: where answers go, in the order of the questions, each as soon as it is there.
        dialect: of questions that name none.
        seconds: for a question at most.
    """
    for line in _lines(questions):
        asked: dict[str, Any] = {}
        try:
            asked = _object(line)
            found = _answered(question(asked), dialect, seconds)
        except TallystickError as error:
            found = {"error": to_json(error, str(error))}
        except Exception as error:  # a defect, which must end neither the other answers nor look like one
            found = {
                "error": {**to_json(error, f"{type(error).__name__}: {error}; please report it"), "code": INTERNAL}
            }
        named = asked.get("id")
        content = {"id": named if isinstance(named, str | int) else None, "answer": answer("check", found)}
        answers.write(json.dumps(content) + "\n")
        answers.flush()


def _object(line: str) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise QuestionError(f"a question has at most {LONGEST} characters")
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise QuestionError("the line is no JSON") from None
    if not isinstance(asked, dict):
        raise QuestionError("a question is a JSON object")
    return asked


def question(asked: dict[str, Any]) -> dict[str, Any]:
    """What is asked, if it is a question. Raises QuestionError."""
    for key, value in asked.items():
        if key not in KEYS:
            raise QuestionError(f"a question has no key {key!r}; it has {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key][0]) or (isinstance(value, bool) and key != "certificate"):
            raise QuestionError(f"{key!r} has a value of another type")
    lacking = [key for key in NEEDED if key not in asked]
    if lacking:
        raise QuestionError(f"the question lacks {', '.join(lacking)}")
    if not asked.get("timeout", 1) > 0:
        raise QuestionError("'timeout' is no positive number of seconds")
    return asked


def _answered(asked: dict[str, Any], dialect: str, seconds: float) -> dict[str, Any]:
    from tallystick.frontends.sql.source import SqlText
    from tallystick.queries.checking import check_sql

    before, after, schema = (SqlText(each, name) if isinstance(each := asked[name], str) else each for name in NEEDED)
    limit = min(seconds, asked.get("timeout", seconds))
    own = asked.get("dialect", dialect)
    read = (own, asked["to"]) if "to" in asked else own
    verdict = check_sql(before, after, schema=schema, dialect=read, timeout=limit)
    certificate = verdict.certificate
    kept = {"certificate": certificate and certificate.decode()} if asked.get("certificate") else {}
    return {**verdict.to_json(), **kept}


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines that are not empty; of one that is too long, its beginning, so that it is refused."""
    while line := stream.readline(LONGEST + 2):
        beginning = line
        while not line.endswith("\n") and (line := stream.readline(LONGEST)):
            pass
        if beginning.strip():
            yield beginning.rstrip("\n")
