"""What stands in the place of hardware and of other programs: a Pico, a Pi's pins, a camera, a network, a home."""
