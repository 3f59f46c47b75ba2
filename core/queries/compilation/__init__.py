"""The compilation of queries to normal forms: sums of monomials (THEORY-SQL section 2)."""
