"""Work on whole tables, for commands of administrators: parallel Scans, checks, upgrades. No page uses it."""
