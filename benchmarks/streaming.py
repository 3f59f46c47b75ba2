"""How long the six properties of sscheck's Fig. 1 take, on the local engine and on Spark, against the paper's times.

The reference is the table of Fig. 1 in A. Riesco, J. Rodríguez-Hortalá, *Property-based testing for Spark Streaming*
(TPLP): seconds for 10 or 15 cases of each property. The numbers and lengths of the cases are the same here. Wanted is
at most a hundredth of the paper's time on the local engine and a tenth on Spark. Times grow with whatever else the
machine has to do, so its load is printed too.
"""

from __future__ import annotations

import os

from tallystick.streaming.reproduce import GOALS, sscheck_table


def main() -> None:
    """Print the table, and for each engine whether every property reaches its goal."""
    rows = sscheck_table(tuple(GOALS))
    for engine, goal in GOALS.items():
        faster = sorted(row.speedup for row in rows if row.engine == engine)
        reached = sum(row.reaches_goal for row in rows if row.engine == engine)
        print(f"{engine}: {faster[0]:.0f} to {faster[-1]:.0f} times faster; {reached} of {len(faster)} reach {goal}×")
    waiting, *_ = os.getloadavg()
    print(f"{os.cpu_count()} cores; processes that wanted one in the last minute: {waiting:.1f}")


if __name__ == "__main__":
    main()
