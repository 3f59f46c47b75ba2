"""Programs on RDDs: Core Python evaluated on a store of references (see README.md)."""

from tallystick.frontends.rdd.program import read_program

__all__ = ["read_program"]
