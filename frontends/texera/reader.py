"""Workflows of Texera as versions: what its operators mean, in operators of ours."""

from __future__ import annotations

from pathlib import Path

from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.texera.content import Box, load_content
from tallystick.frontends.texera.operators import SINKS, SOURCES, digest, translated
from tallystick.frontends.workflows.meanings import Meanings
from tallystick.frontends.workflows.operators import Operator
from tallystick.frontends.workflows.version import Version


def read_texera(path: Path, sources: Schema, dialect: Dialect, exact_floats: bool = False) -> Version:
    """The version in a file that Texera has exported.

    Args:
        sources: a table for each file that is scanned, called like the file without its ending.

    Raises SourceError for what is no workflow, or scans what the schema does not have.
    """
    reading = _Texera(sources, dialect, str(path), exact_floats)
    boxes = load_content(path)
    for box in boxes:
        reading.add(box)
    reading.add_results(boxes)
    return reading.meanings.version()


class _Texera:
    def __init__(self, sources: Schema, dialect: Dialect, path: str, exact_floats: bool) -> None:
        self.meanings = Meanings(sources, dialect, path, exact_floats)
        self.tables = {table.name for table in sources.catalogue.tables}
        self.path = path
        self.outputs: set[str] = set()  # wires of further outputs

    def add(self, box: Box) -> None:
        """Adds the wires of an operator."""
        if box.type in SOURCES:
            self.source(box)
            return
        inputs = [self.port(box, number) for number in range(len(box.ports))]
        if not inputs:
            self.unknown(box, (), f"nothing is known of what a {box.type} reads")
            return
        if box.type in SINKS:
            self.meanings.add(Operator(box.name, "sink", (inputs[0],)))
            return
        tables = [self.meanings.table(name) for name in inputs]
        try:
            made = translated(box, inputs, tables)
        except SourceError as problem:
            self.unknown(box, tuple(inputs), str(problem))
            return
        for operator in made:
            self.meanings.add(operator)

    def add_results(self, boxes: list[Box]) -> None:
        """Adds a wire for the rows of each operator that no other reads, which Texera shows. So they are compared,
        whatever operator is the last one."""
        read = {of for box in boxes for port in box.ports for of, _ in port}
        last = [box for box in boxes if box.name not in read and box.type not in SINKS]
        for box in last:
            name = "result" if len(last) == 1 else f"result of {box.name}"
            self.meanings.add(Operator(name, "sink", (box.name,)))

    def source(self, box: Box) -> None:
        """A scan of a file: the table of its name. One that reads some rows alone is a function of these."""
        said = box.properties
        name = Path(str(said.get("fileName") or said.get("table") or "")).stem
        if name not in self.tables:
            hint = "declare a table of that name, with the columns of the file, with --schema"
            raise SourceError(
                f"{box.name} reads {name or 'a file without a name'}, which is no table", self.path, hint=hint
            )
        if said.get("limit") or said.get("offset"):
            self.unknown(box, (name,), "it reads a part of the file")
        else:
            self.meanings.add(Operator(box.name, "replicate", (name,)))

    def port(self, box: Box, number: int) -> str:
        """What is read at an input port: an operator, or the rows of all that are linked to it."""
        linked = box.ports[number]
        if not linked:
            raise SourceError(f"nothing is linked to input {number} of {box.name}", self.path)
        names = [self.output(of, output) for of, output in linked]
        if len(names) == 1:
            return names[0]
        name = f"{box.name}: input {number}"
        self.meanings.add(Operator(name, "union", tuple(names)))
        return name

    def output(self, name: str, output: int) -> str:
        """An output port of an operator. Only the first has a meaning: what leaves by another is not known."""
        if output == 0:
            return name
        port = f"{name}: output {output}"
        if port not in self.outputs:
            self.outputs.add(port)
            note = "nothing is known of what leaves by a further output"
            self.meanings.unknown(port, f"Texera's output {output}", (name,), note)
        return port

    def unknown(self, box: Box, inputs: tuple[str, ...], note: str) -> None:
        """An operator of which nothing is known but its properties, and that it hangs on the rows that it reads.

        Rows come in no certain order, so that it need not repeat what it does: it is equal only to itself, on equal
        inputs.
        """
        self.meanings.unknown(box.name, f"Texera's {box.type} {digest(box.properties)}", inputs, note)
