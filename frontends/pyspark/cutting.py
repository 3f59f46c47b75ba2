"""Programs whose by-key folds keep what the results use of them, and no more.

`reduceByKey(later).mapValues(lambda o: o.day)` folds whole orders, of which only the days matter, and what `later`
compares. What else the orders have may depend on how elements with equal keys are placed; what is kept does not.

A component of what is accumulated is kept where the result uses it, or a component that is kept depends on it, in the
step or where results of partitions are merged. So what is kept evolves as before, in every order and partitioning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tallystick.core.terms import (
    Operator,
    Parameter,
    Term,
    accumulator,
    build,
    default_term,
    element,
    project,
    rebuild,
    simplified,
    tuple_of,
)
from tallystick.core.types import BasicType, TupleType
from tallystick.frontends.pyspark.program import SourceProgram
from tallystick.frontends.pyspark.rdds.folds import FoldCall

Path = tuple[int, ...]


def with_used_components(source: SourceProgram) -> SourceProgram:
    """The program whose folds by key and one function accumulate what its result uses; itself where that is all."""
    calls = {call.term: call for call in source.folds if isinstance(call.merge, Term) and not call.two_functions}
    made: list[FoldCall] = []
    done: dict[Term, Term] = {}

    def cut(term: Term) -> Term:
        if term not in done:
            found = _cut(term, calls, made) if term.operator is Operator.MAP else None
            if found is None:
                found = (
                    build(term.operator, tuple(map(cut, term.arguments)), term.parameter) if term.arguments else term
                )
            done[term] = found
        return done[term]

    expression = cut(source.program.expression)
    if not made:
        return source
    program = replace(source.program, expression=expression)
    return replace(source, program=program, folds=(*source.folds, *made))


def _cut(term: Term, calls: Mapping[Term, FoldCall], made: list[FoldCall]) -> Term | None:
    """What a chain of maps makes of a fold of which it does not use all; None where it uses all."""
    udfs, fold = [], term
    while fold.operator is Operator.MAP:
        udfs.append(fold.arguments[0])
        fold = fold.arguments[1]
    call = calls.get(fold)
    if fold.operator is not Operator.FOLD_BY_KEY or call is None or not isinstance(call.merge, Term):
        return None
    initial, step, bag = fold.arguments
    state: BasicType = initial.type  # type: ignore[assignment]
    if any(_is_function(udf) for udf in (step, call.merge)):
        return None
    pair = element(fold.type.element)  # type: ignore[union-attr]
    value = pair
    for udf in reversed(udfs):
        value = rebuild(udf, dict.fromkeys(udf.bound, value), False, _pushed)
    paths = _leaves(state)
    used = {path[1:] for path in _used(value, pair) if path[0] == 1}
    kept = _closed(used, {path: _needed(path, step, call.merge, state) for path in paths})
    if len(kept) == len(paths) or not kept:
        return None
    places = {path: place for place, path in enumerate(path for path in paths if path in kept)}

    def parts(of: Callable[[Path], Term]) -> Term:
        found = [of(path) for path in places]
        return found[0] if len(found) == 1 else tuple_of(*found)

    small: BasicType = parts(lambda path: _at(initial, path)).type  # type: ignore[assignment]

    def whole(root: Term) -> Term:
        """A state with what is kept of it, and anything for the rest."""
        return _shaped(state, (), lambda path, of: _part(root, places, path) if path in places else default_term(of))

    before = {accumulator(state): whole(accumulator(small))}
    merging = {**before, element(state): whole(element(small))}
    new_step = parts(lambda path: rebuild(_at(step, path), before, False, _pushed))
    merge = parts(lambda path: rebuild(_at(call.merge, path), merging, False, _pushed))  # type: ignore[arg-type]
    folded = build(Operator.FOLD_BY_KEY, (parts(lambda path: _at(initial, path)), new_step, bag))
    row = element(folded.type.element)  # type: ignore[union-attr]
    made.append(replace(call, term=folded, merge=merge, result=None, parts=()))
    return build(
        Operator.MAP,
        (rebuild(value, {pair: tuple_of(project(row, 0), whole(project(row, 1)))}, False, _pushed), folded),
    )


def _is_function(udf: Term) -> bool:
    """Whether a UDF applies functions of Python, which may raise, or folds."""
    waiting, seen = [udf], set[Term]()
    while waiting:
        node = waiting.pop()
        if node.operator in (Operator.APPLY, Operator.FOLD, Operator.FOLD_BY_KEY):
            return True
        waiting += [each for each in node.arguments if each not in seen]
        seen.update(node.arguments)
    return False


def _part(root: Term, places: Mapping[Path, int], path: Path) -> Term:
    return root if len(places) == 1 else project(root, places[path])


def _needed(path: Path, step: Term, merge: Term, state: BasicType) -> set[Path]:
    """The components of states that one component depends on, after a step or a merge."""
    after, merged = _at(step, path), _at(merge, path)
    roots = (after, accumulator(state)), (merged, accumulator(state)), (merged, element(state))
    return set().union(*(_used(term, root) for term, root in roots))


def _closed(used: set[Path], needed: Mapping[Path, set[Path]]) -> set[Path]:
    found, waiting = set[Path](), list(used)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += needed[path]
    return found


def _used(term: Term, root: Term) -> set[Path]:
    """The components of `root` without components of their own that a term mentions."""
    found: set[Path] = set()
    waiting, seen = [term], set[Term]()
    while waiting:
        node = waiting.pop()
        if node in seen or not (node.bound or node is root):
            continue
        seen.add(node)
        path, inner = (), node
        while inner.operator is Operator.PROJECTION:
            path, inner = (inner.parameter, *path), inner.arguments[0]
        if inner is root:
            found.update((*path, *rest) for rest in _leaves(node.type))  # type: ignore[arg-type]
        else:
            waiting += node.arguments
    return found


def _leaves(of: BasicType) -> list[Path]:
    if not isinstance(of, TupleType):
        return [()]
    return [(place, *rest) for place, part in enumerate(of.components) for rest in _leaves(part)]


def _shaped(of: BasicType, path: Path, leaf: Callable[[Path, BasicType], Term]) -> Term:
    if not isinstance(of, TupleType):
        return leaf(path, of)
    return tuple_of(*(_shaped(part, (*path, place), leaf) for place, part in enumerate(of.components)))


def _at(term: Term, path: Path) -> Term:
    for place in path:
        term = _pushed(Operator.PROJECTION, (term,), place)
    return term


def _pushed(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
    """Like `simplified`, with projections moved into conditionals."""
    if operator is Operator.PROJECTION and arguments[0].operator is Operator.ITE:
        condition, then, otherwise = arguments[0].arguments
        parts = (_pushed(operator, (part,), parameter) for part in (then, otherwise))
        return simplified(Operator.ITE, (condition, *parts))
    return simplified(operator, arguments, parameter)
