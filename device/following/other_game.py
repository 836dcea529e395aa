"""Notices that another game is played by now: cards lie on the table that this one does not have, or its tricks go by
other rules."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from engine.cards import Card
from engine.events import OTHER_GAME, Ask, Choose, Deal, Way
from engine.match import Header, Match
from engine.notices import NO, YES, accuses
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Point, TableLook, apart
from engine.table.accusation import DEALT_OUT
from engine.table.acts import SEVERAL
from engine.table.which_game import CERTAIN, Add, MatchNow, WhichGame

FOREIGN = 2
"""So many different ones may not be left in a pack by mistake; one may, and a joker is one however many there are."""
TOGETHER_S = 180.0
"""They lie there within so long: some two tricks of slow players, and shorter than a deal."""
GONE = 2
"""Still periods without a card before it is gone."""
ASKED = ("lead", "taken", "winner")
"""What is asked of tricks: by the rules of another game somebody else won them."""
DOUBTS = 2
"""So many of these questions, faults, and cards that were not read (fewer players never laid them) in one deal: then
other games are weighed, since by the rules of one all of it may be right. Where the deal before was not scored, they
are weighed from its first look on."""
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

    def __init__(self, zone: float, compare: Callable[[Header], WhichGame]) -> None:
        """zone: how far out a card is played; markers lie farther out. compare: what tells games apart where that one
        was played last."""
        self._zone, self._compare = zone, compare
        self._which: WhichGame | None = None
        """The games this deal is weighed as, while it is."""
        self._weighed = False
        """It is, or was."""
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
        self._notice_foreign(look, _game_of(match()))
        played = [card for card, seen in self._foreign.items() if seen.played and look.at_s - seen.last_s < TOGETHER_S]
        if _asked(match()):
            self._which = None
        elif len(played) >= FOREIGN:
            _ask(add, played[-1])
        elif self._which is not None:
            self._which.wait(look)
        elif not self._weighed and _doubted(match()) >= DOUBTS:
            self._weigh(match().header)

    def _notice_foreign(self, look: TableLook, game: TrickGame) -> None:
        self._changed = look.changed if look.fresh else self._changed
        faces = {lying.card for lying in look.cards}
        for card, seen in self._foreign.items():
            seen.absent += look.fresh and card not in faces
        for lying in look.cards:
            if lying.card is not None and game.is_foreign(lying.card) and self._in_trick(lying):
                self._saw(lying.card, lying.at, look)

    def _weigh(self, header: Header) -> None:
        """Begins to: this deal's looks wait for it."""
        self._weighed = True
        self._which = self._compare(header)
        self._which.wait(*self.deal_looks)

    def think(self, match: MatchNow, add: Add, thinks_s: float) -> None:
        """Weighs other games, if it is time to, for so long; asks, once this one is out of the question."""
        until_s = monotonic() + thinks_s
        while self._which is not None and self._which.busy and monotonic() < until_s:
            self._which.work()
        if self._which is None or self._which.busy:
            return
        best = self._which.best
        if best.trick_seen and best.explains and self._which.share(match().header) < 1 - CERTAIN:
            self._which = None
            _ask(add)

    def _keep(self, look: TableLook, match: Match) -> None:
        """A deal begins with the first card that lies in the middle after the deal before: the match may not notice."""
        goes_on, laid = match.view.phase not in DEALT_OUT, any(map(self._in_trick, look.cards))
        over = sum(isinstance(told.event, Deal) for told in match.told) - goes_on
        if over != self._over:
            self._over, self._bare, self._begun = over, False, False
            self._which, self._weighed = None, False
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


def _ask(add: Add, card: Card | None = None) -> None:
    """Asks whether it is another game. card: one that this one does not have."""
    add(Ask(OTHER_GAME, (Way(YES, ()), Way(NO, ())), card=card))


def _doubted(match: Match) -> int:
    """How much in this deal is not as the rules have it; enough, where the last one that ended was not scored."""
    ended = next((n.code for n in reversed(match.notices) if n.code in ("deal_scored", "not_scored")), None)
    if ended == "not_scored":
        return DOUBTS
    doubts = 0
    for told in reversed(match.told):
        if isinstance(told.event, Deal):
            break
        doubts += sum(
            accuses(said) or said.code == "unreadable" or said.facts.get("about") in ASKED for said in told.notices
        )
    return doubts


def _asked(match: Match) -> bool:
    """Whether it is being asked, or somebody answered."""
    ours = [number for number, event in enumerate(match.log, 1) if isinstance(event, Ask) and event.what == OTHER_GAME]
    waits = any(asked.facts["about"] == OTHER_GAME for asked in match.state.questions)
    return waits or any(isinstance(told.event, Choose) and told.event.question in ours for told in match.told)
