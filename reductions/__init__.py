"""Two-counter machines, and the undecidability of program equivalence (TR Theorem 2).

Reading order: two_counter_machine.py, machine_text.py, zoo.py, to_programs.py, explanation.py with report.py and
notation.py, drawing.py.
"""

from tallystick.reductions.errors import MachineError
from tallystick.reductions.explanation import explain_machine
from tallystick.reductions.machine_text import parse_machine, read_machine
from tallystick.reductions.report import MachineReport
from tallystick.reductions.to_programs import bag_of_run, programs, pyspark_source, run_of_bag
from tallystick.reductions.two_counter_machine import Machine, Run, simulate
from tallystick.reductions.zoo import example, example_names

__all__ = [
    "Machine",
    "MachineError",
    "MachineReport",
    "Run",
    "bag_of_run",
    "example",
    "example_names",
    "explain_machine",
    "parse_machine",
    "programs",
    "pyspark_source",
    "read_machine",
    "run_of_bag",
    "simulate",
]
