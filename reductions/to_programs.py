"""TR Theorem 2 (Appendix D): the halting of two-counter machines as the equivalence of programs with one fold.

A machine with the initial state s_i, the step function T and the halting location l_h becomes the pair

    P9(R: RDD_Int)  = fold(s_i, f)(R)[0] = l_h      where f = λS, x. T(S)
    P10(R: RDD_Int) = ff

f ignores its element, so P9 runs the machine for |R| steps. Two points that TR leaves open are settled like this:

* TR compares the whole state with a fixed halting state (l_h, n_h1, n_h2). Here P9 tests the location only, so that
  a machine halts with whatever its counters hold, and its state after k steps *is* P9's after k elements.
* T(S) = S for a state that has halted. So the bags on which the pair differs are exactly those with at least n
  elements, where n is the number of steps to halting, and the smallest of them have exactly n.

Both programs are in the class AggOne: P10 too, with g = λM. ff over the same fold.
"""

from __future__ import annotations

from tallystick.core.interpreter import Bag
from tallystick.core.programs import Program
from tallystick.core.terms import (
    FALSE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    equal,
    ite,
    less,
    project,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType
from tallystick.reductions.two_counter_machine import (
    Decrement,
    Increment,
    Instruction,
    Jump,
    Machine,
    Run,
    simulate,
)

STATE = TupleType((INT, INT, INT))
BAG = variable("R", BagType(INT))


def programs(machine: Machine) -> tuple[Program, Program]:
    """The pair P9, P10: equivalent if and only if the machine never halts."""
    initial = tuple_of(*map(constant, machine.initial))
    fold = build(Operator.FOLD, (initial, step_function(machine), BAG))
    halts = equal(project(fold, 0), constant(machine.halting_location))
    return Program("P9", (BAG,), halts), Program("P10", (BAG,), FALSE)


def step_function(machine: Machine) -> Term:
    """f = λS, x. T(S): a UDF over the accumulated state, with one conditional for each location."""
    state = accumulator(STATE)
    location, *counters = (project(state, index) for index in range(3))
    result: Term = state
    for here, instruction in reversed(list(enumerate(machine.instructions))):
        result = ite(equal(location, constant(here)), _after(instruction, counters), result)
    return result


def _after(instruction: Instruction, counters: list[Term]) -> Term:
    match instruction:
        case Increment(counter, target):
            return _state(target, counters, counter, 1)
        case Decrement(counter, target, if_zero):
            positive = less(constant(0), counters[counter - 1])
            return ite(positive, _state(target, counters, counter, -1), _state(if_zero, counters))
        case Jump(target):
            return _state(target, counters)


def _state(location: int, counters: list[Term], changed: int = 0, by: int = 0) -> Term:
    after = [add(term, constant(by)) if index == changed else term for index, term in enumerate(counters, 1)]
    return tuple_of(constant(location), *after)


SOURCE = '''"""A two-counter machine as PySpark programs (TR Theorem 2): equivalent if and only if it never halts."""

from pyspark import RDD


def step(state, element):
    """The state (location, c1, c2) after one step; `element` only says that there is one more."""
    location, c1, c2 = state
{branches}
    return after


def p9(R: RDD[int]) -> bool:
    """Whether the machine has halted after as many steps as R has elements."""
    return R.fold({initial}, step)[0] == {halting_location}


def p10(R: RDD[int]) -> bool:
    """That it has not."""
    return False
'''


def pyspark_source(machine: Machine) -> str:
    """A Python file with the pair as the PySpark functions `p9` and `p10`.

    Spark's own `fold` starts every partition from s_i, and then folds the partial results from s_i once more
    (THEORY section 5). f ignores its second argument, so it discards them: to see P9's value on Spark, replay the
    pair in SparkLite's meaning, one left fold over all elements.
    """
    branches = [
        line
        for location, instruction in enumerate(machine.instructions)
        for line in _branch(machine, location, instruction)
    ]
    end = ["    else:", "        after = state"] if branches else ["    after = state"]
    return SOURCE.format(
        branches="\n".join([*branches, *end]),
        initial=machine.initial,
        halting_location=machine.halting_location,
    )


def _branch(machine: Machine, location: int, instruction: Instruction) -> list[str]:
    word = "elif" if location else "if"
    comment = f"{machine.place(location)}: {machine.describe(location)}"
    return [
        f"    {word} location == {location}:  # {comment}",
        f"        after = {_after_source(instruction)}",
    ]


def _after_source(instruction: Instruction) -> str:
    match instruction:
        case Increment(counter, target):
            return _state_source(target, counter, " + 1")
        case Decrement(counter, target, if_zero):
            moved, stayed = _state_source(target, counter, " - 1"), _state_source(if_zero)
            return f"{moved} if c{counter} > 0 else {stayed}"
        case Jump(target):
            return _state_source(target)


def _state_source(location: int, changed: int = 0, by: str = "") -> str:
    counters = ", ".join(f"c{index}{by if index == changed else ''}" for index in (1, 2))
    return f"({location}, {counters})"


def bag_of_run(run: Run) -> Bag:
    """From a halting run of n steps to the smallest input on which the pair differs: n copies of 0.

    Raises ValueError when the run did not halt.
    """
    if not run.halted:
        raise ValueError(f"the run of {run.machine.name} gives no counterexample: {run.stopped}")
    return {0: run.steps} if run.steps else {}


def run_of_bag(machine: Machine, bag: Bag) -> Run:
    """From an input on which the pair differs to the halting run that it stands for, of at most |bag| steps.

    Raises ValueError when the machine does not halt within |bag| steps, so that the pair agrees on the input.
    """
    size = sum(bag.values())
    run = simulate(machine, size)
    if not run.halted:
        raise ValueError(f"P9 and P10 of {machine.name} agree on a bag of {size} elements: {run.stopped}")
    return run
