"""Pairs in a second against the number of Spark's cores, and the share of the time that Spark costs.

Run it from the root of the repository: `.venv/bin/python benchmarks/throughput.py [PAIRS]`.
"""

from __future__ import annotations

import sys

from rich.console import Console
from tallystick.experiments.tables import print_throughput
from tallystick.experiments.throughput import measured

PAIRS, SEED = 400, 7

if __name__ == "__main__":
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    print_throughput(Console(), dict(measured(pairs, SEED)))
