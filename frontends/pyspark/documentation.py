"""The page about RDD methods, made from the code: `python -m tallystick.frontends.pyspark.documentation > FILE`."""

from __future__ import annotations

from textwrap import fill

from tallystick.frontends.pyspark import refused_calls, supported_calls
from tallystick.frontends.pyspark.rdds import literals

INTRODUCTION = """
# RDD methods that are read

This page is made from the code by `python -m tallystick.frontends.pyspark.documentation`. Examples are over
`r: RDD[int]` and `s`, `t: RDD[tuple[int, int]]`. Parameters written with `=` may be left out; those that only tune the
execution may have any value that does.
"""
TOGETHER = """
## What these calls need

* `aggregate`, `treeAggregate`, `aggregateByKey` and `combineByKey` have two functions. Spark's value does not depend on
  partitions when both agree, and only then does the program have one meaning. `check` proves that first and says so in
  a note; when they do not agree it shows two partitionings with their values instead of a verdict, and when neither is
  known the verdict is `unknown`. So it is with all other folds, unless `--semantics sparklite` reads them as one left
  fold.
* `min`, `max`, `reduce` and `treeReduce` raise on an empty RDD, which is a result like any other.
* What has no partner in another RDD (`subtract`, `subtractByKey`, outer joins) is a bag of which proofs know nothing
  but that equal RDDs leave equal ones. More is known in three cases: keys of neither RDD repeat, since both are results
  of by-key calls, whose keys stay as they are; what has no partner is dropped, by a filter that tests it with `is not
  None` or by `flatMap`; or both RDDs of `subtract` are parts of one. A join of two by-key results of one RDD is read in
  one pass, too.
* `sortBy`, `sortByKey`, `take` and `first` of a sorted RDD, `takeOrdered` and `top` give lists, which are compared up
  to elements with equal keys. `map`, `filter`, `mapValues`, `keys` and `values` keep the order; others forget it.
  Where some of several elements with equal keys are left out (`take(2)`, `takeOrdered(2, key=…)`, `sorted(…)[:2]`),
  nothing fixes which, unless the key has all that is returned of them. Two programs then return the same only where
  the elements come alike: from the same RDDs, sorts, sides of unions, repartitions and methods by key. Else the verdict
  is `unknown`.
* `collect` may be returned: a list in any order is compared as a bag. `textFile` of a parameter `path: str` is an
  input: the lines of that file.
* An RDD of lists or dictionaries, as `map(lambda line: line.split(","))` makes, has `map`, `filter`, `flatMap` and
  `count`, until a function makes values of them; so has one of tuples that hold lists or sets, and also `mapValues` and
  `reduceByKey`.
* An RDD has at least one partition. One without any, `sc.emptyRDD()`, makes `mean`, `countByKey` and `countByValue`
  raise in Spark.
* A group, of `groupByKey`, `groupBy` or `cogroup`, has `sum`, `len`, `min`, `max` with a default, `any`, `all`, `list`,
  `set` and `sorted`, comprehensions over it, and the first and last item of what is sorted, each perhaps by a `key`.
  An RDD of groups has `mapValues`, `map`, `filter`, `flatMap`, `flatMapValues`, `keys`, `values`,
  `sortByKey`, `isEmpty` and `count`. Of what is sorted,
  `[:1]` to `[:10]` and `heapq.nlargest` are read: as results, of groups that are never empty and not by a `key`. Lists
  and sets of whole groups may be returned: lists in any order are compared with such lists, `sorted` ones with sorted
  ones, sets with sets.
  A loop over a group is a fold, which must not depend on the order, or a list of what it appends; `return` and `break`
  may end it. Folds by key may put lists and sets together, by `+`, `|`, `append`, `add` and such: these are groups,
  too, where the second function puts two together and nothing looks into them before. A loop that fills a
  dictionary, at one key for each value of the group, a comprehension, `dict` and `Counter` make groups of `items()`,
  `keys()` and `values()`; which values these are must not depend on the order of the group. What is asked of each
  value may depend on the key, and on what was asked of the whole group, such as `v / sum(group)`.
  Items of a dictionary with constant keys, and of a list of so many items, may be set (`d["a"] += 1`, `c[x % 7] += 1`)
  where the function made it and gave it no other name: in loops over groups, too.
  A group may stand on one side of a condition, and an empty list on the other; `flatMap` takes the items of one side
  of a `cogroup`, where the other one is empty, say. Of a set of a group, `- {…}` and `& {…}` are read.
  Pairs of a key and a group may be collected, and gone through by a comprehension that makes a value of each.
  Groups that may be empty, as a comprehension with a condition makes, may be handed on to other functions, and those
  with items returned, `.filter(lambda kv: kv[1])`.
  An RDD of groups may be joined with one of pairs, by `join`, and by outer joins that keep what has no partner on one
  side: functions take aggregates of the group, and `flatMap` items, and must test a group for None that may be; what is
  asked of each value of the group must not depend on the value beside it, but for items of `flatMap`. A `join` of two
  RDDs of groups is a `cogroup` of the keys that both have.
  Two loops, one in the other, over the groups of a `cogroup`, or twice over one group, make a product by key for
  `flatMap` and `flatMapValues`; so do `combinations(sorted(set(group)), 2)`, and loops over `enumerate(l)` and
  `l[i + 1:]` of such a list `l`. Where an item may be there twice, these are refused.
* Regular expressions are read if they are constant: `match`, `search` and `fullmatch` with `group`, `groups` and
  `groupdict`, and `findall`, `split` and `sub`. Sets and `Counter`s are read of the lists that these and `split` give.
* `try` is read in functions that run on elements, without `finally`, where it is known when the code in it raises:
  `int`, `float` and `Decimal` of a text, indices of `split` and of texts, unpacking, dictionaries of constants,
  quotients, dates. A generator whose items may raise must surely be gone through to its end, as by `sum` or `list`;
  any generator may be used once, by the statement after its name.
* A loop at the driver over collected elements is read as a fold of the numbers, texts and tuples that it changes, which
  must not depend on the order; as a list of what it appends; and as a dictionary that it fills: by `d[key] = value`
  with keys that do not repeat, or by adding up, with `if key in d`, `d.get(key, 0)`, a `defaultdict(int)` or a
  `Counter`. Values of a dictionary may be lists or sets that the loop adds to: `d.setdefault(key, set()).add(value)`, a
  `defaultdict(list)`, and `if key not in d`; these are the groups of `groupByKey`, of which `len`, `sum`, `sorted` and
  the like are read, in loops and comprehensions over the dictionary; or lists of so many items, of which only items are
  looked at: `d[key] = [0, 0]`, `d[key][0] += value`, and a `defaultdict(lambda: [0, 0])`. `return` and `break` may end
  a loop where what it returns, or assigns before, is the same for all elements at which it ends. Where a loop in it
  goes through a list that is made of each element (`for word in line.split()`), and only that loop changes something,
  both are one loop.
* `mean`, `variance`, `stdev` and what `stats` knows are floats, which may be used like others; that floats are exact is
  an assumption. Of no elements Spark's variance is nan and its extremes are inf and -inf: nan may be computed and
  compared with, and equals nothing; inf may only be returned.
* What a program does with `collect()`, `collectAsMap()`, `top(3)` and the like in the end (a median, ranks, gaps
  between sorted elements) may be any pure code: it is a function of what was collected, of which proofs know that equal
  arguments have equal values. Elements that were collected in no order are sorted before it looks at their places.
* Dictionaries (`countByKey`, `countByValue`, `collectAsMap`) may be returned, chosen by conditions and
  handed to helpers. `d.get(key, default)`, `key in d` and `d[key]` are read at the driver, and in functions of `map`,
  `filter`, `flatMap`, `mapValues`, `flatMapValues` and `keyBy`, also of broadcast variables, once in each function:
  such a look-up is a left outer join. So is `x in rdd.collect()`, or in a `set` of it, and look-ups in loops and
  comprehensions at the driver; of the keys that these go through, in other dictionaries, they are one by-key fold.
  Sets of elements have `&`, `|`, `-`, `^`, `<=`, `>=` and `==`, and
  the methods that mean the same. A dictionary is compared with a
  dictionary. Means of ints are compared as exact quotients of sum and count, 0 for an empty RDD: those whose sums and
  counts are equal are equivalent. They are inequivalent only on an input on which the quotients differ, and whose
  numbers are so small that Spark's floats differ too.
* Texts have Python's methods, as functions of which proofs know that equal texts have equal values, and counterexamples
  the value that Python gives. Where Python would raise an exception (`int("a")`, a list too short, a key that is
  missing, an assertion in a function that runs on elements) there is no value, and the certificate assumes that no
  expression raises an error. An assertion at the driver is a way for the program to raise, as `reduce` of nothing is.
* Results whose values are never equal in Python, as ints and texts, or tuples of two lengths, are told apart by an
  input on which both return something. Results that may be equal and are no values of one type, as ints and floats, are
  not compared.
* A list of a fixed number of items may be returned at the driver, and equals lists only. Objects of plain
  classes may be what folds accumulate; they are never compared, hashed or returned. Of `take(n)` without an order, its
  length and its truth are read.
* `float` and `Decimal` are exact numbers, which the certificate assumes by name, and a `Fraction` is one; `date`,
  `datetime` and `timedelta` are
  numbers of days and microseconds; members of an `Enum` are compared by identity, and those of
  an `IntEnum` or of an enum of texts are also the int or the text.
* Parameters may be lists, sets, dictionaries and tuples of any length with types of their items, `dict[str, int]` or
  `List[date]`, and elements may hold these. Read in full are `in`, `len`, `set`, `d[key]`, `d.get(key, default)` and
  going through their items, in `flatMap` and `append` loops; anything else that changes nothing is pure code.
* `None` may be a value where the type says so, as in `RDD[int | None]`, `Optional[int]`, or where a program makes it.
  It must be tested before its value is used: `x is None`, `x is not None`, in conditions, early returns, `and` and
  `or`. A filter that tests for None changes the type of what it keeps.
"""
LITERALS = """
## RDDs of literals

`r.context.parallelize([…])`, `sc.parallelize([…])` where the program has a parameter `sc: SparkContext`, or
`spark.sparkContext.parallelize([…])` where it has `spark: SparkSession`, makes an RDD of literals. SparkLite
has no constant bags, so it may be used with an RDD only, by `cartesian`, `join` and
`leftOuterJoin`: `s.leftOuterJoin(s.context.parallelize([(0, 10), (1, 20)]))`. It has the methods {methods}.
"""


def page() -> str:
    """The page, in Markdown."""
    lines = [INTRODUCTION.strip(), "", "| method | meaning | example |", "|---|---|---|"]
    for call in supported_calls():
        cells = f"`{call.signature}`", call.meaning, f"`{call.example}`"
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    names = ", ".join(f"`{each.split('(')[0]}`" for each in literals.METHODS)
    lines += ["", TOGETHER.strip(), "", fill_paragraphs(LITERALS.format(methods=names)), "", "## Refused by name", ""]
    lines += ["| method | reason, or what to write instead |", "|---|---|"]
    lines += [f"| `{name}` | {reason} |" for name, reason in refused_calls().items()]
    return "\n".join(lines) + "\n"


def fill_paragraphs(text: str) -> str:
    """Markdown whose paragraphs are at most 120 columns wide."""
    return "\n\n".join(fill(part, 120, break_on_hyphens=False) for part in text.strip().split("\n\n"))


if __name__ == "__main__":
    print(page(), end="")
