"""Staff accounts: logins and their limits, the second factor, and who may change whom. docs/portal.md explains it."""
