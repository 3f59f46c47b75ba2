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
    one, other = ({each.parameter: each for each in of.defaults} for of in (left, right))
    for name in {**one, **other}:
        pair = one.get(name), other.get(name)
        if len({None if each is None else each.value for each in pair}) > 1:
            shown = " and ".join("none" if each is None else each.shown for each in pair)
            return f"the default of `{name}` differs: {shown}; compared for every `{name}`"
    return None
