"""Presburger arithmetic: linear terms, formulas, satisfiability, quantifier elimination (see README.md)."""
