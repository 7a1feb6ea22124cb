"""Limits that keep one user, or a slow SQL database, from stopping everybody: turns, and the limits of SQL."""
