"""The rule CUT: what it accepts, and forged certificates that it rejects, each by the step that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.codec import encode
from tallystick.certificates.dataflows.proofs import Cut, DataflowCertificate
from tallystick.certificates.queries.certificates import Witness
from tallystick.certificates.reader import read
from tallystick.core.dataflows.substitution import columns_of
from tallystick.core.dataflows.workflow import Opaque, Wire, require_flow
from tallystick.core.errors import SortError
from tallystick.core.queries.catalogue import Catalogue, Column, Table
from tallystick.core.queries.syntax import Scan, Statement
from tallystick.core.queries.types import INTEGER, TEXT, ColumnType

from dataflow.flows import SHOP, verdict_of
from dataflow.test_sweep import LOOSE, assumed

OLD = {
    "a": "SELECT id, amount FROM orders WHERE amount > 1",
    "b": "SELECT id, amount + 1 AS more FROM a WHERE id > 0",
    "c": "SELECT id, more FROM b",
}
NEW = {
    "a": "SELECT id, amount FROM orders WHERE NOT amount <= 1",
    "b": "SELECT id, 1 + amount AS more FROM a WHERE NOT id <= 0",
    "c": "SELECT id, more FROM b WHERE more > 7",
}


def certificate(old: dict = OLD, new: dict = NEW, schema: str = SHOP) -> DataflowCertificate:
    made = verdict_of(old, new, schema).certificate
    assert made is not None
    found = read(made)
    assert isinstance(found, DataflowCertificate)
    return found


@pytest.fixture(scope="module")
def good() -> DataflowCertificate:
    return certificate()


def audited(made: DataflowCertificate) -> AuditReport:
    return audit(encode(made))


def reason(made: DataflowCertificate) -> str:
    report = audited(made)
    assert not report.accepted
    return report.reason


def steps(made: DataflowCertificate, **parts: tuple) -> DataflowCertificate:
    """The certificate with other cuts or claims."""
    return replace(made, result=(*parts.get("cuts", made.cuts), *parts.get("claims", made.claims)))


def changed_cut(made: DataflowCertificate, number: int, **parts: object) -> DataflowCertificate:
    cuts = list(made.cuts)
    cuts[number] = replace(cuts[number], **parts)
    return steps(made, cuts=tuple(cuts))


def changed_claim(made: DataflowCertificate, number: int, **parts: object) -> DataflowCertificate:
    claims = list(made.claims)
    claims[number] = replace(claims[number], **parts)
    return steps(made, claims=tuple(claims))


def test_a_cut_for_each_equal_wire_and_a_witness_for_the_other(good: DataflowCertificate) -> None:
    assert audited(good).accepted
    assert [cut.wire for cut in good.cuts] == [("new", "a"), ("new", "b")]
    assert good.cuts[1].stops == (("old", "a"),)
    assert [claim.witness is None for claim in good.claims] == [True, True, False]


def test_what_both_versions_have_is_written_once(good: DataflowCertificate) -> None:
    document = json.loads(encode(good))
    wires = [row for row in document["syntax"] if row[0] == "Wire"]
    assert len(wires) == len({json.dumps(row) for row in wires}) == 6
    twice = json.loads(encode(replace(good, new=good.old, result=())))
    assert twice["old"] == twice["new"]


@pytest.mark.parametrize("kind", ["Wire", "Table", "Column", "ColumnType"])
def test_a_row_of_another_kind_does_not_stand_for_a_wire_or_a_query(good: DataflowCertificate, kind: str) -> None:
    document = json.loads(encode(good))
    number = next(i for i, row in enumerate(document["syntax"]) if row[0] == kind)
    for row in document["syntax"][number + 1 :]:
        if row[0] in ("Filter", "Project"):
            row[1] = number
            break
    report = audit(json.dumps(document).encode())
    assert f"node {number} is a {kind}, which does not belong here" in report.reason
    document = json.loads(encode(good))
    document["old"][0] = next(i for i, row in enumerate(document["syntax"]) if row[0] == "Scan")
    assert "is a Scan, which does not belong here" in audit(json.dumps(document).encode()).reason


FORGERIES: dict[str, tuple[Callable[[DataflowCertificate], DataflowCertificate], str]] = {
    "a cut is left out": (lambda c: steps(c, cuts=c.cuts[1:]), "proof: "),
    "the last cut is left out": (lambda c: steps(c, cuts=c.cuts[:1]), "no cut says that 'b' and 'b' are the same"),
    "the cuts come in the other order": (lambda c: steps(c, cuts=c.cuts[::-1]), "proof: "),
    "a cut comes twice": (lambda c: steps(c, cuts=(*c.cuts, c.cuts[1])), "was found equal to another wire before"),
    "a wire equals itself": (lambda c: changed_cut(c, 0, root=("new", "a")), "do not correspond one to one"),
    "a wire that is not there": (lambda c: changed_cut(c, 0, wire=("new", "z")), "there is no wire ('new', 'z')"),
    "a column twice": (lambda c: changed_cut(c, 0, columns=(0, 0)), "do not correspond one to one"),
    "a column left out": (lambda c: changed_cut(c, 0, columns=(0,)), "do not correspond one to one"),
    "columns exchanged": (lambda c: changed_cut(c, 0, columns=(1, 0)), ""),
    "another wire": (lambda c: changed_cut(c, 1, wire=("new", "c")), ""),
    "no proof": (lambda c: changed_cut(c, 0, proof=None), "are not filled by one operator from equal inputs"),
    "the proof of another cut": (lambda c: changed_cut(c, 1, proof=c.cuts[0].proof), ""),
    "a stop at a wire that stands for no other": (
        lambda c: changed_cut(c, 1, stops=(("new", "a"),)),
        "('new', 'a') was found equal to another wire before",
    ),
    "a stop that is not there": (lambda c: changed_cut(c, 1, stops=(("old", "z"),)), "there is no wire ('old', 'z')"),
    "a claim about lists": (lambda c: changed_claim(c, 0, ordered=True), "are the same list"),
    "a claim about other columns": (lambda c: changed_claim(c, 0, columns=(1, 0)), "no cut says"),
    "a claim about another wire": (lambda c: changed_claim(c, 0, new="b"), "no cut says"),
    "a claim that is not so": (lambda c: changed_claim(c, 2, witness=None), "no cut says that 'c' and 'c'"),
    "a witness of a wire that is the same": (
        lambda c: changed_claim(c, 1, witness=c.claims[2].witness),
        "both statements may return the same",
    ),
    "a witness without rows": (
        lambda c: changed_claim(c, 2, witness=Witness(((), ()))),
        "both statements may return the same",
    ),
    "a witness of too few tables": (
        lambda c: changed_claim(c, 2, witness=Witness(((),))),
        "a database has the 2 tables",
    ),
    "an assumption is missing": (lambda c: replace(c, assumptions=c.assumptions[1:]), "such a claim also assumes that"),
    "a wire of the new version is another": (lambda c: replace(c, new=(*c.new[:1], c.old[1], c.new[2])), ""),
    "a wire twice": (lambda c: replace(c, new=(*c.new, c.new[0])), "two tables of the catalogue have one name"),
    "wires in another order": (lambda c: replace(c, new=c.new[::-1]), "which is no table and no earlier wire"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_certificates_are_rejected(good: DataflowCertificate, name: str) -> None:
    forge, expected = FORGERIES[name]
    assert expected in reason(forge(good))


def test_a_witness_that_breaks_what_is_assumed_of_a_wire_is_rejected() -> None:
    keyed = assumed("a", "SELECT id, v FROM raw WHERE v > 0", keys=(("id",),), not_null=("id",))
    old = {"a": keyed, "b": "SELECT id, v FROM a"}
    made = certificate(old, {**old, "b": "SELECT id, v + 1 AS v FROM a"}, LOOSE)
    assert audited(made).accepted
    twice = Witness((((1, 1), (1, 2)), ()))
    assert reason(changed_claim(made, 1, witness=twice)) == "on the witness, row 1 of 'a' breaks a key"
    null = Witness((((None, 1),), ()))
    assert (
        reason(changed_claim(made, 1, witness=null)) == "on the witness, row 0 of 'a' breaks the types of the columns"
    )
    legal = Witness((((1, 1), (1, 0), (None, -1)), ()))
    assert audited(changed_claim(made, 1, witness=legal)).accepted


def test_what_is_assumed_of_a_wire_has_to_be_said() -> None:
    keyed = assumed("a", "SELECT id, v FROM raw", keys=(("id",),), not_null=("id",))
    old = {"a": keyed, "b": "SELECT id, v FROM a"}
    made = certificate(old, {**old, "b": "SELECT DISTINCT id, v FROM a"}, LOOSE)
    assert audited(made).accepted
    assert "assumed: key ('id')" in audited(made).claim
    without = tuple(replace(wire, table=replace(wire.table, keys=())) for wire in made.old)
    others = tuple(replace(wire, table=replace(wire.table, keys=())) for wire in made.new)
    assert "proof: premise" in reason(replace(made, old=without, new=others))


def draw(name: str, repeatable: bool = False, function: str = "f") -> Wire:
    """A wire of an opaque operator over a source."""
    return Wire(
        Table(name, (Column("x", INTEGER),)), Opaque(function, ("orders",), (ColumnType(INTEGER, True),), repeatable)
    )


def over(certificate_: DataflowCertificate, old: tuple[Wire, ...], new: tuple[Wire, ...], *cuts: Cut) -> AuditReport:
    from tallystick.core.queries.assumptions import Assumption

    made = replace(certificate_, old=old, new=new, result=cuts, assumptions=tuple(Assumption))
    return audited(made)


def same(wire: tuple[str, str], root: tuple[str, str], columns: int = 1) -> Cut:
    return Cut(wire, root, tuple(range(columns)), False, (), None)  # type: ignore[arg-type]


def test_opaque_operators_are_equal_by_their_functions_and_inputs(good: DataflowCertificate) -> None:
    one, other = draw("a", True), draw("a", True, "g")
    assert over(good, (one,), (one,), same(("new", "a"), ("old", "a"))).accepted
    assert not over(good, (one,), (other,), same(("new", "a"), ("old", "a"))).accepted
    renamed = (one, draw("b", True))
    assert over(good, renamed, renamed, same(("new", "b"), ("old", "a"))).accepted
    assert over(good, renamed, renamed, same(("new", "b"), ("new", "a"))).accepted


def test_draws_are_equal_only_to_the_draw_of_their_name_in_the_other_version(good: DataflowCertificate) -> None:
    both = (draw("a"), draw("b"))
    assert over(good, both, both, same(("new", "a"), ("old", "a"))).accepted
    assert not over(good, both, both, same(("new", "b"), ("old", "a"))).accepted
    assert not over(good, both, both, same(("old", "b"), ("old", "a"))).accepted


def test_a_proof_may_not_reach_what_draws(good: DataflowCertificate) -> None:
    """Even a wire that reads a draw and returns the same whatever it gives is equal by its operator alone."""
    source = draw("a")
    reader = Wire(Table("b", (Column("x", INTEGER),)), Statement(Scan("a", (ColumnType(INTEGER, True),)), ("x",)))
    cuts = same(("new", "a"), ("old", "a")), same(("new", "b"), ("old", "b"))
    assert over(good, (source, reader), (source, reader), *cuts).accepted
    proved = replace(cuts[1], stops=(("old", "a"),), proof=good.cuts[0].proof)
    assert "does not repeat its rows" in over(good, (source, reader), (source, reader), cuts[0], proved).reason


def test_the_names_of_columns_matter_to_opaque_operators(good: DataflowCertificate) -> None:
    """An opaque text finds its columns by name: inputs of equal rows under other names are other inputs."""
    row = (ColumnType(INTEGER, True),)
    named = [draw("a", True), replace(draw("a", True), table=Table("a", (Column("y", INTEGER),)))]
    reader = Wire(Table("b", (Column("x", INTEGER),)), Opaque("h", ("a",), row))
    cuts = same(("new", "a"), ("old", "a")), same(("new", "b"), ("old", "b"))
    assert over(good, (named[0], reader), (named[0], reader), *cuts).accepted
    assert not over(good, (named[0], reader), (named[1], reader), *cuts).accepted


def test_wires_state_what_their_operators_give() -> None:
    scan = Scan("t", (ColumnType(INTEGER, False),))
    statement = Statement(scan, ("x",))
    Wire(Table("w", (Column("x", INTEGER, False),)), statement)
    with pytest.raises(SortError, match="the columns of wire w are not those of its operator"):
        Wire(Table("w", (Column("x", TEXT),)), statement)
    with pytest.raises(SortError, match="is said to hold NULL where its operator gives none"):
        Wire(Table("w", (Column("x", INTEGER, True),)), statement)


def test_wires_read_what_is_there() -> None:
    catalogue = Catalogue((Table("t", (Column("x", INTEGER),)),))
    row = (ColumnType(INTEGER, True),)
    wire = Wire(Table("w", (Column("x", INTEGER),)), Statement(Scan("t", row), ("x",)))
    require_flow((wire,), catalogue)
    for other, message in (
        (Scan("u", row), "wire w reads u, which is no table and no earlier wire"),
        (Scan("w", row), "wire w reads w, which is no table and no earlier wire"),
        (Scan("t", (*row, *row)), "wire w reads other columns than t has"),
    ):
        with pytest.raises(SortError, match=message):
            require_flow((replace(wire, operator=Statement(other, ("x",))),), catalogue)
    with pytest.raises(SortError, match="two tables or wires have the name t"):
        require_flow((replace(wire, table=Table("t", (Column("x", INTEGER),))),), catalogue)


def test_a_column_may_be_said_to_hold_null_but_not_that_it_holds_none() -> None:
    scan = Scan("t", (ColumnType(INTEGER, False), ColumnType(TEXT, True)))
    assert columns_of(scan, (1, 0), (ColumnType(TEXT, True), ColumnType(INTEGER, True))).columns[1].nullable
    with pytest.raises(SortError, match="columns of a query are read as those of another type"):
        columns_of(scan, (0, 1), (ColumnType(INTEGER, False), ColumnType(TEXT, False)))


def test_a_certificate_is_about_the_wires_that_are_asked_about(good: DataflowCertificate) -> None:
    data, other = encode(good), "the certificate is about other wires or sources, or another reading of them"
    assert audit(data, replace(good, result=())).accepted
    for change in ({"old": good.new}, {"new": good.old}, {"dialect": "postgres"}):
        assert audit(data, replace(good, **change)).reason == other
    assert audit(data.replace(b",", b", ", 1), good).reason != other
