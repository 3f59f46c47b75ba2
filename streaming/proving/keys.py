"""The keys of a program: by what its inputs fall into parts that it treats each by itself.

A program is *key-wise* if each input record has a key such that the outputs on a stream are, put together, the outputs
on the parts of the stream with one key each. Records of different keys never meet. If a formula is false of a key-wise
program on some stream, it is false on what is left of the stream when only the keys of witnesses are kept.
"""

from __future__ import annotations

from tallystick.core.terms import Operator, Term, constant, project, substitute, subterms
from tallystick.core.types import BOOL, INT, BasicType
from tallystick.streaming.proving.functions import leaves_of
from tallystick.streaming.proving.recording import NotUnderstoodError
from tallystick.streaming.proving.shapes import Branch, Program


def keys_of(shapes: Program) -> dict[str, Term]:
    """The key of the records of each input that some reduction uses, as a term over its element.

    Raises `NotUnderstoodError` for a program that is not seen to be key-wise: one that brings records together by one
    key and then by another.
    """
    keys: dict[str, Term] = {}
    for reduction in shapes.reductions:
        for branch in reduction.branches:
            key = project(branch.value, 0)
            if not branch.source.is_input:
                if key is not project(branch.source.element, 0):
                    raise NotUnderstoodError("the program reduces what it has reduced, by another key")
            elif keys.setdefault(branch.source.name, key) is not key:
                raise NotUnderstoodError(f"the program brings records of {branch.source.name} together by two keys")
    if len({key.type for key in keys.values()}) > 1:
        raise NotUnderstoodError("the program has keys of several types")
    return keys


def type_of_keys(keys: dict[str, Term]) -> BasicType:
    """The type of all keys."""
    return next((key.type for key in keys.values()), INT)  # type: ignore[return-value]


def number_of_keys(keys: dict[str, Term], needed: int) -> int:
    """How many keys there are to be looked at, of which `needed` are enough: never more than there are."""
    if not keys:
        return 0
    if set(keys.values()) == {constant(0)}:
        return 1
    leaves = leaves_of(next(iter(keys.values())))
    return min(needed, 2 ** len(leaves)) if all(leaf.type == BOOL for leaf in leaves) else needed


def key_of_record(keys: dict[str, Term], branches: tuple[Branch, ...], record: Term) -> Term | None:
    """The key that a record of a stream has, whichever branch it comes from; None if that is not seen."""
    found: set[Term] = set()
    for branch in branches:
        source = branch.source
        if branch.value is not source.element:
            return None
        key = keys.get(source.name) if source.is_input else project(source.element, 0)
        if key is None:
            return None
        found.add(substitute(key, {source.element: record}))
    whole = next(iter(found)) if len(found) == 1 else None
    return whole if whole is not None and all(map(_is_plain, subterms(whole))) else None


def _is_plain(term: Term) -> bool:
    return term.operator in (Operator.CONSTANT, Operator.TUPLE)
