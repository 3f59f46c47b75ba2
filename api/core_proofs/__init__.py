"""Proofs that two queries of the core have the same rows (`coq/core/Trees.v`): the search. Coq checks what is found.

Bags are equal by BAG, slots of one monomial being put on those of another; where that fails, ONE closes slots that
have one row at most, and supports with the same rows give way to each other. A premise is proved by a tree: what is
known of the rows at hand is listed, existences are opened, and the ground facts are given to the prover of programs.
In reading order: `branches`, `monomials`, `instances`, `refuting`, `bags`, `equations`, `proofs`.
"""
