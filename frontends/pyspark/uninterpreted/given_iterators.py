"""`it = iter(xs)`, `first = next(it)`, `for x in it`: as a list of which the first items are taken apart.

That is the same where `it` is used for nothing else, and nothing changes `xs` from there on.
"""

from __future__ import annotations

import ast

from tallystick.frontends.pyspark.uninterpreted.names import TypingContext

_WRITTEN = ("len", "list")
"""The functions of Python's that are written in the place of an iterator."""
_COPIES = ("list", "sorted", "tuple")
"""Functions that give what has no other name."""


def without_iter(context: TypingContext, statements: list[ast.stmt], code: ast.FunctionDef | None) -> list[ast.stmt]:
    """The statements of a block without iterators that have a name, where these can be lists; the same each time."""
    made = next((each for each in statements if _made(context, each)), None)
    if made is None or code is None or context.trying or not all(_is_builtin(context, each, made) for each in _WRITTEN):
        return statements
    kept = context.growth.kept.setdefault(made, _rewritten(context, statements, made, code))
    assert isinstance(kept, list)
    return without_iter(context, kept, code) if kept is not statements else statements


def _is_call(context: TypingContext, node: ast.expr | None, name: str) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    return called and not node.keywords and context.find(name, node) is None  # type: ignore[union-attr]


def _made(context: TypingContext, statement: ast.stmt) -> bool:
    """Whether a statement gives a name to an iterator."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Call(args=[_]) as value) if _is_call(context, value, "iter"):
            return True
    return False


def _is_builtin(context: TypingContext, name: str, node: ast.AST) -> bool:
    return context.find(name, node) is None


def _uses(node: ast.AST, name: str) -> list[ast.Name]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == name]


def _rewritten(
    context: TypingContext, statements: list[ast.stmt], made: ast.stmt, code: ast.FunctionDef
) -> list[ast.stmt]:
    """The block, in which the first of its iterators is a list; the same block where that may mean something else."""
    assert isinstance(made, ast.Assign)
    assert isinstance(made.value, ast.Call)
    name, (through,) = made.targets[0].id, made.value.args  # type: ignore[attr-defined]
    place = statements.index(made)
    alone = isinstance(through, ast.Name) and _is_named_for_this(through, code)
    if not alone and not any(_is_call(context, through, copies) for copies in _COPIES):
        return statements
    listed = ast.Call(ast.Name("list", ast.Load()), [through], [])
    found = [*statements[:place], _at(made, ast.Assign(made.targets, listed))]
    taken = 0
    left = len(_uses(code, name)) - 1
    for each in statements[place + 1 :]:
        here = len(_uses(each, name))
        left -= here
        if here == 0:
            found.append(each)
            continue
        value = each.value if isinstance(each, ast.Assign) else None
        if here == 1 and isinstance(value, ast.Call) and _is_next(context, value, name):
            assert isinstance(each, ast.Assign)
            found.append(_at(each, ast.Assign(each.targets, _item(name, taken, value.args[1:]))))
            taken += 1
        elif here == 1 and isinstance(each, ast.For) and _is(each.iter, name) and left == 0:
            rest = ast.Subscript(ast.Name(name, ast.Load()), ast.Slice(ast.Constant(taken)), ast.Load())
            found.append(_at(each, ast.For(each.target, rest, each.body, each.orelse)))
        else:
            return statements
    return found if left == 0 else statements


def _is_next(context: TypingContext, value: ast.Call, name: str) -> bool:
    """Whether this is `next(it)`, perhaps with a constant for the case that nothing is left."""
    if not _is_call(context, value, "next") or not value.args or not _is(value.args[0], name):
        return False
    return len(value.args) < 3 and all(isinstance(each, ast.Constant) for each in value.args[1:])


def _item(name: str, place: int, default: list[ast.expr]) -> ast.expr:
    item = ast.Subscript(ast.Name(name, ast.Load()), ast.Constant(place), ast.Load())
    if not default:
        return item
    count = ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])
    return ast.IfExp(ast.Compare(count, [ast.Gt()], [ast.Constant(place)]), item, default[0])


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_named_for_this(through: ast.Name, code: ast.FunctionDef) -> bool:
    """Whether a name is read here alone."""
    return sum(isinstance(each.ctx, ast.Load) for each in _uses(code, through.id)) == 1


def _at(statement: ast.stmt, made: ast.stmt) -> ast.stmt:
    """A statement at the place of another."""
    return ast.fix_missing_locations(ast.copy_location(made, statement))
