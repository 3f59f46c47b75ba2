"""The development proves its theorems without holes, and a sceptic's part of it is short."""

import re
import subprocess

import pytest
from click.testing import CliRunner
from tallystick import check_sql
from tallystick.certificates.exports.auditors import (
    CLOSED,
    DEVELOPMENT,
    LIBRARY,
    ROOT,
    STATEMENTS,
    compiled,
)
from tallystick.cli import main
from tallystick.theorems import theorem_of

SOURCES = sorted(DEVELOPMENT.rglob("*.v"))
HOLES = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Conjectures?|Parameters?|Admit Obligations|bypass_check|TypeInType"
    r"|Unset (Guard|Positivity|Universe))\b"
)
MOST_LINES_TO_READ = 250


def without_comments(text: str) -> str:
    while (shorter := re.sub(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", "", text, flags=re.DOTALL)) != text:
        text = shorter
    return text


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_file_has_an_axiom_or_a_hole(path):
    assert not HOLES.search(without_comments(path.read_text()))


def test_the_search_for_holes_finds_them():
    assert HOLES.search(without_comments("Lemma l : False. (* fine *) Admitted. (* Qed *)"))
    assert not HOLES.search(without_comments("(* Admitted (* nested *) Axiom *) Lemma l : True."))


def test_every_file_is_listed_in_reading_order_and_explained():
    listed = [line for line in (DEVELOPMENT / "_CoqProject").read_text().splitlines() if line.endswith(".v")]
    proved = [path for path in SOURCES if path.parent.name != "extraction"]
    assert sorted(listed) == sorted(str(path.relative_to(DEVELOPMENT)) for path in proved)
    readme = (DEVELOPMENT / "README.md").read_text()
    for path in SOURCES:
        assert f"`{path.relative_to(DEVELOPMENT)}`" in readme
        assert path.read_text().startswith("(** ")


@pytest.mark.parametrize("statement", [file for file, _ in STATEMENTS])
def test_what_a_sceptic_reads_is_one_short_file_that_needs_no_other(statement):
    text = (DEVELOPMENT / statement).read_text()
    assert len(text.splitlines()) < MOST_LINES_TO_READ
    assert LIBRARY not in text


def test_trusted_lists_what_a_theorem_relies_on():
    result = CliRunner().invoke(main, ["trusted", "--coq"])
    lines = [len((DEVELOPMENT / file).read_text().splitlines()) for file, _ in STATEMENTS]
    mentioned = "the definitions in the statement; and the two"
    assert result.output.splitlines() == [
        f"{lines[0]:6}  coq/Semantics.v: {mentioned} programs of the theorem",
        f"{lines[1]:6}  coq/core/Core.v: {mentioned} queries of the theorem",
    ]


def rest_on_no_axiom(imported: str, *names: str) -> bool:
    printed = "".join(f"Print Assumptions {name}.\n" for name in names)
    done = compiled(f"From {imported}.\n{printed}")
    return (done.returncode, done.stdout.splitlines()) == (0, [CLOSED] * len(names))


def test_soundness_rests_on_no_axiom(development):
    names = ("check_sound", "differ_sound", "proves_ok", "ordered_ok", "parted_ok", "plain_sound", "plain_differ")
    assert rest_on_no_axiom(f"{LIBRARY} Require Import Plain", *names)


def test_soundness_for_queries_rests_on_no_axiom(development):
    names = ("q_ok", "rule_sound", "answers_sound", "differ_sound", "order_sound", "same_results")
    assert rest_on_no_axiom(f"{LIBRARY}.core Require Import Differ Trees", *names)


@pytest.mark.slow
def test_coq_s_own_checker_agrees_about_the_library_and_about_exported_files(development, tmp_path):
    schema = "create table emp (id int primary key, dept int, wage int not null)"
    pairs = {
        "equal_sums": (
            "select sum(wage) from emp",
            "select sum(s) from (select sum(wage) as s from emp group by dept) t",
        ),
        "other_rows": ("select dept from emp", "select distinct dept from emp"),
        "other_order": ("select id from emp order by id", "select id from emp order by id desc"),
    }
    given = {name: check_sql(*pair, schema=schema).certificate or b"" for name, pair in pairs.items()}
    given["of_programs"] = (ROOT / "paper/certificates/sparklite-cav-P1-P2.json").read_bytes()
    for name, certificate in given.items():
        (tmp_path / f"{name}.v").write_text(theorem_of(certificate))
    claims = " ".join(str(tmp_path / f"{name}.v") for name in given)
    command = ["make", "--silent", "-C", development, "coqchk", f"CLAIM={claims}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    summary = dict(re.findall(r"^\* (.*?): (.*)$", done.stdout + done.stderr, flags=re.MULTILINE))
    assert summary.pop("Theory") == "Set is predicative"
    assert set(summary.values()) == {"<none>"}
    assert "Axioms" in summary


def test_the_check_for_axioms_finds_one(development):
    text = f"From {LIBRARY} Require Import Check.\nAxiom a : 1 = 2.\nPrint Assumptions a.\n"
    assert CLOSED not in compiled(text).stdout
