"""Makes the weights again from nothing: python -m vision.training.cards, python -m vision.training.board."""
