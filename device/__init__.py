"""Everything that touches the world: command line, journal, words, and later the parts of the device."""
