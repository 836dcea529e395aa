"""Makes the weights in vision/models again from nothing, one command each."""
