"""Tests of what the pages share."""
