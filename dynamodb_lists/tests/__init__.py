"""The tests of the package alone. They know nothing of the portal."""
