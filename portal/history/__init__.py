"""The history of changes: author, thing, time, and old and new values. This package imports no app."""
