"""The one door to all solvers: a back-end is imported when it is asked for."""

from __future__ import annotations

from tallystick.core.solvers.interface import Solver, SolverError

NAMES = ("cooper", "z3", "cvc5", "z3-qe")
"""The solvers that `solver` knows; the first one is our own and needs no other package."""


def solver(name: str) -> Solver:
    """The solver of that name; raises SolverError when there is none or when it is not installed."""
    try:
        match name:
            case "cooper":
                from tallystick.core.solvers.cooper_backend import CooperSolver

                return CooperSolver()
            case "z3" | "cvc5":
                from tallystick.core.solvers.pysmt_backends import PySmtSolver

                return PySmtSolver(name)
            case "z3-qe":
                from tallystick.core.solvers.z3_qe import Z3QeSolver

                return Z3QeSolver()
    except ImportError as missing:
        package = (missing.name or name).partition(".")[0]
        hint = f"no module {package}; pip install 'tallystick[solvers]'"
        raise SolverError(f"the solver {name} is not installed: {hint}") from missing
    raise SolverError(f"there is no solver {name!r}; choose one of {', '.join(NAMES)}")
