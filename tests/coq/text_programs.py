"""Programs over texts, with functions of which proofs know nothing but that equal arguments have equal values.

The functions are read, and never run.
"""

from pyspark import RDD

PAIRS = (
    ("long_lines", "long_lines_counted_in_pairs", "equivalent"),
    ("words_of_lines", "words_of_lines_with_pairs", "equivalent"),
    ("between_names", "between_names_in_turn", "equivalent"),
    ("not_banned", "not_banned_filtered_first", "equivalent"),
    ("number_by_name", "number_by_name_from_pairs", "equivalent"),
    ("long_lines", "longer_lines", "inequivalent"),
    ("words_of_lines", "distinct_words_of_lines", "inequivalent"),
    ("between_names", "from_name", "inequivalent"),
)


def long_lines(rdd: RDD[str]):
    return rdd.filter(lambda line: len(line.strip()) > 2).map(lambda line: (line.strip(), len(line.strip())))


def long_lines_counted_in_pairs(rdd: RDD[str]):
    pairs = rdd.map(lambda line: (line.strip(), len(line.strip())))
    return pairs.filter(lambda pair: not pair[1] <= 2)


def longer_lines(rdd: RDD[str]):
    return rdd.filter(lambda line: len(line.strip()) > 3).map(lambda line: (line.strip(), len(line.strip())))


def words_of_lines(rdd: RDD[str]):
    return rdd.flatMap(lambda line: line.split()).filter(lambda word: word != "")


def words_of_lines_with_pairs(rdd: RDD[str]):
    return rdd.flatMap(lambda line: line.split()).map(lambda word: (word, 1)).keys().filter(lambda word: word > "")


def distinct_words_of_lines(rdd: RDD[str]):
    return rdd.flatMap(lambda line: line.split()).filter(lambda word: word != "").distinct()


def between_names(rdd: RDD[str]):
    return rdd.filter(lambda name: "b" < name <= "éa")


def between_names_in_turn(rdd: RDD[str]):
    return rdd.filter(lambda name: name <= "éa" and name != "b").filter(lambda name: name >= "b" and name > "a")


def from_name(rdd: RDD[str]):
    return rdd.filter(lambda name: "b" <= name <= "éa")


def not_banned(rdd: RDD[tuple[str, int]], banned: RDD[tuple[str, int]]):
    return rdd.subtractByKey(banned).filter(lambda pair: pair[1] > 0)


def not_banned_filtered_first(rdd: RDD[tuple[str, int]], banned: RDD[tuple[str, int]]):
    return rdd.subtractByKey(banned).filter(lambda pair: not pair[1] <= 0)


def number_by_name(rdd: RDD[tuple[str, int]]):
    return rdd.map(lambda pair: (pair[0].lower(), pair[1])).reduceByKey(lambda a, b: a + b)


def number_by_name_from_pairs(rdd: RDD[tuple[str, int]]):
    return rdd.map(lambda pair: (pair[0].lower(), 2 * pair[1] - pair[1])).reduceByKey(lambda a, b: b + a)
