"""Constrained Horn clauses: invariants of folds, and of joint buckets, from Z3's Spacer engine.

Statement    The premises of FOLD and BYKEY with Inv unknown are Horn clauses: Inv holds initially, steps preserve it,
             and the conclusion holds where it does. A solution is an invariant. A refutation is a run: a list of
             index elements after which the conclusion fails (THEORY section 3, source 7).
Fragment     any folds, also inside the UDFs of later operators (a relation for each level of nesting), and by-key
             folds on both sides; over NoAgg bags.
Complete     no. A run over one input bag is an input on which the programs differ; over a product it may be none, so
             an input is only returned when the interpreter finds that the programs differ on it.
Certificate  FOLD or BYKEY with the invariant, made shorter as long as it serves (`readable`).

Counting to 5 against counting to 10, both with a reset: Spacer gives 18 clauses, of which a reader sees those that are
needed to conclude `(M1 = 0) = (M2 = 0 or M2 = 5)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tallystick.certificates.judgements import Premise
from tallystick.certificates.rules.by_key import Bucket, ByKey, KeysAgree, by_key_transitions
from tallystick.certificates.rules.fold import Fold, Transitions, fold_transitions
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.core import answers
from tallystick.core.clock import clock
from tallystick.core.errors import FragmentError
from tallystick.core.solvers.spacer import Clause, Derivation, Fact, Solution, solve
from tallystick.core.terms import TRUE, Operator, Term, aggregates, build, conjunction, negation, substitute
from tallystick.core.types import Value, is_basic
from tallystick.decision.inputs import inputs_from_model, parameters
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.readable import prove_shortly, simplify
from tallystick.decision.invariants.runs import Contents, after_step, assembled, literals, realised
from tallystick.decision.methods.affine_invariants import components
from tallystick.decision.methods.agg_one_key import by_key_folds
from tallystick.decision.methods.no_agg import find_matching
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Unknown
from tallystick.decision.tactics import Failed, evidence_for

NAME = "horn_invariants"
BY_KEY = "horn_by_key"
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Level:
    """Accumulators that step together: all folds of one depth of nesting, or a joint bucket.

    Attributes:
        states: the variables of the accumulators.
        transitions: their initial values and steps; a state without an initial value may have any.
        required: premises that have to hold whenever the level is in a state that it reaches.
    """

    states: tuple[Term, ...]
    transitions: Transitions
    required: tuple[Premise, ...]


def horn_invariants(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal by an invariant of its innermost folds, or by a run of its folds; None without folds."""
    induction = Induction.over(goal)
    if not induction.folds:
        return None
    levels = fold_levels(goal, context)
    if isinstance(levels, Unknown):
        return levels
    match _solved(goal, levels, context):
        case Unknown() as unknown:
            return unknown
        case Derivation(facts):
            return _refuted(goal, levels, facts, context, NAME)
        case Solution(relations):
            return prove_shortly(induction, relations[_relation(0)], context, NAME)


def horn_by_key(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal by an invariant of a joint bucket, also below CONG; None without by-key folds on both sides."""
    return by_key_folds(goal, context, _bucket_invariants, BY_KEY)


def fold_levels(goal: Goal, context: MethodContext) -> list[Level] | Unknown:
    """The levels of a goal's folds, innermost first, and what is left of the goal as a formula required of the last."""
    levels: list[Level] = []
    while True:
        induction = Induction.over(goal)
        if not induction.folds:
            break
        transitions = fold_transitions(induction.folds, induction.accumulators)
        orders = Fold(induction.folds, induction.accumulators, TRUE).requirements(goal).premises
        required = _unproved(orders, context)
        levels.append(Level(induction.accumulators, transitions, required))
        kept = conjunction(*(build(Operator.EQUAL, (state, state)) for state in induction.accumulators))
        goal = induction.conclusion(kept)  # names the accumulators, so that no later one takes their names
    if aggregates(goal.left) or aggregates(goal.right):
        return Unknown("folds over by-key folds have no Horn clauses here")
    claims = NoAgg(find_matching(goal)).requirements(Goal(TRUE, goal.left, goal.right)).premises
    last = levels[-1]
    required = (*last.required, *_unproved(claims, context))
    return [*levels[:-1], Level(last.states, last.transitions, required)]


def _unproved(premises: Iterable[Premise], context: MethodContext) -> tuple[Premise, ...]:
    return tuple(each for each in premises if isinstance(evidence_for((each,), context.prover), Failed))


def _solved(goal: Goal, levels: Sequence[Level], context: MethodContext) -> Solution | Derivation | Unknown:
    if not any(level.required for level in levels):
        return Solution({_relation(number): TRUE for number in range(len(levels))})
    seconds = min(SECONDS, context.prover.deadline - clock())
    if seconds <= 0:
        return Unknown("the time limit was reached")
    try:
        answer = solve(*clauses(goal.hypothesis, _basics(goal), levels), seconds)
    except FragmentError as error:
        return Unknown(str(error))
    return Unknown(answer.reason) if isinstance(answer, answers.NoAnswer) else answer


def _basics(goal: Goal) -> tuple[Term, ...]:
    return tuple(name for name in parameters(goal) if is_basic(name.type))


def _relation(number: int) -> str:
    return f"Inv{number}"


def clauses(
    hypothesis: Term, basics: tuple[Term, ...], levels: Sequence[Level]
) -> tuple[dict[str, tuple[Term, ...]], list[Clause]]:
    """The relations, with their parameters, and the clauses of a system of levels, each run when the last has ended."""
    relations: dict[str, tuple[Term, ...]] = {}
    found: list[Clause] = []
    known, reached = basics, None
    for number, level in enumerate(levels):
        name, before = _relation(number), known
        known = (*known, *level.states)
        relations[name] = _leaves(known)
        initial = {**{state: state for state in level.states}, **level.transitions.initial}
        start = Fact(name, _leaves((*before, *(initial[state] for state in level.states))))
        found.append(Clause(reached, hypothesis if reached is None else TRUE, start))
        reached = Fact(name, relations[name])
        for step in level.transitions.steps:
            moved = (*before, *(step.after.get(state, state) for state in level.states))
            found.append(Clause(reached, step.guard, Fact(name, _leaves(moved))))
        found += [Clause(reached, negation(premise.formula), None) for premise in level.required]
    return relations, found


def _leaves(terms: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(leaf for term in terms for leaf in components(term))


def _refuted(
    goal: Goal, levels: Sequence[Level], facts: Sequence[Fact], context: MethodContext, method: str
) -> Outcome:
    """The run behind a derivation as an input on which the programs differ; Unknown when it is none."""
    basics, contents = _basics(goal), Contents()
    known: dict[Term, Value] = {}
    for number, level in enumerate(levels):
        names = (*basics, *(state for earlier in levels[: number + 1] for state in earlier.states))
        run = [assembled(names, fact.arguments) for fact in facts if fact.relation == _relation(number)]
        for before, later in pairwise(run):
            after_step(level.transitions.steps, before, later, contents, context.prover)
        known |= run[-1] if run else {}
    required = [premise for level in levels for premise in level.required]
    at_the_end = [replace(each, formula=substitute(each.formula, literals(known))) for each in required]
    failed = evidence_for(at_the_end, context.prover)
    claimed = next(iter(failed.models), {}) if isinstance(failed, Failed) else {}
    given = {name: known[name] for name in basics if name in known}
    environment = realised(goal, (base | given for base in inputs_from_model(goal, claimed)), contents)
    if environment is not None:
        return Differs(environment, method)
    return Unknown("the run that Spacer found comes from no input that was tried", (contents.model() | known,))


def _bucket_invariants(
    goal: Goal,
    folds: tuple[Term, Term],
    posts: tuple[Term, Term],
    buckets: tuple[Bucket, Bucket],
    context: MethodContext,
) -> Iterator[Term | Outcome]:
    """The invariant of a joint bucket that Spacer finds, or what its refutation gives."""

    def required(invariant: Term) -> tuple[Premise, ...]:
        return ByKey(folds, buckets, invariant).requirements(goal).premises

    def is_enough(candidate: Term) -> bool:
        return not quick.expired and isinstance(evidence_for(required(candidate), quick), tuple)

    quick = context.prover.quick()
    keys = [premise for premise in required(TRUE) if isinstance(premise.about, KeysAgree)]
    agree = evidence_for(keys, context.prover)
    if isinstance(agree, Failed):
        yield Unknown("the keys of both sides do not agree", agree.models)
        return
    states = tuple(name for bucket in buckets for name in bucket.variables)
    transitions = by_key_transitions(folds, buckets)
    level = Level(states, transitions, _unproved(required(TRUE), context))
    match _solved(goal, [level], context):
        case Unknown() as unknown:
            yield unknown
        case Derivation(facts):
            yield _refuted(goal, [level], facts, context, BY_KEY)
        case Solution(relations):
            invariant = relations[_relation(0)]
            yield simplify(invariant, is_enough) if is_enough(invariant) else invariant
