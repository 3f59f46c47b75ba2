"""SMT solvers behind one interface (see README.md)."""
