"""The search for refutation trees; nothing that it says is believed.

Reading order: `answers` (what a search may say), `tableau` (the search), `model` (which disjunctions the
simplex' values falsify), `arithmetic` (atoms as bounds), `simplex`, `lattice` (cuts from divisibility),
`plans` (trees before their facts are numbered). The reference interpreter confirms countermodels.
"""
