"""Reading real playing cards: index corners found, read, matched to cards; decks enrolled."""
