"""Programs without the places where they raise: under the assumption that none is reached, they mean the same.

`a, b = line.split(",")` raises for a line of three fields, where `line.split(",")[0]` does not. On inputs for which no
expression raises an error, which is what certificates about such programs assume, both are the first field.
"""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import Operator, Term, build, simplified
from tallystick.frontends.pyspark.assumptions import NO_ERRORS, raises
from tallystick.frontends.pyspark.program import SourceProgram


def without_guards(source: SourceProgram) -> SourceProgram:
    """The program where no branch is taken that raises; itself where there is none, or errors are not assumed away."""
    if NO_ERRORS not in source.assumptions:
        return source
    done: dict[Term, Term] = {}

    def unguarded(term: Term) -> Term:
        if term not in done:
            arguments = tuple(map(unguarded, term.arguments))
            done[term] = _chosen(term, arguments)
        return done[term]

    program = source.program
    folds = tuple(
        replace(each, fold=unguarded(each.fold), merge=None if each.merge is None else unguarded(each.merge))
        for each in program.folds
    )
    return replace(
        source,
        program=replace(program, expression=unguarded(program.expression), folds=folds),
        folds=tuple(call.mapped(unguarded) for call in source.folds),
    )


def _chosen(term: Term, arguments: tuple[Term, ...]) -> Term:
    if term.operator is Operator.ITE:
        _, then, otherwise = arguments
        if raises(then) or raises(otherwise):
            return otherwise if raises(then) else then
        return simplified(term.operator, arguments, term.parameter)
    return build(term.operator, arguments, term.parameter)
