"""From the texts of a page to an answer: the verdict, its explanation, its certificate, and the audit of that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tallystick.answers import answer
from tallystick.core.errors import TallystickError
from tallystick.failures import to_json

QUERY_SECONDS: Final = 8.0
"""For deciding two queries, of `core.clock`."""
FUNCTION_SECONDS: Final = 15.0
"""For deciding two functions, on the wall."""
QUERIES, FUNCTIONS = "queries", "functions"


def answered(asked: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The answer to what a page asks.

    Args:
        asked: the kind, QUERIES or FUNCTIONS, and the texts "before" and "after"; of queries "schema" and "dialect".
        folder: an empty one, where the texts of functions are written for their reader.

    Returns `answers.answer`, and beside it the text, the explanation in HTML, the certificate and its audit; of a text
    that is not understood the error.
    """
    try:
        texts = {name: str(asked.get(name, "")) for name in ("before", "after", "schema", "dialect")}
        verdict, document = (_queries if asked.get("kind") == QUERIES else _functions)(texts, folder)
    except TallystickError as error:
        message = str(error).replace(f"{folder}/", "")
        found = {**to_json(error, message), "path": Path(getattr(error, "path", "") or "").name or None}
        return {"answer": answer("check", {"error": found}), "text": message}
    from tallystick.certificates.audit import audit
    from tallystick.explaining.html_format import fragment

    made = verdict.certificate
    return {
        "answer": answer("check", verdict.to_json()),
        "text": str(verdict),
        "explanation": fragment(document),
        "certificate": None if made is None else made.decode(),
        "audit": None if made is None else str(audit(made)),
    }


def _queries(texts: Mapping[str, str], folder: Path) -> tuple[Any, Any]:
    from tallystick.explaining.queries import walkthrough
    from tallystick.frontends.sql.source import SqlText
    from tallystick.queries.checking import check_sql

    before, after, schema = (SqlText(texts[name], name) for name in ("before", "after", "schema"))
    verdict = check_sql(before, after, schema=schema, dialect=texts["dialect"], timeout=QUERY_SECONDS, suggest=True)
    return verdict, walkthrough(verdict)


def _functions(texts: Mapping[str, str], folder: Path) -> tuple[Any, Any]:
    from tallystick.checking import check
    from tallystick.explaining import explained

    before, after = (_function(folder / f"{name}.py", texts[name]) for name in ("before", "after"))
    verdict = check(before, after, timeout=FUNCTION_SECONDS)
    return verdict, explained(before, after, verdict)


def _function(path: Path, text: str) -> str:
    """The reference to the first function of a text that has an RDD. Raises SourceError where there is none."""
    from tallystick.frontends.errors import SourceError
    from tallystick.frontends.pyspark import programs_in

    path.write_text(text, encoding="utf-8", errors="backslashreplace")
    found = programs_in(str(path))
    if not found:
        raise SourceError("there is no function with a parameter that is annotated as an RDD", path.name)
    return found[0]
