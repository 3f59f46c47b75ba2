"""`for` loops: what goes through so many items is unrolled, and what goes through others is read once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, negation
from tallystick.frontends.pyspark.python import driver_loops, group_loops, inner_loops, products
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.driver_loops import grown_in, is_only_grown
from tallystick.frontends.pyspark.python.expressions import comprehensions
from tallystick.frontends.pyspark.python.group_dictionaries import keys_of
from tallystick.frontends.pyspark.python.growing_lists import is_private
from tallystick.frontends.pyspark.python.one_time import refuse_changes_in_loop
from tallystick.frontends.pyspark.python.outcomes import GOES_ON, Outcome, choose, falls_through, in_turn
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.rounds import straightened
from tallystick.frontends.pyspark.python.sequences import Items, bounded, items_of
from tallystick.frontends.pyspark.python.texts import spread_of
from tallystick.frontends.pyspark.rdds.sources import SOURCES
from tallystick.frontends.pyspark.scoping.scopes import Binding, position_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import (
    Frame,
    Listing,
    Spread,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.rounds import Round

RunBlock = Callable[[Reading, Sequence[ast.stmt], Frame], Outcome]
"""Runs the statements of a block."""
_YIELDED: Final = "item of yield from"
"""The name of the target of `yield from`, as a loop; the source has no such name."""


def run_yield_from(reader: Reading, through: ast.expr, frame: Frame, run_block: RunBlock) -> Outcome:
    """`yield from through`, as the loop that yields each item of it."""
    target, item = ast.Name(_YIELDED, ast.Store()), ast.Name(_YIELDED, ast.Load())
    body = ast.Expr(ast.Yield(item))
    loop = ast.For(target, through, [body], [])
    for node in (target, item, body, body.value, loop):
        ast.copy_location(node, through)
    frame.scope.bindings.setdefault(_YIELDED, [Binding(target, False)])
    return run(reader, loop, frame, run_block)


def run(reader: Reading, statement: ast.For, frame: Frame, run_block: RunBlock) -> Outcome:
    """A loop, and its `else`, which runs where no `break` ended it."""
    where = frame.scope.source.place(statement.iter)
    if statement.orelse:
        loop = ast.copy_location(ast.For(statement.target, statement.iter, statement.body, []), statement)
        outcome = _loop(reader, loop, frame, where, run_block)
        ends = False, falls_through(statement.orelse) is None
        with reader.assuming(negation(outcome.returned)):
            otherwise = choose(
                reader,
                outcome.broke,
                lambda: GOES_ON,
                lambda: run_block(reader, statement.orelse, frame),
                ends,
                frame,
            )
        return in_turn(reader, replace(outcome, broke=FALSE), otherwise)
    return replace(_loop(reader, statement, frame, where, run_block), broke=FALSE)


def _loop(reader: Reading, statement: ast.For, frame: Frame, where: Place, run_block: RunBlock) -> Outcome:
    """A loop without `else`; where `broke` holds, `break` ended it."""
    through = spread_of(keys_of(reader.evaluate(statement.iter, frame)))
    refuse_changes_in_loop(statement, through, where)
    if isinstance(through, SOURCES) and not reader.in_udf:
        body = straightened(statement.body)
        return driver_loops.run(reader, statement, through, frame, lambda: run_block(reader, body, frame), where)
    if isinstance(through, Spread) and statement in reader.inner_loops:
        return inner_loops.run(reader, statement, through, frame, run_block, where)
    if isinstance(through, Group) and _made_of_pairs(reader, statement, frame, where):
        return GOES_ON
    yields = reader.yields is not None and any(
        isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(statement)
    )
    if (isinstance(through, Spread) and reader.yields is not None) or (isinstance(through, Group) and yields):
        return _for_each(reader, statement, through, frame, run_block)
    if isinstance(through, Group):
        body = straightened(statement.body)

        def once() -> group_loops.Left:
            outcome = run_block(reader, body, frame)
            return outcome.returned, outcome.value, outcome.broke

        return Outcome(*group_loops.run(reader, statement, through, frame, once, where))
    if isinstance(through, Spread) and _appended(reader, statement, through, frame, run_block):
        return GOES_ON
    items = bounded(items_of(through, where, "what the loop goes through"), where)
    outermost = frame.loop is None
    frame.loop = position_of(statement) if outermost else frame.loop
    outcome = _rounds(reader, statement, straightened(statement.body), items, frame, run_block)
    frame.loop = None if outermost else frame.loop
    return outcome


def _made_of_pairs(reader: Reading, statement: ast.For, frame: Frame, where: Place) -> bool:
    """Run two loops over groups that make a list of pairs of items, and do nothing else; False for other loops."""
    loops = products.nested(statement)
    if loops is None or reader.attempts is not None:
        return False
    made = comprehensions.products(reader, loops.made, frame, where)
    if made is None:
        return False
    if loops.to is True:
        if reader.source_of_yields is not None or reader.yields or reader.path is not TRUE:
            raise where.error("a generator with more than these loops is not supported", "yield in one loop only")
        reader.source_of_yields = made
    else:
        before = frame.values.get(loops.to)
        if not isinstance(before, Listing) or before.items or not is_private(loops.to, frame.scope):
            raise where.error(f"`{loops.to}` is no empty list that this function made, and keeps to itself", "make one")
        if reader.path is not TRUE:
            raise where.error("loops over pairs of items under a condition are not supported", "test in the loops")
        frame.values[loops.to] = made
    bound = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    frame.values.update({name: Unusable("is the last value of a loop") for name in bound})
    return True


def _appended(reader: Reading, statement: ast.For, through: Spread, frame: Frame, run_block: RunBlock) -> bool:
    """Run a loop over a list of unknown length that appends to one list, all of whose items `flatMap` takes.

    Its body is read for one item, as rounds are apart; False for other loops.
    """
    before = dict(frame.values)
    lists = [name for name in grown_in(statement) if isinstance(before.get(name), Listing)]
    if frame.scope.node is not reader.flattened or len(lists) != 1:
        return False
    (name,) = lists
    if before[name].items or not is_private(name, frame.scope) or not is_only_grown(name, statement):  # type: ignore[union-attr]
        return False
    place, items = frame.scope.source.place(statement), list[tuple[Term, Term]]()
    each_round = Round(through)
    for there, item in each_round.items:
        frame.values = dict(before)
        with reader.nested(place), reader.assuming(there):
            bind(statement.target, item, frame)
            ended = run_block(reader, straightened(statement.body), frame) != GOES_ON
        made = frame.values[name]
        changed = [each for each in before if each != name and frame.values.get(each) is not before[each]]
        if ended or changed or not isinstance(made, Listing):
            raise place.error("rounds of this loop depend on those before", "make items of each element alone")
        items += [(conjunction(there, condition), each) for condition, each in made.items]
    bound = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    frame.values = {**before, **{each: Unusable("is the last value of a loop") for each in bound}}
    frame.values[name] = Spread(through.pieces, through.item, each_round.settled_items(tuple(items)))
    return True


def _rounds(
    reader: Reading,
    statement: ast.For,
    body: list[ast.stmt],
    items: Items,
    frame: Frame,
    run_block: RunBlock,
) -> Outcome:
    """The rounds of a loop for these items, where they are there; those after one that breaks run where it does not."""
    place = frame.scope.source.place(statement)
    outcome = GOES_ON
    for index, (there, item) in enumerate(items):

        def run_round(item: Value = item) -> Outcome:
            bind(statement.target, item, frame)
            return run_block(reader, body, frame)

        with reader.nested(place), reader.assuming(negation(outcome.returned)):
            after = choose(reader, there, run_round, lambda: GOES_ON, (False, False), frame)
            outcome = in_turn(reader, outcome, after)
            if (broke := outcome.broke) is not FALSE:
                others = items[index + 1 :]
                rest = choose(
                    reader,
                    broke,
                    lambda: GOES_ON,
                    lambda others=others: _rounds(reader, statement, body, others, frame, run_block),
                    (False, False),
                    frame,
                )
                return in_turn(reader, outcome, rest)
        if outcome.returned is TRUE:
            break
    return outcome


def _for_each(
    reader: Reading, statement: ast.For, through: Spread | Group, frame: Frame, run_block: RunBlock
) -> Outcome:
    """The loop of a generator over a list of unknown length, or a group, for one item: rounds are apart."""
    place = frame.scope.source.place(statement)
    if reader.source_of_yields is not None or reader.yields:
        raise place.error("a generator with more than this loop is not supported", "yield in one loop only")
    reader.source_of_yields = through
    before = dict(frame.values)
    each = Round(through)
    for there, item in each.items:
        frame.values = dict(before)
        with reader.nested(place), reader.assuming(there):
            bind(statement.target, item, frame)
            if run_block(reader, straightened(statement.body), frame) != GOES_ON:
                message = "`return` or `break` in the loop of a generator is not supported"
                raise place.error(message, "write a condition")
        changed = [name for name in before if frame.values.get(name) is not before[name]]
        if changed:
            message = f"`{changed[0]}` changes from round to round of this loop"
            raise place.error(message, "make items of each element alone")
    if reader.yields is not None:
        reader.yields[:] = each.settled_items(tuple(reader.yields))
    frame.values, reader.yields_of_source = before, len(reader.yields or ())
    return GOES_ON
