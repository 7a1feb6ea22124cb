"""The history of changes: who changed what, when, from what to what. It knows no hotel word and imports no app."""
