"""What the portal is compared with: Django's admin changelist over the same rooms in SQLite, in its simplest form."""
