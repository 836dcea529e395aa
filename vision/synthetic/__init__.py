"""Draws what the eyes will see, with the truth beside it: tables of cards (cards_*, deck*), boards (board_*)."""
