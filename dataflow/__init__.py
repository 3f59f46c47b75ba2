"""Two versions of a workflow: which of their wires hold the same rows."""
