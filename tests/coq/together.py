"""Several theorems in one run of Coq, which takes half a second to read the development."""

from collections.abc import Sequence

from tallystick.certificates.exports.auditors import CLOSED, compiled


def are_theorems(texts: Sequence[str]) -> bool:
    """Whether Coq accepts each of these files, and prints of each that it rests on no axiom."""
    (head,) = {text.partition("\n\n")[0] for text in texts}
    modules = (
        f"Module C{number}.\n{text.partition(chr(10) * 2)[2]}\nEnd C{number}." for number, text in enumerate(texts)
    )
    done = compiled("\n\n".join([head, *modules]), seconds=600)
    return (done.returncode, done.stderr, done.stdout.splitlines()) == (0, "", [CLOSED] * len(texts))
