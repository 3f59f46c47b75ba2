"""SAT sweeping over wires: random inputs propose which are equal, the prover of queries disposes."""
