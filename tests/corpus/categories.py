"""Rows relabelled, split and chosen."""

from pyspark import RDD, Row

CATEGORIES = {"apple": "fruit", "pear": "fruit", "leek": "vegetable"}
URGENT = ("high", "critical")


def categories(sales: RDD[tuple[str, int]]):
    return sales.map(lambda sale: (CATEGORIES.get(sale[0], "other"), sale[1])).reduceByKey(lambda a, b: a + b)


def categories_right(sales: RDD[tuple[str, int]]):
    def category(name: str) -> str:
        if name == "apple" or name == "pear":
            return "fruit"
        if name == "leek":
            return "vegetable"
        return "other"

    return sales.map(lambda sale: (category(sale[0]), sale[1])).foldByKey(0, lambda a, b: a + b)


def categories_wrong(sales: RDD[tuple[str, int]]):
    known = sales.filter(lambda sale: sale[0] in CATEGORIES)
    return known.map(lambda sale: (CATEGORIES[sale[0]], sale[1])).reduceByKey(lambda a, b: a + b)


def urgent(tickets: RDD[tuple[str, str]]):
    """Ids of urgent tickets."""
    return tickets.filter(lambda ticket: ticket[1] in URGENT).map(lambda ticket: ticket[0])


def urgent_right(tickets: RDD[tuple[str, str]]):
    def chosen(ticket):
        match ticket[1]:
            case "high" | "critical":
                return [ticket[0]]
            case _:
                return []

    return tickets.flatMap(chosen)


def urgent_wrong(tickets: RDD[tuple[str, str]]):
    return tickets.filter(lambda ticket: ticket[1] == "high" or ticket[0] == "critical").keys()


def as_rows(people: RDD[tuple[str, int]]):
    rows = people.map(lambda person: Row(name=person[0], age=person[1]))
    return rows.filter(lambda row: row.age >= 18).map(lambda row: row.name)


def as_rows_right(people: RDD[tuple[str, int]]):
    return people.filter(lambda person: person[1] > 17).map(lambda person: person[0])


def as_rows_wrong(people: RDD[tuple[str, int]]):
    return people.filter(lambda person: person[1] > 18).keys()


def as_dicts(people: RDD[tuple[str, int]]):
    rows = people.map(lambda person: {"name": person[0], "age": person[1]})
    return rows.map(lambda row: (row["name"], row["age"] + 1))


def as_dicts_right(people: RDD[tuple[str, int]]):
    return people.mapValues(lambda age: age + 1)


def as_dicts_wrong(people: RDD[tuple[str, int]]):
    return people.mapValues(lambda age: age + 1).distinct()


def full_names(people: RDD[tuple[str, str]]):
    return people.map(lambda person: person[0] + " " + person[1])


def full_names_right(people: RDD[tuple[str, str]]):
    return people.map(lambda person: f"{person[0]} {person[1]}")


def full_names_wrong(people: RDD[tuple[str, str]]):
    return people.map(lambda person: f"{person[1]} {person[0]}")


def both_directions(edges: RDD[tuple[int, int]]):
    """Edges in both directions, without loops, each once."""
    forwards = edges.filter(lambda edge: edge[0] != edge[1])
    return forwards.union(forwards.map(lambda edge: (edge[1], edge[0]))).distinct()


def both_directions_right(edges: RDD[tuple[int, int]]):
    both = edges.flatMap(lambda edge: [(edge[0], edge[1]), (edge[1], edge[0])])
    return both.distinct().filter(lambda edge: edge[0] != edge[1])


def both_directions_wrong(edges: RDD[tuple[int, int]]):
    both = edges.flatMap(lambda edge: [(edge[0], edge[1]), (edge[1], edge[0])])
    return both.distinct().filter(lambda edge: edge[0] < edge[1])


def neighbours_of_neighbours(edges: RDD[tuple[int, int]]):
    backwards = edges.map(lambda edge: (edge[1], edge[0]))
    return backwards.join(edges).values().distinct()


def neighbours_of_neighbours_right(edges: RDD[tuple[int, int]]):
    backwards = edges.map(lambda edge: (edge[1], edge[0])).distinct()
    return edges.join(backwards).map(lambda row: (row[1][1], row[1][0])).distinct()


def neighbours_of_neighbours_wrong(edges: RDD[tuple[int, int]]):
    return edges.join(edges).values().distinct()


def split_by_sign(amounts: RDD[int]):
    """Income and spending."""
    return amounts.filter(lambda a: a > 0).sum(), amounts.filter(lambda a: a < 0).sum()


def split_by_sign_right(amounts: RDD[int]):
    pairs = amounts.map(lambda a: (a, 0) if a > 0 else (0, a))
    return pairs.fold((0, 0), lambda x, y: (x[0] + y[0], x[1] + y[1]))


def split_by_sign_wrong(amounts: RDD[int]):
    pairs = amounts.map(lambda a: (a, 0) if a > 0 else (0, -a))
    return pairs.fold((0, 0), lambda x, y: (x[0] + y[0], x[1] + y[1]))


def degrees(edges: RDD[tuple[str, str]]):
    """How many edges each node has."""
    ends = edges.flatMap(lambda edge: [edge[0], edge[1]])
    return ends.map(lambda node: (node, 1)).reduceByKey(lambda a, b: a + b)


def degrees_right(edges: RDD[tuple[str, str]]):
    ones = edges.map(lambda edge: (edge[0], 1)).union(edges.map(lambda edge: (edge[1], 1)))
    return ones.reduceByKey(lambda a, b: a + b)


def degrees_wrong(edges: RDD[tuple[str, str]]):
    return edges.map(lambda edge: (edge[0], 1)).reduceByKey(lambda a, b: a + b)
