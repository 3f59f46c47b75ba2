"""Normal forms: programs as sums of monomials, about which the rules for queries speak (kernel rule NORMAL).

Statement    Programs whose folds are functions of sums, minima and maxima over what they fold have one value if their
             normal forms have (THEORY-SQL section 2): distinct and by-key folds range over every value, EXISTS says
             which of them there are.
Fragment     all programs without items of lists, in which each component of each fold adds, or takes an extremum, of a
             function of the element, or says whether there was an element, or such an element; also of those elements
             alone that satisfy a condition, or attain the extremum of another component: the greatest of pairs.
Complete     no: the search for proofs about queries is not.
Certificate  NORMAL, with rules BAG, ONE, SUM and INSIDE above it.

`s.reduceByKey(add).values().sum()` is `s.values().sum()`: a sum of sums over buckets is flattened to one over buckets
and their elements, and an element is in one bucket.
"""

from __future__ import annotations

from tallystick.certificates.proofs import Step
from tallystick.certificates.rules.normal import Normal, Reading
from tallystick.core.clock import clock
from tallystick.core.operators import AGGREGATES, Operator
from tallystick.core.terms import aggregates, subterms
from tallystick.decision.invariants.fold_readings import MOST_SECONDS, evidence_for_readings, reading
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.queries.time_limits import OutOfTimeError, until

NAME = "normal_forms"


def normal_forms(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves programs by their normal forms; None for programs of the NoAgg class, which `no_agg` decides."""
    nodes = [*subterms(goal.left), *subterms(goal.right)]
    if all(node.operator not in (*AGGREGATES, Operator.DISTINCT, Operator.WITHOUT) for node in nodes):
        return None
    deadline = clock() + MOST_SECONDS
    readings: list[Reading] = []
    for fold in dict.fromkeys((*aggregates(goal.left), *aggregates(goal.right))):
        found = reading(goal, fold, tuple(readings), context, deadline)
        if found is None:
            return Unknown("a fold is no function of sums and extrema")
        readings.append(found)
    rule = Normal(tuple(readings))
    required = rule.requirements(goal)
    evidence = evidence_for_readings(goal.hypothesis, required.premises, context, deadline)
    if evidence is None:
        return Unknown("what a fold accumulates is not proved")
    # All that proves queries, which most pairs of programs have no use for.
    from tallystick.decision.queries.deciding import ProofLimits, Unproved, prove

    seconds = min(MOST_SECONDS, context.prover.deadline - clock())
    try:
        with until(clock() + seconds):
            found = prove(required.subgoals[0].goal, ProofLimits(seconds))  # type: ignore[arg-type]
    except OutOfTimeError:
        return Unknown("no proof of the normal forms was found: the time limit was reached")
    if isinstance(found, Unproved):
        return Unknown(f"no proof of the normal forms was found: {found.reason}")
    return Proved(Step(rule, evidence, (found.proof,)), (NAME,))  # type: ignore[arg-type]
