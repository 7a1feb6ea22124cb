"""Guests and their orders: not built yet."""
