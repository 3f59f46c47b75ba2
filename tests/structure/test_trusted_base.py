"""The trusted base: small, in pure Python, and the kernel alone makes theorems."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from certificates.examples import different_bags, sum_of_doubles, totals_by_key
from certificates.query_samples import sample
from tallystick.certificates import trusted as counted
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import encode
from tallystick.certificates.rules import OF_BOTH, OF_PROGRAMS, OF_QUERIES
from tallystick.certificates.trusted import KINDS, all_of, trusted_modules

ROOT = Path(__file__).parents[2]
TRUSTED = sorted({name for kind in KINDS for name in all_of(kind)})
FOLDERS = ("api", "certificates", "core", "dataflow", "decision", "frontends", "experiments", "reductions")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
KERNELS = (
    "certificates/proving.py",
    *(f"certificates/{room}{name}.py" for room in ("", "queries/") for name in ("kernel", "refuting")),
    "certificates/dataflows/kernel.py",
)
KERNEL_MODULES = {f"tallystick.{name.removesuffix('.py').replace('/', '.')}" for name in KERNELS}
THEOREMS = {"Valid", "Holds", "Inequivalent", "SameResults", "DifferentResults", "Composed"}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(Path(import_module(module).__file__ or "").read_text(encoding="utf-8"))


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


CERTIFICATES = {
    "an equivalence of programs": lambda: encode(sum_of_doubles()),
    "an equivalence of programs by groups": lambda: encode(totals_by_key()),
    "an inequivalence of programs": lambda: encode(different_bags()),
    "an equivalence of queries": lambda: sample("a check")[1],
    "with groups": lambda: sample("group by the key")[1],
    "an inequivalence of queries": lambda: sample("an outer join")[1],
}
MOST = {
    "an equivalence of programs": 4_500,
    "an equivalence of programs by groups": 4_550,
    "an inequivalence of programs": 4_450,
    "an equivalence of queries": 5_900,
    "with groups": 7_080,
    "an inequivalence of queries": 3_150,
}
"""Physical lines: docstrings, comments and blank lines count. This is the one place that says how many there may be;
`tallystick trusted` says how many there are."""


@pytest.mark.parametrize("kind", CERTIFICATES)
def test_an_audit_loads_the_modules_that_its_report_counts(kind: str) -> None:
    """In a process of its own: all of them, and no others."""
    certificate = CERTIFICATES[kind]()
    code = (
        "import sys; from tallystick.certificates.audit import audit; print(audit(sys.stdin.buffer.read()));"
        "print(*sorted(name for name in sys.modules if name.startswith('tallystick.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=certificate, capture_output=True, check=True)
    trusted = audit(certificate).trusted
    assert done.stdout.decode().splitlines()[0] == "accepted  every step holds"
    assert done.stdout.decode().splitlines()[-1] == f"trusted   {sum(trusted.values())} lines in {len(trusted)} modules"
    assert done.stderr.decode().split() == list(trusted)
    assert sum(trusted.values()) <= MOST[kind]


def test_equivalences_load_no_interpreter_and_inequivalences_no_rules() -> None:
    def loaded(kind: str) -> str:
        return " ".join(audit(CERTIFICATES[kind]()).trusted)

    assert "interpreter" not in loaded("an equivalence of programs") + loaded("an equivalence of queries")
    assert "queries" not in loaded("an equivalence of programs") + loaded("an inequivalence of programs")
    for absent in ("compilation", "proving", "refutation", "rules", "evidence", "term_reader", "core.terms", "binders"):
        assert absent not in loaded("an inequivalence of queries")
    assert [name for name in loaded("an equivalence of queries").split() if ".rules." in name] == [
        "tallystick.certificates.rules.bag",
        "tallystick.certificates.rules.matching",
    ]


def test_an_audit_of_any_certificate_relies_on_nothing_else() -> None:
    kinds = {"programs": CERTIFICATES["an equivalence of programs"], "queries": CERTIFICATES["with groups"]}
    for kind, made in kinds.items():
        assert audit(made()).trusted.keys() <= all_of(kind).keys()
    files = {f"tallystick.certificates.rules.{path.stem}" for path in (ROOT / "certificates/rules").glob("[a-z]*.py")}
    assert files <= set(TRUSTED)
    assert len(files) >= len({*OF_PROGRAMS, *OF_QUERIES, *OF_BOTH})


def test_physical_lines_are_counted() -> None:
    text = (ROOT / "core/errors.py").read_text(encoding="utf-8")
    assert trusted_modules()["tallystick.core.errors"] == text.count("\n")


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("module", TRUSTED)
def test_the_imports_that_are_counted_are_those_of_the_syntax_tree(module: str, inside: bool) -> None:
    nodes = ast.walk(tree(module)) if inside else tree(module).body
    named = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{each.name}" for node in named for each in node.names} | {
        str(each.module) for each in named
    }
    _, imported = counted._read(counted._path(module) or "", inside)
    assert {each for each in imported if counted._path(each)} == {
        each for each in names if each.startswith("tallystick.") and counted._path(each)
    }


@pytest.mark.parametrize("module", TRUSTED)
def test_trusted_modules_import_their_own_by_names_alone(module: str) -> None:
    """`from tallystick.core import terms` and the like: other ways are not counted."""
    for node in ast.walk(tree(module)):
        assert not isinstance(node, ast.ImportFrom) or node.level == 0
        if isinstance(node, ast.Import):
            assert not any(each.name.startswith("tallystick") for each in node.names)


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
    text = path.read_text(encoding="utf-8")
    if str(path.relative_to(ROOT)) in KERNELS or not any(name.rpartition(".")[2] in text for name in KERNEL_MODULES):
        return
    syntax = ast.parse(text)
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
