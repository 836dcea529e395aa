"""Makes the weights of the eyes again from nothing; needs the `train` extra and Debian's card packages."""
