"""Set semantics for whole programs: what is compared are the sets of the elements that they return."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.errors import TallystickError
from tallystick.core.terms import Operator, build
from tallystick.core.types import BagType
from tallystick.frontends.pyspark.program import SourceProgram


class SetError(TallystickError, TypeError):
    """A program returns no RDD, so that it has no set of elements."""


def as_set(source: SourceProgram) -> SourceProgram:
    """The program that ends with distinct; raises SetError unless it returns an RDD.

    Verdicts, certificates and audits are then about programs like any others.
    """
    program = source.program
    if source.returns != "value" or source.may_raise or not isinstance(program.result, BagType):
        raise SetError(
            "only programs that return an RDD can be compared as sets\n"
            f"  {source.path}:{source.line}: {source.function_name}{source.parameters} returns a value"
        )
    expression = build(Operator.DISTINCT, (program.expression,))
    return replace(source, program=replace(program, expression=expression))
