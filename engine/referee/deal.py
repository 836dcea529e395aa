"""A deal of cards as the judge holds it: what lies on the table, what was taken up, what it came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import Card
from engine.events import Play
from engine.notices import Notice
from engine.referee.innocence import Innocence
from engine.referee.proof import INNOCENT, Verdict
from engine.referee.tricks import Laid, Trick
from engine.rules.tricks import PASS, Outcome, Score
from engine.view import Range

PROVISIONAL, PROVEN = "provisional", "proven"
"""How far a revoke is proven."""


class RevokeProof(NamedTuple):
    """How far a revoke is proven, and how far that was told: the last notice's verdict and level."""

    verdict: Verdict = INNOCENT
    told: tuple[Verdict, str] | None = None


NO_PROOF = RevokeProof()


@dataclass(frozen=True)
class Result:
    """A deal that was scored. The score before it is kept in the state until the next deal begins."""

    outcome: Outcome
    score: Score
    points: tuple[Range, ...]
    tricks: tuple[Range, ...]
    settled: tuple[int, ...] = ()
    """Sides about whose revokes the players have answered since: taken back with the result."""
    stopped: "DealState | None" = None
    """The deal as it lay when a score or a penalty won the match: it goes on if that is put right."""


@dataclass(frozen=True)
class DealState:
    """One deal: what lies on the table and what was taken up."""

    number: int
    """Of the event that began it."""
    turn_up: Card | None
    """The card face up now; None: taken, and no next one seen."""
    trump: str | None
    """The suit; "" where the game has none, None while it is open: nobody has said, or read, which it is."""
    dealer: int | None
    dealer_said: bool
    """Whether the dealer was seen; else rotation tells, as long as no deal went by unseen."""
    first_leads: frozenset[int]
    """Who may lead the first trick."""
    may_lead: frozenset[int]
    """Who may lead the trick on the table: the winners the last one can have had, by what is likely."""
    sure_lead: frozenset[int]
    """The same by nothing but the cards that were read: only another leads wrongly."""
    open_lead: frozenset[int] = frozenset()
    """Who can have won the whole trick on the table, by no guess: what its score hangs on."""
    done: tuple[Trick, ...] = ()
    plays: tuple[Laid, ...] = ()
    extras: tuple[Laid, ...] = ()
    extras_gone: int = 0
    """How many went with the tricks that were taken up."""
    leader: int | None = None
    """Who led the trick on the table."""
    wrong_leads: frozenset[int] = frozenset()
    gathered: bool = False
    """The last trick of a finished deal was taken up too."""
    seen: Mapping[Card, tuple[int | None, int, int]] = field(default_factory=dict)
    """Where each card was seen for sure: seat, trick, number of its event."""
    aside: tuple[Laid, ...] = ()
    """Cards that lie there but belong to no trick."""
    markers: tuple[Laid, ...] = ()
    """Cards read in doubt as none of this game's pack: markers that lie there, or plays misread. What is played next
    tells: a play that would be out of turn makes one of them the play that was missing."""
    before_recount: "Recounted | None" = None
    """The last card, if it made a marker the play that was missing, or a trick one that ended unseen."""
    tricks_uncertain: bool = False
    """Which card belongs to which trick is a guess: nothing is proven, and a card seen twice is asked about. That is so

    - since a marker was made a play, or may have been one;
    - since the deal was seen anew while it was played;
    - where trump is a guess, by what an unread card may be."""
    delimited: bool = True
    """The trick before was seen to be gathered, or there is none: what lies there belongs to this one."""
    exchanged: Card | None = None
    """The card that was turned up first, if another was seen in its place: whose hand held which of them is a guess,
    and proves nothing."""
    adrift: bool = False
    """Tricks are uncertain, and no whole one was gathered since: whose turn it is is a guess, too."""
    early: tuple[Notice, ...] = ()
    """Alerts about cards of the trick on the table that came before another seat's: out of turn, if that seat lays one
    there yet; else nobody saw it."""
    withheld: tuple[Notice, ...] = ()
    """Alerts that a trick gone by unseen would explain: they are asked about, and told once none can have."""
    doubted: frozenset[int] = frozenset()
    """Events of a card that was seen twice: one of the two readings is wrong."""
    verdict: Verdict = INNOCENT
    """After the last complete trick."""
    proves: bool = True
    """False: the proof is put off until somebody asks for it."""
    honest: Innocence | None = None
    """A way in which the tricks taken up can have been played honestly, as long as all of them were read plainly."""
    honest_now: Innocence | None = None
    """The same with the trick on the table, once it is complete."""
    at_last_gathering: RevokeProof = NO_PROOF
    """verdict and told as they were when the last trick was taken up."""
    told: tuple[Verdict, str] | None = None
    """The last revoke notice: its verdict and level."""
    taker: int | None = None
    """Who took the card turned up and named trump."""
    trump_confirmed: bool = False
    """Somebody said once more that trump is what a button said it is."""
    announced: bool | None = None
    """Whether the cards held together were announced, or were there; None: nobody has said."""
    bonus: int | None = None
    """Who held them, as somebody said; None: the cards played tell."""
    held_back_for_trump: tuple[Notice, ...] = ()
    """What would be told if trump is what a button said, and would not with another suit: that is asked first."""
    offered_by: int | None = None
    refused_by: int | None = None
    turn_up_went_to: int | None = None
    """Who took cards turned up: in a pillage, or the one that a taker gets."""
    pillaged: tuple[Card, ...] = ()
    pillaged_unseen: frozenset[Card] = frozenset()
    """Those of them that nobody saw go: another lay there next, or they came from a hand."""
    paid: tuple[Card, ...] = ()
    paid_unseen: int = 0
    settled: tuple[int, ...] = ()
    """Sides about whose revokes the players have answered what they cost, once for each."""
    hand_lost: bool = False
    """By a revoke: its score is the penalty."""
    asked: "Asked | None" = None
    """What the device asked for last, where it plays a seat itself."""
    bid: "Bid | None" = None
    """What the device says of the card turned up, where it plays a seat itself."""
    claimed: int | None = None
    """Who takes the tricks that are left, once hands were laid open."""
    counted: Score | None = None
    """The score that was set by hand after this deal: counting it again adds nothing."""
    ended_early: bool = False
    """Given up, or ended by a penalty: cards are lifted as anybody likes."""
    result: Result | None = None

    @property
    def trick_number(self) -> int:
        return len(self.done) + 1

    def next_place(self, players: int) -> tuple[int, int]:
        """The trick that the next card is laid in, and how many lie in it."""
        whole = len(self.plays) == players
        return self.trick_number + whole, 0 if whole else len(self.plays)

    def asked_now(self, players: int) -> "Asked | None":
        """What the device asks for, unless another card was laid since, or one taken back."""
        return self.asked if self.asked is not None and self.asked.place == self.next_place(players) else None

    def dealt_by(self, players: int) -> int | None:
        """The dealer, or who it must have been from the first lead, if nothing doubtful lay there before it."""
        if self.dealer is not None:
            return self.dealer
        leader, plays = (self.done[0].leader, self.done[0].plays) if self.done else (self.leader, self.plays)
        lead = next((laid for laid in plays if laid.seat == leader), None)
        if leader is None or lead is None or lead.guessed or not lead.order_sure:
            return None
        if any(marker.number < lead.number for marker in (*self.aside, *self.markers)):
            return None
        return (leader - 1) % players


@dataclass(frozen=True)
class Asked:
    """A card that the device asked for, for its seat, as the next of all."""

    place: tuple[int, int]
    """The trick, and how many cards lie in it."""
    seat: int
    card: Card


@dataclass(frozen=True)
class Bid:
    """What the device says, when it is its turn to: PASS twice, TAKE, or first PASS and then "take:S"."""

    seat: int
    said: str

    def trump(self, turned_up: str) -> str | None:
        """The suit in which it takes; None: it does not. turned_up: the suit turned up."""
        return None if self.said == PASS else self.said.partition(":")[2] or turned_up


@dataclass(frozen=True)
class Recounted:
    """A card that told which cards before it are of which trick: once it is lifted, nothing did."""

    number: int
    event: Play
    deal: DealState
    """Before it."""


@dataclass(frozen=True)
class Owed:
    """A penalty that is asked about still, though another deal of the match has begun."""

    question: Notice
    brought: tuple[int, ...]
    """What its deal brought each side, which a hand lost takes back."""
    held: int
    """What its deal left to be held over, which a hand lost takes back too."""
    lost: tuple[int, ...]
    """What its deal brings each side as a hand lost."""
    deal: int
    """The event that ended its deal."""


@dataclass(frozen=True)
class CardState:
    """A match of a card game."""

    score: Score
    """Before the deal under way."""
    deal: DealState | None = None
    dealer: int | None = None
    """Who deals next by rotation, if known."""
    dealers: frozenset[int] = frozenset()
    """Who may deal next; empty: anybody."""
    match: int = 1
    reminded: int = 0
    """The match at whose beginning the table was last reminded of what the judge does not watch."""
    parties: tuple[int, ...] = ()
    """Matches each side has won before this one, where the house plays a number of them."""
    alert: Notice | None = None
    questions: tuple[Notice, ...] = ()
    proves: bool = True
    """Deals are proven as they go; else only when asked."""
    owed: tuple[Owed, ...] = ()
    """Penalties of earlier deals; their questions are among the questions."""


def all_laid(deal: DealState) -> list[Laid]:
    """Every card put down in this deal, in tricks taken up and on the table."""
    laid = [card for trick in deal.done for card in (*trick.plays, *trick.extras)]
    return [*laid, *deal.plays, *deal.extras]


def is_late(question: Notice) -> bool:
    """Whether a question is about an earlier deal of the match, whose score waits for the answer."""
    return bool(question.facts.get("late"))


Judged = tuple[CardState, tuple[Notice, ...]]
"""What comes of an event: the state after it, and what there is to say."""
