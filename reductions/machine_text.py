"""The text format of two-counter machines.

    # Adds c2 to c1.          a comment; those before the first instruction are the machine's own
    c1 = 3                    initial values come first; a counter starts from 0 otherwise
    c2 = 4
    loop: dec c2 else done    subtract 1 from c2, or jump to `done` if c2 is 0
          inc c1              add 1 to c1
          jump loop           go on at `loop`
    done: halt                any number of times; all are one halting location

One instruction a line, any label before a colon, on the same line or on lines of its own before it. Execution starts
at the first instruction.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.reductions.errors import MachineError
from tallystick.reductions.two_counter_machine import (
    MOST_INSTRUCTIONS,
    Decrement,
    Increment,
    Instruction,
    Jump,
    Machine,
)

INSTRUCTIONS = {"inc": "inc c1", "dec": "dec c1 else LABEL", "jump": "jump LABEL", "halt": "halt"}
COUNTERS = ("c1", "c2")
RESERVED = (*INSTRUCTIONS, *COUNTERS, "else")
MOST_DIGITS = 100
_TOKEN = re.compile(r"[^\W\d]\w*|\d+|\S")


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, number or sign of the file; the empty text stands for the end of its line."""

    text: str
    line: int
    column: int


@dataclass(slots=True)
class _Source:
    path: str
    lines: list[str]

    def error(self, token: _Token, message: str, hint: str = "") -> MachineError:
        """The error at a token."""
        text = self.lines[token.line - 1].rstrip()
        indentation = len(text) - len(text.lstrip())
        shift = "".join("\t" if each == "\t" else " " for each in text[indentation : token.column - 1])
        excerpt = f"    {text.lstrip()}\n    {shift}{'^' * max(1, len(token.text))}" if text.strip() else ""
        return MachineError(message, self.path, token.line, token.column, hint, excerpt)


@dataclass(slots=True)
class _Draft:
    """An instruction as written: its tokens, and the label that it jumps to, if any."""

    word: _Token
    counter: int = 0
    target: _Token | None = None


@dataclass(slots=True)
class _Reader:
    source: _Source
    counters: dict[str, int] = field(default_factory=dict)
    labels: dict[str, tuple[_Token, int]] = field(default_factory=dict)
    drafts: list[_Draft] = field(default_factory=list)

    def read(self) -> None:
        for number, text in enumerate(self.source.lines, 1):
            code = text.partition("#")[0]
            tokens = [_Token(found[0], number, found.start() + 1) for found in _TOKEN.finditer(code)]
            self.line([*tokens, _Token("", number, len(code.rstrip()) + 1)])
        if not self.drafts:
            raise MachineError("the machine has no instruction", self.source.path, hint="the smallest machine is: halt")

    def line(self, tokens: list[_Token]) -> None:
        while len(tokens) > 2 and tokens[1].text == ":":
            self.label(tokens[0])
            tokens = tokens[2:]
        if tokens[0].text == "":
            return
        used = self.initial_value(tokens) if tokens[0].text in COUNTERS else self.instruction(tokens)
        if tokens[used].text:
            hint = "write one instruction a line, and comments after #"
            raise self.source.error(tokens[used], f"{tokens[used].text!r} after the end of the line's meaning", hint)

    def label(self, token: _Token) -> None:
        if not token.text.isidentifier() or token.text in RESERVED:
            raise self.source.error(token, f"{token.text!r} cannot be a label", "a label is a word of its own")
        if token.text in self.labels:
            first = self.labels[token.text][0].line
            raise self.source.error(token, f"the label {token.text!r} is already on line {first}")
        self.labels[token.text] = token, len(self.drafts)

    def initial_value(self, tokens: list[_Token]) -> int:
        counter = tokens[0]
        if self.drafts or self.labels:
            hint = f"to change a counter as the machine runs, write inc {counter.text} or dec {counter.text} else LABEL"
            raise self.source.error(counter, "initial values come before the first instruction", hint)
        if counter.text in self.counters:
            raise self.source.error(counter, f"{counter.text} already has an initial value")
        self.expect(tokens, 1, "=", f"write {counter.text} = 3")
        number = tokens[2]
        if not number.text.isdecimal() or len(number.text) > MOST_DIGITS:
            raise self.source.error(number, f"expected a natural number of at most {MOST_DIGITS} digits")
        self.counters[counter.text] = int(number.text)
        return 3

    def instruction(self, tokens: list[_Token]) -> int:
        word = tokens[0]
        if word.text not in INSTRUCTIONS:
            close = difflib.get_close_matches(word.text, [*INSTRUCTIONS, *COUNTERS], 1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise self.source.error(
                word, f"{word.text!r} is no instruction", f"{hint}the instructions are {', '.join(INSTRUCTIONS)}"
            )
        if word.text != "halt" and sum(each.word.text != "halt" for each in self.drafts) == MOST_INSTRUCTIONS:
            raise self.source.error(word, f"a machine has at most {MOST_INSTRUCTIONS} instructions besides halt")
        draft = _Draft(word)
        self.drafts.append(draft)
        example = f"write {INSTRUCTIONS[word.text]}"
        used = 1
        if word.text in ("inc", "dec"):
            if tokens[1].text not in COUNTERS:
                raise self.source.error(tokens[1], f"expected a counter, {' or '.join(COUNTERS)}", example)
            draft.counter = 1 + COUNTERS.index(tokens[1].text)
            used = 2
        if word.text == "dec":
            self.expect(tokens, 2, "else", example)
            used = 3
        if word.text in ("dec", "jump"):
            if not tokens[used].text.isidentifier() or tokens[used].text in RESERVED:
                raise self.source.error(tokens[used], "expected a label", example)
            draft.target = tokens[used]
            used += 1
        return used

    def expect(self, tokens: list[_Token], index: int, text: str, hint: str) -> None:
        if tokens[index].text != text:
            raise self.source.error(tokens[index], f"expected {text!r}", hint)

    def machine(self, name: str, comment: str) -> Machine:
        moving = [index for index, draft in enumerate(self.drafts) if draft.word.text != "halt"]
        places = {index: location for location, index in enumerate(moving)}
        halting = len(moving)
        instructions = tuple(self.resolved(index, places, halting) for index in moving)
        labels = tuple((label, places.get(index, halting)) for label, (_, index) in self.labels.items())
        initial = self.counters.get("c1", 0), self.counters.get("c2", 0)
        return Machine(name, instructions, places.get(0, halting), initial, labels, comment)

    def resolved(self, index: int, places: dict[int, int], halting: int) -> Instruction:
        draft = self.drafts[index]
        target = -1 if draft.target is None else places.get(self.line_of(draft.target), halting)
        if draft.word.text == "jump":
            return Jump(target)
        if index + 1 == len(self.drafts):
            raise self.source.error(draft.word, "the machine runs past its last instruction", "end with halt or jump")
        after = places.get(index + 1, halting)
        return Increment(draft.counter, after) if draft.target is None else Decrement(draft.counter, after, target)

    def line_of(self, label: _Token) -> int:
        """The number of the instruction that a label names."""
        if label.text not in self.labels:
            close = difflib.get_close_matches(label.text, self.labels, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"put {label.text}: before an instruction"
            raise self.source.error(label, f"there is no label {label.text!r}", hint)
        token, index = self.labels[label.text]
        if index == len(self.drafts):
            raise self.source.error(token, f"no instruction comes after the label {label.text!r}", "write halt there")
        return index


def parse_machine(text: str, path: str = "<machine>") -> Machine:
    """The machine that a text describes; raises MachineError with the position when it is none.

    Args:
        text: the text, in the format of this module.
        path: what errors call the text; the machine is named after it.
    """
    source = _Source(path, text.splitlines())
    reader = _Reader(source)
    reader.read()
    return reader.machine(Path(path).stem, _leading_comment(source.lines))


def read_machine(path: str | Path) -> Machine:
    """The machine in a file; raises MachineError when the file is missing, is no text or describes no machine."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MachineError("there is no such file", str(path)) from None
    except OSError as problem:
        raise MachineError(f"the file cannot be read: {problem.strerror or problem}", str(path)) from None
    except UnicodeDecodeError:
        raise MachineError("the file is not text in UTF-8", str(path)) from None
    return parse_machine(text, str(path))


def _leading_comment(lines: list[str]) -> str:
    """The comment lines before the first line of another kind."""
    found: list[str] = []
    for line in lines:
        if not line.lstrip().startswith("#"):
            break
        found.append(line.lstrip().lstrip("#").strip())
    return "\n".join(found)
