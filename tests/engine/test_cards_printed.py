"""What is printed on a tablecloth and looks like a card's corner is no card that was played."""

from engine.events import Play
from engine.sightings import CardLying, Hand, TableLook
from tests.engine.test_cards_table import Table

PRINTED = CardLying(None, 0.0, (-0.01, 0.02), ("QS", "QD", "QH"), outlined=False)


def look(table: Table, *hands: Hand, printed: bool) -> None:
    """The table at rest, looked at as often as a doubt is worth."""
    for number in range(6):
        lying = tuple(CardLying(card, 0.99, at) for card, at in table.cards.items())
        fresh = number == 0
        table.see(
            TableLook(
                table.now_s, (*lying, *((PRINTED,) if printed else ())), hands if fresh else (), (),
                ((0.0, 0.0, 0.4),) if fresh else (), 0.3, fresh,
            )
        )  # fmt: skip
        table.now_s += 0.4


def test_a_print_that_a_trick_covered_is_no_card_when_the_trick_is_gone() -> None:
    table = Table()
    look(table, printed=True)
    table.cards = {"7H": (-0.65, -0.2)}
    look(table, *(table.hand(angle) for angle in (0, 90, 180, 270)), printed=True)
    for card, at, angle in (("KS", (0, 0.1), 0), ("3S", (-0.1, 0), 90), ("4S", (0, -0.1), 180), ("5S", (0.1, 0), 270)):
        hand = table.hand(angle, at)
        table.cards[card] = at
        look(table, hand, printed=False)
    table.cards = {"7H": (-0.65, -0.2)}
    look(table, table.hand(0), printed=True)
    look(table, table.hand(90), printed=True)
    assert [event for event in table.match.log if isinstance(event, Play) and event.card is None] == []
