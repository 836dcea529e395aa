"""What people do at a card table between two looks, how likely that is, and what being wrong about it costs.

Six words say how likely something is. Finer numbers decide nothing: with 74 priors set to one common value, the same
evenings were followed as well.
"""

from dataclasses import dataclass

DEAL, LAY, LIFT, GATHER, PILLAGE, SWAP, VOID = "deal", "lay", "lift", "gather", "pillage", "swap", "void"
"""A card turned up; a card laid; one taken back; a trick taken up; the turned-up card bought, or exchanged; a deal
given up."""

RARE, SELDOM, ODD, SOME, EVEN, MOSTLY = 1 / 150, 1 / 70, 1 / 30, 1 / 10, 1 / 2, 0.9
"""How likely something is, each time it could be: a fault, or an eye that reads another card; a card that nobody sees,
or that is taken back; what happens to everybody now and then; what people and eyes do; what is as likely as not; what
was so when the table was looked at before."""


@dataclass(frozen=True)
class Priors:
    """How likely what is at a table."""

    # -- what people do (judged; a deal has some fifty acts)
    unseen_in_a_gap: float = 0.3
    """A card is laid while nobody looked: after a restart (judged)."""
    just_there: float = 0.25
    """Card lengths: two cards so near change the table at one place."""
    carried_beyond: float = 0.85
    """Part of the reach beyond which a card of the trick was carried off, where it lies farther out than it lay."""
    as_it_lay: float = 0.15
    """Card lengths within which a card lies just as another did."""
    blind_s: float = 12.0
    """Seconds without rest, after which what is seen for the first time accuses nobody in that deal (counted:
    on films one rest in 921 came so late)."""
    turn_up_beyond: float = 0.7
    """Where that is: from this part of the way to where cards are played no more."""
    next_deal_beyond: float = 0.85
    """The same where a deal was not played out: a card there is the next one turned up (judged)."""
    away_looks: int = 3
    """Looks at its bare place, from which the card turned up last may be turned up again, though the hands that came
    were told of before (judged)."""
    deal_takes_s: float = 5.0
    """Seconds from the last look that showed the turned-up card to the first of the next, at least (on films of three
    other programs 9.7, on our own drawn ones 5.4);"""
    talon: float = 0.65
    """Card lengths from where the turned-up card lay, within which the next one comes."""
    pays_near: float = 2.5
    """Card lengths from the talon."""

    # -- hands

    # -- what the eye shows of what lies there (counted on looks of simulated evenings, rounded away from certainty)
    known_again_within: float = 0.75
    """The part of the way to where cards are played no more within which it may be laid anew (judged)."""
    index_like: tuple[tuple[float, float, float], ...] = ((0.9, 0.85, 0.1), (0.97, 0.1, 0.15), (1.0, 0.05, 0.75))
    """How often what cannot be read looks so much like an index at most: print, and a card (counted: on films of a
    newspaper 96 of 100 marks looked less than 0.9, and of 223 unread cards none; of 29 unread cards on photographs
    from the side or blurred 15 did)."""
    hidden: tuple[tuple[float, float], ...] = ((0.2, 0.97), (0.6, 0.6), (1.0, 0.25))
    """How likely a card is hidden by one laid so many card lengths from it later (counted)."""
    guessed_apart: float = 0.4
    """Card lengths that a card lies at least from another, where the middle of one is only guessed (judged)."""
    seen_again: float = 0.3
    """A card is seen that the last rest did not show; of those it was lost for longer, so many times fewer."""
    again_read: float = 0.12
    """How much each further look of one rest says over again: looks of one rest are not independent (judged)."""

    # -- places, in card lengths
    same_place: float = 0.5
    part_of_one: float = 0.75
    """From a card's middle to what is read of it, where its outline is not known."""
    same_card: float = 0.25
    """Two faces nearer than this are one card, misread; or one right over the other."""

    # -- deciding
    settled: float = 0.88
    """The share from which an act is told."""
    sure: float = 0.985
    """The share from which it may take part in a proof."""
    repair: float = 0.97
    """The share from which what was told is told otherwise."""
    guess: float = 0.5
    """The share from which a card that was told as unread is named once its trick is over: play went on, and nothing
    more is told before it is; nobody is accused in that deal any more (judged)."""
    accuse: float = 0.93
    """The share from which an act is told that accuses somebody."""
    accuse_within_s: float = 12.0
    """And only so long after it (judged: of 120 planted faults 118 were told sooner, of honest plays that were accused
    in the harshest simulated mess half were accused later)."""
    lies_before: float = 1.0
    """Log-odds from which a card clearly lies before whose hand it was, and not before whose turn it was (judged);"""
    second_lies_before: float = 2.0
    """and a second card of one player, whose neighbour lays next."""
    accuse_open: float = 0.075
    """And only at a table where the root of what accounts leave open that say otherwise than the likeliest what people
    did is less than this, on the mean of its rests: else it cannot be followed (counted: of 33 planted faults in a
    house none had more than 0.062, of four in another program's films one had 0.07; an honest play that was accused in
    48 evenings of the harshest simulated mess had 0.081);"""
    open_rests: float = 100.0
    """the mean of so many rests: some two deals (judged);"""
    open_before: float = 10.0
    """and so many before the first at which nothing was left open (judged)."""
    ask_least: float = 0.04
    """The share from which what may have happened is among the answers to a question (judged)."""
    ask_named: float = 0.97
    """What the answers must hold together: the truth must be among them."""
    ask_every_tricks: int = 3
    """Tricks from one question to the next: often asked is as bad as wrong."""
    reserve: float = 0.003
    """The share kept for all that was never proposed: it counts as innocent."""
    kept: int = 24
    """Histories kept."""
    margin: float = 14.0
    """Log-probability below the best beyond which none is."""
    wide: int = 10
    """Sequences of acts followed at once while one history is continued."""
