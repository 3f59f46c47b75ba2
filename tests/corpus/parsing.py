"""Lines of text files, taken apart."""

import logging
from typing import NamedTuple

from pyspark import RDD

logger = logging.getLogger(__name__)
SEPARATOR = ","


class Sale(NamedTuple):
    shop: str
    product: str
    amount: int


def parse_sale(line: str) -> Sale:
    shop, product, amount = line.split(SEPARATOR)
    return Sale(shop.strip(), product.strip(), int(amount))


def revenue_by_shop(lines: RDD[str]):
    sales = lines.map(parse_sale)
    return sales.map(lambda sale: (sale.shop, sale.amount)).reduceByKey(lambda a, b: a + b)


def revenue_by_shop_right(lines: RDD[str]):
    def shop_and_amount(line):
        fields = line.split(SEPARATOR)
        assert len(fields) == 3
        return fields[0].strip(), int(fields[2])

    return lines.map(shop_and_amount).reduceByKey(lambda a, b: a + b)


def revenue_by_shop_wrong(lines: RDD[str]):
    sales = lines.map(parse_sale)
    return sales.map(lambda sale: (sale.product, sale.amount)).reduceByKey(lambda a, b: a + b)


def error_lines(log: RDD[str]):
    """Messages of errors, without the level."""
    logger.info("looking for errors")
    return log.filter(lambda line: line.startswith("ERROR")).map(lambda line: line.split(": ")[1])


def error_lines_right(log: RDD[str]):
    return log.flatMap(lambda line: [line.split(": ")[1]] if line.startswith("ERROR") else [])


def error_lines_wrong(log: RDD[str]):
    return log.filter(lambda line: "ERROR" in line).map(lambda line: line.split(": ")[1])


def hits_by_status(log: RDD[str]):
    """How many requests had each status, the third field."""
    return log.map(lambda line: line.split(" ")).map(lambda fields: (fields[2], 1)).reduceByKey(lambda a, b: a + b)


def hits_by_status_right(log: RDD[str]):
    return log.map(lambda line: (line.split(" ")[2], 1)).aggregateByKey(0, lambda n, one: n + one, lambda a, b: a + b)


def hits_by_status_wrong(log: RDD[str]):
    return log.map(lambda line: (line.split(" ")[1], 1)).reduceByKey(lambda a, b: a + b)


def without_header(lines: RDD[str]):
    rows = lines.filter(lambda line: not line.startswith("id,"))
    return rows.map(lambda line: line.split(",")).map(lambda row: (row[0], row[1]))


def without_header_right(lines: RDD[str]):
    def split(line: str) -> tuple[str, str]:
        row = line.split(",")
        return row[0], row[1]

    return lines.filter(lambda line: line.startswith("id,") is False).map(split)


def without_header_wrong(lines: RDD[str]):
    rows = lines.filter(lambda line: line != "id,name")
    return rows.map(lambda line: line.split(",")).map(lambda row: (row[0], row[1]))


def parse_amount(text: str) -> int | None:
    text = text.strip()
    if not text or text == "NA":
        return None
    return int(text)


def known_amounts(lines: RDD[str]):
    """The sum of the amounts that are there."""
    amounts = lines.map(parse_amount).filter(lambda amount: amount is not None)
    return amounts.sum()


def known_amounts_right(lines: RDD[str]):
    texts = lines.map(lambda line: line.strip()).filter(lambda text: text not in ("", "NA"))
    return texts.map(lambda text: int(text)).sum()


def known_amounts_wrong(lines: RDD[str]):
    texts = lines.filter(lambda line: line not in ("", "NA"))
    return texts.map(lambda text: len(text)).sum()


def keys_and_values(lines: RDD[str]):
    """Settings written as key=value, one of each key."""
    pairs = lines.filter(lambda line: "=" in line and not line.startswith("#"))
    return pairs.map(lambda line: tuple(line.split("=", 1))).map(lambda pair: (pair[0].strip(), pair[1].strip()))


def keys_and_values_right(lines: RDD[str]):
    def setting(line):
        key, value = line.split("=", 1)
        return key.strip(), value.strip()

    return lines.filter(lambda line: not line.startswith("#")).filter(lambda line: "=" in line).map(setting)


def keys_and_values_wrong(lines: RDD[str]):
    def setting(line):
        key, value = line.split("=", 1)
        return key, value.strip()

    return lines.filter(lambda line: not line.startswith("#")).filter(lambda line: "=" in line).map(setting)


def user_names(addresses: RDD[str]):
    """The part of mail addresses before the sign, each once."""
    return addresses.map(lambda address: address.strip().lower().split("@")[0]).distinct()


def user_names_right(addresses: RDD[str]):
    clean = addresses.map(str.strip).map(str.lower)
    return clean.map(lambda address: address.split("@")[0]).distinct()


def user_names_wrong(addresses: RDD[str]):
    return addresses.map(lambda address: address.split("@")[0]).distinct()
