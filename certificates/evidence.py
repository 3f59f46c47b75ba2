"""All that proofs are made of: see `trees`. Trusted modules import what they need from there and `nodes`."""

from __future__ import annotations

from tallystick.certificates.nodes.apply import Apply
from tallystick.certificates.nodes.check import Check
from tallystick.certificates.nodes.extremum import Extremum
from tallystick.certificates.nodes.foreign import Foreign
from tallystick.certificates.nodes.key import Key
from tallystick.certificates.nodes.lemma import Lemma
from tallystick.certificates.nodes.member import Member
from tallystick.certificates.nodes.opening import Open
from tallystick.certificates.nodes.sign import Sign
from tallystick.certificates.nodes.use import Use
from tallystick.certificates.trees import ORACLES as ORACLES
from tallystick.certificates.trees import Case, Cut, Farkas, Oracle, Split
from tallystick.certificates.trees import Multipliers as Multipliers
from tallystick.certificates.trees import Step as Step
from tallystick.certificates.trees import used as used

Added = Use | Extremum | Key | Foreign | Check | Member | Apply | Sign
"""The nodes that add one formula, which is true of every database and all rows in scope."""
Refutation = Case | Split | Cut | Farkas | Open | Added | Lemma
Evidence = Refutation | Oracle
"""Why a premise is valid (THEORY section 4)."""
