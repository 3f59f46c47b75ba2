"""What the pages say that commands print is what they print, sizes and numbers too."""

from __future__ import annotations

import pytest
from transcripts import PAGES, ROOT, SPARK_PAGES, printed, runs, says_so

pytestmark = pytest.mark.xdist_group("transcripts")  # a command that several pages show is run once
SPARK = (pytest.mark.spark, pytest.mark.slow)


@pytest.mark.parametrize("page", [*PAGES, *(pytest.param(each, marks=SPARK) for each in SPARK_PAGES)])
def test_the_commands_of_a_page_print_what_it_says(page: str) -> None:
    found = list(zip(runs(page), printed(page), strict=True))
    assert found
    for (command, shown), output in found:
        assert says_so(shown, output), f"$ {command}\n{output}"


def test_a_page_that_says_something_else_fails() -> None:
    assert says_so("in … s\n...", "in 0.25 s\nand\nmore")
    assert not says_so("in … s", "in 0.25 s\nmore")
    assert not says_so("certificate of 12 bytes", "certificate of 13 bytes")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130
