"""The table by hand: `PYTHONPATH=tests python -m conformance [--engines postgres,mysql] [--only WORD] [--all]`.

Prints each row whose outcome is not the expected one, and how many there are of each kind; the status is 1 if there are
any. With `--settle`, exceptions that no longer hold are taken out of the table; with `--mark REASON`, differences that
are new are put into it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from tallystick.frontends.sql.evidence import evidence

from conformance.kept import Kept
from conformance.page import write
from conformance.running import ENGINES, Result, counted, run
from conformance.table import Known, Row, rewrite, row, rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance")
    parser.add_argument("--engines", default=",".join(ENGINES), help="by the names of their dialects")
    parser.add_argument("--only", default="", help="rows whose construct or place has this word")
    parser.add_argument("--all", action="store_true", help="print every row")
    parser.add_argument("--differences", action="store_true", help="print known differences, too")
    parser.add_argument("--text", help="this text instead of the table")
    parser.add_argument("--anew", action="store_true", help="ask the engines anew what they were asked before")
    parser.add_argument("--write", action="store_true", help="write the files of evidence and the page")
    parser.add_argument("--settle", action="store_true", help="take out exceptions that no longer hold")
    parser.add_argument("--mark", metavar="REASON", help="put new differences into the table, with this reason")
    options = parser.parse_args()
    table = [row(f"a text @ * @ {options.text}", "")] if options.text else [*rows()]
    table = [each for each in table if options.only in each.construct or options.only in each.place]
    whole = not (options.only or options.text)
    found: list[Result] = []
    for name in options.engines.split(","):
        engine = Kept(ENGINES[name], options.anew)
        try:
            results = run(engine, table, None if whole else evidence(name))
            print(f"{engine.product} {engine.version}: {dict(counted(results))}")
            if options.write and whole:
                write(engine, results)
        finally:
            engine.close()
        for each in results:
            differs = options.differences and each.finding.kind.differs
            if each.wrong or differs or options.all or options.text:
                print(each, end="\n\n")
        found += results
    if options.settle or options.mark:
        _write(found, options.mark)
    return int(any(each.wrong for each in found))


def _write(found: list[Result], reason: str | None) -> None:
    changed: dict[str, Row] = {}
    for each in found:
        known = changed.get(each.row.place, each.row)
        exceptions = dict(known.exceptions)
        if each.wrong:
            exceptions.pop(each.dialect, None)
            if reason and each.finding.kind.differs:
                exceptions[each.dialect] = Known(each.finding.kind, reason)
        changed[each.row.place] = replace(known, exceptions=exceptions)
    rewrite({place: each.exceptions for place, each in changed.items() if each.exceptions != _of(found, place)})


def _of(found: list[Result], place: str) -> object:
    return next(each.row.exceptions for each in found if each.row.place == place)


if __name__ == "__main__":
    sys.exit(main())
