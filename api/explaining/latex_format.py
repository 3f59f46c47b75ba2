"""Documents as LaTeX: formulas in mathematical notation, by the words and signs of `core/pretty.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tallystick.explaining.document import (
    Block,
    Changes,
    Code,
    Document,
    Formula,
    Items,
    Paragraph,
    Section,
    Tables,
    spans,
)

PREAMBLE = r"""\documentclass[a4paper]{article}
\usepackage[margin=22mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,fancyvrb}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt plus 2pt}
\allowdisplaybreaks
"""

_SIGNS = {
    "λ": r"\lambda ",
    "⊥": r"\bot ",
    "⊢": r"\vdash ",
    "≡": r"\equiv ",
    "≢": r"\not\equiv ",
    "∧": r"\land ",
    "∨": r"\lor ",
    "¬": r"\lnot ",
    "⇒": r"\Rightarrow ",
    "∃": r"\exists ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "×": r"\times ",
    "·": r"\cdot ",
    "*": r"\cdot ",
    "φ": r"\varphi ",
    "Γ": r"\Gamma ",
    "𝒩": r"\mathcal{N}",
    "⟨": r"\langle ",
    "⟩": r"\rangle ",
    "↦": r"\mapsto ",
    "|": r"\mid ",
    "★": r"\star ",
    "≐": r"\doteq ",
    "∅": r"\emptyset ",
    "…": r"\dots ",
    "{{": r"\{\!\{",
    "}}": r"\}\!\}",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "%": r"\%",
    "&": r"\&",
    "$": r"\$",
    "\\": r"\backslash ",
    "~": r"\sim ",
    "^": r"\hat{}",
    "_": r"\_",
    "'": "'",
    **{subscript: f"_{{{digit}}}" for digit, subscript in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}
"""Signs of the notation in mathematics."""

_TOKEN = re.compile(
    r"(?<![\w'])'(?P<literal>[^']*)'|x_(?P<slot>[^\W\d]\w*)|[λφΓ]|(?P<word>[^\W\d_]\w*|_\w+)(?P<applied>\()?|(?P<number>\d+)|\{\{|\}\}|."
)
_SPACED = {
    "div": r"\mathbin{\mathrm{div}}",
    "mod": r"\mathbin{\mathrm{mod}}",
    "is": r"\mathrel{\mathrm{is}}",
    "not": r"\mathrel{\mathrm{not}}",
    "NULL": r"\mathrm{NULL}",
}
_TEXT_SIGNS = {
    **{sign: rf"\ensuremath{{{latex.strip()}}}" for sign, latex in _SIGNS.items() if ord(sign[0]) > 127},
    **{sign: rf"\{sign}" for sign in "#%&$_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "ᵖ": r"\textsuperscript{p}",
    "ᵇ": r"\textsuperscript{b}",
}
_HEADINGS = ("section", "subsection", "subsubsection", "paragraph")


_DECLARATIONS = "\n".join(
    rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{latex}}}"
    for sign, latex in _TEXT_SIGNS.items()
    if ord(sign) > 255  # inputenc knows Latin-1
)
"""What the signs are where users write them in their code."""


def to_latex(document: Document) -> str:
    """The document as a LaTeX file that stands alone."""
    lines = [
        PREAMBLE + _DECLARATIONS,
        rf"\title{{{_words(document.title)}}}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
    ]
    for block in document.blocks:
        lines += ["", *_block(block, 0)]
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def mathematics(text: str) -> str:
    """A formula in the notation of `core/pretty.py` as LaTeX for mathematical mode."""
    return "".join(_token(found) for found in _TOKEN.finditer(text)).strip()


def _token(found: re.Match[str]) -> str:
    whole = found.group()
    if found["literal"] is not None:
        return rf"\text{{'{_words(found['literal'])}'}}"
    if found["slot"]:
        return f"x_{{{_name(found['slot'])}}}"
    if found["word"]:
        word = found["word"]
        if word in _SPACED:
            return _SPACED[word] + (found["applied"] or "")
        base, subscript = re.fullmatch(r"(.*?)([₀-₉]*)", word).groups()  # type: ignore[union-attr]
        style = r"\mathrm" if found["applied"] or word in ("true", "false", "Bag", "Int", "Bool") else ""
        name = f"{style}{{{_escaped(base)}}}" if style else _name(base)
        return name + "".join(_SIGNS[digit] for digit in subscript) + (found["applied"] or "")
    return _SIGNS.get(whole, whole)


def _name(word: str) -> str:
    """A name in italics; what is a letter and a number, such as M1, with an index."""
    if len(word) == 1:
        return word
    return f"{word[0]}_{{{word[1:]}}}" if word[1:].isdecimal() else rf"\mathit{{{_escaped(word)}}}"


def _escaped(word: str) -> str:
    return word.replace("_", r"\_")


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(markup):
            yield _inline(markup) + r"\par"
        case Formula(lines):
            shown = [rf"&{_indentation(line)}{mathematics(line.strip())}&" for line in lines]  # to the left
            yield r"\begin{flalign*}"
            yield " \\\\\n".join(shown)
            yield r"\end{flalign*}"
        case Code(source):
            yield from _verbatim(source)
        case Tables(lines):
            yield from _verbatim("\n".join(lines))
        case Changes(lines):
            yield from _verbatim("\n".join(f"{sign} {line}".rstrip() for sign, line in lines))
        case Items(entries):
            for depth, entry in entries:
                yield rf"\hspace*{{{depth}em}}\textbullet\ {_inline(entry)}\par"
        case Section(title, blocks):
            yield rf"\{_HEADINGS[min(level, len(_HEADINGS) - 1)]}*{{{_inline(title)}}}"
            for inner in blocks:
                yield ""
                yield from _block(inner, level + 1)


def _verbatim(source: str) -> Iterator[str]:
    yield from (r"\begin{Verbatim}[fontsize=\small]", "".join(map(_in_code, source)), r"\end{Verbatim}")


def _in_code(character: str) -> str:
    known = ord(character) < 256 or character in _TEXT_SIGNS
    return character if known else f"<U+{ord(character):04X}>"


def _indentation(line: str) -> str:
    depth = len(line) - len(line.lstrip())
    return rf"\hspace*{{{depth / 2:g}em}}" if depth else ""


def _inline(markup: str) -> str:
    return "".join(rf"\({mathematics(part)}\)" if is_formula else _words(part) for is_formula, part in spans(markup))


def _words(text: str) -> str:
    return "".join(_TEXT_SIGNS.get(character, character) for character in text)
