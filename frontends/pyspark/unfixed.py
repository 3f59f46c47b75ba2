"""What two programs may do differently whose core programs are equal: choices in ties, defaults of parameters."""

from __future__ import annotations

from tallystick.frontends.pyspark.program import SourceProgram


def unfixed(left: SourceProgram, right: SourceProgram) -> str | None:
    """Why two programs whose core programs are equal may return other lists, in words; None where they do not.

    Where the order of one list fixes the elements, it does of both, since the pairs (order, element) are equal.
    """
    if (why := _other_defaults(left, right)) is not None:
        return why
    if not (left.cut and right.cut) or left.lineage() == right.lineage():
        return None
    where = "; ".join(dict.fromkeys((left.cut, right.cut)))
    return f"both keep some of several elements with equal keys, and nothing fixes which: {where}"


def _other_defaults(left: SourceProgram, right: SourceProgram) -> str | None:
    """Which default of a parameter differs, in words."""
    one, other = ({name: default for name, *default in each.defaults} for each in (left, right))
    for name in (*one, *(each for each in other if each not in one)):
        shown = [of[name][1] if name in of else "none" for of in (one, other)]
        values = [of[name][0] if name in of else None for of in (one, other)]
        if values[0] != values[1]:
            return f"the default of `{name}` differs: {shown[0]} and {shown[1]}; compared for every `{name}`"
    return None
