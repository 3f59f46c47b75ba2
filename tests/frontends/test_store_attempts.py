"""`try`, loops that return, patterns of sequences and local functions, as the reader on a store has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.program import found_at, read_text
from tallystick.frontends.rdd.program import evaluated, read_on_store
from tallystick.frontends.rdd.reader import StoreReader
from tallystick.validation import tried

START = "from __future__ import annotations\nfrom pyspark import RDD\n\n\n"
TEXTS, PAIRS = "r: RDD[str]", "r: RDD[tuple[int, int]]"
ACCEPTED = {
    "one handler": (TEXTS, "try:\n    return int(x)\nexcept ValueError:\n    return 0"),
    "what is taken apart": (
        TEXTS,
        "try:\n    a, b = x.split(',')\n    return [(a, int(b))]\nexcept ValueError:\n    return []",
    ),
    "a list of unknown length that is taken apart": (
        TEXTS,
        "try:\n    a, *b = x.split(',')\n    c, d = map(int, x.split(';'))\nexcept ValueError:\n    return a_text\n"
        "return a + str(c - d)".replace("a_text", "'a'"),
    ),
    "items that are computed": (
        TEXTS,
        "try:\n    a, b = [int(y) for y in x.split(',')]\nexcept ValueError:\n    return 0\nreturn a * b",
    ),
    "which handler": (
        PAIRS,
        "t, k = {1: 2, 3: 4}, 0\ntry:\n    a = 1 // x[0]\n    k = t[x[1]]\nexcept ZeroDivisionError:\n    return -1\n"
        "except (KeyError, IndexError) as e:\n    k = 7\nelse:\n    k += a\nreturn k",
    ),
    "one in the other": (
        TEXTS,
        "try:\n    try:\n        return int(x)\n    except ValueError:\n        if x == '':\n"
        "            raise KeyError(x)\n        return int(x + '0')\nexcept (KeyError, ValueError):\n    return -5",
    ),
    "what it raises itself": (
        PAIRS,
        "try:\n    if x[0] > 1:\n        raise ValueError(f'{x[0] // x[1]}')\n    return 1\n"
        "except ZeroDivisionError:\n    return 2\nexcept ValueError:\n    return 3",
    ),
    "an assertion": (PAIRS, "try:\n    assert x[0] > x[1]\n    return 1\nexcept AssertionError:\n    return 2"),
    "a helper that fails": (
        TEXTS,
        "def h(y):\n    if y == 'a':\n        raise KeyError\n    return int(y)\ntry:\n    return h(x)\n"
        "except KeyError:\n    return -1\nexcept ValueError:\n    return -2",
    ),
    "what changed after the failure": (
        TEXTS,
        "out = []\ntry:\n    n = int(x)\n    out.append(n)\nexcept Exception:\n    out.append(-1)\nreturn out",
    ),
    "finally": (
        PAIRS,
        "out = [x[0]]\ntry:\n    if x[0] > 1:\n        return out\n    out.append(2)\nfinally:\n"
        "    out.append(x[1])\nreturn out",
    ),
    "what was returned before something that always raises": (
        PAIRS,
        "def h(y):\n    if y > 1:\n        return y\n    raise ValueError\nif x[0] > 1:\n    return 7\n"
        "if x[1] > 1:\n    for y in (1, 2):\n        if x[0] == 0:\n            break\n"
        "        assert y > x[0] // 2 > 1\n        raise KeyError\nn = h(x[1]) if x[0] == 1 else 0\nreturn n",
    ),
    "an iterator that may raise, but is left before": (
        PAIRS,
        "def g():\n    yield 1\n    if x[0] > 1:\n        raise ValueError\n    yield 2\nn = next(g())\n"
        "if x[0] > 1:\n    return 5\nreturn n + sum(g())",
    ),
    "which error a division of decimals raises": (
        PAIRS,
        "from decimal import Decimal, InvalidOperation\ntry:\n    return Decimal(x[0]) / Decimal(x[1]) > 1\n"
        "except InvalidOperation:\n    return False\nexcept ZeroDivisionError:\n    return True",
    ),
    "a sequence": (
        "r: RDD[tuple[int | None, int]]",
        "match x:\n    case (None, y):\n        return y\n    case (y, 0):\n        return y\n"
        "    case (y, *rest):\n        return len(rest) + y",
    ),
}
REFUSED = {
    "what may have changed before the failure": (
        TEXTS,
        "n = 1\ntry:\n    n = 2\n    n = int(x)\nexcept ValueError:\n    return n\nreturn n",
        "may have changed before the exception",
    ),
    "a list that may have changed before the failure": (
        TEXTS,
        "out = []\ntry:\n    out.append(1)\n    out.append(int(x))\nexcept ValueError:\n    return len(out)\nreturn 5",
        "may have changed before the exception",
    ),
    "what no handler catches": (
        TEXTS,
        "try:\n    return int(x)\nexcept KeyError:\n    return 0",
        "the code in this `try` may raise ValueError too",
    ),
    "another failure before that of an item": (
        TEXTS,
        "try:\n    a = [int(y) for y in x.split(',')]\n    q = 1 // len(x)\n    b, c = a\n    return b + c + q\n"
        "except ValueError:\n    return 1\nexcept ZeroDivisionError:\n    return 2",
        "where `int` raises an exception is not followed here",
    ),
    "the exception's own name afterwards": (
        TEXTS,
        "e = 1\ntry:\n    n = int(x)\nexcept ValueError as e:\n    n = 0\nreturn n + e",
        "was deleted after its `except`",
    ),
    "a class that is not known": (
        TEXTS,
        "try:\n    return int(x)\nexcept UnicodeError:\n    return 0\nexcept OverflowError:\n    return 1",
        "this exception is not supported",
    ),
    "a return in finally": (
        TEXTS,
        "try:\n    return int(x)\nfinally:\n    return 0",
        "`return`, `break` and `continue` in `finally` are not supported",
    ),
    "finally in a try": (
        TEXTS,
        "try:\n    try:\n        n = int(x)\n    finally:\n        n = 1\nexcept ValueError:\n    return 0\nreturn n",
        "`finally` in the body of a `try` is not supported",
    ),
    "an iterator that may be left before it raises": (
        PAIRS,
        "try:\n    return any(1 // y > 0 for y in x)\nexcept ZeroDivisionError:\n    return False",
        "an iterator that may raise an exception is not followed here",
    ),
    "a list that an iterator has extended when it raises": (
        PAIRS,
        "out = []\ntry:\n    out.extend(1 // y for y in x)\nexcept ZeroDivisionError:\n    pass\nreturn out",
        "an iterator that may raise an exception is not followed here",
    ),
    "a text that may be split by no text": (
        TEXTS,
        "try:\n    return x.split(x[:1])[0]\nexcept IndexError:\n    return 'i'\nexcept ValueError:\n    return 'v'",
        "which exceptions this raises is not known here",
    ),
    "days that there are not": (
        "r: RDD[int]",
        "from datetime import date\ntry:\n    return date.fromordinal(x)\nexcept ValueError:\n    return None",
        "days that there are not are not followed in a `try`",
    ),
}


@pytest.fixture
def no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions on elements are evaluated, or refused."""

    def refused(self: object, function: object, text: object, place: object, *_: object) -> None:
        raise place.error("a text")  # type: ignore[attr-defined]

    monkeypatch.setattr(StoreReader, "by_text", refused)


def program(folder: Path, parameters: str, body: str) -> str:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    method = "flatMap" if ("[]" in body and "return [" in body) or "return out\n" in f"{body}\n" else "map"
    path = folder / "jobs.py"
    path.write_text(f"{START}def p({parameters}):\n    def f(x):\n{lines}    return r.{method}(f)\n")
    return f"{path}:p"


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.usefixtures("no_names")
def test_what_is_read_is_what_the_interpreter_computes(tmp_path: Path, name: str) -> None:
    assert tried(read_on_store(program(tmp_path, *ACCEPTED[name]))).compared > 5


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("no_names")
def test_what_is_not_followed_is_refused(tmp_path: Path, name: str) -> None:
    parameters, body, message = REFUSED[name]
    with pytest.raises(SourceError) as refused:
        evaluated(found_at(program(tmp_path, parameters, body)))
    assert refused.value.message.endswith(message)


LOOPS = {
    "a constant, or broken": "for x in g:\n    if x > 1:\n        return 5\n    if x < -1:\n        break\nreturn 1",
    "what depends on the state": "n = 0\nfor x in g:\n    n += 1\n    if n > 2:\n        return n + 1\nreturn 0",
    "None": (
        "for x in g:\n    if x > 1:\n        return None\n    if x < -1:\n        break\nelse:\n    return 2\nreturn 1"
    ),
    "sums at keys": "d = {}\nfor x in g:\n    d[x % 3] = d.get(x % 3, 0) + x\nreturn max(d.values())",
    "the largest at each key": (
        "d = {}\nfor x in g:\n    k = x % 3\n    if k not in d or x > d[k]:\n        d[k] = x\nreturn sum(d.values())"
    ),
}


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.usefixtures("no_names")
def test_loops_over_groups_are_what_the_interpreter_computes(tmp_path: Path, name: str) -> None:
    lines = "".join(f"        {line}\n" for line in LOOPS[name].splitlines())
    path = tmp_path / "jobs.py"
    path.write_text(f"{START}def p({PAIRS}):\n    def f(g):\n{lines}    return r.groupByKey().mapValues(f)\n")
    assert tried(read_on_store(f"{path}:p")).compared > 5


DRIVER = {
    "the second": "xs = sorted(r.collect())\n    return xs[1] if len(xs) > 1 else 0",
    "the median": "xs = sorted(r.map(lambda x: x * 2).collect())\n    return xs[len(xs) // 2] if xs else 0",
}


@pytest.mark.parametrize("name", DRIVER)
def test_code_at_the_driver_has_a_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(f"{START}def p(r: RDD[int]):\n    {DRIVER[name]}\n")
    assert tried(read_on_store(f"{path}:p")).compared > 5


@pytest.mark.parametrize("name", ["", "g = lambda: ", "def g():\n        return "])
def test_what_an_action_raises_is_caught_where_it_is_called(tmp_path: Path, name: str) -> None:
    path, action = tmp_path / "jobs.py", "r.map(lambda x: 1 // x).sum()"
    before, called = (f"{name}{action}\n    ", "g()") if name else ("", action)
    body = f"{before}try:\n        n = {called}\n    except Exception:\n        return -1\n    return n % 7"
    path.write_text(f"{START}def p(r: RDD[int]):\n    {body}\n")
    with pytest.raises(SourceError):
        read_on_store(f"{path}:p")


def test_what_the_rest_binds_no_function_before_it_sees(tmp_path: Path) -> None:
    """Spark runs the function when the elements are collected, and it sees what `k` is then."""
    path = tmp_path / "jobs.py"
    body = "k = 1\n    s = r.map(lambda x: x + k)\n    k = 2\n    return s.sum() + k"
    path.write_text(f"{START}def p(r: RDD[int]):\n    {body}\n")
    with pytest.raises(SourceError, match="has changed since"):
        read_on_store(f"{path}:p")


def test_a_function_inside_of_others_sees_what_their_texts_fix() -> None:
    high = 5

    def helper(x, y=2):
        return x + y + high

    def thrice(x):
        return helper(x, 3)

    def one(r):
        return r.map(lambda x: helper(x)).map(thrice)

    def two(r):
        return r.map(lambda x: x + 15)

    assert read_on_store(one, "r: RDD[int]").function_name == "one"
    assert check(one, two, types="r: RDD[int]").verdict.value == "equivalent"


INDEXED = """
    try:
        parts = [each.strip() for each in line.split(",")]
        return int(parts[3])
    except IndexError:
        return {}
    except ValueError:
        return -2
"""


@pytest.mark.parametrize("read", [read_text, read_on_store])
def test_an_item_that_is_not_there_is_caught_before_what_is_made_of_it(tmp_path: Path, read: Any) -> None:
    path = tmp_path / "jobs.py"
    functions = "".join(
        f"def {name}_of(line):{INDEXED.format(value)}\n\ndef {name}(r: RDD[str]):\n    return r.map({name}_of)\n\n"
        for name, value in (("one", -1), ("other", -7))
    )
    path.write_text(START + functions)
    one, other = (read(f"{path}:{name}") for name in ("one", "other"))
    assert tried(one).compared > 20
    assert one.program.expression is not other.program.expression
    assert check(f"{path}:one", f"{path}:other").verdict.value == "inequivalent"


IN_TURN = {
    "both fail": "try:\n    return [1 // y for y in (int(z) for z in (str(x[1]), x[0]))][0]",
    "the key of the largest": "try:\n    return max(map(int, (str(x[1]), x[0])), key=lambda v: 1 // v)",
    "a list that is extended": (
        "out = []\ntry:\n    out.extend(int(y) for y in (str(x[1]), x[0]))\n    return len(out) // x[1]"
    ),
}
CAUGHT = "except ValueError:\n    return 7\nexcept ZeroDivisionError:\n    return 8"


@pytest.mark.parametrize("name", IN_TURN)
def test_items_of_an_iterator_are_asked_for_in_turn(tmp_path: Path, name: str) -> None:
    end = CAUGHT.replace("return 7", "return len(out)") if "out" in IN_TURN[name] else CAUGHT
    made = read_text(program(tmp_path, "r: RDD[tuple[str, int]]", f"{IN_TURN[name]}\n{end}"))
    assert tried(made).compared > 5
