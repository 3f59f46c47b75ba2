"""The prover in a process of its own, so that limits on time and memory hold whatever it is doing."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGXCPU
from subprocess import PIPE, Popen
from types import TracebackType
from typing import Any, BinaryIO, Self

from tallystick.certificates.codec import encode
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core.clock import WALL
from tallystick.core.programs import SPARKLITE, Program
from tallystick.core.terms import Term
from tallystick.decision.inputs import smallest
from tallystick.decision.partitioning.deciding import PartitionAnswer, Undecided
from tallystick.decision.partitioning.safety import Merge
from tallystick.decision.partitioning.wire import question, read_answer
from tallystick.decision.service.forking import Forked, is_alone
from tallystick.decision.service.isolation import GRACE_SECONDS
from tallystick.decision.service.settlement import Settlement

MEMORY_MEBIBYTES = 4096


class ProverProcess:
    """A prover that answers one question at a time; it is started when needed, and ended when it is late.

    Usable as a context manager; `close` ends the process, and so does the end of the interpreter.
    """

    def __init__(self, memory_mebibytes: int = MEMORY_MEBIBYTES) -> None:
        self._memory = memory_mebibytes
        self._process: Popen[bytes] | Forked | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a process that waits for questions, or gets ready to."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts the process, without waiting for it, so that it gets ready while the caller does other work."""
        if not self.is_running:
            command = [sys.executable, "-m", "tallystick.decision.service.worker", str(self._memory)]
            # In a group of its own, since Ctrl-C is for its parent, which ends it.
            self._process = Popen(command, stdin=PIPE, stdout=PIPE, process_group=0)
            atexit.register(self.close)

    def fork(self) -> None:
        """Starts the process as a fork of this one, if no other thread runs here: it need not load what is loaded.

        For a program of ours that begins. Of a process of somebody else's a fork would hold what is open there.
        """
        if self.is_running or not is_alone():
            return
        self._process = Forked(self._work)
        atexit.register(self.close)

    def _work(self, questions: BinaryIO, answers: BinaryIO) -> None:
        from tallystick.decision.service.worker import serve  # the fork alone has a use for the search

        serve(questions, answers, self._memory)

    def settle(
        self,
        left: Program,
        right: Program,
        sources: tuple[str, str],
        solver: str,
        seconds: float,
        methods: Sequence[str] | None = None,
        assumptions: tuple[str, ...] = (),
        semantics: str = SPARKLITE,
    ) -> Settlement:
        """What the prover says about two comparable programs within a time limit, with the named methods or all.

        The certificate says under which assumptions the programs mean what their sources mean.
        A prover that is late, dies or runs out of memory gives a settlement without a certificate and the reason.
        """
        content: dict[str, Any] = {"claim": encode(claim(left, right, sources, assumptions, semantics)).decode()}
        if methods is not None:
            content["methods"] = list(methods)
        answer = self._answer(content, solver, seconds)
        return Settlement(reasons=dict([answer])) if isinstance(answer, tuple) else Settlement.from_json(answer)

    def partition_safety(
        self, term: Term, merge: Merge, solver: str, seconds: float
    ) -> tuple[PartitionAnswer, frozenset[str]]:
        """Whether a fold is partition-safe, checked, and the oracles that this rests on; `merge` is not "none".

        A prover that is late, dies or runs out of memory gives Undecided.
        """
        answer = self._answer(question(term, merge), solver, seconds)
        if isinstance(answer, tuple):
            return Undecided(answer[1]), frozenset()
        return read_answer(term, merge, answer)

    def _answer(self, content: dict[str, Any], solver: str, seconds: float) -> dict[str, Any] | tuple[str, str]:
        """What the process answers; or what was lacking, and how."""
        self.start()
        request = json.dumps({**content, "solver": solver, "seconds": seconds}).encode() + b"\n"
        try:
            answer = self._ask(request, WALL * seconds + GRACE_SECONDS)
        except BaseException:
            self.close()
            raise
        if answer is not None:
            with suppress(ValueError):  # cut short, or what a dying process has written
                return json.loads(answer)
        status = self.close()
        if answer is None or status == -SIGXCPU:
            return "time", f"no answer within {seconds:g} seconds"
        return "prover", "its process ended without an answer, for lack of memory or a defect"

    def _ask(self, request: bytes, seconds: float) -> bytes | None:
        """The line that the process answers, cut short when it ended; None when it is late."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        deadline = time.monotonic() + seconds
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
        except BrokenPipeError:
            return b""
        answer = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not answer.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    return None
                part = os.read(self._process.stdout.fileno(), 1 << 20)
                if not part:
                    break
                answer += part
        return answer

    def close(self) -> int | None:
        """Ends the process, at once; returns how it ended, as `Popen.returncode` says it, None where there is none."""
        if self._process is None:
            return None
        self._process.kill()
        self._process.communicate()
        status = self._process.returncode
        self._process = None
        atexit.unregister(self.close)
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


shared_prover = ProverProcess()
"""Shared by the questions of this process that do not bring their own."""


def claim(
    left: Program,
    right: Program,
    sources: tuple[str, str],
    assumptions: tuple[str, ...] = (),
    semantics: str = SPARKLITE,
) -> Certificate:
    """Two programs in the certificates' format, with a result that says nothing: the question, not the answer."""
    inputs = tuple(smallest(name.type) for name in left.parameters)
    nothing = Counterexample(inputs, (smallest(left.result),) * 2)
    return Certificate(left, right, semantics, sources, assumptions, (), (), nothing)
