"""The rules of inference (THEORY section 3, THEORY-SQL section 4), one file each.

To add a rule, write its file and a line in `Rule`.
"""

from __future__ import annotations

from typing import Final, get_args

from tallystick.certificates.rules.again import Again
from tallystick.certificates.rules.bag import Bag
from tallystick.certificates.rules.by_key import ByKey
from tallystick.certificates.rules.congruence import Congruence
from tallystick.certificates.rules.distinct import Distinct
from tallystick.certificates.rules.fold import Fold
from tallystick.certificates.rules.inside import Inside
from tallystick.certificates.rules.limit_map import LimitMap
from tallystick.certificates.rules.limit_push import LimitPush
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.certificates.rules.normal import Normal
from tallystick.certificates.rules.one import One
from tallystick.certificates.rules.order import Order
from tallystick.certificates.rules.partition import Partition
from tallystick.certificates.rules.reflexive import Reflexive
from tallystick.certificates.rules.sum import Sum
from tallystick.certificates.rules.symmetric import Symmetric
from tallystick.certificates.rules.transitive import Transitive

OfQueries = Bag | One | Sum | LimitMap | LimitPush | Inside | Again
OfPrograms = NoAgg | Distinct | Fold | ByKey | Congruence | Order | Partition | Normal
Rule = OfPrograms | OfQueries | Transitive | Symmetric | Reflexive

RULES: Final[tuple[type, ...]] = get_args(Rule)
"""The kernel takes steps by these rules, and by no others."""
