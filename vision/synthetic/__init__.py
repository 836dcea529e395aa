"""Our own renderer of labelled tables: training, tests and the demo draw from it."""
