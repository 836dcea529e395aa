"""What is kept on disk: the match, recordings, the settings, the house's deck."""
