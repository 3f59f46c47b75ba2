"""EQUITAS as published: Zhou, Arulraj, Navathe, Harris, Xu. Automated Verification of Query Equivalence Using
Satisfiability Modulo Theories. PVLDB 12(11), 2019. A method for comparison: Z3 is believed, and sets are compared.

Reading order: representation.py (symbolic tuples), expressions.py (ConstExpr, ConstPred), construction.py (Construct),
containment.py (relational constraints, containment), published.py (its tables), reproduction.py (ours beside them).
"""
