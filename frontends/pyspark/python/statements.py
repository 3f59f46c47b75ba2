"""Statements of the source, and the calls that run them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, negation
from tallystick.frontends.pyspark.python import arithmetic, gathered, loops, slots
from tallystick.frontends.pyspark.python.attempts import Attempts, computed_before, kinds_of
from tallystick.frontends.pyspark.python.binding import Parts, bind
from tallystick.frontends.pyspark.python.functions.table import BUILTINS
from tallystick.frontends.pyspark.python.growing_dictionaries import filled
from tallystick.frontends.pyspark.python.growing_lists import is_private
from tallystick.frontends.pyspark.python.lists_in_order import backwards
from tallystick.frontends.pyspark.python.matching import matched
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.outcomes import GOES_ON, Outcome, always_return, choose, falls_through, in_turn
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.sorting_in_place import is_sorted
from tallystick.frontends.pyspark.scoping.constructs import construct
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.groups import Gathered, Group, Products
from tallystick.frontends.pyspark.values.held_lists import item_of_list
from tallystick.frontends.pyspark.values.kinds import (
    Closure,
    Frame,
    Generator,
    Ignored,
    Listing,
    Raises,
    Ranked,
    Spread,
    Unusable,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import NominalType
from tallystick.frontends.pyspark.values.options import MISSING, implies_literal, narrowed

_NO_RETURN: Final = "return a value on every path; give each `if` an `else`"
SUPPORTED: Final = (
    "supported are assignments, `if` / `elif` / `else`, `match`, `for` over what has a fixed number of items, "
    "`return`, `try` with one `except`, `def`, `import` and `pass`"
)


def run(reader: Reading, function: Closure, frame: Frame) -> Value:
    """The value that a function returns, its parameters being bound in `frame`."""
    node, source = function.node, function.source
    if isinstance(node, ast.Lambda):
        return reader.evaluate(node.body, frame)
    if _is_generator(node):
        return _generated(reader, node, frame)
    outcome = run_block(reader, node.body, frame)
    value = MISSING if outcome.value is None else outcome.value
    if outcome.value is not None and outcome.returned is not TRUE:  # where it ends without `return`, it returns None
        value = reader.merge(outcome.returned, outcome.value, MISSING, "every value returned")
        if isinstance(value, Unusable):
            message = f"`{node.name}` can end without `return`, and then returns None"
            raise source.place(falls_through(node.body) or node).error(message, _NO_RETURN)
    if isinstance(value, Unusable):
        raise source.place(node.body[-1]).error(f"the value returned {value.reason}", value.hint)
    return value


def _is_generator(node: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(each, ast.FunctionDef | ast.Lambda | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(each)
    return False


def _generated(reader: Reading, node: ast.FunctionDef, frame: Frame) -> Value:
    """What a generator function yields, in order."""
    outside, reader.yields = reader.yields, []
    around, reader.source_of_yields = reader.source_of_yields, None
    try:
        outcome = run_block(reader, node.body, frame)
        items, source, count = tuple(reader.yields), reader.source_of_yields, reader.yields_of_source
    finally:
        reader.yields, reader.source_of_yields = outside, around
    if outcome.value not in (None, MISSING) and not isinstance(outcome.value, Raises):
        raise frame.scope.source.place(node).error("a generator that returns a value is not supported")
    if source is not None and len(items) != (0 if isinstance(source, Products) else count):
        message = "a generator that yields outside of its loop, too, is not supported"
        raise frame.scope.source.place(node).error(message, "make a list of all items, or unite two RDDs")
    if isinstance(source, Group):
        return replace(source, items=items, kind="iterable", once=True)
    if isinstance(source, Products):
        return replace(source, once=True)
    return Generator(items) if source is None else Spread(source.pieces, source.item, items, True)


def run_block(reader: Reading, block: Sequence[ast.stmt], frame: Frame) -> Outcome:
    """Run the statements of a block; their bindings stay in `frame`."""
    outcome = GOES_ON
    for index, statement in enumerate(block):
        place = frame.scope.source.place(statement)
        with reader.nested(place), reader.assuming(negation(outcome.returned)):
            after = run_statement(reader, statement, frame, place)
        for value in frame.values.values():
            if isinstance(value, Term):
                reader.computed(value, place)
        outcome = in_turn(reader, outcome, after)
        if index + 1 < len(block) and outcome.broke is not FALSE:
            raise place.error("`break` is supported in the branches of `if`", "write an `if` around it")
        if index + 1 < len(block) and falls_through([statement]) is None:
            raise frame.scope.source.place(block[index + 1]).error("this is never reached", "remove it")
        if outcome.returned is TRUE:  # Python never runs the rest
            return outcome
    return outcome


def run_statement(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> Outcome:
    """Run one statement."""
    if filled(reader, statement, frame, place) or slots.changed(reader, statement, frame, place):
        return GOES_ON
    match statement:
        case ast.Return(value=ast.expr() as value):
            return Outcome(TRUE, reader.evaluate(value, frame))
        case ast.Return():
            return Outcome(TRUE, MISSING)
        case ast.If():
            return _if(reader, statement, frame)
        case ast.Assign(targets=targets, value=value):
            parts = _parts(reader, targets, value, frame)
            if reader.attempts is not None:
                reader.attempts.note_unpacking(targets, parts, reader.path, frame.scope.source.place(statement))
            for target in targets:
                bind(target, parts, frame)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            bind(target, reader.evaluate(value, frame), frame)
        case ast.AnnAssign(target=ast.Name()) | ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            pass
        case ast.AugAssign(target=ast.Name(id=name), op=operation, value=value):
            old = reader.names.lookup(name, frame, place)
            new = reader.evaluate(value, frame)
            if isinstance(old, Gathered) and (added := gathered.combined(type(operation), old, new, place)) is not None:
                gathered.assigned(name, old, frame, place)
                frame.values[name] = added
                return GOES_ON
            result = arithmetic.combine(place, type(operation), old, new)
            if reader.attempts is not None:
                reader.attempts.note(ast.BinOp(statement.target, operation, value), result, reader.path, place)
            frame.values[name] = result
        case ast.For():
            return loops.run(reader, statement, frame, run_block)
        case ast.Break() if frame.loop is not None:
            return Outcome(broke=TRUE)
        case ast.Try():
            return _try(reader, statement, frame, place)
        case ast.Match():
            return _match(reader, statement, frame)
        case ast.Assert():
            return _assert(reader, statement, frame, place)
        case ast.Raise():
            return _raise(reader, statement, frame, place)
        case ast.Expr(value=ast.Yield(value=ast.expr() as item)) if reader.yields is not None:
            value = item_of_list(reader.evaluate(item, frame), place, "what is yielded")
            reader.yields.append((reader.path, value))
            if reader.attempts is not None:
                reader.attempts.yielded = True
        case ast.Expr(value=ast.YieldFrom(value=through)) if reader.yields is not None:
            return loops.run_yield_from(reader, through, frame, run_block)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[item], keywords=[])
        ) if isinstance(frame.values.get(name), Gathered):
            gathered.changed(name, method, reader.evaluate(item, frame), frame, place)
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend" as method),
                args=[item],
                keywords=[],
            )
        ):
            grown(reader, name, method, item, frame, place)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="sort"), args=[], keywords=named)
        ) if is_sorted(name, statement, frame):
            given = {each.arg or "**": reader.evaluate(each.value, frame) for each in named}
            frame.values[name] = reader.call(BUILTINS["sorted"], place, [frame.values[name]], given)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="reverse"), args=[], keywords=[])
        ) if isinstance(whole := frame.values.get(name), Ranked) and is_sorted(name, statement, frame):
            frame.values[name] = backwards(whole, place)
        case ast.Expr(value=value):
            reader.evaluate(value, frame)
        case ast.FunctionDef():
            frame.values[statement.name] = reader.decorated(reader.closure(statement, frame), frame)
        case ast.Import() | ast.ImportFrom():
            frame.values.update(reader.names.imported(statement, frame.scope.source))
        case _:
            raise place.error(f"{construct(statement)} is not supported", SUPPORTED)
    return GOES_ON


def _assert(reader: Reading, statement: ast.Assert, frame: Frame, place: Place) -> Outcome:
    """What follows runs only where the assertion holds; where it does not, Python raises an exception."""
    condition = reader.condition(statement.test, frame, "what is asserted")
    if not reader.in_udf:
        reader.raises_unless(condition, place)
        return GOES_ON
    if implies_literal(reader.path, condition):  # the body of a `try`, where it raises nothing
        return GOES_ON
    if reader.attempts is not None:
        if not isinstance(statement.msg, ast.Constant | None):
            raise place.error("the message of an assertion in a `try` must be constant", "write `if … : raise …`")
        reader.attempts.note_assertion(conjunction(reader.path, negation(condition)), place)
    return Outcome(negation(condition), Raises())


def _raise(reader: Reading, statement: ast.Raise, frame: Frame, place: Place) -> Outcome:
    if not reader.in_udf:
        raise place.error("`raise` is supported in functions that run on elements only", "write `assert`")
    if reader.attempts is not None:
        match statement.exc:
            case ast.Call(func=ast.Name() as named, args=arguments, keywords=[]):
                _compute_message(reader, arguments, frame)
            case ast.Name() as named:
                pass
            case _:
                message = "which exception this raises, in a `try`, is not followed"
                raise place.error(message, "write `raise ValueError(text)`")
        (kind,) = kinds_of(ast.ExceptHandler(named, None, []), place)
        reader.attempts.note_raise(kind, reader.path, place)
    return Outcome(TRUE, Raises())


def _compute_message(reader: Reading, arguments: Sequence[ast.expr], frame: Frame) -> None:
    """Read what an exception is made of, which may raise another exception before."""
    for each in arguments:
        for part in each.values if isinstance(each, ast.JoinedStr) else [each]:
            plain = isinstance(part, ast.FormattedValue) and part.format_spec is None
            reader.evaluate(part.value if plain else part, frame)  # type: ignore[attr-defined]


def grown(reader: Reading, name: str, method: str, item: ast.expr, frame: Frame, place: Place) -> None:
    """`append` or `extend` of a list of this function, under the conditions of the code around it."""
    before = frame.values.get(name)
    if not isinstance(before, Listing) or not is_private(name, frame.scope):
        hint = "make it by `[…]`, append, read and return it, and give it no other name"
        raise place.error(f"`{method}` is supported of a list that this function made, and keeps to itself", hint)
    if method == "extend":
        if reader.attempts is None:  # else the list has the items before the one that raises
            reader.goes_through(item)
        more = items_of(reader.evaluate(item, frame), frame.scope.source.place(item), "what a list is extended by")
        added = [(there, item_of_list(each, place, "an item of a list")) for there, each in more]
        frame.values[name] = Listing((*before.items, *added))
        return
    value = item_of_list(reader.evaluate(item, frame), frame.scope.source.place(item), "an item of a list")
    frame.values[name] = Listing((*before.items, (TRUE, value)))


def _parts(reader: Reading, targets: Sequence[ast.expr], value: ast.expr, frame: Frame) -> Parts:
    """The value to bind targets to. A tuple that every target takes apart is a list: it may hold RDDs."""
    if isinstance(value, ast.Tuple) and all(_takes_apart(target, value) for target in targets):
        columns = zip(*(target.elts for target in targets if isinstance(target, ast.Tuple | ast.List)), strict=True)
        return [_parts(reader, each, part, frame) for each, part in zip(columns, value.elts, strict=True)]
    if all(isinstance(each, ast.Tuple | ast.List) for each in targets):
        reader.goes_through(value)
    return reader.evaluate(value, frame)


def _takes_apart(target: ast.expr, value: ast.Tuple) -> bool:
    if not isinstance(target, ast.Tuple | ast.List):
        return False
    starred = any(isinstance(each, ast.Starred) for each in (*target.elts, *value.elts))
    return not starred and len(target.elts) == len(value.elts)


def _if(reader: Reading, statement: ast.If, frame: Frame) -> Outcome:
    condition = reader.condition(statement.test, frame, "the condition of `if`")
    ends = falls_through(statement.body) is None, bool(statement.orelse) and falls_through(statement.orelse) is None
    if isinstance(statement.body[-1], ast.Raise) and implies_literal(reader.path, negation(condition)):
        condition = FALSE  # the body of a `try`, where it raises nothing
    return choose(
        reader,
        condition,
        lambda: run_block(reader, statement.body, frame),
        lambda: run_block(reader, statement.orelse, frame),
        ends,
        frame,
    )


def _try(reader: Reading, statement: ast.Try, frame: Frame, place: Place) -> Outcome:
    """The body, or the handler where the body raises: it is read once to see when, and then under that condition."""
    if statement.finalbody or not statement.handlers:
        raise place.error("`try` with `finally` is not supported", "write what follows after it")
    if not reader.in_udf:
        raise place.error("`try` is supported in functions that run on elements only", "write conditions")
    before, yielded = dict(frame.values), None if reader.yields is None else list(reader.yields)
    around, reader.attempts = reader.attempts, Attempts(computed_before(frame))
    try:
        outcome = run_block(reader, statement.body, frame)
        attempts = reader.attempts
    finally:
        reader.attempts = around
    values = [*frame.values.values(), *(() if outcome.value is None else (outcome.value,))]
    attempts.require_noted([*values, *(item for _, item in reader.yields or ())], place)
    made = {name for name, value in frame.values.items() if before.get(name) is not value}
    frame.values, reader.yields = before, yielded
    source = frame.scope.source
    kinds = [kinds_of(handler, source.place(handler)) for handler in statement.handlers]
    conditions = attempts.caught(kinds, source.place(statement.handlers[0]))
    body = [*statement.body, *statement.orelse]

    def handled(handler: ast.ExceptHandler) -> Outcome:
        unsure = Unusable("may have got a value before the exception", "assign it before the `try`")
        frame.values.update(dict.fromkeys(made, unsure))
        if handler.name is not None:
            frame.values[handler.name] = Ignored()
        return run_block(reader, handler.body, frame)

    def first_that_catches(handlers: list[tuple[Term, ast.ExceptHandler]]) -> Outcome:
        if not handlers:
            return run_block(reader, body, frame)
        (fails, handler), *others = handlers
        blocks = [body, *(other.body for _, other in others)]
        ends = falls_through(handler.body) is None, all(falls_through(block) is None for block in blocks)
        return choose(reader, fails, lambda: handled(handler), lambda: first_that_catches(others), ends, frame)

    return first_that_catches(list(zip(conditions, statement.handlers, strict=True)))


def _match(reader: Reading, statement: ast.Match, frame: Frame) -> Outcome:
    subject = kept(reader.evaluate(statement.subject, frame), frame.scope.source.place(statement.subject))
    return _cases(reader, _exhausted(reader, statement.cases, subject, frame), subject, frame)


def _exhausted(
    reader: Reading, cases: Sequence[ast.match_case], subject: Value, frame: Frame
) -> Sequence[ast.match_case]:
    """The cases, where the last one matches whatever is left if they name all members of the subject's enum."""
    of = subject.type if isinstance(subject, Term) else None
    if not (isinstance(of, NominalType) and of.members):
        return cases
    plain = [each.pattern for each in cases if each.guard is None]
    if len(plain) < len(cases) or not all(isinstance(each, ast.MatchValue) for each in plain):
        return cases
    named = {reader.evaluate(each.value, frame) for each in plain}  # type: ignore[attr-defined]
    if len(named) < len(of.members) or any(not isinstance(each, Term) or each.type != of for each in named):
        return cases
    last = ast.copy_location(ast.MatchAs(), plain[-1])
    return [*cases[:-1], ast.match_case(last, None, cases[-1].body)]


def _cases(reader: Reading, cases: Sequence[ast.match_case], subject: Value, frame: Frame) -> Outcome:
    """The first case that matches runs."""
    if not cases:
        return GOES_ON
    first, *others = cases
    if isinstance(subject, Term):
        subject = narrowed(subject, reader.path)
    condition, bound = matched(reader, first.pattern, subject, frame)
    if first.guard is not None:
        with reader.assuming(condition):
            _bind_names(reader, bound, frame)
            holds = reader.condition(first.guard, frame, "the guard")
        # Python keeps the names bound where the guard does not hold: no other case may read what they were before.
        unsure = Unusable("may be bound by a pattern whose guard does not hold", "give each pattern names of its own")
        frame.values.update(dict.fromkeys(bound, unsure))
        condition = conjunction(condition, holds)

    def run_first() -> Outcome:
        _bind_names(reader, bound, frame)
        return run_block(reader, first.body, frame)

    ends = falls_through(first.body) is None, bool(others) and always_return(others)
    return choose(reader, condition, run_first, lambda: _cases(reader, others, subject, frame), ends, frame)


def _bind_names(reader: Reading, bound: Mapping[str, Value], frame: Frame) -> None:
    for name, value in bound.items():
        frame.values[name] = narrowed(value, reader.path) if isinstance(value, Term) else value
