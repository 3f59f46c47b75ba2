"""A library: loans, returns, readers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

from pyspark import RDD


class Loan(NamedTuple):
    reader: int
    isbn: str
    out: dt.date
    back: dt.date | None


def fee(days: int, per_day: int = 20, most: int = 1000) -> int:
    return min(max(days, 0) * per_day, most)


def fees(loans: RDD[Loan], today: dt.date):
    """What each reader owes: 28 days are free."""

    def owed(loan: Loan) -> int:
        end = loan.back or today
        return fee((end - loan.out).days - 28)

    return loans.map(lambda l: (l.reader, owed(l))).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] > 0)


def fees_right(loans: RDD[Loan], today: dt.date):
    def owed(loan):
        if loan.back is None:
            late = (today - loan.out).days - 28
        else:
            late = (loan.back - loan.out).days - 28
        if late <= 0:
            return 0
        return 20 * late if late < 50 else 1000

    late = loans.map(lambda l: (l.reader, owed(l))).filter(lambda kv: kv[1] != 0)
    return late.groupByKey().mapValues(sum)


def fees_wrong(loans: RDD[Loan], today: dt.date):
    def owed(loan):
        if loan.back is None:
            return 0
        return fee((loan.back - loan.out).days - 28)

    return loans.map(lambda l: (l.reader, owed(l))).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] > 0)


def never_lent(books: RDD[str], loans: RDD[Loan]):
    lent = loans.map(lambda l: (l.isbn, 1))
    return books.map(lambda b: (b, b)).leftOuterJoin(lent).filter(lambda x: x[1][1] is None).keys()


def never_lent_right(books: RDD[str], loans: RDD[Loan]):
    return books.keyBy(lambda b: b).subtractByKey(loans.keyBy(lambda l: l.isbn)).values()


def never_lent_wrong(books: RDD[str], loans: RDD[Loan]):
    return books.subtract(loans.filter(lambda l: l.back is None).map(lambda l: l.isbn))


def titles(lines: RDD[str]):
    """Clean lines by a list of steps."""
    steps: list[Callable[[str], str]] = [str.strip, str.title, lambda s: s.replace("  ", " ")]
    return lines.map(lambda line: reduce(lambda value, step: step(value), steps, line)).filter(lambda s: s != "")


def titles_right(lines: RDD[str]):
    return lines.map(lambda line: line.strip().title().replace("  ", " ")).filter(bool)


def titles_wrong(lines: RDD[str]):
    return lines.filter(lambda s: s != "").map(lambda line: line.strip().title().replace("  ", " "))
