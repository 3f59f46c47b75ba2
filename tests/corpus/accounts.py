"""Accounts, transactions, quality checks; jobs configured by dicts and classes."""

from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum

from pyspark.rdd import RDD

Transaction = tuple[str, int, date]
CUTOFF = date(2024, 1, 31)


class Risk(IntEnum):
    LOW = 1
    MEDIUM = 2
    HIGH = 3


@dataclass
class Account:
    iban: str
    owner: str
    balance: int
    limit: int | None = None


def risk(account: Account) -> Risk:
    if account.limit is None:
        return Risk.LOW if account.balance >= 0 else Risk.HIGH
    if account.balance < -account.limit:
        return Risk.HIGH
    return Risk.MEDIUM if account.balance < 0 else Risk.LOW


class Check(ABC):
    @abstractmethod
    def holds(self, account: Account) -> bool: ...


class NotEmpty(Check):
    def holds(self, account):
        return bool(account.owner)


class AtLeast(Check):
    def __init__(self, minimum):
        self.minimum = minimum

    def holds(self, account):
        return account.balance >= self.minimum


CHECKS = [NotEmpty(), AtLeast(-1000)]


def risky(accounts: RDD[Account]):
    """Ibans of risky accounts with their risk."""
    return accounts.map(lambda a: (a.iban, risk(a))).filter(lambda p: p[1] >= Risk.MEDIUM).mapValues(int)


def risky_right(accounts: RDD[Account]):
    def level(a):
        if a.balance >= 0:
            if a.limit is not None and a.balance < -a.limit:
                return 3
            return 1
        if a.limit is not None and a.balance >= -a.limit:
            return 2
        return 3

    return accounts.map(lambda a: (a.iban, level(a))).filter(lambda p: p[1] > 1)


def risky_wrong(accounts: RDD[Account]):
    def level(a):
        if a.balance >= 0:
            return 1
        if a.limit and a.balance >= -a.limit:
            return 2
        return 3

    return accounts.map(lambda a: (a.iban, level(a))).filter(lambda p: p[1] > 1)


def failing(accounts: RDD[Account]):
    """Accounts for which a check fails."""
    return accounts.filter(lambda a: not all(c.holds(a) for c in CHECKS)).map(lambda a: a.iban)


def failing_right(accounts: RDD[Account]):
    return accounts.filter(lambda a: a.owner == "" or a.balance < -1000).map(lambda a: a.iban)


def failing_wrong(accounts: RDD[Account]):
    return accounts.filter(lambda a: not any(c.holds(a) for c in CHECKS)).map(lambda a: a.iban)


def balances(transactions: RDD[Transaction]):
    """Final balances up to the cut-off, only of customers in debt."""
    before = transactions.filter(lambda t: t[2] <= CUTOFF)
    return before.map(lambda t: (t[0], t[1])).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] < 0)


def balances_right(transactions: RDD[Transaction]):
    def add(acc: dict[str, int], t):
        return acc + t[1] if t[2] < CUTOFF + timedelta(days=1) else acc

    sums = transactions.map(lambda t: (t[0], t)).aggregateByKey(0, add, lambda a, b: a + b)
    return sums.filter(lambda kv: 0 > kv[1])


def balances_wrong(transactions: RDD[Transaction]):
    before = transactions.filter(lambda t: t[2] < CUTOFF)
    return before.map(lambda t: (t[0], t[1])).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] < 0)


def duplicates(accounts: RDD[Account]):
    """Ibans that occur more than once, sorted."""
    counts = accounts.map(lambda a: (a.iban, 1)).reduceByKey(lambda a, b: a + b)
    return sorted(iban for iban, n in counts.collect() if n > 1)


def duplicates_right(accounts: RDD[Account]):
    by_iban = accounts.map(lambda a: (a.iban, a.owner)).groupByKey()
    return by_iban.filter(lambda kv: len(list(kv[1])) >= 2).keys().sortBy(lambda i: i).collect()


def duplicates_wrong(accounts: RDD[Account]):
    by_iban = accounts.map(lambda a: (a.iban, a.owner)).groupByKey()
    return by_iban.filter(lambda kv: len(set(kv[1])) >= 2).keys().sortBy(lambda i: i).collect()


def transfers(credits: RDD[tuple[str, int]], debits: RDD[tuple[str, int]]):
    """Net of credits and debits for each account by cogroup."""
    return credits.cogroup(debits).mapValues(lambda g: sum(g[0]) - sum(g[1]))


def transfers_right(credits: RDD[tuple[str, int]], debits: RDD[tuple[str, int]]):
    return credits.union(debits.mapValues(lambda v: -v)).reduceByKey(lambda a, b: a + b)


def transfers_wrong(credits: RDD[tuple[str, int]], debits: RDD[tuple[str, int]]):
    total_in = credits.reduceByKey(lambda a, b: a + b)
    total_out = debits.reduceByKey(lambda a, b: a + b)
    return total_in.leftOuterJoin(total_out).mapValues(lambda p: p[0] - (p[1] or 0))


def quarters(transactions: RDD[Transaction]):
    """Total per quarter, as text keys."""

    def quarter(d: date) -> str:
        return f"{d.year}Q{(d.month - 1) // 3 + 1}"

    return transactions.map(lambda t: (quarter(t[2]), t[1])).reduceByKey(lambda a, b: a + b)


def quarters_right(transactions: RDD[Transaction]):
    by_month = transactions.map(lambda t: ((t[2].year, t[2].month), t[1])).reduceByKey(lambda a, b: a + b)
    by_quarter = by_month.map(lambda kv: (str(kv[0][0]) + "Q" + str((kv[0][1] + 2) // 3), kv[1]))
    return by_quarter.reduceByKey(lambda a, b: a + b)


def quarters_wrong(transactions: RDD[Transaction]):
    return transactions.map(lambda t: (f"{t[2].year}Q{t[2].month // 3 + 1}", t[1])).reduceByKey(lambda a, b: a + b)


def tiers(customers: RDD[tuple[str, int, int]]):
    """Customers by tier: gold from 1000 points or 10 years."""

    def tier(points, years):
        if points >= 1000 or years >= 10:
            return "gold"
        elif points >= 500:
            return "silver"
        else:
            return "bronze"

    result = defaultdict(list)
    grouped = customers.map(lambda c: (tier(c[1], c[2]), c[0])).groupByKey().mapValues(set)
    return grouped


def tiers_right(customers: RDD[tuple[str, int, int]]):
    rules = [
        ("gold", lambda p, y: p >= 1000 or y >= 10),
        ("silver", lambda p, y: p >= 500),
        ("bronze", lambda p, y: True),
    ]

    def tier(c):
        return next(name for name, rule in rules if rule(c[1], c[2]))

    return customers.map(lambda c: (tier(c), c[0])).distinct().groupByKey().mapValues(set)


def tiers_wrong(customers: RDD[tuple[str, int, int]]):
    def tier(c):
        if c[1] >= 1000 and c[2] >= 10:
            return "gold"
        return "silver" if c[1] >= 500 else "bronze"

    return customers.map(lambda c: (tier(c), c[0])).groupByKey().mapValues(set)


def share_of_total(sales: RDD[tuple[str, int]]):
    """Products with more than 10 % of all sales."""
    total = sales.values().sum()
    by_product = sales.reduceByKey(lambda a, b: a + b)
    return by_product.filter(lambda kv: 10 * kv[1] > total).keys().collect()


def share_of_total_right(sales: RDD[tuple[str, int]]):
    by_product = sales.foldByKey(0, lambda a, b: a + b)
    total = by_product.map(lambda kv: kv[1]).sum()
    return [k for k, v in by_product.collect() if v * 10 > total]


def share_of_total_wrong(sales: RDD[tuple[str, int]]):
    total = sales.values().distinct().sum()
    by_product = sales.reduceByKey(lambda a, b: a + b)
    return by_product.filter(lambda kv: 10 * kv[1] > total).keys().collect()
