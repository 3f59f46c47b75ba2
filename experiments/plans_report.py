"""What `tallystick plans --results FILE` wrote, as a table and a plot: each query, proved or why not, and what it took.

`python -m tallystick.experiments.plans_report RESULTS.jsonl… [--plot PICTURE]` prints it. Our times are of a processor.
With `--record FILE --title TITLE` what the documentation shows is kept under its title, with `--hunt` in sums alone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

Record = dict[str, Any]
COLUMNS = ("query", "verdict", "operators", "rules", "Spark s", "our s", "MiB", "certificate", "why not")


def records(paths: Iterable[Path]) -> list[Record]:
    """The records of files of results, one JSON object a line; raises ValueError where a line is none."""
    lines = ((path, line) for path in paths for line in path.read_text(encoding="utf-8").splitlines() if line)
    found = []
    for path, line in lines:
        record = json.loads(line)
        if not isinstance(record, dict) or "query" not in record or "verdict" not in record:
            raise ValueError(f"{path}: a line is no result of `tallystick plans`")
        found.append(record)
    return found


def table(found: Sequence[Record]) -> str:
    """A table in Markdown, and what `totals` says."""
    rows = [COLUMNS, tuple("---" for _ in COLUMNS), *map(_cells, found)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", *totals(found)])


def totals(found: Sequence[Record]) -> list[str]:
    """How many plans are proved, wrong and not known, and what queries took: in the median, and at most."""
    counts = Counter(record["verdict"] for record in found)
    lines = [
        f"{len(found)} queries: {counts['equivalent']} optimised plans proved equal, {counts['inequivalent']} wrong, "
        f"{counts['unknown']} not known"
    ]
    numbers = (
        ("our time", "processor_seconds", "{:.1f} s"),
        ("Spark's optimiser", "optimizer_seconds", "{:.1f} s"),
        ("memory", "memory_mebibytes", "{:.0f} MiB"),
        ("certificates", "certificate_bytes", "{:.0f} B"),
    )
    for what, key, form in numbers:
        sizes = sorted((float(record[key]), Path(record["query"]).stem) for record in found if record[key])
        if sizes:
            middle, (most, query) = median(size for size, _ in sizes), sizes[-1]
            lines.append(f"{what}: {form.format(middle)} in the median, at most {form.format(most)} ({query})")
    return lines


SHOWN = (
    *("query", "verdict", "operators", "effective_rules", "reasons"),
    *("optimizer_seconds", "processor_seconds", "memory_mebibytes", "certificate_bytes"),
)
"""What a row of `table` is made of."""


def recorded(title: str, found: Sequence[Record], hunt: bool) -> dict[str, Any]:
    """What is kept of results under a title: their rows, or of a hunt the sums, and how many are unknown by reason."""
    if not hunt:
        rows: list[Record] = [{name: record.get(name) for name in SHOWN} for record in found]
        return {"title": title, "records": [{**row, "query": Path(str(row["query"])).stem} for row in rows]}
    unknown = Counter(_first_reason(record) for record in found if record["verdict"] != "equivalent")
    return {"title": title, "totals": totals(found), "unknown": dict(unknown.most_common())}


def keep(entry: dict[str, Any], path: Path) -> None:
    """Writes an entry into a file of such, in the place of one with its title."""
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    entries = {each["title"]: each for each in known} | {entry["title"]: entry}
    path.write_text(json.dumps([*entries.values()], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _first_reason(record: Record) -> str:
    """Why a query is not proved, without what hangs on the query."""
    way, reason = next(iter(record["reasons"].items()), ("", "wrong"))
    return f"{way}: {reason.partition(':')[0]}"


def _cells(record: Record) -> tuple[str, ...]:
    sizes = record.get("operators")
    operators = "" if sizes is None else " → ".join(map(str, sizes))
    reasons = "; ".join(f"{way}: {reason}" for way, reason in record.get("reasons", {}).items())
    size = record["certificate_bytes"]
    return (
        Path(record["query"]).stem,
        str(record["verdict"]),
        operators,
        str(len(record.get("effective_rules", ()))),
        f"{float(record['optimizer_seconds']):.2f}",
        f"{float(record['processor_seconds']):.2f}",
        f"{float(record['memory_mebibytes']):.0f}",
        f"{size} B" if size else "",
        reasons.replace("|", "\\|").replace("\n", " "),
    )


def plot(found: Sequence[Record], picture: Path) -> None:
    """How many queries are proved within a time, beside the time that Spark's optimiser takes."""
    from matplotlib.figure import Figure  # only where a plot is asked for

    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    proved = [record for record in found if record["verdict"] == "equivalent"]
    for label, key in (("our proof", "processor_seconds"), ("Spark's optimiser", "optimizer_seconds")):
        times = sorted(float(record.get(key, 0)) for record in proved)
        axes.step(times, range(1, len(times) + 1), where="post", label=label)
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    axes.set_ylabel(f"queries, of {len(found)}")
    axes.legend()
    figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table, and draws the plot where one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="+", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--title", default="")
    parser.add_argument("--hunt", action="store_true")
    chosen = parser.parse_args(arguments)
    if bool(chosen.record) != bool(chosen.title) or (chosen.hunt and not chosen.record):
        parser.error("--record FILE and --title TITLE go together, and --hunt with both")
    found = records(chosen.results)
    if chosen.record is not None:
        keep(recorded(chosen.title, found, chosen.hunt), chosen.record)
    print(table(found))
    if chosen.plot is not None:
        plot(found, chosen.plot)


if __name__ == "__main__":
    main()
