"""Trained weights, each beside the card that says how it was made."""
