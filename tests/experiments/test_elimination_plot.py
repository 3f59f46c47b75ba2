"""The figure of the benchmark of quantifier elimination names what it shows."""

from __future__ import annotations

from pathlib import Path

from tallystick.experiments.elimination_plot import Panel, plot_families


def test_the_figure_names_families_solvers_and_units(tmp_path: Path) -> None:
    panels = [
        Panel("stamps", "a", {"cooper": [(3, 0.001), (3, 0.002), (5, None)], "z3": []}),
        Panel("premises", "premises answered (number)", {"cooper": [(1, 0.01)], "z3": [(1, 0.1)]}),
    ]
    plot_families(panels, 5, tmp_path / "figures" / "times.svg")
    shown = (tmp_path / "figures" / "times.svg").read_text()
    for text in ("stamps", "premises answered (number)", "cooper", "z3", "processor time (s)", "no answer within 5 s"):
        assert f"<!-- {text}" in shown or f"{text}) -->" in shown, text
