"""The trusted base: small, in pure Python, and the kernel alone makes theorems."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick import check
from tallystick.certificates.audit import audit  # noqa: F401 - modules are found among those that are loaded
from tallystick.certificates.dataflows import claims as of_dataflows  # noqa: F401
from tallystick.certificates.dataflows import reader as reader_of_dataflows  # noqa: F401
from tallystick.certificates.queries import claims, reader  # noqa: F401
from tallystick.certificates.trusted import AUDIT, NOT_LOADED, trusted_modules
from tallystick.experiments.suites import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TRUSTED = list(trusted_modules())
FOLDERS = ("api", "certificates", "core", "dataflow", "decision", "frontends", "experiments", "reductions")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
KERNELS = tuple(f"certificates/{room}kernel.py" for room in ("", "queries/", "dataflows/"))
KERNEL_MODULES = {f"tallystick.{name.removesuffix('.py').replace('/', '.')}" for name in KERNELS}
THEOREMS = {"Valid", "Holds", "Inequivalent", "SameResults", "DifferentResults", "Composed"}


def tree(module: str) -> ast.Module:
    return ast.parse(Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8"))


def test_the_trusted_base_is_what_the_auditor_imports() -> None:
    words = (
        "annotations",
        "audit",
        "budget",
        "codec",
        "facts",
        "judgements",
        "kernel",
        "printing",
        "proofs",
        "reader",
        "refutation",
    )
    core = "errors", "interpreter", "monomials", "operators", "programs", "terms", "types"
    assert {name.removeprefix("tallystick.") for name in TRUSTED} >= {
        "certificates",
        *(f"certificates.{name}" for name in (*words, "refutation", "refuting", "trusted")),
        "certificates.rules",
        *(f"certificates.rules.{path.stem}" for path in (ROOT / "certificates/rules").glob("[a-z]*.py")),
        *(f"core.{name}" for name in core),
    }


def test_the_trusted_base_has_at_most_7161_lines_for_programs_and_12454_for_queries() -> None:
    """Physical lines: docstrings, comments and blank lines count."""
    for semantics, most in (("spark", 7_161), ("sql", 12_454), ("dataflow", 13_090)):
        assert sum(trusted_modules(without=NOT_LOADED[semantics]).values()) <= most
        assert f"{most:,}" in README


def test_the_audit_in_the_readme_says_how_many_lines_are_trusted() -> None:
    modules = trusted_modules(without=NOT_LOADED["spark"])
    assert f"trusted   {sum(modules.values())} lines in {len(modules)} modules" in README


def test_an_audit_of_a_certificate_about_programs_loads_nothing_of_queries() -> None:
    """Nor anything else that `trusted` does not list for it."""
    pair = load("sparklite-cav")[0]
    certificate = check(pair.left, pair.right, semantics="sparklite").certificate
    code = (
        "import sys; from tallystick.certificates.audit import audit; print(audit(sys.stdin.buffer.read()));"
        "print(*sorted(name for name in sys.modules if name.startswith('tallystick.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=certificate, capture_output=True, check=True)
    assert done.stdout.startswith(b"accepted")
    assert set(done.stderr.decode().split()) == set(trusted_modules(AUDIT, NOT_LOADED["spark"]))


def test_physical_lines_are_counted() -> None:
    text = (ROOT / "core/errors.py").read_text(encoding="utf-8")
    assert trusted_modules()["tallystick.core.errors"] == text.count("\n")


@pytest.mark.parametrize("module", TRUSTED)
def test_trusted_modules_import_the_standard_library_and_each_other_alone(module: str) -> None:
    for node in ast.walk(tree(module)):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            package = name.split(".")[0]
            assert package in sys.stdlib_module_names or name in TRUSTED, name
            assert package not in {"pickle", "marshal", "shelve", "subprocess", "ctypes", "socket", "importlib"}


@pytest.mark.parametrize("module", TRUSTED)
def test_trusted_modules_have_no_floats_and_run_no_text(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float | complex), node.lineno
        if isinstance(node, ast.Name):
            assert node.id not in {"eval", "exec", "compile", "float", "__import__", "globals", "setattr"}, node.lineno
        if isinstance(node, ast.BinOp):
            assert not isinstance(node.op, ast.Div), node.lineno


@pytest.mark.parametrize("module", TRUSTED)
def test_trusted_modules_check_nothing_with_assert(module: str) -> None:
    """Assertions vanish under `python -O`."""
    assert not [node.lineno for node in ast.walk(tree(module)) if isinstance(node, ast.Assert)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_kernel_alone_makes_theorems(path: Path) -> None:
    """Classes of these names elsewhere, such as a solver's answer, are other classes: see where the name comes from."""
    if str(path.relative_to(ROOT)) in KERNELS:
        return
    syntax = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(syntax)
        if isinstance(node, ast.ImportFrom) and node.module in KERNEL_MODULES
        for alias in node.names
        if alias.name in THEOREMS
    }
    calls = [node.func for node in ast.walk(syntax) if isinstance(node, ast.Call)]
    made = [call.lineno for call in calls if isinstance(call, ast.Name) and call.id in imported]
    made += [
        call.lineno
        for call in calls
        if isinstance(call, ast.Attribute) and call.attr in THEOREMS and ast.unparse(call.value).endswith("kernel")
    ]
    assert not made


def test_an_audit_accepts_at_exactly_one_place() -> None:
    accepting = [
        node.lineno
        for node in ast.walk(tree("tallystick.certificates.audit"))
        if isinstance(node, ast.keyword) and node.arg == "accepted"
    ]
    reports = [
        node.args[0]
        for node in ast.walk(tree("tallystick.certificates.audit"))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "AuditReport"
    ]
    assert len(accepting) == 1
    assert all(isinstance(first, ast.Constant) and first.value is False for first in reports)
