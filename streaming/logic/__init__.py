"""The logic LTLss of Riesco and Rodríguez-Hortalá: syntax, semantics, evaluation and word generation."""
