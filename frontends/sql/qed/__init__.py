"""Plans in the JSON of the QED prover, with columns by position."""
