"""`tallystick machine`: decides whether a two-counter machine halts."""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.commands.options import AS_JSON, INPUT_FILE, OUTPUT_FILE, timeout
from tallystick.commands.printing import print_json, print_text
from tallystick.output import write, writing
from tallystick.progress import waiting


@click.command()
@click.argument("file", type=INPUT_FILE)
@timeout("deciding")
@click.option("--spark", metavar="MASTER", help='Run the counterexample on this Spark, such as "local[2]".')
@click.option("--certificate", type=OUTPUT_FILE, help="Write the certificate here.")
@click.option("--draw", type=OUTPUT_FILE, help="Draw the machine here (PNG, SVG, PDF).")
@AS_JSON
def machine(
    file: Path, timeout: float, spark: str | None, certificate: Path | None, draw: Path | None, as_json: bool
) -> None:
    """Decide whether a two-counter machine halts, as far as the equivalence of its two programs is decided."""
    from contextlib import nullcontext

    from tallystick.decision.service.process import ProverProcess
    from tallystick.reductions import explain_machine
    from tallystick.replay import SparkReplayer

    started = SparkReplayer(spark) if spark else nullcontext()
    with waiting("deciding"), ProverProcess() as prover, started as replayer:
        report = explain_machine(
            file,
            decide=lambda left, right, sources: prover.settle(left, right, sources, "auto", timeout),
            replay=replayer.replay if replayer is not None else None,
        )
    if as_json:
        print_json(report.to_json())
    else:
        print_text(report.text)
    if certificate is not None and report.certificate is not None:
        write(certificate, report.certificate)
    if draw is not None:
        from tallystick.reductions.drawing import draw_machine

        with writing(draw):
            draw_machine(report.machine).savefig(draw)
    raise SystemExit(report.exit_status)
