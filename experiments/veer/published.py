"""The numbers of Veer's evaluation (arXiv 2309.13762v3, section 9), on a MacBook of 2.2 GHz with a cap of an hour."""

from __future__ import annotations

from typing import Final

TABLE_4: Final = {
    "W1": (17, 16, 5),
    "W2": (20, 20, 9),
    "W3": (23, 23, 4),
    "W4": (28, 34, 3),
    "W5": (12, 12, 3),
    "W6": (18, 20, 3),
    "W7": (14, 13, 3),
    "W8": (13, 12, 3),
}
"""Operators, links and versions of each workflow."""
TABLE_5: Final = {
    "Spes": ("0.0", "NA", "0.0", "NA"),
    "Veer": ("62.5", "32.1", "0.0", "44.5"),
    "Veer+": ("75.0", "0.1", "50.0", "4.1"),
}
"""Percent of equivalent pairs proved, average seconds, percent of inequivalent pairs proved, average seconds."""
TABLE_6: Final = {
    "": (19656, 1629.0, 0.22, 1629.0),
    "P": (3614, 111.0, 0.15, 111.0),
    "SP": (430, 0.82, 0.20, 1.02),
    "S": (430, 0.51, 0.18, 0.69),
    "PR": (20, 0.39, 0.12, 0.52),
    "SPR": (21, 0.20, 0.31, 0.51),
    "R": (20, 0.07, 0.23, 0.30),
    "SR": (21, 0.03, 0.21, 0.24),
}
"""W3 with three edits, by options: decompositions explored, seconds exploring, calling the verifier, and together."""
FIGURE_24: Final = "explored on average: Veer 3,354, Veer+ 16; Veer 2 s on W1, 2 min on W3; Veer+ below 1 s on all"
FIGURE_25: Final = "W4 is not finished within an hour by either; on W1, Veer+ asks the verifier 130 times, Veer 4 times"
FIGURE_26: Final = {0: ("2770", "9.7", "21"), 1: ("", "", "21"), 2: ("", "", "21"), 3: ("11375", "180", "21")}
"""By hops: explored by Veer, its seconds, explored by Veer+. Numbers that the text gives."""
FIGURE_27: Final = {1: ("356", "0.42", "14"), 2: ("", "", "14"), 3: ("", "", "14"), 4: ("11448", "75", "14")}
"""By changes: all valid decompositions, seconds of Veer, explored by Veer+."""
FIGURE_28: Final = {22: ("6650", "60", "21"), 23: ("", "", "22"), 24: ("", "", "23"), 25: ("7700", "84", "24")}
"""By operators: explored by Veer, its seconds, explored by Veer+."""
CONTRADICTIONS: Final = (
    "62% (section 9.2) and 62.5% (table 5) of 8 pairs are 5, and four are named",
    "78% of the text is 75% in table 5, which is the six pairs that are named",
    "W3 is verified in 2 minutes by the baseline, and not within an hour",
    "all options together are called best: table 6 has 0.51 s for them, and 0.24 s without pruning",
    "W5 is said to have two segments, and no valid segmentation",
    "W2 has 20 operators in table 4, and 22 before any is added in figure 28",
)
