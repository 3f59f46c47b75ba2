"""W5 to W8 of Veer's evaluation, in their spirit: two about films, two about tweets, with functions of the user's.

The originals are private. Their numbers of operators and links are those of the paper's table 4: 12 and 12, 18 and 20,
14 and 13, 13 and 12. `FUNCTIONS` are functions that stand for dictionary matchers, a classifier and the like: proofs
know nothing of them, and differences are shown by calling them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tallystick.experiments.veer.editing import Operators, operator

SOURCES: Final = """
CREATE TABLE titles (title_id INT NOT NULL PRIMARY KEY, kind STRING, name STRING, year INT, genres STRING);
CREATE TABLE names (named_id INT NOT NULL, region STRING, is_original BOOLEAN);
CREATE TABLE crew (crew_title INT NOT NULL, directors STRING);
CREATE TABLE tweets (tweet_id INT NOT NULL, author INT, text STRING, lang STRING, place INT, likes INT);
CREATE TABLE users (user_id INT NOT NULL PRIMARY KEY, followers INT, verified BOOLEAN);
CREATE TABLE places (place_id INT NOT NULL PRIMARY KEY, county STRING, state STRING)
"""

W5: Final[Operators] = (
    operator("films", "filter", "titles", condition="kind = 'movie'"),
    operator("named", "join", "films", "names", kind="inner", condition="title_id = named_id"),
    operator("copies", "replicate", "named"),
    operator("originals", "filter", "copies", condition="is_original"),
    operator("original_count", "aggregate", "originals", keys=["region"], values={"originals": "COUNT(*)"}),
    operator("others", "filter", "copies", condition="NOT is_original"),
    operator("other_count", "aggregate", "others", keys=["region"], values={"others": "COUNT(*)"}),
    operator("both", "join", "original_count", "other_count", kind="inner",
             condition="input1.region = input2.region",
             columns={"region": "input1.region", "originals": "originals", "others": "others"}),
    operator("compared", "project", "both", columns={"region": "region", "more": "others - originals"}),
    operator("result", "sink", "compared"),
)  # fmt: skip

W6: Final[Operators] = (
    operator("directed", "function", "crew", function="split names", rows="many", reads=["directors"],
             adds={"director": "STRING"}),
    operator("directed_copies", "replicate", "directed"),
    operator("films", "filter", "titles", condition="kind = 'movie'"),
    operator("of_genre", "function", "films", function="split genres", rows="many", reads=["genres"],
             adds={"genre": "STRING"}),
    operator("film_copies", "replicate", "of_genre"),
    operator("all_comedies", "join", "directed_copies", "film_copies", kind="inner",
             condition="crew_title = title_id"),
    operator("comedies", "filter", "all_comedies", condition="genre = 'Comedy'"),
    operator("comic", "project", "comedies", columns={"comedian": "director"}),
    operator("all_recent", "join", "directed_copies", "film_copies", kind="inner", condition="crew_title = title_id"),
    operator("recent", "filter", "all_recent", condition="year >= 2000"),
    operator("active", "project", "recent", columns={"person": "director", "film": "title_id"}),
    operator("wanted", "join", "comic", "active", kind="inner", condition="comedian = person"),
    operator("detailed", "join", "wanted", "film_copies", kind="inner", condition="film = title_id"),
    operator("shown", "project", "detailed", columns={"person": "person", "name": "name", "year": "year"}),
    operator("known", "filter", "shown", condition="name IS NOT NULL"),
    operator("result", "sink", "known"),
)  # fmt: skip

W7: Final[Operators] = (
    operator("english", "filter", "tweets", condition="lang = 'en'"),
    operator("about_tobacco", "function", "english", function="is about tobacco", rows="some", reads=["text"]),
    operator("plain", "project", "about_tobacco", columns={"tweet_id": "tweet_id", "author": "author",
                                                          "text": "text", "likes": "likes"}),
    operator("by_user", "join", "plain", "users", kind="left", condition="author = user_id"),
    operator("influential", "filter", "by_user", condition="followers >= 2"),
    operator("judged", "function", "influential", function="classify", rows="each", reads=["text"],
             adds={"label": "STRING"}),
    operator("commercial", "filter", "judged", condition="label <> 'private'"),
    operator("rates", "aggregate", "commercial", keys=["author", "label"], values={"tweets": "COUNT(*)",
                                                                                  "liked": "SUM(likes)"}),
    operator("frequent", "filter", "rates", condition="tweets >= 1"),
    operator("chosen", "project", "frequent", columns={"author": "author", "label": "label", "liked": "liked",
                                                      "tweets": "tweets"}),
    operator("chart", "function", "chosen", function="chart", rows="all", columns={"author": "INT", "bar": "BIGINT"}),
    operator("result", "sink", "chart"),
)  # fmt: skip

W8: Final[Operators] = (
    operator("english", "filter", "tweets", condition="lang = 'en'"),
    operator("plain", "project", "english", columns={"tweet_id": "tweet_id", "text": "text", "place": "place",
                                                    "likes": "likes"}),
    operator("about_fire", "function", "plain", function="is about fire", rows="some", reads=["text"]),
    operator("judged", "function", "about_fire", function="severity of fire", rows="each", reads=["text"],
             adds={"severity": "INT"}),
    operator("severe", "filter", "judged", condition="severity >= 1"),
    operator("located", "join", "severe", "places", kind="inner", condition="place = place_id"),
    operator("in_state", "filter", "located", condition="state = 'CA'"),
    operator("counties", "aggregate", "in_state", keys=["county"], values={"fires": "COUNT(*)",
                                                                          "worst": "MAX(severity)"}),
    operator("many", "filter", "counties", condition="fires >= 1"),
    operator("shown", "project", "many", columns={"county": "county", "fires": "fires", "worst": "worst"}),
    operator("result", "sink", "shown"),
)  # fmt: skip


def _order_by(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def _severity(text: str | None) -> int | None:
    return None if text is None else len(text) % 3


FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "order by": _order_by,
    "split names": lambda text: [] if text is None else [text, text.upper()],
    "split genres": lambda text: [] if text is None else [text, "Comedy"],
    "is about tobacco": lambda text: text is not None,
    "classify": lambda text: None if text is None else "commercial" if len(text) % 2 else "private",
    "chart": lambda rows: [(row[0], row[2] if row[2] is None else row[2] + row[3]) for row in rows],
    "is about fire": lambda text: text is not None,
    "severity of fire": _severity,
}
"""What stands for the functions of the workflows."""
