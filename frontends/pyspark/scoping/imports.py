"""Where imports find files, and which files run when the files of a program are imported."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.scoping.source import SourceFile, load


class Finder:
    """Finds the files of modules, and remembers what it found."""

    def __init__(self) -> None:
        self._found: dict[tuple[Path, int, str], list[Path]] = {}
        self._roots: dict[Path, list[str]] = {}  # where the modules of a folder are looked for

    def files_of(self, name: str, level: int, folder: Path) -> list[Path]:
        """The files that an import in a folder may mean; `level` counts the dots before the name."""
        asked = folder, level, name
        if asked not in self._found:
            parts = [part for part in name.split(".") if part]
            candidates = map(_file_of, self._candidates(folder, level, parts))
            self._found[asked] = [file for file in candidates if file is not None]
        return self._found[asked]

    def _candidates(self, folder: Path, level: int, parts: list[str]) -> list[str]:
        """Where an import may find its module: beside the file, or below the folder that holds its package."""
        if level:
            for _ in range(level - 1):
                folder = folder.parent
            return [os.path.join(folder, *parts)]
        if folder not in self._roots:
            root = folder
            while os.path.isfile(root / "__init__.py") and root != root.parent:
                root = root.parent
            self._roots[folder] = [str(each) for each in dict.fromkeys((folder, root))]
        return [os.path.join(each, *parts) for each in self._roots[folder]]

    def run_with(self, sources: Iterable[SourceFile]) -> tuple[list[SourceFile], list[SourceFile]]:
        """Other files that run when files are imported: those that import one of these themselves, and the rest.

        What cannot be parsed, Python cannot import.
        """
        known = {source.file: source for source in sources}
        importers: list[SourceFile] = []
        others: list[SourceFile] = []
        seen, waiting = set(known), list(known.values())
        while waiting:
            source = waiting.pop()
            files = set(self._imported_by(source))
            if source.file not in known:
                (importers if files & known.keys() else others).append(source)
            for file in sorted(files - seen):
                seen.add(file)
                with suppress(SourceError):
                    waiting.append(load(file, shown_from(file, source)))
        return importers, others

    def _imported_by(self, source: SourceFile) -> Iterator[Path]:
        """The files that the imports of a file run, those of packages included."""
        for node in ast.walk(source.tree):
            match node:
                case ast.Import(names=names):
                    wanted, level = [each.name for each in names], 0
                case ast.ImportFrom(module=module, names=names, level=level):
                    wanted = [".".join(filter(None, (module, each.name))) for each in names]
                case _:
                    continue
            for name in wanted:
                parts = name.split(".")
                for end in range(0 if level else 1, len(parts) + 1):
                    yield from self.files_of(".".join(parts[:end]), level, source.folder)


def shown_from(file: Path, importer: SourceFile) -> str:
    """What messages call a file: its path, seen from where the user named the file that imports it."""
    if importer.name == str(importer.path):
        return str(importer.path.parent / os.path.relpath(file, importer.folder))
    return str(file)


def _file_of(module: str) -> Path | None:
    options = (os.path.join(module, "__init__.py"), f"{module}.py") if os.path.basename(module) else ()
    return next((Path(file) for file in options if os.path.isfile(file)), None)
