"""Counting words and parts of lines."""

from operator import add

from pyspark import RDD, SparkContext

STOP_WORDS = {"the", "a", "an", "of", "and"}


def word_count(lines: RDD[str]):
    words = lines.flatMap(lambda line: line.split())
    return words.map(lambda word: (word, 1)).reduceByKey(add)


def word_count_right(lines: RDD[str]):
    return lines.flatMap(str.split).groupBy(lambda word: word).mapValues(len)


def word_count_wrong(lines: RDD[str]):
    return lines.map(lambda line: (line, 1)).reduceByKey(add)


def without_stop_words(lines: RDD[str]):
    words = lines.flatMap(lambda line: line.lower().split())
    kept = words.filter(lambda word: word not in STOP_WORDS)
    return kept.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)


def without_stop_words_right(lines: RDD[str]):
    counts = lines.flatMap(lambda line: line.lower().split()).map(lambda word: (word, 1)).reduceByKey(add)
    return counts.filter(lambda pair: pair[0] not in STOP_WORDS)


def without_stop_words_wrong(lines: RDD[str]):
    words = lines.flatMap(lambda line: line.split()).filter(lambda word: word not in STOP_WORDS)
    return words.map(lambda word: (word.lower(), 1)).reduceByKey(add)


def long_words(lines: RDD[str]):
    """How many words have more than six letters."""
    return lines.flatMap(lambda line: line.split(" ")).filter(lambda word: len(word) > 6).count()


def long_words_right(lines: RDD[str]):
    lengths = lines.flatMap(lambda line: line.split(" ")).map(len)
    return lengths.map(lambda length: 1 if length > 6 else 0).sum()


def long_words_wrong(lines: RDD[str]):
    lengths = lines.flatMap(lambda line: line.split(" ")).map(len)
    return lengths.map(lambda length: 1 if length >= 6 else 0).sum()


def top_words(sc: SparkContext, path: str):
    """The words that occur ten times or more in a file, most frequent first."""
    counts = sc.textFile(path).flatMap(lambda line: line.split()).map(lambda word: (word, 1)).reduceByKey(add)
    return counts.filter(lambda pair: pair[1] >= 10).sortBy(lambda pair: (-pair[1], pair[0])).collect()


def top_words_right(sc: SparkContext, path: str):
    words = sc.textFile(path).flatMap(lambda line: line.split())
    counts = words.map(lambda word: (word, 1)).foldByKey(0, add)
    return counts.sortBy(lambda pair: (-pair[1], pair[0])).filter(lambda pair: not pair[1] < 10).collect()


def top_words_wrong(sc: SparkContext, path: str):
    words = sc.textFile(path).flatMap(lambda line: line.split())
    counts = words.map(lambda word: (word, 1)).foldByKey(0, add)
    return counts.filter(lambda pair: pair[1] > 10).sortBy(lambda pair: (-pair[1], pair[0])).collect()


def letters(lines: RDD[str]):
    """How long all lines are together."""
    return lines.map(len).sum()


def letters_right(lines: RDD[str]):
    return lines.aggregate(0, lambda total, line: total + len(line), add)


def letters_wrong(lines: RDD[str]):
    return lines.map(str.strip).map(len).sum()


def vocabulary(lines: RDD[str]):
    """How many different words there are."""
    return lines.flatMap(lambda line: line.lower().split()).distinct().count()


def vocabulary_right(lines: RDD[str]):
    ones = lines.flatMap(lambda line: line.lower().split()).map(lambda word: (word, 1))
    return ones.reduceByKey(add).count()


def vocabulary_wrong(lines: RDD[str]):
    return lines.flatMap(lambda line: line.lower().split()).count()


def by_initial(words: RDD[str]):
    """The longest word of each initial."""
    pairs = words.filter(lambda word: word != "").map(lambda word: (word[0], len(word)))
    return pairs.reduceByKey(max)


def by_initial_right(words: RDD[str]):
    pairs = words.filter(lambda word: word).map(lambda word: (word[0], word))
    return pairs.mapValues(len).reduceByKey(lambda a, b: a if a > b else b)


def by_initial_wrong(words: RDD[str]):
    pairs = words.filter(lambda word: word != "").map(lambda word: (word[0], len(word)))
    return pairs.reduceByKey(min)


def prefixed(words: RDD[str]):
    """Words that begin with un, in capitals."""
    return words.filter(lambda word: word.startswith("un")).map(lambda word: word.upper())


def prefixed_right(words: RDD[str]):
    return words.flatMap(lambda word: [word.upper()] if word.startswith("un") else [])


def prefixed_wrong(words: RDD[str]):
    return words.map(lambda word: word.upper()).filter(lambda word: word.startswith("un"))
