"""The package's own tests. They know nothing of the project beside it."""
