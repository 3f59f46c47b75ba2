"""What uses a match in a `try` where there may be none: Python raises, whether or not the pattern matches no text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

TEXTS = ["", "a", "b", "-", "-a", "ab", "ba", "aab", "12", "-b"]
PATTERNS = ("(a*)(b*)$", "(-)?(a{0,2}?)$", "-(a*)(b)?$", "()()")
USES = (
    "t = re.match(P, s).group(1)",
    "t = re.match(P, s)[2]",
    "t = m.group(2) if s != 'ab' else '!'",
    "t = (m if s else None).group()",
    "t, _ = m.groups()",
    "t = m.group(1); t = m[2]",
    "t = 'none' if m is None else m[1]",
    "g = m.group; t = g(2)",
    "t = text_of(m)",
    "t = text_of(re.search(P, s + '-'))",
)
PREAMBLE = """
import re
P = re.compile({pattern!r})
def text_of(m):
    return m.group(1)
def of(s):
    m = P.match(s)
    try:
        {use}
    except {kinds}:
        t = 'raised'
    return t
def p(r: 'RDD[str]'):
    return r.map(of)
"""


@pytest.mark.parametrize(("pattern", "use"), [*product(PATTERNS, USES)])
def test_it_raises_where_there_is_none(pattern: str, use: str, read: Callable[..., SourceProgram]) -> None:
    text = PREAMBLE.format(pattern=pattern, use=use, kinds="(AttributeError, TypeError)")
    assert same(run_by_terms(read(text), [TEXTS]), run_by_python(load(text), [TEXTS]))


@pytest.mark.parametrize(
    ("use", "kinds", "missing"),
    [("t = m[1]", "AttributeError", "TypeError"), ("t = m.group(1)", "TypeError", "AttributeError")],
)
def test_what_none_raises_must_be_caught(use: str, kinds: str, missing: str, refusal: Callable[..., str]) -> None:
    text = PREAMBLE.format(pattern=PATTERNS[0], use=use, kinds=kinds)
    assert f"the code in this `try` may raise {missing} too" in refusal(text)
