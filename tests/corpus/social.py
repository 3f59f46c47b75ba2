"""Posts, followers and likes."""

import re
from itertools import combinations
from typing import NamedTuple

from pyspark import RDD

MENTION = re.compile(r"@(\w+)")


class Post(NamedTuple):
    id: int
    author: str
    text: str
    likes: int


def hashtags(posts: RDD[Post]):
    """Ten most used hash tags with counts."""
    tags = posts.flatMap(lambda p: [w.lower() for w in p.text.split() if w.startswith("#")])
    return tags.map(lambda t: (t, 1)).reduceByKey(lambda a, b: a + b).takeOrdered(10, key=lambda tc: (-tc[1], tc[0]))


def hashtags_right(posts: RDD[Post]):
    words = posts.flatMap(lambda p: p.text.split())
    counts = words.filter(lambda w: w[:1] == "#" or w.startswith("#")).map(str.lower).countByValue()
    return sorted(counts.items(), key=lambda tc: (-tc[1], tc[0]))[:10]


def hashtags_wrong(posts: RDD[Post]):
    words = posts.flatMap(lambda p: p.text.split())
    counts = words.filter(lambda w: w.startswith("#")).countByValue()
    return sorted(counts.items(), key=lambda tc: (-tc[1], tc[0]))[:10]


def pairs(baskets: RDD[tuple[str, str, str]]):
    """How often two of three tags go together."""
    both = baskets.flatMap(lambda b: [tuple(sorted(p)) for p in combinations(b, 2)])
    return both.map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)


def pairs_right(baskets: RDD[tuple[str, str, str]]):
    def make(b):
        x, y, z = sorted(b)
        return (x, y), (x, z), (y, z)

    return baskets.flatMap(make).groupBy(lambda p: p).mapValues(len)


def pairs_wrong(baskets: RDD[tuple[str, str, str]]):
    both = baskets.flatMap(lambda b: list(combinations(b, 2)))
    return both.map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)


def influence(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    """Likes times followers of each author with followers."""
    followers = follows.map(lambda f: (f[1], 1)).reduceByKey(lambda a, b: a + b)
    likes = posts.map(lambda p: (p.author, p.likes)).reduceByKey(lambda a, b: a + b)
    return followers.join(likes).mapValues(lambda v: v[0] * v[1])


def influence_right(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    followers = follows.map(lambda f: f[1]).countByValue()
    likes = posts.map(lambda p: (p.author, p.likes)).reduceByKey(lambda a, b: a + b)
    return likes.filter(lambda kv: kv[0] in followers).map(lambda kv: (kv[0], kv[1] * followers.get(kv[0], 0)))


def influence_wrong(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    followers = follows.map(lambda f: (f[1], 1)).reduceByKey(lambda a, b: a + b)
    likes = posts.map(lambda p: (p.author, p.likes)).reduceByKey(lambda a, b: a + b)
    return likes.leftOuterJoin(followers).mapValues(lambda v: v[0] * (v[1] or 0))


def feed(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    """(reader, post) of what people follow, without their own posts."""
    by_author = posts.map(lambda p: (p.author, p.id))
    seen = follows.map(lambda f: (f[1], f[0])).join(by_author)
    return seen.filter(lambda kv: kv[0] != kv[1][0]).values().distinct()


def feed_right(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    proper = follows.filter(lambda f: f[0] != f[1]).distinct()
    by_author = posts.map(lambda p: (p.author, p.id)).distinct()
    return proper.map(lambda f: (f[1], f[0])).join(by_author).map(lambda kv: (kv[1][0], kv[1][1])).distinct()


def feed_wrong(follows: RDD[tuple[str, str]], posts: RDD[Post]):
    by_author = posts.map(lambda p: (p.author, p.id))
    return follows.map(lambda f: (f[1], f[0])).join(by_author).values().distinct()


def viral(posts: RDD[Post]):
    """Ids of posts with more than double the author's average."""
    averages = posts.map(lambda p: (p.author, (p.likes, 1))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
    joined = posts.keyBy(lambda p: p.author).join(averages)
    return joined.filter(lambda kv: kv[1][0].likes * kv[1][1][1] > 2 * kv[1][1][0]).map(lambda kv: kv[1][0].id)


def viral_right(posts: RDD[Post]):
    averages = (
        posts.groupBy(lambda p: p.author).mapValues(lambda ps: (sum(p.likes for p in ps), len(ps))).collectAsMap()
    )

    def is_viral(p):
        total, count = averages[p.author]
        return p.likes * count > total * 2

    return posts.filter(is_viral).map(lambda p: p.id)


def viral_wrong(posts: RDD[Post]):
    total = posts.map(lambda p: p.likes).sum()
    count = posts.count()
    return posts.filter(lambda p: p.likes * count > total * 2).map(lambda p: p.id)


def summary(posts: RDD[Post]):
    """Count, total, smallest and largest likes, as a dict; zeros without posts."""
    if posts.isEmpty():
        return {"n": 0, "total": 0, "min": 0, "max": 0}
    likes = posts.map(lambda p: p.likes).cache()
    return {"n": likes.count(), "total": likes.sum(), "min": likes.min(), "max": likes.max()}


def summary_right(posts: RDD[Post]):
    def seq(acc, p):
        n, total, low, high = acc
        return n + 1, total + p.likes, min(low, p.likes) if n else p.likes, max(high, p.likes) if n else p.likes

    def comb(a, b):
        if not a[0]:
            return b
        if not b[0]:
            return a
        return a[0] + b[0], a[1] + b[1], min(a[2], b[2]), max(a[3], b[3])

    n, total, low, high = posts.aggregate((0, 0, 0, 0), seq, comb)
    return dict(n=n, total=total, min=low, max=high)


def summary_wrong(posts: RDD[Post]):
    def seq(acc, p):
        n, total, low, high = acc
        return n + 1, total + p.likes, min(low, p.likes), max(high, p.likes)

    def comb(a, b):
        return a[0] + b[0], a[1] + b[1], min(a[2], b[2]), max(a[3], b[3])

    n, total, low, high = posts.aggregate((0, 0, 0, 0), seq, comb)
    return dict(n=n, total=total, min=low, max=high)


def reading_time(posts: RDD[Post]):
    """Seconds of reading by author, at least one minute for each post."""
    return (
        posts.map(lambda p: (p.author, max(60, len(p.text) * 60 // 1000)))
        .reduceByKey(lambda a, b: a + b)
        .sortBy(lambda kv: kv[1], ascending=False)
    )


def reading_time_right(posts: RDD[Post]):
    def seconds(text):
        needed = 60 * len(text) // 1000
        return needed if needed > 60 else 60

    per_author = posts.map(lambda p: (p.author, p.text)).mapValues(seconds).reduceByKey(lambda a, b: a + b)
    return per_author.sortBy(lambda kv: -kv[1])


def reading_time_wrong(posts: RDD[Post]):
    per_author = posts.map(lambda p: (p.author, len(p.text))).reduceByKey(lambda a, b: a + b)
    return per_author.mapValues(lambda n: max(60, 60 * n // 1000)).sortBy(lambda kv: -kv[1])


def clean(names: RDD[str]):
    """Trimmed names with single initials removed."""

    def tidy(name):
        name = name.strip().replace(".", "")
        return name if len(name) > 1 else None

    return names.map(tidy).filter(lambda n: n).map(lambda n: n.title()).distinct()


def clean_right(names: RDD[str]):
    tidied = names.map(lambda n: n.strip().replace(".", ""))
    return tidied.filter(lambda n: len(n) >= 2).map(str.title).distinct()


def clean_wrong(names: RDD[str]):
    tidied = names.map(lambda n: n.replace(".", "").strip())
    return tidied.filter(lambda n: len(n) >= 2).map(str.title).distinct()
