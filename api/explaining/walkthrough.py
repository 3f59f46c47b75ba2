"""The explanation of a pair: programs, class, program terms, derivation or counterexample, errata, audit."""

from __future__ import annotations

import ast
import re
import sys

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode
from tallystick.certificates.judgements import equivalence
from tallystick.certificates.obligations import proof_of, values_of
from tallystick.certificates.proofs import Certificate, Counterexample
from tallystick.core.errors import FragmentError
from tallystick.core.pretty import program_text, udf_text, with_named_rows
from tallystick.core.program_terms import ProgramTerm, aggregate_term, program_terms
from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term, accumulator, aggregates, element
from tallystick.core.types import BagType
from tallystick.decision import classify
from tallystick.decision.methods import refute
from tallystick.decision.service.portfolio import METHODS
from tallystick.explaining.derivation import derivation, judgement
from tallystick.explaining.document import (
    Block,
    Code,
    Document,
    Formula,
    Items,
    Paragraph,
    Section,
    formula,
    plain_text,
    quoted,
    term_text,
)
from tallystick.explaining.errata import relevant
from tallystick.explaining.evaluation import counterexample
from tallystick.explaining.layout import WIDTH, laid_out
from tallystick.findings import LintReport
from tallystick.frontends.pyspark import SourceProgram
from tallystick.verdict import Answer, Verdict

CLASSES = {each.name: each for each in vars(classify).values() if isinstance(each, classify.ProgramClass)}
PAPERS = (
    "TR: Grossman, Cohen, Itzhaky, Rinetzky, Sagiv. Verifying Equivalence of Spark Programs. Technical report, 2016.",
    "CAV: the same authors' paper of this title. Computer Aided Verification, 2017.",
)
_RELATIONS = {Answer.EQUIVALENT: "≡", Answer.INEQUIVALENT: "≢", Answer.UNKNOWN: "?"}
_CONCLUSIONS = {
    Answer.EQUIVALENT: "Equivalent: both programs return the same on every input.",
    Answer.INEQUIVALENT: "Inequivalent: there is an input on which the programs return different values.",
    Answer.UNKNOWN: "Unknown: no method found a proof or an input on which the programs differ.",
}
_AS_SETS = {
    Answer.EQUIVALENT: "Equivalent as sets: both programs return the same elements on every input, each perhaps not "
    "equally often.",
    Answer.INEQUIVALENT: "Inequivalent as sets: there is an input on which one program returns an element that the "
    "other does not return.",
    Answer.UNKNOWN: "Unknown: no method found a proof or an input on which the programs return different sets.",
}


def walkthrough(left: SourceProgram, right: SourceProgram, verdict: Verdict) -> Document:
    """The explanation of the verdict about two programs; the same each time, so it tells no times."""
    programs = left.program, right.program
    names = left.program.name, right.program.name
    certificate = decode(verdict.certificate) if verdict.certificate is not None else None
    errata = relevant(*programs, verdict)
    result = _result(certificate, verdict)
    sections = [
        Section("Programs", (*_source(left), *_source(right))),
        *((Section("Class", _class(verdict)),) if not verdict.no_one_value else ()),
        Section("Program terms", _terms(*programs)),
    ]
    found_first = verdict.verdict is Answer.INEQUIVALENT or verdict.no_one_value
    sections.insert(0 if found_first else len(sections), result)
    if errata:
        told = tuple(Section(each.name, (Paragraph(each.text),)) for each in errata)
        sections.append(Section("What the papers get wrong here", told))
    if verdict.certificate is not None:
        sections.append(Section("Audit", _audit(verdict.certificate)))
    sections.append(Section("Papers", (Items(tuple((0, paper) for paper in PAPERS)),)))
    title = f"{names[0]} {_RELATIONS[verdict.verdict]} {names[1]}"
    assumptions = tuple((0, plain_text(f"assuming that {assumption}")) for assumption in verdict.assumptions)
    conclusion = (_AS_SETS if verdict.as_sets else _CONCLUSIONS)[verdict.verdict]
    if verdict.no_one_value:
        conclusion = "Unknown: the value of a program depends on how Spark partitions its elements."
    opening = (Paragraph(conclusion), *((Items(assumptions),) if assumptions else ()))
    return Document(title, (*opening, *sections), str(verdict.verdict))


def _source(source: SourceProgram) -> tuple[Block, ...]:
    head, _, _ = program_text(source.program).partition(" = ")  # types have no equals signs
    body = laid_out(term_text(source.program.expression), WIDTH - 2)
    return (
        Paragraph(f"`{source.program.name}` as it was read:"),
        Code(needed_source(source.source, source.function_name)),
        Paragraph("In SparkLite:"),
        Formula((f"{head} =", *(f"  {line}" for line in body))),
    )


def needed_source(source: str, name: str) -> str:
    """What `name` uses of a text that may have more: definitions, assignments and imports; all of it if unreadable."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return source.rstrip()
    bound = {statement: _names_bound_by(statement) for statement in statements}
    needed: list[ast.stmt] = []
    names = {name}
    while added := [each for each in statements if each not in needed and bound[each] & names]:
        needed += added
        names |= {node.id for each in added for node in ast.walk(each) if isinstance(node, ast.Name)}
    lines = source.splitlines()
    kept = ("\n".join(lines[_first_line(each) - 1 : each.end_lineno]) for each in statements if each in needed)
    return "\n\n".join(kept) or source.rstrip()


def _names_bound_by(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _first_line(statement: ast.stmt) -> int:
    decorators = statement.decorator_list if isinstance(statement, ast.FunctionDef) else []
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _class(verdict: Verdict) -> tuple[Block, ...]:
    found = CLASSES.get(verdict.program_class)
    if found is None:
        return (Paragraph("The time was up before the class was found."),)
    complete = "A method that decides every pair of this class was applied." if verdict.complete else ""
    return (Paragraph(f"`{found.name}`: {found.description}. {complete}".rstrip()),)


def _terms(left: Program, right: Program) -> tuple[Block, ...]:
    blocks: list[Block] = [
        Paragraph(
            "The program term `φ` says what a program makes of arbitrary elements of its input bags, one variable "
            "`x_R` for each occurrence of a bag `R`; it is `⊥` where they contribute no element."
        )
    ]
    for program in (left, right):
        found = aggregates(program.expression)
        if not found:
            blocks += [Paragraph(f"`φ({program.name})`:"), *_program_terms(program.expression)]
            continue
        blocks.append(Paragraph(f"`{program.name}` aggregates, so its term has no first-order form. Innermost first:"))
        for fold in found:
            blocks += _aggregate(fold)
    return tuple(blocks)


def _program_terms(expression: Term) -> tuple[Block, ...]:
    try:
        summands = program_terms(expression)
    except FragmentError as error:
        return (Paragraph(plain_text(f"None: {error}.")),)
    return tuple(block for summand in summands for block in _summand(summand))


def _summand(summand: ProgramTerm) -> tuple[Block, ...]:
    variables = sorted(
        term_text(with_named_rows(variable, summand.sources)) for variable in summand.representative_variables
    )
    ranging = f"over the representative variables `{', '.join(variables)}`" if variables else "over no element of a bag"
    return (formula(with_named_rows(summand.term, summand.sources)), Paragraph(ranging))


def _aggregate(fold: Term) -> tuple[Block, ...]:
    initial, udf, bag = fold.arguments
    assert isinstance(bag.type, BagType)
    of = bag.type.element.components[1] if fold.operator is Operator.FOLD_BY_KEY else bag.type.element  # type: ignore[union-attr]
    step = udf_text(udf, accumulator(initial.type), element(of))  # type: ignore[arg-type]
    each = "for each key of " if fold.operator is Operator.FOLD_BY_KEY else "over "
    blocks: list[Block] = [Items(((0, f"starts from {quoted(initial)}, takes steps `{step}`, {each}`φ` of its bag:"),))]
    if fold.operator is Operator.FOLD:
        try:
            return (*blocks, *(block for part in aggregate_term(fold).folded for block in _summand(part)))
        except FragmentError as error:
            return (*blocks, Paragraph(plain_text(f"None: {error}.")))
    return (*blocks, *_program_terms(bag))


def _result(certificate: Certificate | None, verdict: Verdict) -> Section:
    answers = tuple((0, plain_text(f"{method} did not answer: {reason}")) for method, reason in verdict.reasons.items())
    tried = (Section("Methods that did not answer", (Items(answers),), folded=True),) if answers else ()
    if verdict.no_one_value:
        found = (block for report in verdict.no_one_value for block in _two_values(report))
        return Section("Two values of one program", (*found, *tried))
    if certificate is None:
        return Section("What was tried", (Items(answers),))
    method = Items(tuple((0, _method(name)) for name in verdict.method))
    if isinstance(certificate.result, Counterexample):
        blocks = counterexample(certificate.left, certificate.right, certificate.result)
        return Section("Counterexample", (method, *blocks, *tried))
    proof = proof_of(certificate)
    assert proof is not None
    values = tuple(block for node in values_of(certificate) for block in derivation(node))
    folds = (Section("Each fold has one value", values, folded=True),) if values else ()
    return Section("Proof", (method, judgement(equivalence(proof.goal)), *derivation(proof), *folds, *tried))


def _two_values(report: LintReport) -> tuple[Block, ...]:
    """What lint found of a program whose value depends on partitions."""
    found = f"`{report.program}` has no one value on Spark, which folds each partition and then the results:"
    return (Paragraph(found), Code(str(report)))


def _method(name: str) -> str:
    if name == "congruence":
        return "found by `congruence`: equal parts are replaced by one new input"
    module = sys.modules[METHODS[name].__module__] if name in METHODS else refute
    first = (module.__doc__ or "").strip().splitlines()[0]
    return f"found by `{name}`: {plain_text(re.sub(r' in THEORY section [0-9]+', '', first))}"


def _audit(certificate: bytes) -> tuple[Block, ...]:
    report = audit(certificate)
    counts = ", ".join(f"{rule} {count}" for rule, count in report.rules)
    oracles = ", ".join(report.oracles)
    return (
        Paragraph(
            f"A certificate of {len(certificate)} bytes records this. The auditor derived every premise anew and "
            f"replayed every step: {report.reason}."
        ),
        Items(
            (
                *(((0, f"rules and evidence: {counts}"),) if counts else ()),
                (0, f"solvers whose word is believed: {oracles}" if oracles else "no solver has to be trusted"),
            )
        ),
    )
