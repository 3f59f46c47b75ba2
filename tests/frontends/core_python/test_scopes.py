"""Scopes are those of CPython's `symtable`: on the corpus, on random nests of scopes, and on files of the product."""

from __future__ import annotations

import ast
import symtable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.frontends.python.scopes import OWN_CLASS, Scope, Scopes, mangled
from tallystick.frontends.python.syntax import Builtin, CellVariable, Global, Local, OfClass

ROOT = Path(__file__).parents[3]
FILES = sorted([*(ROOT / "tests" / "corpus").glob("*.py"), *(ROOT / "frontends" / "python").rglob("*.py")])


def require_same(table: symtable.SymbolTable, scope: Scope, scopes: Scopes) -> int:
    """Compares what each name is in a scope, and in those inside of it, with CPython; how many names there were.

    A function of the name `top` is a module for CPython's `symtable`.
    """
    module_names = {mangled(name, "") for name in scopes.module.bound}
    count = 0
    for symbol in table.get_symbols() if scope.kind == "module" or table.get_name() != "top" else ():
        name = symbol.get_name()
        if name.startswith(".") or name == OWN_CLASS or (symbol.is_annotated() and not symbol.is_assigned()):
            continue
        if scope.kind == "function" and name not in scope.bound | scope.used | scope.declared_global | scope.captured:
            continue  # of an annotation, which is not evaluated
        found, count = scopes.resolve(name, scope), count + 1
        if symbol.is_free():
            assert found == CellVariable(name, True), (table, symbol)
        elif scope.kind == "module" or symbol.is_global():
            known = name in module_names or scopes.module.has_star
            assert found == (Global(name) if known else Builtin(name)), (table, symbol)
        elif scope.kind == "class":
            assert found == OfClass(name), (table, symbol)
        else:
            assert found in (Local(name), CellVariable(name, False)), (table, symbol)
            assert isinstance(found, CellVariable) == is_seen_inside(table, name), (table, symbol)
    children = [each for each in table.get_children() if each.get_type() in ("function", "class")]
    inside = sorted(scope.inner, key=lambda each: order(scopes, each))
    ordered = sorted(children, key=lambda each: (each.get_lineno(), each.get_name()))
    assert len(inside) == len(children)
    if len({(each.get_lineno(), each.get_name()) for each in children}) == len(children):
        pairs = zip(ordered, inside, strict=True)
        count += sum(require_same(one, other, scopes) for one, other in pairs)
    return count


def is_seen_inside(table: symtable.SymbolTable, name: str) -> bool:
    """Whether functions in a scope see a name of it; through the body of a class with such a name, too."""
    for each in table.get_children():
        free = name in each.get_identifiers() and each.lookup(name).is_free()
        if free or (each.get_type() == "class" and is_seen_inside(each, name)):
            return True
    return False


def order(scopes: Scopes, scope: Scope) -> tuple[int, str]:
    (node,) = [node for node, each in scopes.of.items() if each is scope]
    names = {ast.Lambda: "lambda", ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp"}
    name = getattr(node, "name", None) or names.get(type(node), "genexpr")
    return node.lineno, name  # type: ignore[attr-defined]


def compared(text: str) -> int:
    scopes = Scopes(ast.parse(text))
    return require_same(symtable.symtable(text, "jobs.py", "exec"), scopes.module, scopes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_of_files_are_what_cpython_says(path: Path) -> None:
    assert compared(path.read_text()) > 0 or path.name == "__init__.py"


NAMES = st.sampled_from(["a", "b", "__c", "list"])
LEAVES = st.one_of(
    NAMES.map(lambda name: f"print({name})"),
    NAMES.map(lambda name: f"{name} = 1"),
    NAMES.map(lambda name: f"for {name} in (1, 2): pass"),
    NAMES.map(lambda name: f"({name} := 3)"),
    NAMES.map(lambda name: f"import sys as {name}"),
    NAMES.map(lambda name: f"{name} += 1"),
    NAMES.map(lambda name: f"del {name}"),
    st.tuples(NAMES, NAMES).map(lambda two: f"print([{two[0]} for {two[0]} in {two[1]}])"),
    st.tuples(NAMES, NAMES).map(lambda two: f"print(lambda {two[0]}: {two[1]})"),
    st.tuples(NAMES, NAMES).map(lambda two: f"try: pass\nexcept ValueError as {two[0]}: {two[1]}"),
    st.tuples(NAMES, NAMES).map(lambda two: f"match {two[0]}:\n    case [{two[1]}, *_]: pass"),
)
INNER = st.one_of(LEAVES, NAMES.map(lambda name: f"global {name}"), NAMES.map(lambda name: f"nonlocal {name}"))


def indented(body: list[str]) -> str:
    return "\n".join(f"    {line}" for each in body for line in each.splitlines())


def nested(bodies: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(st.one_of(bodies, INNER), min_size=1, max_size=4).map(indented)
    function = st.tuples(NAMES, NAMES, several).map(lambda made: f"def {made[0]}({made[1]}=1):\n{made[2]}")
    return st.one_of(function, st.tuples(NAMES, several).map(lambda made: f"class {made[0]}:\n{made[1]}"))


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.one_of(LEAVES, st.recursive(LEAVES, nested, max_leaves=8)), min_size=1, max_size=5))
def test_names_in_nested_scopes_are_what_cpython_says(statements: list[str]) -> None:
    text = "\n".join(statements)
    try:
        compile(text, "jobs.py", "exec")
    except SyntaxError:
        return
    compared(text)
