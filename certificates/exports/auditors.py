"""Other auditors than the one in Python: Coq itself, and the OCaml program that is extracted from the Coq development.

Both are in `coq/`, which `make coq` builds; neither shares a line with the kernel here.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from tallystick.certificates.codec import decode
from tallystick.certificates.exports.coq import LIBRARY, theorem
from tallystick.core.errors import FragmentError, TallystickError

ROOT: Final = Path(__file__).resolve().parents[2]
DEVELOPMENT: Final = ROOT / "coq"
EXTRACTED: Final = ROOT / "build" / "coq" / "auditor"
NEEDED: Final = "apt-get install coq ocaml ocaml-findlib, then make coq"
STATEMENT: Final = "Semantics.v"
"""The file of all definitions that theorems about programs mention."""
STATEMENT_OF_QUERIES: Final = "queries/Meaning.v"
"""The same for theorems about queries."""
SECONDS: Final = 120
CLOSED: Final = "Closed under the global context"
Auditor = Literal["coq", "ocaml"]
_ACCEPTED: Final = {"accepted": True, "rejected": False, "uncovered": None}


class MissingAuditorError(TallystickError):
    """An auditor is not installed or not built; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an auditor says of a certificate, and why; None where the development does not cover it."""

    accepted: bool | None
    reason: str


def missing(auditor: Auditor) -> str | None:
    """Why an auditor cannot be asked; None when it can."""
    if auditor == "ocaml":
        return None if EXTRACTED.exists() else f"the extracted auditor is not built ({NEEDED})"
    if shutil.which("coqc") is None:
        return f"Coq is not installed ({NEEDED})"
    return None if (DEVELOPMENT / "queries" / "Sound.vo").exists() else "the Coq development is not built (make coq)"


def theorem_of_programs(data: bytes) -> str:
    """The theorem of Coq about the certificate that `data` is the encoding of, where it is about programs."""
    return theorem(decode(data))


def opinions(
    auditor: Auditor, paths: Sequence[Path], written: Callable[[bytes], str] = theorem_of_programs
) -> list[Opinion]:
    """What an auditor says of certificates, which Coq reads as `written`.

    Raises MissingAuditorError when it cannot be asked.
    """
    reason = missing(auditor)
    if reason is not None:
        raise MissingAuditorError(reason)
    return _by_ocaml(paths) if auditor == "ocaml" else [_by_coq(path.read_bytes(), written) for path in paths]


def _by_ocaml(paths: Sequence[Path]) -> list[Opinion]:
    result: list[Opinion] = []
    for start in range(0, len(paths), 500):
        chunk = [*map(str, paths[start : start + 500])]
        done = subprocess.run([EXTRACTED, *chunk], capture_output=True, text=True, timeout=SECONDS, check=False)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        result += [Opinion(_ACCEPTED[line[0]], line[-1]) for line in lines if len(line) == 4]
    if len(result) != len(paths):
        raise MissingAuditorError("the extracted auditor stopped before its last certificate")
    return result


def _by_coq(data: bytes, written: Callable[[bytes], str]) -> Opinion:
    try:
        text = written(data)
    except FragmentError as error:
        return Opinion(None, str(error))
    except TallystickError as error:
        return Opinion(False, str(error))
    done = compiled(text)
    accepted = done.returncode == 0 and set(done.stdout.split("\n")) == {CLOSED, ""}
    return Opinion(
        accepted, CLOSED if accepted else (done.stderr.strip().splitlines() or ["Coq does not accept it"])[-1]
    )


def compiled(text: str, seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
    """What coqc says of a file that uses the development."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "Claim.v"
        path.write_text(text, encoding="utf-8")
        command = ["coqc", "-q", "-Q", str(DEVELOPMENT), LIBRARY, str(path)]
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, cwd=folder)
