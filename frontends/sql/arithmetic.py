"""Numbers, dates and intervals: literals, arithmetic and division."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final
from typing import Literal as Choice

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import (
    ARITHMETIC,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Expression,
    Function,
    Literal,
    OnZero,
    Remainder,
    Rounding,
)
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    FLOATS,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    REAL,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.casts import as_double, require_floats
from tallystick.frontends.sql.coercion import (
    FLOAT_CONSTANT,
    NUMBERS,
    common_type,
    convert,
    named_kinds,
    taken_by_fractions,
    type_error,
    typed,
    unified,
)
from tallystick.frontends.sql.declared import declared_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import NULL, UntypedNull, Value
from tallystick.frontends.sql.parts import Parts, Place

Operator = Choice["+", "-", "*"]
OPERATORS: Final[dict[type[exp.Expr], Operator]] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*"}
DAY: Final = literals.MICROSECONDS_OF["day"]


def read_literal(expressions: Expressions, node: Parts) -> Expression:
    """A text or a number."""
    if node.args.get("is_string"):
        return Literal(str(node.this), TEXT)
    return _constant(expressions, str(node.this), node)


def _constant(expressions: Expressions, text: str, node: Place) -> Expression:
    """A number: with an exponent, a DOUBLE in most dialects, with a point in some; a large integer is a decimal."""
    value, dialect = literals.number(text), expressions.reading.dialect
    if value is None:
        raise expressions.reading.error(node, f"{text} is not understood as a number")
    if dialect.is_float(text):
        if not expressions.reading.exact_floats and dialect.by_manual:
            sign = "-" if value.value == 0 and text.startswith("-") else ""
            return Function(f"{FLOAT_CONSTANT}{sign}{value.value}", (), DOUBLE, strict=True)
        require_floats(expressions, node, f"the constant {text}")
    if dialect.widest_integer is not None and isinstance(value.value, int):
        half = 2 ** (dialect.widest_integer - 1)
        return value if -half <= value.value < half else Literal(Fraction(value.value), DECIMAL)
    return value


def read_boolean(expressions: Expressions, node: Parts) -> Expression:
    """TRUE or FALSE."""
    return literals.truth(bool(node.this))


def read_negation(expressions: Expressions, node: Parts) -> Value:
    """`- operand`."""
    if isinstance(node.this, exp.Literal) and not node.this.args.get("is_string"):
        return _constant(expressions, f"-{expressions.reading.word(node.this)}", node)
    value = expressions.read(node.this)
    return value if isinstance(value, UntypedNull) else negated(expressions, value, node)


def negated(expressions: Expressions, value: Expression, node: Place) -> Expression:
    """The negation of a number or an interval."""
    if isinstance(value, Literal) and isinstance(value.value, int | Fraction) and value.type != BOOLEAN:
        return Literal(-value.value, value.type)
    if value.type in (MONTHS, MICROSECONDS):
        return Arithmetic("*", value, literals.integer(-1))
    value = _number(expressions, value, node)
    if value.type in FLOATS:
        return Function(f"- {value.type}", (value,), value.type, strict=True)
    zero = literals.integer(0) if value.type == INTEGER else Literal(Fraction(0), DECIMAL)
    return Arithmetic("-", zero, value)


def read_arithmetic(expressions: Expressions, node: Parts) -> Value:
    """`left + right` and the like, of numbers, dates and intervals."""
    operator = OPERATORS[type(node.of)]
    return combined(expressions, operator, expressions.read(node.this), expressions.read(node.expression), node)


def combined(expressions: Expressions, operator: Operator, left: Value, right: Value, node: Place) -> Value:
    """`left operator right`; literals are computed."""
    if isinstance(left, UntypedNull) and isinstance(right, UntypedNull):
        return NULL
    _require_number(expressions, [left, right], node)
    left, right = _typed_pair(operator, left, right)
    types = {left.type, right.type}
    if types & FLOATS:
        return of_floats(expressions, operator, left, right, node)
    if types & {DATE, TIMESTAMP} or types & {MONTHS, MICROSECONDS}:
        return _times(expressions, operator, left, right, node)
    _require_exact_texts(expressions, (left, right), node)
    left, right = _of_one_type(expressions, [_number(expressions, each, node) for each in (left, right)], node)
    return computed(Arithmetic(operator, left, right))


def of_floats(expressions: Expressions, operator: str, left: Expression, right: Expression, node: Place) -> Expression:
    """`left operator right` where one is a floating-point number: a function by its name and by the types."""
    left, right = (_number(expressions, each, node) for each in (left, right))
    result = common_type(expressions.reading, [left, right], node)
    if result is None or (result == REAL and left.type != right.type):
        raise expressions.reading.error(node, "a REAL meets another number here", "cast both to DOUBLE")
    kinds = named_kinds(left, right)
    return Function(f" {operator} ".join(kinds), (left, right), result, strict=operator in "+-*")


def computed(sum_: Arithmetic) -> Expression:
    """The value of an operation on two literals; other operations as they are."""
    left, right = sum_.left, sum_.right
    if not (isinstance(left, Literal) and isinstance(right, Literal)):
        return sum_
    if left.value is None or right.value is None:
        return Literal(None, sum_.type)
    if not (isinstance(left.value, int | Fraction) and isinstance(right.value, int | Fraction)):
        return sum_
    match sum_.operator:
        case "+":
            value = left.value + right.value
        case "-":
            value = left.value - right.value
        case "*":
            value = left.value * right.value
    return Literal(Fraction(value) if sum_.type == DECIMAL else value, sum_.type)


def _typed_pair(operator: Operator, left: Value, right: Value) -> tuple[Expression, Expression]:
    """NULLs and texts beside a value get the type that the operation asks for."""
    if isinstance(left, UntypedNull):
        left = Literal(None, INTEGER) if isinstance(right, UntypedNull) else _partner(left, right.type)
    if isinstance(right, UntypedNull):
        right = _partner(right, left.type)
    if isinstance(left, Literal) and left.type == TEXT and right.type in (MONTHS, MICROSECONDS):
        left = literals.converted(left, DATE) or literals.converted(left, TIMESTAMP) or left
    for text, other in ((left, right), (right, left)):
        if isinstance(text, Literal) and text.type == TEXT and operator == "-" and other.type in (DATE, TIMESTAMP):
            as_time = literals.converted(text, other.type)
            if as_time is not None:
                return (as_time, right) if text is left else (left, as_time)
    return left, right


def _partner(null: UntypedNull, other: SqlType) -> Literal:
    """A NULL that is added to a value of a type; what is added to days and intervals has one of several types."""
    if other in NUMBERS | FLOATS:
        return null.of(other)
    return Literal(None, {DATE: INTEGER, TIMESTAMP: MICROSECONDS}.get(other, other))


def _times(
    expressions: Expressions, operator: Operator, left: Expression, right: Expression, node: Place
) -> Expression:
    if operator == "+" and left.type in (MONTHS, MICROSECONDS) and right.type in (DATE, TIMESTAMP):
        left, right = right, left
    if operator in "+-" and left.type in (DATE, TIMESTAMP) and right.type in (MONTHS, MICROSECONDS):
        for each in (node.this, node.expression):
            require_no_text(expressions, each)
        remains = any(remains_date(expressions, each) for each in (node.this, node.expression))
        by = right if operator == "+" else negated(expressions, right, node)
        return moved(expressions, left, by, node, remains)
    if expressions.reading.dialect.dates_as_numbers and {left.type, right.type} & {DATE, TIMESTAMP}:
        hint = "write DATEDIFF or TIMESTAMPDIFF for a difference, and + INTERVAL for another date"
        raise expressions.reading.error(node, "in this dialect, dates are numbers in arithmetic", hint)
    if {left.type, right.type} == {DATE, TIMESTAMP}:
        left, right = (convert(expressions.reading, each, TIMESTAMP, node) for each in (left, right))
    if left.type == right.type == DATE and expressions.reading.dialect.name in ("spark", "databricks"):
        left, right = Cast(left, TIMESTAMP), Cast(right, TIMESTAMP)
    if (operator, left.type, right.type) not in ARITHMETIC:
        raise expressions.reading.error(node, f"{operator} does not apply to {left.type} and {right.type}")
    return computed(Arithmetic(operator, left, right))


def remains_date(expressions: Expressions, interval: exp.Expr) -> bool:
    """Whether a date that is moved by an interval is a date: in some dialects, if the unit is a day or longer."""
    if expressions.reading.dialect.moved_date != "by its unit":
        return False
    found = declared_type(expressions, interval)
    return found is not None and (found.type == MONTHS or (found.type == MICROSECONDS and found.whole_days))


def require_no_text(expressions: Expressions, node: exp.Expr) -> None:
    """Raises SourceError where a text stands for a date in a dialect whose dates that are moved remain texts then."""
    if expressions.reading.dialect.mixed_values == "texts" and expressions.typed(node).type == TEXT:
        raise expressions.reading.error(node, "a date that is a text remains a text here", "write DATE '…', or CAST")


def moved(expressions: Expressions, start: Expression, by: Expression, node: Place, remains: bool) -> Expression:
    """A date or a timestamp, moved by an interval; a date is a timestamp then, unless it is to remain one."""
    if start.type == DATE and not remains and expressions.reading.dialect.name == "bigquery":
        start = as_datetime(start)
    elif start.type == DATE and not remains:
        start = convert(expressions.reading, start, TIMESTAMP, node)
    if by.type == MONTHS:
        return _months_later(start, by)
    if start.type == TIMESTAMP:
        return computed(Arithmetic("+", start, by))
    return computed(Arithmetic("+", start, _in_days(expressions, by, node)))


def as_datetime(date: Expression) -> Expression:
    """A date as a DATETIME of BigQuery, whose text is not that of a TIMESTAMP."""
    return Function("cast date as DATETIME", (date,), TIMESTAMP, strict=True)


def _in_days(expressions: Expressions, by: Expression, node: Place) -> Expression:
    """The number of days of an interval of whole days."""
    match by:
        case Literal(value=int(value)) if value % DAY == 0:
            return literals.integer(value // DAY)
        case Literal(value=None):
            return Literal(None, INTEGER)
        case Arithmetic(operator="*", left=count, right=interval) if interval.type == MICROSECONDS:
            return computed(Arithmetic("*", count, _in_days(expressions, interval, node)))
        case Arithmetic(operator="*", left=interval, right=count) if interval.type == MICROSECONDS:
            return computed(Arithmetic("*", _in_days(expressions, interval, node), count))
        case Arithmetic(operator=operator, left=left, right=right):
            sides = [_in_days(expressions, each, node) for each in (left, right)]
            return computed(Arithmetic(operator, *sides))
        case _:
            raise expressions.reading.error(node, "this number of days is not understood", "write INTERVAL n DAY")


def _months_later(start: Expression, by: Expression) -> Expression:
    if isinstance(start, Literal) and isinstance(start.value, int) and isinstance(by, Literal):
        days, time = (start.value, 0) if start.type == DATE else divmod(start.value, DAY)
        later = literals.months_later(days, by.value) if isinstance(by.value, int) else None
        if later is not None and start.type == DATE:
            return later
        if later is not None and isinstance(later.value, int):
            return Literal(later.value * DAY + time, TIMESTAMP)
    return Function("add months", (start, by), start.type, strict=True)


def _require_number(expressions: Expressions, values: Sequence[Value], node: Place) -> None:
    """Raises SourceError where two texts are added, in a dialect that converts a text beside a number only."""
    texts = all(not isinstance(each, UntypedNull) and each.type == TEXT for each in values)
    if texts and not expressions.reading.dialect.adds_texts:
        raise expressions.reading.error(node, "arithmetic on two texts is refused", "cast them to numbers")


def _require_exact_texts(expressions: Expressions, values: Sequence[Value], node: Place) -> None:
    """Raises SourceError at a constant text with a fraction that takes the type of the number that it meets."""
    known = [each for each in values if not isinstance(each, UntypedNull)]
    met = {each.type for each in known} & NUMBERS
    texts = [each.value for each in known if isinstance(each, Literal) and isinstance(each.value, str)]
    for text in texts:
        number = literals.number(text)
        fraction = number is not None and number.type == DECIMAL
        if fraction and any(taken_by_fractions(expressions.reading, each) is None for each in met):
            message = f"the text {text!r} takes the type of the number beside it"
            raise expressions.reading.error(node, message, "write the number without quotes")


def read_interval(expressions: Expressions, node: Parts) -> Expression:
    """`INTERVAL n unit`."""
    reading = expressions.reading
    unit = node.args.get("unit")
    if not isinstance(unit, exp.Var) or node.this is None:
        hint = "write one unit, as in INTERVAL 3 DAY"
        raise reading.error(node, "an interval of several units is not understood", hint)
    name = reading.word(unit)
    one = literals.interval(1, name)
    if one is None:
        raise reading.error(node, f"the unit {name} of an interval is not understood")
    count = convert(reading, expressions.read(node.this), INTEGER, node)
    if isinstance(count, Literal) and isinstance(count.value, int):
        return literals.interval(count.value, name) or one
    return Arithmetic("*", count, one)


def _number(expressions: Expressions, value: Expression, node: Place) -> Expression:
    """The value as a number; raises SourceError if the dialect does not convert it."""
    reading = expressions.reading
    if value.type in NUMBERS | FLOATS:
        return value
    if value.type == TEXT and isinstance(value, Literal) and isinstance(value.value, str):
        as_number = literals.number(value.value)
        if as_number is not None and reading.dialect.texts_as_doubles:
            if as_number.type == DECIMAL:
                require_floats(expressions, node, f"{value.value!r} as a number")
            return as_double(expressions, as_number, node)
        if as_number is not None:
            return as_number
    if value.type == TEXT and reading.dialect.text_as_number:
        if reading.dialect.texts_as_doubles:
            require_floats(expressions, node, "a text as a number")
        return convert(reading, value, DECIMAL, node)
    if value.type == BOOLEAN and reading.dialect.truth_as_number:
        return convert(reading, value, INTEGER, node)
    raise type_error(reading, node, "a number", value)


def numbers(expressions: Expressions, *nodes: exp.Expr) -> list[Expression]:
    """The values of nodes as numbers of one type."""
    values = [(expressions.read(node), node) for node in nodes]
    _require_exact_texts(expressions, [value for value, _ in values], nodes[0])
    known = [each if isinstance(each, UntypedNull) else _number(expressions, each, node) for each, node in values]
    return _of_one_type(expressions, known, nodes[0])


def _of_one_type(expressions: Expressions, values: Sequence[Value], node: Place) -> list[Expression]:
    return unified(expressions.reading, values, node) or [typed(value) for value in values]


def read_division(expressions: Expressions, node: Parts) -> Expression:
    """`left / right`."""
    node.unwritten("typed", "safe")
    left, right = numbers(expressions, node.this, node.expression)
    if left.type in FLOATS:
        return of_floats(expressions, "/", left, right, node)
    zero = isinstance(right, Literal) and right.value == 0
    if zero and expressions.reading.dialect.division_by_zero == "infinite":
        raise expressions.reading.error(node, "a division by zero is infinite, or NaN", "write NULL, or a condition")
    stored = expressions.reading.dialect.decimals_may_be_integers and DECIMAL in (left.type, right.type)
    if stored and not (_is_real(node.this) or _is_real(node.expression)):
        raise expressions.reading.error(node, "a decimal without a fraction may be an integer here", "multiply by 1.0")
    rounding: Rounding = expressions.reading.dialect.integer_division if left.type == INTEGER else "exact"
    return divided(expressions, left, right, rounding)


def _is_real(node: exp.Expr) -> bool:
    """Whether a number has a point whatever its value is: a constant with one, and what is computed of it."""
    made = node.unnest()
    if isinstance(made, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return _is_real(made.this) or _is_real(made.expression)
    return isinstance(made, exp.Avg) or (isinstance(made, exp.Literal) and not made.is_int)


def read_safe_division(expressions: Expressions, node: Parts) -> Expression:
    """`SAFE_DIVIDE(left, right)`: NULL by zero."""
    left, right = numbers(expressions, node.this, node.expression)
    if left.type in FLOATS:
        return of_floats(expressions, "SAFE_DIVIDE", left, right, node)
    rounding: Rounding = expressions.reading.dialect.integer_division if left.type == INTEGER else "exact"
    return divided(expressions, left, right, rounding, "null")


def divided(
    expressions: Expressions, left: Expression, right: Expression, rounding: Rounding, by_zero: OnZero | None = None
) -> Expression:
    """The quotient, with what the dialect does about zero, unless that is given."""
    if rounding == "exact":
        expressions.reading.assumptions.add(Assumption.EXACT_QUOTIENTS)
        if expressions.reading.dialect.division_by_zero == "infinite" and not _is_not_zero(right):
            expressions.reading.assumptions.add(Assumption.EXACT_FLOATS)
    quotient = Divide(left, right, rounding, by_zero or _on_zero(expressions, right))
    if isinstance(left, Literal) and isinstance(right, Literal) and left.value is not None and right.value:
        assert isinstance(left.value, int | Fraction)
        assert isinstance(right.value, int | Fraction)
        exact = Fraction(left.value) / Fraction(right.value)
        return Literal(exact, DECIMAL) if rounding == "exact" else literals.integer(int(exact))
    return quotient


def _is_not_zero(divisor: Expression) -> bool:
    return isinstance(divisor, Literal) and bool(divisor.value)


def _on_zero(expressions: Expressions, divisor: Expression) -> OnZero:
    if expressions.reading.dialect.division_by_zero == "null":
        return "null"
    if not _is_not_zero(divisor):
        expressions.reading.assumptions.add(Assumption.NO_ERROR)
    return "error"


def read_integer_division(expressions: Expressions, node: Parts) -> Expression:
    """`left DIV right`, rounded towards zero."""
    left, right = numbers(expressions, node.this, node.expression)
    if left.type in FLOATS:
        raise type_error(expressions.reading, node, "an exact number", left)
    whole = left.type == INTEGER or expressions.reading.dialect.divides_decimals_whole
    return divided(expressions, left, right, "truncate" if whole else "exact")


def read_remainder(expressions: Expressions, node: Parts) -> Expression:
    """`left % right`, of the sign of the left side."""
    left, right = numbers(expressions, node.this, node.expression)
    if left.type == DECIMAL and expressions.reading.dialect.double_quotients:
        for each in (node.this, node.expression):
            _require_few_digits(expressions, each, node)
    if left.type in FLOATS:
        return of_floats(expressions, "%", left, right, node)
    return Remainder(left, right, "truncate", _on_zero(expressions, right))


def _require_few_digits(expressions: Expressions, operand: exp.Expr, node: Parts) -> None:
    """Raises SourceError at a remainder that DuckDB computes as a DOUBLE: of a decimal and what may be a HUGEINT."""
    value, declared = expressions.read(operand), declared_type(expressions, operand)
    may_be_wide = declared is None or declared.greatest is None or declared.greatest >= 2**64
    if may_be_wide and not isinstance(value, UntypedNull) and value.type == INTEGER:
        message = "the remainder of a decimal and a HUGEINT is a DOUBLE, whose rounding is not understood"
        raise expressions.reading.error(node, message, "cast the integer to BIGINT")


def positive_remainder(expressions: Expressions, left: exp.Expr, right: exp.Expr) -> Expression:
    """Spark's `PMOD(left, right)`: not negative where the right side is positive."""
    first, second = numbers(expressions, left, right)
    if first.type in FLOATS:
        raise type_error(expressions.reading, left, "an exact number", first)
    by_zero = _on_zero(expressions, second)
    if isinstance(second, Literal) and second.type == INTEGER and second.value is not None and second.value > 0:  # type: ignore[operator]
        return Remainder(first, second, "floor", by_zero)
    rest = Remainder(first, second, "truncate", by_zero)
    negative = Comparison("<", rest, Literal(0 if rest.type == INTEGER else Fraction(0), rest.type))
    return Case(((negative, Remainder(Arithmetic("+", rest, second), second, "truncate", by_zero)),), rest)


def read_raw_text(expressions: Expressions, node: Parts) -> Expression:
    """A text without escapes: `r'…'`, `$$…$$`."""
    return Literal(str(node.this), TEXT)


HANDLERS = {
    exp.RawString: read_raw_text,
    exp.Literal: read_literal,
    exp.Boolean: read_boolean,
    exp.Neg: read_negation,
    exp.Add: read_arithmetic,
    exp.Sub: read_arithmetic,
    exp.Mul: read_arithmetic,
    exp.Div: read_division,
    exp.SafeDivide: read_safe_division,
    exp.IntDiv: read_integer_division,
    exp.Mod: read_remainder,
    exp.Interval: read_interval,
}
