"""Explanations of all pairs of the suites, in all formats; and what each of them must tell."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner
from tallystick.certificates import rules
from tallystick.cli import main
from tallystick.core.terms import add, variable
from tallystick.core.types import INT
from tallystick.explaining import FORMATS
from tallystick.explaining.derivation import RULES, premise_in_words
from tallystick.explaining.document import FORMULA_LIMIT, Code, Document, Formula, Paragraph, Section, term_text
from tallystick.explaining.errata import ERRATA
from tallystick.explaining.latex_format import mathematics
from tallystick.explaining.walkthrough import needed_source

pytestmark = pytest.mark.xdist_group("explanations")  # of all pairs, made once
CAV = "experiments/suites/sparklite_cav.py"
MEANING = "experiments/suites/errata_meaning.py"
GRADES = "examples/passing_grades.py"


def sections(document: Document) -> dict[str, Section]:
    return {block.title: block for block in document.blocks if isinstance(block, Section)}


def text_of(document: Document) -> str:
    return FORMATS["text"](document)


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


def test_every_rule_for_programs_is_explained():
    """Those for queries are in `test_query_explanations`."""
    assert set(RULES) == set(map(rules.rule, (*rules.OF_PROGRAMS, *rules.OF_BOTH)))


def test_every_pair_says_what_it_is_and_what_was_found(documents):
    for pair, document in documents:
        first = ["Counterexample"] * (pair.expected == "inequivalent") + ["Programs", "Class", "Program terms"]
        assert list(sections(document))[: len(first)] == first, pair.name
        found = "Proof" if pair.expected == "equivalent" else "Counterexample"
        assert {found, "Audit"} <= set(sections(document)), pair.name


def test_text_is_at_most_80_columns_wide_but_for_the_users_own_lines(documents):
    for pair, document in documents:
        own = {
            f"    {line}"
            for block in sections(document)["Programs"].blocks
            if isinstance(block, Code)
            for line in block.source.splitlines()
        }
        assert [line for line in text_of(document).splitlines() if len(line) > 80 and line not in own] == [], pair.name


class WellFormed(HTMLParser):
    """Checks that tags are closed in order, and collects names of tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_are_well_formed_and_load_nothing(documents):
    for pair, document in documents:
        page = FORMATS["html"](document)
        parser = WellFormed()
        parser.feed(page)
        assert parser.open == [], pair.name
        assert not parser.seen & {"script", "link", "img", "src", "href", "iframe"}, pair.name
        assert "url(" not in page
        assert "@import" not in page


def test_latex_is_balanced_and_in_ascii_outside_of_the_users_own_lines(documents):
    for pair, document in documents:
        page = re.sub(r"\\begin\{Verbatim\}.*?\\end\{Verbatim\}", "", FORMATS["latex"](document), flags=re.DOTALL)
        assert page.isascii(), (pair.name, sorted(set(page) - set(map(chr, range(128)))))
        bare = page.replace("\\{", "").replace("\\}", "")
        assert bare.count("{") == bare.count("}"), pair.name
        assert page.count("\\begin{") == page.count("\\end{"), pair.name


def test_markdown_closes_its_fences(documents):
    for pair, document in documents:
        fences = [line for line in FORMATS["markdown"](document).splitlines() if line.startswith("```")]
        assert fences[1::2] == ["```"] * (len(fences) // 2), pair.name
        assert set(fences[::2]) == {"```python", "```text"}, pair.name


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        ("ite(x_R < 50, 2*x_R, ⊥)", r"\mathrm{ite}(x_{R} < 50, 2\cdot x_{R}, \bot )"),
        ("x_grades'.1 div 10", r"x_{\mathit{grades}}'.1 \mathbin{\mathrm{div}} 10"),
        ("p₂(x_S) ≠ k_max", r"\mathrm{p}_{2}(x_{S}) \ne  \mathit{k\_max}"),
        ("fold(0, λA,x. A + x)(R)", r"\mathrm{fold}(0, \lambda A,x. A + x)(R)"),
        ("{{(6, 1) ×2}}", r"\{\!\{(6, 1) \times 2\}\!\}"),
        ("a ∧ ¬b ⇒ true", r"a \land  \lnot b \Rightarrow  \mathrm{true}"),
    ],
)
def test_formulas_in_latex(formula, latex):
    assert mathematics(formula) == latex


def test_an_explanation_is_the_same_each_time(explained):
    once, again = (explained(f"{CAV}:p3", f"{CAV}:p4") for _ in range(2))
    assert once == again


def test_program_terms_keep_what_is_missing(explained):
    told = text_of(explained(f"{CAV}:p1", f"{CAV}:p2"))
    assert "    ite(2*x_r < 100, 2*x_r, ⊥) = 2*ite(x_r < 50, x_r, ⊥)\n" in told
    assert told.index("conditionals: a conditional") < told.index("absence: ⊥ = ⊥ is true")


def test_a_permuted_self_product_is_compared_with_its_slots_exchanged(explained):
    told = text_of(explained(f"{MEANING}:differences", f"{MEANING}:differences_reversed"))
    assert "The input bags count, and each occurrence counts" in told
    assert "    x_r - x_r' = x_r - x_r'\n" in told


def test_a_counterexample_is_followed_through_both_programs(explained):
    told = text_of(explained(f"{GRADES}:before", f"{GRADES}:too_strict"))
    assert "- grades is {{(0, 60)}}\n" in told
    assert "- map(λ(x, y). (y div 10, 1))(grades) = {{(6, 1)}}\n" in told
    assert "- filter(λ(x, y). y > 60)(grades) = {{}}\n" in told


def test_theorem_3_comes_with_its_erratum(explained):
    told = text_of(explained(f"{CAV}:p5", f"{CAV}:p6"))
    assert "Theorem 3 lacks a case" in told
    assert "Invariant:\n\n    M1 = 1000 ∧ M2 = 1000\n" in told


def test_an_unknown_verdict_tells_what_was_tried(explained, write):
    path = write(
        "unknown.py",
        """
        def square(R: RDD[int]) -> bool:
            return R.cartesian(R).count() >= R.count()

        def always(R: RDD[int]) -> bool:
            return R.count() >= 0
        """,
    )
    document = explained(f"{path}:square", f"{path}:always")
    told = text_of(document)
    assert "Unknown: no method found a proof" in told
    assert "did not answer" in told
    assert "Unknown is an answer" in told
    assert "Audit" not in sections(document)


def test_each_erratum_concerns_a_pair_of_the_suites_or_an_unknown_verdict(documents):
    shown = {
        inner.title
        for _, document in documents
        if (section := sections(document).get("What the papers get wrong here"))
        for inner in section.blocks
        if isinstance(inner, Section)
    }
    assert shown | {"Unknown is an answer"} == {erratum.name for erratum in ERRATA}


def test_only_functions_that_are_used_are_shown():
    source = "def f(x):\n    return g(x)\n\ndef h(x):\n    return x\n\ndef g(x):\n    return x\n"
    assert needed_source(source, "f") == "def f(x):\n    return g(x)\n\ndef g(x):\n    return x"


def test_what_functions_use_is_shown_with_them():
    source = "LIMIT = BASE + 1\n\nBASE = 4\n\nOTHER = 5\n\n@memo\ndef f(x):\n    # below\n    return x < LIMIT\n"
    assert needed_source(source, "f") == source.replace("OTHER = 5\n\n", "").rstrip()
    twice = "def g(x):\n    return x\n\ndef g(x):\n    return 1\n\ndef f(x):\n    return g(x)"
    assert needed_source(twice, "f") == twice
    assert needed_source("  not Python at all\n", "f") == "  not Python at all"


def test_a_term_that_is_too_large_is_described():
    term = variable("x", INT)
    while len(str(term_text(term))) and term_text(term)[0] != "(":
        term = add(term, term)
    assert term_text(term) == f"(a term of {2 * 256 - 1} operators, too large to show)"
    assert FORMULA_LIMIT < 2 * 256 - 1


def test_a_premise_without_words_is_an_error():
    with pytest.raises(ValueError, match=r"^no rule has a premise 'final'$"):
        premise_in_words("final")


def test_what_stands_between_backticks_is_a_formula():
    document = Document("a ≡ b", (Paragraph("`a_b` is <small> & 100%"), Formula(("a", "∧ b"))))
    assert "<p><code>a_b</code> is &lt;small&gt; &amp; 100%</p>" in FORMATS["html"](document)
    assert "`a_b` is \\<small\\> & 100%" in FORMATS["markdown"](document)
    assert r"\(\mathit{a\_b}\) is \ensuremath{<}small\ensuremath{>} \& 100\%" in FORMATS["latex"](document)
    assert "a_b is <small> & 100%" in text_of(document)


def test_code_in_latex_keeps_the_signs_that_latex_has():
    page = FORMATS["latex"](Document("a", (Code("x = 1  # x ≥ 1, 中"),)))
    assert "x = 1  # x ≥ 1, <U+4E2D>" in page
    assert r"\DeclareUnicodeCharacter{2265}{\ensuremath{\ge}}" in page


def test_the_command_writes_a_file_or_prints(tmp_path):
    page = tmp_path / "page.html"
    written = run("explain", f"{CAV}:p1", f"{CAV}:p2", "--format", "html", "-o", str(page))
    assert (written.exit_code, written.output) == (0, "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    printed = run("explain", f"{CAV}:p1", f"{CAV}:p2_prime")
    assert printed.exit_code == 0
    assert printed.output.startswith("p1 ≢ p2_prime\n=============\n")


def test_check_explains_with_the_same_words(explained):
    checked = run("check", f"{CAV}:p1", f"{CAV}:p2", "--explain", "--semantics", "sparklite")
    assert checked.exit_code == 0
    assert checked.output.endswith(text_of(explained(f"{CAV}:p1", f"{CAV}:p2")))


def test_bad_input_to_explain_is_exit_status_3():
    assert run("explain", f"{CAV}:p1", f"{CAV}:nothing").exit_code == 3
    assert run("explain", f"{CAV}:p1", f"{CAV}:p31").exit_code == 3
