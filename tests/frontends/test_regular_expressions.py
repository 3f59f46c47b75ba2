"""Patterns of `re`, sets and Counters of the lists that `split` makes: each means what Python computes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.core.functions import FunctionError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

TEXTS = ["a b a", "", "GET /x 200", "get /y 404 ", "k=1;v=2", "2024-05-17", "a,b;c", "Σ ΑΣ ", "-", "12-", "ab\n"]
PREAMBLE = """
import re
from collections import Counter
from re import compile as compiled, IGNORECASE
LINE = re.compile(r"^(\\S+) (/\\w+) (\\d{3})( )?")
WORD = compiled("[a-z]+", IGNORECASE)
def parsed(line):
    m = LINE.match(line)
    if not m:
        return None
    return m.group(1).lower(), m[2], int(m.group(3)), m.group(4)
def status(line):
    try:
        return int(LINE.match(line).group(3))
    except (AttributeError, ValueError):
        return -1
def key(line):
    try:
        m = re.search(r"(?P<k>\\w+)=(?P<v>\\w*)", line)
        return m.group("k"), m["v"]
    except AttributeError:
        return "", ""
def fields(line):
    if (m := re.fullmatch(r"(\\d+)-(\\d+)?.*", line)) is not None:
        a, b = m.groups()
        return a, b or "?"
    return "", ""
def found(line):
    try:
        return re.findall("[a-z]", "ABC" + line)[0]
    except IndexError:
        return "none"
def first(line):
    try:
        return re.findall(line[:0] + "x", "ABC")[0] if line else WORD.findall("123")[0]
    except IndexError:
        return "none"
def never(line):
    try:
        return re.findall("x", "abc")[0]
    except IndexError:
        return line
def digits_after(line):
    if not re.match(r"\\d", line):
        return
    for digit in re.findall(r"\\d", re.match(r"(\\d+)-", line + "-").group(1)):
        yield digit, len(line)
def of_table(line):
    for part in re.split(",", {"k=1;v=2": "a,b", "-": "c"}[line]):
        yield len(part)
def of_missing(line):
    try:
        text = line.split(" ")[1]
    except IndexError:
        return
    for part in re.split("0", text):
        yield part
def counted(line):
    for word, n in Counter(line.split()).items():
        if n > 1:
            yield word, n
"""
ELEMENT_WISE = (
    "s.map(parsed)",
    "s.map(parsed).filter(lambda r: r is not None).map(lambda r: (r[0], r[2]))",
    "s.map(status)",
    "s.map(found)",
    "s.map(never)",
    "s.map(key)",
    "s.map(fields)",
    "s.flatMap(counted)",
    "s.flatMap(digits_after)",
    "s.flatMap(of_missing)",
    "s.filter(lambda t: len(t) == 1 or ';v' in t).flatMap(of_table)",
    "s.filter(re.compile('(?i)^G', re.M).match)",
    "s.map(lambda t: LINE.search(t)).filter(lambda m: m is not None).map(lambda m: m.group(2))",
    "s.map(LINE.match).filter(lambda m: m).map(lambda m: m.group(2, 1))",
    "s.filter(lambda t: re.match('[a-z]', t)).map(len)",
    "s.filter(re.compile('^$').match)",
    "s.map(lambda t: bool(re.search('^B', t, re.I | re.M)))",
    "s.map(lambda t: re.sub(r'[^a-z]+', '-', t.lower()))",
    "s.map(lambda t: re.sub(r'(\\w)=', r'<\\1>', t))",
    "s.flatMap(lambda t: re.findall(r'\\w+', t))",
    "s.flatMap(lambda t: re.findall(r'(\\w)=', t))",
    "s.flatMap(WORD.findall).map(lambda w: (w, 1))",
    "s.flatMap(lambda t: [w.upper() for w in WORD.findall(t) if len(w) > 1])",
    "s.flatMap(lambda t: re.split(r'[,;]', t))",
    "s.map(lambda t: len(re.split('a', t)))",
    "s.map(lambda t: re.split('a', t)[0])",
    "s.map(lambda t: WORD.sub('', t).strip())",
    "s.flatMap(lambda t: set(t.split()))",
    "s.flatMap(lambda t: ((w, 1) for w in frozenset(t.split(','))))",
    "s.map(lambda t: (len(t.split()), len(set(t.split()))))",
    "s.flatMap(lambda t: Counter(t.split()).items())",
    "s.flatMap(lambda t: set(t.split())).distinct()",
    "s.flatMap(lambda t: [(w, len(t)) for w in set(t.split())]).groupByKey().mapValues(lambda g: len(set(g)))",
    "s.flatMap(lambda t: [(w, len(t)) for w in set(t.split())]).groupByKey().mapValues(lambda g: (len(g), sum(g)))",
    "s.flatMap(lambda t: set(t.split())).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)",
    "s.flatMap(lambda t: [(w, c) for w, c in Counter(t.split()).items()]).distinct()",
    "s.flatMap(lambda t: [(w, n) for w, n in Counter(t.split()).items() if n == 1])",
    "s.map(lambda t: (Counter(t.split())['a'], t.split().count('a'), Counter(t.split(' ')).get('b', 0)))",
    "s.map(lambda t: ('a' in t.split(), 'b' not in set(t.split(';'))))",
    "s.map(lambda t: len(Counter(t.split()).keys()))",
    "s.map(lambda t: t.lower().strip())",
    "s.map(lambda t: t.upper().rstrip().lstrip())",
    "s.map(lambda t: (t[:2] == 'GE', t[:1] == 'ab', 'a ' == t[:2], t[:3] != 'get'))",
    "s.map(lambda t: ((len(t) & 5) ^ 2) | 8)",
)


@pytest.mark.parametrize("body", ELEMENT_WISE)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[str]'): return {body}"
    function = load(text)
    assert same(run_by_terms(read(text), [TEXTS]), run_by_python(function, [TEXTS]))


@pytest.mark.parametrize("number", range(-70, 70, 3))
def test_bits_are_those_of_pythons_ints(number: int, read: Callable[..., SourceProgram]) -> None:
    text = "def p(r: 'RDD[int]'): return r.map(lambda x: (x & 6, x | 9, x ^ 21, 12 & x, x & 0, x >> 1, x << 2))"
    assert same(run_by_terms(read(text), [[number]]), run_by_python(load(text), [[number]]))


REFUSED = (
    ("s.map(lambda t: re.sub(t, '', t))", "must be constant"),
    ("s.map(lambda t: re.sub('a', t, t))", "must be a constant text"),
    ("s.map(lambda t: re.sub('a', lambda m: 'b', t))", "must be a constant text"),
    ("s.map(lambda t: re.sub('a', 'b', t, 1))", "`sub` takes"),
    ("s.map(lambda t: re.sub('a', 'b', t, count=1))", "takes no keyword `count`"),
    ("s.map(lambda t: re.sub('a', r'\\2', t))", "no replacement that is read"),
    ("s.map(lambda t: re.match('(', t) is None)", "no regular expression that is read"),
    ("s.map(lambda t: re.match('a b', t, re.VERBOSE) is None)", "`VERBOSE`"),
    ("s.map(lambda t: re.match('a b', t, 64) is None)", "flags"),
    ("s.map(lambda t: str(re.I))", "a flag of regular expressions"),
    ("s.map(lambda t: re.I + 1)", "a flag of regular expressions"),
    ("s.map(lambda t: re.I == 2)", "a flag of regular expressions"),
    ("s.map(lambda t: f'{re.I}')", "a flag of regular expressions"),
    ("s.map(lambda t: (set(t.split()).add('a'), 1)[1])", "is not supported"),
    ("s.map(first)", "must be constant"),
    ("s.flatMap(lambda t: re.findall('(a)(b)', t))", "gives no list of texts"),
    ("s.flatMap(lambda t: re.split('(a)', t))", "gives no list of texts"),
    ("s.map(lambda t: re.match('a', t).group(1))", "no group of the pattern"),
    ("s.map(lambda t: re.match('a', t).start())", "`start` of a match"),
    ("s.flatMap(lambda t: re.finditer('a', t))", "`finditer`"),
    ("s.map(lambda t: re.match('a', t) == re.match('a', t))", "compares which object it is"),
    ("s.map(lambda t: (re.match('a', t), 1)).reduceByKey(lambda a, b: a + b)", "re.Match"),
    ("s.map(lambda t: re.match('a', t)).distinct().count()", "re.Match"),
    ("s.map(lambda t: re.match('a', t))", "object"),
    ("s.map(lambda t: list(set(t.split()))[0])", "no order that is fixed"),
    ("s.map(lambda t: max(t.split(), key=len))", "a list of unknown length"),
    ("s.map(lambda t: re.match('a', 1) is None)", "must be a str"),
    ("s.map(lambda t: re.match(b'a', t) is None)", "bytes"),
    ("s.map(lambda t: 1 in t.split())", "must be a str"),
)


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[str]'): return {body}")


def test_a_match_that_is_none_has_no_groups(read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[str]'): return s.map(lambda t: re.match('a', t).group())"
    with pytest.raises(FunctionError):
        run_by_terms(read(text), [["b"]])


def test_white_space_is_white_space_in_any_case() -> None:
    """Why `strip` may come before `lower`: of all characters, and beside sigma, which ends words as another."""
    for letter in map(chr, range(0x110000)):
        for changed in (letter.lower(), letter.upper(), letter.casefold(), letter.swapcase()):
            assert changed == letter if letter.isspace() else not (changed[:1].isspace() or changed[-1:].isspace())
        if letter.isspace():
            for word in ("ΑΣ", "Σ", "ΑΣΑ", "İ"):
                for text in (letter + word, word + letter, letter + word + letter):
                    assert text.lower().strip() == text.strip().lower()


def test_sets_and_lists_of_items_are_told_apart() -> None:
    def each(s):
        return s.flatMap(lambda t: t.split())

    def once(s):
        return s.flatMap(lambda t: set(t.split()))

    def counted(s):
        return s.flatMap(lambda t: [w for w in t.split() if t.split().count(w) > 0])

    assert check(each, once, types="s: RDD[str]", timeout=60).verdict.value == "inequivalent"
    assert check(each, counted, types="s: RDD[str]", timeout=60).verdict.value != "inequivalent"


def started(s):
    return s.filter(lambda t: re.match("[a-c]+", t) is not None).count()


def whole(s):
    return s.filter(lambda t: re.fullmatch("[a-c]+", t) is not None).count()


def anywhere(s):
    return s.filter(lambda t: re.search("[a-c]+", t)).count()


def otherwise(s):
    return s.map(lambda t: 1 if re.search("[a-c]+", t) else 0).sum()


def test_ways_to_match_are_told_apart() -> None:
    for one, other in ((started, whole), (started, anywhere), (whole, anywhere)):
        assert check(one, other, types="s: RDD[str]", timeout=60).verdict.value == "inequivalent"
    assert check(anywhere, otherwise, types="s: RDD[str]", timeout=60).verdict.value == "equivalent"
