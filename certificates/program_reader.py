"""Reads certificates about programs: their names, and the values of counterexamples, which the programs type."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from tallystick.certificates.proofs import ASSUMPTIONS, Certificate, Counterexample
from tallystick.certificates.term_reader import TermReader
from tallystick.certificates.trees import Step
from tallystick.core.programs import SEMANTICS
from tallystick.core.types import BagType, BoolType, IntType, OptionType, RationalType, TextType, TupleType, Type


class ProgramReader(TermReader):
    """Reads a certificate about programs; raises CertificateError where there is none."""

    kind: ClassVar[type] = Certificate
    about: ClassVar[str] = "programs"

    def require_names(self, parts: dict[str, Any]) -> None:
        """Fails unless the semantics, the assumptions and the names are some of the format."""
        if parts["semantics"] not in SEMANTICS:
            self.fail(f"its semantics is none of {', '.join(SEMANTICS)}")
        for program in (parts["left"], parts["right"]):
            self.bounded(len(program.name), "letters")
            names = program.name, *(parameter.parameter[0] for parameter in program.parameters)
            if not all(map(str.isidentifier, names)):
                self.fail("names of programs and parameters are identifiers")
        for sentence in parts["assumptions"]:
            if sentence not in ASSUMPTIONS:
                self.fail(f"{ascii(sentence)[:60]} is no assumption of the format")

    def result(self, parts: dict[str, Any], document: dict[str, Any]) -> Any:
        """The proof; or a counterexample, whose values are of the types of the programs."""
        kind: Any = Step
        if document["verdict"] == "inequivalent":
            left, right = parts["left"], parts["right"]
            inputs = tuple[tuple(annotation(parameter.type) for parameter in left.parameters)]
            kind = tuple[str, inputs, tuple[annotation(left.result), annotation(right.result)]]
        result = self.read(self.annotations.allowed(kind), document["result"], "result")
        return result if kind is Step else Counterexample(*result[1:])

    def is_name(self, parameter: Any) -> bool:
        """Whether the parameter of a variable begins with a name that programs and proofs may give it."""
        named = isinstance(parameter, list) and parameter and isinstance(parameter[0], str)
        return bool(named) and parameter[0].rstrip("'").isidentifier()


def annotation(of: Type) -> Any:
    """The annotation of the Python values of a type."""
    match of:
        case TupleType(components):
            return tuple[tuple(map(annotation, components))]
        case BagType(element):
            return dict[annotation(element), int]
        case IntType():
            return int
        case BoolType():
            return bool
        case TextType():
            return str
        case RationalType():
            return Fraction
        case OptionType(inner):
            return annotation(inner) | None
