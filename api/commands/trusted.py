"""`tallystick trusted`: lists what an audit relies on."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click


@click.command()
@click.option("--coq", is_flag=True, help="List what a theorem exported to Coq relies on, besides Coq.")
def trusted(coq: bool) -> None:
    """List the modules that can change what an audit prints, with their numbers of lines, blank ones included.

    `audit --against` relies on more: on what reads PySpark functions, or SQL texts.
    """
    if coq:
        from tallystick.certificates.exports.auditors import DEVELOPMENT, STATEMENT, STATEMENT_OF_QUERIES

        for file, two in ((STATEMENT, "programs"), (STATEMENT_OF_QUERIES, "queries")):
            lines = len((DEVELOPMENT / file).read_text(encoding="utf-8").splitlines())
            click.echo(f"{lines:6}  coq/{file}: the definitions in the statement; and the two {two} of the theorem")
        return
    from tallystick.certificates.trusted import (
        AUDIT,
        KERNEL,
        NOT_LOADED,
        OF_DATAFLOWS,
        OF_QUERIES,
        QUERY_KERNEL,
        trusted_modules,
    )

    of_functions = (*AUDIT, "tallystick.commands.audit", "tallystick.comparing")
    of_others = (f"{package}.{name}" for package in (OF_QUERIES, OF_DATAFLOWS) for name in ("reader", "claims"))
    for module in (*of_functions, *of_others):
        import_module(module)  # modules are found among those that are loaded
    audit, functions = trusted_modules(AUDIT), trusted_modules(of_functions)
    _listed(audit)
    for what, roots in (("programs", KERNEL), ("queries", QUERY_KERNEL)):
        click.echo(f"{sum(trusted_modules(roots).values()):6}  the kernel for {what} and what it imports")
    for semantics, what in (("spark", "programs"), ("sql", "queries"), ("dataflow", "dataflows")):
        lines = sum(trusted_modules(AUDIT, NOT_LOADED[semantics]).values())
        click.echo(f"{lines:6}  what an audit of a certificate about {what} relies on")
    click.echo()
    _listed({name: lines for name, lines in functions.items() if name not in audit})
    click.echo(f"{sum(functions.values()):6}  what `tallystick audit --against` relies on, for functions\n")
    if find_spec("sqlglot") is None:
        click.echo("For queries, `tallystick audit --against` needs sqlglot, which is not installed.")
        return
    from tallystick.frontends.sql.expressions import handlers

    of_queries = (*AUDIT, "tallystick.queries.reading")
    for module in of_queries:
        import_module(module)
    handlers()  # loads the modules that read expressions
    queries = trusted_modules(of_queries)
    _listed({name: lines for name, lines in queries.items() if name not in audit})
    click.echo(f"{sum(queries.values()):6}  what it relies on for queries, besides sqlglot")


def _listed(modules: dict[str, int]) -> None:
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
