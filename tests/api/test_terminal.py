"""On a terminal answers have a colour and long work shows that it goes on; in a pipe there is neither."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

GRADES = Path(__file__).parents[2] / "examples" / "passing_grades.py"
PAIR = [f"{GRADES}:before", f"{GRADES}:after"]
SLOW = """
import time
from tallystick.progress import waiting
with waiting("deciding"):
    time.sleep({seconds})
"""


def on_a_terminal(command: list[str], **environment: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env={**os.environ, **environment}) as process:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 1 << 16):
                written += part
        except OSError:  # the terminal was hung up: the command has ended
            pass
        process.wait()
    os.close(ours)
    return written.decode()


def tallystick(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tallystick", *arguments]


def test_answers_have_a_colour_on_a_terminal_unless_it_is_refused() -> None:
    shown = on_a_terminal(tallystick("check", *PAIR), NO_COLOR="")
    assert "\x1b[32m\x1b[1mequivalent\x1b[0m: before ≡ after" in shown
    plain = on_a_terminal(tallystick("check", *PAIR), NO_COLOR="1")
    assert "equivalent: before ≡ after" in plain
    assert "\x1b[32m" not in plain


def test_a_pipe_gets_no_colour() -> None:
    done = subprocess.run(tallystick("check", *PAIR), capture_output=True, text=True, check=True)
    assert "\x1b" not in done.stdout + done.stderr


def test_work_of_more_than_two_seconds_shows_that_it_goes_on_and_clears_the_line() -> None:
    shown = on_a_terminal([sys.executable, "-c", SLOW.format(seconds=3)])
    assert "deciding, 2 s" in shown
    assert shown.endswith("\r\x1b[K")
    assert on_a_terminal([sys.executable, "-c", SLOW.format(seconds=0.1)]) == ""


def test_a_pipe_gets_no_sign_of_life() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW.format(seconds=2.5)], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
