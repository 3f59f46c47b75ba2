"""Fixtures that write source files and read programs from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tallystick.frontends.pyspark import SourceError, SourceProgram, read_program
from tallystick.frontends.pyspark.python import reader
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError

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
def refusal(read: Callable[..., SourceProgram], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Like `read`, for source that is refused where it is not taken for pure code: returns the message."""

    def no_name(*_: object) -> None:
        raise NotPureError(None, "it is not asked whether this is pure code")

    def refused(text: str, **more: str) -> str:
        with monkeypatch.context() as patch:
            patch.setattr(reader, "applied", no_name)
            patch.setattr(reader, "applied_builtin", no_name)
            with pytest.raises(SourceError) as caught:
                read(text, **more)
        return str(caught.value)

    return refused
