"""What was read of a project and what was not, by cause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from tallystick.experiments.dbt.reading import Kind, Outcome

TITLES: Final[dict[Kind, str]] = {
    "refused": "refused, by the first cause in a model",
    "guess": "where a guess of a type may be wrong",
    "unknown columns": "columns of inputs are not known",
    "not rendered": "not rendered",
}


@dataclass(frozen=True)
class Cause:
    """Why some models were not read, and where the first of them says so."""

    text: str
    count: int
    first: str


@dataclass(frozen=True)
class Report:
    """The outcomes of the models of a project."""

    dialect: str
    outcomes: Sequence[Outcome]

    def count(self, kind: Kind) -> int:
        """How many models came out so."""
        return sum(outcome.kind == kind for outcome in self.outcomes)

    @property
    def judged(self) -> int:
        """The models whose columns are known: read, or refused for what they say."""
        return self.count("read") + self.count("refused")

    def causes(self, kind: Kind) -> list[Cause]:
        """The causes of an outcome, the most frequent first."""
        found: dict[str, list[str]] = {}
        for outcome in self.outcomes:
            if outcome.kind == kind:
                found.setdefault(cause(outcome.message), []).append(outcome.place)
        ordered = sorted(found.items(), key=lambda each: -len(each[1]))
        return [Cause(text, len(places), places[0]) for text, places in ordered]

    def text(self) -> str:
        """The counts, and the causes with theirs."""
        read, share = self.count("read"), f"{self.count('read') / max(1, self.judged):.1%}"
        lines = [
            f"{len(self.outcomes)} models, {len(self.outcomes) - self.count('not rendered')} rendered; {self.dialect}",
            f"{read} read, {self.count('refused')} refused: {share} of the {self.judged} whose columns are known",
        ]
        for kind, title in TITLES.items():
            causes = self.causes(kind)
            lines += ["", f"{title}: {self.count(kind)}"] if causes else []
            lines += [f"{each.count:5} {each.text}  {each.first}" for each in causes]
        return "\n".join(lines)

    def json(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "dialect": self.dialect,
            "models": len(self.outcomes),
            **{kind.replace(" ", "_"): self.count(kind) for kind in get_args(Kind)},
            "causes": {
                kind.replace(" ", "_"): [
                    {"cause": each.text, "count": each.count, "first": each.first} for each in self.causes(kind)
                ]
                for kind in TITLES
            },
        }


def cause(message: str) -> str:
    """A message without the names and values of one model."""
    text = re.sub(r"/\*.*?\*/|'[^']*'", "…", message.split("\n")[0])
    return re.sub(r"the column \S+( (?:holds|is|cannot))", r"a column\1", text)[:100].strip()
