"""What the pages say that commands print is what they print, sizes and numbers too; links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from transcripts import PAGES, ROOT, printed, runs, says_so

LINKING = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md")]
    if "node_modules" not in path.parts
)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_print_what_it_says(page: str) -> None:
    found = list(zip(runs(page), printed(page), strict=True))
    assert found
    for (command, shown), output in found:
        assert says_so(shown, output), f"$ tallystick {command}\n{output}"


def test_a_page_that_says_something_else_fails() -> None:
    assert says_so("in … s\n...", "in 0.25 s\nand\nmore")
    assert not says_so("in … s", "in 0.25 s\nmore")
    assert not says_so("certificate of 12 bytes", "certificate of 13 bytes")


@pytest.mark.parametrize("path", LINKING, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_links_of_a_page_lead_to_files(path: Path) -> None:
    text = re.sub(r"^    .*$|^```(?s:.*?)^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert link.startswith("http") or (path.parent / link).exists(), link


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 130
