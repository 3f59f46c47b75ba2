"""The command line. Each command imports what it needs when it runs, so that `--help` and `audit` start fast."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click
from tallystick.core.errors import TallystickError

EXIT_EQUIVALENT, EXIT_INEQUIVALENT, EXIT_UNKNOWN, EXIT_BAD_INPUT, EXIT_INTERNAL = range(5)
EXITS = {"equivalent": EXIT_EQUIVALENT, "inequivalent": EXIT_INEQUIVALENT, "unknown": EXIT_UNKNOWN}


class _Commands(click.Group):
    """Turns expected errors into a message and exit status 3, and anything else into exit status 4."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except TallystickError as error:
            _fail(str(error), EXIT_BAD_INPUT)
        except click.UsageError as error:
            error.show()
            raise SystemExit(EXIT_BAD_INPUT) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            raise click.Abort from None
        except RecursionError:
            _fail("the programs are nested too deeply", EXIT_BAD_INPUT)
        except Exception as error:
            if "--traceback" in sys.argv:
                raise
            _fail(
                f"internal error: {type(error).__name__}: {error}\nPlease report this, with the programs.",
                EXIT_INTERNAL,
            )


def _fail(message: str, status: int) -> NoReturn:
    click.echo(f"error: {message}", err=True)
    raise SystemExit(status)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tallystick", message="%(prog)s %(version)s")
def main() -> None:
    """Decides whether two Spark programs return the same bag on every input.

    Exit status: 0 equivalent or accepted, 1 inequivalent or rejected, 2 unknown, 3 bad input, 4 internal error.
    """


SOLVERS = click.Choice(["auto", "z3", "cvc5", "cooper"])
AS_SETS = click.option(
    "--set", "as_sets", is_flag=True, help="Compare the sets of returned elements, not how often each occurs."
)


@main.command()
@click.argument("before")
@click.argument("after")
@click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
@click.option("--types", help='Types of parameters without annotations: "r: RDD[int], k: int".')
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for deciding."
)
@click.option(
    "--replay",
    type=click.Choice(["reference", "spark"]),
    default="reference",
    show_default=True,
    help="Where a counterexample is evaluated again. Spark runs your functions; nothing else does.",
)
@click.option(
    "--semantics",
    type=click.Choice(["sparklite", "spark"]),
    default="sparklite",
    show_default=True,
    help="How folds are read: as one left fold, or as Spark folds partitions.",
)
@AS_SETS
@click.option("--certificate", type=click.Path(dir_okay=False, path_type=Path), help="Write the certificate here.")
@click.option("--explain", is_flag=True, help="Walk through the answer, as `explain` does.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(
    before: str,
    after: str,
    solver: str,
    types: str | None,
    timeout: float,
    replay: str,
    semantics: str,
    as_sets: bool,
    certificate: Path | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Compare two PySpark functions, each given as PATH.py:FUNCTION. They are parsed, not run."""
    from tallystick.checking import check as check_pair
    from tallystick.report import summary

    options: Any = {"solver": solver, "replay": replay, "semantics": semantics, "as_sets": as_sets}
    verdict = check_pair(before, after, types=types, timeout=timeout, **options)
    if certificate is not None and verdict.certificate is not None:
        certificate.write_bytes(verdict.certificate)
    if as_json:
        click.echo(json.dumps(verdict.to_json(), indent=2, ensure_ascii=False))
    else:
        click.echo(summary(before, after, verdict))
        if explain:
            from tallystick.explaining import FORMATS, explained

            click.echo(f"\n{FORMATS['text'](explained(before, after, verdict, types))}", nl=False)
    raise SystemExit(EXITS[str(verdict.verdict)])


@main.command()
@click.argument("programs", nargs=-1, required=True)
@click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
@click.option("--types", help='Types of parameters without annotations: "r: RDD[int], k: int".')
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for a program."
)
@click.option(
    "--replay",
    type=click.Choice(["reference", "spark"]),
    default="reference",
    show_default=True,
    help="Where two values are computed. Spark runs your functions; nothing else does.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def lint(programs: tuple[str, ...], solver: str, types: str | None, timeout: float, replay: str, as_json: bool) -> None:
    """Find folds whose value depends on how Spark partitions their elements.

    Each of PROGRAMS is PATH.py:FUNCTION, or PATH.py for all functions there with a parameter annotated as an RDD.
    Exit status: 1 a fold is unsafe, else 3 bad input, else 2 one is not known to be safe, else 0; 4 internal error.
    """
    from tallystick.findings import Safety, worst
    from tallystick.linting import lint as lint_one

    options: Any = {"solver": solver, "timeout": timeout}
    reports, unread = [], False
    for name in [each for program in programs for each in _programs(program)]:
        try:
            reports.append(lint_one(name, types, replay, **options))  # type: ignore[arg-type]
        except TallystickError as error:
            click.echo(f"error: {error}", err=True)
            unread = True
    safety = worst(report.safety for report in reports)
    if as_json:
        content = {"safety": str(safety), "programs": [report.to_json() for report in reports]}
        click.echo(json.dumps(content, indent=2, ensure_ascii=False))
    else:
        for report in reports:
            click.echo(str(report))
    status = EXIT_BAD_INPUT if unread else EXIT_UNKNOWN if safety is Safety.UNKNOWN else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if safety is Safety.UNSAFE else status)


def _programs(reference: str) -> list[str]:
    from tallystick.frontends.pyspark import programs_in

    return programs_in(reference) if reference.endswith(".py") else [reference]


@main.command()
@click.argument("before")
@click.argument("after")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "markdown", "latex", "html"]),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file.")
@click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
@click.option("--types", help='Types of parameters without annotations: "r: RDD[int], k: int".')
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for deciding."
)
@AS_SETS
def explain(
    before: str,
    after: str,
    format_name: str,
    output: Path | None,
    solver: str,
    types: str | None,
    timeout: float,
    as_sets: bool,
) -> None:
    """Walk through a pair: programs, program terms, class, formulas, proof and evidence, or the counterexample.

    The exit status is 0 whatever the verdict is: an explanation of a difference is an explanation.
    """
    from tallystick.explaining import FORMATS
    from tallystick.explaining import explain as explain_pair

    document = explain_pair(before, after, types=types, solver=solver, timeout=timeout, as_sets=as_sets)
    written = FORMATS[format_name](document)
    if output is None:
        click.echo(written, nl=False)
    else:
        output.write_text(written, encoding="utf-8")


@main.command()
@click.argument("certificates", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--against", nargs=2, metavar="BEFORE AFTER", help="Also check that it is about these two functions.")
@click.option("--types", help="Types of parameters without annotations, for --against.")
@click.option("--set", "as_sets", is_flag=True, help="With --against: it is about the sets that they return.")
def audit(certificates: tuple[Path, ...], against: tuple[str, str] | None, types: str | None, as_sets: bool) -> None:
    """Check certificates without a solver: replay each proof, or each counterexample, in the kernel."""
    from tallystick.certificates.audit import audit as audit_certificate

    if as_sets and not against:
        raise click.UsageError(
            "--set says what --against compares; a certificate's claim says by itself what it is about"
        )
    programs, assumed = None, ()
    if against:
        from tallystick.checking import compared
        from tallystick.frontends.pyspark import assumptions_of, read_program

        before, after = (read_program(each, types) for each in against)
        left, right = compared(before, after, as_sets)
        programs, assumed = (left.program, right.program), assumptions_of(left, right)
    accepted = True
    for path in certificates:
        report = audit_certificate(path, against=programs)
        report = replace(report, assumptions=tuple(dict.fromkeys((*report.assumptions, *assumed))))
        accepted &= report.accepted
        click.echo(f"{path}\n{report}" if len(certificates) > 1 else str(report))
    raise SystemExit(0 if accepted else 1)


@main.command()
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(certificate: Path, folder: Path) -> None:
    """Write the premises of a certificate as SMT-LIB scripts, of expected status unsat, into FOLDER."""
    from tallystick.certificates.codec import decode
    from tallystick.certificates.smtlib import export as export_premises

    for path in export_premises(decode(certificate.read_bytes()), folder):
        click.echo(path)


@main.command()
def trusted() -> None:
    """List the modules that an audit relies on, with their numbers of lines, docstrings and comments included."""
    from tallystick.certificates.trusted import trusted_modules

    modules = trusted_modules()
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
    kernel = trusted_modules(("tallystick.certificates.kernel",))
    click.echo(f"{sum(kernel.values()):6}  the kernel and what it imports")
    click.echo(f"{sum(modules.values()):6}  in all")


@main.command()
@click.argument("name")
@click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=30, show_default=True, help="Seconds for a pair.")
@click.option("--memory", type=click.IntRange(min=64), default=4096, show_default=True, help="Mebibytes for a pair.")
@click.option(
    "--spark", metavar="MASTER", help='Decide on this Spark, such as "local[2]", and check verdicts by running there.'
)
@click.option("--results", type=click.Path(file_okay=False, path_type=Path), help="Records go here: results/NAME.")
@click.option(
    "--validate",
    type=click.IntRange(min=0),
    default=8,
    show_default=True,
    help="With --spark, run equivalent pairs on so many inputs; inequivalent ones always run on their counterexamples.",
)
@click.option("--pairs", type=click.IntRange(min=1), default=100, show_default=True, help='Size of suite "generated".')
@click.option("--seed", type=int, default=1, show_default=True, help='What suite "generated" is generated from.')
def suite(
    name: str,
    solver: str,
    timeout: float,
    memory: int,
    spark: str | None,
    results: Path | None,
    validate: int,
    pairs: int,
    seed: int,
) -> None:
    """Decide all pairs of a suite, and compare with the known verdicts.

    NAME is sparklite-cav, sparklite-tr, errata, beyond, generated, or a file of pairs (.jsonl, .parquet, .py).
    With --spark, an interrupted run goes on where it was when the command is given again.
    """
    from tallystick.experiments.cross_validation import Disagreement
    from tallystick.experiments.questions import Options
    from tallystick.experiments.suite_command import Request, run_suite

    options = Options(solver, None, timeout, memory)
    try:
        right = run_suite(Request(name, options, spark, results, validate, pairs, seed))
    except Disagreement as found:
        _fail(str(found), 1)
    raise SystemExit(0 if right else 1)


@main.command()
@click.argument("suites", nargs=-1)
@click.option("--solver", "solvers", type=SOLVERS, multiple=True, help="A solver to compare; all when none is given.")
@click.option(
    "--methods", multiple=True, help='Methods to compare: "all", "papers", or one method. [default: all, papers]'
)
@click.option("--timeout", type=click.FloatRange(min=0.1), default=10, show_default=True, help="Seconds for a pair.")
@click.option("--memory", type=click.IntRange(min=64), default=4096, show_default=True, help="Mebibytes for a pair.")
@click.option("--spark", metavar="MASTER", default="local[2]", show_default=True, help="The Spark that decides.")
@click.option(
    "--results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results/compare"),
    show_default=True,
    help="Records and pictures go here.",
)
@click.option("--pairs", type=click.IntRange(min=1), default=100, show_default=True, help='Size of suite "generated".')
@click.option("--seed", type=int, default=1, show_default=True, help='What suite "generated" is generated from.')
def compare(
    suites: tuple[str, ...],
    solvers: tuple[str, ...],
    methods: tuple[str, ...],
    timeout: float,
    memory: int,
    spark: str,
    results: Path,
    pairs: int,
    seed: int,
) -> None:
    """Compare methods and solvers on SUITES (sparklite-cav when none is given): tables and pictures."""
    from tallystick.decision.prover import SOLVERS as ALL_SOLVERS
    from tallystick.experiments.comparison import Comparison
    from tallystick.experiments.comparison import compare as compare_configurations

    comparison = Comparison(
        suites or ("sparklite-cav",),
        methods or ("all", "papers"),
        solvers or ALL_SOLVERS,
        timeout,
        memory,
        spark,
        results,
        pairs,
        seed,
    )
    raise SystemExit(0 if compare_configurations(comparison) else 1)


@main.group()
def reproduce() -> None:
    """Print the tables of the papers beside ours, with what differs and why."""


@reproduce.command()
@click.option("--solver", type=SOLVERS, default="auto", show_default=True, help="What decides premises first.")
@click.option("--timeout", type=click.FloatRange(min=0.1), default=30, show_default=True, help="Seconds for a pair.")
def sparklite(solver: str, timeout: float) -> None:
    """The tables of the two SparkLite papers, and their benchmarks."""
    from tallystick.experiments.questions import Options
    from tallystick.experiments.reproduction import reproduce_sparklite

    raise SystemExit(0 if reproduce_sparklite(Options(solver, None, timeout)) else 1)


@reproduce.command()
@click.option(
    "--engine",
    "engines",
    type=click.Choice(["local", "dstream"]),
    multiple=True,
    default=("local",),
    show_default=True,
    help="What runs the programs: pure Python, or Spark Streaming; may be given twice.",
)
@click.option("--seed", type=int, default=0, show_default=True)
def sscheck(engines: tuple[str, ...], seed: int) -> None:
    """The properties of the sscheck paper, with its times and ours."""
    from tallystick.streaming.reproduce import sscheck_table

    sscheck_table(engines, seed)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--timeout", type=click.FloatRange(min=0.1), default=30, show_default=True, help="Seconds for deciding.")
@click.option("--spark", metavar="MASTER", help='Run the counterexample on this Spark, such as "local[2]".')
@click.option("--certificate", type=click.Path(dir_okay=False, path_type=Path), help="Write the certificate here.")
@click.option("--draw", type=click.Path(dir_okay=False, path_type=Path), help="Draw the machine here (PNG, SVG, PDF).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def machine(
    file: Path, timeout: float, spark: str | None, certificate: Path | None, draw: Path | None, as_json: bool
) -> None:
    """Decide whether a two-counter machine halts, as far as the equivalence of its two programs is decided."""
    from contextlib import nullcontext

    from tallystick.decision.service.process import ProverProcess
    from tallystick.reductions import explain_machine
    from tallystick.replay import SparkReplayer

    with ProverProcess() as prover, SparkReplayer(spark) if spark else nullcontext() as replayer:
        report = explain_machine(
            file,
            decide=lambda left, right, sources: prover.settle(left, right, sources, "auto", timeout),
            replay=replayer.replay if replayer is not None else None,
        )
    if certificate is not None and report.certificate is not None:
        certificate.write_bytes(report.certificate)
    if draw is not None:
        from tallystick.reductions.drawing import draw_machine

        draw_machine(report.machine).savefig(draw)
    click.echo(json.dumps(report.to_json(), indent=2, ensure_ascii=False) if as_json else report.text)
    raise SystemExit(report.exit_status)


@main.command()
@click.argument("formula")
@click.option("--steps", is_flag=True, help="Show Cooper's algorithm step by step.")
@click.option(
    "--format",
    "notation",
    type=click.Choice(["text", "latex"]),
    default="text",
    show_default=True,
    help="How to print.",
)
def qe(formula: str, steps: bool, notation: str) -> None:
    """Eliminate the quantifiers of a Presburger formula, such as "exists y. 2*y < x and x < 2*y + 2"."""
    from tallystick.core.presburger.command import eliminate_text

    click.echo(eliminate_text(formula, steps, notation))
