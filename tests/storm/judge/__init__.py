"""The judge: what was acknowledged is stored exactly once, and nothing else is."""
