"""`tallystick serve`: a line for each question, whatever it asks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import StringIO
from typing import Any

import jsonschema
import pytest
from tallystick import answers, serving
from tallystick.certificates.audit import audit
from tallystick.serving import LONGEST, serve

SCHEMA = "CREATE TABLE t (a INT)"
PAIR = {"before": "SELECT a FROM t WHERE a > 1", "after": "SELECT a FROM t WHERE a >= 2", "schema": SCHEMA}


def said(*questions: Any, seconds: float = 5.0) -> list[dict[str, Any]]:
    lines = (each if isinstance(each, str) else json.dumps(each) for each in questions)
    answers = StringIO()
    serve(StringIO("".join(f"{line}\n" for line in lines)), answers, "spark", seconds)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_questions_are_answered_in_their_order_in_the_shape_of_all_answers() -> None:
    other = {**PAIR, "after": "SELECT a FROM t", "id": "b"}
    found = said({**PAIR, "id": 7}, "", other, {**PAIR, "schema": {"tables": {"t": {"columns": [["a", "INT"]]}}}})
    assert [each["id"] for each in found] == [7, "b", None]
    assert [each["answer"]["verdict"] for each in found][:2] == ["equivalent", "inequivalent"]
    assert found[1]["answer"]["witness"]["inputs"][0]["rows"] == [[None]]
    for each in found:
        jsonschema.validate(each["answer"], answers.schema("check"))


def test_a_certificate_is_in_the_answer_where_it_is_asked_for() -> None:
    (found, without) = said({**PAIR, "certificate": True}, PAIR)
    assert audit(found["answer"]["certificate"].encode()).accepted
    assert "certificate" not in without["answer"]


def test_the_dialect_of_a_question_goes_before_that_of_the_command() -> None:
    division = {"before": "SELECT a / 2 FROM t", "after": "SELECT a DIV 2 FROM t", "schema": SCHEMA}
    (spark, mysql) = said(division, {**division, "dialect": "mysql"})
    assert (spark["answer"]["dialect"], mysql["answer"]["dialect"]) == ("spark", "mysql")


WRONG = {
    "the line is no JSON": "{",
    "a question is a JSON object": "[1]",
    "a question has no key 'befor'; it has id, before": {"befor": "", "before": 1},
    "'before' has a value of another type": {**PAIR, "before": 1},
    "'timeout' has a value of another type": {**PAIR, "timeout": True},
    "'timeout' is no positive number of seconds": {**PAIR, "timeout": 0},
    "the question lacks before, after, schema": {},
    f"a question has at most {LONGEST} characters": {**PAIR, "before": "x" * 3 * LONGEST},
    "before:1:8: there is no column z": {**PAIR, "before": "SELECT z FROM t"},
    "no dialect": {**PAIR, "dialect": "nonsense"},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_question_is_answered_with_an_error_and_the_next_one_still(message: str) -> None:
    (wrong, right) = said(WRONG[message], PAIR)
    assert wrong["answer"]["verdict"] == "error"
    assert wrong["answer"]["error"]["code"] != "internal"
    assert message in wrong["answer"]["error"]["message"]
    assert right["answer"]["verdict"] == "equivalent"


def test_a_question_that_is_refused_has_its_id() -> None:
    (found,) = said({"id": 3})
    assert (found["id"], found["answer"]["error"]["message"]) == (3, "the question lacks before, after, schema")


def test_a_defect_is_no_answer_and_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> dict[str, Any]:
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr(serving, "_answered", fails)
    found = said(PAIR, PAIR)
    assert [each["answer"]["error"]["code"] for each in found] == ["internal", "internal"]
    assert found[0]["answer"]["error"]["message"] == "ZeroDivisionError: surprise; please report it"


def test_the_command_answers_at_once_and_ends_with_its_input() -> None:
    command = [sys.executable, "-m", "tallystick", "serve", "--dialect", "postgres"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(2):
            process.stdin.write(json.dumps({**PAIR, "id": number}) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            assert (found["id"], found["answer"]["verdict"], found["answer"]["dialect"]) == (
                number,
                "equivalent",
                "postgres",
            )
        process.stdin.close()
        assert process.wait(20) == 0


def test_what_is_no_text_of_unicode_is_answered_too() -> None:
    lines = b'{"id": "\\ud800"}\n\xff\xfe\n' + json.dumps({**PAIR, "id": "\u00e9"}, ensure_ascii=False).encode() + b"\n"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    command = [sys.executable, "-m", "tallystick", "serve"]
    done = subprocess.run(command, input=lines, capture_output=True, env=environment, timeout=60, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["id"] for each in found] == ["\ud800", None, "\u00e9"]
    assert [each["answer"]["verdict"] for each in found] == ["error", "error", "equivalent"]


def test_an_interrupt_ends_it() -> None:
    command = [sys.executable, "-m", "tallystick", "serve"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(PAIR) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
