"""Frames and presses in, a match that follows itself, and what there is to show of it."""
