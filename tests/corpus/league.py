"""Football league: points, rankings, head to head."""

from __future__ import annotations

from dataclasses import dataclass
from operator import add

from pyspark import RDD

WIN, DRAW, LOSS = 3, 1, 0


@dataclass(frozen=True)
class Match:
    home: str
    away: str
    home_goals: int
    away_goals: int


class Points:
    @staticmethod
    def of(scored: int, conceded: int) -> int:
        if scored > conceded:
            return WIN
        return DRAW if scored == conceded else LOSS

    @staticmethod
    def both(m: Match):
        return [
            (m.home, Points.of(m.home_goals, m.away_goals)),
            (m.away, Points.of(m.away_goals, m.home_goals)),
        ]


def table(matches: RDD[Match]) -> list[tuple[str, int]]:
    """Final ranking: points, then name."""
    points = matches.flatMap(Points.both).reduceByKey(add)
    return points.sortBy(lambda kv: (-kv[1], kv[0])).collect()


def table_right(matches: RDD[Match]) -> list[tuple[str, int]]:
    home = matches.map(lambda m: (m.home, Points.of(m.home_goals, m.away_goals)))
    away = matches.map(lambda m: (m.away, Points.of(m.away_goals, m.home_goals)))
    points = home.union(away).groupByKey().mapValues(sum).collect()
    return sorted(points, key=lambda kv: (-kv[1], kv[0]))


def table_wrong(matches: RDD[Match]) -> list[tuple[str, int]]:
    home = matches.map(lambda m: (m.home, Points.of(m.home_goals, m.away_goals)))
    away = matches.map(lambda m: (m.away, Points.of(m.away_goals, m.home_goals)))
    points = home.union(away).groupByKey().mapValues(sum).collect()
    return sorted(points, key=lambda kv: (kv[1], kv[0]), reverse=True)


def goal_difference(matches: RDD[Match]):
    def sides(m: Match):
        diff = m.home_goals - m.away_goals
        yield m.home, diff
        yield m.away, -diff

    return matches.flatMap(sides).reduceByKey(add)


def goal_difference_right(matches: RDD[Match]):
    scored = matches.flatMap(lambda m: [(m.home, m.home_goals), (m.away, m.away_goals)]).reduceByKey(add)
    conceded = matches.flatMap(lambda m: [(m.home, m.away_goals), (m.away, m.home_goals)]).reduceByKey(add)
    return scored.join(conceded).mapValues(lambda p: p[0] - p[1])


def goal_difference_wrong(matches: RDD[Match]):
    home = matches.map(lambda m: (m.home, m.home_goals - m.away_goals)).reduceByKey(add)
    away = matches.map(lambda m: (m.away, m.away_goals - m.home_goals)).reduceByKey(add)
    return home.leftOuterJoin(away).mapValues(lambda p: p[0] + (p[1] or 0))


def unbeaten(matches: RDD[Match]):
    """Teams which never lost."""
    teams = matches.flatMap(lambda m: [m.home, m.away]).distinct()
    losers = matches.filter(lambda m: m.home_goals != m.away_goals).map(
        lambda m: m.home if m.home_goals < m.away_goals else m.away
    )
    return teams.subtract(losers)


def unbeaten_right(matches: RDD[Match]):
    worst = matches.flatMap(Points.both).reduceByKey(min)
    return worst.filter(lambda kv: kv[1] >= DRAW).keys()


def unbeaten_wrong(matches: RDD[Match]):
    worst = matches.flatMap(Points.both).reduceByKey(min)
    return worst.filter(lambda kv: kv[1] > DRAW).keys()


def results(matches: RDD[Match]):
    """Lines such as 'A - B 2:1 (H)'."""

    def show(m: Match) -> str:
        mark = "H" if m.home_goals > m.away_goals else "A" if m.home_goals < m.away_goals else "D"
        return f"{m.home} - {m.away} {m.home_goals}:{m.away_goals} ({mark})"

    return matches.map(show)


def results_right(matches: RDD[Match]):
    marks = {WIN: "H", DRAW: "D", LOSS: "A"}
    marked = matches.map(lambda m: (m, marks[Points.of(m.home_goals, m.away_goals)]))
    return marked.map(lambda p: f"{p[0].home} - {p[0].away} {p[0].home_goals}:{p[0].away_goals} ({p[1]})")


def results_wrong(matches: RDD[Match]):
    marks = {WIN: "H", DRAW: "D", LOSS: "A"}
    marked = matches.map(lambda m: (m, marks[Points.of(m.away_goals, m.home_goals)]))
    return marked.map(lambda p: f"{p[0].home} - {p[0].away} {p[0].home_goals}:{p[0].away_goals} ({p[1]})")


def best_attack(matches: RDD[Match]):
    """Teams with the most goals of all (there may be several)."""
    goals = matches.flatMap(lambda m: [(m.home, m.home_goals), (m.away, m.away_goals)]).reduceByKey(add)
    by_goals = goals.map(lambda kv: (kv[1], kv[0])).groupByKey().mapValues(sorted)
    top = by_goals.sortByKey(ascending=False).take(1)
    return top[0][1] if top else []


def best_attack_right(matches: RDD[Match]):
    goals = matches.flatMap(lambda m: [(m.home, m.home_goals), (m.away, m.away_goals)]).reduceByKey(add)
    scores = goals.collectAsMap()
    if not scores:
        return []
    most = max(scores.values())
    return sorted(team for team, n in scores.items() if n == most)


def best_attack_wrong(matches: RDD[Match]):
    goals = matches.flatMap(lambda m: [(m.home, m.home_goals), (m.away, m.away_goals)]).reduceByKey(add)
    best = goals.takeOrdered(1, key=lambda kv: (-kv[1], kv[0]))
    return [team for team, _ in best]
