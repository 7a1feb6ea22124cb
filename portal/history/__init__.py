"""The history of changes: who changed what, when, from what to what. It imports no app."""
