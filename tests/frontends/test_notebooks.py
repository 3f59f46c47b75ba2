"""Notebooks: their code cells are read as one text, and places are those of cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tallystick.core.pretty import program_text
from tallystick.frontends.pyspark import SourceError, programs_in
from tallystick.frontends.rdd import read_program

IMPORT = "from pyspark import RDD\n"
DOUBLED = "def doubled(r: RDD[int]):\n    return r.map(lambda x: factor * x)\n"


def notebook(folder: Path, *cells: Any, kind: str = "code") -> str:
    """The path of a notebook with these cells."""
    path = folder / "note.ipynb"
    content = {"cells": [{"cell_type": kind, "source": cell} for cell in cells], "nbformat": 4}
    path.write_text(json.dumps(content))
    return str(path)


def test_a_function_uses_what_other_cells_bind(tmp_path: Path) -> None:
    path = notebook(tmp_path, IMPORT, ["factor = 2\n"], DOUBLED.splitlines(keepends=True))
    assert program_text(read_program(f"{path}:doubled").program) == "doubled(r: Bag[Int]) = map(λx. 2*x)(r)"
    assert programs_in(path) == [f"{path}:doubled"]


def test_lines_that_bind_nothing_are_left_out_and_time_is_python(tmp_path: Path) -> None:
    path = notebook(
        tmp_path,
        "%matplotlib inline\n!pip list\nRDD?\n" + IMPORT,
        "%%bash\nrm -r nothing",
        "%%time\nfactor = 2",
        "%time other = 3\n" + DOUBLED,
    )
    assert program_text(read_program(f"{path}:doubled").program) == "doubled(r: Bag[Int]) = map(λx. 2*x)(r)"


def test_a_name_that_two_cells_bind_has_no_fixed_value(tmp_path: Path) -> None:
    path = notebook(tmp_path, IMPORT, "factor = 2", "%time factor = 3", DOUBLED)
    with pytest.raises(SourceError, match="`factor` is bound more than once"):
        read_program(f"{path}:doubled")


def test_places_name_the_cell_and_the_line_in_it(tmp_path: Path) -> None:
    path = notebook(tmp_path, IMPORT, "x = 1\n", "def f(r: RDD[int]):\n    return r.sample(False, 0.5)\n")
    with pytest.raises(SourceError) as refused:
        read_program(f"{path}:f")
    assert str(refused.value).splitlines()[:2] == [
        f"{path}[3]:2:14: the RDD method `sample` is not supported",
        "    return r.sample(False, 0.5)",
    ]
    path = notebook(tmp_path, IMPORT, "def f(:\n    pass")
    with pytest.raises(SourceError) as refused:
        read_program(f"{path}:f")
    assert str(refused.value).startswith(f"{path}[2]:1:7: syntax error: ")


BAD = {
    "no JSON": ("{", "the file is not a notebook: Expecting property name"),
    "no cells": ("[]", "the file is not a notebook: it has no cells"),
    "cells that are no list": ('{"cells": 3}', "the file is not a notebook: it has no cells"),
    "a cell without text": (
        '{"cells": [{"cell_type": "code", "source": [1]}]}',
        "the file is not a notebook: a code cell has no text",
    ),
    "too deep": ("[" * 100_000, "the file is not a notebook: it is nested too deeply"),
    "a magic that may bind names": (
        '{"cells": [{"cell_type": "code", "source": "%run other.py"}]}',
        "the file is not a notebook: the magic `%run` is not supported",
    ),
    "a cell magic that may bind names": (
        '{"cells": [{"cell_type": "code", "source": "%%capture factor\\nx = 1"}]}',
        "the file is not a notebook: the cell magic `%%capture` is not supported",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_notebook_is_refused(name: str, tmp_path: Path) -> None:
    content, message = BAD[name]
    path = tmp_path / "note.ipynb"
    path.write_text(content)
    with pytest.raises(SourceError) as refused:
        read_program(f"{path}:f")
    assert str(refused.value).startswith(f"{path}: {message}")
