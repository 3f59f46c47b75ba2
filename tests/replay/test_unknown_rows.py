"""What a function makes of tables must not hang on which rows they have."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tallystick.replay.catalyst.unknown_rows import LOOKS, MOST_WAYS, Looks, NothingMade, Unknown, on_all_ways

pytest.importorskip("pyspark")
pytestmark = pytest.mark.filterwarnings("ignore")


def made(body: str, folder: Path) -> Any:
    """What a function with this body makes, on all ways; `rows()` is what an action gives."""
    from pyspark.sql.classic.dataframe import DataFrame

    path = folder / "job.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    path.write_text(
        f"import logging\nlog = logging.getLogger('x')\nseen = []\ndef job(rows, collect, is_empty, pandas):\n{lines}",
        encoding="utf-8",
    )
    names: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    job: Callable[..., Any] = names["job"]
    arguments = {"rows": lambda: DataFrame.count(None), "collect": lambda: DataFrame.collect(None)}  # type: ignore[arg-type]
    arguments["is_empty"] = lambda: DataFrame.isEmpty(None)  # type: ignore[arg-type]
    arguments["pandas"] = lambda: DataFrame.toPandas(None)  # type: ignore[arg-type]
    return on_all_ways(lambda: job(**arguments), lambda one, other: one == other)


@pytest.mark.parametrize(
    "body",
    [
        "log.info('%d rows', rows())\nreturn 1",
        "log.warning(f'{rows() - rows():,} are lost, {rows() / 2:.1f}')\nreturn 1",
        "print('rows:', rows(), 'and %d' % rows())\nreturn 1",
        "print([each.name for each in rows()], len(rows()))\nreturn 1",
        "if rows() == 0:\n    log.warning('nothing')\nreturn 1",
        "if not rows():\n    raise ValueError('nothing to do')\nreturn 1",
        "n = rows()\nif n > 10 and n < 20:\n    n = 3\nreturn 1",
        "small = max(rows(), 3)\nreturn 1",
        "share = rows() / 2 + rows() % 7\nreturn 1",
        "log.info('%s %s', collect()[0][0], collect()[0].a)\nreturn 1",
        "found = collect()\nif not found[0].a:\n    found[0]\nreturn 1",
        "row = collect()[0]\nif row.a is None and row.a is not None:\n    return 2\nreturn 1",
        "last = collect()[0]['day']\nif last is None:\n    raise ValueError('no day')\nreturn 1",
        "if is_empty():\n    log.info('nothing')\nreturn 1",
        "try:\n    collect()[0].a + 1\nexcept TypeError:\n    pass\nreturn 1",
        "try:\n    raise ValueError\nexcept ValueError:\n    rows() + 1\nreturn 1",
        "none = rows() + 1\nif none is None:\n    return 2\nreturn 1",
    ],
)
def test_rows_may_be_logged_and_what_both_ways_make_alike_does_not_hang_on_them(body: str, tmp_path: Path) -> None:
    assert made(body, tmp_path) == 1


@pytest.mark.parametrize(
    "body",
    [
        "return 1 if rows() > 3 else 2",
        "return int(rows())",
        "return len(rows())",
        "return 1 if type(rows()) is int else 2",
        "return 1 if type(rows()) == int else 2",
        "def of(n):\n    return 1 if type(n) is int else 2\nreturn of(rows())",
        "return 1 if collect()[0].flag is True else 2",
        "match collect()[0].flag:\n    case True:\n        return 2\nreturn 1",
        "return 1 if hasattr(collect()[0], 'a') else 2",
        "return 1 if getattr(collect()[0], 'a', 0) == 0 else 1 if callable(rows()) else 2",
        "try:\n    collect()[0].a + 1\nexcept TypeError:\n    return 2\nreturn 1",
        "try:\n    collect()[0]['a']\nexcept (ValueError, KeyError):\n    return 2\nreturn 1",
        "try:\n    collect()[0].a\nexcept AttributeError:\n    return 2\nreturn 1",
        "from contextlib import suppress\nn = 1\nwith suppress(TypeError):\n    rows() + 'a'\n    n = 2\nreturn n",
        "return f'{rows()}'",
        "text = str(rows())\nreturn text == '0'",
        "return [each for each in rows()]",
        "return {rows(): 1}",
        "return 3 in rows()",
        "try:\n    return int(rows())\nexcept Exception:\n    return 0",
        "try:\n    return int(rows())\nexcept:\n    return 0",
        "return getattr(rows(), '_jdf')",
        "seen.append(f'{rows()}'); print(seen)\nreturn 1",
        "print(text := f'{rows()}')\nreturn 1",
        "while rows() > 3:\n    pass\nreturn 1",
        "while not rows() == 0:\n    pass\nreturn 1",
        "rows().first = 3\nreturn 1",
        "n = 0\nwhile rows() > n:\n    n += 1\nreturn 1",
        "return 1 if collect()[0][0] is None else 2",
        "return 1 if collect()[-1].a is None else 2",
        "last = collect()[0]\nreturn 1 if last['a'] is not None else 2",
        "return 1 if is_empty() is False else 2",
        "if rows() > 3:\n    import datetime\n    return datetime.timedelta(days=rows())\nreturn 1",
        "if rows() > 3:\n    return ', '.join([rows()])\nreturn 1",
        "return 1 if isinstance(rows(), int) else 2",
        "try:\n    collect()[0]\nexcept IndexError:\n    return 1\nreturn 2",
        "try:\n    collect()[2][0]\nexcept IndexError:\n    return 1\nreturn 2",
        "try:\n    share = 3 / rows()\nexcept ZeroDivisionError:\n    return 1\nreturn 2",
        "try:\n    share = rows() % rows()\nexcept ZeroDivisionError:\n    return 1\nreturn 2",
        "return 1 if pandas().head(3)['a'].iloc[0] is None else 2",
        "match rows():\n    case int():\n        return 1\nreturn 2",
    ],
)
def test_what_hangs_on_rows_is_refused(body: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(LOOKS)):
        made(body, tmp_path)


def test_making_nothing_is_no_error_that_does_not_count(tmp_path: Path) -> None:
    """`if rows() > 0: write()` is not `write()`: where there is nothing to write, what was there stays."""
    missing = "from tallystick.replay.catalyst.unknown_rows import NothingMade\n"
    for condition in ("rows() > 3", "not rows() > 3"):
        with pytest.raises(ValueError, match=re.escape(LOOKS)):
            made(f"{missing}if {condition}:\n    return 1\nraise NothingMade", tmp_path)
    with pytest.raises(NothingMade):
        made(f"{missing}raise NothingMade", tmp_path)


def test_the_error_of_all_ways_is_the_functions_own(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="nothing"):
        made("if rows() > 3:\n    raise KeyError('nothing')\nraise KeyError('nothing')", tmp_path)


def test_only_so_many_ways_are_gone(tmp_path: Path) -> None:
    assert MOST_WAYS == 16
    assert made("for _ in range(4):\n    if rows() > 3:\n        print('many')\nreturn 1", tmp_path) == 1
    with pytest.raises(ValueError, match=re.escape(LOOKS)):
        made("for _ in range(5):\n    if rows() > 3:\n        print('many')\nreturn 1", tmp_path)


def test_an_unknown_is_no_error_that_a_program_handles() -> None:
    assert not issubclass(Looks, Exception)
    assert not isinstance(Unknown, int)
