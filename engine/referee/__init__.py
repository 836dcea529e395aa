"""Judges what happened: events in, notices out."""
