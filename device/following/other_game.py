"""Notices that another game is played by now: cards lie on the table that this one does not have."""

import math
from collections import deque
from dataclasses import dataclass

from engine.cards import Card
from engine.events import OTHER_GAME, Ask, Choose, Deal, Way
from engine.match import Match
from engine.notices import NO, YES
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Point, TableLook, apart
from engine.table.accusation import DEALT_OUT
from engine.table.acts import SEVERAL
from engine.table.which_game import Add, MatchNow

FOREIGN = 2
"""So many different ones may not be left in a pack by mistake; one may, and a joker is one however many there are."""
TOGETHER_S = 180.0
"""They lie there within so long: some two tricks of slow players, and shorter than a deal."""
GONE = 2
"""Still periods without a card before it is gone."""
MOST_LOOKS = 1000
"""Of a deal that are kept: more than the longest has."""


@dataclass
class Foreign:
    """A card that the game does not have."""

    stays: bool
    """It shows where nobody put anything: rather print that is taken for a card."""
    last_s: float = 0.0
    looks: int = 0
    absent: int = 0
    """Still periods since it was seen."""

    @property
    def played(self) -> bool:
        """Whether it was laid there, as far as looks tell."""
        return self.looks >= SEVERAL and not self.stays


class OtherGame:
    """Looks at one table beside whoever follows it."""

    def __init__(self, zone: float) -> None:
        """zone: how far out a card is played; markers lie farther out."""
        self._zone = zone
        self._foreign: dict[Card, Foreign] = {}
        self.deal_looks: deque[TableLook] = deque(maxlen=MOST_LOOKS)
        """Those of the deal that goes on: of the other game, if it is one."""
        self._over = 0
        """Deals of the match that are over."""
        self._bare = self._begun = False
        """Since the last of them the middle was empty; and the next deal has begun."""
        self._changed: tuple[tuple[float, float, float], ...] = ()
        """Where the table looked otherwise when it was touched last."""

    def look(self, look: TableLook, match: MatchNow, add: Add) -> None:
        """Takes a look in; asks the players, if it is time to."""
        self._keep(look, match())
        self._changed = look.changed if look.fresh else self._changed
        faces = {lying.card for lying in look.cards}
        for card, seen in self._foreign.items():
            seen.absent += look.fresh and card not in faces
        game = _game_of(match())
        for lying in look.cards:
            if lying.card is not None and game.is_foreign(lying.card) and self._in_trick(lying):
                self._saw(lying.card, lying.at, look)
        played = [card for card, seen in self._foreign.items() if seen.played and look.at_s - seen.last_s < TOGETHER_S]
        if len(played) >= FOREIGN and not _asked(match()):
            add(Ask(OTHER_GAME, (Way(YES, ()), Way(NO, ())), card=played[-1]))

    def _keep(self, look: TableLook, match: Match) -> None:
        """A deal begins with the first card that lies in the middle after the deal before: the match may not notice."""
        goes_on, laid = match.view.phase not in DEALT_OUT, any(map(self._in_trick, look.cards))
        over = sum(isinstance(told.event, Deal) for told in match.told) - goes_on
        if over != self._over:
            self._over, self._bare, self._begun = over, False, False
        self._begun |= goes_on or (laid and self._bare)
        self._bare |= not laid
        if not laid and not self._begun:
            self.deal_looks.clear()
        self.deal_looks.append(look)

    def _in_trick(self, lying: CardLying) -> bool:
        return math.hypot(*lying.at) <= self._zone

    def _saw(self, card: Card, at: Point, look: TableLook) -> None:
        put = any(apart(at, (x, y)) < radius + look.card_length / 2 for x, y, radius in self._changed)
        seen = self._foreign.setdefault(card, Foreign(stays=not put))
        seen.stays |= seen.absent >= GONE and not put
        seen.last_s, seen.looks, seen.absent = look.at_s, seen.looks + 1, 0


def _game_of(match: Match) -> TrickGame:
    assert isinstance(match.judge, CardJudge)
    return match.judge.game


def _asked(match: Match) -> bool:
    """Whether it is being asked, or somebody answered."""
    ours = [number for number, event in enumerate(match.log, 1) if isinstance(event, Ask) and event.what == OTHER_GAME]
    waits = any(asked.facts["about"] == OTHER_GAME for asked in match.state.questions)
    return waits or any(isinstance(told.event, Choose) and told.event.question in ours for told in match.told)
