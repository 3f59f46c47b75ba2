"""A verdict as a page of HTML that needs nothing else: the workflow, coloured by the answers."""

from __future__ import annotations

from html import escape

from tallystick.dataflow.showing.text import difference_lines, summary
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict

COLOURS = {
    Change.UNCHANGED: "#d5ead2",
    Change.CHANGED: "#f3c6c0",
    Change.UNKNOWN: "#f7e6b5",
    Change.ADDED: "#cfdff2",
    Change.REMOVED: "#e2e2e2",
}
BOX, GAP, ROW, ACROSS = 190, 60, 34, 46
"""Widths and heights in pixels: of a box, between columns of boxes, of a box, and from one box to the next below."""


def picture(verdict: DataflowVerdict) -> str:
    """The page. Wires stand to the right of all that they read; those that were edited have a thick frame."""
    layers = _layers(verdict.wires)
    column: dict[int, int] = {}
    places: dict[str, tuple[int, int]] = {}
    for wire in verdict.wires:
        layer = layers[wire.name]
        row = column.get(layer, 0)
        column[layer] = row + 1
        places[wire.name] = 20 + layer * (BOX + GAP), 20 + row * ACROSS
    wide = 40 + (max(column, default=0) + 1) * (BOX + GAP)
    high = 40 + max(column.values(), default=0) * ACROSS
    shapes = [_line(places[name], places[wire.name]) for wire in verdict.wires for name in wire.reads if name in places]
    shapes += [_box(wire, *places[wire.name]) for wire in verdict.wires]
    details = "".join(_details(verdict, wire) for wire in verdict.wires)
    ending = "<br>".join(map(escape, summary(verdict)))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Two versions of a workflow</title><style>'
        "body{font:14px sans-serif;margin:2em}pre{background:#f6f6f6;padding:.6em;overflow:auto}"
        "i{display:inline-block;width:1.6em;height:.9em;border:1px solid #999;border-radius:3px;margin-right:.5em}"
        "svg{max-width:100%;height:auto}</style></head><body>"
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" role="img">{"".join(shapes)}</svg>'
        f"<p>{_legend(verdict)}</p><p>{ending}</p>{details}</body></html>\n"
    )


MEANINGS = {
    Change.UNCHANGED: "the same rows, whatever the sources hold",
    Change.CHANGED: "other columns, or other rows on an input that is shown below",
    Change.UNKNOWN: "neither was found",
    Change.ADDED: "in the new version alone",
    Change.REMOVED: "in the old version alone",
}


def _legend(verdict: DataflowVerdict) -> str:
    """What the colours mean that the picture has, the thick frame, and the lines."""
    shown = {wire.change for wire in verdict.wires}
    lines = [
        f'<i style="background:{COLOURS[change]}"></i><b>{change}</b>: {MEANINGS[change]}'
        for change in Change
        if change in shown
    ]
    if any(wire.edited for wire in verdict.wires):
        lines.append('<i style="border:2.5px solid #333"></i>its own text was edited')
    lines.append("Lines lead from what is read to what reads it. Sources are not drawn.")
    return "<br>".join(lines)


def _layers(wires: tuple[WireVerdict, ...]) -> dict[str, int]:
    """How many wires there are, at most, from a source to each."""
    layers: dict[str, int] = {}
    for wire in wires:
        layers[wire.name] = max((layers[name] + 1 for name in wire.reads if name in layers), default=0)
    return layers


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y, z, w = start[0] + BOX, start[1] + ROW // 2, end[0], end[1] + ROW // 2
    return f'<path d="M{x} {y}C{x + GAP // 2} {y} {z - GAP // 2} {w} {z} {w}" stroke="#999" fill="none"/>'


def _box(wire: WireVerdict, x: int, y: int) -> str:
    shown = wire.name if len(wire.name) <= 24 else f"{wire.name[:23]}…"
    frame = 'stroke="#333" stroke-width="2.5"' if wire.edited else 'stroke="#999"'
    return (
        f'<a href="#{escape(wire.name, quote=True)}"><title>{escape(f"{wire.change}: {wire.reason}")}</title>'
        f'<rect x="{x}" y="{y}" width="{BOX}" height="{ROW}" rx="5" fill="{COLOURS[wire.change]}" {frame}/>'
        f'<text x="{x + 8}" y="{y + 22}" font-size="13">{escape(shown)}</text></a>'
    )


def _details(verdict: DataflowVerdict, wire: WireVerdict) -> str:
    """What is to be said of a wire below the picture; nothing of those that nobody touched."""
    if wire.change is Change.UNCHANGED and not wire.edited:
        return f'<a id="{escape(wire.name, quote=True)}"></a>'
    name = f'<h3 id="{escape(wire.name, quote=True)}">{escape(wire.name)}: {wire.change}</h3>'
    said = f"<p>{escape(wire.reason)}</p>"
    if wire.difference is None:
        return name + said
    return f"{name}{said}<pre>{escape(chr(10).join(difference_lines(verdict, wire, wire.difference)))}</pre>"
