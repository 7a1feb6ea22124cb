"""Logins: how failures are counted, and by what."""
