"""Veer (Alsudais, Kumar, Li: arXiv 2309.13762v3): two versions of a workflow, verified window by window."""
