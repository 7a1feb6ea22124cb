"""Work on whole tables, for commands of administrators: parallel Scans, checks. No page uses it."""
