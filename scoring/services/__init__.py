"""Writes of points."""
