"""Finds the pits of a board in a picture and says how likely each count of seeds is."""
