"""The search for proofs by the rules for bags and sums."""
