"""What people do at a card table between two looks, and how likely things are there.

Five words say how likely something is. Finer numbers decide nothing: with 74 priors set to one common value, the same
evenings were followed as well.
"""

from typing import NamedTuple

DEAL, LAY, LIFT, GATHER, PILLAGE, SWAP, VOID, CLAIM = (
    "deal", "lay", "lift", "gather", "pillage", "swap", "void", "claim",
)  # fmt: skip
"""A card turned up; a card laid; one taken back; a trick taken up; the turned-up card bought, or exchanged; a deal
given up; the rest of one claimed, and hands laid open."""

RARE, ODD, SOME, EVEN, MOSTLY = 1 / 150, 1 / 30, 1 / 10, 1 / 2, 0.9
"""How likely something is, each time it could be: a fault, or an eye that reads another card; what happens to everybody
now and then; what people and eyes do; what is as likely as not; what was so when the table was looked at before."""
SEVERAL = 3
"""From this count on it is not chance: looks, cards, tricks, faces."""
LAG_S = 0.2
"""What is seen may lag so far behind what a hand did."""
LONG_S = 12.0
"""After so many seconds without a look, or before something is told, it accuses nobody (counted: on films one still
period in 921 came so late; of 120 planted faults 118 were told sooner)."""


class Width(NamedTuple):
    """How much a beam holds."""

    kept: int = 24
    """Hypotheses kept."""
    wide: int = 10
    """Sequences of acts followed at once while one is continued."""
