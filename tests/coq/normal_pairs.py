"""Claims that the kernel proves by normal forms only, and their certificates."""

from functools import cache

from tallystick import check
from tallystick.certificates.codec import decode
from tallystick.certificates.exports.auditors import ROOT
from tallystick.certificates.rules.normal import Normal

PAIRS = (
    ("beyond_nested", "at_most_largest", "everything"),
    ("beyond_extrema", "count_of_pairs", "both_not_empty"),
    ("beyond_extrema", "largest_sum_of_pair", "twice_the_largest"),
    ("beyond_by_key_inside", "grand_total", "plain_total"),
    ("beyond_by_key_inside", "grouped_once", "regrouped"),
)


@cache
def proved_by_normal_forms() -> list[bytes]:
    """A certificate for each of the pairs."""
    found = []
    for suite, left, right in PAIRS:
        path = ROOT / "experiments" / "suites" / f"{suite}.py"
        certificate = check(f"{path}:{left}", f"{path}:{right}", semantics="sparklite").certificate or b""
        assert isinstance(decode(certificate).result.rule, Normal)
        found.append(certificate)
    return found
