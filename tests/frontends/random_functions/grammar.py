"""Random texts of a grammar whose rules are templates of Python.

In a template, `<n>` stands for any text of the kind `n`, `@1`, `@2` for names that nothing else has, and a line that is
`<block>` for statements. `<n +@1:n>` may use `@1`, a name of the kind `n`, beside those in scope; `<n =@1:n>` may use
it alone.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from textwrap import indent

Rules = Mapping[str, Sequence[str]]
Scope = Mapping[str, tuple[str, ...]]

_PLACE = re.compile(r"<(\w+)((?: [+=]@?\w+:\w+)*)>")
_LINE = re.compile(r"^( *)<(\w+)((?: [+=]@?\w+:\w+)*)>$", re.MULTILINE)


class Grammar:
    """Draws texts of some kinds.

    Attributes:
        used: the templates that were drawn since this was emptied.
    """

    def __init__(self, rules: Rules, leaves: Rules, seed: int) -> None:
        self._rules, self._leaves = rules, leaves
        self._random = random.Random(seed)
        self._fresh = count()
        self.used: Counter[str] = Counter()

    def draw(self, kind: str, depth: int, scope: Scope) -> str:
        """A text of a kind, whose templates nest at most so deep."""
        leaves = [*scope.get(kind, ()), *self._leaves.get(kind, ())]
        if kind not in self._rules or (depth <= 0 and leaves):
            return self._random.choice(leaves)
        template = self._random.choice(self._rules[kind])
        self.used[template] += 1
        numbers = sorted(set(re.findall(r"@\d", template)))
        for number in numbers:
            template = template.replace(number, f"v{next(self._fresh)}")

        def lines(found: re.Match[str]) -> str:
            return indent(self.draw(found[2], depth - 1, _extended(scope, found[3])), found[1])

        def inside(found: re.Match[str]) -> str:
            return self.draw(found[1], depth - 1, _extended(scope, found[2]))

        return _PLACE.sub(inside, _LINE.sub(lines, template))


def _extended(scope: Scope, names: str) -> Scope:
    found = [(each[0], *each[1:].split(":")) for each in names.split()]
    result = {} if any(how == "=" for how, _, _ in found) else dict(scope)
    for _, name, kind in found:
        result[kind] = (*result.get(kind, ()), name)
    return result
