"""Certificates about SQL queries as theorems of Coq (`coq/queries/`): joins, filters, projections, UNION, GROUP BY.

    Definition tables : schema := …          the tables that the queries read
    Definition before : query := …           both queries
    Theorem claim : same_answers tables before after.

A query is written twice: as Coq data, and as the program over bags of tuples that `compile` of `coq/queries/Sound.v`
makes of it, for which a prover of programs finds a proof. The certificate's own proof is about another normal form, and
is not used. Nothing here is trusted: Coq compiles the query itself, and checks the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tallystick.certificates.exports.coq import integer, proof_lines
from tallystick.certificates.exports.plain_coq import TEXT_LIMIT
from tallystick.certificates.proofs import Step
from tallystick.certificates.queries.proofs import QueryCertificate, Witness
from tallystick.core.errors import FragmentError
from tallystick.core.programs import Program
from tallystick.core.queries import expressions as sql
from tallystick.core.queries import syntax
from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.types import BOOLEAN, DECIMAL, INTEGER, TEXT, ColumnType, SqlType, SqlValue
from tallystick.core.terms import (
    FALSE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    conjunction,
    constant,
    disjunction,
    element,
    equal,
    ite,
    less,
    less_equal,
    negation,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, BasicType, TupleType

Prove = Callable[[Program, Program], Step | None]
"""Finds a proof that two programs return the same."""


def theorem_of_queries(certificate: QueryCertificate, prove: Prove) -> str:
    """A Coq file that proves the claim of a certificate about queries.

    Raises FragmentError for what the development does not have, by name, and where `prove` finds no proof.
    """
    left, right, catalogue = certificate.left, certificate.right, certificate.catalogue
    if left.order or right.order:
        raise _lacking("ORDER BY")
    if any(len(each.names) < len(each.query.columns) for each in (left, right)):
        raise _lacking("invisible column")
    compiler = _Compiler(catalogue)
    before, after = compiler.query(left.query), compiler.query(right.query)
    tables = [table for table in catalogue.tables if table.name in compiler.scanned]
    lines = [
        "From Tallystick.queries Require Import Sound Meaning.",
        "Open Scope string_scope. Open Scope Z_scope.",
        "",
        f"Definition tables : schema :=\n  {_list(map(_table, tables))}.",
        *(
            line
            for title, source, query in zip(("before", "after"), certificate.sources, (before, after), strict=True)
            for line in (_comment(source), f"Definition {title} : query :=\n  {query.text}.")
        ),
    ]
    result = certificate.result
    if isinstance(result, Witness):
        given = zip(catalogue.tables, result.tables, strict=True)
        rows = (
            f"({_text(table.name)}, {_list(_list(map(_value, row)) for row in content)})"
            for table, content in given
            if table.name in compiler.scanned
        )
        lines += [
            f"Definition witness : list (string * list row) :=\n  {_list(rows)}.",
            "Lemma checked : differ_queries tables before after witness = true.",
            "Proof. vm_compute. reflexivity. Qed.",
            "Theorem claim : different_answers tables before after.",
            "Proof. exact (queries_differ tables before after witness checked). Qed.",
        ]
    else:
        parameters = tuple(compiler.scanned[table.name] for table in tables)
        step = prove(Program("before", parameters, before.term), Program("after", parameters, after.term))
        if step is None:
            raise FragmentError("no proof by the rules for programs is found for these queries")
        lines += [
            "Import Semantics.",
            *proof_lines(step),
            "Lemma checked : check_queries fuel tables before after evidence = true.",
            "Proof. vm_compute. reflexivity. Qed.",
            "Theorem claim : same_answers tables before after.",
            "Proof. exact (queries_sound fuel tables before after evidence checked). Qed.",
        ]
    return "\n".join([*lines, "Print Assumptions claim."]) + "\n"


def _lacking(construct: str) -> FragmentError:
    return FragmentError(f"the Coq development has no {construct} in queries")


def _list(items: Iterable[str]) -> str:
    return f"[{'; '.join(items)}]"


def _text(text: str) -> str:
    """A text, whose bytes in UTF-8 are the characters of Coq's."""
    if not text.isprintable():
        raise _lacking("text with control characters")
    return '"' + text.replace('"', '""') + '"'


def _comment(source: str) -> str:
    shown = source.replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    return f"(** {''.join(letter if letter.isprintable() or letter == chr(10) else '?' for letter in shown)} *)"


def _kind(of: SqlType) -> str:
    if of == DECIMAL:
        raise _lacking("decimal")
    return {BOOLEAN: "Truths", TEXT: "Texts"}.get(of, "Numbers")


def _base(of: SqlType) -> BasicType:
    return BOOL if of == BOOLEAN else INT


def _value(value: SqlValue) -> str:
    match value:
        case None:
            return "Null"
        case bool():
            return f"Truth {str(value).lower()}"
        case int():
            return f"Number {integer(value)}"
        case str():
            return f"Text {_text(value)}"
        case _:
            raise _lacking("decimal")


def _table(table: Table) -> str:
    columns = (f"({_kind(column.type)}, {str(column.nullable).lower()})" for column in table.columns)
    return f"({_text(table.name)}, {_list(columns)})"


def code(text: str) -> int:
    """The number that stands for a text in programs (`code` in `coq/queries/Compile.v`)."""
    number = 0
    for byte in reversed(text.encode()):
        number = byte + 1 + 256 * number
    return number


def _cell(of: SqlType) -> TupleType:
    return TupleType((BOOL, _base(of)))


def _row(columns: Sequence[ColumnType]) -> TupleType:
    if not columns:
        raise _lacking("row without columns")
    return TupleType(tuple(_cell(column.type) for column in columns))


@dataclass(frozen=True, slots=True)
class _Written:
    """What is written in Coq. Raises FragmentError where parts that are shared, written out, make it too long."""

    text: str

    def __post_init__(self) -> None:
        if len(self.text) > TEXT_LIMIT:
            raise FragmentError("the query is too long to be spelt out in Coq")


@dataclass(frozen=True, slots=True)
class _Query(_Written):
    """A query, and the program that it is compiled to."""

    term: Term


@dataclass(frozen=True, slots=True)
class _Value(_Written):
    """An expression, whether its value is NULL, and its value, the default where it is."""

    null: Term
    value: Term


class _Compiler:
    """Compiles queries; `scanned` are the bags of the tables that they read."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.scanned: dict[str, Term] = {}

    def query(self, query: syntax.Query) -> _Query:
        """A query; raises FragmentError for what the development does not have."""
        match query:
            case syntax.Scan():
                return self.scan(query)
            case syntax.Filter(input=source, condition=condition):
                read, test = self.query(source), _compiled(condition, element(_row(source.columns)))
                return _Query(f"(Where {test.text} {read.text})", build(Operator.FILTER, (test.value, read.term)))
            case syntax.Project(input=source, expressions=expressions):
                read, row = self.query(source), element(_row(source.columns))
                parts = [_compiled(each, row) for each in expressions]
                _row(query.columns)
                made = build(Operator.MAP, (_row_of(parts), read.term))
                return _Query(f"(Select {_list(part.text for part in parts)} {read.text})", made)
            case syntax.Join(kind="inner", lateral=False):
                return self.join(query)
            case syntax.Join(kind=kind, lateral=lateral):
                raise _lacking("lateral join" if lateral else f"{kind} join")
            case syntax.SetOperation(kind="union", all=keeps, left=left, right=right):
                one, other = self.query(left), self.query(right)
                both = _Query(f"(UnionAll {one.text} {other.text})", build(Operator.UNION, (one.term, other.term)))
                return both if keeps else _distinct(both)
            case syntax.SetOperation(kind=kind):
                raise _lacking(kind.upper())
            case syntax.Distinct(input=source):
                return _distinct(self.query(source))
            case syntax.Aggregate():
                return self.aggregate(query)
            case _:
                names = {"Limit": "LIMIT", "Values": "VALUES", "Window": "window function"}
                raise _lacking(names[type(query).__name__])

    def scan(self, query: syntax.Scan) -> _Query:
        """The rows of a table: cells of columns that are NOT NULL are stored without a flag."""
        columns = self.catalogue.by_name[query.table].row
        for column in columns:
            _kind(column.type)
        stored = TupleType(tuple(_cell(column.type) if column.nullable else _base(column.type) for column in columns))
        bag = self.scanned.setdefault(query.table, variable(query.table, BagType(stored)))
        read = [build(Operator.PROJECTION, (element(stored),), index) for index in range(len(columns))]
        cells = [_read(part, column) for part, column in zip(read, columns, strict=True)]
        return _Query(f"(Table {_text(query.table)})", build(Operator.MAP, (tuple_of(*cells), bag)))

    def aggregate(self, query: syntax.Aggregate) -> _Query:
        """GROUP BY: a fold by key, whose state has a cell for each call."""
        if not query.keys or query.grouping_sets is not None:
            raise _lacking("aggregate without GROUP BY" if query.grouping_sets is None else "grouping sets")
        read, row = self.query(query.input), element(_row(query.input.columns))
        keys = [_compiled(key, row) for key in query.keys]
        if not query.calls:
            selected = build(Operator.MAP, (_row_of(keys), read.term))
            return _distinct(_Query(f"(Select {_list(key.text for key in keys)} {read.text})", selected))
        calls = [_call(call, row) for call in query.calls]
        pairs = build(Operator.MAP, (tuple_of(_row_of(keys), _row_of(value for _, value in calls)), read.term))
        state = TupleType(tuple(_cell(INTEGER) for _ in calls))
        zeros = (tuple_of(constant(text.split()[0] not in ("CountAll", "Count")), constant(0)) for text, _ in calls)
        step = tuple_of(
            *(
                _joined(call, project(accumulator(state), index), project(element(state), index))
                for index, call in enumerate(query.calls)
            )
        )
        groups = build(Operator.FOLD_BY_KEY, (tuple_of(*zeros), step, pairs))
        texts = (_list(key.text for key in keys), _list(f"({text})" for text, _ in calls))
        sides = (TupleType(tuple(_cell(key.type) for key in query.keys)), state)
        return _Query(f"(GroupBy {' '.join(texts)} {read.text})", _side_by_side(sides, groups))

    def join(self, query: syntax.Join) -> _Query:
        """The pairs of rows, put side by side, on which the condition is true."""
        left, right = self.query(query.left), self.query(query.right)
        sides = (_row(query.left.columns), _row(query.right.columns))
        product = _side_by_side(sides, build(Operator.CARTESIAN, (left.term, right.term)))
        test = _compiled(query.condition, element(_row((*query.left.columns, *query.right.columns))))
        return _Query(f"(Join {test.text} {left.text} {right.text})", build(Operator.FILTER, (test.value, product)))


def _side_by_side(sides: tuple[TupleType, TupleType], pairs: Term) -> Term:
    """The pairs of rows of a bag, each as one row."""
    pair = element(TupleType(sides))
    cells = [
        build(Operator.PROJECTION, (build(Operator.PROJECTION, (pair,), side),), index)
        for side, row in enumerate(sides)
        for index in range(len(row.components))
    ]
    return build(Operator.MAP, (tuple_of(*cells), pairs))


def _row_of(values: Iterable[_Value]) -> Term:
    return tuple_of(*(tuple_of(value.null, value.value) for value in values))


def _call(call: AggregateCall | GroupingCall, row: Term) -> tuple[str, _Value]:
    """A call in Coq, and what it combines of each row."""
    if isinstance(call, GroupingCall):
        raise _lacking("GROUPING")
    if call.distinct or call.function not in _CALLS or len(call.arguments) > 1:
        raise _lacking(f"aggregate {call.function}{' of distinct rows' if call.distinct else ''}")
    one, none = _constant(1, INTEGER), _constant(None, INTEGER)
    if not call.arguments and call.filter is None:
        return "CountAll", one
    argument = _compiled(call.arguments[0], row) if call.arguments else one
    of = call.arguments[0].type if len(call.arguments) == 1 else INTEGER
    if call.function != "count" and _kind(of) != "Numbers":
        raise _lacking(f"aggregate {call.function} of values of type {of}")
    if call.filter is not None:
        argument = _chosen(_compiled(call.filter, row), argument, _constant(None, of))
    text = f"{_CALLS[call.function]} {argument.text}"
    if call.function == "count":
        missing = _Value(f"(IsNull {argument.text})", FALSE, argument.null)
        return text, _chosen(missing, none, one)
    return text, argument


def _joined(call: AggregateCall | GroupingCall, state: Term, cell: Term) -> Term:
    """What becomes of the cell of a call in the state of a group when it takes that of a row."""
    (old_null, old), (null, new) = ((project(each, 0), project(each, 1)) for each in (state, cell))
    joined = add(old, new)
    if isinstance(call, AggregateCall) and call.function in ("min", "max"):
        better = less(new, old) if call.function == "min" else less(old, new)
        joined = ite(old_null, new, ite(null, old, ite(better, new, old)))
    return tuple_of(conjunction(old_null, null), joined)


def _read(stored: Term, column: ColumnType) -> Term:
    """A stored cell as a cell: what stands beside the flag of NULL is arbitrary in a program's input."""
    if not column.nullable:
        return tuple_of(FALSE, stored)
    null, value = (build(Operator.PROJECTION, (stored,), index) for index in range(2))
    if column.type == BOOLEAN:
        return tuple_of(null, build(Operator.AND, (build(Operator.NOT, (null,)), value)))
    return tuple_of(null, build(Operator.ITE, (null, constant(0), value)))


_CALLS = {"count": "Count", "sum": "Sum", "min": "Least", "max": "Greatest"}


def _distinct(query: _Query) -> _Query:
    return _Query(f"(Distinct {query.text})", build(Operator.DISTINCT, (query.term,)))


def _compiled(expression: sql.Expression, row: Term) -> _Value:
    """An expression over a row, as `compiled` of `coq/queries/Compile.v` has it."""
    match expression:
        case sql.Reference(level=0, index=index, type=of):
            _kind(of)
            cell = project(row, index)
            return _Value(f"(Column {index})", project(cell, 0), project(cell, 1))
        case sql.Reference():
            raise _lacking("correlated subquery")
        case sql.Literal(value=value, type=of):
            return _constant(value, of)
        case sql.Arithmetic():
            return _arithmetic(expression, row)
        case sql.Comparison():
            return _comparison(expression, row)
        case sql.And(operands=operands) | sql.Or(operands=operands):
            both = isinstance(expression, sql.And)
            first, *others = [_compiled(each, row) for each in operands] or [_constant(both, BOOLEAN)]
            for other in others:
                first = _both(first, other) if both else _either(first, other)
            return first
        case sql.Not(operand=operand):
            return _negated(_compiled(operand, row))
        case sql.IsNull(operand=operand):
            part = _compiled(operand, row)
            return _Value(f"(IsNull {part.text})", FALSE, part.null)
        case sql.IsTruth(operand=operand, truth=truth):
            part = _compiled(operand, row)
            held = part.value if truth else conjunction(negation(part.null), negation(part.value))
            return _Value(f"(Is {str(truth).lower()} {part.text})", FALSE, held)
        case sql.Case(branches=branches, default=default):
            result = _compiled(default, row)
            for condition, value in reversed(branches):
                result = _chosen(_compiled(condition, row), _compiled(value, row), result)
            return result
        case sql.Cast(operand=operand) if operand.type == BOOLEAN and expression.type != DECIMAL:
            truth, number = _compiled(operand, row), _compiled(operand, row)
            zero, one, none = (_constant(value, expression.type) for value in (0, 1, None))
            known = _chosen(number, one, zero)
            missing = _Value(f"(IsNull {truth.text})", FALSE, truth.null)
            return _chosen(missing, none, known)
        case sql.Function(name=name):
            raise _lacking(f"function {name}")
        case _:
            names = {"ScalarSubquery": "scalar subquery", "Divide": "division", "Remainder": "remainder"}
            raise _lacking(names.get(type(expression).__name__, type(expression).__name__.upper()))


def _constant(value: SqlValue, of: SqlType) -> _Value:
    kind = _kind(of)
    plain = code(value) if isinstance(value, str) else value
    default = False if of == BOOLEAN else 0
    term = constant(default if plain is None else plain)
    return _Value(f"(Constant {kind} ({_value(value)}))", constant(value is None), term)


def _arithmetic(expression: sql.Arithmetic, row: Term) -> _Value:
    _kind(expression.type)
    left, right = (_compiled(each, row) for each in (expression.left, expression.right))
    if expression.operator == "*":
        for factor, other in ((expression.left, right), (expression.right, left)):
            if isinstance(factor, sql.Literal) and type(factor.value) is int:
                return _times(factor.value, other)
        raise _lacking("product of columns")
    other = right if expression.operator == "+" else _times(-1, right)
    null = disjunction(left.null, other.null)
    total = ite(null, constant(0), add(left.value, other.value))
    return _Value(f"(Plus {left.text} {other.text})", null, total)


def _times(factor: int, of: _Value) -> _Value:
    return _Value(f"(Times {integer(factor)} {of.text})", of.null, scale(factor, of.value))


def _comparison(expression: sql.Comparison, row: Term) -> _Value:
    left, right = (_compiled(each, row) for each in (expression.left, expression.right))
    of = expression.left.type
    if _kind(of) != "Numbers" and expression.operator not in ("=", "<>", "<=>"):
        raise _lacking(f"order of values of type {of}")
    if expression.operator in (">", ">="):
        left, right = right, left
    null = disjunction(left.null, right.null)
    match expression.operator:
        case "<=>":
            same = conjunction(equal(left.null, right.null), equal(left.value, right.value))
            return _Value(f"(Compare Same {left.text} {right.text})", FALSE, same)
        case "=" | "<>":
            text, compared = "Equal", equal(left.value, right.value)
        case "<" | ">":
            text, compared = "Below", less(left.value, right.value)
        case "<=" | ">=":
            text, compared = "AtMost", less_equal(left.value, right.value)
    known = _Value(f"(Compare {text} {left.text} {right.text})", null, conjunction(negation(null), compared))
    return _negated(known) if expression.operator == "<>" else known


def _both(left: _Value, right: _Value) -> _Value:
    null = conjunction(
        disjunction(left.null, right.null), disjunction(left.null, left.value), disjunction(right.null, right.value)
    )
    return _Value(f"(Both {left.text} {right.text})", null, conjunction(left.value, right.value))


def _either(left: _Value, right: _Value) -> _Value:
    null = conjunction(disjunction(left.null, right.null), negation(left.value), negation(right.value))
    return _Value(f"(Either {left.text} {right.text})", null, disjunction(left.value, right.value))


def _negated(of: _Value) -> _Value:
    return _Value(f"(Negated {of.text})", of.null, conjunction(negation(of.null), negation(of.value)))


def _chosen(condition: _Value, then: _Value, otherwise: _Value) -> _Value:
    return _Value(
        f"(When {condition.text} {then.text} {otherwise.text})",
        ite(condition.value, then.null, otherwise.null),
        ite(condition.value, then.value, otherwise.value),
    )
