"""A verdict as a page of HTML that needs nothing else: the workflow, coloured by the answers."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import Final

from tallystick.dataflow.showing.text import database_of, results_of, summary
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict
from tallystick.pages import SYMBOLS, html_table, page, verdict_line
from tallystick.queries.tables import table_cells
from tallystick.showing import COLOURS

BOX, GAP, ROW, ACROSS = 210, 50, 34, 44
"""Widths and heights in pixels: of a box, between columns of boxes, of a box, and from one box to the next below."""
MARGIN = 16
LONGEST = 25
"""Characters of a name that a box has room for."""
MEANINGS: Final = {
    Change.UNCHANGED: "the same rows, whatever the sources hold",
    Change.CHANGED: "other columns, or other rows on an input that is shown below",
    Change.UNKNOWN: "neither was found",
    Change.ADDED: "in the new version alone",
    Change.REMOVED: "in the old version alone",
}
STYLE: Final = """
body { max-width: 80rem; }
.flow { overflow: auto; max-height: 75vh; border: 1px solid var(--line); border-radius: 4px; }
svg { display: block; font: 13px "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; }
svg rect { stroke: var(--faint); } svg .edited rect { stroke: var(--ink); stroke-width: 3; }
svg path { stroke: var(--faint); fill: none; } svg path.lit { stroke: var(--link); stroke-width: 2.5; }
svg .dim { opacity: .25; }
svg text { pointer-events: none; paint-order: stroke; stroke-width: 4px; }
svg .green rect { fill: var(--green-fill); } svg text.green { fill: var(--green); stroke: var(--green-fill); }
svg .red rect { fill: var(--red-fill); } svg text.red { fill: var(--red); stroke: var(--red-fill); }
svg .yellow rect { fill: var(--yellow-fill); } svg text.yellow { fill: var(--yellow); stroke: var(--yellow-fill); }
svg .cyan rect { fill: var(--cyan-fill); } svg text.cyan { fill: var(--cyan); stroke: var(--cyan-fill); }
input[type=search] { font: inherit; width: 100%; max-width: 24rem; padding: .35rem .6rem; margin: .3rem 0 .6rem;
  color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; }
i { display: inline-block; min-width: 1.7em; text-align: center; font-style: normal; border-radius: 3px;
  margin-right: .5em; } i.edited { border: 3px solid var(--ink); height: 1em; }
section:target { outline: 2px solid var(--link); outline-offset: .4rem; }
"""
SCRIPT: Final = """
const boxes = [...document.querySelectorAll("svg a")], lines = [...document.querySelectorAll("svg path")];
document.querySelector("input").addEventListener("input", event => {
  const wanted = event.target.value.trim().toLowerCase();
  const isOther = each => !each.dataset.name.toLowerCase().includes(wanted);
  for (const each of document.querySelectorAll("svg [data-name]")) each.classList.toggle("dim", isOther(each));
  for (const each of document.querySelectorAll("section")) each.hidden = isOther(each);
});
for (const box of boxes) {
  const own = lines.filter(each => each.dataset.from === box.dataset.name || each.dataset.to === box.dataset.name);
  const light = on => () => own.forEach(each => each.classList.toggle("lit", on));
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]])
    box.addEventListener(event, light(on));
}
"""


def picture(verdict: DataflowVerdict) -> str:
    """The page. Wires stand to the right of all that they read; those that were edited have a thick frame.

    Lines are in front of boxes, and names in front of lines.

    A box leads to what is said of its wire: the witness, the proof, or the reason. Without scripts the page lacks the
    search alone.
    """
    places = _places(verdict.wires)
    wide = 2 * MARGIN + max((x + BOX for x, _ in places.values()), default=0)
    high = 2 * MARGIN + max((y + ROW for _, y in places.values()), default=0)
    shapes = [_box(wire, *places[wire.name]) for wire in verdict.wires]
    shapes += [
        _line(name, wire.name, places[name], places[wire.name])
        for wire in verdict.wires
        for name in wire.reads
        if name in places
    ]
    shapes += [_label(wire, *places[wire.name]) for wire in verdict.wires]
    counts = Counter(wire.change for wire in verdict.wires)
    worst = next((each for each in _WORST_FIRST if counts[each]), Change.UNCHANGED)
    tally = ", ".join(f"{counts[each]} {each}" for each in _WORST_FIRST if counts[each]) or "nothing to compare"
    rebuilt = ", ".join(wire.name for wire in verdict.wires if wire.needs_rebuild)
    svg = f'<svg viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">{"".join(shapes)}</svg>'
    body = [
        "<h1>Two versions of a workflow</h1>",
        verdict_line(str(worst), escape(tally)),
        f"<p>To be built again: {escape(rebuilt) or 'nothing'}.</p>",
        "<details><summary>Certificate and assumptions</summary>",
        f"<pre>{escape(chr(10).join(summary(verdict, in_full=True)))}</pre></details>",
        '<input type="search" placeholder="Search for a model" aria-label="Search for a model">',
        f'<div class="flow">{svg}</div>',
        f"<p>{_legend(verdict)}</p>",
        *(_details(verdict, wire) for wire in sorted(verdict.wires, key=lambda wire: _WORST_FIRST.index(wire.change))),
    ]
    return page("Two versions of a workflow", "\n".join(body), STYLE, SCRIPT)


_WORST_FIRST: Final = (Change.CHANGED, Change.ADDED, Change.REMOVED, Change.UNKNOWN, Change.UNCHANGED)


def _class(change: Change) -> str:
    return COLOURS[str(change)]


def _places(wires: tuple[WireVerdict, ...]) -> dict[str, tuple[int, int]]:
    """Where the boxes stand: columns by what is read, and in each, rows by the middle of what a wire reads.

    Columns that are lower than the highest are centred.
    """
    layers = _layers(wires)
    columns: dict[int, list[WireVerdict]] = {}
    for wire in wires:
        columns.setdefault(layers[wire.name], []).append(wire)
    highest = max(map(len, columns.values()), default=0)
    places: dict[str, tuple[int, int]] = {}
    for layer in sorted(columns):
        column = sorted(columns[layer], key=lambda wire: _middle(wire, places))
        top = MARGIN + (highest - len(column)) * ACROSS // 2
        for row, wire in enumerate(column):
            places[wire.name] = MARGIN + layer * (BOX + GAP), top + row * ACROSS
    return places


def _middle(wire: WireVerdict, places: dict[str, tuple[int, int]]) -> float:
    """The middle of the places of what a wire reads."""
    above = [places[name][1] for name in wire.reads if name in places]
    return sum(above) / len(above) if above else 0


def _legend(verdict: DataflowVerdict) -> str:
    """What the colours mean that the picture has, the thick frame, and the lines."""
    shown = {wire.change for wire in verdict.wires}
    lines = [
        f'<i class="{_class(change)}">{SYMBOLS[_class(change)]}</i><b>{change}</b>: {MEANINGS[change]}'
        for change in Change
        if change in shown
    ]
    if any(wire.edited for wire in verdict.wires):
        lines.append('<i class="edited"></i>its own text was edited')
    lines.append("Lines lead from what is read to what reads it. Sources are not drawn.")
    return "<br>".join(lines)


def _layers(wires: tuple[WireVerdict, ...]) -> dict[str, int]:
    """The column of each wire, to the right of what it reads: the first one, or a later one that has fewer boxes."""
    layers: dict[str, int] = {}
    for wire in wires:
        layers[wire.name] = max((layers[name] + 1 for name in wire.reads if name in layers), default=0)
    boxes = Counter(layers.values())
    latest = dict.fromkeys(layers, max(boxes, default=0))
    for wire in reversed(wires):
        first = layers[wire.name]
        chosen = min(range(first, latest[wire.name] + 1), key=boxes.__getitem__)
        if boxes[chosen] + 1 < boxes[first]:
            boxes.update({first: -1, chosen: 1})
            layers[wire.name] = chosen
        for name in wire.reads:
            if name in latest:
                latest[name] = min(latest[name], layers[wire.name] - 1)
    return layers


def _line(source: str, target: str, start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y, z, w = start[0] + BOX, start[1] + ROW // 2, end[0], end[1] + ROW // 2
    names = f'data-from="{escape(source, quote=True)}" data-to="{escape(target, quote=True)}"'
    return f'<path d="M{x} {y}C{x + GAP // 2} {y} {z - GAP // 2} {w} {z} {w}" {names}/>'


def _box(wire: WireVerdict, x: int, y: int) -> str:
    name, colour = escape(wire.name, quote=True), _class(wire.change)
    return (
        f'<a href="#{name}" data-name="{name}" class="{colour}{" edited" if wire.edited else ""}">'
        f"<title>{escape(f'{wire.name}: {wire.change}: {wire.reason}')}</title>"
        f'<rect x="{x}" y="{y}" width="{BOX}" height="{ROW}" rx="5"/></a>'
    )


def _label(wire: WireVerdict, x: int, y: int) -> str:
    shown = wire.name if len(wire.name) <= LONGEST else f"{wire.name[: LONGEST - 1]}…"
    colour = _class(wire.change)
    said = f"{SYMBOLS[colour]} {escape(shown)}"
    return f'<text x="{x + 9}" y="{y + 22}" class="{colour}" data-name="{escape(wire.name, quote=True)}">{said}</text>'


def _details(verdict: DataflowVerdict, wire: WireVerdict) -> str:
    """What is to be said of a wire below the picture: its answer, why, and an input on which it differs."""
    name, colour = escape(wire.name, quote=True), _class(wire.change)
    head = f'<h3><i class="{colour}">{SYMBOLS[colour]}</i>{escape(wire.name)}: {wire.change}</h3>'
    said = f"<p>{escape(wire.reason)}</p>" if wire.reason else ""
    if wire.difference is not None:
        given, held = database_of(verdict, wire.difference), results_of(verdict, wire, wire.difference)
        shown = [*(each for each in given if each[-1]), *held]
        said += "".join(html_table(title, *table_cells(names, types, rows)) for title, names, types, rows in shown)
    return f'<section id="{name}" data-name="{name}">{head}{said}</section>'
