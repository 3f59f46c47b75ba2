"""One row for each function and method that Core Python may call: its names, its effect, what it raises, its value.

The tables are frozen. A value is Python's own function, which is called and never looked into; a few rows are the
interpreter's own instead (`interpreter/own.py`), since Python's function would reach attributes by texts, print, or
never end. What has no row is not called.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

Effect = Literal["reads", "writes", "calls", "returns", "iterates", "hidden"]
"""What a call does with its arguments: it only reads them; it writes the first; it calls functions among them; it
returns one of them as it is, or what holds it; it gives an iterator, which reads them when it is used; it does what no
value shows."""


@dataclass(frozen=True, slots=True)
class Row:
    """A function, class, constant or method.

    Attributes:
        name: the full name, `math.floor` or `list.append`.
        effect: on its arguments.
        raises: the exceptions that it may raise for arguments of the right types.
    """

    name: str
    effect: Effect = "reads"
    raises: tuple[str, ...] = ()


_FUNCTIONS: Final = """
builtins
 reads abs all any ascii bool bytes
 reads chr:ValueError complex dict divmod:ZeroDivisionError float:ValueError format:ValueError
 reads frozenset int:ValueError isinstance issubclass len list ord pow:ZeroDivisionError range:ValueError repr round set
 reads slice str sum tuple object NotImplemented Ellipsis callable __debug__
 calls max:ValueError min:ValueError sorted property staticmethod classmethod super
 iterates enumerate filter iter map reversed zip
 writes next:StopIteration setattr delattr
 returns getattr:AttributeError hasattr type
 hidden print
 reads ArithmeticError AssertionError AttributeError BaseException Exception FloatingPointError ImportError IndexError
 reads KeyError LookupError NameError NotImplementedError
 reads OSError OverflowError RecursionError RuntimeError StopIteration
 reads SyntaxError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError
 reads Warning ZeroDivisionError EOFError TimeoutError
operator
 reads abs add:TypeError and_ concat contains countOf eq floordiv:ZeroDivisionError ge getitem:LookupError gt index
 reads indexOf:ValueError inv invert is_ is_not le length_hint lshift lt mod:ZeroDivisionError mul ne neg not_ or_ pos
 reads pow rshift sub truediv:ZeroDivisionError truth xor itemgetter
 writes iadd iand iconcat ifloordiv imod imul ior ipow isub itruediv ixor setitem:IndexError delitem:LookupError
 returns attrgetter methodcaller
functools
 calls reduce:TypeError partial cmp_to_key cached_property singledispatch total_ordering
 returns wraps lru_cache cache update_wrapper WRAPPER_ASSIGNMENTS
itertools
 iterates accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse groupby
 iterates islice pairwise permutations product repeat starmap takewhile tee zip_longest
collections
 reads ChainMap Counter OrderedDict UserDict UserList defaultdict deque namedtuple
math
 reads ceil comb copysign dist e exp:OverflowError fabs factorial:ValueError floor fmod:ValueError fsum gcd hypot inf
 reads isclose isfinite isinf isnan isqrt:ValueError lcm
 reads ldexp log:ValueError log10:ValueError log1p log2:ValueError modf
 reads nan perm pi pow prod sin cos tan atan atan2 asin acos radians degrees sqrt:ValueError tau trunc
re
 reads A ASCII DOTALL I IGNORECASE M MULTILINE S VERBOSE X U UNICODE RegexFlag error Match Pattern
 calls compile:error escape findall finditer fullmatch match search split sub subn
heapq
 writes heapify heappop:IndexError heappush heappushpop heapreplace
 calls nlargest nsmallest merge
bisect
 calls bisect bisect_left bisect_right
 writes insort insort_left insort_right
datetime
 reads MAXYEAR MINYEAR UTC date:ValueError datetime:ValueError time:ValueError timedelta:OverflowError timezone
decimal
 reads Decimal:InvalidOperation InvalidOperation DivisionByZero DecimalException Overflow ROUND_CEILING ROUND_DOWN
 reads ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP ROUND_05UP
fractions
 reads Fraction:ZeroDivisionError
string
 reads ascii_letters ascii_lowercase ascii_uppercase digits hexdigits
 reads octdigits printable punctuation whitespace capwords
enum
 reads Enum EnumMeta Flag IntEnum IntFlag StrEnum auto unique
abc
 reads ABC ABCMeta
 returns abstractmethod
dataclasses
 reads KW_ONLY FrozenInstanceError InitVar asdict astuple field fields is_dataclass make_dataclass replace
 returns dataclass
copy
 reads copy deepcopy
contextlib
 calls contextmanager nullcontext suppress
statistics
 reads StatisticsError fmean mean median median_high median_low mode multimode pstdev pvariance stdev variance
zlib
 reads adler32 crc32
unicodedata
 reads normalize category name
textwrap
 reads dedent indent
calendar
 reads isleap monthrange day_abbr day_name month_abbr month_name
numbers
 reads Integral Number Rational Real
types
 reads MappingProxyType SimpleNamespace
urllib.parse
 reads parse_qs parse_qsl unquote unquote_plus quote urlparse urlsplit
json
 reads dumps loads JSONDecodeError
"""
WHOLE_MODULES: Final = ("typing", "collections.abc")
"""Modules whose names are classes for annotations: all of them, but for those that evaluate texts."""
_NOT_OF_THEM: Final = frozenset({"get_type_hints", "ForwardRef", "no_type_check", "sys", "functools", "types"})

_METHODS: Final = """
object __class__ __doc__ __eq__ __format__ __ge__ __gt__ __hash__ __init__ __init_subclass__ __le__ __lt__
 __ne__ __new__
 __repr__ __setattr__! __str__ __len__ __getitem__ __contains__ __iter__ __next__! __setitem__! __delitem__!
 __add__ __bool__
str capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha
 isascii isdecimal
 isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans
 partition
 removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
 swapcase
 title translate upper zfill
bytes decode hex count find startswith endswith split strip join fromhex
list append! clear! copy count extend! index insert! pop! remove! reverse! sort!
tuple count index
set add! clear! copy difference difference_update! discard! intersection intersection_update! isdisjoint
 issubset issuperset
 pop! remove! symmetric_difference symmetric_difference_update! union update!
frozenset copy difference intersection isdisjoint issubset issuperset symmetric_difference union
dict clear! copy fromkeys get items keys pop! popitem! setdefault! update! values
collections.Counter elements most_common subtract! total
collections.OrderedDict move_to_end!
collections.defaultdict default_factory copy
collections.deque append! appendleft! clear! copy count extend! extendleft! index insert! maxlen pop! popleft!
 remove! reverse!
 rotate!
collections.ChainMap get items keys values maps new_child parents
int bit_length bit_count conjugate denominator from_bytes imag numerator real to_bytes as_integer_ratio
float as_integer_ratio is_integer real imag conjugate fromhex hex
complex real imag conjugate
range count index start stop step
slice start stop step indices
datetime.date ctime day fromisocalendar fromisoformat fromordinal isocalendar isoformat isoweekday max min month
 replace
 resolution strftime timetuple toordinal weekday year
datetime.datetime astimezone combine date hour fold fromtimestamp microsecond minute second strptime time
 timestamp tzinfo
 utcfromtimestamp utcoffset timetz utctimetuple
datetime.time hour minute second microsecond isoformat replace strftime fromisoformat min max tzinfo fold
datetime.timedelta days max microseconds min resolution seconds total_seconds
datetime.timezone utc
decimal.Decimal adjusted as_integer_ratio as_tuple compare copy_abs copy_sign is_finite is_infinite is_nan
 is_signed is_zero
 ln log10 max min normalize quantize remainder_near same_quantum sqrt to_integral_exact to_integral_value scaleb
 exp
fractions.Fraction denominator from_decimal from_float limit_denominator numerator as_integer_ratio
re.Pattern findall finditer flags fullmatch groupindex groups match pattern search split sub subn
re.Match end expand group groupdict groups lastgroup lastindex pos re span start string
types.MappingProxyType get items keys values copy
types.SimpleNamespace
"""


def _function_rows() -> Iterator[Row]:
    module = ""
    for line in _FUNCTIONS.strip().splitlines():
        if not line.startswith(" "):
            module = line
            continue
        effect, *names = line.split()
        for each in names:
            name, _, raises = each.partition(":")
            yield Row(f"{module}.{name}", effect, tuple(filter(None, raises.split("/"))))  # type: ignore[arg-type]


def _method_rows(kind: str, names: Sequence[str]) -> Iterator[tuple[str, Row]]:
    for each in names:
        name = each.rstrip("!")
        yield name, Row(f"{kind}.{name}", "writes" if each.endswith("!") else "reads")


def _named(name: str) -> Any:
    """Python's own object of a full name."""
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module or "builtins"), last)


FUNCTIONS: Final[Mapping[str, Row]] = MappingProxyType({row.name: row for row in _function_rows()})
MODULES: Final = frozenset(
    {name.rpartition(".")[0] for name in FUNCTIONS} | {*WHOLE_MODULES} | {"urllib", "__future__"}
)
"""The modules that are known: all of a full name, and the packages of these."""
_LINES: Final = [line.split() for line in _METHODS.strip().replace("\n ", " ").splitlines()]
METHODS: Final[Mapping[str, Mapping[str, Row]]] = MappingProxyType(
    {kind: MappingProxyType(dict(_method_rows(kind, names))) for kind, *names in _LINES}
)


def has_value(name: str) -> bool:
    """Whether a full name has a row, or is one for annotations."""
    module, _, last = name.rpartition(".")
    public = module in WHOLE_MODULES and not last.startswith("_") and last not in _NOT_OF_THEM
    return name in FUNCTIONS or public


def value_of(name: str) -> Any:
    """Python's own function, class or constant of a full name that has a row; AttributeError where Python has none."""
    return _named(name)


def row_of_method(of: type, name: str) -> Row | None:
    """The row of a method, or of a plain attribute, of values of a type."""
    for kind in of.__mro__:
        full = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        row = METHODS.get(_OTHER_NAMES.get(full, full), {}).get(name)
        if row is not None:
            return row
    return None


_OTHER_NAMES: Final = {
    "builtins.mappingproxy": "types.MappingProxyType",
    "mappingproxy": "types.MappingProxyType",
    "_pydatetime.date": "datetime.date",
}
