"""Fixtures that write source files and read programs from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tallystick.frontends.pyspark import SourceError, SourceProgram, read_program

Files = dict[str, str]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., SourceProgram]:
    """Writes jobs.py (and other files), then reads its function p."""
    monkeypatch.chdir(tmp_path)

    def reading(text: str, name: str = "p", types: str | None = None, **files: str) -> SourceProgram:
        for stem, content in {"jobs": text, **files}.items():
            (tmp_path / f"{stem}.py").write_text(dedent(content).lstrip("\n"))
        return read_program(f"jobs.py:{name}", types)

    return reading


@pytest.fixture
def refusal(read: Callable[..., SourceProgram]) -> Callable[..., str]:
    """Like `read`, for source that is refused: returns the message."""

    def refused(text: str, **more: str) -> str:
        with pytest.raises(SourceError) as caught:
            read(text, **more)
        return str(caught.value)

    return refused
