"""The rules of inference (THEORY section 3), one file each. To add a rule, write its file and a line in `Rule`."""

from __future__ import annotations

from typing import Final, get_args

from tallystick.certificates.rules.by_key import ByKey
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.distinct import Distinct
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive

Rule = NoAgg | Distinct | Fold | ByKey | Congruence | Transitive | Symmetric | Reflexive

RULES: Final[tuple[type, ...]] = get_args(Rule)
"""The kernel takes steps by these rules, and by no others."""
