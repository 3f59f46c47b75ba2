"""Questions about partition safety and their answers, between the prover's process and its caller.

An answer is not trusted: `read_answer` derives every premise anew and has the kernel check its evidence, and runs a
witness again.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tallystick.certificates.codec import decode, encode
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules.partition import Partition
from tallystick.core.errors import TallystickError
from tallystick.core.interpreter import Bag
from tallystick.core.programs import SPARKLITE, Program
from tallystick.core.terms import Operator, Term, build, free_variables, variable
from tallystick.core.types import BagType, Value
from tallystick.decision.inputs import smallest
from tallystick.decision.partitioning.deciding import PartitionAnswer, Undecided, Unsafe
from tallystick.decision.partitioning.safety import (
    Merge,
    Safe,
    audited,
    is_mixed,
    merge_function,
    surely_ill_typed,
)
from tallystick.decision.partitioning.spark_folds import Partitioning, SparkMeaning, Witness, partitions_of, source_of

DEFECT = "a defect of the prover: its answer was rejected ({0}); please report it"


def question(term: Term, merge: Merge) -> dict[str, Any]:
    """The question whether a fold is partition-safe, as JSON."""
    if isinstance(merge, str):
        return {"fold": _programs(term, term), "step": True}
    results = variable(_unused_identifier(term, merge), BagType(term.arguments[0].type))  # type: ignore[arg-type]
    return {"fold": _programs(term, build(Operator.FOLD, (term.arguments[0], merge, results))), "step": False}


def _unused_identifier(*terms: Term) -> str:
    """A name of the certificates' format, whose names are identifiers, that no variable of these terms has."""
    used = {free.parameter[0] for term in terms for free in free_variables(term)}  # type: ignore[index]
    name = "results"
    while name in used:
        name += "_"
    return name


def read_question(data: dict[str, Any]) -> tuple[Term, Merge]:
    """The fold, and the way of merging, that a question is about."""
    certificate = decode(data["fold"].encode())
    return certificate.left.expression, "step" if data["step"] else certificate.right.expression.arguments[1]


def _programs(left: Term, right: Term, proof: Step | None = None) -> str:
    """Terms in the certificates' format, with a result that claims nothing or is to be read otherwise."""
    whole = [Program("fold", _parameters(term), term) for term in (left, right)]
    nothing = Counterexample(tuple(smallest(name.type) for name in whole[0].parameters), _outputs(left, right))
    return encode(Certificate(whole[0], whole[1], SPARKLITE, ("", ""), (), (), (), proof or nothing)).decode()


def _outputs(left: Term, right: Term) -> tuple[Value | Bag, Value | Bag]:
    return smallest(left.type), smallest(right.type)


def _parameters(term: Term) -> tuple[Term, ...]:
    return tuple(sorted(free_variables(term), key=lambda name: name.parameter[0]))  # type: ignore[index]


def answer(term: Term, found: PartitionAnswer) -> dict[str, Any]:
    """What the prover found about a fold, as JSON."""
    match found:
        case Safe(invariant, evidence):
            proof = Step(Partition(invariant), evidence)
            return {"safe": _programs(term, term, proof)}
        case Unsafe(reason, None):
            return {"unsafe": reason, "witness": None}
        case Unsafe(reason, Witness() as witness):
            return {"unsafe": reason, "witness": _witness(witness)}
    return {"unknown": found.reason}


def _witness(witness: Witness) -> dict[str, Any]:
    environment = {
        name.parameter[0]: _data(tuple(value.items()) if isinstance(value, dict) else value)  # type: ignore[index]
        for name, value in witness.environment.items()
    }
    partitions = {"partitionings": _data(witness.partitionings), "sources": _data(witness.sources)}
    return {"environment": environment, **partitions}


def read_answer(term: Term, merge: Merge, data: dict[str, Any]) -> tuple[PartitionAnswer, frozenset[str]]:
    """What the prover found, once it has been checked, and the oracles that a proof rests on.

    An answer that does not stand the check is no answer: Undecided, and why.
    """
    nothing: frozenset[str] = frozenset()
    try:
        match data:
            case {"unknown": str(reason)}:
                return Undecided(reason), nothing
            case {"safe": str(text)}:
                return _read_proof(term, merge, text)
            case {"unsafe": str(reason), "witness": None} if surely_ill_typed(term, merge):
                return Unsafe(reason, None), nothing
            case {"unsafe": str(reason), "witness": {} as witness}:
                return Unsafe(reason, _read_witness(term, merge, witness)), nothing
    except (TallystickError, RecursionError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        return Undecided(DEFECT.format(error)), nothing
    return Undecided(DEFECT.format("it has no known form")), nothing


def _read_proof(term: Term, merge: Merge, text: str) -> tuple[PartitionAnswer, frozenset[str]]:
    function, proof = merge_function(term, merge), decode(text.encode()).result
    if isinstance(function, str) or is_mixed(term, merge):
        return Undecided(DEFECT.format("its function takes no partial results")), frozenset()
    if not isinstance(proof, Step) or not isinstance(proof.rule, Partition):
        return Undecided(DEFECT.format("it is no proof about a fold")), frozenset()
    safe = Safe(proof.rule.invariant, proof.evidence)
    return safe, audited(term, function, safe)


def _read_witness(term: Term, merge: Merge, data: dict[str, Any]) -> Witness:
    function = merge_function(term, merge)
    names = {name.parameter[0]: name for name in free_variables(term)}  # type: ignore[index]
    environment = {
        names[name]: dict(map(_value, value)) if isinstance(value, list) and _is_bag(names[name]) else _value(value)
        for name, value in data["environment"].items()
    }
    partitionings: list[Partitioning] = [_value(parts) for parts in data["partitionings"]]
    sources: list[Partitioning] | None = data["sources"] and [_value(parts) for parts in data["sources"]]
    if isinstance(function, str):
        raise WitnessError(function)
    meaning = SparkMeaning(term, function, environment)
    values = [meaning.value(parts) for parts in partitionings]
    bag = term.arguments[2]
    if sources and (source_of(bag) is None or partitionings != [partitions_of(bag, environment, at) for at in sources]):
        raise WitnessError("these partitions of the input do not give those of the folded elements")
    elements = sorted(map(repr, meaning.elements()))
    if any(sorted(repr(each) for part in parts for each in part) != elements for parts in partitionings):
        raise WitnessError("the partitions do not hold the folded elements")
    if values[0] == values[1]:
        raise WitnessError("both partitionings give one value")
    pair = None if sources is None else (sources[0], sources[1])
    return Witness(environment, (partitionings[0], partitionings[1]), (values[0], values[1]), pair)


class WitnessError(TallystickError, ValueError):
    """Two partitionings do not show what they should."""


def _is_bag(name: Term) -> bool:
    return isinstance(name.type, BagType)


def _data(value: Any) -> Any:
    """A value as JSON: a tuple as a list, an exact number as the list of its numerator and denominator by its name."""
    if isinstance(value, Fraction):
        return {"exact": [value.numerator, value.denominator]}
    return list(map(_data, value)) if isinstance(value, tuple | list) else value


def _value(data: Any) -> Any:
    """The value that `_data` wrote; a list as a tuple. Raises ValueError or ZeroDivisionError for what is none."""
    match data:
        case {"exact": [int(numerator), int(denominator)]}:
            return Fraction(numerator, denominator)
        case dict():
            raise ValueError("no value has this form")
    return tuple(map(_value, data)) if isinstance(data, list) else data
