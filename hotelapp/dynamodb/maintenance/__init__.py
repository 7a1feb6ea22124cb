"""Work on whole tables, for commands of administrators: parallel Scans, checks, upgrades, copies. No page uses it."""
