"""The prover as a service: the portfolio, the settlement that it answers with, the process and its limits."""
