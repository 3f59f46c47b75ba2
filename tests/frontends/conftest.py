"""Fixtures that write source files and read programs from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tallystick.frontends.pyspark import SourceError, SourceProgram
from tallystick.frontends.pyspark.program import read_text
from tallystick.frontends.pyspark.python import reader
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError
from tallystick.validation import that_counts

Files = dict[str, str]


def write_files(folder: Path, files: Files) -> None:
    """Write Python files, by their names."""
    for stem, content in files.items():
        (folder / f"{stem}.py").write_text(dedent(content).lstrip("\n"))


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SourceProgram]:
    """Writes jobs.py (and other files), then reads its function p."""
    monkeypatch.chdir(tmp_path)

    def reading(text: str, name: str = "p", types: str | None = None, **files: str) -> SourceProgram:
        write_files(tmp_path, {"jobs": text, **files})
        return that_counts(f"jobs.py:{name}", types)

    return reading


@pytest.fixture
def refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Like `read`, for source that is refused as a text where it is not taken for pure code: returns the message."""

    def no_name(*_: object) -> None:
        raise NotPureError(None, "it is not asked whether this is pure code")

    def refused(text: str, types: str | None = None, **files: str) -> str:
        write_files(tmp_path, {"jobs": text, **files})
        monkeypatch.chdir(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(reader, "applied", no_name)
            patch.setattr(reader, "applied_builtin", no_name)
            with pytest.raises(SourceError) as caught:
                read_text("jobs.py:p", types)
        return str(caught.value)

    return refused
