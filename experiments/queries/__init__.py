"""Random queries: to test what is said about queries against what engines return."""
