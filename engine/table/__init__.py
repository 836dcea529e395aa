"""Looks at a card table to events: accounts of the table compete on evidence (`beam.py` takes looks in)."""
