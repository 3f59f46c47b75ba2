"""The jobs of a shop, as data engineers write them, each with a right and a wrong refactoring."""
