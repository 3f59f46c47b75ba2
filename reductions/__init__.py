"""Two-counter machines, and the undecidability of program equivalence (TR Theorem 2).

Reading order: two_counter_machine.py, machine_text.py, to_programs.py, zoo.py, explanation.py, drawing.py.
"""

from tallystick.reductions.errors import MachineError
from tallystick.reductions.machine_text import parse_machine, read_machine
from tallystick.reductions.to_programs import bag_of_run, programs, pyspark_source, run_of_bag
from tallystick.reductions.two_counter_machine import Machine, Run, simulate

__all__ = [
    "Machine",
    "MachineError",
    "Run",
    "bag_of_run",
    "parse_machine",
    "programs",
    "pyspark_source",
    "read_machine",
    "run_of_bag",
    "simulate",
]
