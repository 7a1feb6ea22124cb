"""What each access pattern and each write costs: the list of them, the data that they read, and the measurement."""
