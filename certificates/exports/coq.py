"""Certificates as theorems of Coq (`coq/`): a file states the claim, and proves it by the checker that is proved sound.

    Definition before : program := …         both programs
    Definition evidence : proof := …         the certificate, as data
    Lemma checked : check fuel before after evidence orders = true.
    Proof. vm_cast_no_check (eq_refl true). Qed.
    Theorem claim : equivalent before after.
    Theorem plain : forall r : list Z, Permutation (map … r) (…).

Nothing here is trusted: Coq reads the programs in the theorem, and checks the rest. What a reader has to compare with
the sources are the two programs, or the plain statement (`plain_coq`), which is about one left fold for each fold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tallystick.certificates.exports.coq_evidence import Writer, integer, listed
from tallystick.certificates.exports.coq_members import (
    Because,
    Conclusion,
    Elements,
    Induct,
    Members,
    Once,
    SumOver,
    number_of,
)
from tallystick.certificates.exports.function_values import FunctionValue, function_of, function_values
from tallystick.certificates.exports.plain_coq import (
    functions_of,
    input_names,
    known_function,
    names_of_functions,
    statement,
    text_literal,
    value_text,
)
from tallystick.certificates.judgements import OneValue
from tallystick.certificates.kernel import one_values
from tallystick.certificates.proofs import Certificate, Counterexample, Step
from tallystick.certificates.rules.by_key import ByKey
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.distinct import Distinct
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.order import Order, fold_of, opened
from tallystick.certificates.rules.partition import Partition
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import with_none
from tallystick.core.monomials import name_of
from tallystick.core.operators import AGGREGATES, OPAQUE
from tallystick.core.pretty import program_text
from tallystick.core.programs import LIST, MEAN, Program
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BagType, BoolType, IntType, OptionType, TextType, TupleType, Type

LIBRARY = "Tallystick"
"""The logical path under which Coq finds the development."""

HEADER = (
    f"From Coq Require Import Ascii. From {LIBRARY} Require Import Check Plain.",
    "Open Scope string_scope. Open Scope Z_scope.",
)
"""What a file about programs begins with."""

MOST_ELEMENTS = 100_000
"""How many elements a bag of a counterexample may have, each counted as often as it occurs."""

_OPERATORS = {
    Operator.ADD: "Add",
    Operator.EQUAL: "Equal",
    Operator.LESS: "Less",
    Operator.LESS_EQUAL: "LessEq",
    Operator.NOT: "Not",
    Operator.AND: "And",
    Operator.OR: "Or",
    Operator.TUPLE: "Tuple",
    Operator.ITE: "Ite",
    Operator.SOME: "SomeOf",
    Operator.IS_NONE: "IsNone",
    Operator.MAP: "Map",
    Operator.FILTER: "Filter",
    Operator.CARTESIAN: "Cartesian",
    Operator.UNION: "Union",
    Operator.DISTINCT: "Distinct",
    Operator.WITHOUT: "Without",
    Operator.FOLD: "Fold",
    Operator.FOLD_BY_KEY: "FoldByKey",
}
_WITH_PARAMETER = {Operator.SCALE: "Scale", Operator.DIV: "Div", Operator.MOD: "Mod", Operator.PROJECTION: "Proj"}


def theorem(certificate: Certificate) -> str:
    """A Coq file that proves the claim of a certificate.

    Raises FragmentError when it rests on an oracle, or has a rule, type or meaning that the development does not know.
    """
    lines = [
        *HEADER,
        "",
        *module_lines(certificate),
        "Print Assumptions claims.",
    ]
    return "\n".join(lines) + "\n"


def batch(certificates: Sequence[Certificate]) -> str:
    """A Coq file with a module for each certificate, C0, C1, …: their theorems, checked in one run."""
    lines = [*HEADER]
    for number, certificate in enumerate(certificates):
        lines += ["", f"Module C{number}.", *module_lines(certificate), f"End C{number}."]
    uses = " ".join(f"let _ := C{number}.claims in" for number in range(len(certificates)))
    lines += ["", f"Definition all := {uses} tt.", "Print Assumptions all."]
    return "\n".join(lines) + "\n"


def module_lines(certificate: Certificate) -> list[str]:
    """The programs, the certificate as data, and the theorems."""
    counting = CoqData()
    _written(certificate, counting)
    data = CoqData(counting.uses)
    body = _written(certificate, data)
    return [*data.writer.lines, *data.lines, *body, "Definition claims := Logic.conj claim plain."]


def proof_lines(step: Step) -> list[str]:
    """The definition of a proof, `evidence`, and of the terms that it shares."""
    counting = CoqData()
    counting.proof(step)
    data = CoqData(counting.uses)
    text = data.proof(step)
    return [*data.writer.lines, *data.lines, f"Definition evidence : proof :=\n  {text}."]


def _written(certificate: Certificate, data: CoqData) -> list[str]:
    left, right, result = certificate.left, certificate.right, certificate.result
    lines = []
    for title, program in (("before", left), ("after", right)):
        lines += [_comment(program), f"Definition {title} : program := {data.program(program)}."]
    if isinstance(result, Counterexample):
        if LIST in (left.returns, right.returns):
            raise FragmentError("the Coq development has no lists in an order, which two bags of pairs may share")
        returned = ", ".join(value(each, left.result) for each in result.outputs)
        known = listed(map(_known, function_values(certificate)))
        return [
            *lines,
            f"Definition known : inputs :=\n  {known}.",
            f"Definition witness : inputs :=\n  {data.inputs(left.parameters, result.inputs)}.",
            f"Definition returned : val * val := ({returned}).",
            f"Definition orders : list one_value :=\n  {data.orders(certificate)}.",
            "Lemma checked : differ fuel before after known witness returned orders = true.",
            "Proof. vm_cast_no_check (eq_refl true). Qed.",
            "Theorem claim : inequivalent known before after.",
            "Proof. exact (differ_sound fuel before after known witness returned orders checked). Qed.",
            *_plain_difference(left, right, result, function_values(certificate)),
        ]
    return [
        *lines,
        f"Definition evidence : proof :=\n  {data.proof(result)}.",
        f"Definition orders : list one_value :=\n  {data.orders(certificate)}.",
        "Lemma checked : check fuel before after evidence orders = true.",
        "Proof. vm_cast_no_check (eq_refl true). Qed.",
        "Theorem claim : equivalent before after.",
        "Proof. exact (check_sound fuel before after evidence orders checked). Qed.",
        *_plain_equivalence(left, right),
    ]


def _plain_equivalence(left: Program, right: Program) -> list[str]:
    names = input_names(left.parameters)
    functions = names_of_functions(functions_of(left, right), names.values())
    values = listed(
        f"({quoted_name(name_of(each))}, value_of_type {type_of(each.type)} {name}%list)"
        for each, name in names.items()
    )
    applied = listed(
        f"({text_literal(each.name)}, function_of_type {listed(map(type_of, each.takes))} {type_of(each.gives)} {name})"
        for each, name in functions.items()
    )
    introduced = [*functions.values(), *names.values()]
    intros = f"intros {' '.join(introduced)}. " if introduced else ""
    return [
        f"Theorem plain : {statement(left, right, differ=False)}.",
        f"Proof. {intros}exact (plain_sound fuel before after evidence orders checked",
        f"  (given {values} {applied})). Qed.",
    ]


def _plain_difference(
    left: Program, right: Program, result: Counterexample, known: tuple[FunctionValue, ...]
) -> list[str]:
    functions = functions_of(left, right)
    witness = "".join(f"exists {known_function(each, known)}. " for each in functions)
    pairs = zip(result.inputs, left.parameters, strict=True)
    witness += "".join(f"exists {value_text(given, each.type)}. " for given, each in pairs)
    said = "".join("refine (Logic.conj eq_refl _). " for _ in known)
    return [
        f"Theorem plain : {statement(left, right, differ=True, known=known)}.",
        f"Proof. {witness}{said}refine (plain_differ {type_of(left.result)} _ _ _ _); vm_compute; reflexivity. Qed.",
    ]


def _known(each: FunctionValue) -> str:
    """What a function gives for some arguments, as Coq's data."""
    arguments = listed(value(given, of) for given, of in zip(each.arguments, each.function.takes, strict=True))
    name = f"App {text_literal(each.function.name)} {listed(map(type_of, each.function.takes))} {arguments}"
    return f"({name}, {type_of(each.function.gives)}, {value(each.value, each.function.gives)})"


def _comment(program: Program) -> str:
    """The program in the papers' notation, as a comment that no name in it can end."""
    shown = program_text(program).replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    return f"(** {''.join(letter if letter.isprintable() or letter == chr(10) else '?' for letter in shown)} *)"


class CoqData:
    """Writes terms and proofs as Coq data. A compound term that is used more than once has a definition in `lines`."""

    def __init__(self, uses: Counter[Term] | None = None) -> None:
        self.uses = Counter[Term]() if uses is None else uses
        self.counting = uses is None
        self.shared: dict[Term, str] = {}
        self.lines: list[str] = []
        self.writer = Writer()

    def renamed(self, names: Mapping[Term, int]) -> CoqData:
        """The same writer, for which these variables are arbitrary values with numbers."""
        self.shared |= {name: f"(Var (Any {index}) {type_of(name.type)})" for name, index in names.items()}
        return self

    def term(self, term: Term) -> str:
        """A term, or the name of its definition."""
        if self.counting:
            self.uses[term] += 1
        known = self.shared.get(term)
        if known is None:
            known = self.compound(term) if term.arguments else _leaf(term)
            if term.arguments and self.uses[term] > 1:
                name = f"t{len(self.lines)}"
                self.lines.append(f"Definition {name} : term := {known}.")
                known = name
            if self.counting or term.arguments:
                self.shared[term] = known
        return known

    def program(self, program: Program) -> str:
        """A program, with the functions that merge the results of its folds, and what its result stands for."""
        merges = [
            f"({self.term(each.fold)}, {'None' if each.merge is None else f'Some {self.term(each.merge)}'})"
            for each in program.folds
        ]
        stands_for = "Mean" if program.returns == MEAN else "Value"
        if program.may_raise:
            stands_for = f"MayRaise {stands_for}"
        parameters = (f"({quoted_name(name_of(each))}, {type_of(each.type)})" for each in program.parameters)
        return (
            f"{{|\n  parameters := {listed(parameters)};\n"
            f"  expression := {self.term(program.expression)};\n"
            f"  merges := {listed(merges)}; stands_for := {stands_for} |}}"
        )

    def compound(self, term: Term) -> str:
        """An operator with its arguments."""
        arguments = self.terms(term.arguments)
        if term.operator in _OPERATORS:
            return f"(Op {_OPERATORS[term.operator]} {arguments})"
        if term.operator in (Operator.APPLY, Operator.EXPAND):
            return f"(Op ({_applied(term)}) {arguments})"
        if term.operator is Operator.VALUE:
            return f"(Op (ValueOf {type_of(term.type)}) {arguments})"
        if term.operator in _WITH_PARAMETER and isinstance(term.parameter, int):
            scope = "%nat" if term.operator is Operator.PROJECTION else ""
            return f"(Op ({_WITH_PARAMETER[term.operator]} {integer(term.parameter)}{scope}) {arguments})"
        raise FragmentError(f"the Coq development has no {term.operator.value}")

    def terms(self, terms: Iterable[Term]) -> str:
        """A list of terms."""
        return listed(map(self.term, terms))

    def proof(self, step: Step) -> str:
        """A proof tree; raises FragmentError for a rule or a node that the development does not have."""
        rule = step.rule
        match rule:
            case NoAgg(matching=None):
                text = "NoAgg Counting"
            case NoAgg(matching=matching) if matching is not None:
                pairs = (
                    f"({self.writer.natural(number)}, {self.writer.naturals(places)})" for number, places in matching
                )
                text = f"NoAgg (Matching {listed(pairs)})"
            case Distinct():
                text = "SetRule"
            case Fold(folds=folds, accumulators=accumulators, invariant=invariant):
                pairs = (
                    f"({self.term(fold)}, {variable_name(state)})"
                    for fold, state in zip(folds, accumulators, strict=True)
                )
                text = f"FoldRule {listed([*pairs])} {self.term(invariant)}"
            case ByKey(folds=folds, buckets=buckets, invariant=invariant):
                names = ", ".join(f"({', '.join(map(variable_name, bucket.variables))})" for bucket in buckets)
                left, right = map(self.term, folds)
                text = f"ByKey {left} {right} ({names}) {self.term(invariant)}"
            case Congruence(parts=(left, right), fresh=fresh):
                text = f"Congruence {self.term(left)} {self.term(right)} {variable_name(fresh)}"
            case Transitive(middle=middle):
                text = f"Transitive {self.term(middle)}"
            case Symmetric():
                text = "Symmetric"
            case Reflexive():
                text = "Reflexive"
            case Members():
                text = f"Members {self.members(rule)}"
            case _:
                raise FragmentError(f"the Coq development has no rule {type(rule).__name__}")
        evidence = [self.writer.trees(step.evidence)] if isinstance(rule, NoAgg | Distinct | Fold | ByKey) else []
        return f"({' '.join([text, *evidence, *map(self.proof, step.subproofs)])})"

    def members(self, rule: Members) -> str:
        """A proof by MEMBERS."""
        named = {each: number for each in rule.parameters() if (number := number_of(each)) is not None}
        self.renamed(named)
        defined = (
            f"Build_defined {quoted_name(each.called)} {listed(map(type_of, each.takes))} {type_of(each.body.type)} "
            f"{self.term(each.body)}"
            for each in rule.definitions
        )
        return (
            f"{{| definitions :=\n  {listed(defined)};\n  steps := {listed(map(self.member_step, rule.steps))};\n"
            f"  concluded := {self.conclusion(rule.conclusion)} |}}"
        )

    def member_step(self, step: Elements | Induct | SumOver) -> str:
        """What makes further laws."""
        over = listed(map(type_of, step.over))
        match step:
            case Elements(bag=bag):
                return f"Elements {over} {self.term(bag)}"
            case Induct(calls=calls, invariant=invariant, base=base, step=after):
                numbered = (f"({self.writer.natural(number)}, {self.terms(given)})" for number, given in calls)
                reasons = f"{self.because(base)} {self.because(after)}"
                return f"Induct {over} {listed(numbered)} {self.term(invariant)} {reasons}"
            case SumOver(how=how, functions=functions, evidence=evidence):
                numbers = map(self.writer.natural, functions)
                return f"SumOver {over} ({' '.join([how, *numbers, *map(self.because, evidence)])})"

    def because(self, reason: Because) -> str:
        """Instances of laws, and the tree that uses them."""
        uses = (f"({self.writer.natural(number)}, {self.terms(given)})" for number, given in reason.uses)
        return f"({listed(uses)}, {self.writer.tree(reason.tree)})"

    def conclusion(self, conclusion: Conclusion) -> str:
        """What follows from the laws."""
        return (
            f"({' '.join([conclusion.how, *map(self.once, conclusion.once), *map(self.because, conclusion.evidence)])})"
        )

    def once(self, once: Once) -> str:
        """Why no element occurs twice."""
        if once.rest is None:
            return once.how
        reason = "" if once.evidence is None else f" {self.because(once.evidence)}"
        return f"({once.how}{reason} {self.once(once.rest)})"

    def orders(self, certificate: Certificate) -> str:
        """The proofs that folds have one value: for each of them that has a proof."""
        goals = one_values(certificate.semantics, certificate.left, certificate.right)
        given = zip(goals, certificate.one_values, strict=True)
        return listed([self.one_value(goal, step) for goal, step in given if step is not None])

    def one_value(self, goal: OneValue, step: Step) -> str:
        """A proof by ORDER or PARTITION."""
        if not isinstance(step.rule, Order | Partition):
            raise FragmentError(f"the Coq development has no rule {type(step.rule).__name__}")
        _, state = fold_of(goal, step.rule.invariant)
        names = _inside(goal.fold, opened(goal.fold, goal.merge)[1])
        invariant = CoqData(Counter()).renamed(dict(names)).term(step.rule.invariant)
        merge = "None" if goal.merge is None else f"Some {self.term(goal.merge)}"
        return (
            f"{{| of_fold := {self.term(goal.fold)}; merged_by := {merge}; state_name := {variable_name(state)}; "
            f"invariant_of := {invariant}; evidence_for := {self.writer.trees(step.evidence)} |}}"
        )

    def inputs(self, parameters: Sequence[Term], values: Sequence[Any]) -> str:
        """A value for each parameter."""
        pairs = zip(parameters, values, strict=True)
        return listed(
            f"({variable_name(each)}, {type_of(each.type)}, {value(given, each.type)})" for each, given in pairs
        )


def _inside(fold: Term, names: Mapping[Term, Term]) -> Iterator[tuple[Term, int]]:
    """The variables for what is inside a fold, with the numbers that the development gives them (`Order.v`, inner)."""
    found: list[Term] = []

    def visit(term: Term) -> None:
        for argument in term.arguments:
            visit(argument)
        if term.operator in (*AGGREGATES, *OPAQUE, Operator.DISTINCT):
            found.append(term)

    for argument in fold.arguments:
        visit(argument)
    for name, term in names.items():
        if term not in found:
            raise FragmentError("the Coq development has no aggregate in a merging function that is not in its fold")
        yield name, 4 + found.index(term)


def _applied(term: Term) -> str:
    """What applies a function, by its name and types, to arguments or to each element of a bag."""
    function = function_of(term)
    word, gives = "Apply", function.gives
    if isinstance(gives, BagType):
        word, gives = "Expand", gives.element
    return f"{word} {text_literal(function.name)} {listed(map(type_of, function.takes))} {type_of(gives)}"


def _leaf(term: Term) -> str:
    match term.operator:
        case Operator.CONSTANT if isinstance(term.parameter, bool):
            return f"(Bool {str(term.parameter).lower()})"
        case Operator.CONSTANT if isinstance(term.parameter, int):
            return f"(Int {integer(term.parameter)})"
        case Operator.CONSTANT if isinstance(term.parameter, str):
            return f"(Text {text_literal(term.parameter)})"
        case Operator.NONE:
            return f"(Op (NoneOf {type_of(term.parameter)}) [])"  # type: ignore[arg-type]
        case Operator.APPLY:
            return f"(Op ({_applied(term)}) [])"
        case Operator.VARIABLE:
            return f"(Var {variable_name(term)} {type_of(term.type)})"
        case Operator.ELEMENT:
            return f"(Elem {type_of(term.type)})"
        case Operator.ACCUMULATOR:
            return f"(Acc {type_of(term.type)})"
        case operator:
            raise FragmentError(f"the Coq development has no such {operator.value}")


def type_of(of: Type) -> str:
    """A type."""
    match of:
        case IntType():
            return "TInt"
        case BoolType():
            return "TBool"
        case TextType():
            return "TText"
        case OptionType(of=inner):
            return f"(TOpt {type_of(inner)})"
        case TupleType(components=components):
            return f"(TTup {listed(map(type_of, components))})"
        case BagType(element=element):
            return f"(TBag {type_of(element)})"
        case _:
            raise FragmentError(f"the Coq development has no type {of}")


def value(given: Any, of: Type) -> str:
    """A value of a type; a bag is the sorted list of its elements."""
    match of:
        case BoolType():
            return f"VBool {str(given).lower()}"
        case IntType():
            return f"VInt {integer(given)}"
        case TextType():
            return f"VText {text_literal(given)}"
        case OptionType(of=inner):
            return "VNone" if given is None else f"VSome ({value(given, inner)})"
        case TupleType(components=components):
            return f"VTup {listed(value(each, part) for each, part in zip(given, components, strict=True))}"
        case BagType(element=element):
            if sum(given.values()) > MOST_ELEMENTS:
                raise FragmentError(f"a bag with more than {MOST_ELEMENTS} elements is too large for Coq")
            ascending = sorted(given, key=with_none)
            return f"VBag {listed(value(each, element) for each in ascending for _ in range(given[each]))}"
        case _:
            raise FragmentError(f"the Coq development has no type {of}")


def variable_name(term: Term) -> str:
    """The name of a variable as one of the development: any text is a name, and different texts are different names.

    Raises FragmentError for any other term, which a certificate may put in a variable's place.
    """
    if term.operator is not Operator.VARIABLE:
        raise FragmentError(f"a {term.operator.value} stands where a certificate has a variable")
    return f"(N {quoted_name(name_of(term))})"


def quoted_name(text: str) -> str:
    """A name as a text of Coq: different names are different texts."""
    letters = (letter if letter.isprintable() and letter != "\\" else f"\\{ord(letter):x};" for letter in text)
    return '"' + "".join(letters).replace('"', '""') + '"'
