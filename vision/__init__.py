"""Pixels to sightings. Imports NumPy and OpenCV and engine, never device."""
