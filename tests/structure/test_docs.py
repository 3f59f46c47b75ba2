"""The documentation holds together: links lead somewhere, the index is complete, the reference is that of the code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    if (ROOT / name).exists()
)
_CODE = re.compile(r"^```(?s:.*?)^```$|^    .*$|`[^`\n]*`", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(text: str) -> list[str]:
    """Where the links of a page lead, those in code left out."""
    return _LINK.findall(_CODE.sub("", text))


def anchors(text: str) -> set[str]:
    """The places in a page that links name: its headings, as they are addressed."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```(?s:.*?)^```$", "", text, flags=re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in links(text):
        path, _, place = unquote(link).partition("#")
        to = page.parent / path if path else page
        if not to.exists() or (place and to.suffix == ".md" and place not in anchors(to.read_text(encoding="utf-8"))):
            found.append(link)
    return found


def test_all_links_of_all_pages_lead_somewhere() -> None:
    assert len(PAGES) > 70
    found = {str(page.relative_to(ROOT)): broken(page, page.read_text(encoding="utf-8")) for page in PAGES}
    assert {name: those for name, those in found.items() if those} == {}


def test_a_link_that_leads_nowhere_is_found() -> None:
    page = ROOT / "README.md"
    assert broken(page, "[a](docs/sql.md) [b](docs/none.md) `[c](none)`") == ["docs/none.md"]
    assert broken(page, "[a](GLOSSARY.md#no-such-heading) [b](#no)") == ["GLOSSARY.md#no-such-heading", "#no"]


def test_the_index_has_all_pages_of_the_documentation() -> None:
    index = DOCS / "index.md"
    linked = {(DOCS / link).resolve() for link in links(index.read_text(encoding="utf-8"))}
    assert set(DOCS.rglob("*.md")) - {index} <= linked


def test_the_reference_is_that_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    from generate import FOLDER, files

    made = files()
    assert {each.name for each in FOLDER.iterdir()} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "python docs/generate.py makes it anew"
