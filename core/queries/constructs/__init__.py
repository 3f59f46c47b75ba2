"""Constructs of queries, one file a family, loaded for statements that have some: see `nodes.construct`."""
