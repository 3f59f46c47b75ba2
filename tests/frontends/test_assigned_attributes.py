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
