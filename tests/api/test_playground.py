"""The playground answers this machine's own page alone, opens no files, and leaves no process behind."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tallystick import audit
from tallystick.playground import workers
from tallystick.playground.server import LARGEST_BODY, Playground, page
from tallystick.playground.workers import Workers

from api.test_interrupts import MARK, running

SECONDS = 120.0
QUERIES = {
    "kind": "queries",
    "dialect": "postgres",
    "schema": "CREATE TABLE t (a INT, s TEXT)",
    "before": "SELECT s FROM t",
    "after": "SELECT DISTINCT s FROM t",
}
BEFORE = "from pyspark import RDD\n\ndef f(r: RDD[int]):\n    return r.map(lambda x: x + 1).filter(lambda x: x > 1)\n"
AFTER = "from pyspark import RDD\n\ndef g(r: RDD[int]):\n    return r.filter(lambda x: x > 0).map(lambda x: x + 1)\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Playground]:
    made = Playground()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.close()


def own(server: Playground) -> dict[str, str]:
    """The headers of the page's own questions."""
    return {
        "Content-Type": "application/json",
        "Origin": f"http://127.0.0.1:{server.server_port}",
        "Cookie": f"{server.cookie}={server.token}",
    }


def send(
    server: Playground, method: str, path: str, headers: dict[str, str], body: str | None = None
) -> tuple[int, Any, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=SECONDS)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def ask(server: Playground, question: dict[str, str]) -> dict[str, Any]:
    status, _, said = send(server, "POST", "/answer", own(server), json.dumps(question))
    assert status == 200
    return json.loads(said)


def test_the_token_becomes_a_cookie_and_leaves_the_address(server: Playground) -> None:
    status, headers, _ = send(server, "GET", f"/?token={server.token}", {})
    assert (status, headers["Location"]) == (303, "/")
    assert headers["Set-Cookie"] == f"{server.cookie}={server.token}; HttpOnly; SameSite=Strict; Path=/"
    status, headers, said = send(server, "GET", "/", {"Cookie": f"{server.cookie}={server.token}"})
    assert (status, server.token.encode() in said) == (200, False)
    nonce = re.search("script-src 'nonce-([^']+)'", headers["Content-Security-Policy"])
    assert nonce is not None
    assert said.decode() == page(nonce[1])
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def test_the_page_loads_nothing() -> None:
    assert not re.search(r"(?:src|href)=|@import|url\(|//\w+\.", page("n").replace('at("save").href =', ""))


@pytest.mark.parametrize(
    ("method", "path", "changed", "status"),
    [
        ("GET", "/", {"Cookie": ""}, 403),
        ("GET", "/?token=", {"Cookie": ""}, 403),
        ("GET", "/?token=wrong", {}, 403),
        ("GET", "/", {"Cookie": "{cookie}=wrong"}, 403),
        ("GET", "/", {"Cookie": "{cookie}=w\u00f6rong; \x01=;"}, 403),
        ("GET", "/", {"Host": "attacker.example:{port}"}, 403),
        ("GET", "/", {"Host": "127.0.0.1"}, 403),
        ("GET", "/../../etc/passwd", {}, 404),
        ("GET", "/answer", {}, 404),
        ("POST", "/answer", {"Cookie": ""}, 403),
        ("POST", "/answer", {"Cookie": "{cookie}=wrong"}, 403),
        ("POST", "/answer", {"Host": "attacker.example:{port}"}, 403),
        ("POST", "/answer", {"Origin": ""}, 403),
        ("POST", "/answer", {"Origin": "null"}, 403),
        ("POST", "/answer", {"Origin": "http://attacker.example:{port}"}, 403),
        ("POST", "/answer", {"Origin": "http://127.0.0.1:1"}, 403),
        ("POST", "/answer", {"Origin": "https://127.0.0.1:{port}"}, 403),
        ("POST", "/other", {}, 404),
        ("POST", "/answer", {"Content-Type": "text/plain"}, 415),
        ("POST", "/answer", {"Content-Length": "many"}, 411),
        ("POST", "/answer", {"Content-Length": str(LARGEST_BODY + 1)}, 413),
        ("POST", "/answer", {"Content-Length": "9" * 5000}, 413),
        ("PUT", "/answer", {}, 501),
    ],
)
def test_others_are_refused(server: Playground, method: str, path: str, changed: dict[str, str], status: int) -> None:
    names = {"cookie": server.cookie, "port": str(server.server_port)}
    headers = own(server) | {name: value.format(**names) for name, value in changed.items()}
    found, _, said = send(server, method, path, headers, "{}" if method == "POST" else None)
    assert found == status
    assert server.token.encode() not in said


@pytest.mark.parametrize("body", ["", "[]", "{", "[" * 100_000, "7"])
def test_what_is_no_question_is_refused(server: Playground, body: str) -> None:
    assert send(server, "POST", "/answer", own(server), body)[0] == 400


def test_queries_are_answered_with_witness_explanation_and_audit(server: Playground) -> None:
    found = ask(server, QUERIES)
    assert found["answer"]["verdict"] == "inequivalent"
    assert found["text"].startswith("inequivalent: before ≢ after\n")
    assert [each["name"] for each in found["answer"]["witness"]["outputs"]] == ["before", "after"]
    assert found["explanation"].startswith('<p class="verdict red"><b>≠</b>Inequivalent: ')
    assert "style=" not in found["explanation"], "the page's policy lets no element have a style of its own"
    assert found["audit"].startswith("accepted")
    assert audit(found["certificate"].encode()).accepted


def test_functions_are_answered(server: Playground) -> None:
    found = ask(server, {"kind": "functions", "before": BEFORE, "after": AFTER})
    assert (found["answer"]["verdict"], found["text"].splitlines()[0]) == ("equivalent", "equivalent: f ≡ g")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"after": "SELECT x FROM t"}, "after:1:8: there is no column x\n"),
        ({"schema": "/etc/passwd"}, "schema:1:5: syntax error: something is missing here\n"),
        ({"before": "<script>"}, "before:1:8: syntax error: something is missing here\n"),
        ({"kind": "functions", "before": BEFORE, "after": "x = 1"}, "after.py: there is no function with a parameter"),
        ({"kind": "functions", "before": "def (", "after": AFTER}, "before.py:1:5: syntax error: "),
    ],
)
def test_texts_that_are_not_understood_are_refused_with_their_place(
    server: Playground, changed: dict[str, str], said: str
) -> None:
    found = ask(server, QUERIES | changed)
    assert found["answer"]["verdict"] == "error"
    assert found["text"].startswith(said)
    assert "tallystick-playground" not in json.dumps(found)


GUARDED = """
import os, socket, subprocess, sys
from pathlib import Path
from tallystick.playground.worker import MESSAGE, PROVER, _guard
folder = Path(sys.argv[1]) / "own"
folder.mkdir()
_guard(folder)
(folder / "a.py").write_text("x")
assert (folder / "a.py").read_text() == "x"
open(os.__file__).close()
tries = {
    "read": lambda: open("/etc/passwd"),
    "up": lambda: open(folder / ".." / "outside"),
    "bytes": lambda: open(b"/etc/passwd"),
    "write": lambda: open(os.__file__, "a"),
    "os": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "connect": lambda: socket.create_connection(("127.0.0.1", 9)),
    "run": lambda: subprocess.run(["true"]),
    "prover": lambda: subprocess.run([*PROVER[:2], "http.server"]),
    "system": lambda: os.system("true"),
    "fork": os.fork,
    "exec": lambda: os.execv("/bin/true", ["true"]),
}
for name, attempt in tries.items():
    try:
        attempt()
    except PermissionError as error:
        assert str(error) == MESSAGE, (name, error)
    else:
        raise SystemExit(name)
print("refused")
"""


def test_the_process_that_answers_opens_and_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("x")
    done = subprocess.run([sys.executable, "-c", GUARDED, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("refused\n", "")


def test_an_answer_that_takes_too_long_is_unknown() -> None:
    asked = Workers(seconds=0.001)
    try:
        assert asked.ask(QUERIES) == {"problem": "unknown, because 0.001 s were not enough: use `tallystick check`"}
    finally:
        asked.close()


def test_the_next_question_ends_the_one_before() -> None:
    asked, said = Workers(), []
    try:
        first = threading.Thread(target=lambda: said.append(asked.ask(QUERIES)))
        first.start()
        while asked._busy is None:
            time.sleep(0.001)
        assert asked.ask(QUERIES)["answer"]["verdict"] == "inequivalent"
        first.join()
        assert said == [{"problem": "superseded"}]
    finally:
        asked.close()
    assert asked.ask(QUERIES) == {"problem": "the playground has ended"}


def started(tmp_path: Path) -> tuple[subprocess.Popen[str], str, str]:
    """The command, its mark, and the address that it prints."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-m", "tallystick", "playground", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, MARK: mark, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    found = re.fullmatch(
        r"the playground is at (http://127\.0\.0\.1:\d+/\?token=\S+); Ctrl-C ends it\n", process.stdout.readline()
    )
    assert found is not None
    return process, mark, found[1]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_no_process_is_left_behind(tmp_path: Path, number: signal.Signals, status: int) -> None:
    process, mark, _ = started(tmp_path)
    deadline = time.monotonic() + SECONDS
    while len(running(mark)) < 2:  # the server, and a process that is being made ready for a question
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, number)
    _, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors.strip()) == (status, "")
    deadline = time.monotonic() + SECONDS
    while left := running(mark):
        assert time.monotonic() < deadline, f"still running: {left}"
        time.sleep(0.05)
    assert number is signal.SIGKILL or list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_browser_shows_the_answer(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    process, _, address = started(tmp_path)
    try:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
        command = [browser, *flags, f"--virtual-time-budget={int(SECONDS)}000", "--dump-dom", address]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False).stdout
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
    assert "<b>≠</b>inequivalent: before ≢ after</p>" in shown
    assert "<caption>before returns</caption>" in shown
    assert "accepted  every step holds" in shown


def test_an_answer_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LARGEST", 10)
    asked = Workers()
    try:
        assert asked.ask(QUERIES) == {"problem": "unknown, because the process that decides has ended"}
    finally:
        asked.close()
