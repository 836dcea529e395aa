"""Tests of the lamp panel's firmware."""
