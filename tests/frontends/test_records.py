"""Records: NamedTuples and dataclasses mean what Python computes, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from tallystick.core.terms import subterms
from tallystick.core.types import BOOL, INT, BagType, TupleType
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.values.record_types import RecordType

from .local_rdd import load, run_by_python, run_by_terms, same

CLASSES = """
from __future__ import annotations
import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

class Order(NamedTuple):
    customer: int
    amount: int
    paid: bool = False

    @property
    def large(self) -> bool:
        return self.amount > 100

    def due(self, fee: int = 1) -> int:
        return 0 if self.paid else self.amount + fee

    @staticmethod
    def key(order: Order) -> int:
        return order.customer

@dataclass(frozen=True)
class Line:
    order: int
    price: int
    discount: int | None = None

    def net(self):
        return self.price - (self.discount or 0)

@dataclass
class Open:
    n: int
"""
ACCEPTED = {
    "fields": "def p(r: RDD[Order]): return r.filter(lambda o: o.paid).map(lambda o: (o.customer, o.amount))",
    "items and unpacking": """
        def f(o):
            customer, amount, paid = o
            return customer + o[1] if paid or o[-1] else amount
        def p(r: RDD[Order]): return r.map(f)
    """,
    "properties and methods": """
        def p(r: RDD[Order]):
            return r.map(lambda x: (x.large, x.due(), x.due(fee=7), x.key(x)))
    """,
    "made anew": "def p(r: RDD[Order]): return r.map(lambda o: Order(o.amount, paid=True, amount=3))",
    "default values": "def p(r: RDD[Order]): return r.map(lambda o: Order(o.amount, 3))",
    "replaced": "def p(r: RDD[Order]): return r.map(lambda o: o._replace(amount=o.amount + 1))",
    "a NamedTuple is a tuple": """
        def p(r: RDD[Order]):
            return r.filter(lambda o: o == (1, 50, True) or o in ((1, 2, False),))
    """,
    "records in branches": """
        def p(r: RDD[Order]):
            return r.map(lambda o: Order(0, 0) if o.amount < 0 else o).map(lambda o: o.amount)
    """,
    "records of both kinds": """
        def p(r: RDD[Order]):
            lines = r.map(lambda o: Line(o.customer, o.amount, o.amount if o.paid else None))
            cheap = lines.filter(lambda line: line.net() < 50)
            return cheap.keyBy(lambda line: line).mapValues(lambda v: dataclasses.replace(v, price=1).price).values()
    """,
    "by key": """
        def p(r: RDD[Order]):
            return r.map(lambda o: (o.customer, o)).mapValues(lambda o: o.amount).reduceByKey(lambda a, b: a + b)
    """,
    "folded": "def p(r: RDD[Order]): return r.map(lambda o: o.due()).fold(0, lambda a, b: a + b)",
    "distinct": "def p(r: RDD[Order]): return r.distinct().map(lambda o: o.amount)",
    "joined": """
        def p(r: RDD[Order]):
            paid = r.map(lambda o: (o.customer, o.paid))
            return r.keyBy(Order.key).join(paid).map(lambda t: (t[1][0].amount, t[1][1]))
    """,
    "a table of records": """
        RATES = {1: Order(1, 2), 2: Order(3, 4)}
        def p(r: RDD[Order]): return r.map(lambda o: RATES.get(o.customer, o).amount)
    """,
}
INPUT = [(1, 50, True), (1, 50, True), (2, 150, False), (2, -3, False), (3, 101, True)]


def as_tuples(value: Any) -> Any:
    """A result in which NamedTuples, which equal them, are plain tuples."""
    if isinstance(value, tuple):
        return tuple(map(as_tuples, value))
    return {as_tuples(item): count for item, count in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize("name", ACCEPTED)
def test_records_mean_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = CLASSES + dedent(ACCEPTED[name])
    program = read(text)
    function = load(text)
    made = [function.__globals__["Order"](*each) for each in INPUT]
    assert same(run_by_terms(program, [INPUT]), as_tuples(run_by_python(function, [made])))


def test_a_program_that_was_read_has_plain_tuples(read: Callable[..., SourceProgram]) -> None:
    program = read(CLASSES + "\ndef p(r: RDD[Order]): return r.map(lambda o: o._replace(amount=1))\n").program
    assert program.parameters[0].type == program.result == BagType(TupleType((INT, INT, BOOL)))
    assert not any(isinstance(part.type, RecordType) for part in subterms(program.expression))


REFUSED = {
    "a field that is not there": ("r.map(lambda o: o.price)", "`Order` has no field `price`"),
    "a value of another type": ("r.map(lambda o: Order(o.paid, 1))", "annotated int, and gets a value of type bool"),
    "a missing field": ("r.map(lambda o: Order(1))", "`Order` needs a value for `amount`"),
    "a field that is given twice": ("r.map(lambda o: Order(1, 2, customer=3))", "`customer` is given twice"),
    "too many values": ("r.map(lambda o: Order(1, 2, True, 4))", "`Order` has 3 fields, and gets 4 by position"),
    "an item of a dataclass": ("r.map(lambda o: Line(1, 2)[0])", "only tuples can be indexed"),
    "a dataclass as a tuple": ("r.filter(lambda o: Line(1, 2) == (1, 2, None))", "`==` compares Line and tuple"),
    "two dataclasses": ("r.filter(lambda o: Line(1, 2) == Open(1))", "`==` compares Line and Open"),
    "a key without a hash": ("r.keyBy(lambda o: Open(1)).values()", "a key is of the dataclass `Open`"),
    "an element without a hash": ("r.map(lambda o: Open(1)).distinct()", "an element is of the dataclass `Open`"),
    "a change": ("r.map(lambda o: o._replace(price=1))", "`price` is no field of `Order`"),
    "a change by position": ("r.map(lambda o: o._replace(1))", "`_replace` takes its arguments by name"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_python_would_not_do_is_refused(name: str, refusal: Callable[..., str]) -> None:
    expression, message = REFUSED[name]
    assert message in refusal(f"{CLASSES}\ndef p(r: RDD[Order]): return {expression}\n")


BAD_CLASSES = {
    "a base": ("class C(Base):\n    n: int", "the class `C` is not supported"),
    "a metaclass": ("class C(NamedTuple, metaclass=M):\n    n: int", "the class `C` has keywords"),
    "an initialiser": (
        "@dataclass\nclass C:\n    n: int\n    def __init__(self): pass",
        "this part of the class",
    ),
    "equality of its own": ("@dataclass\nclass C:\n    n: int\n    def __eq__(self, o): return 1", "this part of"),
    "no equality": ("@dataclass(eq=False)\nclass C:\n    n: int", "`eq=False` of a dataclass is not supported"),
    "a dataclass of its own": (
        "def dataclass(c): return c\n@dataclass\nclass C:\n    n: int",
        "the class `C` is not supported",
    ),
    "fields by name only": ("@dataclass(kw_only=True)\nclass C:\n    n: int", "`kw_only=True` of a dataclass"),
    "no fields": ("class C(NamedTuple):\n    pass", "the class `C` has no fields"),
    "an RDD in a field": ("class C(NamedTuple):\n    n: RDD[int]", "the field `n` of `C` is an RDD"),
    "a property of its own": (
        "def property(f): return f\nclass C(NamedTuple):\n    n: int\n    @property\n    def m(self): return 1\n"
        "def q(r: RDD[int]): return r.map(lambda x: C(x).m)",
        "this decorator of a method is not supported",
    ),
    "a field and a method": ("class C(NamedTuple):\n    n: int\n    def n(self): return 1", "two things one name"),
}


@pytest.mark.parametrize("name", BAD_CLASSES)
def test_other_classes_are_refused(name: str, refusal: Callable[..., str]) -> None:
    text, message = BAD_CLASSES[name]
    header = "from typing import NamedTuple\nfrom dataclasses import dataclass\n"
    assert message in refusal(f"{header}{text}\ndef p(r: RDD[C]): return r.map(lambda c: c.m)\n")


CHANGEABLE = {
    "a method that is replaced": (
        "Order.due = lambda self: 0\ndef p(r: RDD[Order]): return r.map(lambda o: o.due())",
        "this may give `due`, which the program uses, another value",
    ),
    "a record that is not frozen": (
        "FIRST = Open(1)\nFIRST.n = 2\ndef p(r: RDD[int]): return r.map(lambda x: FIRST.n)",
        "`FIRST` holds a record of the dataclass `Open`, which other code may change",
    ),
    "a record that is not frozen in a dictionary": (
        "T = {1: Open(1)}\nT[1].n = 2\ndef p(r: RDD[int]): return r.map(lambda x: T.get(x, T[1]).n)",
        "`T` holds a record of the dataclass `Open`, which other code may change",
    ),
    "a list in a dictionary": (
        "T = {1: [1]}\nT[1].append(2)\ndef p(r: RDD[int]): return r.map(lambda x: x + sum(T[1]))",
        "other code in jobs.py may change a list, set or dictionary that `T` holds",
    ),
}


@pytest.mark.parametrize("name", CHANGEABLE)
def test_what_other_code_may_change_is_refused(name: str, refusal: Callable[..., str]) -> None:
    text, message = CHANGEABLE[name]
    assert message in refusal(f"{CLASSES}\n{text}\n")
