"""What the program uses of a class, an object or a module has one value: other code that may set it is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

TEXT = """
class Job:
    LIMIT = 3
    def __init__(self, n=5):
        self.n = n
    def large(self, r):
        return r.filter(lambda x: x > self.LIMIT + self.n)

{extra}

def p(r: "RDD[int]"):
{before}    return Job().large(r)
"""
OUTSIDE = {
    "an attribute of a class": ('setattr(Job, "LIMIT", 9)', "`LIMIT`"),
    "by the method of object": ('object.__setattr__(Job, "LIMIT", 9)', "`LIMIT`"),
    "by the method of a class": ('Job.__setattr__("LIMIT", 9)', "`LIMIT`"),
    "deleted": ('delattr(Job, "LIMIT")', "`LIMIT`"),
    "a name that is computed": ('for name in ("LIMIT",):\n    setattr(Job, name, 9)', "an attribute"),
    "in a function": ('def other(job):\n    setattr(job, "n", 3)', "`n`"),
    "by an assignment": ("Job.LIMIT = 9", "`LIMIT`"),
}
INSIDE = {
    "in the program": ('    job = Job()\n    setattr(job, "n", 7)\n', "the builtin `setattr` is not supported"),
    "where a value is printed": ('    print(setattr(Job, "LIMIT", 7))\n', "the builtin `setattr` is not supported"),
    "in an assertion": ('    assert setattr(Job, "LIMIT", 7) is None\n', "the builtin `setattr` is not supported"),
    "by the dictionary of an object": (
        '    Job().__dict__["n"] = 7\n',
        "only names and tuples of names can be assigned",
    ),
    "by vars": ("    vars(Job()).update(n=7)\n", "the builtin `vars` is not supported"),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_code_outside_that_may_set_an_attribute_is_refused(name: str, refusal: Callable[..., str]) -> None:
    extra, what = OUTSIDE[name]
    assert f"this may give {what}, which the program uses, another value" in refusal(
        TEXT.format(extra=extra, before="")
    )


@pytest.mark.parametrize("name", INSIDE)
def test_code_of_the_program_that_sets_an_attribute_is_refused(name: str, refusal: Callable[..., str]) -> None:
    before, message = INSIDE[name]
    assert message in refusal(TEXT.format(extra="", before=before))


@pytest.mark.parametrize("extra", ["", "class Other:\n    pass\n\nsetattr(Other, 'size', 3)", "setattr = print"])
def test_what_is_set_of_others_does_not_matter(extra: str, read: Callable[..., SourceProgram]) -> None:
    assert read(TEXT.format(extra=extra, before="")).program.name == "p"


OF_LIBRARIES = {
    "a function of a module": ("import operator", "operator.add = operator.mul"),
    "by setattr": ("import operator", 'setattr(operator, "add", operator.mul)'),
    "by the method of a module": ("import operator as o", 'o.__setattr__("add", o.mul)'),
    "by vars": ("import operator", 'vars(operator)["add"] = operator.mul'),
    "by the dictionary of a module": ("import operator", 'operator.__dict__["add"] = operator.mul'),
    "a builtin": ("import builtins", "builtins.abs = lambda x: x"),
    "a builtin by the name that Python gives": ("", "__builtins__.abs = lambda x: x"),
    "a class of Spark": ("from pyspark import RDD", "RDD.map = RDD.filter"),
    "a function of a module in a module": ("import pyspark.rdd", "pyspark.rdd.RDD.map = None"),
    "a name that is deleted": ("import functools", "del functools.reduce"),
}


@pytest.mark.parametrize("name", OF_LIBRARIES)
def test_code_that_changes_a_library_is_refused(name: str, refusal: Callable[..., str]) -> None:
    before, extra = OF_LIBRARIES[name]
    assert "this changes a module or a class of Python or Spark" in refusal(
        TEXT.format(extra=f"{before}\n{extra}", before="")
    )


def test_names_of_builtins_that_code_may_change_are_refused(refusal: Callable[..., str]) -> None:
    assert "this gives every name of a module" in refusal(TEXT.format(extra="__builtins__.update(abs=min)", before=""))


REFLECTION = {
    "a dictionary of names": 'import sys as s\ns.modules[__name__].__dict__["LIMIT"] = 2',
    "of sys, by its own name": "from sys import modules\nmodules[__name__].LIMIT = 2",
    "of an imported sys": '__import__("sys").modules[__name__].__dict__["LIMIT"] = 2',
    "names of a function's file": '(lambda: 0).__globals__["LIMIT"] = 2',
    "these by getattr": 'getattr(lambda: 0, "__globals__")["LIMIT"] = 2',
    "these by attrgetter": 'import operator\noperator.attrgetter("f.__globals__")(Job)["LIMIT"] = 2',
    "names of a frame": 'import sys\nsys._getframe().f_globals["LIMIT"] = 2',
    "names of a frame, by inspect": 'import inspect\ninspect.currentframe().f_globals["LIMIT"] = 2',
    "exec by getattr": 'import builtins\ngetattr(builtins, "exec")("LIMIT = 2")',
    "exec of builtins": 'import builtins as b\nb.exec("LIMIT = 2")',
    "exec by another name": 'from builtins import exec as run\nrun("LIMIT = 2")',
    "globals by another name": 'from builtins import globals as names\nnames()["LIMIT"] = 2',
}


@pytest.mark.parametrize("name", REFLECTION)
def test_names_of_modules_that_code_reaches_by_other_ways_are_refused(name: str, refusal: Callable[..., str]) -> None:
    assert "this gives every name of a module" in refusal(TEXT.format(extra=REFLECTION[name], before=""))


HANDED_ON = {
    "a module by another name": ("import math\nm = math\nm.floor = None", "hands a module of Python or Spark on"),
    "a module as an argument": ("import math\ndef set(m):\n    m.floor = None\nset(math)", "hands a module"),
    "a module in a tuple": ("import math\nfor m in (math,):\n    m.floor = None", "hands a module"),
    "setattr by another name": ('s = setattr\ns(Job, "LIMIT", 2)', "hands on what assigns to attributes"),
    "setattr as an argument": ("from functools import partial\npartial(setattr, Job)('LIMIT', 2)", "hands on what"),
    "a method of object": ("s = object.__setattr__\ns(Job, 'LIMIT', 2)", "hands on what assigns"),
    "mock": ("from unittest import mock\nmock.patch('math.floor', None).start()", "by texts that name them"),
    "patch": ("from unittest.mock import patch\npatch('math.floor', None).start()", "by texts that name them"),
    "the value of a member": ("def change(member):\n    member._value_ = 9", "this may give `_value_`"),
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_what_is_handed_on_to_be_changed_is_refused(name: str, refusal: Callable[..., str]) -> None:
    extra, message = HANDED_ON[name]
    assert message in refusal(TEXT.format(extra=extra, before=""))


NOT_CHANGED = (
    "import math\nHALF = math.floor(0.5)",
    "import sys\nprint(sys.argv)",
    "import builtins\nTOTAL = builtins.sum((1, 2))",
    "name = getattr(Job(), 'n')",
    "from enum import Enum\nclass E(Enum):\n    A = 1\n    def __new__(cls, v):\n        member = object.__new__(cls)\n"
    "        member._value_ = v\n        return member",
)


@pytest.mark.parametrize("extra", NOT_CHANGED)
def test_code_that_only_asks_modules_and_objects_does_not_matter(
    extra: str, read: Callable[..., SourceProgram]
) -> None:
    assert read(TEXT.format(extra=extra, before="")).program.name == "p"


USES = """
import {imported}
import helpers
def p(r: "RDD[int]"):
    return r.filter(lambda x: x > helpers.LIMIT)
"""


def test_files_that_run_and_change_a_file_in_use_are_refused(refusal: Callable[..., str]) -> None:
    """Even if nothing else of them is used, and other files import them."""
    files = {"helpers": "LIMIT = 3\n", "patches": "import helpers\nhelpers.LIMIT = 9\n", "more": "import patches\n"}
    for imported in ("patches", "more"):
        message = refusal(USES.format(imported=imported), **files)
        assert "patches.py:2:1: this may give `LIMIT`, which the program uses, another value" in message


def test_files_that_run_and_change_a_library_are_refused(refusal: Callable[..., str]) -> None:
    files = {"helpers": "LIMIT = 3\n", "patches": "import builtins\nbuiltins.abs = None\n"}
    message = refusal(USES.format(imported="patches"), **files)
    assert message.startswith("patches.py:2:1: this changes a module or a class of Python or Spark")


def test_files_that_run_and_change_others_do_not_matter(read: Callable[..., SourceProgram]) -> None:
    files = {"helpers": "LIMIT = 3\n", "others": "LIMIT = 1\n", "patches": "import others\nothers.LIMIT = 9\n"}
    assert read(USES.format(imported="patches"), **files).program.name == "p"
    assert read(USES.format(imported="broken"), broken="this is no Python", helpers="LIMIT = 3\n").program.name == "p"
