"""Logins: the limits of failed attempts, and the identities by which they are counted."""
