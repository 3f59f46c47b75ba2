"""Long formulas on several lines: broken at the connective that binds least, or inside parentheses."""

from __future__ import annotations

import re
import textwrap

WIDTH = 74
"""How many columns a formula may take; with the indentation of a page this makes at most 80."""

_CONNECTIVES = (" ⊢ ", " ≡ ", " ⇒ ", " ∨ ", " ∧ ", " = ", " ≠ ", " ≤ ", " < ", " ≥ ", " > ", " + ", " - ")
"""Where a line may end, what binds least first."""
_BINDER = re.compile(r"λ.*?\. ")


def laid_out(text: str, width: int = WIDTH) -> tuple[str, ...]:
    """The lines of a formula, each of at most `width` columns, indented to show what belongs together."""
    return tuple(_lines(text, 0, width))


def _lines(text: str, indent: int, width: int) -> list[str]:
    indent = min(indent, width // 2)  # what is nested deeper stays there: the page is not wider
    if indent + len(text) <= width:
        return [" " * indent + text]
    if _is_monomial(text):
        return _monomial(text, indent, width)
    binder = _BINDER.match(text)
    if binder:
        return _led(binder.group(), text[binder.end() :], indent, width)
    for connective in _CONNECTIVES:
        parts = _split(text, connective)
        if len(parts) > 1:
            first, *rest = parts
            lines = _lines(first, indent, width)
            for part in rest:
                lines += _led(connective.lstrip(), part, indent, width)
            return lines
    return _opened(text, indent, width)


def _is_monomial(text: str) -> bool:
    """Whether a text is one monomial, ⟨sources | condition ↦ head⟩."""
    return text.startswith("⟨") and text.endswith("⟩") and _groups(text) == [(0, len(text) - 1)]


def _monomial(text: str, indent: int, width: int) -> list[str]:
    """The lines of a monomial: its sources, its condition and its head below each other."""
    before, *after = _split(text[1:-1], " ↦ ")
    sources, *conditions = _split(before, " | ")
    lines = _led("⟨", sources, indent, width)
    for lead, parts in (("| ", conditions), ("↦ ", after)):
        for part in parts:
            lines += _led(lead, part, indent, width)
    return [*lines[:-1], f"{lines[-1]}⟩"]


def _led(lead: str, text: str, indent: int, width: int) -> list[str]:
    """The lines of a text after a connective or binder: to the right of it, or below where that is too far right."""
    if indent + len(lead) > width // 2:
        return [*_lines_of_ends(lead.rstrip(), indent, width), *_lines(text, indent + 2, width)]
    first, *rest = _lines(text, indent + len(lead), width)
    return [" " * indent + lead + first.lstrip(), *rest]


def _opened(text: str, indent: int, width: int) -> list[str]:
    """The lines of a text whose largest outermost parentheses are put on lines of their own."""
    groups = _groups(text)
    if not groups:
        return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))
    start, end = max(groups, key=lambda group: group[1] - group[0])
    head, inside, tail = text[: start + 1], text[start + 1 : end], text[end:]
    arguments = [inside] if text[start] == "⟨" else _split(inside, ", ")
    lines = _lines_of_ends(head, indent, width)
    for index, argument in enumerate(arguments, 1):
        comma = "," if index < len(arguments) else ""
        lines += _lines(argument + comma, indent + 2, width)
    return lines + _lines_of_ends(tail, indent, width)


def _lines_of_ends(text: str, indent: int, width: int) -> list[str]:
    """The lines of what stands before or after opened parentheses."""
    if indent + len(text) <= width:
        return [" " * indent + text]
    return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2))


def _depths(text: str) -> list[int]:
    """How many brackets each character stands inside of; the brackets themselves count as outside."""
    depths, depth = [], 0
    for character in text:
        depth = max(0, depth - (character in ")⟩"))  # a literal may have brackets, too
        depths.append(depth)
        depth += character in "(⟨"
    return depths


def _groups(text: str) -> list[tuple[int, int]]:
    """The places of the outermost pairs of brackets."""
    found, opening = [], -1
    for place, (character, depth) in enumerate(zip(text, _depths(text), strict=True)):
        if depth == 0 and character in "(⟨":
            opening = place
        elif depth == 0 and character in ")⟩" and opening >= 0:
            found.append((opening, place))
            opening = -1
    return found


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside of brackets."""
    parts, start, depths = [], 0, _depths(text)
    for place in range(len(text) - len(separator) + 1):
        if place >= start and depths[place] == 0 and text.startswith(separator, place):
            parts.append(text[start:place])
            start = place + len(separator)
    return [*parts, text[start:]]
