"""What nodes compute over several rows: aggregate calls, window calls, orders and frames."""

from __future__ import annotations

from tallystick.core.queries.constructs.aggregates import AggregateCall as AggregateCall
from tallystick.core.queries.constructs.aggregates import GroupingCall as GroupingCall
from tallystick.core.queries.constructs.windows import NUMBERED as NUMBERED
from tallystick.core.queries.constructs.windows import RANKS as RANKS
from tallystick.core.queries.constructs.windows import UP_TO_PEERS as UP_TO_PEERS
from tallystick.core.queries.constructs.windows import WHOLE_PARTITION as WHOLE_PARTITION
from tallystick.core.queries.constructs.windows import WINDOW_FUNCTIONS as WINDOW_FUNCTIONS
from tallystick.core.queries.constructs.windows import Frame as Frame
from tallystick.core.queries.constructs.windows import WindowCall as WindowCall
from tallystick.core.queries.constructs.windows import WindowFunction as WindowFunction
from tallystick.core.queries.nodes import OrderKey as OrderKey
