"""A proof by rewriting in words: which subqueries are exchanged, pulled out and named, and the proof about the rest."""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.evidence import Step
from tallystick.certificates.judgements import Goal
from tallystick.certificates.queries.kernel import goal_of
from tallystick.certificates.queries.printing import statement_lines
from tallystick.certificates.queries.proofs import Exchange, Pull, Rewriting
from tallystick.certificates.queries.pulling import pushed
from tallystick.certificates.queries.rewriting import Rewriter, exchange_goal
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.bags import free_of_charge
from tallystick.core.queries.syntax import Query, Statement
from tallystick.explaining.document import Block, Code, Formula, Paragraph, Section
from tallystick.explaining.layout import laid_out
from tallystick.explaining.queries.evidence import Found
from tallystick.explaining.queries.notation import Notation
from tallystick.explaining.queries.proof import proof_blocks


def rewriting_blocks(
    left: Statement, right: Statement, catalogue: Catalogue, rewriting: Rewriting
) -> tuple[tuple[Block, ...], Found]:
    """The blocks that explain a proof by rewriting that the kernel has accepted, and what its evidence uses."""
    rewriter = Rewriter(left, right, catalogue, free_of_charge)
    found = Found()
    blocks: list[Block] = []
    for step in rewriting.steps:
        if isinstance(step, Exchange):
            goal = exchange_goal(rewriter, step.old, step.new, step.unfolded)
            what = f"On the {step.side}, a subquery gives way to one that returns the same"
            subqueries = _exchanged(step.old, step.new, rewriter.catalogue)
            blocks.append(Section(what, (*subqueries, *_proved(goal, step.proof, rewriter, found)), folded=True))
            rewriter.exchange(step.side, step.old, step.new)
        elif isinstance(step, Pull):
            below = pushed(step.filtered)
            what = f"On the {step.side}, a condition on groups or partitions holds for all rows of each"
            blocks.append(Section(what, _exchanged(below, step.filtered, rewriter.catalogue), folded=True))
            rewriter.exchange(step.side, below, step.filtered)
        else:
            known = rewriter.catalogue
            name = rewriter.name(step.query).table
            blocks.append(Section(f"`{name}` is what a subquery returns", (_code(step.query, known),), folded=True))
    one, other = replace(left, query=rewriter.sides["left"]), replace(right, query=rewriter.sides["right"])
    goal = goal_of(one, other, rewriter.catalogue)
    rest = _proved(goal, rewriting.proof, rewriter, found)
    whole = "What is left of both queries is the same, whatever rows the named subqueries return:"
    return (*blocks, Paragraph(whole), *rest), found


def _proved(goal: Goal, proof: Step, rewriter: Rewriter, found: Found) -> tuple[Block, ...]:
    """A judgement and its proof."""
    blocks, used = proof_blocks(goal, proof, rewriter.catalogue)
    for words in used.constraints:
        found.constraint(words)
    notation = Notation(rewriter.catalogue)
    shown = f"{notation.text(goal.left)} ≡ {notation.text(goal.right)}"
    return (Formula(laid_out(shown)), *blocks)


def _exchanged(old: Query, new: Query, catalogue: Catalogue) -> tuple[Block, ...]:
    return (_code(old, catalogue), Paragraph("gives way to"), _code(new, catalogue))


def _code(query: Query, catalogue: Catalogue) -> Code:
    names = tuple(f"column {number + 1}" for number in range(len(query.columns)))
    return Code("\n".join(statement_lines("the subquery", Statement(query, names), catalogue)))
