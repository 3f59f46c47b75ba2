"""Events of a game, rows are dictionaries."""

from pyspark import RDD

LEVELS = [0, 100, 300, 700]


def level_of(score):
    level = 0
    for i, bound in enumerate(LEVELS):
        if score >= bound:
            level = i
    return level


def players_by_level(scores: RDD[tuple[str, int]]):
    totals = scores.reduceByKey(lambda a, b: a + b)
    return totals.map(lambda kv: (level_of(kv[1]), 1)).reduceByKey(lambda a, b: a + b)


def players_by_level_right(scores: RDD[tuple[str, int]]):
    def level(score):
        if score >= 700:
            return 3
        if score >= 300:
            return 2
        return 1 if score >= 100 else 0

    return scores.groupByKey().map(lambda kv: (level(sum(kv[1])), kv[0])).groupByKey().mapValues(len)


def players_by_level_wrong(scores: RDD[tuple[str, int]]):
    return scores.map(lambda kv: (level_of(kv[1]), 1)).reduceByKey(lambda a, b: a + b)


def leaderboard(scores: RDD[tuple[str, int]]):
    """The ten best players, names break ties."""
    return scores.reduceByKey(max).takeOrdered(10, key=lambda kv: (-kv[1], kv[0]))


def leaderboard_right(scores: RDD[tuple[str, int]]):
    best = scores.groupByKey().mapValues(max)
    return best.sortBy(lambda kv: (-kv[1], kv[0])).take(10)


def leaderboard_wrong(scores: RDD[tuple[str, int]]):
    return scores.takeOrdered(10, key=lambda kv: (-kv[1], kv[0]))


def as_dicts(scores: RDD[tuple[str, int, int]]):
    """Rows for a report."""
    return scores.filter(lambda s: s[2] > 0).map(lambda s: {"player": s[0], "points": s[1], "rate": s[1] // s[2]})


def as_dicts_right(scores: RDD[tuple[str, int, int]]):
    def row(s):
        player, points, games = s
        return dict(player=player, points=points, rate=points // games)

    return scores.filter(lambda s: not s[2] <= 0).map(row)


def as_dicts_wrong(scores: RDD[tuple[str, int, int]]):
    def row(s):
        player, points, games = s
        return dict(player=player, points=points, rate=games // points if points else 0)

    return scores.filter(lambda s: s[2] > 0).map(row)
