"""The programs and properties of the paper, with planted faults."""
