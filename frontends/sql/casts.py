"""CAST: exact where all agree on it; else a function that is known by the types alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import (
    Arithmetic,
    Case,
    Comparison,
    Divide,
    Expression,
    Function,
    Literal,
    Reference,
    Remainder,
)
from tallystick.core.queries.ranges import MICROSECOND
from tallystick.core.queries.syntax import Filter, Join, Limit, Project, Scan
from tallystick.core.queries.traversal import parts
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    FLOATS,
    INTEGER,
    OPAQUE,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.coercion import cast_function, convert
from tallystick.frontends.sql.declared import ROUNDINGS, UNSIGNED, declared_type
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.exact_types import BY_MANUAL, written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.parts import Parts, Place
from tallystick.frontends.sql.schema import by_order
from tallystick.frontends.sql.type_names import TypeName, type_name

WRAPS: Final = literals.integer(2**64)
HALF: Final = literals.integer(2**63)
"""What has no place among the integers of 64 bits, without and with a sign."""


def read_cast(expressions: Expressions, node: Parts) -> Expression:
    """CAST(value AS type), TRY_CAST and `::`."""
    reading = expressions.reading
    node.unwritten("safe", "requires_string")
    target = node.args["to"]
    to = type_name(target, reading.dialect) if isinstance(target, exp.DataType) else None
    if to is None:
        raise reading.error(node, f"the type {target.sql()} is not understood")
    reading.covered(target)
    if to.type == TIMESTAMP and reading.dialect.name == "mysql" and target.this != exp.DType.DATETIME:
        to = replace(to, precision=None)  # TIMESTAMP '…': a constant, with digits of its own
    if to.type == TEXT and not target.expressions and not reading.dialect.casts_pad:
        to = replace(to, length=None)  # a column of type CHAR has one character, a cast to it cuts in PostgreSQL alone
    if to.floating and not reading.exact_floats and (floats := by_order(to)) is not None:
        to = TypeName(floats)
    if to.floating:
        require_floats(expressions, node, f"the type {target.sql()}")
    value = expressions.read(node.this)
    if isinstance(value, UntypedNull):
        return value.of(to.type)
    if OPAQUE in (value.type, to.type):
        written = written_type(expressions, node.this, value)
        given = f"{value.type} of {written}" if written else str(value.type)
        if reading.dialect.name not in BY_MANUAL:  # CAST and TRY_CAST tell widths and digits apart
            how = "try_cast" if isinstance(node.of, exp.TryCast) else "cast"
            return Function(f"{how} {given} as {target.sql(reading.dialect.parser)}", (value,), to.type, False)
        plain = to.size is None and to.type != OPAQUE and not to.kind and to.precision is None
        return Function(f"cast {given} as {to.type if plain else target.sql()}", (value,), to.type, False)
    tried = isinstance(node.of, exp.TryCast)
    return _of_floats(expressions, value, to, node, tried) or cast(expressions, value, to, node)


def _of_floats(
    expressions: Expressions, value: Expression, to: TypeName, node: Parts, tried: bool
) -> Expression | None:
    """A cast to or from a floating-point number: a function by the types; None for other casts."""
    if not {value.type, to.type} & FLOATS or value.type == to.type:
        return value if value.type == to.type and value.type in FLOATS else None
    digits = f" of scale {to.scale}" if to.type == DECIMAL and to.scale is not None else ""
    of_numbers = {value.type, to.type} <= FLOATS | {INTEGER, DECIMAL, TEXT} and value.type != TEXT
    made = Function(f"cast {value.type} as {to.type}{digits}", (value,), to.type, strict=of_numbers and not tried)
    if to.type != TEXT:
        return made
    if to.padded:
        raise expressions.reading.error(node, "the text of a floating-point number is not padded here", "use VARCHAR")
    return _shortened(expressions, made, to, node)


def require_floats(expressions: Expressions, node: Place, what: str) -> None:
    """Raises SourceError unless floating-point numbers are assumed to be exact; records the assumption."""
    if not expressions.reading.exact_floats:
        hint = "assume that they are exact with --assume exact-floats, or use DECIMAL"
        raise expressions.reading.error(node, f"{what} holds floating-point numbers, whose sums depend on order", hint)
    expressions.reading.assumptions.add(Assumption.EXACT_FLOATS)


def as_double(expressions: Expressions, value: Expression, node: Place) -> Expression:
    """An integer that is a DOUBLE to the dialect; that it is exact is assumed."""
    expressions.reading.assumptions.add(Assumption.EXACT_FLOATS)
    return convert(expressions.reading, value, DECIMAL, node)


def cast(expressions: Expressions, value: Expression, to: TypeName, node: Parts) -> Expression:
    """A value as one of another type."""
    dialect = expressions.reading.dialect
    literal = _literal(value, to, dialect)
    if literal is not None:
        return literal
    match value.type, to.type:
        case SqlType.DATE | SqlType.TIMESTAMP, SqlType.TIMESTAMP if _changes_kind(expressions, value, to, node):
            return Function(f"cast {value.type} as {to.kind or 'timestamp'}", (value,), TIMESTAMP, strict=True)
        case SqlType.TEXT, SqlType.TEXT:
            return _shortened(expressions, value, to, node)
        case SqlType.INTEGER | SqlType.DECIMAL, SqlType.INTEGER | SqlType.DECIMAL:
            return _number(expressions, value, to, node)
        case SqlType.INTEGER, SqlType.BOOLEAN if dialect.name != "calcite":
            return Comparison("<>", value, literals.integer(0))
        case SqlType.TIMESTAMP, SqlType.DATE:
            return Function("cast timestamp as date", (value,), DATE, strict=True)
        case SqlType.TIMESTAMP, SqlType.TIMESTAMP if _has_no_more_digits(expressions, node.this, to):
            return value
        case SqlType.TIMESTAMP | SqlType.TEXT, SqlType.TIMESTAMP if to.precision is not None:
            if isinstance(value, Literal) and dialect.name == "calcite":  # TIMESTAMP '….5' has its own digits
                raise expressions.reading.error(node, "this constant is not understood as a moment of whole seconds")
            moment = value if value.type == TIMESTAMP else _moment(value, to)
            how = "cut" if dialect.casts_cut_seconds else "round"
            return Function(f"{how} to digits of a second {to.precision}", (moment,), TIMESTAMP, strict=True)
        case (same, other) if same == other:
            return value
        case SqlType.TEXT, SqlType.DECIMAL if to.scale is not None:
            return _fitting(expressions, cast_function(value, DECIMAL), to, node)
        case SqlType.TEXT, SqlType.INTEGER if to.least == 0 and dialect.unsigned_bits:
            return Function("cast text as unsigned integer", (value,), INTEGER, strict=False)
        case SqlType.TEXT, SqlType.TIMESTAMP:
            return _moment(value, to)
        case SqlType.TEXT, SqlType.BOOLEAN | SqlType.INTEGER | SqlType.DECIMAL | SqlType.DATE:
            return cast_function(value, to.type)
        case _, SqlType.TEXT:
            return _shortened(expressions, as_text(expressions, value, node.this), to, node)
        case _:
            return convert(expressions.reading, value, to.type, node)


def _changes_kind(expressions: Expressions, value: Expression, to: TypeName, node: Parts) -> bool:
    """Whether a date or a moment becomes one of another kind, such as BigQuery's DATETIME, whose text is another one;
    engines that can be asked are read as they are (`as_text`)."""
    if not expressions.reading.dialect.by_manual:
        return False
    declared = declared_type(expressions, node.this)
    if value.type == DATE:
        return bool(to.kind)
    return declared is None or declared.type != TIMESTAMP or declared.kind != to.kind


def _has_no_more_digits(expressions: Expressions, moment: exp.Expr, to: TypeName) -> bool:
    """Whether a moment's seconds are declared to have no more digits than those of a type."""
    declared = declared_type(expressions, moment)
    known = None if declared is None or declared.type != TIMESTAMP else declared.precision
    return to.precision is None or (known is not None and known <= to.precision)


def _moment(text: Expression, to: TypeName) -> Function:
    """A text as a moment: whether a zone in it counts hangs on the type."""
    return Function(f"cast text as {to.kind or 'timestamp'}", (text,), TIMESTAMP, strict=False)


def _number(expressions: Expressions, value: Expression, to: TypeName, node: Parts) -> Expression:
    """A number as one of another type: for MySQL's UNSIGNED and SIGNED, an integer is modulo 2 to the power of 64."""
    dialect, given = expressions.reading.dialect, value.type
    if to.type == DECIMAL:
        return _fitting(expressions, value, to, node)
    if value.type == DECIMAL and dialect.casts_truncate:
        value = Divide(value, Literal(Fraction(1), DECIMAL), "truncate", "error")
    elif value.type == DECIMAL:
        kind = "float" if _rounds_to_even(expressions, node) else "decimal"
        value = Function(f"cast {kind} as integer", (value,), INTEGER, strict=True)
    if not dialect.unsigned_bits:
        return value
    if to.least != 0:
        wraps = given == INTEGER and _may_be_unsigned(expressions, value, node.this)
        return Arithmetic("-", unsigned(Arithmetic("+", value, HALF)), HALF) if wraps else value
    return unsigned(value) if given == INTEGER else _without_sign(value)


def _rounds_to_even(expressions: Expressions, node: Parts) -> bool:
    """Whether a cast to an integer rounds .5 to an even number: of a DOUBLE, where that can be seen."""
    dialect = expressions.reading.dialect
    inner, declared = node.this.unnest(), declared_type(expressions, node.this)
    if type(inner) in ROUNDINGS and inner.args.get("decimals") is None:
        return False
    if dialect.double_quotients and declared is None:
        hint = "cast it to DECIMAL(18, 3) or so before, or write ROUND(…)"
        message = "whether this is a DOUBLE, which a cast rounds otherwise than a DECIMAL, is not known"
        raise expressions.reading.error(node.this, message, hint)
    if dialect.double_quotients:
        return declared is not None and declared.floating
    maybe_floating = declared is None or declared.floating
    return dialect.doubles_round_to_even and maybe_floating and expressions.reading.exact_floats


def _without_sign(value: Expression) -> Expression:
    """An integer that was a decimal as one without a sign: 0 if it is below zero."""
    zero = literals.integer(0)
    return Case(((Comparison("<", value, zero), zero),), value)


def _may_be_unsigned(expressions: Expressions, value: Expression, node: exp.Expr) -> bool:
    """Whether an integer may be of a type without a sign, of 64 bits."""
    if isinstance(value, Literal):
        return value.value is not None and HALF.value <= value.value < WRAPS.value  # type: ignore[operator]
    declared = declared_type(expressions, node)
    if declared is None or declared.greatest is None:
        return any(isinstance(each, Remainder) and each.right == WRAPS for each in parts(value))
    return declared.greatest == UNSIGNED.greatest


def unsigned(value: Expression) -> Expression:
    """An integer modulo 2 to the power of 64."""
    if isinstance(value, Literal):
        return value if value.value is None else literals.integer(int(value.value) % 2**64)
    return Remainder(value, WRAPS, "floor", "error")


def _fitting(expressions: Expressions, value: Expression, to: TypeName, node: Parts) -> Expression:
    """A number as a decimal of so many digits: rounded, and in MySQL the largest one if it is too large."""
    declared = declared_type(expressions, node.this)
    if to.scale is None or to.floating or _has_room(to, declared):
        return convert(expressions.reading, value, DECIMAL, node)
    digits = value.type == DECIMAL and (declared is None or declared.scale is None or declared.scale > to.scale)
    rounded = convert(expressions.reading, value, DECIMAL, node)
    if digits:
        rounded = Function(f"round to scale {to.scale}", (rounded,), DECIMAL, strict=True)
    if not expressions.reading.dialect.casts_saturate or to.greatest is None or to.least is None:
        return rounded
    ends = [Literal(Fraction(end, 10**to.scale), DECIMAL) for end in (to.least, to.greatest)]
    tests = [Comparison("<", rounded, ends[0]), Comparison(">", rounded, ends[1])]
    return Case(tuple(zip(tests, ends, strict=True)), rounded)


def _has_room(to: TypeName, declared: TypeName | None) -> bool:
    """Whether each number of a declared type is one of another."""
    if declared is None or declared.floating or declared.least is None or declared.greatest is None:
        return False
    scale, wanted = declared.scale or 0, to.scale or 0
    if to.least is None or to.greatest is None:
        return scale <= wanted
    step = 10 ** (wanted - scale) if scale <= wanted else 0
    return scale <= wanted and to.least <= declared.least * step and declared.greatest * step <= to.greatest


def _literal(value: Expression, to: TypeName, dialect: Dialect) -> Literal | None:
    """The literal that a cast of a literal gives, if that is plain."""
    if not isinstance(value, Literal):
        return None
    if value.value is None:
        return Literal(None, to.type)
    if value.type == TEXT and to.type == DATE and isinstance(value.value, str) and dialect.days_before_texts:
        return literals.day_before_text(value.value)
    if value.type == TEXT and to.type == TEXT and isinstance(value.value, str):
        fits = to.length is None or len(value.value) <= to.length
        return value if fits and not to.padded else None
    converted = literals.converted(value, to.type)
    if value.type == BOOLEAN and to.type == INTEGER:
        return literals.integer(int(bool(value.value)))
    if converted is None or (to.type == TEXT and to.length is not None and len(str(converted.value)) > to.length):
        return None
    if isinstance(converted.value, Fraction | int) and converted.type in (INTEGER, DECIMAL):
        units = converted.value * 10 ** (to.scale or 0)
        exact = to.scale is None or Fraction(units).denominator == 1
        fits = (to.least is None or to.least <= units) and (to.greatest is None or units <= to.greatest)
        return converted if exact and fits else None
    if converted.type == TIMESTAMP and to.precision is not None and isinstance(converted.value, int):
        return converted if converted.value % 10 ** (MICROSECOND - to.precision) == 0 else None
    return None if to.padded else converted


def as_text(expressions: Expressions, value: Expression, node: exp.Expr) -> Expression:
    """The text of a value. That of a decimal shows as many digits as its type has: equal decimals have different texts.

    Raises SourceError for a decimal whose type is not known.
    """
    dialect = expressions.reading.dialect
    if value.type == BOOLEAN and dialect.truth_as_number:
        return cast_function(convert(expressions.reading, value, INTEGER, node), TEXT)
    if value.type == TIMESTAMP and dialect.precision < MICROSECOND:
        return Function("cast timestamp as text of its precision", (value,), TEXT, strict=True)
    declared = declared_type(expressions, node)
    if value.type == TIMESTAMP and dialect.by_manual and declared is not None and declared.kind:
        return Function(f"cast {declared.kind} as text", (value,), TEXT, strict=True)
    if value.type == TIMESTAMP and declared is not None and declared.zoned:
        return Function("cast timestamp as text with its zone", (value,), TEXT, strict=True)
    if value.type != DECIMAL or not dialect.shows_zeros:
        return cast_function(value, TEXT)
    if declared is not None and declared.floating:
        return Function("cast float as text", (value,), TEXT, strict=True)
    if declared is None or declared.scale is None:
        message = "the text of a decimal shows as many digits as its type has, which is not known of this value"
        raise expressions.reading.error(node, message, "cast it to DECIMAL(p, s) first")
    return Function(f"cast decimal as text of scale {declared.scale}", (value,), TEXT, strict=True)


SHORTEST: Final = {SqlType.INTEGER: 1, SqlType.DATE: 10, SqlType.TIMESTAMP: 19}
"""How many characters the text of a value has at least."""
LONGEST: Final = {SqlType.BOOLEAN: 5, SqlType.DATE: 10}
"""How many it has at most, in years of four digits."""


def _shortened(expressions: Expressions, text: Expression, to: TypeName, node: Parts) -> Expression:
    """A text as one of limited length, of a cast: itself, if its type has no longer texts."""
    dialect, declared = expressions.reading.dialect, declared_type(expressions, node.this)
    if to.length is None or not (dialect.casts_cut or dialect.name in BY_MANUAL):
        return text
    of = SqlType.TEXT if declared is None else declared.type
    if to.padded and dialect.casts_pad and SHORTEST.get(of, 0) < to.length:
        hint = f"write VARCHAR({to.length}), which is not padded"
        raise expressions.reading.error(node, f"CHAR({to.length}) pads texts with blanks that comparisons ignore", hint)
    most = None if declared is None else declared.length if of == TEXT else _most_digits(declared)
    if most is not None and most <= to.length:
        return text
    if dialect.name in BY_MANUAL:  # which do not say whether it is cut, or an error
        how = "try_cast" if isinstance(node.of, exp.TryCast) else "cast"
        return Function(f"{how} text to {to.length} characters", (text,), TEXT, strict=False)
    return Function("SUBSTRING", (text, literals.integer(1), literals.integer(to.length)), TEXT, strict=True)


def _most_digits(declared: TypeName) -> int | None:
    """The characters of the text of a value of a declared type, at most."""
    if declared.type == INTEGER and declared.least is not None and declared.greatest is not None:
        return max(len(str(declared.least)), len(str(declared.greatest)))
    return LONGEST.get(declared.type)


def origin(expressions: Expressions, value: Reference, copied: bool) -> tuple[str, int] | None:
    """The column of a table whose values a column has; of a subquery's columns, only if they may be copied by SELECT,
    where a cast that changes no value may have changed the type."""
    relation = next(relation for level, relation in expressions.scope.levels() if level == value.level)
    query, index = relation.query, value.index
    while True:
        match query:
            case Scan(table=table):
                return table, index
            case Filter(input=inner) | Limit(input=inner):
                query = inner
            case Project(input=inner, expressions=(*parts,)) if copied:
                part = parts[index]
                if not (isinstance(part, Reference) and part.level == 0):
                    return None
                query, index = inner, part.index
            case Join(left=left, right=right):
                width = len(left.columns)
                query, index = (left, index) if index < width else (right, index - width)
            case _:
                return None


HANDLERS = {exp.Cast: read_cast, exp.TryCast: read_cast}
