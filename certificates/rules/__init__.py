"""The rules of inference (THEORY section 3, THEORY-SQL section 4), one file each.

The file of a rule is loaded when somebody asks for it by name: an audit relies on the rules of its certificate alone.
To add a rule, write its file, and its name in the list that it belongs to and in `rule`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from tallystick.certificates.judgements import RuleOfInference

OF_PROGRAMS: Final = ("NoAgg", "Distinct", "Fold", "ByKey", "Congruence", "Order", "Partition", "Normal")
OF_QUERIES: Final = ("Bag", "One", "Sum", "LimitMap", "LimitPush", "Inside", "Again")
"""Of sums of monomials: those of queries, and of programs above a step by Normal."""
OF_BOTH: Final = ("Transitive", "Symmetric", "Reflexive")

Rule: TypeAlias = RuleOfInference
"""What annotations call a rule: certificates have the classes that `rule` gives, and no others."""


def rule(name: str) -> type | None:
    """The class of the rule with a name; None where there is none: the kernel takes steps by no others."""
    match name:
        case "NoAgg":
            from tallystick.certificates.rules import no_agg as found
        case "Distinct":
            from tallystick.certificates.rules import distinct as found
        case "Fold":
            from tallystick.certificates.rules import fold as found
        case "ByKey":
            from tallystick.certificates.rules import by_key as found
        case "Congruence":
            from tallystick.certificates.rules import congruence as found
        case "Order":
            from tallystick.certificates.rules import order as found
        case "Partition":
            from tallystick.certificates.rules import partition as found
        case "Normal":
            from tallystick.certificates.rules import normal as found
        case "Bag":
            from tallystick.certificates.rules import bag as found
        case "One":
            from tallystick.certificates.rules import one as found
        case "Sum":
            from tallystick.certificates.rules import sum as found
        case "LimitMap":
            from tallystick.certificates.rules import limit_map as found
        case "LimitPush":
            from tallystick.certificates.rules import limit_push as found
        case "Inside":
            from tallystick.certificates.rules import inside as found
        case "Again":
            from tallystick.certificates.rules import again as found
        case "Transitive":
            from tallystick.certificates.rules import transitive as found
        case "Symmetric":
            from tallystick.certificates.rules import symmetric as found
        case "Reflexive":
            from tallystick.certificates.rules import reflexive as found
        case _:
            return None
    return getattr(found, name)
