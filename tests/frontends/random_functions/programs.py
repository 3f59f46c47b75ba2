"""Random programs over `r: RDD[tuple[str, int]]`, and inputs for them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent

from . import driver, expressions, groups, patterns, statements
from .grammar import Grammar, Scope
from .preamble import PREAMBLE

ROOMS = (expressions, statements, patterns, groups, driver)
KINDS = sorted({kind for room in ROOMS for kind in room.RULES})
RULES = {kind: tuple(each for room in ROOMS for each in room.RULES.get(kind, ())) for kind in KINDS}
LEAVES = {kind: leaves for room in ROOMS for kind, leaves in room.LEAVES.items()}
Rows = list[tuple[str, int]]
ELEMENTS: Rows = [
    *(("a", 3), ("", 0), ("12", -4), ("a,b", 7), ("b,-5", 2)),
    *((" 7 ", 1), ("x,y,z", -1), ("Ab", 12), ("-3", 5), ("4,2", 4)),
]
CHANGED = {"n": ("n", "m"), "t": ("name", "t")}
GIVEN = {"n": ("n",), "t": ("name",)}
START = "\n\n# what is random\n"
PROGRAM = "def p(r: 'RDD[tuple[str, int]]'):\n"


@dataclass(frozen=True)
class RandomProgram:
    """A program `p`, the inputs that it is compared on, and the templates that it is made of."""

    source: str
    inputs: tuple[Rows, ...]
    templates: frozenset[str]


def programs(seed: int) -> Iterator[RandomProgram]:
    """Programs of each sort."""
    grammar = Grammar(RULES, LEAVES, seed)
    chosen = random.Random(seed)
    bags = tuple([(chosen.choice("ab"), chosen.randint(-4, 6)) for _ in range(size)] for size in (0, 1, 3, 6))
    each = tuple([element] for element in ELEMENTS)
    texts = (ELEMENTS[2:7], [*ELEMENTS[5:], *ELEMENTS[5:]])

    def lines(kind: str, depth: int, scope: Scope, indented: int = 1) -> str:
        return indent(grammar.draw(kind, depth, scope), indented * "    ")

    blocks = f"{lines('block', 3, CHANGED)}\n{lines('block', 3, CHANGED)}"
    functions = {
        f"    m, t = n, name\n{blocks}\n    return m, t": "map",
        f"    return {grammar.draw('b', 3, GIVEN)}": "filter",
        f"    return {grammar.draw('n', 3, GIVEN)}": "map",
        lines("yields", 3, GIVEN): "flatMap",
    }
    for body, method in functions.items():
        yield _made(grammar, f"def f(name, n):\n{body}", f"    return r.{method}(lambda e: f(*e))", each)
    partition = f"def f(part):\n    for name, n in part:\n{lines('each', 2, GIVEN, 2)}"
    yield _made(grammar, partition, "    return r.mapPartitions(f)", each)
    yield _made(grammar, grammar.draw("functions", 3, {}), f"    return {grammar.draw('program', 3, {})}", bags)
    for kind in ("loop", "look", "result"):
        yield _made(grammar, "", lines(kind, 3, {}), (*bags, *texts))


def _made(grammar: Grammar, functions: str, body: str, inputs: tuple[Rows, ...]) -> RandomProgram:
    templates = frozenset(grammar.used)
    grammar.used = Counter()
    return RandomProgram(f"{PREAMBLE}{START}{functions}\n\n\n{PROGRAM}{body}\n", inputs, templates)
