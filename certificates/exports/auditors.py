"""Other auditors than the one in Python: Coq itself, and the OCaml program that is extracted from the Coq development.

Both are in `coq/`, which `make coq` builds; neither shares a line with the kernel here. The extracted auditor prints
the claim that it checked in the words of `printing`, by code of its own: a mistake of either reader about it shows.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from tallystick.certificates import claims
from tallystick.certificates.codec import decode
from tallystick.certificates.exports.coq import LIBRARY, theorem
from tallystick.certificates.reader import read
from tallystick.core.errors import FragmentError, TallystickError

ROOT: Final = Path(__file__).resolve().parents[2]
DEVELOPMENT: Final = ROOT / "coq"
EXTRACTED: Final = ROOT / "build" / "coq" / "auditor"
NEEDED: Final = "apt-get install coq ocaml ocaml-findlib, then make coq"
STATEMENT: Final = "Semantics.v"
"""The file of all definitions that theorems about programs mention."""
STATEMENT_OF_QUERIES: Final = "core/Core.v"
"""The same for theorems about queries."""
STATEMENTS: Final = ((STATEMENT, "programs"), (STATEMENT_OF_QUERIES, "queries"))
"""The files of what theorems mention, and what these are about."""
SECONDS: Final = 120
"""How long Coq may take for a file."""
AT_ONCE: Final = 500
"""How many files are given to the extracted auditor, which has its own limits, in one run."""
CLOSED: Final = "Closed under the global context"
TRANSLATED: Final = "by a translated proof"
"""Why the extracted auditor accepts what it does not cover as it is."""
Auditor = Literal["coq", "ocaml"]
_ACCEPTED: Final = {"accepted": True, "rejected": False, "uncovered": None}


class MissingAuditorError(TallystickError):
    """An auditor is not installed or not built; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an auditor says of a certificate, and why.

    Attributes:
        accepted: None where the development does not cover the certificate.
        claim: the lines of the claim that was checked, in the extracted auditor's words, where it was accepted.
        milliseconds: how long that auditor took.
    """

    accepted: bool | None
    reason: str
    claim: tuple[str, ...] = ()
    milliseconds: float = 0.0

    def __str__(self) -> str:
        if self.accepted:
            return f"accepted, {self.reason}" if self.reason == TRANSLATED else "accepted"
        return f"{'not covered' if self.accepted is None else 'rejected'}: {self.reason}"


def missing(auditor: Auditor) -> str | None:
    """Why an auditor cannot be asked; None when it can."""
    if auditor == "ocaml":
        return None if EXTRACTED.exists() else f"the extracted auditor is not built ({NEEDED})"
    if shutil.which("coqc") is None:
        return f"Coq is not installed ({NEEDED})"
    return None if (DEVELOPMENT / "core" / "Trees.vo").exists() else "the Coq development is not built (make coq)"


def as_it_is(data: bytes) -> bytes:
    """A certificate for the extracted auditor, where it has nothing to be translated."""
    raise FragmentError("the extracted auditor reads certificates as they are")


def theorem_of_programs(data: bytes) -> str:
    """The theorem of Coq about the certificate that `data` is the encoding of, where it is about programs."""
    return theorem(decode(data))


def opinions_of_coq(paths: Sequence[Path], written: Callable[[bytes], str] = theorem_of_programs) -> list[Opinion]:
    """What Coq says of the theorems about certificates, which `written` writes.

    Raises MissingAuditorError when it cannot be asked.
    """
    _require("coq")
    return [_by_coq(path.read_bytes(), written) for path in paths]


def opinions_of_ocaml(paths: Sequence[Path], translated: Callable[[bytes], bytes] = as_it_is) -> list[Opinion]:
    """What the extracted auditor says of certificates; of what it does not cover, as `translated` translates it.

    Nobody has to trust a translation: the auditor says which claim it checked, and it is compared with the words for
    that of the certificate. Raises MissingAuditorError when it cannot be asked.
    """
    found = [*map(_of_its_claim, paths, extracted(paths))]
    with TemporaryDirectory() as folder:
        copies: dict[int, Path] = {}
        for place, path in enumerate(paths):
            if found[place].accepted is None:
                with suppress(TallystickError):
                    data = translated(path.read_bytes())
                    copies[place] = Path(folder) / f"{place}.json"
                    copies[place].write_bytes(data)
        for (place, _), opinion in zip(copies.items(), extracted([*copies.values()]), strict=True):
            judged = _of_its_claim(paths[place], opinion)
            found[place] = replace(judged, reason=TRANSLATED) if judged.accepted else judged
    return found


def claim_of(data: bytes) -> tuple[str, ...]:
    """What a certificate claims, in the words of the Python auditor. Raises CertificateError when it is none."""
    read_ = read(data)
    assumptions = "; ".join(read_.assumptions) or "nothing"
    return (*claims.lines(read_), f"meaning: {read_.semantics}", f"assuming: {assumptions}")


def _of_its_claim(path: Path, opinion: Opinion) -> Opinion:
    """The opinion, if it is about the certificate's claim."""
    if not opinion.accepted:
        return opinion
    try:
        if claim_of(path.read_bytes()) == opinion.claim:
            return opinion
        problem = f"what it accepts is another claim: {' | '.join(opinion.claim)}"
    except TallystickError as error:
        problem = f"what it accepts is no claim of this file: {error}"
    return Opinion(False, problem)


def _require(auditor: Auditor) -> None:
    reason = missing(auditor)
    if reason is not None:
        raise MissingAuditorError(reason)


def extracted(paths: Sequence[Path]) -> list[Opinion]:
    """What the extracted auditor says of files, whatever Python says of them.

    It prints a line for each, and below it, after tabs, the claim or the reason.
    """
    _require("ocaml")
    found: list[Opinion] = []
    for start in range(0, len(paths), AT_ONCE):
        command = [EXTRACTED, *paths[start : start + AT_ONCE]]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        entries: list[list[str]] = []
        for line in done.stdout.removesuffix("\n").split("\n"):
            if line.startswith("\t"):
                entries[-1].append(line.removeprefix("\t"))
            elif line:
                entries.append([line])
        for first, *said in entries:
            word, milliseconds, _ = first.split("\t", 2)
            accepted = _ACCEPTED[word]
            found.append(Opinion(accepted, said[0], tuple(said) if accepted else (), float(milliseconds)))
    if len(found) != len(paths):
        raise MissingAuditorError("the extracted auditor stopped before its last certificate")
    return found


def _by_coq(data: bytes, written: Callable[[bytes], str]) -> Opinion:
    try:
        text = written(data)
    except FragmentError as error:
        return Opinion(None, str(error))
    except TallystickError as error:
        return Opinion(False, str(error))
    try:
        done = compiled(text)
    except subprocess.TimeoutExpired:
        return Opinion(None, f"Coq takes longer than {SECONDS} s")
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
