"""The process that answers one question: it says READY, reads a line of JSON, and writes the answer.

It ends with the process that started it, whose end of standard input is closed then.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
from pathlib import Path
from typing import Any, Final, TextIO

PROCESSOR_SECONDS: Final = 30
MEMORY: Final = 4 << 30
FILE: Final = 1 << 20
"""Bytes of a file that it may write."""
REFUSED: Final = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "shutil.", "ftplib.")
"""What it does not do, whatever a text says: Python's names of such events begin so."""
READY: Final = "ready"
"""What it says once a question is answered at once."""
PROVER: Final = [sys.executable, "-m", "tallystick.decision.service.worker"]
"""What it starts alone: a process that is told terms, no texts."""
MESSAGE: Final = "the playground opens no files and no connections, and runs nothing"


def main(folder: Path) -> None:
    """Answers one question, whose files are written into the folder."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    for limit, value in (
        (resource.RLIMIT_CPU, PROCESSOR_SECONDS),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    _load()
    _guard(folder)
    print(READY, file=answers, flush=True)
    line = sys.stdin.readline()
    threading.Thread(target=_end_with_parent, args=(sys.stdin,), daemon=True).start()
    if line:
        answers.write(json.dumps(_answer(json.loads(line), folder), ensure_ascii=False))
        answers.close()


def _load() -> None:
    """Imports what answers need, while nobody waits."""
    from importlib import import_module

    from tallystick.extras import missing

    modules = ("certificates.audit", "explaining.html_format", "checking", "queries.checking", "explaining.queries")
    for name in modules:
        try:
            import_module(f"tallystick.{name}")
        except ModuleNotFoundError as error:
            if missing(error) is None:
                raise


def _answer(asked: dict[str, Any], folder: Path) -> dict[str, Any]:
    from tallystick.extras import missing
    from tallystick.playground.answering import answered

    try:
        return answered(asked, folder)
    except ModuleNotFoundError as error:
        return {"problem": missing(error) or str(error)}
    except (RecursionError, MemoryError) as error:
        return {"problem": f"too large for the playground: {type(error).__name__}"}
    except Exception as error:  # a defect, which must not look like an answer
        return {"problem": f"a defect of Tallystick: {type(error).__name__}: {error}; please report it, with the texts"}


def _guard(folder: Path) -> None:
    """From here on, files are opened below the folder, or read where Python and its libraries are; no connections are
    opened, and nothing is run but the prover."""
    libraries = {os.path.realpath(each) for each in (*sys.path, sys.prefix, sys.base_prefix) if each}
    own = os.path.realpath(folder)
    readable = tuple(f"{each}{os.sep}" for each in (*libraries, own))

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and list(arguments[1][:3]) == PROVER:
            return
        if event.startswith(REFUSED):
            raise PermissionError(MESSAGE)
        if event != "open" or not isinstance(arguments[0], str | bytes):
            return
        path = os.path.abspath(os.fsdecode(arguments[0]))
        writes = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) if isinstance(arguments[2], int) else False
        inside = (
            path.startswith(f"{own}{os.sep}") if writes else f"{os.path.dirname(path)}{os.sep}".startswith(readable)
        )
        if not inside and path not in (os.devnull, "/dev/urandom"):
            raise PermissionError(MESSAGE)

    sys.addaudithook(watch)


def _end_with_parent(stream: TextIO) -> None:
    """Ends this process and those that it started when the stream ends."""
    stream.read()
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
