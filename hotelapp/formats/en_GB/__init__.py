"""Formats of the one language."""
