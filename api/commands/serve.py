"""`tallystick serve`: answers questions about queries, one a line."""

from __future__ import annotations

import sys
from io import TextIOWrapper

import click
from tallystick.commands.options import DIALECT, timeout


@click.command()
@DIALECT
@timeout("a question")
def serve(dialect: str, timeout: float) -> None:
    """Answer questions about queries, one a line of standard input: for editors, and for many pairs.

    A question is a JSON object with the texts "before", "after" and "schema", and perhaps "dialect", "timeout", an "id"
    that the answer repeats, and "certificate": true. The answer is {"id": …, "answer": …}, as `check --json` has it. No
    file is read, and no query is run. Ends with its input.
    """
    from tallystick.serving import serve as answer_all

    questions = sys.stdin
    if isinstance(questions, TextIOWrapper):
        questions.reconfigure(encoding="utf-8", errors="backslashreplace")  # what is no UTF-8 is no question
    answer_all(questions, sys.stdout, dialect, timeout)
