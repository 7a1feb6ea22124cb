"""Backups of all tables in one file, and their restoration. docs/backups.md explains them. No page uses it."""
