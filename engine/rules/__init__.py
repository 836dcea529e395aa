"""The rules of each game, knowing nothing of cameras or events."""
