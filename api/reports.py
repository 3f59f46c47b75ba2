"""Answers as other programs read them: Markdown for GitHub, JUnit's XML for test reports, SARIF for code scanning."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from tallystick.showing import COLOURS

Form = Literal["github", "junit", "sarif"]
SIGNS: Final = {"green": "✅", "red": "🔴", "yellow": "🟡", "cyan": "➕"}
PASSED: Final = frozenset(answer for answer, colour in COLOURS.items() if colour == "green")
NOT_READ: Final = "not read"
"""Of what was come across, and is no reason to fail."""
OPEN: Final = frozenset({"unknown", "error"})
"""The answers that say nothing about programs; others say that something differs, or is wrong."""
_UNFIT: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not have."""
MARKUP: Final = "\\|<>*_`[]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer.

    Attributes:
        name: what it is about.
        answer: one of `showing.COLOURS`, "error" for what cannot be read, or NOT_READ.
        text: the whole answer, for people; its first line says the most.
        path: the file that it is about; "" if there is none.
        line, column: the place in it, from 1; 0 where no position applies.
        seconds: how long it took, if that is known.
    """

    name: str
    answer: str
    text: str
    path: str = ""
    line: int = 0
    column: int = 0
    seconds: float | None = None

    @property
    def first_line(self) -> str:
        """What the text says first."""
        return self.text.splitlines()[0] if self.text else self.answer


def to_markdown(command: str, entries: Sequence[Entry]) -> str:
    """A table of all answers, and in full, folded, those that are no proof."""
    counts = Counter(each.answer for each in entries)
    head = ", ".join(f"{number} {answer}" for answer, number in counts.items()) or "nothing to compare"
    lines = [f"### Tallystick {command}: {head}", ""]
    if entries:
        lines += ["| | what | answer |", "|---|---|---|"]
        lines += [f"| {_sign(each.answer)} | {_escaped(each.name)} | {each.answer} |" for each in entries]
    for each in entries:
        if each.answer not in PASSED:
            fence = "`" * max(3, *(len(found) + 1 for found in re.findall("`+", each.text)), 0)
            lines += ["", f"<details><summary>{_escaped(each.name)}: {each.answer}</summary>", ""]
            lines += [fence, each.text, fence, "", "</details>"]
    return "\n".join([*lines, ""])


def _sign(answer: str) -> str:
    return SIGNS[COLOURS.get(answer, "yellow")]


def _escaped(line: str) -> str:
    """A line that a cell of a table holds as it is."""
    shown = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)
    return "".join(f"&#{ord(each)};" if each in MARKUP else each for each in shown)


def to_junit(command: str, entries: Sequence[Entry]) -> str:
    """A test suite with a test for each answer: what differs is a failure, and what is not known is an error."""
    failures = sum(each.answer not in PASSED | OPEN | {NOT_READ} for each in entries)
    errors, skipped = (sum(each.answer in of for each in entries) for of in (OPEN, {NOT_READ}))
    counts = {"tests": len(entries), "failures": failures, "errors": errors, "skipped": skipped}
    suites = Xml.Element("testsuites")
    numbers = {name: str(count) for name, count in counts.items()}
    suite = Xml.SubElement(suites, "testsuite", {"name": f"tallystick {command}", **numbers})
    for each in entries:
        about = {"name": _fit(each.name), "classname": _fit(each.path or command)}
        if each.seconds is not None:
            about["time"] = f"{each.seconds:.3f}"
        if each.path:
            about |= {"file": _fit(each.path)} | ({"line": str(each.line)} if each.line else {})
        test = Xml.SubElement(suite, "testcase", about)
        if each.answer in PASSED:
            Xml.SubElement(test, "system-out").text = _fit(each.text)
        else:
            kind = "error" if each.answer in OPEN else "skipped" if each.answer == NOT_READ else "failure"
            about = {"type": each.answer, "message": _fit(each.first_line)}
            Xml.SubElement(test, kind, about).text = _fit(each.text)
    Xml.indent(suites)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{Xml.tostring(suites, encoding='unicode')}\n"


def _fit(text: str) -> str:
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def to_sarif(command: str, entries: Sequence[Entry]) -> str:
    """SARIF 2.1.0 with a result for each answer that is no proof: a warning for unknown, a note for what was not read,
    an error for others."""
    from tallystick.core.version import VERSION

    results = [_result(each) for each in entries if each.answer not in PASSED]
    rules = sorted({each["ruleId"] for each in results})
    driver = {"name": "tallystick", "version": VERSION, "rules": [{"id": each} for each in rules]}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"tallystick/{command}/"},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    content = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _result(entry: Entry) -> dict[str, Any]:
    level = {"unknown": "warning", NOT_READ: "note"}.get(entry.answer, "error")
    found: dict[str, Any] = {"ruleId": entry.answer.replace(" ", "-"), "level": level, "message": {"text": entry.text}}
    if entry.path:
        place: dict[str, Any] = {"artifactLocation": {"uri": _uri(entry.path)}}
        if entry.line:
            place["region"] = {"startLine": entry.line} | ({"startColumn": entry.column} if entry.column else {})
        found["locations"] = [{"physicalLocation": place}]
    return found


def _uri(path: str) -> str:
    """A path from the working folder, if it lies there, as SARIF writes it."""
    own = Path(os.path.abspath(path))
    return quote(own.relative_to(Path.cwd()).as_posix()) if own.is_relative_to(Path.cwd()) else own.as_uri()


FORMS: Final[dict[Form, Callable[[str, Sequence[Entry]], str]]] = {
    "github": to_markdown,
    "junit": to_junit,
    "sarif": to_sarif,
}
