"""The games: rules, referee and the match. Standard library only, no I/O."""
