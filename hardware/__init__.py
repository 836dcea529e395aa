"""What renders and checks the hardware files. Not installed with the device."""
