"""What `tallystick qe` prints."""

from __future__ import annotations

from tallystick.core.presburger.lift import eliminate
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.printing import LATEX, NOTATIONS, show
from tallystick.core.presburger.steps import eliminate_in_steps
from tallystick.core.presburger.syntax import parse


def eliminate_text(text: str, steps: bool = False, notation: str = "text", limits: Limits = DEFAULT_LIMITS) -> str:
    r"""The quantifier-free equivalent of a formula in concrete syntax, with the derivation if `steps`.

    `notation` is "text" or "latex". Raises FormulaSyntaxError, LimitError, and KeyError for another notation.

    >>> print(eliminate_text("exists y. 2*y < x and x < 2*y + 2"))
    2 | x + 1
    >>> print(eliminate_text("exists y. x = 3*y", notation="latex"))
    3 \mid x
    """
    style = NOTATIONS[notation]
    formula = parse(text)
    if not steps:
        return show(eliminate(formula, limits), style)
    lines, result = eliminate_in_steps(formula, style, limits)
    shown = show(result, style)
    if style is not LATEX:
        return "\n".join([*lines, f"Result: {shown}"])
    items = "\n".join(line if line.startswith(" ") else f"\\item {line}" for line in lines)
    broken = items.replace("\n  ", " \\\\\n  ")
    return f"\\begin{{enumerate}}\n{broken}\n\\end{{enumerate}}\nResult: ${shown}$"
