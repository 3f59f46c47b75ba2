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
            from tallystick.certificates.rules import no_agg

            return no_agg.NoAgg
        case "Distinct":
            from tallystick.certificates.rules import distinct

            return distinct.Distinct
        case "Fold":
            from tallystick.certificates.rules import fold

            return fold.Fold
        case "ByKey":
            from tallystick.certificates.rules import by_key

            return by_key.ByKey
        case "Congruence":
            from tallystick.certificates.rules import congruence

            return congruence.Congruence
        case "Order":
            from tallystick.certificates.rules import order

            return order.Order
        case "Partition":
            from tallystick.certificates.rules import partition

            return partition.Partition
        case "Normal":
            from tallystick.certificates.rules import normal

            return normal.Normal
        case "Bag":
            from tallystick.certificates.rules import bag

            return bag.Bag
        case "One":
            from tallystick.certificates.rules import one

            return one.One
        case "Sum":
            from tallystick.certificates.rules import sum as sums

            return sums.Sum
        case "LimitMap":
            from tallystick.certificates.rules import limit_map

            return limit_map.LimitMap
        case "LimitPush":
            from tallystick.certificates.rules import limit_push

            return limit_push.LimitPush
        case "Inside":
            from tallystick.certificates.rules import inside

            return inside.Inside
        case "Again":
            from tallystick.certificates.rules import again

            return again.Again
        case "Transitive":
            from tallystick.certificates.rules import transitive

            return transitive.Transitive
        case "Symmetric":
            from tallystick.certificates.rules import symmetric

            return symmetric.Symmetric
        case "Reflexive":
            from tallystick.certificates.rules import reflexive

            return reflexive.Reflexive
        case _:
            return None
