"""Functions of scalars: deterministic, known by their names, written out where SQL says what they are.

The table FUNCTIONS is the positive list. A strict function is NULL if and only if an argument is. An argument
that is not of the expected type is converted as a comparison would do it, or refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import (
    Case,
    Cast,
    Comparison,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
)
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    FLOATS,
    INTEGER,
    OPAQUE,
    ORDERED_ONLY,
    TEXT,
    SqlType,
)
from tallystick.frontends.sql import conditionals, literals
from tallystick.frontends.sql.arguments import Kind, argument
from tallystick.frontends.sql.arithmetic import (
    negated,
    numbers,
    positive_remainder,
)
from tallystick.frontends.sql.casts import as_double, as_text, require_floats, unsigned
from tallystick.frontends.sql.coercion import cast_function, convert, type_error
from tallystick.frontends.sql.declared import ROUNDINGS, declared_type
from tallystick.frontends.sql.exact_types import written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.folding import folded
from tallystick.frontends.sql.formats import BY_NAME
from tallystick.frontends.sql.moments import of_week, part_of, read_now
from tallystick.frontends.sql.named import Known, known
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parts import Parts


@dataclass(frozen=True)
class Signature:
    """A function: its name, its arguments as (part of the parsed node, kind), the type of its result.

    The result is None if it has the type of the first argument.
    """

    name: str
    arguments: tuple[tuple[str, Kind], ...]
    result: SqlType | None
    strict: bool = True


def _signature(name: str, arguments: str, result: SqlType | None, strict: bool = True) -> Signature:
    """From a text such as "this:text start:integer"."""
    pairs = tuple(each.split(":") for each in arguments.split())
    return Signature(name, tuple((part, kind) for part, kind in pairs), result, strict)  # type: ignore[misc]


FUNCTIONS: Final[dict[type[exp.Expr], Signature]] = {
    exp.Upper: _signature("UPPER", "this:text", TEXT),
    exp.Lower: _signature("LOWER", "this:text", TEXT),
    exp.Initcap: _signature("INITCAP", "this:text expression:text", TEXT),
    exp.Length: _signature("LENGTH", "this:text", INTEGER),
    exp.SplitPart: _signature("SPLIT_PART", "this:text delimiter:text part_index:integer", TEXT),
    exp.Right: _signature("RIGHT", "this:text expression:integer", TEXT),
    exp.Replace: _signature("REPLACE", "this:text expression:text replacement:text", TEXT),
    exp.Translate: _signature("TRANSLATE", "this:text from_:text to:text", TEXT),
    exp.Repeat: _signature("REPEAT", "this:text times:integer", TEXT),
    exp.Reverse: _signature("REVERSE", "this:text", TEXT),
    exp.StrPosition: _signature("POSITION", "substr:text this:text", INTEGER),
    exp.StartsWith: _signature("STARTSWITH", "this:text expression:text", BOOLEAN),
    exp.Contains: _signature("CONTAINS", "this:text expression:text", BOOLEAN),
    exp.Ascii: _signature("ASCII", "this:text", INTEGER),
    exp.MD5: _signature("MD5", "this:text", TEXT),
    exp.RegexpReplace: _signature("REGEXP_REPLACE", "this:text expression:text replacement:text", TEXT),
    exp.RegexpExtract: _signature("REGEXP_EXTRACT", "this:text expression:text group:integer", TEXT, strict=False),
    exp.Sqrt: _signature("SQRT", "this:float", DECIMAL, strict=False),
    exp.Ln: _signature("LN", "this:float", DECIMAL, strict=False),
    exp.Log: _signature("LOG", "this:float expression:float", DECIMAL, strict=False),
    exp.Exp: _signature("EXP", "this:float", DECIMAL),
    exp.Pow: _signature("POWER", "this:float expression:float", DECIMAL, strict=False),
    exp.Year: _signature("YEAR", "this:time", INTEGER),
    exp.Quarter: _signature("QUARTER", "this:time", INTEGER),
    exp.Month: _signature("MONTH", "this:time", INTEGER),
    exp.Week: _signature("WEEK", "this:time", INTEGER),
    exp.WeekOfYear: _signature("WEEK", "this:time", INTEGER),
    exp.Day: _signature("DAY", "this:time", INTEGER),
    exp.DayOfMonth: _signature("DAY", "this:time", INTEGER),
    exp.DayOfWeek: _signature("DAYOFWEEK", "this:time", INTEGER),
    exp.DayOfYear: _signature("DAYOFYEAR", "this:time", INTEGER),
    exp.Hour: _signature("HOUR", "this:time", INTEGER),
    exp.Minute: _signature("MINUTE", "this:time", INTEGER),
    exp.Second: _signature("SECOND", "this:time", INTEGER),
    exp.LastDay: _signature("LAST_DAY", "this:time", DATE),
    exp.MonthsBetween: _signature("MONTHS_BETWEEN", "this:time expression:time", DECIMAL),
    exp.TimeToStr: _signature("DATE_FORMAT", "this:time format:text", TEXT),
    exp.BitwiseAnd: _signature("&", "this:integer expression:integer", INTEGER),
    exp.BitwiseOr: _signature("|", "this:integer expression:integer", INTEGER),
    exp.BitwiseXor: _signature("^", "this:integer expression:integer", INTEGER),
    exp.BitwiseNot: _signature("~", "this:integer", INTEGER),
}
BITS: Final = (exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot)
NONDETERMINISTIC: Final = (exp.Rand, exp.Randn, exp.Uuid)


def read_function(expressions: Expressions, node: Parts) -> Expression:
    """A function of the table."""
    signature = FUNCTIONS[type(node.of)]
    node.unwritten("null_if_pos_overflow", "big_int", "binary", "clamp_position", "negative_length_returns_empty")
    arguments = tuple(
        argument(expressions, node.args[part], kind)
        for part, kind in signature.arguments
        if isinstance(node.args.get(part), exp.Expr)
    )
    result = arguments[0].type if signature.result is None else signature.result
    if isinstance(node.of, BITS) and expressions.reading.dialect.unsigned_bits:
        return unsigned(folded(Function(signature.name, arguments, result, strict=True)))
    name = signature.name if isinstance(node.of, exp.WeekOfYear) else of_week(expressions, signature.name)
    if isinstance(node.of, exp.StrPosition) and expressions.reading.dialect.collation != "binary":
        name = "POSITION in any case"
    if any(kind == "float" for _, kind in signature.arguments):
        to_base = isinstance(node.of, exp.Log) and len(arguments) > 1
        name = _logarithm(expressions, node) if to_base else name
        to_base = to_base and expressions.reading.dialect.decimal_powers  # LOG10(i) is a DOUBLE, LOG(10, i) a decimal
        if not expressions.reading.exact_floats and not to_base:
            result = _power_type(expressions, arguments)
            return Function(f"{name} as a {result}", arguments, result, signature.strict)
        require_floats(expressions, node, f"the result of {name}")
    if isinstance(node.of, exp.Right) and node.of.args.get("negative_length_returns_empty"):
        name = name if all(map(_is_length, arguments[1:])) else f"{name} in {expressions.reading.dialect.name}"
    return Function(name, arguments, result, signature.strict)


def _logarithm(expressions: Expressions, node: Parts) -> str:
    """LOG, LOG2 or LOG10, as it is written: the parser makes one of these, and they differ in their last digits."""
    start, end = (node.of.meta.get(place) for place in ("start", "end"))
    if start is None or end is None:
        raise expressions.reading.refused(node)
    return expressions.reading.source.text[start : end + 1].upper()


def _power_type(expressions: Expressions, arguments: tuple[Expression, ...]) -> SqlType:
    """The type of SQRT, POWER, LOG and their like of these arguments."""
    types = {each.type for each in arguments}
    decimals = expressions.reading.dialect.decimal_powers and DECIMAL in types and not types & FLOATS
    return DECIMAL if decimals else DOUBLE


def read_absolute(expressions: Expressions, node: Parts) -> Expression:
    """ABS: written out."""
    [value] = numbers(expressions, node.this)
    if value.type in FLOATS:
        return Function(f"ABS of {value.type}", (value,), value.type, strict=True)
    zero = convert(expressions.reading, literals.integer(0), value.type, node)
    return Case(((Comparison("<", value, zero), negated(expressions, value, node)),), value)


def read_sign(expressions: Expressions, node: Parts) -> Expression:
    """SIGN: written out."""
    [value] = numbers(expressions, node.this)
    if value.type in FLOATS:
        raise type_error(expressions.reading, node, "an exact number", value)
    zero = convert(expressions.reading, literals.integer(0), value.type, node)
    signs = ((Comparison("<", value, zero), literals.integer(-1)), (Comparison("=", value, zero), literals.integer(0)))
    null = ((IsNull(value), Literal(None, INTEGER)),)
    sign = Case(null + signs, literals.integer(1))
    dialect = expressions.reading.dialect
    if value.type == INTEGER:
        return as_double(expressions, sign, node) if "SIGN" in dialect.rounded_to_double else sign
    return sign if dialect.widest_integer is None else Cast(sign, DECIMAL)


def read_rounded(expressions: Expressions, node: Parts) -> Expression:
    """ROUND, FLOOR and CEIL: nothing to do for an integer."""
    node.unwritten("casts_non_integer_decimals")
    decimals = node.args.get("decimals")
    [value] = numbers(expressions, node.this)
    name, dialect = ROUNDINGS[type(node.of)], expressions.reading.dialect
    if value.type == INTEGER and decimals is None:
        return as_double(expressions, value, node) if name in dialect.rounded_to_double else value
    arguments = (value,) if decimals is None else (value, argument(expressions, decimals, "integer"))
    if value.type in FLOATS:
        return Function(f"{name} of {value.type}", arguments, value.type, strict=True)
    if isinstance(node.of, exp.Round):
        declared = declared_type(expressions, node.this)
        floating = (
            value.type == DECIMAL and (declared is None or declared.floating) and expressions.reading.exact_floats
        )
        name = "ROUND to even" if floating and dialect.doubles_round_to_even else name
        rounded = Function(name, arguments, value.type, strict=True)
        of_sum = dialect.decimal_sums and (declared is None or declared.type != INTEGER)
        is_decimal = dialect.widest_integer is not None or of_sum
        return convert(expressions.reading, rounded, DECIMAL, node) if is_decimal else rounded
    rounded = Function(name, arguments, INTEGER, strict=True)
    return convert(expressions.reading, rounded, DECIMAL, node) if name in dialect.rounded_to_double else rounded


def read_concatenation(expressions: Expressions, node: Parts) -> Expression:
    """CONCAT and `||`; where a dialect's CONCAT skips NULL, NULL counts as the empty text."""
    node.unwritten("safe")
    nodes = [node.this, node.expression] if isinstance(node.of, exp.DPipe) else node.expressions
    values = [_joined_text(expressions, each) for each in nodes]
    skips = isinstance(node.of, exp.Concat) and (
        node.args.get("coalesce") or expressions.reading.dialect.name in ("postgres", "duckdb")
    )
    if skips:
        empty = Literal("", TEXT)
        values = [Case(((Not(IsNull(each)), each),), empty) if each.nullable else each for each in values]
    joined = values[0]
    for each in values[1:]:
        joined = Function("||", (joined, each), TEXT, strict=True)
    return joined


def _joined_text(expressions: Expressions, node: exp.Expr) -> Expression:
    """What is joined to a text: in DuckDB, the text of any value but an array, which is joined to arrays."""
    if expressions.reading.dialect.evidence != "duckdb":
        return argument(expressions, node, "text")
    value = expressions.read(node)
    if isinstance(value, UntypedNull) or value.type != OPAQUE:
        return shown(expressions, value, node)
    raise type_error(expressions.reading, node, "a text", value)


def read_trim(expressions: Expressions, node: Parts) -> Expression:
    """TRIM, LTRIM and RTRIM."""
    position = str(node.args.get("position") or "BOTH").upper()
    name = {"BOTH": "TRIM", "LEADING": "LTRIM", "TRAILING": "RTRIM"}[position]
    given = node.args.get("expression")
    arguments = [argument(expressions, each, "text") for each in (node.this, given) if each is not None]
    whole = len(arguments) == 2 and not (isinstance(arguments[1], Literal) and len(str(arguments[1].value)) == 1)
    if whole and expressions.reading.dialect.trims_texts:
        name = f"{name} a text"
    return Function(name, tuple(arguments), TEXT, strict=True)


def read_substring(expressions: Expressions, node: Parts) -> Expression:
    """SUBSTRING: dialects agree on it where the start is at least 1."""
    node.unwritten("zero_start")
    parts = [node.args.get(part) for part in ("start", "length")]
    numbers_ = [argument(expressions, each, "integer") for each in parts if each is not None]
    if parts[0] is None:
        raise expressions.reading.lacking(node)
    plain = all(isinstance(each, Literal) and isinstance(each.value, int) and each.value >= 0 for each in numbers_)
    starts = isinstance(numbers_[0], Literal) and numbers_[0].value != 0
    name = "SUBSTRING" if plain and starts else f"SUBSTRING in {expressions.reading.dialect.name}"
    return Function(name, (argument(expressions, node.this, "text"), *numbers_), TEXT, strict=True)


def read_left(expressions: Expressions, node: Parts) -> Expression:
    """LEFT: a substring from the first character on, of a length that is not negative."""
    node.unwritten("negative_length_returns_empty")
    text, length = argument(expressions, node.this, "text"), argument(expressions, node.expression, "integer")
    if _is_length(length):
        return Function("SUBSTRING", (text, Literal(1, INTEGER), length), TEXT, strict=True)
    return Function("LEFT", (text, length), TEXT, strict=True)


def _is_length(value: Expression) -> bool:
    return isinstance(value, Literal) and isinstance(value.value, int) and value.value >= 0


def read_cut(expressions: Expressions, node: Parts) -> Expression:
    """TRUNC of a number, of Snowflake: by its name."""
    node.unwritten("fractions_supported")
    reading, decimals = expressions.reading, node.args.get("decimals")
    if reading.dialect.name != "snowflake":
        raise reading.refused(node)
    [value] = numbers(expressions, node.this)
    places = () if decimals is None else (argument(expressions, decimals, "integer"),)
    return Function("TRUNC in snowflake", (value, *places), value.type, strict=True)


def read_truth(expressions: Expressions, node: Parts) -> Expression:
    """A cast to BOOLEAN as the parser has those of Snowflake: TO_BOOLEAN, or TRY_TO_BOOLEAN."""
    value, dialect = expressions.typed(node.this), expressions.reading.dialect
    if dialect.name != "snowflake":
        raise expressions.reading.refused(node)
    if value.type == BOOLEAN:
        return value
    name = f"{'TRY_' if node.args.get('safe') else ''}TO_BOOLEAN in {dialect.name}"
    return Function(name, (value,), BOOLEAN, strict=False)


def read_padded(expressions: Expressions, node: Parts) -> Expression:
    """LPAD and RPAD: NULL in some dialects where the length is below zero, or there is nothing to fill with."""
    name = "LPAD" if node.args.get("is_left") else "RPAD"
    fill = node.args.get("fill_pattern")
    arguments = [argument(expressions, node.this, "text"), argument(expressions, node.expression, "integer")]
    arguments += [argument(expressions, fill, "text")] if fill is not None else []
    length, *filled = (each.value if isinstance(each, Literal) else None for each in arguments[1:])
    strict = isinstance(length, int) and length >= 0 and all(filled)
    return Function(name, tuple(arguments), TEXT, strict)


def read_nondeterministic(expressions: Expressions, node: Parts) -> Expression:
    """Refused: the value is another one in each run."""
    assert isinstance(node.of, exp.Func)
    raise expressions.reading.error(node, f"{node.of.sql_name()} is not deterministic")


def read_named(expressions: Expressions, node: Parts) -> Value:
    """A function that the parser knows by its name alone."""
    reading, nodes = expressions.reading, node.expressions
    by_name = BY_NAME.get((node.name.upper(), len(nodes)))
    if by_name is not None and node.name.upper() in reading.dialect.as_written:
        return by_name(expressions, node)
    match node.name.upper(), len(nodes):
        case "POSITIVE", 1:
            return numbers(expressions, nodes[0])[0]
        case "NEGATIVE", 1:
            return negated(expressions, expressions.typed(nodes[0]), node)
        case "ISNULL", 1:
            return IsNull(expressions.typed(nodes[0]))
        case "ISNOTNULL", 1:
            return Not(IsNull(expressions.typed(nodes[0])))
        case "UNIX_TIMESTAMP", 1:
            text = argument(expressions, nodes[0], "text")
            return Function("UNIX_TIMESTAMP", (text,), INTEGER, strict=False)
        case "NOW", 0:
            return read_now(expressions, node)
        case "IFF", 3:
            branches = [(expressions.condition(nodes[0]), expressions.read(nodes[1]))]
            return conditionals.chosen(expressions, branches, expressions.read(nodes[2]), node)
        case "TO_VARCHAR" | "TO_CHAR", 1 if reading.dialect.name == "snowflake":
            return read_shown(expressions, nodes[0])
        case "PMOD", 2 if reading.dialect.name in ("spark", "databricks"):
            return positive_remainder(expressions, *nodes)
        case "DATE_PART" | "DATEPART", 2 if reading.dialect.evidence == "duckdb" and isinstance(nodes[0], exp.Literal):
            return part_of(expressions, reading.word(nodes[0]).upper(), nodes[1], node)
        case "ZEROIFNULL", 1:
            return conditionals.coalesced(expressions, [expressions.read(nodes[0]), literals.integer(0)], node)
        case name, count if (found := known(reading.dialect, name, count)) is not None:
            return read_known(expressions, node, found)
        case name, _:
            hint = "user-defined functions may not be deterministic; compare the queries without it"
            raise reading.error(node, f"the function {name} is not understood", hint)


def read_shown(expressions: Expressions, node: exp.Expr) -> Expression:
    """The text of a value, as a cast makes it."""
    return shown(expressions, expressions.read(node), node)


def shown(expressions: Expressions, value: Value, node: exp.Expr) -> Expression:
    """The text of a value that was read at a node."""
    if isinstance(value, UntypedNull):
        return value.of(TEXT)
    if value.type == TEXT:
        return value
    return cast_function(value, TEXT) if value.type in ORDERED_ONLY else as_text(expressions, value, node)


def read_safe(expressions: Expressions, node: Parts) -> Expression:
    """BigQuery's `SAFE.f(…)`: NULL where `f` stops with an error."""
    value = expressions.typed(node.this)
    if not isinstance(value, Function) or value.strict:
        raise expressions.reading.refused(node)
    return Function(f"SAFE {value.name}", value.arguments, value.type, strict=False)


def read_known(expressions: Expressions, node: Parts, found: Known) -> Expression:
    """A call of a function that is known by its name."""
    name, words, values = node.name.upper(), [], []
    nodes = [each.unnest() for each in node.expressions]
    for place, each in enumerate(node.expressions):
        if place == found.word:
            words.append(_word(expressions, each))
        else:
            values.append(expressions.typed(each))
            words.append(written_type(expressions, each, values[-1]))
    if not found.takes(values, [each.name if isinstance(each, exp.Literal) else None for each in nodes]):
        given = ", ".join(str(value.type) for value in values)
        raise expressions.reading.error(node, f"the function {name} was not compared with arguments of types {given}")
    types = filter(None, words) if found.kinds is None else (", ".join(each or "-" for each in words),)
    said = " ".join([f"{name} in {expressions.reading.dialect.name}", *types]).strip()
    return Function(said, tuple(values), found.result, strict=False)


def _word(expressions: Expressions, node: exp.Expr) -> str:
    """A unit, which the parser takes for a column, a constant or a function."""
    expressions.reading.covered(node)
    return node.sql().strip("'\"").upper()


HANDLERS = {
    **dict.fromkeys(FUNCTIONS, read_function),
    **dict.fromkeys(NONDETERMINISTIC, read_nondeterministic),
    **conditionals.HANDLERS,
    exp.Abs: read_absolute,
    exp.Sign: read_sign,
    exp.Round: read_rounded,
    exp.Trunc: read_cut,
    exp.ToBoolean: read_truth,
    exp.Floor: read_rounded,
    exp.Ceil: read_rounded,
    exp.Concat: read_concatenation,
    exp.DPipe: read_concatenation,
    exp.Trim: read_trim,
    exp.Pad: read_padded,
    exp.Left: read_left,
    exp.Substring: read_substring,
    exp.Anonymous: read_named,
    exp.SafeFunc: read_safe,
}
