"""Proofs by BAG about queries as Coq's data (`coq/queries/Bags.v`)."""

from __future__ import annotations

from tallystick.certificates.exports.coq import CoqData, quoted_name, type_of
from tallystick.certificates.exports.coq_evidence import listed
from tallystick.certificates.exports.coq_facts import BagProof, Because
from tallystick.certificates.exports.coq_forms import Forms


def form_proof_lines(forms: Forms, proof: BagProof) -> list[str]:
    """The definition of a proof by BAG about queries, `evidence`, and of the terms that it shares."""
    counting = CoqData()
    _written(counting, forms, proof)
    data = CoqData(counting.uses)
    text = _written(data, forms, proof)
    return [*data.writer.lines, *data.lines, f"Definition evidence : form_proof :=\n  {text}."]


def _written(data: CoqData, forms: Forms, proof: BagProof) -> str:
    """A proof by BAG, with the functions that it defines."""
    functions = (
        f"{{| ex_name := {quoted_name(each.name)}; ex_takes := {listed(map(type_of, each.takes))}; "
        f"ex_over := {listed(f'({quoted_name(name)}, {type_of(of)})' for name, of in each.over)}; "
        f"ex_where := {data.any_term(each.where)} |}}"
        for each in reversed(forms.functions)
    )
    last = len(forms.functions) - 1
    pairs = (
        f"{{| left_one := {data.writer.natural(pair.left)}; right_one := {data.writer.natural(pair.right)}; "
        f"order := {data.writer.naturals(pair.order)}; "
        + "; ".join(
            f"{name} := {_because(data, each, last)}"
            for name, each in zip(("forth", "back", "same_head"), pair.evidence, strict=True)
        )
        + " |}"
        for pair in proof.pairs
    )
    empty = (
        listed(f"({data.writer.natural(number)}, {_because(data, each, last)})" for number, each in side)
        for side in proof.empty
    )
    left, right = empty
    return (
        f"{{| functions := {listed(functions)};\n  pairs := {listed(pairs)};\n"
        f"  left_empty := {left}; right_empty := {right} |}}"
    )


def _because(data: CoqData, because: Because, last: int) -> str:
    """Steps, and a tree; functions are numbered from the last."""
    steps = []
    for fact in because.steps:
        number = last - fact.number if fact.name in ("Open", "Use") else fact.number
        words = [fact.name, data.writer.natural(number)]
        if fact.name in ("Open", "Use"):
            words.append(listed(map(data.any_term, fact.arguments)))
        if fact.name == "Use":
            words.append(data.writer.naturals(fact.rows))
        elif fact.name != "Open":
            words += map(data.writer.natural, fact.rows)
        steps.append(f"({' '.join(words)})")
    return f"({listed(steps)}, {data.writer.tree(because.tree)})"
