"""What people do at a card table between two looks, and how likely each of it is: the one table of priors.

Every number is a probability (or says its unit) and a field, so that a table may be followed with others. "counted":
from labelled simulated evenings; "judged": set by hand, right within a factor of two or three, which is all they need.
"""

from dataclasses import dataclass

DEAL, LAY, LIFT, GATHER, PILLAGE, SWAP, VOID = "deal", "lay", "lift", "gather", "pillage", "swap", "void"
"""A card turned up; a card laid; one taken back; a trick taken up; the turned-up card bought, or exchanged; a deal
given up."""

ZONE = 0.62
"""Table units from the middle within which a card is played, if the house says nothing; farther out are markers,
piles and fans in hands."""


@dataclass(frozen=True)
class Priors:
    """How likely what is at a table."""

    # -- what people do (judged; a deal has some fifty acts)
    out_of_turn: float = 1 / 120
    wrong_leader: float = 1 / 120
    second_card: float = 1 / 120
    before_taken: float = 1 / 200
    """The next lead is laid while the whole trick still lies there."""
    unchanged: float = 0.02
    """Something is put down, and the table looks as before there."""
    went_unchanged: float = 0.02
    """Something is taken away, and the table looks as before there (counted on simulated looks: 39 of 3,473 cards)."""
    not_in_pack: float = 1 / 300
    seen_before: float = 1 / 300
    swapped_turn_up: float = 1 / 400
    swapped_back: float = 0.3
    """And put back."""
    cards_missing: float = 1 / 300
    """The next deal begins though a card of this one was never played."""
    lift: float = 1 / 60
    """The last card laid is taken back."""
    lift_fault: float = 0.4
    """The same of one that should not have been laid."""
    lift_other: float = 1 / 400
    """An earlier card of the trick is."""
    lift_whole: float = 1 / 300
    """One of a trick that is whole is taken back; else its first card to go is gathered."""
    lift_beside: float = 0.5
    """One that counts for nothing is, once it is not seen any more."""
    just_there: float = 0.25
    """Card lengths: two cards so near change the table at one place."""
    gather: float = 0.5
    """A whole trick is taken up in a given rest."""
    gather_in_parts: float = 0.1
    """Card by card."""
    carried_beyond: float = 0.85
    """Part of the way to where cards are played no more, from which a card of the trick was carried off (judged);"""
    carried_by: float = 1.3
    """and how many times nearer than that it must have lain."""
    put_aside: float = 1 / 10
    """Something without a face comes to rest at somebody's place, and no trick went (counted on films: in one
    rest of 15; simulated looks show it in one of 120)."""
    left_lying: float = 0.15
    """A card of a gathered trick still lies there."""
    sweep_unfinished: float = 1 / 60
    """An unfinished trick goes and is laid out again, or its deal is given up."""
    right_over: float = 0.1
    """A card is laid just where another lies, and not beside it."""
    right_on_it: float = 0.05
    """And of those laid about the turned-up card, one that lies just as that did (judged: by how much smaller the one
    place is than the other): rather that was exchanged."""
    lay_there: float = 0.05
    """A card is laid just where the table at rest showed its face before: rather it lay there (judged)."""
    as_it_lay: float = 0.15
    """Card lengths within which a card lies just as another did."""
    unseen: float = 1 / 80
    """A card is laid and nobody sees it before its trick goes or the next card comes."""
    unseen_at_a_glance: float = 0.2
    """A card that was laid is not seen before the table rests."""
    seen_late: float = 0.2
    """And is seen then, though it was laid before the last rest, or by no hand that is known (judged)."""
    unseen_since: float = 0.05
    """And not in the rests since either."""
    unseen_in_a_gap: float = 0.3
    """The same while nobody looked: after a restart."""
    blind_s: float = 12.0
    """Seconds without rest, after which what is seen for the first time accuses nobody in that deal (counted:
    on films one rest in 921 came so late)."""
    void: float = 1 / 300
    """A deal is given up."""
    far_out: float = 1 / 40
    """A card is played farther out than cards are played, or where the stock stands."""
    again: float = 1 / 60
    """Cards of the trick come back after they went unseen altogether."""
    deal: float = 0.5
    """The next face that comes after a deal is over is the one turned up, farther out than tricks are played."""
    deal_in_the_middle: float = 0.02
    """The same where tricks are played."""
    turn_up_beyond: float = 0.7
    """Where that is: from this part of the way to where cards are played no more."""
    next_deal_beyond: float = 0.85
    """The same where a deal was not played out: a card there is the next one turned up (judged)."""
    deal_unseen: float = 0.005
    """Nobody reads the turned-up card before the first lead."""
    away_looks: int = 3
    """Looks at its bare place, from which the card turned up last may be turned up again, though the hands that came
    were told of before (judged)."""
    deal_anew: float = 1 / 30
    """What was thought to be turned up was only shown."""
    deal_takes_s: float = 5.0
    """Seconds from the last look that showed the turned-up card to the first of the next, at least (on films of three
    other programs 9.7, on our own drawn ones 5.4);"""
    dealt_at_once: float = 1 / 100
    """and yet the next card was turned up sooner (judged)."""
    pillage: float = 0.3
    pillage_late: float = 0.1
    """The same after more hands than players: the cards may have been dealt anew."""
    talon: float = 0.65
    """Card lengths from where the turned-up card lay, within which the next one comes."""
    pays_near: float = 2.5
    """Card lengths from the talon."""
    pays: float = 0.5
    """A card is shown beside the talon before it goes under it."""
    pays_there: float = 0.05
    """The same where the turned-up card lay: rather the next one is turned up there (judged)."""
    pays_far: float = 0.05
    """The same anywhere else."""
    few_hands: float = 0.003
    """A deal with no hands over the table since the last trick; with some, so much less odd."""
    many_faces: float = 0.05
    """A deal while many other faces lie there: tricks thrown together."""

    # -- hands
    idle: float = 0.25
    """A hand comes to the edge and does nothing that can be told (judged)."""
    idle_in_the_middle: float = 1 / 12
    """The same where cards are played."""
    idle_while_swept: float = 0.5
    """The same since a trick was taken up there, until the table rests again (judged)."""
    no_hand: float = 1 / 150
    """A card comes, and no hand was seen that may have brought it: arms drop out of the difference picture."""
    hands_crossed: float = 0.02
    """What a hand laid that had left, before another came, comes after what that one laid."""
    hand_twice: float = 1 / 30
    """A hand that laid a card lays another before it leaves."""
    hand_before: float = 0.15
    """What a hand laid that came earlier, in one rest, comes after what a later one did (judged)."""
    laid_and_unseen: float = 0.1
    """What a hand laid is shown by none of the looks since it drew back, however many, at least (judged)."""
    read_late: float = 0.2
    """What a hand laid is only read after the table rested once more, or later (judged)."""
    not_there_yet: float = 0.05
    """What a hand laid was seen to lie there before it was far enough in (judged)."""
    still_over_it: float = 0.3
    """What a hand laid was seen to lie there before it drew back (counted on films: of hands that laid it 10 in 100, of
    those that came next 8 in 16)."""
    still_there: float = 0.1
    """A hand that laid a card takes one away before it leaves."""
    gathered_unseen: float = 1 / 10
    """A trick goes, and no hand was seen."""

    # -- what the eye shows of what lies there (counted on looks of simulated evenings, rounded away from certainty)
    missed: float = 0.04
    """A card that lies open is not seen in a look."""
    missed_at_a_glance: float = 0.5
    """The same of one that was never read, and of any in a frame beside a hand (judged)."""
    missed_beside: float = 0.7
    """The same of what counts for nothing: what is left of a trick, or paid (judged)."""
    unread: float = 0.04
    """Or it cannot be read."""
    unread_again: float = 0.9
    """The same as in the rest before (judged)."""
    misread: float = 1 / 600
    """Or it is read as another card."""
    misread_turn_up: float = 1 / 100
    """The same of the turned-up card, that lies half under the stock."""
    misread_again: float = 0.6
    """The same as in the rest before (judged)."""
    misread_once: float = 1 / 60
    """The same of a card that only one look showed: it may have been sliding still."""
    listed: float = 0.9
    """The name of what could not be read was among those it might have, if any were given (judged)."""
    not_listed: float = 0.03
    """Or it was not."""
    clutter: float = 1 / 400
    """Something is read as a card of the pack where none lies, among the tricks."""
    clutter_again: float = 0.5
    """The same as in the rest before (judged)."""
    known_again: float = 1 / 40
    """A card that was played before is seen again where cards are played: tricks that are looked through."""
    known_again_within: float = 0.75
    """The part of the way to where cards are played no more within which it may be laid anew (judged)."""
    more_again: float = 0.5
    """The same of more of them: they are looked through together (judged)."""
    known_outside: float = 0.6
    """The same farther out."""
    outside: float = 0.1
    """A face farther out: a fan, a pile."""
    on_the_talon: float = 0.01
    """A face lies where the turned-up card lay, and is none."""
    doubt: float = 1 / 30
    """Something that cannot be read lies where no card does: print, a coin, a corner."""
    index_like: tuple[tuple[float, float, float], ...] = ((0.9, 0.85, 0.1), (0.97, 0.1, 0.15), (1.0, 0.05, 0.75))
    """How often what cannot be read looks so much like an index at most: print, and a card (counted: on films of a
    newspaper 96 of 100 marks looked less than 0.9, and of 223 unread cards none; of 29 unread cards on photographs
    from the side or blurred 15 did)."""
    doubt_again: float = 0.8
    """The same as in the rest before (judged)."""
    doubt_beside: float = 0.05
    """The same beside a card that it is none of."""
    face_between_deals: float = 1 / 30
    """A face lies there between deals and is not the one turned up."""
    face_in_the_middle: float = 0.2
    """The same where tricks are played."""
    more_faces: float = 0.6
    """The same of any more of them (judged)."""
    hidden: tuple[tuple[float, float], ...] = ((0.2, 0.97), (0.6, 0.6), (1.0, 0.25))
    """How likely a card is hidden by one laid so many card lengths from it later (counted)."""
    guessed_apart: float = 0.4
    """Card lengths that a card lies at least from another, where the middle of one is only guessed (judged)."""
    least_open: float = 0.02
    """And how likely it is seen at least (judged)."""
    seen_again: float = 0.3
    """A card is seen that the last rest did not show; of those it was lost for longer, so many times fewer."""
    turn_up_missed: float = 0.1
    """The turned-up card lies half under the stock."""
    again_read: float = 0.12
    """How much each further look of one rest says over again: looks of one rest are not independent (judged)."""

    # -- places, in card lengths
    same_place: float = 0.5
    part_of_one: float = 0.75
    """From a card's middle to what is read of it, where its outline is not known."""
    same_card: float = 0.25
    """Two faces nearer than this are one card, misread; or one right over the other."""
    moved_fresh: float = 0.05
    """A card lies elsewhere after the table was touched."""
    moved_still: float = 0.005

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
