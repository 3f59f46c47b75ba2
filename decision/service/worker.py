"""The prover's process: reads questions, one JSON object a line, and answers each: claims with a settlement.

Run as `python -m tallystick.decision.service.worker MEBIBYTES`, or in a fork of the process that asks. It is never
trusted: its certificates are audited by whoever asks. It ends when its input ends or when its parent does.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import threading
import time
from typing import Any, BinaryIO

from tallystick.certificates.codec import decode
from tallystick.core.clock import clock
from tallystick.core.functions import FunctionError
from tallystick.decision.partitioning.deciding import decide_partitions
from tallystick.decision.partitioning.wire import answer, read_question
from tallystick.decision.prover import Prover
from tallystick.decision.service.isolation import GRACE_SECONDS, end_with_parent, set_limit
from tallystick.decision.service.portfolio import METHODS
from tallystick.decision.service.settle import settle
from tallystick.decision.service.settlement import Settlement


def main() -> None:
    """Answers claims until the input ends; the argument limits the memory, in MiB."""
    serve(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]))


def serve(questions: BinaryIO, answers: BinaryIO, mebibytes: int) -> None:
    """Answers each line of questions with a line, in a process that has nothing else to do, with a limit of memory."""
    set_limit(resource.RLIMIT_AS, mebibytes << 20)
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    for line in questions:
        answers.write(json.dumps(_answer(json.loads(line), mebibytes)).encode() + b"\n")
        answers.flush()


def _answer(request: dict[str, Any], mebibytes: int) -> dict[str, Any]:
    seconds = request["seconds"]
    set_limit(
        resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds + GRACE_SECONDS)
    )  # in whatever code it is then
    prover = Prover(request["solver"], clock() + seconds)
    try:
        if "claim" not in request:
            term, merge = read_question(request)
            return answer(term, decide_partitions(term, merge, prover))
        claim = decode(request["claim"].encode())
        chosen = request.get("methods", METHODS)
        methods = {name: method for name, method in METHODS.items() if name in chosen}
        return settle(
            claim.left, claim.right, claim.sources, prover, methods, claim.assumptions, claim.semantics
        ).to_json()
    except MemoryError:
        limit, reason = "memory", f"the prover met its limit of {mebibytes} MiB"
    except RecursionError:
        limit, reason = "depth", "the programs are nested too deeply for the prover"
    except FunctionError as error:  # a function of Python that has no value for what it is asked of
        limit, reason = "exceptions", f"a program raises an exception where the proof needs a value: {error}"
    except Exception as error:  # whatever goes wrong in untrusted code costs one answer, and is reported
        limit, reason = "defect", f"the prover failed, please report it: {error!r}"
    return Settlement(reasons={limit: reason}).to_json() if "claim" in request else {"unknown": reason}


if __name__ == "__main__":
    main()
