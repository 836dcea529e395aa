"""Whatever shows the game: each draws the same Show, keeps nothing of its own and is waited for by nobody."""
