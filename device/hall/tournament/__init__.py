"""Tournaments: who plays whom, at which table, and who stands where. Plain values in and out; no store, no network."""
