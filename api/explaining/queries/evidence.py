"""Refutation trees of premises about queries in readable steps: rows that are opened, keys that are used, lemmas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tallystick.certificates.evidence import (
    Apply,
    Check,
    Extremum,
    Foreign,
    Key,
    Lemma,
    Member,
    Open,
    Refutation,
    Sign,
    Step,
    Use,
)
from tallystick.certificates.facts import Facts
from tallystick.certificates.forms import Form
from tallystick.certificates.instances import added
from tallystick.certificates.judgements import Goal, Premise
from tallystick.core.binders import fresh_rows, instantiate
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.terms import Term, conjunction, equal, negation
from tallystick.explaining.document import Items
from tallystick.explaining.queries.notation import Notation
from tallystick.explaining.refutations import Narration, narrated
from tallystick.explaining.refutations import Step as Line


@dataclass
class Found:
    """What the refutations of a proof use: constraints in words, and the lemmas that they rest on."""

    constraints: list[str] = field(default_factory=list)
    lemmas: list[tuple[Goal, Step]] = field(default_factory=list)

    def constraint(self, words: str) -> None:
        """Adds a constraint, once."""
        if words not in self.constraints:
            self.constraints.append(words)

    def lemma(self, goal: Goal, proof: Step) -> int:
        """The number of a lemma, from 1; the same one has one number."""
        known = (goal, proof)
        if known not in self.lemmas:
            self.lemmas.append(known)
        return self.lemmas.index(known) + 1


def evidence_steps(goal: Goal, premise: Premise, evidence: Refutation, notation: Notation, found: Found) -> Items:
    """Why a premise is valid, from evidence that the kernel has accepted."""
    facts = Facts((*goal.rows, *premise.rows), goal.catalogue)
    return narrated(_QueryNarration({}, facts, notation=notation, found=found), premise.formula, evidence)


_FACT = re.compile(r"\((\d+)\) (`.*`)")
"""A line that tells a fact."""


@dataclass(kw_only=True)
class _QueryNarration(Narration):
    """A refutation over rows while it is told."""

    notation: Notation
    found: Found
    short: dict[Term, str] = field(default_factory=dict)
    defined: int = 0

    def write(self, term: Term) -> str:
        """The text of a term over the rows of the branch."""
        return self.notation.over(tuple(self.facts.rows), self.short).text(term)

    def told(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Lines, each after the definitions of the names that it is the first to use.

        A fact that only repeats the line before it adds its number to that line.
        """
        last: Line | None = None
        for depth, line in lines:
            for term in list(self.short)[self.defined :]:
                if last is not None:
                    yield last
                plain = self.notation.over(tuple(self.facts.rows))
                last = (depth, f"Write `{self.short[term]}` for `{plain.text(term)}`.")
            self.defined = len(self.short)
            repeated = last is not None and _FACT.fullmatch(line)
            if repeated and last is not None and last[1].endswith(f": {repeated[2]}."):
                last = (last[0], f"{last[1][:-1]} ({repeated[1]}).")
                continue
            if last is not None:
                yield last
            last = (depth, line)
        if last is not None:
            yield last

    def other_steps(self, node: Refutation, depth: int) -> Iterator[Line]:
        """The lines about a node that adds rows, or a formula that is true of every database."""
        match node:
            case Open(number, children):
                yield from self._opened(number, children, depth)
            case Lemma():
                known = tuple(self.facts.unknowns)[node.unknown]
                literals = (self.facts.facts[place].origin for place in node.hypotheses)
                hypothesis = conjunction(*(t if holds else negation(t) for t, holds in filter(None, literals)))
                rows = tuple(self.facts.rows[: node.rows])
                about = Goal(hypothesis, known, node.term, rows, self.facts.relations)
                lemma = self.found.lemma(about, node.proof)
                yield depth, f"By lemma {lemma}: `{self.write(equal(known, node.term))}`."
                yield from self._then(equal(known, node.term), node.rest, depth)
            case Use() | Extremum() | Key() | Foreign() | Check() | Member() | Apply() | Sign():
                formula = added(self.facts, node)
                yield depth, f"{self._reason(node)}: `{self.write(formula)}`."
                yield from self._then(formula, node.rest, depth)
            case _:
                yield from super().other_steps(node, depth)

    def _then(self, formula: Term, rest: Refutation, depth: int) -> Iterator[Line]:
        before = len(self.facts.facts)
        with self.facts.branch():
            self.facts.assume((formula, True))
            yield from self.known(before, rest, depth)
            yield from self.steps(rest, depth)

    def _opened(self, number: int, children: tuple[Refutation, ...], depth: int) -> Iterator[Line]:
        fact = self.facts.facts[number]
        assert isinstance(fact, Form)  # the kernel has accepted this tree
        [binder] = fact.coefficients
        monomials = binder.arguments[0].arguments
        for place, (monomial, child) in enumerate(zip(monomials, children, strict=True), 1):
            before, first = len(self.facts.facts), len(self.facts.rows)
            rows = fresh_rows(monomial, first)
            opened = instantiate(monomial, rows)
            with self.facts.branch():
                self.facts.rows.extend(opened.sources)
                named = self.notation.over(tuple(self.facts.rows))
                new = ", ".join(
                    f"`{named.write(x)}: {named.write(s)}`" for x, s in zip(rows, opened.sources, strict=True)
                )
                which = f"case {place} of {len(children)}, " if len(children) > 1 else ""
                yield depth, f"By ({number}) there are rows: {which}{new or 'none'}."
                self.facts.assume((opened.condition, True))
                inner = depth + (len(children) > 1)
                yield from self.known(before, child, inner)
                yield from self.steps(child, inner)

    def _table(self, number: int) -> Table:
        """The table of a row of the branch: keys and checks name no other rows."""
        table = self.notation.table(self.facts.rows[number])
        assert table is not None
        return table

    def _reason(self, node: Refutation) -> str:
        """Why the formula that a node adds is true; constraints are noted."""
        match node:
            case Key(first, _, key):
                table = self._table(first)
                words = f"{table.name} has the key ({_names_of(table.columns, table.keys[key])})"
            case Foreign(number, key):
                table = self._table(number)
                reference = table.foreign_keys[key]
                target = self.notation.catalogue.by_name[reference.table]
                words = (
                    f"{table.name} ({_names_of(table.columns, reference.columns)}) refers to "
                    f"{target.name} ({_names_of(target.columns, reference.referenced)})"
                )
            case Check(number, check):
                table = self._table(number)
                place = check - len(table.checks)
                column = table.columns[table.bounded[place]].name if place >= 0 else ""
                of = f"has values of {column} in their range" if column else f"satisfies its CHECK number {check + 1}"
                words = f"each row of {table.name} {of}"
            case Use():
                return "An instance"
            case Extremum():
                return "An extremum is attained, or its bag is empty"
            case Member():
                return "What a block has, its bags have"
            case Apply():
                return "Equal arguments give equal values"
            case _:
                return "A sum of nothing is 0"
        self.found.constraint(words)
        return f"Since {words}"


def _names_of(columns: tuple[Column, ...], places: tuple[int, ...]) -> str:
    return ", ".join(columns[place].name for place in places)
