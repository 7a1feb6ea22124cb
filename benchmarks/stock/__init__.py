"""The yardstick: Django's own admin changelist over the same rooms in SQLite, as one would write it first."""
