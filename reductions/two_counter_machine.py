"""Two-counter machines (Minsky, 1967; TR Appendix D) and their simulator.

A machine has two counters c1 and c2, which hold natural numbers, and finitely many locations. A *state* is a triple
(location, c1, c2), as in TR. Every location but one has an instruction, which says how the state changes and which
location is next; the last location is the *halting location*, and a machine that is there has halted. A *step*
executes one instruction: `inc`, `dec` (whether it decrements or jumps) and `jump` are one step each, and reaching
the halting location takes none of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tallystick.reductions.errors import MachineError

State = tuple[int, int, int]
"""(location, c1, c2)."""

STEP_LIMIT = 10_000
MOST_INSTRUCTIONS = 80
"""The step function is a conditional as deep as a machine is long, and deeper code is refused by the front-end."""


@dataclass(frozen=True, slots=True)
class Increment:
    """`inc`: adds 1 to a counter (1 or 2)."""

    counter: int
    next: int


@dataclass(frozen=True, slots=True)
class Decrement:
    """`dec … else …`: subtracts 1 from a counter, or goes to `if_zero` when it is 0."""

    counter: int
    next: int
    if_zero: int


@dataclass(frozen=True, slots=True)
class Jump:
    """`jump`: changes the location only."""

    next: int


Instruction = Increment | Decrement | Jump


@dataclass(frozen=True, slots=True)
class Machine:
    """A two-counter machine with its initial state.

    Attributes:
        name: what messages call it.
        instructions: one for each location but the last, which is the halting location.
        start: the initial location.
        counters: the initial values of c1 and c2.
        labels: names of locations; a location may have none or several.
        comment: what its author says about it, or "".

    Raises MachineError on construction when a location or counter does not exist, a counter starts below 0, or there
    are more than MOST_INSTRUCTIONS instructions.
    """

    name: str
    instructions: tuple[Instruction, ...]
    start: int = 0
    counters: tuple[int, int] = (0, 0)
    labels: tuple[tuple[str, int], ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        if len(self.instructions) > MOST_INSTRUCTIONS:
            message = f"the machine has {len(self.instructions)} instructions, and at most {MOST_INSTRUCTIONS} are read"
            raise MachineError(message, self.name)
        mentioned = [self.start, *(location for _, location in self.labels)]
        for instruction in self.instructions:
            mentioned += successors(instruction)
            if not isinstance(instruction, Jump) and instruction.counter not in (1, 2):
                raise MachineError(f"there is no counter {instruction.counter}, only 1 and 2", self.name)
        for location in mentioned:
            if not 0 <= location <= self.halting_location:
                raise MachineError(f"there is no location {location}, only 0 to {self.halting_location}", self.name)
        if len(self.counters) != 2 or min(self.counters) < 0:
            raise MachineError("the two counters start from natural numbers", self.name)

    @property
    def halting_location(self) -> int:
        """The location in which the machine has halted: TR's l_h."""
        return len(self.instructions)

    @property
    def initial(self) -> State:
        """The initial state: TR's s_i."""
        return (self.start, *self.counters)

    def place(self, location: int) -> str:
        """What a location is called: its label, the distance from the last label before it, or its number."""
        if location == self.halting_location:
            return "halt"
        before = [(place, label) for label, place in self.labels if place <= location]
        if not before:
            return str(location)
        nearest = max(place for place, _ in before)
        label = next(label for place, label in before if place == nearest)
        return label if nearest == location else f"{label}+{location - nearest}"

    def describe(self, location: int) -> str:
        """The instruction at a location, as its author would write it."""
        if location == self.halting_location:
            return "halt"
        match self.instructions[location]:
            case Increment(counter):
                return f"inc c{counter}"
            case Decrement(counter, _, if_zero):
                return f"dec c{counter} else {self.place(if_zero)}"
            case Jump(target):
                return f"jump {self.place(target)}"


def successors(instruction: Instruction) -> tuple[int, ...]:
    """The locations that may come after an instruction, the ordinary one first."""
    if isinstance(instruction, Decrement):
        return instruction.next, instruction.if_zero
    return (instruction.next,)


def step(machine: Machine, state: State) -> State:
    """The state after one step (TR's T); a machine that has halted stays as it is."""
    location, c1, c2 = state
    if location == machine.halting_location:
        return state
    counters = [c1, c2]
    match machine.instructions[location]:
        case Increment(counter, target):
            counters[counter - 1] += 1
        case Decrement(counter, target, if_zero):
            if counters[counter - 1] == 0:
                target = if_zero
            else:
                counters[counter - 1] -= 1
        case Jump(target):
            pass
    return target, counters[0], counters[1]


def states(machine: Machine) -> Iterator[State]:
    """The initial state and the state after each step, up to the halting state; without end if there is none."""
    state = machine.initial
    yield state
    while state[0] != machine.halting_location:
        state = step(machine, state)
        yield state


@dataclass(frozen=True, slots=True)
class Run:
    """What a simulation saw.

    Attributes:
        machine: the machine.
        trace: the initial state and the state after each step.
        stopped: "" if the last state is the halting state, else the limit that ended the simulation.
    """

    machine: Machine
    trace: tuple[State, ...]
    stopped: str = ""

    @property
    def halted(self) -> bool:
        """Whether the machine halted."""
        return not self.stopped

    @property
    def steps(self) -> int:
        """How many steps were simulated."""
        return len(self.trace) - 1


def simulate(machine: Machine, step_limit: int = STEP_LIMIT, counter_limit: int | None = None) -> Run:
    """The run of a machine until it halts, has made `step_limit` steps, or has a counter above `counter_limit`."""
    if step_limit < 0:
        raise ValueError("the step limit is a natural number")
    trace: list[State] = []
    for state in islice(states(machine), step_limit + 1):
        trace.append(state)
        if counter_limit is not None and max(state[1:]) > counter_limit:
            return Run(machine, tuple(trace), f"a counter is above {counter_limit}")
    halted = trace[-1][0] == machine.halting_location
    return Run(machine, tuple(trace), "" if halted else f"it has not halted after {step_limit} steps")
