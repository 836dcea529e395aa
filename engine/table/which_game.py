"""Which card game lies on a table, and how many play it: a table for each, all given the same looks, compared by how
well they explain them. Nothing is told here: whoever asks decides what is done with it.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.events import Event, EventError
from engine.games import FEWEST_PLAYERS, GAMES, MOST_PLAYERS
from engine.match import Header, Match
from engine.notices import ALERT, ASK, Notice, accuses
from engine.options import OptionError
from engine.rules.tricks import THE_TAKERS
from engine.sightings import TableLook
from engine.table.acts import EVEN, ODD, RARE, SEVERAL, SOME, Width
from engine.table.arms import over_the_middle
from engine.table.card_table import CardTable
from engine.table.costs import SURE
from engine.table.hypothesis import PLAYING

MOST_EVENTS_A_LOOK = 40
"""A whole scattered pack in one look; more would be going round in circles."""
GAME_OUT = 22.0
"""Log-odds behind the best from which a game is not followed any more: in made evenings what was played was at times 16
behind, for a trick that was understood late."""
CERTAIN = 0.99
"""The posterior from which a game is another than was thought, or none other."""
SHADOW = Width(kept=8, wide=5)
"""So many hypotheses are kept of each game, as long as it is one of many: counted on made evenings, the same games
are told as with all of it, for less time."""
ALIKE = math.log(SURE / (1 - SURE))
"""Log-odds behind the best within which a game may well be the one: as much as makes one of two sure."""

MatchNow = Callable[[], Match]
Add = Callable[[Event], list[Notice]]


@dataclass
class Candidate:
    """One game for so many players, followed as if it were the one."""

    match: Match
    table: CardTable
    prior: float = 0.0
    """Log-probability before anything is seen."""
    add: Add | None = None
    """Where its events go; None: to its own match, which nobody else knows of."""
    trick_seen: bool = False
    """A whole trick was laid and taken up, and every card of it was seen: so many play."""
    _not_taken: set[int] = field(default_factory=set)
    """Tricks in which the turned-up card still lay, though it should have been taken."""
    _revokes: int = 0
    _arms: float = 0.0
    """How well the hands over the middle come from where so many sit."""
    _counted_s: float = -math.inf
    """When the last hand came that was counted for that."""

    @property
    def header(self) -> Header:
        """What is played, and by how many."""
        return self.match.header

    @property
    def log_posterior(self) -> float:
        """How likely it is, as a logarithm, compared with the others."""
        odd = self._revokes + min(len(self._not_taken), SEVERAL)
        arms = EVEN * self._arms  # Those of one player are not independent.
        return self.prior + self.table.evidence + math.log(RARE) * odd + arms

    @property
    def explains(self) -> bool:
        """Whether it is for certain this game and not none: at a table that nobody can follow, or lately could not,
        which game is the likeliest tells nothing (counted: +8 to +138 where one was played; there -104 to +1)."""
        return self.log_posterior > math.log(CERTAIN / (1 - CERTAIN))

    @property
    def tricks(self) -> int:
        """Of this deal that were taken up."""
        return self.table.beam[0].done if self.table.beam else 0

    @property
    def leads(self) -> frozenset[int]:
        """Who may lead the next trick."""
        return self.table.beam[0].leads if self.table.beam else frozenset()

    @property
    def led_on(self) -> bool:
        """Whether somebody has led since the first trick was taken up: that tells who won it."""
        best = self.table.beam[0] if self.table.beam else None
        return self.deals_over > 0 or (best is not None and (best.done > 1 or (best.done == 1 and len(best.trick) > 0)))

    @property
    def deals_over(self) -> int:
        """Deals that were played out."""
        return sum(notice.code == "deal_scored" for notice in self.match.notices)

    def look(self, look: TableLook) -> None:
        """Takes a look in."""
        take_in(self.table, look, lambda: self.match, self.add or self.match.add)
        self._count_arms(look)
        best, said = self.table.beam[0], self.match.notices
        last = [laid.card for laid in best.last] if best.done else []
        self.trick_seen = self.trick_seen or (len(last) == self.header.players and None not in last)
        self._revokes = sum(notice.code == "revoke" and notice.level == ALERT for notice in said)
        if self.table.game.turn_up_goes == THE_TAKERS:
            self._still_lies(look)

    def _count_arms(self, look: TableLook) -> None:
        """Counts from where the hands came that reached over the middle."""
        players = self.header.players
        for hand in look.hands:
            if hand.came_s <= self._counted_s or not over_the_middle(hand):
                continue
            fits = [math.exp(self.table.arms.log_angle(hand.angle_deg, seat)) for seat in range(players)]
            self._arms += math.log((1 - ODD) * sum(fits) / players + ODD)
        self._counted_s = max((self._counted_s, *(hand.came_s for hand in look.hands)))

    def _still_lies(self, look: TableLook) -> None:
        """Notes whether the card lies there that somebody should have taken."""
        best = self.table.beam[0]
        played = {laid.card for laid in best.trick} | best.played
        lies = best.turn_up not in played and any(lying.card == best.turn_up for lying in look.cards)
        if lies and best.phase == PLAYING and len(best.trick) > 1:
            self._not_taken.add(best.serial)


def take_in(table: CardTable, look: TableLook, match: MatchNow, add: Add) -> str | None:
    """One look, and all that it tells, added to the match. Returns why the match refused an event; None: it took
    all."""
    table.look(look, match())
    for _ in range(MOST_EVENTS_A_LOOK):
        event = table.next(match())
        if event is None:
            break
        try:
            add(event)
        except EventError as error:
            table.refused()
            return str(error)
    return None


def lead_tells(games: Sequence[Candidate]) -> bool:
    """Whether who leads the next trick may tell these apart: others won the last by their rules, or fewer play."""
    return len({(candidate.header.players, candidate.leads) for candidate in games}) > 1


class WhichGame:
    """Follows every card game there is, until all but one are out of the question."""

    def __init__(
        self,
        table_of: Callable[[Match, Width], CardTable],
        options: Callable[[str, int], Mapping[str, object]],
        players: int,
        last: Header | None = None,
    ) -> None:
        """table_of: the table a match is followed on, as wide; options: what the house decides of a game;
        players: how many usually play; last: what was played last."""
        matches = _matches(options)
        self._candidates = [
            Candidate(match, table_of(match, SHADOW), _prior(match.header, players, last)) for match in matches
        ]
        self._waiting: deque[TableLook] = deque()
        """Looks that were not taken in by all."""
        self._to_go: list[Candidate] = []
        """Who has not taken in the first of them."""

    @property
    def posteriors(self) -> list[tuple[Candidate, float]]:
        """How likely each game is that is still possible, the likeliest first."""
        logs = [candidate.log_posterior for candidate in self._candidates]
        top = max(logs)
        weights = [math.exp(log - top) for log in logs]
        total = sum(weights)
        found = [(candidate, weight / total) for candidate, weight in zip(self._candidates, weights, strict=True)]
        return sorted(found, key=lambda posterior: -posterior[1])

    @property
    def best(self) -> Candidate:
        """The likeliest."""
        return self.posteriors[0][0]

    @property
    def sure(self) -> Candidate | None:
        """The game that is played, once that is known: not before a trick was seen whole."""
        return self._with_share(SURE)

    @property
    def certain(self) -> Candidate | None:
        """The same, but for certain."""
        return self._with_share(CERTAIN)

    def _with_share(self, least: float) -> Candidate | None:
        best, posterior = self.posteriors[0]
        return best if posterior >= least and best.trick_seen else None

    @property
    def alike(self) -> tuple[Candidate, ...]:
        """The games that no look of a trick seen whole could tell apart, when there are several and no others."""
        near = self._near_best()
        enough = sum(posterior for _, posterior in near) >= SURE and near[0][0].trick_seen
        return tuple(candidate for candidate, _ in near) if enough and len(near) > 1 else ()

    def _near_best(self) -> list[tuple[Candidate, float]]:
        """The games that are as likely as the likeliest, that one first, with their posteriors."""
        posteriors = self.posteriors
        top = posteriors[0][0].log_posterior
        return [(candidate, posterior) for candidate, posterior in posteriors if top - candidate.log_posterior < ALIKE]

    def look(self, look: TableLook) -> None:
        """Takes a look in, at once."""
        self.wait(look)
        while self._waiting:
            self.work()

    def wait(self, *looks: TableLook) -> None:
        """Keeps looks to be taken in by `work`, in pieces: all games at once would take long."""
        self._waiting += looks

    def work(self) -> bool:
        """One game takes in the first look that waits. Whether all have taken that one in now."""
        if not self._waiting:
            return False
        if not self._to_go:
            self._to_go = list(self._candidates)
        self._to_go.pop().look(self._waiting[0])
        if self._to_go:
            return False
        self._waiting.popleft()
        top = max(candidate.log_posterior for candidate in self._candidates)
        self._candidates = [candidate for candidate in self._candidates if candidate.log_posterior > top - GAME_OUT]
        return True

    @property
    def busy(self) -> bool:
        """Whether looks wait to be taken in."""
        return bool(self._waiting)

    def candidate(self, header: Header) -> Candidate | None:
        """That game for so many, if it is still followed."""
        wanted = (header.game, header.players)
        return next(
            (
                candidate
                for candidate in self._candidates
                if (candidate.header.game, candidate.header.players) == wanted
            ),
            None,
        )

    def share(self, header: Header) -> float:
        """How likely that game for so many is."""
        game = self.candidate(header)
        return next((part for candidate, part in self.posteriors if candidate is game), 0.0)

    def agrees(self, candidate: Candidate, posterior: float) -> bool:
        """Whether this game is as likely as the likeliest, and those that are have at least this posterior together."""
        near = self._near_best()
        return any(other is candidate for other, _ in near) and sum(part for _, part in near) >= posterior

    def accuse_alike(self, candidate: Candidate) -> bool:
        """Whether it is for certain this game or one that no look tells from it, and all these say the same of who
        did wrong."""
        near = self.alike
        posterior = sum(part for other, part in self.posteriors if other in near)
        return (
            candidate in near and posterior >= CERTAIN and all(_wrongs(other) == _wrongs(candidate) for other in near)
        )

    def innocent_beside(self, candidate: Candidate, within: float) -> bool:
        """Whether nobody did anything wrong by another game, less than so many log-odds behind this one, that waits for
        an answer: who takes, in belote. Nobody gives it while that is not told, and till then it explains less."""
        others = (other for other in self._candidates if other is not candidate)
        near = (other for other in others if candidate.log_posterior - other.log_posterior < within)
        waits = (other.match for other in near if other.match.view.question is not None)
        return any(not any(_doubted(said) for said in match.notices) for match in waits)

    def only(self, candidate: Candidate) -> None:
        """A person said that it is this one."""
        candidate.trick_seen = True
        if self._to_go and all(game is not candidate for game in self._to_go):
            self._waiting.popleft()  # It took that one in already.
        self._to_go, self._candidates = [], [candidate]
        while self._waiting:
            self.work()


def _doubted(said: Notice) -> bool:
    """Whether somebody is accused, or asked whether he led rightly."""
    return accuses(said) or (said.level == ASK and said.facts.get("about") == "lead")


def _wrongs(candidate: Candidate) -> list[Mapping[str, object]]:
    """What a game says that somebody did wrong."""
    said = (notice.to_dict() for notice in candidate.match.notices if accuses(notice))
    return [{key: fact for key, fact in notice.items() if key != "number"} for notice in said]


def _matches(options: Callable[[str, int], Mapping[str, object]]) -> Sequence[Match]:
    """Every card game for every number it can be played by."""
    found = []
    for kind in GAMES.values():
        if kind.grid is not None:
            continue
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1):
            try:
                found.append(Match(kind.name, players, options(kind.name, players)))
            except OptionError:
                continue
    return found


def _prior(header: Header, players: int, last: Header | None) -> float:
    """How likely a game is before anything is seen: each as likely as the others, but for what is usual here."""
    log_prior = 0.0 if header.players == players else math.log(EVEN)
    if last is not None and last.game == header.game:
        log_prior -= math.log(SOME if last.players == header.players else EVEN)
    return log_prior
